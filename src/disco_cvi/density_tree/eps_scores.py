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
    dc-distance. Of each leaf, its core distance and its place in the line. ``noise_lack[i]``: what
    noise lacks when i leaves are left; see `sum_noise_lack`.
    """

    height: FloatArray
    begin: NDArray[np.int32]
    stop: NDArray[np.int32]
    part_stop: NDArray[np.int32]
    part_mean: FloatArray
    lost_core: FloatArray
    lost: NDArray[np.int32]
    noise_lack: FloatArray


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
    `counts`: clusters, lost leaves, the name of the first run, and how many runs are listed as
    `changed`.
    """

    links: NDArray[np.int32]
    numbers: FloatArray
    counts: NDArray[np.int64]
    changed: NDArray[np.int32]


# A core distance (of at most 1) whose inverse leaves room for sums.
_TINY = 2.0**-600
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
    n_rows = _sweep(line.joins, events, parts, _begin(n_leaves, parts), found)
    return EpsScores._make(values[:n_rows].copy() for values in found)


def _begin(n_leaves: int, parts: _Parts) -> _State:
    """One cluster of all leaves."""
    links, numbers = np.zeros((n_leaves, 4), np.int32), np.zeros((n_leaves, 4))
    links[0] = [n_leaves, -1, -1, 0]
    numbers[0] = [parts.mean[0], np.inf, np.inf, 0.0]
    # At one eps every leaf may begin a part, and two beside each lost leaf change.
    changed = np.empty(3 * n_leaves, np.int32)
    return _State(links, numbers, np.array([1, 0, 0, 0]), changed)


def _list_events(line: LeafLine, nodes: Nodes) -> tuple[_Events, _Parts]:
    n_leaves, n_nodes = len(line.leaves), len(nodes.height)
    stop = np.arange(n_leaves, dtype=np.int32) + np.int32(1)
    parts = _Parts(stop, np.zeros(n_leaves), line.core[line.leaves])
    # Of nodes that begin at one leaf the largest has the smallest number, and is written last.
    parts.stop[nodes.begin[::-1]] = nodes.stop[::-1]
    parts.mean[nodes.begin[::-1]] = nodes.mean[::-1]
    part_stop, part_mean = nodes.begin + np.int32(1), np.zeros(n_nodes)
    is_first = (nodes.parent >= 0) & (nodes.begin[nodes.parent] == nodes.begin)
    part_stop[nodes.parent[is_first]] = nodes.stop[is_first]
    part_mean[nodes.parent[is_first]] = nodes.mean[is_first]
    # Equal heights and equal core distances may come in any order.
    order, lost = np.argsort(-nodes.height), np.argsort(-parts.core).astype(np.int32)
    of_nodes = (nodes.height, nodes.begin, nodes.stop, part_stop, part_mean)
    lost_core = parts.core[lost]
    of_leaves = (lost_core, lost, sum_noise_lack(lost_core[::-1].copy()))
    return _Events._make([*(array[order] for array in of_nodes), *of_leaves]), parts


def sum_noise_lack(rising: FloatArray) -> FloatArray:
    """For each i, what noise lacks to scores of 1 if the i smallest core distances are clustered.

    Noise with the core distance k lacks the i-th core distance / k. `rising`: all core distances.
    """
    lack = np.zeros(len(rising) + 1)
    _sum_noise_lack(rising, lack)
    return lack


@kernel
def _sum_noise_lack(rising, lack):
    """Sum inverses in units that keep them from overflow, however small a core distance is."""
    unit = 1.0
    inverses = 0.0
    for i in range(rising.shape[0], 0, -1):
        core = rising[i - 1]
        if core == 0.0:
            break
        if core < _TINY and unit > _TINY:
            inverses *= _TINY
            unit = _TINY
        lack[i] = core / unit * inverses
        inverses += unit / core


@inline_kernel
def _sum_of_run(size, mean, gap_before, gap_after):
    """Sum of the scores in a run: 0 for a single leaf, and for a run that stands alone."""
    value = 0.0
    separation = min(gap_before, gap_after)
    if size > 1 and separation < np.inf:
        value = size * (1.0 - mean / separation)
    return value


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
    """Let a node fall into its parts; leaves that are lost at just this eps are taken out later.

    The gaps between its parts have its height, and the gaps beside it are higher, so that those
    beside it do not change.
    """
    links, numbers, counts = state.links, state.numbers, state.counts
    height = events.height[event]
    stop = events.stop[event]
    p = events.begin[event]
    after = links[p, _AFTER]
    gap_after = numbers[p, _GAP_AFTER]
    links[p, _END] = events.part_stop[event]
    numbers[p, _MEAN] = events.part_mean[event]
    _note(state, p)
    while links[p, _END] < stop:
        before = p
        p = links[before, _END]
        links[before, _AFTER] = p
        numbers[before, _GAP_AFTER] = height
        links[p, _BEFORE] = before
        numbers[p, _GAP_BEFORE] = height
        links[p, _END] = parts.stop[p]
        numbers[p, _MEAN] = parts.mean[p]
        counts[_CLUSTERS] += 1
        _note(state, p)
    links[p, _AFTER] = after
    numbers[p, _GAP_AFTER] = gap_after
    if after >= 0:
        links[after, _BEFORE] = p


@inline_kernel
def _sum_of_single(joins, links, numbers, p):
    """Sum of the scores in the only cluster, to which the nearest noise is the separation."""
    end = links[p, _END]
    before = joins[p] if p > 0 else np.inf
    after = joins[end] if end < joins.shape[0] else np.inf
    return _sum_of_run(end - p, numbers[p, _MEAN], before, after)


@kernel
def _sweep(joins, events, parts, state, found):
    """Fill `found` from the greatest eps down; return the number of rows.

    `high` and `low` are the sum of the scores of all clusters, `high_sized` and `low_sized` that of
    scores times sizes.
    """
    n_leaves = joins.shape[0]
    n_nodes = events.height.shape[0]
    links, numbers, counts, changed = state
    high, low, high_sized, low_sized = 0.0, 0.0, 0.0, 0.0
    event = 0
    row = 0
    while True:
        n_lost = counts[_LOST]
        largest_core = events.lost_core[n_lost] if n_lost < n_leaves else 0.0
        eps = max(events.height[event] if event < n_nodes else 0.0, largest_core)
        total = high + low
        pairs = total * float(n_leaves - n_lost) - (high_sized + low_sized)
        if counts[_CLUSTERS] < 2:
            pairs = 0.0
            total = -float(n_leaves)
            if counts[_CLUSTERS] == 1:
                total = _sum_of_single(joins, links, numbers, counts[_FIRST])
        if counts[_CLUSTERS] > 0:
            total += n_lost - events.noise_lack[n_leaves - n_lost]
        found.eps[row] = eps
        found.score[row] = pairs / (float(n_leaves) * n_leaves)
        found.disco[row] = total / n_leaves
        found.n_clusters[row] = counts[_CLUSTERS]
        found.n_noise[row] = n_lost
        row += 1
        if eps == 0.0:
            return row
        counts[_CHANGED] = 0
        while event < n_nodes and events.height[event] == eps:
            p = events.begin[event]
            value = numbers[p, _VALUE]
            high, low = add_exactly(high, low, -value)
            sized = value * (links[p, _END] - p)
            high_sized, low_sized = add_exactly(high_sized, low_sized, -sized)
            numbers[p, _VALUE] = 0.0
            _split(events, parts, state, event)
            event += 1
        while counts[_LOST] < n_leaves and events.lost_core[counts[_LOST]] == eps:
            p = events.lost[counts[_LOST]]
            counts[_LOST] += 1
            if links[p, _END] > 0:
                _take_out(state, p)
        for t in range(counts[_CHANGED]):
            p = changed[t]
            size = links[p, _END] - p
            if size > 0:
                old = numbers[p, _VALUE]
                gaps = numbers[p, _GAP_BEFORE], numbers[p, _GAP_AFTER]
                value = _sum_of_run(size, numbers[p, _MEAN], gaps[0], gaps[1])
                numbers[p, _VALUE] = value
                high, low = add_exactly(high, low, -old)
                high, low = add_exactly(high, low, value)
                high_sized, low_sized = add_exactly(high_sized, low_sized, -(old * size))
                high_sized, low_sized = add_exactly(high_sized, low_sized, value * size)
