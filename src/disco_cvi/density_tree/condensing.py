"""HDBSCAN from the density tree: which nodes are clusters, for a smallest size of a cluster.

From the root down, a node whose children include two or more of at least min_cluster_size points
is where the cluster ends that it belongs to, and each of these children begins one; with one such
child the cluster goes on in it, and all other points leave. All joins of one height make one node,
so that nothing depends on the order of the rows. As long as a cluster goes on, it does so in the
largest child, so that it follows a path of largest children: what it has by way of stability is a
difference of two sums along that path, and only nodes where clusters end need to be visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.exact_sums import add_exactly
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi.density_tree.cuts import number_by_rows
from disco_cvi.density_tree.leaf_order import LeafLine
from disco_cvi.density_tree.nodes import Nodes

METHODS = ("eom", "leaf")
# Densities (inverse heights, of at most 1) are multiplied by this, so that sums of them cannot
# overflow, however small a height is.
_UNIT = 2.0**-500
# Copies of a point join at height 0, at a density beyond all others.
_ENDLESS = 2.0**900
# A sum that is greater by no more than this share is equal but for rounding.
_ROUNDING = 1e-12


class Paths(NamedTuple):
    """For each node, over the nodes above it on its path of largest children: density times points.

    The sum of density (1 / height) times the number of points that leave the path there, in twice
    the precision, so that it does not show where the path begins.
    """

    high: FloatArray
    low: FloatArray


class Condensed(NamedTuple):
    """Clusters of at least some size, parents before children; cluster 0 is all points.

    ``node[c]`` is where cluster c begins, ``last[c]`` where it ends; ``birth[c]`` the height of the
    node that it begins below; ``has_children[c]`` whether others begin where it ends.
    """

    node: NDArray[np.int32]
    last: NDArray[np.int32]
    parent: NDArray[np.int32]
    birth: FloatArray
    stability: FloatArray
    has_children: BoolArray


def follow_paths(nodes: Nodes) -> Paths:
    """Sum along all paths of largest children; O(n)."""
    paths = Paths(np.zeros(len(nodes.height)), np.zeros(len(nodes.height)))
    _follow(nodes, paths)
    return paths


def hdbscan_labels(
    line: LeafLine,
    nodes: Nodes,
    paths: Paths,
    min_cluster_size: int,
    *,
    is_leaf: bool,
    epsilon: float,
    allow_single_cluster: bool,
) -> NDArray[np.int64]:
    """Label points by HDBSCAN; `epsilon` in units of the line. Clusters are numbered by rows."""
    labels = np.full(len(line.leaves), -1, np.int64)
    if len(nodes.height) == 0:
        return labels
    active = np.flatnonzero(nodes.second >= min_cluster_size).astype(np.int32)
    room = make_room(len(labels), min_cluster_size)
    owner = np.empty(len(active), np.int32)
    n_clusters = condense(nodes, paths, active, len(active), min_cluster_size, owner, room)
    chosen, sums = np.zeros(n_clusters, np.bool_), np.empty((2, n_clusters))
    choose(room, n_clusters, is_leaf, allow_single_cluster, sums, chosen)
    condensed = Condensed._make(values[:n_clusters] for values in room)
    if epsilon > 0 and n_clusters > 1 and not chosen[0]:
        chosen = _climb(condensed, chosen, epsilon, allow_single_cluster)
    if chosen[0] and chosen.sum() == 1:
        last = condensed.last[0]
        _label_root(nodes, last, min_cluster_size, epsilon, line.leaves, labels)
    else:
        chosen[0] = False
        _label_runs(nodes, condensed.node[chosen], line.leaves, labels)
    number_by_rows(labels, n_clusters)
    return labels


def _label_runs(
    nodes: Nodes, chosen: NDArray[np.int32], leaves: NDArray[np.int32], labels: NDArray[np.int64]
) -> None:
    """Label the points of each of the chosen nodes."""
    sizes = nodes.stop[chosen] - nodes.begin[chosen]
    shifts = np.repeat(nodes.begin[chosen] - (np.cumsum(sizes) - sizes), sizes)
    places = np.arange(len(shifts)) + shifts
    labels[leaves[places]] = np.repeat(np.arange(len(chosen)), sizes)


def make_room(n_points: int, min_cluster_size: int) -> Condensed:
    """Arrays for as many clusters as there can be of so many points each."""
    most = 2 * (n_points // min_cluster_size) + 2
    kinds = (np.int32,) * 3 + (np.float64,) * 2 + (np.bool_,)
    return Condensed._make(np.empty(most, kind) for kind in kinds)


@inline_kernel
def _times_density(size, height):
    return size * _UNIT / height if height > 0.0 else size * _ENDLESS


@kernel
def _follow(nodes, paths):
    for v in range(nodes.height.shape[0] - 1):
        if nodes.path_end[v] == v:
            continue
        stays = nodes.stop[v + 1] - nodes.begin[v + 1]
        leaving = nodes.stop[v] - nodes.begin[v] - stays
        dense = _times_density(leaving, nodes.height[v])
        paths.high[v + 1], paths.low[v + 1] = add_exactly(paths.high[v], paths.low[v], dense)


@inline_kernel
def _last_of_size(nodes, v, least):
    """The last node from v on, along its path, that has at least so many points."""
    low = v
    high = nodes.path_end[v]
    while low < high:
        middle = (low + high + 1) // 2
        if nodes.stop[middle] - nodes.begin[middle] >= least:
            low = middle
        else:
            high = middle - 1
    return low


@inline_kernel
def _first_at_least(values, size, value):
    """How many of so many rising values are smaller."""
    low = 0
    high = size
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def condense(nodes, paths, active, n_active, min_cluster_size, owner, found):
    """Fill `found` with all clusters of at least that size; return their number.

    `active`: the nodes whose second largest child has that size, rising: there clusters end and
    others begin. Below a node that is no such node, there is one only further on its path.
    `owner` is room for the cluster that ends at each of them, which is found before.
    """
    found.node[0] = 0
    found.parent[0] = -1
    found.birth[0] = np.inf
    n_clusters = 1
    done = 0
    for t in range(-1, n_active):
        if t >= 0:
            v = active[t]
            for c in range(nodes.first_child[v], nodes.first_child[v + 1]):
                child = nodes.children[c]
                if nodes.stop[child] - nodes.begin[child] < min_cluster_size:
                    break
                found.node[n_clusters] = child
                found.parent[n_clusters] = owner[t]
                found.birth[n_clusters] = nodes.height[v]
                n_clusters += 1
        while done < n_clusters:
            begin = found.node[done]
            following = _first_at_least(active, n_active, begin)
            is_parent = following < n_active and active[following] <= nodes.path_end[begin]
            if is_parent:
                last = active[following]
                owner[following] = done
            else:
                last = _last_of_size(nodes, begin, min_cluster_size)
            found.has_children[done] = is_parent
            found.last[done] = last
            found.stability[done] = _stability(nodes, paths, begin, last, found.birth[done])
            done += 1
    return n_clusters


@inline_kernel
def lengthen(nodes, paths, min_cluster_size, n_clusters, found):
    """Bring clusters down to a smaller size at which no others begin: those without children last.

    A cluster goes on as long as the largest child has so many points.
    """
    for c in range(n_clusters):
        if not found.has_children[c]:
            last = found.last[c]
            end = nodes.path_end[last]
            while last < end and nodes.stop[last + 1] - nodes.begin[last + 1] >= min_cluster_size:
                last += 1
            if last > found.last[c]:
                found.last[c] = last
                begin = found.node[c]
                found.stability[c] = _stability(nodes, paths, begin, last, found.birth[c])


@inline_kernel
def _stability(nodes, paths, begin, last, birth):
    """Sum over the points of a cluster: density where they leave it minus density of its birth."""
    size = nodes.stop[begin] - nodes.begin[begin]
    staying = nodes.stop[last] - nodes.begin[last]
    high, low = add_exactly(
        paths.high[last], paths.low[last] - paths.low[begin], -paths.high[begin]
    )
    high, low = add_exactly(high, low, _times_density(staying, nodes.height[last]))
    high, low = add_exactly(high, low, -_times_density(size, birth))
    return high + low


@kernel
def choose(condensed, n_clusters, is_leaf, allow_single_cluster, sums, chosen):
    """Choose clusters without children, or those that are more stable than all below them.

    A parent is kept unless the sum of its children is greater; the root only if it is allowed, and
    never as one without children. `sums` is room for two numbers of each cluster.
    """
    if is_leaf:
        for c in range(n_clusters):
            chosen[c] = c > 0 and not condensed.has_children[c]
        return
    high, low = sums[0], sums[1]
    for c in range(n_clusters):
        high[c] = 0.0
        low[c] = 0.0
    for c in range(n_clusters - 1, -1, -1):
        below = high[c] + low[c]
        is_best = below <= condensed.stability[c] * (1.0 + _ROUNDING)
        chosen[c] = is_best and (c > 0 or allow_single_cluster)
        best = condensed.stability[c] if chosen[c] else below
        if c > 0:
            above = condensed.parent[c]
            high[above], low[above] = add_exactly(high[above], low[above], best)
    # What lies below a chosen cluster, and is not chosen itself.
    covered = low
    covered[0] = 0.0
    for c in range(1, n_clusters):
        above = condensed.parent[c]
        covered[c] = 1.0 if covered[above] > 0.0 or chosen[above] else 0.0
        chosen[c] = chosen[c] and covered[c] == 0.0


@kernel
def _climb(condensed, chosen, epsilon, allow_single_cluster):
    """Replace clusters born below epsilon by their first ancestors that were not.

    So whatever else was chosen inside of such an ancestor climbs to it, too. Children of the root
    have none but the root, and take it only if it is allowed.
    """
    picked = np.zeros(chosen.shape[0], np.bool_)
    for c in range(1, chosen.shape[0]):
        if not chosen[c]:
            continue
        climber = c
        while condensed.birth[climber] < epsilon:
            above = condensed.parent[climber]
            if above == 0 and not allow_single_cluster:
                break
            climber = above
        picked[climber] = True
    return picked


@kernel
def _label_root(nodes, last, min_cluster_size, epsilon, leaves, labels):
    """Of the root as the only cluster, keep points that leave their clusters at epsilon or below.

    Without epsilon: all points that stay to its end.
    """
    if epsilon <= 0.0:
        for p in range(nodes.begin[last], nodes.stop[last]):
            labels[leaves[p]] = 0
        return
    # A point leaves at the smallest node around it that has so many points.
    lowest = np.empty(nodes.height.shape[0])
    for v in range(nodes.height.shape[0]):
        is_small = nodes.stop[v] - nodes.begin[v] < min_cluster_size
        lowest[v] = lowest[nodes.parent[v]] if is_small and v > 0 else nodes.height[v]
    for p in range(leaves.shape[0]):
        if lowest[nodes.around[p]] <= epsilon:
            labels[leaves[p]] = 0
