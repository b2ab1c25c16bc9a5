"""DBCV: how dense clusters are inside, against the density of what lies between them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Workspace, open_workspace
from disco_cvi._input.options import check_choice
from disco_cvi._neighbors.core_distances import range_size
from disco_cvi._neighbors.distances import scaled
from disco_cvi._neighbors.kd_tree import build_kd_tree, squared_distance
from disco_cvi._spanning_tree.boruvka import Forest
from disco_cvi._spanning_tree.mutual_reachability import (
    node_components,
    search_partners,
    smallest_cores,
)

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Members = tuple[NDArray[np.intp], ...]

_MST_CHOICES = ("canonical", "authors")
# The largest coordinate is brought below 2**480: squares neither overflow nor vanish early.
_TOP = 480
_ROWS_PER_CALL = 128
_WORK_PER_CALL = 50_000_000
# Smaller than any difference of coordinates that matters.
_TINY = 2.0**-1000
# Terms of core distances are cut into two whole numbers of 36 bits, which 2**27 points can add up;
# what is too small to reach these bits counts as 0.
_BITS = 36
_UNIT = 2.0**_BITS
_LOWER_BITS = (1 << _BITS) - 1
_NOTHING = 2.0**-80


def dbcv_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    mst: str = "canonical",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the density inside clusters and between them.

    DBCV is a mean over clusters, weighted by size, from -1 (worst) to 1 (best). A cluster of any
    shape scores high if its sparsest place is much denser than the densest place between it and
    another cluster. Noise points count in the total and score 0: they scale the value down.

    With squared Euclidean distances s(x, z), d features, and for each cluster C of m points::

        core(x)   = (sum of s(x, z)^-d over z in C with s(x, z) > 0, over m - 1)^(-1/d)
        mr(x, z)  = max(core(x), core(z), s(x, z))
        T         = a minimum spanning tree of C under mr
        inner     = points of C with two edges of T or more; both points if m = 2
        sparse(C) = heaviest edge of T between inner points; if there is none, heaviest of all
        apart(C)  = smallest mr of an inner point of C and an inner point of another cluster
        V(C)      = (apart - sparse) / max(apart, sparse), and 0 where both are 0
        DBCV      = sum of m / n * V(C)

    core(x) is 0 where the sum is empty; n counts all points. The edge cases are those of the
    authors' program:

    =======================================  ===================================================
    labeling                                 value
    =======================================  ===================================================
    two clusters of two points or more       as above
    only noise                               0
    one cluster, with or without noise       0
    a point alone in its cluster             counts as noise
    a cluster of two points                  both are inner points
    a cluster of three points                one inner point; sparse is the heaviest edge of all
    a cluster of identical points            its core distances and sparse are 0
    all points identical, two clusters       0
    =======================================  ===================================================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    mst : {"canonical", "authors"}, default="canonical"
        Which of the minimum spanning trees to take. There are many, since mr has many ties, and
        the inner points depend on the choice. "canonical": edges of equal mr are compared by
        distance, then by the coordinates of their ends; of several copies of a point one carries
        all edges and the others hang on it. "authors": Prim's algorithm from the first row of the
        cluster, lower rows first, as in the authors' program; the value depends on the row order.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From -1 to 1, greater is better; never NaN.

    Raises
    ------
    ValueError, TypeError
        If an argument holds an unusable value, or is of the wrong type.

    Notes
    -----
    Time O(d times the sum of m^2), and a search in a k-d tree between clusters, which in high
    dimension takes up to O(d n^2); memory O(n).

    With the canonical tree the value does not depend on the order of the rows, to the last bit,
    copies and symmetric data included: core distances are sums without rounding. They are taken
    relative to the nearest point, so that powers of distances neither overflow nor vanish.

    References
    ----------
    D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek, J. Sander: Density-Based Clustering
    Validation. SIAM International Conference on Data Mining, 2014, 839-847.
    doi:10.1137/1.9781611973440.96

    Examples
    --------
    >>> from disco_cvi import dbcv_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = dbcv_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = dbcv_score(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (0.88, -0.875)
    """
    caller = "dbcv_score"
    work = open_workspace(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    return evaluate_dbcv(work, mst=mst)


def evaluate_dbcv(work: Workspace, *, mst: str = "canonical") -> float:
    """Compute DBCV in a workspace."""
    canonical = check_choice(mst, _MST_CHOICES, "mst", work.caller) == "canonical"
    if (work.labels.sizes >= 2).sum() < 2:
        return 0.0
    clusters = gather_clusters(scaled(work.points, _TOP)[0], work.members, merge=canonical)
    core = _core_distances(clusters, work.n_jobs)
    trees = grow_trees(clusters, core, work.n_jobs, canonical=canonical)
    # Two points have one edge; they are inner points both.
    inner = (degrees(clusters, trees.parent) >= 2) | (clusters.sizes[clusters.codes] == 2)
    sparse = sparseness(clusters, core, trees, inner)
    apart = separations(clusters, core, inner, work.n_jobs)
    larger = np.maximum(apart, sparse)
    validity = (apart - sparse) / np.where(larger > 0, larger, 1.0)
    return math.fsum(clusters.sizes * validity) / work.n_points


class Clusters(NamedTuple):
    """The points of all clusters of two points or more, cluster after cluster.

    Point i stands for ``copies[i]`` rows. Cluster c holds the points ``starts[c]`` to
    ``starts[c + 1] - 1``, which make ``sizes[c]`` rows.
    """

    points: FloatArray
    copies: NDArray[np.int64]
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]


class Trees(NamedTuple):
    """One growing tree for each cluster.

    Point i joined, or would join, by an edge to ``parent[i]`` of that weight, whose ends lie that
    far apart (squared); the first point of a cluster is its own parent. The first
    ``n_outside[c]`` places of a cluster in `outside` list its points that have not joined;
    ``newest[c]`` is the last one that did. ``joined[i]``: how many had joined before.
    """

    parent: NDArray[np.int32]
    weight: FloatArray
    square: FloatArray
    joined: NDArray[np.int32]
    outside: NDArray[np.int32]
    n_outside: NDArray[np.int64]
    newest: NDArray[np.int32]


def gather_clusters(points: FloatArray, members: Members, *, merge: bool) -> Clusters:
    """Gather the clusters; merge: in the order of coordinates and with copies as one point."""
    members = tuple(rows for rows in members if len(rows) >= 2)
    sizes = np.array([len(rows) for rows in members], np.int64)
    codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    points = points[np.concatenate(members)]
    copies = np.ones(len(points), np.int64)
    if merge:
        order = np.lexsort((*points.T[::-1], codes))
        points = points[order]
        is_new = np.append(True, codes[1:] != codes[:-1])
        for feature in points.T:
            is_new[1:] |= feature[1:] != feature[:-1]
        first = np.flatnonzero(is_new)
        copies = np.diff(first, append=len(points))
        points, codes = points[first], codes[first]
    starts = np.searchsorted(codes, np.arange(len(sizes) + 1))
    return Clusters(np.ascontiguousarray(points), copies, codes, starts, sizes)


def grow_trees(clusters: Clusters, core: FloatArray, n_jobs: int, *, canonical: bool) -> Trees:
    """Grow a minimum spanning tree in every cluster: Prim's algorithm."""
    n_points, n_clusters = len(clusters.points), len(clusters.sizes)
    roots = clusters.starts[:-1].astype(np.int32)
    trees = Trees(
        roots[clusters.codes],
        np.full(n_points, np.inf),
        np.zeros(n_points),
        np.zeros(n_points, np.int32),
        np.arange(1, n_points + 1, dtype=np.int32),
        np.diff(clusters.starts) - 1,
        roots.copy(),
    )

    def grow_range(begin: int, stop: int) -> None:
        while not _grow(clusters, core, trees, canonical, begin, stop, _WORK_PER_CALL):
            pass

    for_ranges(grow_range, n_clusters, -(-n_clusters // 64), n_jobs, "DBCV")
    return trees


def degrees(clusters: Clusters, parent: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many edges each point has, those to its copies included."""
    is_edge = parent != np.arange(len(parent))
    ends = np.bincount(parent[is_edge], minlength=len(parent))
    return np.asarray(clusters.copies - 1 + is_edge + ends)


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


def separations(clusters: Clusters, core: FloatArray, inner: BoolArray, n_jobs: int) -> FloatArray:
    """For each cluster the smallest mutual reachability of inner points of it and of another.

    It is the cheapest edge that leaves a component, of which spanning trees are made.
    """
    codes, core = clusters.codes[inner], core[inner]
    # The tree keeps one of identical points; it must not take two clusters for one.
    tree = build_kd_tree(np.column_stack([clusters.points[inner], codes * _TINY]))
    tree = tree._replace(
        points=np.ascontiguousarray(tree.points[:, :-1]),
        lower=np.ascontiguousarray(tree.lower[:, :-1]),
        upper=np.ascontiguousarray(tree.upper[:, :-1]),
    )
    rows = tree.rows[np.cumsum(tree.multiplicity) - tree.multiplicity]
    codes, core = codes[rows], core[rows]
    n_points, n_nodes = len(core), len(tree.start)
    smallest_core, component = np.empty(n_nodes), np.empty(n_nodes, np.int32)
    smallest_cores(tree, core, smallest_core)
    node_components(tree, codes, component)
    partner = np.full(n_points, -1, np.int32)
    cheapest = np.full(len(clusters.sizes), np.inf)
    forest = Forest(core, codes, core.copy(), partner, cheapest, np.empty(0, np.int32))

    def search_range(begin: int, stop: int) -> None:
        search_partners(tree, smallest_core, component, forest, begin, stop)

    for_ranges(search_range, n_points, range_size(tree, 1), n_jobs)
    # Threads may overwrite each other's entries of `cheapest`, but not what a point found.
    found = partner >= 0
    apart = np.full(len(clusters.sizes), np.inf)
    np.minimum.at(apart, codes[found], forest.bound[found])
    return apart


def _core_distances(clusters: Clusters, n_jobs: int) -> FloatArray:
    core = np.empty(len(clusters.points))

    def fill_range(begin: int, stop: int) -> None:
        _fill_core(clusters, core, begin, stop)

    for_ranges(fill_range, len(core), _ROWS_PER_CALL, n_jobs, "DBCV")
    return core


@kernel
def _fill_core(clusters, core, begin, stop):
    """Core distances of the points begin to stop - 1.

    With t the squared distance to the nearest other point, core is t times a mean of (t / s)^d, to
    the power -1/d: terms from 0 to 1, the largest 1. Their sum is taken in whole numbers, so that
    the order of the points does not matter.
    """
    points, copies, starts = clusters.points, clusters.copies, clusters.starts
    span = starts[clusters.codes[stop - 1] + 1] - starts[clusters.codes[begin]]
    ratios, powers = np.empty(span), np.empty(span)
    for i in range(begin, stop):
        c = clusters.codes[i]
        first = starts[c]
        n_others = starts[c + 1] - first
        nearest = np.inf
        for t in range(n_others):
            square = squared_distance(points, i, first + t)
            ratios[t] = square
            if 0.0 < square < nearest:
                nearest = square
        if nearest == np.inf:
            core[i] = 0.0
            continue
        for t in range(n_others):
            ratios[t] = nearest / ratios[t] if ratios[t] > 0.0 else 0.0
            powers[t] = 1.0
        exponent = points.shape[1]
        while True:
            if exponent & 1:
                for t in range(n_others):
                    powers[t] *= ratios[t]
            exponent >>= 1
            if exponent == 0:
                break
            for t in range(n_others):
                ratios[t] = ratios[t] * ratios[t] if ratios[t] > _NOTHING else 0.0
        upper, lower = np.int64(0), np.int64(0)
        for t in range(n_others):
            x = powers[t] * _UNIT
            whole = np.int64(x)
            upper += whole * copies[first + t]
            lower += np.int64((x - whole) * _UNIT) * copies[first + t]
        upper += lower >> _BITS
        total = (upper + (lower & _LOWER_BITS) / _UNIT) / _UNIT
        core[i] = nearest * (total / (clusters.sizes[c] - 1)) ** (-1.0 / points.shape[1])


@kernel
def _grow(clusters, core, trees, canonical, begin, stop, work_allowed):
    """Let points join the trees of the clusters begin to stop - 1; tell whether all have.

    Points of merged clusters stand in the order of coordinates, so their numbers are ranks.
    """
    points, starts = clusters.points, clusters.starts
    parent, weight, square, outside = trees.parent, trees.weight, trees.square, trees.outside
    work = 0
    for c in range(begin, stop):
        first = starts[c]
        while trees.n_outside[c] > 0:
            if work > work_allowed:
                return False
            n_outside = trees.n_outside[c]
            work += n_outside * (points.shape[1] + 2)
            newest = trees.newest[c]
            place = first
            for t in range(first, first + n_outside):
                i = outside[t]
                apart = squared_distance(points, newest, i)
                cost = max(max(apart, core[newest]), core[i])
                if cost < weight[i] or (
                    canonical
                    and cost == weight[i]
                    and _comes_first(apart, newest, i, square[i], parent[i], i)
                ):
                    weight[i] = cost
                    square[i] = apart
                    parent[i] = newest
                best = outside[place]
                if weight[i] < weight[best] or (
                    weight[i] == weight[best]
                    and (
                        _comes_first(square[i], parent[i], i, square[best], parent[best], best)
                        if canonical
                        else i < best
                    )
                ):
                    place = t
            newest = outside[place]
            outside[place] = outside[first + n_outside - 1]
            trees.joined[newest] = starts[c + 1] - first - n_outside
            trees.newest[c] = newest
            trees.n_outside[c] = n_outside - 1
    return True


@inline_kernel
def _comes_first(square, one, two, other_square, other_one, other_two):
    """Whether of two edges of equal weight the first one is to be taken."""
    if square != other_square:
        return square < other_square
    low = min(one, two)
    other_low = min(other_one, other_two)
    if low != other_low:
        return low < other_low
    return max(one, two) < max(other_one, other_two)
