"""Pair score and DISCO of HDBSCAN at every min_cluster_size, from one density tree.

A cluster of HDBSCAN is a node of the tree, and the nearest other cluster lies where it was born:
whatever is beside it there holds a cluster, too. So the scores of a cluster are known from its
node, and those of the noise from sums over all points and over the clusters (see `eps_scores`).
There are at most n / c clusters of c points, so that all sizes together cost O(n log n).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.exact_sums import add_exactly
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi.density_tree.condensing import Paths, choose, condense, lengthen, make_room
from disco_cvi.density_tree.eps_scores import sum_noise_lack
from disco_cvi.density_tree.leaf_order import LeafLine
from disco_cvi.density_tree.nodes import Nodes


class SizeScores(NamedTuple):
    """What HDBSCAN is worth, at every smallest size where it changes; the sizes rise."""

    min_cluster_size: NDArray[np.int64]
    score: FloatArray
    disco: FloatArray
    n_clusters: NDArray[np.int64]
    n_noise: NDArray[np.int64]


class Cores(NamedTuple):
    """Core distances summed up: in each node in twice the precision, and by size.

    ``largest[v]``: largest core distance in a node. ``sorted``: all of them, rising; ``sums[i]``:
    sum of the i smallest; ``noise_lack[i]``: what noise lacks beside these; see `eps_scores`.
    """

    high: FloatArray
    low: FloatArray
    largest: FloatArray
    sorted: FloatArray
    sums: FloatArray
    noise_lack: FloatArray


def score_every_size(nodes: Nodes, paths: Paths, cores: Cores, *, is_leaf: bool) -> SizeScores:
    """Score HDBSCAN at every min_cluster_size from 2 on."""
    n_leaves = len(cores.sorted)
    if len(nodes.height) == 0:
        nothing = ([0.0], [-1.0], [0], [n_leaves])
        return SizeScores._make(np.array(values) for values in ([2], *nothing))
    # Up to one size more than there can be two clusters of, where all is noise.
    n_rows = int(nodes.second.max())
    found = _Found(np.empty((n_rows, 3), np.int64), np.empty((n_rows, 4)))
    room = make_room(n_leaves, 2)
    # The root as the only cluster is never asked for.
    options = (is_leaf, False)
    n_rows = _sweep(nodes, paths, _make_work(nodes, len(room.node)), cores, room, options, found)
    return _score(_Found._make(values[:n_rows][::-1] for values in found), cores)


class _Found(NamedTuple):
    """What is found at each size.

    Columns of `counts`: the smallest size, clusters, points in them. Columns of `sums`: over these
    points their scores, scores times sizes of clusters, core distances; and the largest of those.
    """

    counts: NDArray[np.int64]
    sums: FloatArray


class _Work(NamedTuple):
    """What the sweep needs to know, and room for it.

    `by_second`: nodes with two children or more, by the size of the second, falling.
    ``begins_one[size]``: whether there is a child of that size that begins a cluster: all but the
    largest of a node do. `active` and `merged` are for the first of `by_second`, in their order;
    `owner`, `stability` and `chosen` for `condense` and `choose`; ``seen[v]``: when node v was
    chosen last.
    """

    by_second: NDArray[np.int32]
    begins_one: BoolArray
    active: NDArray[np.int32]
    merged: NDArray[np.int32]
    owner: NDArray[np.int32]
    stability: FloatArray
    chosen: BoolArray
    seen: NDArray[np.int32]


def _make_work(nodes: Nodes, most: int) -> _Work:
    branching = np.flatnonzero(nodes.second > 1).astype(np.int32)
    by_second = branching[np.argsort(-nodes.second[branching], kind="stable")]
    is_largest = np.zeros(len(nodes.children) + 1, np.bool_)
    is_largest[nodes.first_child] = True
    others = nodes.children[~is_largest[:-1]]
    begins_one = np.zeros(int(nodes.second.max()) + 2, np.bool_)
    begins_one[nodes.stop[others] - nodes.begin[others]] = True
    active, merged, owner = (np.empty(len(by_second), np.int32) for _ in range(3))
    chosen, seen = np.zeros(most, np.bool_), np.zeros(len(nodes.height), np.int32)
    return _Work(by_second, begins_one, active, merged, owner, np.empty((2, most)), chosen, seen)


def _score(found: _Found, cores: Cores) -> SizeScores:
    """Scores of all sizes by what is found at each."""
    n_leaves = len(cores.sorted)
    size, n_clusters, n_clustered = found.counts.T
    total, sized, core, largest = found.sums.T
    score = (total * n_clustered - sized) / (float(n_leaves) * n_leaves)
    # Noise with a core distance no larger than that of clusters is below 0, all other above.
    n_dense = np.searchsorted(cores.sorted, largest, side="right")
    total = total + ((n_leaves - n_dense) - cores.noise_lack[n_dense])
    has_size = largest > 0.0
    dense = (cores.sums[n_dense] - core) / np.where(has_size, largest, 1.0)
    total = np.where(has_size, total + (dense - (n_dense - n_clustered)), total)
    disco = np.where(n_clusters > 0, total / n_leaves, -1.0)
    return SizeScores(size.copy(), score, disco, n_clusters.copy(), n_leaves - n_clustered)


def sum_cores(line: LeafLine, nodes: Nodes) -> Cores:
    """Sum the core distances, for all methods."""
    core = line.core[line.leaves]
    # A single leaf has no node around it, but adds to one all the same.
    high, low, largest = (np.zeros(max(1, len(nodes.height))) for _ in range(3))
    _sum_inside(core, nodes, high, low, largest)
    rising = np.sort(core)
    sums = np.concatenate([[0.0], np.cumsum(rising)])
    return Cores(high, low, largest, rising, sums, sum_noise_lack(rising))


@kernel
def _sum_inside(core, nodes, high, low, largest):
    for p in range(core.shape[0]):
        v = nodes.around[p]
        high[v], low[v] = add_exactly(high[v], low[v], core[p])
        largest[v] = max(largest[v], core[p])
    for v in range(largest.shape[0] - 1, 0, -1):
        above = nodes.parent[v]
        high[above], low[above] = add_exactly(high[above], low[above], high[v])
        low[above] += low[v]
        largest[above] = max(largest[above], largest[v])


@kernel
def _sweep(nodes, paths, work, cores, condensed, options, found):
    """Fill `found` from the greatest size down to 2; return the number of rows.

    A row is written anew as long as the clusters stay the same, so that it tells the smallest size.
    At a size that no child has, clusters only last longer, which tells on their stability.
    """
    by_second, seen, chosen = work.by_second, work.seen, work.chosen
    active, merged = work.active, work.merged
    is_leaf, allow_single_cluster = options
    n_branching = by_second.shape[0]
    n_active = 0
    n_found = 0
    step = 0
    row = -1
    n_before = -1
    for size in range(work.begins_one.shape[0] - 1, 1, -1):
        begin = n_active
        while n_active < n_branching and nodes.second[by_second[n_active]] == size:
            n_active += 1
        if row >= 0 and not work.begins_one[size]:
            if is_leaf:
                found.counts[row, 0] = size
                continue
            lengthen(nodes, paths, size, n_found, condensed)
        else:
            if n_active > begin:
                _merge(active, begin, by_second, n_active, merged)
                active, merged = merged, active
            n_found = condense(nodes, paths, active, n_active, size, work.owner, condensed)
        step += 1
        choose(condensed, n_found, is_leaf, allow_single_cluster, work.stability, chosen)
        n_chosen = 0
        n_same = 0
        for c in range(1, n_found):
            if chosen[c]:
                n_chosen += 1
                n_same += seen[condensed.node[c]] == step - 1
                seen[condensed.node[c]] = step
        if n_chosen != n_before or n_same != n_chosen:
            row += 1
            found.counts[row, 1] = n_chosen
            _add_up(nodes, condensed, n_found, chosen, cores, row, found)
        n_before = n_chosen
        found.counts[row, 0] = size
    return row + 1


@inline_kernel
def _merge(active, n_active, by_second, stop, merged):
    """Merge rising numbers with the rising ones of by_second[n_active:stop]."""
    old = 0
    new = n_active
    for t in range(stop):
        if new >= stop or (old < n_active and active[old] < by_second[new]):
            merged[t] = active[old]
            old += 1
        else:
            merged[t] = by_second[new]
            new += 1


@inline_kernel
def _add_up(nodes, condensed, n_found, chosen, cores, row, found):
    """Write the sums over the chosen clusters into a row."""
    high, low, high_sized, low_sized = 0.0, 0.0, 0.0, 0.0
    core_high, core_low = 0.0, 0.0
    n_clustered = 0
    largest = 0.0
    for c in range(1, n_found):
        if not chosen[c]:
            continue
        v = condensed.node[c]
        size = nodes.stop[v] - nodes.begin[v]
        value = size * (1.0 - nodes.mean[v] / condensed.birth[c])
        high, low = add_exactly(high, low, value)
        high_sized, low_sized = add_exactly(high_sized, low_sized, value * size)
        core_high, core_low = add_exactly(core_high, core_low, cores.high[v])
        core_low += cores.low[v]
        largest = max(largest, cores.largest[v])
        n_clustered += size
    found.counts[row, 2] = n_clustered
    found.sums[row, 0] = high + low
    found.sums[row, 1] = high_sized + low_sized
    found.sums[row, 2] = core_high + core_low
    found.sums[row, 3] = largest
