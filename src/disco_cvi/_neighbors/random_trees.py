"""Trees of random cuts, and points in an order of their own, which is that of such a tree.

Projections are added up in a fixed order, and random numbers are made from a counter: a seed gives
the same tree on any machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._input.clustering import canonical_order

_NEAR_IN_MEMORY = 64


class Distinct(NamedTuple):
    """Distinct points in an order of their own, which does not depend on that of the rows.

    Point i stands for ``multiplicity[i]`` rows of the input; `rows` lists them, point after point.
    """

    points: NDArray[np.float64]
    rows: NDArray[np.int32]
    multiplicity: NDArray[np.int32]


def collapse_copies(points: NDArray[np.float64]) -> Distinct:
    """Put identical points together, all in an order that only their coordinates decide."""
    keys = np.empty(len(points))
    _row_keys(points, keys)
    rows = np.argsort(keys, kind="stable")
    # Rows of one key are copies, or else are told apart by their coordinates.
    is_shared = np.zeros(len(rows), bool)
    is_shared[1:] = keys[rows[1:]] == keys[rows[:-1]]
    is_shared[:-1] |= is_shared[1:]
    shared = rows[is_shared]
    if len(shared):
        shared = shared[canonical_order(points[shared] + 0.0)]  # -0.0 is 0.0
        rows[is_shared] = shared[np.argsort(keys[shared], kind="stable")]
    is_first = np.ones(len(points), bool)
    _mark_first(points, rows, is_first)
    starts = np.flatnonzero(is_first)
    multiplicity = np.diff(np.append(starts, len(points)))
    # Near points stand near in memory: the order of the leaves of a tree.
    order = np.arange(len(starts), dtype=np.int32)
    ends = np.empty(len(order) + 1, np.int32)
    grow_leaves(points, rows[starts], 0, _NEAR_IN_MEMORY, order, ends)
    distinct = points[rows[starts[order]]]
    copies = multiplicity[order]
    places = np.repeat(starts[order] - (np.cumsum(copies) - copies), copies)
    rows = rows[places + np.arange(len(points))]
    return Distinct(distinct, rows.astype(np.int32), copies.astype(np.int32))


@kernel
def _row_keys(points, keys):
    """The place of each row along one line: the same for copies."""
    line = np.empty(points.shape[1])
    for c in range(line.shape[0]):
        line[c] = 1.0 + random_number(0, c, 1 << 30) * 2.0**-30
    for i in range(keys.shape[0]):
        keys[i] = project(points, i, line)


@kernel
def _mark_first(points, rows, is_first):
    """Whether each point, in the order given, differs from the one before it."""
    for place in range(rows.shape[0]):
        differs = place == 0
        if not differs:
            for c in range(points.shape[1]):
                if points[rows[place], c] != points[rows[place - 1], c]:
                    differs = True
                    break
        is_first[place] = differs


@inline_kernel
def random_number(seed, counter, below):
    """A number from 0 to below - 1, made of two others: 32 bits in 64, so none overflows."""
    x = np.int64(seed) * 0x9E3779B1 + np.int64(counter) * 0x85EBCA6B + 0x165667B1
    x = x & 0xFFFFFFFF
    for _ in range(3):
        x = ((x ^ (x >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    return (x ^ (x >> 16)) % below


@kernel
def grow_leaves(points, rows, seed, leaf_size, order, starts):
    """Cut the points until no leaf is larger; return how many leaves there are.

    Point i is ``points[rows[i]]``. Leaf v holds the points ``order[starts[v]]`` to
    ``order[starts[v + 1] - 1]``.
    """
    n_points, dimension = rows.shape[0], points.shape[1]
    line = np.empty(dimension)
    along = np.empty(n_points)
    waiting = np.empty((64, 2), np.int32)
    waiting[0, 0] = 0
    waiting[0, 1] = n_points
    n_waiting = 1
    n_leaves = 0
    while n_waiting > 0:
        n_waiting -= 1
        begin = waiting[n_waiting, 0]
        end = waiting[n_waiting, 1]
        if end - begin <= leaf_size:
            starts[n_leaves] = begin
            n_leaves += 1
            continue
        first = random_number(seed, 2 * begin + 2 * end, end - begin)
        second = random_number(seed, 2 * begin + 2 * end + 1, end - begin - 1)
        if second >= first:
            second += 1
        one = rows[order[begin + first]]
        other = rows[order[begin + second]]
        for c in range(dimension):
            line[c] = points[one, c] - points[other, c]
        for place in range(begin, end):
            along[place] = project(points, rows[order[place]], line)
        middle = begin + (end - begin) // 2
        _part(along, order, begin, end, middle)
        waiting[n_waiting, 0] = middle
        waiting[n_waiting, 1] = end
        waiting[n_waiting + 1, 0] = begin
        waiting[n_waiting + 1, 1] = middle
        n_waiting += 2
    starts[n_leaves] = n_points
    return n_leaves


@inline_kernel
def project(points, i, line):
    """The product of a point and a line, in four sums that are always added in one order."""
    dimension = line.shape[0]
    whole = dimension - dimension % 4
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    for c in range(0, whole, 4):
        first += points[i, c] * line[c]
        second += points[i, c + 1] * line[c + 1]
        third += points[i, c + 2] * line[c + 2]
        fourth += points[i, c + 3] * line[c + 3]
    for c in range(whole, dimension):
        first += points[i, c] * line[c]
    return (first + second) + (third + fourth)


@kernel
def _part(along, order, begin, end, middle):
    """Move the smallest before `middle`: by place along the line, then by number, so all differ."""
    low = begin
    high = end - 1
    while low < high:
        pivot = along[(low + high) // 2]
        pivot_number = order[(low + high) // 2]
        a = low
        b = high
        while a <= b:
            while along[a] < pivot or (along[a] == pivot and order[a] < pivot_number):
                a += 1
            while along[b] > pivot or (along[b] == pivot and order[b] > pivot_number):
                b -= 1
            if a <= b:
                along[a], along[b] = along[b], along[a]
                order[a], order[b] = order[b], order[a]
                a += 1
                b -= 1
        if middle <= b:
            high = b
        elif middle >= a:
            low = a
        else:
            return
