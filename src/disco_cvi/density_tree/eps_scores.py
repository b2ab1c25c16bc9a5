"""Pair score and DISCO of DBSCAN at every eps, in one sweep over the density tree.

At eps, the clusters of DBSCAN (border points left out) are the largest nodes of the tree that are
no higher than eps, and single leaves whose core distance is no larger. Such a cluster is a run of
leaves, so that

- another cluster lies at one dc-distance from all its points, and the nearest one stands beside
  it in the line: the separation of a cluster is the smaller of the two gaps beside it;
- its points lie nearer to each other than to any other cluster, so that the sum of their scores is
  size * (1 - mean dc-distance / separation);
- noise has a larger core distance than any cluster point, which makes it score
  1 - (largest core distance of a cluster point) / (its own).

The sweep goes down from the greatest eps. A node that is too high falls into its children, a leaf
whose core distance is too large is lost; both touch the runs beside them only. Running sums are
kept in twice the precision, so that the order of events at one eps does not show.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_exactly
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi.density_tree.leaf_order import LeafLine
from disco_cvi.density_tree.nodes import Nodes


class EpsScores(NamedTuple):
    """What DBSCAN without border points is worth, at every eps where it changes; eps falls."""

    eps: FloatArray
    score: FloatArray
    disco: FloatArray
    n_clusters: NDArray[np.int64]
    n_noise: NDArray[np.int64]


class _Events(NamedTuple):
    """What happens from the greatest eps down: nodes fall into parts, leaves are lost.

    Of each node its height, first leaf and end, and of its first part the end and the mean
    dc-distance. Of each leaf, its core distance and its place in the line.
    """

    height: FloatArray
    begin: NDArray[np.int32]
    stop: NDArray[np.int32]
    part_stop: NDArray[np.int32]
    part_mean: FloatArray
    lost_core: FloatArray
    lost: NDArray[np.int32]


class _Parts(NamedTuple):
    """Of the largest node that begins at each leaf, or the leaf alone: its end and mean distance.

    And the core distance of each leaf.
    """

    stop: NDArray[np.int32]
    mean: FloatArray
    core: FloatArray


class _State(NamedTuple):
    """The clusters as runs of leaves, each named by its first leaf and linked to those beside it.

    Columns of `links`: where the run ends (0: none begins here), the run before, the run after
    (-1: none), and one to fill the row. Columns of `numbers`: mean dc-distance inside, highest
    joins between the run and the one before and after it, sum of the scores of its points. Events
    come in no order of place, and so each of them touches two lines of memory and not seven.
    `sums`: over all clusters, of values and of values times sizes, two numbers each. `counts`:
    clusters, lost leaves, the name of the first run, and how many runs are listed as `changed`.
    """

    links: NDArray[np.int32]
    numbers: FloatArray
    sums: FloatArray
    counts: NDArray[np.int64]
    changed: NDArray[np.int32]


_END, _BEFORE, _AFTER = 0, 1, 2
_MEAN, _GAP_BEFORE, _GAP_AFTER, _VALUE = 0, 1, 2, 3
_CLUSTERS, _LOST, _FIRST, _CHANGED = 0, 1, 2, 3


def score_every_eps(line: LeafLine, nodes: Nodes) -> EpsScores:
    """Score DBSCAN at every eps; O(n) after two sorts."""
    events, parts = _list_events(line, nodes)
    n_leaves = len(line.leaves)
    n_rows = len(nodes.height) + n_leaves + 1
    kinds = (np.float64,) * 3 + (np.int64,) * 2
    found = EpsScores._make(np.empty(n_rows, kind) for kind in kinds)
    n_rows = _sweep(line.joins, events, parts, found)
    return EpsScores._make(values[:n_rows].copy() for values in found)


def _list_events(line: LeafLine, nodes: Nodes) -> tuple[_Events, _Parts]:
    n_leaves, n_nodes = len(line.leaves), len(nodes.height)
    stop = np.arange(1, n_leaves + 1, dtype=np.int32)
    parts = _Parts(stop, np.zeros(n_leaves), line.core[line.leaves])
    part_stop, part_mean = nodes.begin + np.int32(1), np.zeros(n_nodes)
    _find_parts(nodes, parts.stop, parts.mean, part_stop, part_mean)
    # Equal heights and equal core distances may come in any order.
    order, lost = np.argsort(-nodes.height), np.argsort(-parts.core).astype(np.int32)
    of_nodes = (nodes.height, nodes.begin, nodes.stop, part_stop, part_mean)
    events = _Events._make([*(array[order] for array in of_nodes), parts.core[lost], lost])
    return events, parts


@kernel
def _find_parts(nodes, stop, mean, part_stop, part_mean):
    for v in range(nodes.height.shape[0] - 1, -1, -1):
        begin = nodes.begin[v]
        stop[begin] = nodes.stop[v]
        mean[begin] = nodes.mean[v]
        above = nodes.parent[v]
        if above >= 0 and nodes.begin[above] == begin:
            part_stop[above] = nodes.stop[v]
            part_mean[above] = nodes.mean[v]


@inline_kernel
def _take_back(state, p):
    """Take the value of a run out of the sums."""
    links, numbers, sums = state.links, state.numbers, state.sums
    value = numbers[p, _VALUE]
    if value != 0.0:
        size = links[p, _END] - p
        sums[0], sums[1] = add_exactly(sums[0], sums[1], -value)
        sums[2], sums[3] = add_exactly(sums[2], sums[3], -(value * size))
        numbers[p, _VALUE] = 0.0


@inline_kernel
def _value_again(state, p):
    """Bring the value of a run up to date: 0 for a single leaf, and for a run that stands alone."""
    _take_back(state, p)
    links, numbers, sums = state.links, state.numbers, state.sums
    size = links[p, _END] - p
    if size > 1:
        separation = min(numbers[p, _GAP_BEFORE], numbers[p, _GAP_AFTER])
        if separation < np.inf:
            value = size * (1.0 - numbers[p, _MEAN] / separation)
            numbers[p, _VALUE] = value
            sums[0], sums[1] = add_exactly(sums[0], sums[1], value)
            sums[2], sums[3] = add_exactly(sums[2], sums[3], value * size)


@inline_kernel
def _note(state, p):
    """List a run as changed."""
    state.changed[state.counts[_CHANGED]] = p
    state.counts[_CHANGED] += 1


@inline_kernel
def _take_out(state, p):
    """Take a run out of the list, which widens the gap between those beside it."""
    links, numbers, counts = state.links, state.numbers, state.counts
    before = links[p, _BEFORE]
    after = links[p, _AFTER]
    gap = max(numbers[p, _GAP_BEFORE], numbers[p, _GAP_AFTER])
    links[p, _END] = 0
    counts[_CLUSTERS] -= 1
    if before >= 0:
        links[before, _AFTER] = after
        numbers[before, _GAP_AFTER] = gap
        _note(state, before)
    else:
        counts[_FIRST] = after
    if after >= 0:
        links[after, _BEFORE] = before
        numbers[after, _GAP_BEFORE] = gap
        _note(state, after)


@inline_kernel
def _split(events, parts, state, event):
    """Let a node fall into its parts; leaves that are lost at just this eps leave no trace.

    The gaps between its parts have its height, and the gaps beside it are higher, so that those
    beside it do not change.
    """
    links, numbers, counts = state.links, state.numbers, state.counts
    height = events.height[event]
    begin = events.begin[event]
    stop = events.stop[event]
    _take_back(state, begin)
    after = links[begin, _AFTER]
    gap_after = numbers[begin, _GAP_AFTER]
    last = -1
    p = begin
    end = events.part_stop[event]
    mean = events.part_mean[event]
    while p < stop:
        if end - p > 1 or parts.core[p] < height:
            if last >= 0:
                links[p, _BEFORE] = last
                numbers[p, _GAP_BEFORE] = height
                links[last, _AFTER] = p
                numbers[last, _GAP_AFTER] = height
                counts[_CLUSTERS] += 1
            elif p != begin:
                _follow(state, begin, p)
            links[p, _END] = end
            numbers[p, _MEAN] = mean
            _note(state, p)
            last = p
        p = end
        if p < stop:
            end = parts.stop[p]
            mean = parts.mean[p]
    if last < 0:
        _take_out(state, begin)
    else:
        links[last, _AFTER] = after
        numbers[last, _GAP_AFTER] = gap_after
        if after >= 0 and last != begin:
            links[after, _BEFORE] = last


@inline_kernel
def _follow(state, begin, p):
    """Put the run p in the place of the run that began at `begin`, towards the run before it."""
    links, numbers, counts = state.links, state.numbers, state.counts
    before = links[begin, _BEFORE]
    links[begin, _END] = 0
    links[p, _BEFORE] = before
    numbers[p, _GAP_BEFORE] = numbers[begin, _GAP_BEFORE]
    if before >= 0:
        links[before, _AFTER] = p
    else:
        counts[_FIRST] = p


@inline_kernel
def _sum_of_scores(joins, state, noise):
    """Sum of the DISCO scores of all points; `noise` is that of the noise."""
    links, numbers, sums, counts = state.links, state.numbers, state.sums, state.counts
    n_leaves = joins.shape[0]
    if counts[_CLUSTERS] == 0:
        return -float(n_leaves)
    inside = sums[0] + sums[1]
    if counts[_CLUSTERS] == 1:
        # Of a single cluster, the nearest noise is the separation.
        p = counts[_FIRST]
        end = links[p, _END]
        separation = np.inf
        if p > 0:
            separation = joins[p]
        if end < n_leaves:
            separation = min(separation, joins[end])
        inside = 0.0
        if end - p > 1 and separation < np.inf:
            inside = (end - p) * (1.0 - numbers[p, _MEAN] / separation)
    return inside + noise


@kernel
def _sweep(joins, events, parts, found):
    """Fill `found` from the greatest eps down; return the number of rows."""
    n_leaves = joins.shape[0]
    n_nodes = events.height.shape[0]
    links = np.zeros((n_leaves, 4), np.int32)
    numbers = np.zeros((n_leaves, 4))
    sums, counts = np.zeros(4), np.array([1, 0, 0, 0])
    # At one eps every leaf may begin a part, and two beside each lost leaf change.
    changed = np.empty(3 * n_leaves, np.int32)
    state = _State(links, numbers, sums, counts, changed)
    links[0] = np.array([n_leaves, -1, -1, 0])
    numbers[0] = np.array([parts.mean[0], np.inf, np.inf, 0.0])
    inverse_cores = 0.0
    event = 0
    row = 0
    while True:
        eps = events.height[event] if event < n_nodes else 0.0
        largest_core = events.lost_core[counts[_LOST]] if counts[_LOST] < n_leaves else 0.0
        eps = max(eps, largest_core)
        noise = counts[_LOST] - largest_core * inverse_cores
        scores = _sum_of_scores(joins, state, noise)
        pairs = (sums[0] + sums[1]) * float(n_leaves - counts[_LOST]) - (sums[2] + sums[3])
        found.eps[row] = eps
        found.score[row] = pairs / (float(n_leaves) * n_leaves) if counts[_CLUSTERS] > 1 else 0.0
        found.disco[row] = scores / n_leaves
        found.n_clusters[row] = counts[_CLUSTERS]
        found.n_noise[row] = counts[_LOST]
        row += 1
        if eps == 0.0:
            return row
        counts[_CHANGED] = 0
        while event < n_nodes and events.height[event] == eps:
            _split(events, parts, state, event)
            event += 1
        while counts[_LOST] < n_leaves and events.lost_core[counts[_LOST]] == eps:
            p = events.lost[counts[_LOST]]
            counts[_LOST] += 1
            inverse_cores += 1.0 / eps
            if links[p, _END] > 0:
                _take_out(state, p)
        for t in range(counts[_CHANGED]):
            if links[changed[t], _END] > 0:
                _value_again(state, changed[t])
