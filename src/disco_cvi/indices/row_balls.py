"""Balls that hold a given number of rows, copies counted, without a list of these rows.

Where a point has very many copies, the nearest rows of every point would be a list as long as that.
Here a ball is told by its last row, and who is in it is asked for point by point: linear memory.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.nearest_points import Copies

POINTS_PER_CALL = 128
_N_SHELLS = 256
# A reach is raised by this much: more than it can err by rounding, and squares by underflow.
_MORE = 1.0 + 1e-12
_TINY = 1e-300


class Balls(NamedTuple):
    """One ball around every distinct point; the point and its copies are in it.

    It holds all rows nearer than the square of its last row, and those as near up to that row.
    """

    squares: FloatArray
    rows: NDArray[np.int32]


class Room(NamedTuple):
    """Where a search puts the points that it found, and their squared distances."""

    squares: FloatArray
    found: NDArray[np.int32]
    waiting: NDArray[np.int32]
    counts: NDArray[np.int64]
    some_squares: FloatArray
    some: NDArray[np.int32]


def find_balls(tree: KDTree, listed: Copies, n_rows: int, n_jobs: int) -> Balls:
    """The balls of the `n_rows` nearest rows; of equally near ones the smaller row first."""
    n_points = len(tree.points)
    balls = Balls(np.empty(n_points), np.empty(n_points, np.int32))

    def find(begin: int, stop: int) -> None:
        _find_balls(tree, listed, n_rows, (begin, stop), balls, make_room(n_points))

    for_ranges(find, n_points, POINTS_PER_CALL, n_jobs, "Nearest points")
    return balls


@kernel
def make_room(n_points):
    """Room for all distinct points."""
    squares, numbers = np.empty((2, n_points)), np.empty((2, n_points), np.int32)
    waiting, counts = np.empty(STACK_SIZE, np.int32), np.empty(_N_SHELLS, np.int64)
    return Room(squares[0], numbers[0], waiting, counts, squares[1], numbers[1])


@inline_kernel
def gather(tree, i, limit, room):
    """Find the points within a squared distance of point i; return how many there are."""
    squares, found, waiting = room.squares, room.found, room.waiting
    waiting[0] = 0
    n_waiting = 1
    n_found = 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) > limit:
            continue
        if _squared_distance_to_corner(tree, node, i) * _MORE <= limit:
            for j in range(tree.start[node], tree.end[node]):
                squares[n_found] = squared_distance(tree.points, i, j)
                found[n_found] = j
                n_found += 1
            continue
        if tree.right[node] > 0:
            waiting[n_waiting] = node + 1
            waiting[n_waiting + 1] = tree.right[node]
            n_waiting += 2
            continue
        for j in range(tree.start[node], tree.end[node]):
            square = squared_distance(tree.points, i, j)
            if square <= limit:
                squares[n_found] = square
                found[n_found] = j
                n_found += 1
    return n_found


@inline_kernel
def _squared_distance_to_corner(tree, node, i):
    """Squared distance from point i to the farthest corner of a node."""
    square = 0.0
    for c in range(tree.points.shape[1]):
        x = tree.points[i, c]
        side = max(x - tree.lower[node, c], tree.upper[node, c] - x)
        square += side * side
    return square


@inline_kernel
def limit_beside(points, i, square):
    """Within which point i has as many rows as the point before it within a squared distance."""
    reach = (math.sqrt(square) + math.sqrt(squared_distance(points, i - 1, i))) * _MORE
    return reach * reach + _TINY


@inline_kernel
def find_last(multiplicity, n_found, n_rows, room):
    """The squared distance of the n-th of the rows found, and how many rows are nearer.

    Points are counted in shells first, then those of one shell are divided until it is found.
    """
    squares, some_squares, some = room.squares, room.some_squares, room.some
    largest = 0.0
    for t in range(n_found):
        largest = max(largest, squares[t])
    # Where this would overflow there is one shell.
    scale = (_N_SHELLS - 1) / largest if largest > _TINY else 0.0
    for shell in range(_N_SHELLS):
        room.counts[shell] = 0
    for t in range(n_found):
        room.counts[int(scale * squares[t])] += multiplicity[room.found[t]]
    shell = 0
    before = 0
    while before + room.counts[shell] < n_rows:
        before += room.counts[shell]
        shell += 1
    size = 0
    for t in range(n_found):
        if int(scale * squares[t]) == shell:
            some_squares[size] = squares[t]
            some[size] = multiplicity[room.found[t]]
            size += 1
    return _divide(some_squares, some, size, before, n_rows)


@inline_kernel
def _divide(squares, weights, size, before, n_rows):
    """The square at which n rows are reached, if `before` are nearer than all of these."""
    low, high = 0, size
    while True:
        pivot = squares[(low + high) >> 1]
        less, more, t = low, high, low
        n_less, n_equal = 0, 0
        while t < more:
            square, weight = squares[t], weights[t]
            if square < pivot:
                squares[t], weights[t] = squares[less], weights[less]
                squares[less], weights[less] = square, weight
                n_less += weight
                less += 1
                t += 1
            elif square > pivot:
                more -= 1
                squares[t], weights[t] = squares[more], weights[more]
                squares[more], weights[more] = square, weight
            else:
                n_equal += weight
                t += 1
        if n_rows <= before + n_less:
            high = less
        elif n_rows <= before + n_less + n_equal:
            return pivot, before + n_less
        else:
            before += n_less + n_equal
            low = more


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
    size = 0
    for t in range(n_found):
        if room.squares[t] == square:
            room.some[size] = room.found[t]
            size += 1
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
def _find_balls(tree, listed, n_rows, place, balls, room):
    begin, stop = place
    limit = np.inf
    for i in range(begin, stop):
        if i > begin:
            limit = limit_beside(tree.points, i, balls.squares[i - 1])
        n_found = gather(tree, i, limit, room)
        square, before = find_last(tree.multiplicity, n_found, n_rows, room)
        balls.squares[i] = square
        balls.rows[i] = find_last_row(listed, n_found, square, n_rows - before, room)
