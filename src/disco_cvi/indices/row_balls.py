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
    fill_squares,
    list_up_to,
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


class Votes(NamedTuple):
    """Votes for all rows of a point, and changes from row to row, point after point."""

    whole: NDArray[np.int64]
    changes: NDArray[np.int64]


class Room(NamedTuple):
    """Where a search puts the points that it found, their squared distances and their rows.

    `all_points`: the points of the tree, coordinate by coordinate.
    """

    square: FloatArray
    weight: NDArray[np.int64]
    found: NDArray[np.int32]
    waiting: NDArray[np.int32]
    some: NDArray[np.int32]
    all_points: Others
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
    balls = Balls(np.empty(n_points), np.empty(n_points, np.int32))
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
    found, some = np.empty((2, n_points), np.int32)
    return Room(
        np.empty(n_points),
        np.empty(n_points, np.int64),
        found,
        np.empty(STACK_SIZE, np.int32),
        some,
        room_for_others(n_points, dimension)._replace(coordinate=columns),
        room_to_choose(n_points),
    )


@inline_kernel
def gather(tree, i, limit, room):
    """Find the points within a squared distance of point i; return how many there are.

    Nodes beside each other make one range: the longer it is, the more points are looked at at once.
    """
    waiting = room.waiting
    waiting[0] = 0
    n_waiting = 1
    n_found = 0
    begin, stop = 0, 0
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
        if tree.start[node] > stop:
            n_found = _look_at(tree, i, limit, (begin, stop), room, n_found)
            begin = tree.start[node]
        stop = tree.end[node]
    n_found = _look_at(tree, i, limit, (begin, stop), room, n_found)
    for t in range(n_found):
        room.square[t] = room.all_points.square[room.found[t]]
        room.weight[t] = tree.multiplicity[room.found[t]]
    return n_found


@inline_kernel
def _look_at(tree, i, limit, place, room, n_found):
    begin, stop = place
    fill_squares(room.all_points, begin, stop, tree.points, i)
    return list_up_to(room.all_points, begin, stop, limit, room.found, n_found)


@inline_kernel
def gather_rows(tree, i, bounds, n_rows, room):
    """Find points that have `n_rows` rows or more, by what `bounds_beside` tells.

    Return how many these are, the squared distance of the n-th row, and how many rows are nearer.
    """
    least, guess, enough = bounds
    limit = guess * _LITTLE_MORE if guess * _MUCH_MORE < enough else enough
    n_found = gather(tree, i, limit, room)
    if limit < enough and count_rows(n_found, room) < n_rows:
        limit = enough
        n_found = gather(tree, i, limit, room)
    last, n_nearer = find_last(n_found, n_rows, least, limit, room)
    return n_found, last, n_nearer


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
def count_rows(n_found, room):
    """How many rows the points have that were found."""
    n_rows = 0
    for t in range(n_found):
        n_rows += room.weight[t]
    return n_rows


@inline_kernel
def find_last(n_found, n_rows, least, limit, room):
    """The squared distance of the n-th of the rows found within a limit; how many are nearer.

    It is known to be at least so far.
    """
    beyond = limit * _MORE + _TINY
    return choose_between(room, n_found, n_rows - 1, least, beyond, room.chosen)


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
def find_last_row(listed, n_found, square, n_rows, room):
    """The n-th row of those at just this squared distance."""
    return _row_of_some(listed, _list_some(n_found, square, room), n_rows, room)


@inline_kernel
def _list_some(n_found, square, room):
    """List the points at just this squared distance; return how many there are."""
    size = 0
    for t in range(n_found):
        if room.square[t] == square:
            room.some[size] = room.found[t]
            size += 1
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
        n_found, last, n_nearer = gather_rows(tree, i, bounds, n_rows, room)
        n_last = _list_some(n_found, last, room)
        last_row = _row_of_some(listed, n_last, n_rows - n_nearer, room)
        balls.squares[i] = last
        balls.rows[i] = last_row
        weight = tree.multiplicity[i]
        for t in range(n_found):
            votes.whole[room.found[t]] += weight if room.square[t] < last else 0
        for t in range(n_last):
            first = listed.starts[room.some[t]]
            votes.changes[first] += weight
            votes.changes[first + n_rows_up_to(listed, room.some[t], last_row)] -= weight
