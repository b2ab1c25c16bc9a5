"""For every cluster point, its mean dc-distance to its own cluster and to the nearest other one.

The sum of dc-distances from a leaf to a cluster is a sum over the parts that join on the way from
the leaf to the top: height times the number of the cluster's points that join there. The path from
p (see `leaf_order`) is walked twice. Downwards, from the last part to the first: each part is
handed, for every cluster in it, the sum over all points outside it. Upwards: at each join, the part
asks for the nearest of the clusters that only the leaves before it hold, and those ask the same of
the part. Seen from a part at height h, a cluster wholly outside it is the straight line
(points before the part) * h + (sum further out), over its size; heights only grow on the way up,
so the lowest line is kept in a kinetic tournament. The time hardly grows with the number of
clusters: O(n log n log k).

The sums are the same bits whatever the order of the rows: counts at one height are added as whole
numbers, and heights from the highest to the lowest, in twice the precision. The tournament only
tells which clusters may be nearest; the sums decide.

A walk hands to each part of its path all that lies outside it, and writes to the leaves of its own
path only, besides a table of clusters that is empty before and after: so threads may share the
parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.exact_sums import add_product, mean_of
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi.density_tree.leaf_order import LEAVES_PER_RANGE
from disco_cvi.density_tree.tournament import Tournament, enter, leave, make_tournament, renew
from disco_cvi.density_tree.walks import (
    are_alone,
    collect_parts,
    label_leaves,
    quotients,
    walk_in_tasks,
)

# Of clusters that the tournament cannot tell apart, so many are summed up. They are all equally
# near unless so many means differ by less than the doubt and yet are not equal.
_MOST_SUMMED = 64
# How far apart two values may lie that the tournament, which rounds, cannot tell apart; it errs by
# fewer than 100 units of 2**-53.
_DOUBT = 1e-13


class Sums(NamedTuple):
    """Sums of dc-distances still to be closed: high + low + height * pending.

    While a path is walked, one for each cluster, over the points outside the leaves looked at;
    `number`: the cluster's points among these. And one for each cluster of each part, kept at the
    cluster's first leaf in the part (its height is the part's join).
    """

    high: NDArray[np.float64]
    low: NDArray[np.float64]
    height: NDArray[np.float64]
    pending: NDArray[np.int32]
    number: NDArray[np.int32]


class Scratch(NamedTuple):
    """Room to work in: the parts of a path, what they offer to the leaves before them, and more."""

    parts: NDArray[np.int32]
    offered: NDArray[np.float64]
    offering: NDArray[np.int32]
    tally: NDArray[np.int32]
    stack: NDArray[np.int32]


class Nearest(NamedTuple):
    """By leaf: mean distance within its cluster, to the nearest other one, and which that is."""

    compactness: NDArray[np.float64]
    separation: NDArray[np.float64]
    cluster: NDArray[np.int32]


class Walk(NamedTuple):
    """All that a walk reads and writes."""

    sizes: NDArray[np.int64]
    outside: Sums
    saved: Sums
    entries: Sums
    tournament: Tournament
    nearest: Nearest
    scratch: Scratch


def _sums(length: int) -> Sums:
    return Sums(*np.zeros((3, length)), *np.zeros((2, length), np.int32))


def nearest_clusters(
    codes: NDArray[np.int32],
    joins: NDArray[np.float64],
    ends: NDArray[np.int32],
    sizes: NDArray[np.int64],
    n_jobs: int = 1,
) -> Nearest:
    """Walk the tree; entries of noise points, and compactness of lone points, mean nothing.

    `codes`, `joins` and `ends` are in leaf order. Where several clusters are equally near, the one
    with the smallest code is named. Memory O(n + k), and O(k) for each thread.
    """
    n_leaves, n_clusters = len(codes), len(sizes)
    leaves = label_leaves(codes, joins, ends)
    nearest = Nearest(
        np.zeros(n_leaves), np.full(n_leaves, np.inf), np.full(n_leaves, -1, np.int32)
    )
    saved, entries = _sums(n_leaves), _sums(n_leaves)
    # Tables of as many clusters as points take more memory than all else.
    n_threads = min(n_jobs, 1 + n_leaves // n_clusters)

    def make_walk() -> Walk:
        table, tournament = _sums(n_clusters), make_tournament(n_clusters)
        scratch = _scratch(n_leaves, n_clusters)
        return Walk(sizes, table, saved, entries, tournament, nearest, scratch)

    def walk_paths(walk: Walk, begin: int, stop: int) -> NDArray[np.int32]:
        return walk.scratch.parts[: _walk(leaves, walk, begin, stop)]

    walk_in_tasks(walk_paths, [make_walk() for _ in range(n_threads)], ends)
    return nearest


def _scratch(n_leaves: int, n_clusters: int) -> Scratch:
    parts, offering = np.empty((2, n_leaves), np.int32)
    tally, stack = np.zeros(n_clusters, np.int32), np.empty(128, np.int32)
    return Scratch(parts, np.empty(n_leaves), offering, tally, stack)


def silhouettes(
    nearest: Nearest, codes: NDArray[np.int32], sizes: NDArray[np.int64], n_jobs: int
) -> NDArray[np.float64]:
    """Score each leaf, 0 where it is alone in its cluster; entries of noise points mean nothing."""
    scores = np.empty(len(codes))

    def judge(begin: int, stop: int) -> None:
        part = slice(begin, stop)
        scores[part] = quotients(nearest.separation[part], nearest.compactness[part])
        scores[part][are_alone(codes[part], sizes)] = 0.0

    for_ranges(judge, len(codes), LEAVES_PER_RANGE, n_jobs)
    return scores


@kernel
def _walk(leaves, walk, begin, stop):
    """Walk the paths that begin at leaves begin to stop - 1.

    The path that a part belongs to begins before the part, so it has been walked before. Return how
    many parts of the last path there are to walk; they are listed in the room to work in.
    """
    n_parts = 0
    for p in range(begin, stop):
        n_parts = 0
        end = leaves.ends[p]
        if leaves.first[p] >= end:
            continue
        if leaves.change[p] >= end:
            n_parts = _walk_pure_path(
                leaves, walk.sizes, walk.entries, walk.nearest, walk.scratch.parts, p
            )
        else:
            n_parts = _descend(leaves, walk, p)
            _ascend(leaves, walk, n_parts, p)
            _pass_down(leaves, walk.nearest, walk.scratch, n_parts, p)
    return n_parts


@inline_kernel
def _walk_pure_path(leaves, sizes, entries, nearest, parts, p):
    """All cluster points of the path are of one cluster: what lies outside is the same for all."""
    joins, ends, first, before = leaves.joins, leaves.ends, leaves.first, leaves.before
    n_parts = collect_parts(ends, parts, p)
    high = entries.high[first[p]]
    low = entries.low[first[p]]
    pending = entries.pending[first[p]]
    height = joins[p]
    for t in range(n_parts - 1, -1, -1):
        q = parts[t]
        nearest.separation[q] = nearest.separation[p]
        nearest.cluster[q] = nearest.cluster[p]
        in_part = before[ends[q]] - before[q]
        if in_part == 0:
            continue
        if height != joins[q]:
            high, low = add_product(high, low, height, pending)
            height = joins[q]
            pending = 0
        entries.high[first[q]] = high
        entries.low[first[q]] = low
        entries.pending[first[q]] = pending + before[q] - before[p]
        pending += in_part
    size = sizes[leaves.codes[first[p]]]
    if leaves.codes[p] >= 0 and size > 1:
        nearest.compactness[p] = mean_of(high, low, height, pending, size - 1)
    return n_parts


@inline_kernel
def _descend(leaves, walk, p):
    """Walk a path down to its leaf p, and hand each part the sums of its clusters.

    `entries.number` keeps, at a cluster's first leaf in a part, how many of its points the part
    holds, and 0 at its other leaves; `saved`, what the way up puts back.
    """
    codes, joins, ends, first = leaves.codes, leaves.joins, leaves.ends, leaves.first
    outside, entries, saved = walk.outside, walk.entries, walk.saved
    parts, tally = walk.scratch.parts, walk.scratch.tally
    for i in range(first[p], ends[p]):
        c = codes[i]
        if c >= 0:
            if outside.number[c] == 0:
                outside.high[c] = entries.high[i]
                outside.low[c] = entries.low[i]
                outside.pending[c] = entries.pending[i]
                outside.height[c] = joins[p]
            outside.number[c] += 1
    n_parts = collect_parts(ends, parts, p)
    for t in range(n_parts - 1, -1, -1):
        q = parts[t]
        if first[q] >= ends[q]:
            continue
        if leaves.change[q] >= ends[q]:
            in_part = leaves.before[ends[q]] - leaves.before[q]
            _hand_over(outside, saved, entries, codes[first[q]], first[q], joins[q], in_part)
            continue
        for i in range(first[q], ends[q]):
            if codes[i] >= 0:
                tally[codes[i]] += 1
        for i in range(first[q], ends[q]):
            if codes[i] >= 0:
                in_part = tally[codes[i]]
                tally[codes[i]] = 0
                entries.number[i] = in_part
                if in_part > 0:
                    _hand_over(outside, saved, entries, codes[i], i, joins[q], in_part)
    c = codes[p]
    if c >= 0 and walk.sizes[c] > 1:
        walk.nearest.compactness[p] = mean_of(
            outside.high[c],
            outside.low[c],
            outside.height[c],
            outside.pending[c],
            walk.sizes[c] - 1,
        )
    return n_parts


@inline_kernel
def _hand_over(outside, saved, entries, c, i, height, in_part):
    """Take a part's points of cluster c, the first of them at leaf i, from the leaves before it."""
    saved.high[i] = outside.high[c]
    saved.low[i] = outside.low[c]
    saved.height[i] = outside.height[c]
    saved.pending[i] = outside.pending[c]
    if outside.height[c] != height:
        high, low = add_product(
            outside.high[c], outside.low[c], outside.height[c], outside.pending[c]
        )
        outside.high[c] = high
        outside.low[c] = low
        outside.height[c] = height
        outside.pending[c] = 0
    outside.number[c] -= in_part
    entries.number[i] = in_part
    entries.high[i] = outside.high[c]
    entries.low[i] = outside.low[c]
    entries.pending[i] = outside.pending[c] + outside.number[c]
    outside.pending[c] += in_part


@inline_kernel
def _ascend(leaves, walk, n_parts, p):
    """Walk up again; at each join, both sides ask for the nearest cluster of the other side alone.

    The answer for a part is kept as its nearest cluster, the answer for the leaves before it as
    what the part offers.
    """
    codes, ends, first = leaves.codes, leaves.ends, leaves.first
    outside, entries, saved, sizes = walk.outside, walk.entries, walk.saved, walk.sizes
    tournament, scratch = walk.tournament, walk.scratch
    if codes[p] >= 0:
        _enter(tournament, outside, sizes, codes[p], 0.0)
    for t in range(n_parts):
        q = scratch.parts[t]
        scratch.offered[t] = np.inf
        scratch.offering[t] = -1
        if first[q] >= ends[q]:
            continue
        height = leaves.joins[q]
        stop = ends[q] if leaves.change[q] < ends[q] else first[q] + 1
        for i in range(first[q], stop):
            if entries.number[i] == 0:  # as is that of noise
                continue
            c = codes[i]
            if outside.number[c] > 0:
                leave(tournament, c, height)
                continue
            points = entries.pending[i] + entries.number[i]
            value = mean_of(entries.high[i], entries.low[i], height, points, sizes[c])
            if value < scratch.offered[t] or (
                value == scratch.offered[t] and c < scratch.offering[t]
            ):
                scratch.offered[t] = value
                scratch.offering[t] = c
        renew(tournament, scratch.stack, height)
        value, c = _lowest(tournament, outside, sizes, scratch.stack, height)
        walk.nearest.separation[q] = value
        walk.nearest.cluster[q] = c
        for i in range(first[q], stop):
            if entries.number[i] > 0:
                c = codes[i]
                outside.high[c] = saved.high[i]
                outside.low[c] = saved.low[i]
                outside.height[c] = saved.height[i]
                outside.pending[c] = saved.pending[i]
                outside.number[c] += entries.number[i]
                _enter(tournament, outside, sizes, c, height)
    for i in range(first[p], ends[p]):
        c = codes[i]
        if c >= 0 and outside.number[c] > 0:
            outside.number[c] = 0
            leave(tournament, c, 0.0)


@inline_kernel
def _pass_down(leaves, nearest, scratch, n_parts, p):
    """A leaf's nearest cluster is the nearest that any join above it offers."""
    value = nearest.separation[p]
    c = nearest.cluster[p]
    for t in range(n_parts - 1, -1, -1):
        q = scratch.parts[t]
        if leaves.first[q] >= leaves.ends[q]:
            continue
        if value < nearest.separation[q] or (
            value == nearest.separation[q] and c < nearest.cluster[q]
        ):
            nearest.separation[q] = value
            nearest.cluster[q] = c
        if scratch.offered[t] < value or (scratch.offered[t] == value and scratch.offering[t] < c):
            value = scratch.offered[t]
            c = scratch.offering[t]
    nearest.separation[p] = value
    nearest.cluster[p] = c


@kernel
def _enter(tournament, outside, sizes, c, height):
    """Put the line of cluster c, as its sums now are, into the tournament."""
    total = outside.high[c] + outside.low[c] + outside.height[c] * outside.pending[c]
    enter(tournament, c, outside.number[c] / sizes[c], total / sizes[c], height)


@inline_kernel
def _lowest(tournament, outside, sizes, stack, height):
    """The smallest mean distance among the clusters in the tournament, and its cluster.

    Clusters whose lines cannot be told apart from the lowest are summed up, from the smallest code
    to the largest; one whose mean is the height itself cannot be beaten.
    """
    slope, intercept = tournament.slope, tournament.intercept
    width = slope.shape[0] // 2
    best = np.inf
    nearest = -1
    limit = (slope[1] * height + intercept[1]) * (1.0 + _DOUBT)
    stack[0] = 1
    n_stack = 1
    n_summed = 0
    while n_stack > 0 and best > height and n_summed < _MOST_SUMMED:
        n_stack -= 1
        node = stack[n_stack]
        if intercept[node] == np.inf or slope[node] * height + intercept[node] > limit:
            continue
        if node < width:
            stack[n_stack] = 2 * node + 1
            stack[n_stack + 1] = 2 * node
            n_stack += 2
            continue
        c = node - width
        high = outside.high[c]
        low = outside.low[c]
        points = outside.number[c]
        if outside.height[c] == height:
            points += outside.pending[c]
        else:
            high, low = add_product(high, low, outside.height[c], outside.pending[c])
        value = mean_of(high, low, height, points, sizes[c])
        n_summed += 1
        if value < best:
            best = value
            nearest = c
    return best, nearest
