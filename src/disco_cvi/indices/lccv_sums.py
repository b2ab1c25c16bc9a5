"""Sums of distances to the nearest rows, by which LCCV tells densities, where copies are many."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.ranked_squares import choose_two
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.kd_tree import KDTree
from disco_cvi._neighbors.nearest_points import Copies
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    Balls,
    add_roots,
    beyond,
    bounds_beside,
    by_columns,
    find_last_row,
    gather,
    gather_rows,
    make_room,
    room_for_balls,
)


class Asked(NamedTuple):
    """What sums are asked for: those of the `n_rows` nearest rows, a row itself among them.

    Balls of `n_known` rows are known; those of `sizes` rows are asked for, too.
    """

    tree: KDTree
    listed: Copies
    balls: Balls
    n_known: int
    sizes: NDArray[np.int64]
    n_rows: int


class Sums(NamedTuple):
    """Sums, or bounds of them if `low` is less than `high`; the square of the last distance.

    The balls are known with the sum.
    """

    low: FloatArray
    high: FloatArray
    last: FloatArray
    balls: Balls


def no_sums(n_points: int) -> Sums:
    """Nothing is known as yet."""
    low, high, last = np.zeros(n_points), np.full(n_points, np.inf), np.empty(n_points)
    return Sums(low, high, last, room_for_balls(n_points))


def find_densities(asked: Asked, sums: Sums, n_jobs: int) -> FloatArray:
    """How many nearest other rows there are per unit of distance to them, point by point.

    Only their order is asked for. So sums are made in any order, and only where two are as good as
    equal in that of the definition: from the smallest to the largest.
    """
    n_points, columns = len(sums.low), by_columns(asked.tree)

    def add(begin: int, stop: int) -> None:
        _fill_sums(asked, sums, (begin, stop), make_room(columns))

    for_ranges(add, n_points, POINTS_PER_CALL, n_jobs, "Densities")
    doubtful = _list_doubtful(sums.low, asked.n_rows)

    def add_in_order(begin: int, stop: int) -> None:
        room = make_room(columns)
        for i in doubtful[begin:stop].tolist():
            n_listed = _list_ball(asked.tree, i, sums.last[i], room)
            nearest_first = np.argsort(room.square[:n_listed])
            sums.low[i] = _add_ascending(room, nearest_first, asked.n_rows)

    for_ranges(add_in_order, len(doubtful), POINTS_PER_CALL, n_jobs)
    with np.errstate(divide="ignore"):
        return (asked.n_rows - 1) / sums.low


def _doubt_of(n_rows: int) -> float:
    """More than the part by which two sums of so many lengths can differ by rounding."""
    return 8 * (n_rows + 8) * float(np.finfo(np.float64).eps)


def _list_doubtful(sums: FloatArray, n_rows: int) -> NDArray[np.intp]:
    """List the points whose sum is as good as equal to that of another one."""
    order = np.argsort(sums, kind="stable")
    ascending = sums[order]
    is_near = np.diff(ascending) <= _doubt_of(n_rows) * ascending[1:]
    is_near &= ascending[:-1] > 0
    is_doubtful = np.append(is_near, False) | np.append(False, is_near)
    return np.asarray(order[is_doubtful], np.intp)


def least_of_nodes(tree: KDTree, values: FloatArray) -> FloatArray:
    """Return the least value of the points of each node."""
    least = np.empty(len(tree.start))
    _find_least(tree, values, least)
    return least


@kernel
def _fill_sums(asked, sums, which, room):
    """Make the sums of some points that are not known."""
    begin, stop = which
    bounds = 0.0, np.inf, np.inf
    for i in range(begin, stop):
        if i > begin:
            bounds = bounds_beside(asked.tree, i, asked.balls.squares, sums.last)
        if sums.low[i] < sums.high[i]:
            find_sum(asked, sums, i, bounds, room)


@inline_kernel
def find_sum(asked, sums, i, bounds, room):
    """Add up the distances to the nearest rows of a point, in any order, and find its ball."""
    n_rows, size, balls = asked.n_rows, asked.sizes[i], sums.balls
    n_listed, limit, n_high = gather_rows(asked.tree, i, bounds, n_rows, room)
    low, n_low = asked.balls.squares[i], asked.balls.n_nearer[i]
    high = beyond(limit)
    # Both are beyond the ball that is known, or one of them is in it.
    first = n_rows - 1, low, high, n_low, n_high
    second = size - 1, low, high, n_low, n_high
    if size <= asked.n_known:
        second = size - 1, 0.0, beyond(low), 0, asked.n_known
    (last, n_nearer), own = choose_two(room, n_listed, first, second, room.chosen)
    total = add_roots(n_listed, last, n_rows - n_nearer, room)
    sums.low[i] = total
    sums.high[i] = total
    sums.last[i] = last
    balls.squares[i], balls.n_nearer[i] = own
    balls.rows[i] = find_last_row(asked.listed, n_listed, own[0], size - own[1], room)


@kernel
def _find_least(tree, values, least):
    """Fill the least value of each node; nodes below come after those above."""
    for node in range(tree.start.shape[0] - 1, -1, -1):
        if tree.right[node] > 0:
            least[node] = min(least[node + 1], least[tree.right[node]])
            continue
        least[node] = np.inf
        for i in range(tree.start[node], tree.end[node]):
            least[node] = min(least[node], values[i])


@kernel
def _list_ball(tree, i, limit, room):
    return gather(tree, i, limit, room)


@kernel
def _add_ascending(room, nearest_first, n_rows):
    """The sum of distances in their order, of a point whose nearest are listed."""
    total = 0.0
    n_left = n_rows
    for t in nearest_first:
        for _ in range(min(n_left, room.weight[t])):
            total += math.sqrt(room.square[t])
        n_left = max(n_left - room.weight[t], 0)
    return total
