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

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_exactly
from disco_cvi._compute.kernels import kernel
from disco_cvi.density_tree.condensing import (
    Condensed,
    Paths,
    choose,
    condense,
    lengthen,
    make_room,
)
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
    kinds = (np.int64,) + (np.float64,) * 2 + (np.int64,) * 2
    found = SizeScores._make(np.empty(n_rows, kind) for kind in kinds)
    branching = np.flatnonzero(nodes.second > 1).astype(np.int32)
    by_second = branching[np.argsort(-nodes.second[branching], kind="stable")]
    room = make_room(n_leaves, 2)
    n_rows = _sweep(nodes, paths, by_second, cores, room, is_leaf, found)
    return SizeScores._make(values[:n_rows][::-1].copy() for values in found)


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
def _sweep(nodes, paths, by_second, cores, room, is_leaf, found):
    """Fill `found` from the greatest size down to 2; return the number of rows.

    A row is written anew as long as the clusters stay the same, so that it tells the smallest size.
    At a size that no child has, clusters only last longer, which tells on their stability.
    """
    n_branching = by_second.shape[0]
    active = np.empty(n_branching, np.int32)
    merged = np.empty(n_branching, np.int32)
    chosen = np.zeros(room.node.shape[0], np.bool_)
    seen = np.zeros(nodes.height.shape[0], np.int32)
    greatest = nodes.second[by_second[0]] if n_branching > 0 else 1
    begins_one = _sizes_of_children(nodes, by_second, greatest)
    allow_single_cluster = False
    n_active = 0
    step = 0
    row = -1
    n_before = -1
    condensed = room
    for size in range(greatest + 1, 1, -1):
        begin = n_active
        while n_active < n_branching and nodes.second[by_second[n_active]] == size:
            n_active += 1
        if row >= 0 and not begins_one[size]:
            if is_leaf:
                found.min_cluster_size[row] = size
                continue
            lengthen(nodes, paths, size, condensed)
        else:
            if n_active > begin:
                _merge(active, begin, by_second, n_active, merged)
                active, merged = merged, active
            condensed = _condense(nodes, paths, active[:n_active], size, room)
        step += 1
        n_found = condensed.node.shape[0]
        choose(condensed, is_leaf, allow_single_cluster, chosen[:n_found])
        n_chosen = 0
        n_same = 0
        for c in range(1, n_found):
            if chosen[c]:
                n_chosen += 1
                n_same += seen[condensed.node[c]] == step - 1
                seen[condensed.node[c]] = step
        if n_chosen != n_before or n_same != n_chosen:
            row += 1
            _score(nodes, condensed, chosen, cores, row, found)
        n_before = n_chosen
        found.min_cluster_size[row] = size
    return row + 1


@kernel
def _sizes_of_children(nodes, branching, greatest):
    """Which sizes there are among children that begin a cluster: all but the largest of a node."""
    is_there = np.zeros(greatest + 2, np.bool_)
    for t in range(branching.shape[0]):
        v = branching[t]
        for c in range(nodes.first_child[v] + 1, nodes.first_child[v + 1]):
            child = nodes.children[c]
            is_there[nodes.stop[child] - nodes.begin[child]] = True
    return is_there


@kernel
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


@kernel
def _condense(nodes, paths, active, size, room):
    n_clusters = condense(nodes, paths, active, size, room)
    return Condensed(
        room.node[:n_clusters],
        room.last[:n_clusters],
        room.parent[:n_clusters],
        room.birth[:n_clusters],
        room.stability[:n_clusters],
        room.has_children[:n_clusters],
    )


@kernel
def _score(nodes, condensed, chosen, cores, row, found):
    """Write scores and counts of the chosen clusters into a row."""
    n_leaves = cores.sorted.shape[0]
    sums = np.zeros(4)
    core_high = 0.0
    core_low = 0.0
    n_clustered = 0
    n_clusters = 0
    largest = 0.0
    for c in range(1, condensed.node.shape[0]):
        if not chosen[c]:
            continue
        v = condensed.node[c]
        size = nodes.stop[v] - nodes.begin[v]
        value = size * (1.0 - nodes.mean[v] / condensed.birth[c])
        sums[0], sums[1] = add_exactly(sums[0], sums[1], value)
        sums[2], sums[3] = add_exactly(sums[2], sums[3], value * size)
        core_high, core_low = add_exactly(core_high, core_low, cores.high[v])
        core_low += cores.low[v]
        largest = max(largest, cores.largest[v])
        n_clustered += size
        n_clusters += 1
    total = sums[0] + sums[1]
    pairs = total * n_clustered - (sums[2] + sums[3])
    found.score[row] = pairs / (float(n_leaves) * n_leaves)
    # Noise with a core distance no larger than that of clusters is below 0, all other above.
    n_dense = np.searchsorted(cores.sorted, largest, side="right")
    total += (n_leaves - n_dense) - cores.noise_lack[n_dense]
    if largest > 0.0:
        dense = cores.sums[n_dense] - (core_high + core_low)
        total += dense / largest - (n_dense - n_clustered)
    found.disco[row] = total / n_leaves if n_clusters > 0 else -1.0
    found.n_clusters[row] = n_clusters
    found.n_noise[row] = n_leaves - n_clustered
