"""Walks over the line of leaves (see `leaf_order`) that several callers share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_tasks

# So many leaves are walked in one call; of more, parts of about so many are tasks of their own.
_MANY_LEAVES = 1 << 17
_LEAST_TASK = 1 << 14
_MOST_TASKS = 512
# Range maxima: blocks of this many leaves, and maxima over 1, 2, 4, ... blocks.
_BLOCK = 32


Room = TypeVar("Room")


class Leaves(NamedTuple):
    """The labeled line of leaves; codes of clusters, -1 for noise.

    ``first[p]``: the first cluster point from p on. ``change[p]``: the first one after it that is
    of another cluster. ``before[p]``: how many cluster points stand before p.
    """

    codes: NDArray[np.int32]
    joins: NDArray[np.float64]
    ends: NDArray[np.int32]
    first: NDArray[np.int32]
    change: NDArray[np.int32]
    before: NDArray[np.int32]


def label_leaves(
    codes: NDArray[np.int32], joins: NDArray[np.float64], ends: NDArray[np.int32]
) -> Leaves:
    """Find the runs of one cluster; all arrays are in leaf order."""
    first, change, before = (np.empty(len(codes) + 1, np.int32) for _ in range(3))
    _find_runs(codes, first, change, before)
    return Leaves(codes, joins, ends, first, change, before)


def walk_in_tasks(
    walk: Callable[[Room, int, int], NDArray[np.int32]], rooms: list[Room], ends: NDArray[np.int32]
) -> None:
    """Walk all paths, each after the path that it is a part of, in as many threads as rooms.

    ``walk(room, begin, stop)`` walks the paths that begin at these leaves, and returns the parts of
    the last of them that are to be walked. Once a path is walked, its parts do not depend on each
    other: each may be a task for another thread, and short ones side by side are one task.
    """
    n_leaves = len(ends)
    if n_leaves <= _MANY_LEAVES:
        walk(rooms[0], 0, n_leaves)
        return
    size = max(_LEAST_TASK, n_leaves // _MOST_TASKS)
    free = list(rooms)

    def work(task: tuple[int, int]) -> list[tuple[int, int]]:
        begin, stop = task
        room = free.pop()
        try:
            if stop - begin <= size or ends[begin] < stop:
                walk(room, begin, stop)
                return []
            return _tasks(walk(room, begin, begin + 1), ends, size)
        finally:
            free.append(room)

    for_tasks(work, [(0, n_leaves)], len(rooms))


def _tasks(parts: NDArray[np.int32], ends: NDArray[np.int32], size: int) -> list[tuple[int, int]]:
    """Put the parts of a path together to ranges of about so many leaves, the longest first.

    A longer part is a range of its own.
    """
    if len(parts) == 0:
        return []
    stops = ends[parts]
    is_long = stops - parts > size
    is_first = parts // size != np.roll(parts, 1) // size
    is_first |= is_long | np.roll(is_long, 1)
    is_first[0] = True
    begins = parts[is_first].tolist()
    ranges = zip(begins, [*begins[1:], int(stops[-1])], strict=True)
    return sorted(ranges, key=lambda task: task[0] - task[1])


@inline_kernel
def quotient(s, t):
    """(s - t) / max(s, t), and 0 where both are 0.

    Written with one division so that rounding keeps it monotone in both arguments.
    """
    if s > t:
        return 1.0 - t / s
    if t > 0.0:
        return s / t - 1.0
    return 0.0


def quotients(s: NDArray[np.float64], t: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """`quotient` for arrays."""
    larger = np.maximum(s, t)
    both_zero = larger == 0
    larger[both_zero] = 1.0
    result = np.minimum(s, t) / larger
    result -= 1.0
    result[both_zero] = 0.0
    return np.negative(result, out=result, where=s > t)


def are_alone(codes: NDArray[np.int32], sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which points are the only one of their cluster; noise points are not."""
    if not (sizes == 1).any():
        return np.zeros(len(codes), bool)
    return np.asarray((codes >= 0) & (sizes[codes] == 1))


def block_maxima(joins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Maxima of joining heights over runs of 1, 2, 4, ... blocks, one row each."""
    n_blocks = -(-len(joins) // _BLOCK)
    padded = np.zeros(n_blocks * _BLOCK)
    padded[: len(joins)] = joins
    levels = [padded.reshape(n_blocks, _BLOCK).max(axis=1)]
    while 2 ** len(levels) <= n_blocks:
        half = 2 ** (len(levels) - 1)
        wider = levels[-1].copy()
        np.maximum(wider[:-half], wider[half:], out=wider[:-half])
        levels.append(wider)
    return np.array(levels)


@kernel
def meeting_heights(joins, maxima, first, second, heights):
    """The height at which the leaves first[t] and second[t] meet: O(1) each, 0 for one leaf."""
    for t in range(first.shape[0]):
        begin = min(first[t], second[t]) + 1
        stop = max(first[t], second[t]) + 1
        highest = 0.0
        while begin < stop and (begin % _BLOCK != 0 or stop - begin < _BLOCK):
            highest = max(highest, joins[begin])
            begin += 1
        while begin < stop and stop % _BLOCK != 0:
            stop -= 1
            highest = max(highest, joins[stop])
        n_blocks = (stop - begin) // _BLOCK
        if n_blocks > 0:
            level = 0
            while 2 ** (level + 1) <= n_blocks:
                level += 1
            highest = max(highest, maxima[level, begin // _BLOCK])
            highest = max(highest, maxima[level, stop // _BLOCK - 2**level])
        heights[t] = highest


@kernel
def merge_table(joins, by_height, leaves, table):
    """Fill a SciPy linkage matrix: joins from the lowest to the highest, each of two runs."""
    n_leaves = leaves.shape[0]
    left_end = np.arange(n_leaves)
    right_end = np.arange(n_leaves)
    node = np.empty(n_leaves, np.int64)
    for p in range(n_leaves):
        node[p] = leaves[p]
    for e in range(n_leaves - 1):
        p = by_height[e] + 1
        begin = left_end[p - 1]
        stop = right_end[p]
        table[e, 0] = min(node[begin], node[p])
        table[e, 1] = max(node[begin], node[p])
        table[e, 2] = joins[p]
        table[e, 3] = stop - begin + 1
        node[begin] = n_leaves + e
        left_end[stop] = begin
        right_end[begin] = stop


@inline_kernel
def collect_parts(ends, parts, p):
    """List the parts of the path that begins at p, in the order in which they join."""
    n_parts = 0
    q = p + 1
    while q < ends[p]:
        parts[n_parts] = q
        n_parts += 1
        q = ends[q]
    return n_parts


@kernel
def least_quotients(joins, ends, codes, ceilings, least, cluster):
    """For every leaf the smallest `quotient` of a cluster's distance and that cluster's ceiling.

    A node above a leaf lies at the distance of the clusters that first appear in it; of all the
    clusters in a node, only the highest ceiling matters. One pass from the last leaf to the first
    finds it for every node (it is kept at the part that the node adds), one pass back takes the
    minimum over the nodes above a leaf. Ties: the nearer node, the smaller code. Leaves without a
    cluster anywhere get infinity and -1.
    """
    n_leaves = joins.shape[0]
    highest = np.empty(n_leaves)
    holder = np.empty(n_leaves, np.int32)
    value = np.empty(n_leaves)
    claim = np.empty(n_leaves, np.int32)
    parts = np.empty(n_leaves, np.int32)
    for p in range(n_leaves - 1, -1, -1):
        ceiling = -1.0
        c = codes[p]
        if c >= 0:
            ceiling = ceilings[c]
        q = p + 1
        while q < ends[p]:
            if highest[q] > ceiling or (highest[q] == ceiling and holder[q] < c):
                ceiling = highest[q]
                c = holder[q]
            value[q] = np.inf if c < 0 else quotient(joins[q], ceiling)
            claim[q] = c
            q = ends[q]
        highest[p] = ceiling
        holder[p] = c
    least[0] = np.inf
    cluster[0] = -1
    for p in range(n_leaves):
        n_parts = collect_parts(ends, parts, p)
        for t in range(n_parts - 1, -1, -1):
            q = parts[t]
            # Of parts that join at one height, only the last has seen the whole node.
            is_whole = t == n_parts - 1 or joins[parts[t + 1]] > joins[q]
            if is_whole and value[q] <= least[p]:
                least[p] = value[q]
                cluster[p] = claim[q]
            least[q] = least[p]
            cluster[q] = cluster[p]


@kernel
def _find_runs(codes, first, change, before):
    n_leaves = codes.shape[0]
    first[n_leaves] = n_leaves
    change[n_leaves] = n_leaves
    for p in range(n_leaves - 1, -1, -1):
        following = first[p + 1]
        first[p] = following
        change[p] = change[p + 1]
        if codes[p] >= 0:
            if following < n_leaves and codes[following] != codes[p]:
                change[p] = following
            first[p] = p
    before[0] = 0
    for p in range(n_leaves):
        before[p + 1] = before[p] + (1 if codes[p] >= 0 else 0)
