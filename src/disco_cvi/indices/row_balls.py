"""Balls that hold a given number of rows, copies counted, without a list of these rows.

Where a point has very many copies, the nearest rows of every point would be a list as long as that.
Here a ball is told by its last row, and who is in it is asked for point by point: linear memory.
"""

from __future__ import annotations

import math
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.ranked_squares import (
    Chosen,
    Others,
    choose_between,
    count_below,
    fill_squares,
    list_equal,
    room_for_others,
    room_to_choose,
)
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.nearest_points import Copies

POINTS_PER_CALL = 128
# A reach is raised by this much: more than it can err by rounding, and squares by underflow.
_MORE = 1.0 + 1e-12
_TINY = 1e-300
# A ball is first looked for in one that is a little larger than that of the point before, unless
# the one that surely holds it is not much larger.
_LITTLE_MORE, _MUCH_MORE = 1.2, 1.3
# The points of so small a node are looked at all at once, however few of them are near.
_FEW = 128


class Balls(NamedTuple):
    """One ball around every distinct point; the point and its copies are in it.

    It holds all rows nearer than the square of its last row, and those as near up to that row.
    """

    squares: FloatArray
    rows: NDArray[np.int32]
    n_nearer: NDArray[np.int32]


def room_for_balls(n_points: int) -> Balls:
    """Return arrays for so many balls."""
    rows, n_nearer = np.empty((2, n_points), np.int32)
    return Balls(np.empty(n_points), rows, n_nearer)


class Votes(NamedTuple):
    """Votes for all rows of a point, and changes from row to row, point after point."""

    whole: NDArray[np.int64]
    changes: NDArray[np.int64]


class Room(NamedTuple):
    """Where a search puts the points that it lists, their squared distances and their rows.

    `columns`: the points of the tree, coordinate by coordinate.
    """

    square: FloatArray
    weight: NDArray[np.int64]
    found: NDArray[np.int32]
    waiting: NDArray[np.int32]
    begins: NDArray[np.int32]
    stops: NDArray[np.int32]
    some: NDArray[np.int32]
    columns: Others
    chosen: Chosen


def find_balls(
    tree: KDTree, listed: Copies, n_rows: int, n_jobs: int, known: Balls | None = None
) -> tuple[Balls, NDArray[np.int64]]:
    """The balls of the `n_rows` nearest rows; of equally near ones the smaller row first.

    Balls of other sizes that are known tell where to look for these. Also return the votes of rows,
    point after point: in how many balls of other rows they are.
    """
    n_points = len(tree.points)
    sizes = np.ones(n_points) if known is None else known.squares
    balls = room_for_balls(n_points)
    columns, votes, adding = by_columns(tree), _no_votes(listed), Lock()
    around = tree, listed, n_rows, sizes

    def find(begin: int, stop: int) -> None:
        given = _no_votes(listed)
        _find_balls(around, (begin, stop), balls, given, make_room(columns))
        with adding:
            np.add(votes.whole, given.whole, out=votes.whole)
            np.add(votes.changes, given.changes, out=votes.changes)

    for_ranges(find, n_points, POINTS_PER_CALL, n_jobs, "Nearest points")
    return balls, np.repeat(votes.whole, tree.multiplicity) + np.cumsum(votes.changes[:-1]) - 1


def _no_votes(listed: Copies) -> Votes:
    return Votes(
        np.zeros(len(listed.starts) - 1, np.int64), np.zeros(len(listed.rows) + 1, np.int64)
    )


def by_columns(tree: KDTree) -> FloatArray:
    """Return the points coordinate by coordinate."""
    return np.ascontiguousarray(tree.points.T)


def make_room(columns: FloatArray) -> Room:
    """Room for all distinct points."""
    dimension, n_points = columns.shape
    found, some, begins, stops = np.empty((4, n_points), np.int32)
    return Room(
        np.empty(n_points),
        np.empty(n_points, np.int64),
        found,
        np.empty(STACK_SIZE, np.int32),
        begins,
        stops,
        some,
        room_for_others(n_points, dimension)._replace(coordinate=columns),
        room_to_choose(n_points),
    )


@inline_kernel
def gather(tree, i, limit, room):
    """List all points within a squared distance of point i, and others; return how many these are.

    To leave the others out takes longer than to look at them again.
    """
    n_listed = 0
    for r in range(find_ranges(tree, i, limit, room)):
        begin, stop = room.begins[r], room.stops[r]
        end = n_listed + stop - begin
        fill_squares(room.columns, begin, stop, tree.points, i, room.square[n_listed:end])
        weights, found = room.weight[n_listed:end], room.found[n_listed:end]
        multiplicity = tree.multiplicity[begin:stop]
        for t in range(multiplicity.shape[0]):
            weights[t] = multiplicity[t]
        for t in range(found.shape[0]):
            found[t] = begin + t
        n_listed = end
    return n_listed


@inline_kernel
def find_ranges(tree, i, limit, room):
    """List ranges of points that hold all within a squared distance of point i, and others.

    Nodes beside each other make one range: the longer it is, the more points are looked at at once.
    Return how many there are.
    """
    waiting = room.waiting
    waiting[0] = 0
    n_waiting = 1
    n_ranges = 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) > limit:
            continue
        if tree.right[node] > 0 and tree.end[node] - tree.start[node] > _FEW:
            waiting[n_waiting] = tree.right[node]
            waiting[n_waiting + 1] = node + 1
            n_waiting += 2
            continue
        if n_ranges > 0 and tree.start[node] == room.stops[n_ranges - 1]:
            room.stops[n_ranges - 1] = tree.end[node]
            continue
        room.begins[n_ranges] = tree.start[node]
        room.stops[n_ranges] = tree.end[node]
        n_ranges += 1
    return n_ranges


@inline_kernel
def gather_rows(tree, i, bounds, n_rows, room):
    """List points among which are the nearest `n_rows` rows, by what `bounds_beside` tells.

    Return how many these are, up to what squared distance they are all that there are, and how many
    rows are nearer than that.
    """
    _, guess, enough = bounds
    limit = guess * _LITTLE_MORE if guess * _MUCH_MORE < enough else enough
    n_listed = gather(tree, i, limit, room)
    n_nearer = count_below(room.square, room.weight, n_listed, limit)
    if limit < enough and n_nearer < n_rows:
        limit = enough
        n_listed = gather(tree, i, limit, room)
        n_nearer = count_below(room.square, room.weight, n_listed, limit)
    return n_listed, limit, n_nearer


@inline_kernel
def bounds_beside(tree, i, known, squares):
    """Up to what a point has not all its rows, may have and surely has, by the point before it.

    That point's square may be known for fewer rows or more, and that of this point is then about
    as many times the one that is known.
    """
    before = squares[i - 1]
    step = math.sqrt(squared_distance(tree.points, i - 1, i))
    least = max(math.sqrt(before) - step * _MORE, 0.0) / _MORE
    reach = (math.sqrt(before) + step) * _MORE
    ratio = before / known[i - 1] if known[i - 1] > 0.0 else 1.0
    return least * least, known[i] * ratio, reach * reach + _TINY


@inline_kernel
def find_last(n_listed, n_rows, least, limit, room):
    """The squared distance of the n-th of the rows found within a limit; how many are nearer.

    It is known to be at least so far.
    """
    return choose_between(room, n_listed, n_rows - 1, least, beyond(limit), room.chosen)


@inline_kernel
def beyond(limit):
    """A little more than a squared distance."""
    return limit * _MORE + _TINY


@inline_kernel
def find_ball(tree, listed, i, limit, n_rows, room):
    """The last row of the ball of so many rows, in another ball that holds it; how far it is."""
    n_listed = gather(tree, i, limit, room)
    last, n_nearer = find_last(n_listed, n_rows, 0.0, limit, room)
    return last, find_last_row(listed, n_listed, last, n_rows - n_nearer, room)


@inline_kernel
def n_rows_up_to(listed, j, row):
    """How many rows of point j are not above a row."""
    low, high = listed.starts[j], listed.starts[j + 1]
    while low < high:
        middle = (low + high) >> 1
        if listed.rows[middle] <= row:
            low = middle + 1
        else:
            high = middle
    return low - listed.starts[j]


@inline_kernel
def find_last_row(listed, n_listed, square, n_rows, room):
    """The n-th row of those at just this squared distance."""
    return _row_of_some(listed, _list_some(n_listed, square, room), n_rows, room)


@inline_kernel
def _list_some(n_listed, square, room):
    """List the points at just this squared distance; return how many there are."""
    size = list_equal(room.square, n_listed, square, room.chosen, room.some)
    for t in range(size):
        room.some[t] = room.found[room.some[t]]
    return size


@inline_kernel
def _row_of_some(listed, size, n_rows, room):
    """The n-th row of those of the points in the list."""
    if size == 1:
        return listed.rows[listed.starts[room.some[0]] + n_rows - 1]
    low, high = 0, listed.rows.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        n_up_to = 0
        for t in range(size):
            n_up_to += n_rows_up_to(listed, room.some[t], middle)
        if n_up_to < n_rows:
            low = middle + 1
        else:
            high = middle
    return np.int32(low)


@kernel
def _find_balls(around, place, balls, votes, room):
    """Fill the balls of some points, and let their rows vote for those in them."""
    tree, listed, n_rows, known = around
    begin, stop = place
    bounds = 0.0, np.inf, np.inf
    for i in range(begin, stop):
        if i > begin:
            bounds = bounds_beside(tree, i, known, balls.squares)
        n_listed, limit, _ = gather_rows(tree, i, bounds, n_rows, room)
        last, n_nearer = find_last(n_listed, n_rows, bounds[0], limit, room)
        n_last = _list_some(n_listed, last, room)
        last_row = _row_of_some(listed, n_last, n_rows - n_nearer, room)
        balls.squares[i] = last
        balls.rows[i] = last_row
        balls.n_nearer[i] = n_nearer
        weight = tree.multiplicity[i]
        _vote(votes.whole, weight, last, n_listed, room)
        for t in range(n_last):
            first = listed.starts[room.some[t]]
            votes.changes[first] += weight
            votes.changes[first + n_rows_up_to(listed, room.some[t], last_row)] -= weight


@inline_kernel
def _vote(votes, weight, last, n_listed, room):
    """Let rows of a point vote for all nearer ones, range by range as they were listed."""
    end = 0
    r = 0
    while end < n_listed:
        given = votes[room.begins[r] : room.stops[r]]
        squares = room.square[end : end + given.shape[0]]
        for t in range(squares.shape[0]):
            given[t] += weight if squares[t] < last else 0
        end += given.shape[0]
        r += 1


@inline_kernel
def add_roots(n_listed, last, n_last, room):
    """Add up the distances of the nearest rows, in any order; `n_last` of them are the last."""
    lengths = room.columns.spread
    for t in range(n_listed):
        length = room.weight[t] * math.sqrt(room.square[t])
        lengths[t] = length if room.square[t] < last else 0.0
    return add_up(lengths, n_listed) + n_last * math.sqrt(last)


@inline_kernel
def add_up(lengths, n_lengths):
    """Add by fours: none of the four sums waits for the others."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = n_lengths - n_lengths % 4
    for t in range(0, whole, 4):
        first += lengths[t]
        second += lengths[t + 1]
        third += lengths[t + 2]
        fourth += lengths[t + 3]
    for t in range(whole, n_lengths):
        first += lengths[t]
    return first + second + third + fourth
