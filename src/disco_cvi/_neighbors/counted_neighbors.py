"""Core distances with many min_points: neighbors are counted by nodes, not listed one by one.

The core distances of two points differ by no more than their distance: the ball of the one lies in
a ball of the other that is larger by so much. Points in tree order are near each other, so the core
distance of the one before leaves a narrow interval. Nodes nearer than it are counted as a whole,
nodes beyond it left out; only points in between are looked at, and one of them is the neighbor
that was asked for. With k neighbors in d dimensions these are about k^(1 - 1/d), where a list would
hold k. Distances are squared.
"""

from __future__ import annotations

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

# What is compared with a bound is enlarged by more than rounding can do.
_MORE = 1.0 + 1e-12
_FEWEST_PER_RANGE = 64


class Between(NamedTuple):
    """Squared distances to points of the interval, and how many rows each of these stands for."""

    square: FloatArray
    weight: NDArray[np.int64]


def count_neighbors(tree: KDTree, min_points: int, n_jobs: int) -> FloatArray:
    """Return the squared core distance of every point, which needs no list of its neighbors.

    The first point of a range looks at all others; so ranges are long enough that this is little
    beside what the others do, and short enough to answer Ctrl-C.
    """
    n_points = len(tree.points)
    core = np.empty(n_points)
    before = np.zeros(n_points + 1, np.int64)
    np.cumsum(tree.multiplicity, out=before[1:])

    def count(begin: int, stop: int) -> None:
        _count(tree, before, min_points, begin, stop, core)

    size = max(_FEWEST_PER_RANGE, int(n_points**0.5))
    for_ranges(count, n_points, size, n_jobs, "Core distances")
    return core


@kernel
def _count(tree, before, min_points, begin, stop, core):
    """Fill `core` for points begin to stop - 1; return how many distances were chosen from.

    `before` counts the rows before each point.
    """
    n_points = tree.points.shape[0]
    # Memory that nothing is written to is never used.
    between = Between(np.empty(n_points), np.empty(n_points, np.int64))
    waiting = np.empty(STACK_SIZE, np.int32)
    n_collected = 0
    for i in range(begin, stop):
        least = 0.0
        most = np.inf
        if i > begin:
            step = np.sqrt(squared_distance(tree.points, i, i - 1)) * _MORE
            radius = np.sqrt(core[i - 1])
            least = max(radius / _MORE - step, 0.0)
            least = least * least / _MORE
            most = (radius * _MORE + step) * (radius * _MORE + step) * _MORE
        n_between, n_nearer, n_rows = _look_around(tree, before, i, least, most, waiting, between)
        if not n_nearer < min_points <= n_nearer + n_rows:
            # Rounding has led astray, as it may where squares are tiny.
            n_between, n_nearer, _ = _look_around(tree, before, i, 0.0, np.inf, waiting, between)
        n_collected += n_between
        core[i] = _select(between.square, between.weight, n_between, min_points - 1 - n_nearer)
    return n_collected


@inline_kernel
def _look_around(tree, before, i, least, most, waiting, between):
    """Collect points that are no nearer than `least` and no farther than `most`.

    Returns how many they are, how many rows are nearer, and how many rows were collected.
    """
    points, lower, upper = tree.points, tree.lower, tree.upper
    n_nearer = 0
    n_between = 0
    n_rows = 0
    waiting[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if squared_distance_to_box(points, lower, upper, node, i) > most:
            continue
        if _squared_distance_across(points, lower, upper, node, i) * _MORE < least:
            n_nearer += before[tree.end[node]] - before[tree.start[node]]
            continue
        if tree.right[node] > 0:
            waiting[n_waiting] = tree.right[node]
            waiting[n_waiting + 1] = node + 1
            n_waiting += 2
            continue
        for j in range(tree.start[node], tree.end[node]):
            square = squared_distance(points, i, j)
            if square < least:
                n_nearer += tree.multiplicity[j]
            elif square <= most:
                between.square[n_between] = square
                between.weight[n_between] = tree.multiplicity[j]
                n_between += 1
                n_rows += tree.multiplicity[j]
    return n_between, n_nearer, n_rows


@inline_kernel
def _squared_distance_across(points, lower, upper, node, i):
    """Squared distance to the farthest corner of a box."""
    square = 0.0
    for c in range(points.shape[1]):
        x = max(points[i, c] - lower[node, c], upper[node, c] - points[i, c])
        square += x * x
    return square


@inline_kernel
def _select(squares, weights, n_between, rank):
    """The square of that rank, where each counts by its weight; the arrays are reordered.

    What is less than a pivot goes to the front, what is greater to the back.
    """
    begin = 0
    stop = n_between
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
