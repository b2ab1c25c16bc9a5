"""Core distances and minimum spanning trees inside clusters, as DBCV needs them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges, stop_if_over
from disco_cvi._neighbors.kd_tree import squared_distance

Members = tuple[NDArray[np.intp], ...]

_ROWS_PER_CALL = 128
_WORK_PER_CALL = 50_000_000
# Terms of core distances are cut into two whole numbers of 36 bits, which 2**27 points can add up;
# what is too small to reach these bits counts as 0.
_BITS = 36
_UNIT = 2.0**_BITS
_LOWER_BITS = (1 << _BITS) - 1
_NOTHING = 2.0**-80


class Clusters(NamedTuple):
    """The points of all clusters of two points or more, cluster after cluster.

    Point i is that of the row ``rows[i]`` and stands for ``copies[i]`` rows. Cluster c holds the
    points ``starts[c]`` to ``starts[c + 1] - 1``, which make ``sizes[c]`` rows.
    """

    points: FloatArray
    rows: NDArray[np.intp]
    copies: NDArray[np.int64]
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]


class Trees(NamedTuple):
    """One growing tree for each cluster.

    Point i joined, or would join, by an edge to ``parent[i]`` of that weight, whose ends lie that
    far `apart`; the first point of a cluster is its own parent. The first ``n_outside[c]`` places
    of a cluster in `outside` list its points that have not joined; ``newest[c]`` is the last one
    that did. ``joined[i]``: how many had joined before.
    """

    parent: NDArray[np.int32]
    weight: FloatArray
    apart: FloatArray
    joined: NDArray[np.int32]
    outside: NDArray[np.int32]
    n_outside: NDArray[np.int64]
    newest: NDArray[np.int32]


def gather_clusters(points: FloatArray, members: Members, *, sort: bool, merge: bool) -> Clusters:
    """Gather the clusters; sort: by coordinates, not by rows; merge: with copies as one point.

    Zeros of either sign are the same coordinate.
    """
    members = tuple(rows for rows in members if len(rows) >= 2)
    sizes = np.array([len(rows) for rows in members], np.int64)
    codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    rows = np.concatenate(members)
    if sort:
        rows = rows[np.lexsort((*points[rows].T[::-1], codes))]
    points = points[rows]
    copies = np.ones(len(points), np.int64)
    if merge:
        is_new = np.append(True, codes[1:] != codes[:-1])
        for feature in points.T:
            is_new[1:] |= feature[1:] != feature[:-1]
        first = np.flatnonzero(is_new)
        copies = np.diff(first, append=len(points))
        points, rows, codes = points[first], rows[first], codes[first]
    starts = np.searchsorted(codes, np.arange(len(sizes) + 1))
    return Clusters(np.ascontiguousarray(points), rows, copies, codes, starts, sizes)


def core_distances(clusters: Clusters, half_powers: int, n_jobs: int) -> FloatArray:
    """Core distances by squared distances, each to the power of `half_powers` halves."""
    core = np.empty(len(clusters.points))

    def fill_range(begin: int, stop: int) -> None:
        _fill_core(clusters, half_powers, core, begin, stop)

    for_ranges(fill_range, len(core), _ROWS_PER_CALL, n_jobs, "DBCV")
    return core


def plant_trees(clusters: Clusters) -> Trees:
    """Trees of one point each, the first of its cluster."""
    n_points = len(clusters.points)
    roots = clusters.starts[:-1].astype(np.int32)
    return Trees(
        roots[clusters.codes],
        np.full(n_points, np.inf),
        np.zeros(n_points),
        np.zeros(n_points, np.int32),
        np.arange(1, n_points + 1, dtype=np.int32),
        np.diff(clusters.starts) - 1,
        roots.copy(),
    )


def grow_trees(clusters: Clusters, core: FloatArray, n_jobs: int, *, by_distance: bool) -> Trees:
    """Grow a minimum spanning tree of squared distances in every cluster: Prim's algorithm.

    Of edges of equal weight the one that was met first is taken, to the point that comes first;
    or by distance, and only then by the order of the points.
    """
    trees = plant_trees(clusters)
    n_clusters = len(clusters.sizes)

    def grow_range(begin: int, stop: int) -> None:
        while not _grow(clusters, core, trees, by_distance, begin, stop, _WORK_PER_CALL):
            stop_if_over()

    for_ranges(grow_range, n_clusters, -(-n_clusters // 64), n_jobs, "DBCV")
    return trees


def inner_points(
    clusters: Clusters, core: FloatArray, trees: Trees, *, by_distance: bool
) -> BoolArray:
    """Points with two edges or more; two points have one edge, and are inner points both."""
    holder = np.arange(len(core))
    if not by_distance:
        # The first of several copies joins first. If that took no more than its core distance, the
        # others keep their edges, which lead where its own does; else they are now nearest to it.
        holder = np.where(trees.weight > core, holder, trees.parent)
    n_edges = degrees(trees.parent)
    np.add.at(n_edges, holder, clusters.copies - 1)
    return np.asarray((n_edges >= 2) | (clusters.sizes[clusters.codes] == 2))


def degrees(parent: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many edges each point has, but for those to copies."""
    is_edge = parent != np.arange(len(parent))
    return np.asarray(is_edge + np.bincount(parent[is_edge], minlength=len(parent)))


def sparseness(clusters: Clusters, core: FloatArray, trees: Trees, inner: BoolArray) -> FloatArray:
    """The heaviest edge between inner points of each cluster, or else the heaviest of all."""
    codes, parent, weight = clusters.codes, trees.parent, trees.weight
    edges = np.flatnonzero(parent != np.arange(len(parent)))
    heaviest = np.zeros(len(clusters.sizes))
    np.maximum.at(heaviest, codes[edges], weight[edges])
    # An edge to a copy weighs as much as the core distance; the copy is no inner point.
    has_copies = clusters.copies > 1
    np.maximum.at(heaviest, codes[has_copies], core[has_copies])
    edges = edges[inner[edges] & inner[parent[edges]]]
    inside = np.full(len(clusters.sizes), -1.0)
    np.maximum.at(inside, codes[edges], weight[edges])
    return np.where(inside >= 0, inside, heaviest)


@inline_kernel
def core_distance(distances, nearest, powers, copies, size, half_powers):
    """The core distance of a point, by its distances to all points of its cluster.

    With t the distance to the nearest other point, it is t times a mean of (t / s)^p, to the power
    -1/p: terms from 0 to 1, the largest 1. Their sum is taken in whole numbers, so that the order
    of the points does not matter. `distances` and `powers` are written to.
    """
    n_points = len(copies)
    for t in range(n_points):
        distances[t] = nearest / distances[t] if distances[t] > 0.0 else 0.0
        powers[t] = np.sqrt(distances[t]) if half_powers & 1 else 1.0
    ratios = distances
    exponent = half_powers >> 1
    while exponent > 0:
        if exponent & 1:
            for t in range(n_points):
                powers[t] *= ratios[t]
        exponent >>= 1
        if exponent == 0:
            break
        for t in range(n_points):
            ratios[t] = ratios[t] * ratios[t] if ratios[t] > _NOTHING else 0.0
    upper, lower = np.int64(0), np.int64(0)
    for t in range(n_points):
        x = powers[t] * _UNIT
        whole = np.int64(x)
        upper += whole * copies[t]
        lower += np.int64((x - whole) * _UNIT) * copies[t]
    upper += lower >> _BITS
    total = (upper + (lower & _LOWER_BITS) / _UNIT) / _UNIT
    return nearest * (total / (size - 1)) ** (-2.0 / half_powers)


@kernel
def _fill_core(clusters, half_powers, core, begin, stop):
    """Core distances of the points begin to stop - 1."""
    points, starts = clusters.points, clusters.starts
    span = starts[clusters.codes[stop - 1] + 1] - starts[clusters.codes[begin]]
    squares, powers = np.empty(span), np.empty(span)
    for i in range(begin, stop):
        c = clusters.codes[i]
        first, end = starts[c], starts[c + 1]
        nearest = np.inf
        for t in range(end - first):
            square = squared_distance(points, i, first + t)
            squares[t] = square
            if 0.0 < square < nearest:
                nearest = square
        core[i] = 0.0
        if nearest < np.inf:
            copies, size = clusters.copies[first:end], clusters.sizes[c]
            core[i] = core_distance(squares, nearest, powers, copies, size, half_powers)


@kernel
def _grow(clusters, core, trees, by_distance, begin, stop, work_allowed):
    """Let points join the trees of the clusters begin to stop - 1; tell whether all have."""
    points, starts = clusters.points, clusters.starts
    no_row = np.empty(0)
    work = 0
    for c in range(begin, stop):
        while trees.n_outside[c] > 0:
            if work > work_allowed:
                return False
            work += trees.n_outside[c] * (points.shape[1] + 2)
            _join(c, starts, core, trees, points, no_row, by_distance)
    return True


@kernel
def join_by_row(c, starts, core, trees, row, by_distance):
    """Let a point join the tree of cluster c, by the cheapest edge.

    `row` are the distances from the newest point of the tree to all points of the cluster.
    """
    _join(c, starts, core, trees, np.empty((0, 0)), row, by_distance)


@inline_kernel
def _join(c, starts, core, trees, points, row, by_distance):
    """Let a point join; distances are those of the row if there is one, else those of points."""
    parent, weight, outside = trees.parent, trees.weight, trees.outside
    first, n_outside, newest = starts[c], trees.n_outside[c], trees.newest[c]
    has_row = len(row) > 0
    place = first
    for t in range(first, first + n_outside):
        i = outside[t]
        distance = row[i - first] if has_row else squared_distance(points, newest, i)
        cost = max(max(distance, core[newest]), core[i])
        if cost < weight[i] or (
            by_distance
            and cost == weight[i]
            and _comes_first(distance, newest, i, trees.apart[i], parent[i], i)
        ):
            weight[i] = cost
            trees.apart[i] = distance
            parent[i] = newest
        best = outside[place]
        if weight[i] < weight[best] or (
            weight[i] == weight[best]
            and (
                _comes_first(trees.apart[i], parent[i], i, trees.apart[best], parent[best], best)
                if by_distance
                else i < best
            )
        ):
            place = t
    newest = outside[place]
    outside[place] = outside[first + n_outside - 1]
    trees.joined[newest] = starts[c + 1] - first - n_outside
    trees.newest[c] = newest
    trees.n_outside[c] = n_outside - 1


@inline_kernel
def _comes_first(apart, one, two, other_apart, other_one, other_two):
    """Whether of two edges of equal weight the first one is to be taken."""
    if apart != other_apart:
        return apart < other_apart
    low = min(one, two)
    other_low = min(other_one, other_two)
    if low != other_low:
        return low < other_low
    return max(one, two) < max(other_one, other_two)
