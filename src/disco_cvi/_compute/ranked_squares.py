"""The square of a given rank among many, where each counts by its weight.

Counting what is less than a bound takes a few instructions for eight squares, moving one takes as
many by itself. So bounds close in on the rank by counting, and only what is left is moved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel

# So few rows are left to choose from, or so often is counted: ties cannot be told apart.
_FEW = 24
_MOST_COUNTS = 10
# More than a product can err by rounding.
_MORE = 1.0 + 1e-12


class Others(NamedTuple):
    """Points that are looked at, coordinate by coordinate; `weight` counts their rows.

    The others are room for what is computed of each.
    """

    coordinate: FloatArray
    weight: NDArray[np.int64]
    kept: NDArray[np.int64]
    square: FloatArray
    inverse: FloatArray
    spread: FloatArray


class Chosen(NamedTuple):
    """Room for squares that are chosen from, with their weights, and for marks."""

    square: FloatArray
    weight: NDArray[np.int64]
    mark: NDArray[np.uint8]
    marks_by_eight: NDArray[np.uint64]


def room_for_others(n_points: int, dimension: int) -> Others:
    """Return arrays for up to so many points."""
    numbers = np.empty((2, n_points), np.int64)
    return Others(np.empty((dimension, n_points)), *numbers, *np.empty((3, n_points)))


def room_to_choose(n_points: int) -> Chosen:
    """Return arrays for up to so many squares."""
    marks = np.empty(8 * (n_points // 8 + 1), np.uint8)
    weights = np.empty(n_points, np.int64)
    return Chosen(np.empty(n_points), weights, marks, marks.view(np.uint64))


@inline_kernel
def fill_squares(others, begin, stop, points, i, squares):
    """Squared distances of point i to some of the others, which stand coordinate by coordinate.

    The same bits as `squared_distance` gives: four sums, one for each coordinate of four, and what
    is left over goes to the first.
    """
    coordinates = others.coordinate
    dimension = coordinates.shape[0]
    if dimension == 2:
        _put_two(coordinates, begin, stop, points, i, squares)
        return
    if dimension == 3:
        _put_three(coordinates, begin, stop, points, i, squares)
        return
    whole = dimension - dimension % 4
    _put_squares(coordinates[0, begin:stop], points[i, 0], squares)
    for c in range(4, whole, 4):
        _add_squares(coordinates[c, begin:stop], points[i, c], squares)
    for c in range(max(whole, 1), dimension):
        _add_squares(coordinates[c, begin:stop], points[i, c], squares)
    if whole == 4:
        _add_three(coordinates, begin, stop, points, i, squares)
    elif whole > 4:
        second_sums, third_sums = others.inverse[begin:stop], others.spread[begin:stop]
        _put_squares(coordinates[1, begin:stop], points[i, 1], second_sums)
        for c in range(5, whole, 4):
            _add_squares(coordinates[c, begin:stop], points[i, c], second_sums)
        _add(squares, second_sums)
        _put_squares(coordinates[2, begin:stop], points[i, 2], second_sums)
        _put_squares(coordinates[3, begin:stop], points[i, 3], third_sums)
        for c in range(6, whole, 4):
            _add_squares(coordinates[c, begin:stop], points[i, c], second_sums)
            _add_squares(coordinates[c + 1, begin:stop], points[i, c + 1], third_sums)
        _add(second_sums, third_sums)
        _add(squares, second_sums)


@inline_kernel
def _put_two(coordinates, begin, stop, points, i, sums):
    """All of two coordinates at once.

    Here as below, places are counted from 0, because only then eight are computed at once.
    """
    first, second = coordinates[0, begin:stop], coordinates[1, begin:stop]
    for t in range(sums.shape[0]):
        x = points[i, 0] - first[t]
        y = points[i, 1] - second[t]
        sums[t] = x * x + y * y


@inline_kernel
def _put_three(coordinates, begin, stop, points, i, sums):
    first, second = coordinates[0, begin:stop], coordinates[1, begin:stop]
    third = coordinates[2, begin:stop]
    for t in range(sums.shape[0]):
        x = points[i, 0] - first[t]
        y = points[i, 1] - second[t]
        z = points[i, 2] - third[t]
        sums[t] = x * x + y * y + z * z


@inline_kernel
def _add_three(coordinates, begin, stop, points, i, sums):
    """The second, third and fourth sum, of one coordinate each, at once."""
    second, third = coordinates[1, begin:stop], coordinates[2, begin:stop]
    fourth = coordinates[3, begin:stop]
    for t in range(sums.shape[0]):
        x = points[i, 1] - second[t]
        y = points[i, 2] - third[t]
        z = points[i, 3] - fourth[t]
        sums[t] = (sums[t] + x * x) + (y * y + z * z)


@inline_kernel
def _put_squares(coordinates, x, sums):
    for t in range(sums.shape[0]):
        sums[t] = (x - coordinates[t]) * (x - coordinates[t])


@inline_kernel
def _add_squares(coordinates, x, sums):
    for t in range(sums.shape[0]):
        sums[t] += (x - coordinates[t]) * (x - coordinates[t])


@inline_kernel
def _add(sums, others):
    for t in range(sums.shape[0]):
        sums[t] += others[t]


@inline_kernel
def choose_between(given, n_given, rank, low, high, chosen):
    """The square of that rank if it is at least `low` and less than `high`, else -1.

    And how many rows have a lesser one. `chosen` is room for those that are moved.
    """
    n_low = count_below(given.square, given.weight, n_given, low)
    n_high = count_below(given.square, given.weight, n_given, high)
    if rank < n_low or rank >= n_high:
        return -1.0, n_low
    for _ in range(_MOST_COUNTS):
        bound = _bound_between(rank, low, high, n_low, n_high)
        if bound == low:
            break
        n_below = count_below(given.square, given.weight, n_given, bound)
        low, high, n_low, n_high = _close_in(rank, low, high, n_low, n_high, bound, n_below)
    return _choose_rest(given, n_given, rank, low, high, n_low, chosen)


@inline_kernel
def choose_two(given, n_given, first, second, chosen):
    """The squares of two ranks, and how many rows have lesser ones, by counting for both at once.

    With each rank comes a square that is not above its own, one that is above it, how many rows
    have less than the former, and about how many less than the latter.
    """
    rank, low, high, n_low, n_high = first
    other_rank, other_low, other_high, n_other_low, n_other_high = second
    for _ in range(_MOST_COUNTS):
        bound = _bound_between(rank, low, high, n_low, n_high)
        other_bound = _bound_between(other_rank, other_low, other_high, n_other_low, n_other_high)
        if bound == low and other_bound == other_low:
            break
        n_below, n_other_below = _count_two_below(given, n_given, bound, other_bound)
        low, high, n_low, n_high = _close_in(rank, low, high, n_low, n_high, bound, n_below)
        other_low, other_high, n_other_low, n_other_high = _close_in(
            other_rank, other_low, other_high, n_other_low, n_other_high, other_bound, n_other_below
        )
    return (
        _choose_rest(given, n_given, rank, low, high, n_low, chosen),
        _choose_rest(given, n_given, other_rank, other_low, other_high, n_other_low, chosen),
    )


@inline_kernel
def _bound_between(rank, low, high, n_low, n_high):
    """A square at which counting tells most; `low` if enough is known."""
    n_rows = n_high - n_low
    if n_rows <= _FEW:
        return low
    # Aimed a little to the farther side, so that both bounds close in.
    share = (rank - n_low + 0.5) / n_rows
    aside = 0.6 / np.sqrt(n_rows)
    share += aside if share < 0.5 else -aside
    bound = low + (high - low) * share
    return bound if low < bound < high else low


@inline_kernel
def _close_in(rank, low, high, n_low, n_high, bound, n_below):
    if n_below <= rank:
        return bound, high, n_below, n_high
    return low, bound, n_low, n_below


@inline_kernel
def _choose_rest(given, n_given, rank, low, high, n_low, chosen):
    """The square of that rank, by moving what is between the bounds; how many rows have less."""
    n_chosen = _collect(given, n_given, low, high, chosen)
    square = select(chosen.square, chosen.weight, n_chosen, rank - n_low)
    return square, n_low + count_below(chosen.square, chosen.weight, n_chosen, square)


@inline_kernel
def count_below(squares, weights, n_given, bound):
    """How many rows have a lesser square; without a branch, so that eight are compared at once."""
    n_rows = 0
    for t in range(n_given):
        n_rows += weights[t] if squares[t] < bound else 0
    return n_rows


@inline_kernel
def _count_two_below(given, n_given, bound, other_bound):
    """The same for two bounds at once."""
    squares, weights = given.square, given.weight
    n_rows, n_other_rows = 0, 0
    for t in range(n_given):
        n_rows += weights[t] if squares[t] < bound else 0
        n_other_rows += weights[t] if squares[t] < other_bound else 0
    return n_rows, n_other_rows


@inline_kernel
def _collect(given, n_given, low, high, chosen):
    """Move squares from `low` to below `high`.

    They are marked first, without a branch, and most eights of marks are empty.
    """
    squares, weights, marks = given.square, given.weight, chosen.mark
    for t in range(n_given):
        marks[t] = np.uint8(squares[t] < high) & np.uint8(squares[t] >= low)
    n_chosen = 0
    for eight in range(_close_marks(marks, n_given)):
        if chosen.marks_by_eight[eight] == 0:
            continue
        for t in range(8 * eight, 8 * eight + 8):
            if marks[t] > 0:
                chosen.square[n_chosen] = squares[t]
                chosen.weight[n_chosen] = weights[t]
                n_chosen += 1
    return n_chosen


@inline_kernel
def list_equal(squares, n_given, square, chosen, found):
    """List the places of one square; return how many there are."""
    for t in range(n_given):
        chosen.mark[t] = np.uint8(squares[t] == square)
    return _list_marked(chosen, n_given, found)


@inline_kernel
def list_improved(squares, limit, lengths, through, chosen, found):
    """List the places of squares up to a limit whose root and `through` are less than their length.

    Or as good as less: who asks looks again. Return how many there are.
    """
    for t in range(squares.shape[0]):
        more = lengths[t] - through
        chosen.mark[t] = np.uint8(more > 0.0) & np.uint8(
            squares[t] <= min(limit, more * more * _MORE)
        )
    return _list_marked(chosen, squares.shape[0], found)


@inline_kernel
def _list_marked(chosen, n_given, found):
    """List what is marked: most eights of marks are empty."""
    n_found = 0
    for eight in range(_close_marks(chosen.mark, n_given)):
        if chosen.marks_by_eight[eight] == 0:
            continue
        for t in range(8 * eight, 8 * eight + 8):
            if chosen.mark[t] > 0:
                found[n_found] = t
                n_found += 1
    return n_found


@inline_kernel
def _close_marks(marks, n_given):
    """Clear what is left of the last eight; return the number of eights."""
    n_eights = (n_given + 7) // 8
    for t in range(n_given, 8 * n_eights):
        marks[t] = 0
    return n_eights


@inline_kernel
def select(squares, weights, n_given, rank):
    """The square of that rank, where each counts by its weight; the arrays are reordered.

    What is less than a pivot goes to the front, what is greater to the back.
    """
    begin = 0
    stop = n_given
    while True:
        a, b, c = squares[begin], squares[(begin + stop) // 2], squares[stop - 1]
        pivot = max(min(a, b), min(max(a, b), c))
        low = begin
        place = begin
        high = stop
        n_less = 0
        n_equal = 0
        while place < high:
            square = squares[place]
            weight = weights[place]
            if square < pivot:
                n_less += weight
                squares[place] = squares[low]
                weights[place] = weights[low]
                squares[low] = square
                weights[low] = weight
                low += 1
                place += 1
            elif square > pivot:
                high -= 1
                squares[place] = squares[high]
                weights[place] = weights[high]
                squares[high] = square
                weights[high] = weight
            else:
                n_equal += weight
                place += 1
        if rank < n_less:
            stop = low
        elif rank < n_less + n_equal:
            return pivot
        else:
            rank -= n_less + n_equal
            begin = high
