"""Whether LCCV has few local cores, without the densities of all points.

Only a peak can be a local core: a point with no denser one in its ball. Where a large part of the
points are copies of one, balls are large, and most points have one in theirs that is much denser.
To see that, bounds of densities are enough. They come from cells, some points beside each other:
the distances to these add up to no less than as many times that to their mean, and to no more than
as many times the root of their mean square. And for any number r, the n least distances add up to
no less than n r, less what each of all distances is below r: the best r is about the n-th distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.ranked_squares import (
    choose_between,
    count_below,
    fill_squares,
    list_equal,
    room_for_others,
    room_to_choose,
)
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.counted_neighbors import nodes_up_to, squared_distance_across
from disco_cvi._neighbors.kd_tree import KDTree, squared_distance, squared_distance_to_box
from disco_cvi.indices.lccv_sums import Asked, Sums, find_sum, least_of_nodes
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    add_up,
    beyond,
    by_columns,
    gather,
    make_room,
)

# A cell holds so many points at most, or more so that there are not too many cells; a point with as
# many copies is a cell by itself.
_CELL_SIZE = 16
_MANY_CELLS = 512
# Bounds are moved by such a part of n r, which is more than rounding can do; sums that differ by
# less are as good as equal.
_DOUBT = 1e-9
_MORE = 1.0 + 1e-12


class Cells(NamedTuple):
    """Means of points, coordinate by coordinate, how many rows they have and how far they are.

    `variance` is the mean squared distance of the rows to the mean, `radius` the largest distance.
    """

    means: FloatArray
    weight: NDArray[np.int64]
    variance: FloatArray
    radius: FloatArray


def find_few_peaks(asked: Asked, sums: Sums, most: int, n_jobs: int) -> NDArray[np.int64] | None:
    """Find all peaks, if they are fewer than `most` and no two sums are as good as equal.

    The sums are bounded, and some of them made.
    """
    _bound_sums(asked, sums, n_jobs)
    least = least_of_nodes(asked.tree, sums.high)
    peaks, n_peaks = np.empty(most, np.int64), 0
    rooms = make_room(by_columns(asked.tree)), make_room(by_columns(asked.tree))
    # The densest come first: what is known of them tells of most others.
    order = np.argsort(sums.low)
    for begin in range(0, len(order), POINTS_PER_CALL):
        which = order[begin : begin + POINTS_PER_CALL]
        n_peaks = _find_few_peaks(asked, (sums, least), which, peaks, n_peaks, rooms)
        if n_peaks == most:
            return None
    return peaks[:n_peaks]


def _bound_sums(asked: Asked, sums: Sums, n_jobs: int) -> None:
    cells = _make_cells(asked.tree)
    dimension, n_cells = cells.means.shape

    def bound(begin: int, stop: int) -> None:
        others = room_for_others(n_cells, dimension)
        others = others._replace(coordinate=cells.means, weight=cells.weight)
        _fill_bounds(asked, cells, (begin, stop), sums, others, room_to_choose(n_cells))

    for_ranges(bound, len(sums.low), POINTS_PER_CALL, n_jobs, "Bounds of densities")


def _make_cells(tree: KDTree) -> Cells:
    """The largest nodes of few points; points with many copies stand alone."""
    size = max(_CELL_SIZE, len(tree.points) // _MANY_CELLS)
    nodes = nodes_up_to(tree, size)
    names = np.repeat(np.arange(len(nodes)), tree.end[nodes] - tree.start[nodes])
    alone = np.flatnonzero(tree.multiplicity > size)
    names[alone] = len(nodes) + np.arange(len(alone))
    _, names = np.unique(names, return_inverse=True)
    weight = np.bincount(names, tree.multiplicity).astype(np.int64)
    share = tree.multiplicity / weight[names]
    means = np.array([np.bincount(names, share * column) for column in tree.points.T])
    square = ((tree.points - means.T[names]) ** 2).sum(axis=1)
    radius = np.zeros(len(weight))
    np.maximum.at(radius, names, np.sqrt(square))
    variance = np.asarray(np.bincount(names, share * square), np.float64)
    return Cells(means, weight, variance, radius * _MORE)


@kernel
def _fill_bounds(asked, cells, which, sums, others, chosen):
    """Bound the sums of distances to the nearest rows of some points."""
    tree, n_rows = asked.tree, asked.n_rows
    begin, stop = which
    n_cells = cells.weight.shape[0]
    squares, weights = others.square, cells.weight
    below, above = others.inverse, others.spread
    found = np.empty(n_cells, np.int32)
    for i in range(begin, stop):
        fill_squares(others, 0, n_cells, tree.points, i, squares)
        farthest = squared_distance_across(tree.points, tree.lower, tree.upper, 0, i)
        last, n_nearer = choose_between(others, n_cells, n_rows - 1, 0.0, beyond(farthest), chosen)
        reach = np.sqrt(last)
        for t in range(n_cells):
            less = reach - np.sqrt(squares[t])
            half = 0.5 * (less + cells.radius[t])
            below[t] = weights[t] * max(less, half, 0.0)
        for t in range(n_cells):
            root = weights[t] * np.sqrt(squares[t] + cells.variance[t])
            above[t] = root if squares[t] < last else 0.0
        radius = 0.0
        for t in range(list_equal(squares, n_cells, last, chosen, found)):
            radius = max(radius, cells.radius[found[t]])
        doubt = _DOUBT * n_rows * (reach + radius)
        sums.low[i] = n_rows * reach - add_up(below, n_cells) - doubt
        sums.high[i] = add_up(above, n_cells) + (n_rows - n_nearer) * (reach + radius) + doubt
        sums.last[i] = last


@kernel
def _find_few_peaks(asked, known, which, peaks, n_peaks, rooms):
    """Add the peaks among some points; where it is in doubt whether one is, there are too many."""
    for i in which:
        if _is_surely_below(asked, known, i, rooms[0]):
            continue
        is_peak, is_in_doubt = _look_for_denser(asked, known, i, rooms)
        if is_in_doubt:
            return peaks.shape[0]
        if is_peak:
            peaks[n_peaks] = i
            n_peaks += 1
            if n_peaks == peaks.shape[0]:
                break
    return n_peaks


@inline_kernel
def _is_surely_below(asked, known, i, room):
    """Whether the nearest point that is surely denser is surely in the ball of point i."""
    nearest = _find_surely_denser(asked.tree, known, i, room.waiting)
    if nearest == np.inf:
        return False
    if asked.sizes[i] >= asked.n_known and nearest < asked.balls.squares[i]:
        return True
    n_listed = gather(asked.tree, i, nearest, room)
    return count_below(room.square, room.weight, n_listed, beyond(nearest)) <= asked.sizes[i]


@inline_kernel
def _find_surely_denser(tree, known, i, waiting):
    """The squared distance of the nearest point whose sum is surely less; infinite if none is."""
    sums, least = known
    nearest = np.inf
    waiting[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if least[node] >= sums.low[i]:
            continue
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) >= nearest:
            continue
        if tree.right[node] > 0:
            left, right = node + 1, tree.right[node]
            # The side of the point itself is looked at first.
            is_left = i < tree.start[right]
            waiting[n_waiting] = right if is_left else left
            waiting[n_waiting + 1] = left if is_left else right
            n_waiting += 2
            continue
        for j in range(tree.start[node], tree.end[node]):
            if sums.high[j] < sums.low[i]:
                nearest = min(nearest, squared_distance(tree.points, i, j))
    return nearest


@inline_kernel
def _look_for_denser(asked, known, i, rooms):
    """Whether no sum in the ball of point i is less, by the sums themselves; whether in doubt."""
    tree, listed, sums = asked.tree, asked.listed, known[0]
    near, room = rooms
    _know_sum(asked, known, i, room)
    last, last_row = sums.balls.squares[i], sums.balls.rows[i]
    n_listed = gather(tree, i, last, near)
    doubt = _DOUBT * sums.low[i]
    while True:
        # The best of those that may have a lesser one, or one that is as good as equal.
        lowest = sums.low[i] + doubt
        best = -1
        for t in range(n_listed):
            j, square = near.found[t], near.square[t]
            if sums.low[j] >= lowest or square > last or j == i:
                continue
            if square < last or listed.rows[listed.starts[j]] <= last_row:
                best = j
                lowest = sums.low[j]
        if best < 0 or sums.low[best] == sums.high[best]:
            is_peak = best < 0
            return is_peak, not is_peak and lowest > sums.low[i] - doubt
        _know_sum(asked, known, best, room)


@inline_kernel
def _know_sum(asked, known, i, room):
    """Make a sum if there are only bounds of it, and tell the nodes above."""
    sums, least = known
    if sums.low[i] < sums.high[i]:
        find_sum(asked, sums, i, (0.0, sums.last[i], np.inf), room)
        node = asked.tree.leaf[i]
        while sums.high[i] < least[node]:
            least[node] = sums.high[i]
            node = asked.tree.parent[node]
