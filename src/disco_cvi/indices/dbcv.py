"""DBCV: how dense clusters are inside, against the density of what lies between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.metric import Metric
from disco_cvi._input.options import Choice, Count, OrNone
from disco_cvi._neighbors.core_distances import square_pairs
from disco_cvi._neighbors.distances import distance_rows
from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._neighbors.search_choice import are_few
from disco_cvi._spanning_tree.boruvka import Forest
from disco_cvi._spanning_tree.leaving_edges import LeavingEdges
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.dbcv_rows import (
    core_by_rows,
    grow_by_rows,
    lower_separations,
    separations_by_rows,
    sort_by_core,
)
from disco_cvi.indices.dbcv_trees import (
    Clusters,
    core_distances,
    gather_clusters,
    grow_trees,
    inner_points,
    sparseness,
)

OPTIONS = {
    "ties": Choice("coordinates", "rows"),
    # No array has more columns, and kernels count in 64 bits.
    "n_features": OrNone(Count(most=2**31 - 1)),
}
_BY_DEFINITION = Metric("sqeuclidean", {})
# The largest coordinate is brought below 2**480: squares neither overflow nor vanish early.
_TOP = 480
# Smaller than any difference of coordinates that matters.
_TINY = 2.0**-1000


def dbcv_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    ties: str = "coordinates",
    metric: str | Callable[..., float] = "sqeuclidean",
    metric_params: dict[str, Any] | None = None,
    n_features: int | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the density inside clusters and between them.

    DBCV is a mean over clusters, weighted by size, from -1 (worst) to 1 (best). A cluster of any
    shape scores high if its sparsest place is much denser than the densest place between it and
    another cluster. Noise points count in the total and score 0: they scale the value down.

    With squared Euclidean distances s(x, z) or those of another metric, d features, and for each
    cluster C of m points::

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
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points, or their distances.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    ties : {"coordinates", "rows"}, default="coordinates"
        Which of the minimum spanning trees to take. There are many, since edges have many ties, and
        the inner points depend on the choice. "coordinates": the tree of the authors' program for
        rows that are sorted by their coordinates, the first feature first; the value is one that
        their program gives, and the order of the rows has no influence. "rows": the tree of the
        authors' program for the rows as they are (Prim's algorithm from the first row of the
        cluster, lower rows first); the value depends on their order. Distances without points have
        no coordinates: there, points of smaller core distance come first, and of equal ones the
        first row.
    metric : str or callable, default="sqeuclidean"
        How distances are measured, see `DensityTree`. Squared Euclidean is the definition; other
        programs take "euclidean", which gives quite other values.
    metric_params : dict, optional
        Further arguments of the metric.
    n_features : int, optional
        The exponent. Default: the number of columns of `X`; needed for the metric "precomputed".
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
    dimension, as for metrics other than (squared) Euclidean, takes up to O(d n^2); memory O(n).

    Unless ties are broken by rows, the value does not depend on their order, to the last bit,
    copies and symmetric data included: core distances are sums without rounding. They are taken
    relative to the nearest point, so that powers of distances neither overflow nor vanish. For the
    metric "precomputed" it holds unless two points have equal core distances.

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
    clustering = open_clustering(
        X,
        labels,
        caller,
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
    )
    if clustering.points.metric.name == "precomputed" and n_features is None:
        raise InvalidInputError(
            argument="n_features",
            caller=caller,
            rule="be given for the metric 'precomputed': distances do not tell it",
            remedy="Pass the number of features of the points, such as n_features=2.",
        )
    OPTIONS["ties"].check(ties, "ties", caller)
    return evaluate_dbcv(clustering, ties=ties, n_features=n_features)


def evaluate_dbcv(
    clustering: Clustering, *, ties: str = "coordinates", n_features: int | None = None
) -> float:
    """`dbcv_score` of a clustering; ties "distances": of edges of equal weight the shorter one."""
    points = clustering.points
    metric = points.metric if points.has_own_metric else _BY_DEFINITION
    OPTIONS["n_features"].check(n_features, "n_features", clustering.caller)
    if n_features is None:
        if metric.name == "precomputed":
            message = "DBCV needs the number of features (n_features); distances do not tell it."
            raise UndefinedScoreError(message)
        n_features = points.array.shape[1]
    if (clustering.labels.sizes >= 2).sum() < 2:
        return 0.0
    by_points = metric.name == "sqeuclidean" or metric.is_plain
    measure = _measure_points if by_points else _measure_rows
    sizes, sparse, apart = measure(clustering, metric, n_features, ties)
    larger = np.maximum(apart, sparse)
    validity = (apart - sparse) / np.where(larger > 0, larger, 1.0)
    return math.fsum(sizes * validity) / clustering.n_points


def _measure_points(
    clustering: Clustering, metric: Metric, n_features: int, ties: str
) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
    """Sizes, sparse and apart of the clusters, for distances and for their squares.

    All is done by squares; the distances themselves are taken at the end.
    """
    by_distance, sort = ties == "distances", ties != "rows"
    points, _ = scale_points(clustering.array, _TOP)
    clusters = gather_clusters(points, clustering.members, sort=sort, merge=sort)
    half_powers = n_features if metric.is_plain else 2 * n_features
    core = core_distances(clusters, half_powers, clustering.n_jobs)
    trees = grow_trees(clusters, core, clustering.n_jobs, by_distance=by_distance)
    inner = inner_points(clusters, core, trees, by_distance=by_distance)
    sparse = sparseness(clusters, core, trees, inner)
    apart = separations(clusters, core, inner, clustering.n_jobs)
    if metric.is_plain:
        sparse, apart = np.sqrt(sparse), np.sqrt(apart)
    return clusters.sizes, sparse, apart


def _measure_rows(
    clustering: Clustering, metric: Metric, n_features: int, ties: str
) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
    """The same for any metric, some rows of distances at a time."""
    by_distance, sort = ties == "distances", ties != "rows"
    has_points = metric.name != "precomputed"
    source = distance_rows(clustering.array, metric, clustering.caller)
    clusters = gather_clusters(
        clustering.array, clustering.members, sort=sort and has_points, merge=False
    )
    core = core_by_rows(source, clusters, n_features)
    if sort and not has_points:
        clusters, core = sort_by_core(clusters, core)
    trees = grow_by_rows(source, clusters, core, by_distance=by_distance)
    inner = inner_points(clusters, core, trees, by_distance=by_distance)
    sparse = sparseness(clusters, core, trees, inner)
    return clusters.sizes, sparse, separations_by_rows(source, clusters, core, inner)


def separations(clusters: Clusters, core: FloatArray, inner: BoolArray, n_jobs: int) -> FloatArray:
    """For each cluster the smallest mutual reachability of inner points of it and of another.

    It is the cheapest edge that leaves a component, of which spanning trees are made.
    """
    codes, core = clusters.codes[inner], core[inner]
    if are_few(len(core), clusters.points.shape[1]):
        apart = np.full(len(clusters.sizes), np.inf)
        squares = square_pairs(clusters.points[inner])
        lower_separations(squares, slice(None), codes, core, apart)
        return apart
    # The tree keeps one of identical points; it must not take two clusters for one.
    tree = build_kd_tree(np.column_stack([clusters.points[inner], codes * _TINY]))
    tree = tree._replace(
        points=np.ascontiguousarray(tree.points[:, :-1]),
        lower=np.ascontiguousarray(tree.lower[:, :-1]),
        upper=np.ascontiguousarray(tree.upper[:, :-1]),
    )
    rows = tree.rows[np.cumsum(tree.multiplicity) - tree.multiplicity]
    codes, core = codes[rows], core[rows]
    partner = np.full(len(core), -1, np.int32)
    cheapest = np.full(len(clusters.sizes), np.inf)
    forest = Forest(core, codes, core.copy(), partner, cheapest, np.empty(0, np.int32))
    edges = LeavingEdges(tree, n_jobs)
    edges.renew(forest)
    edges.search(forest)
    # Threads may overwrite each other's entries of `cheapest`, but not what a point found.
    found = partner >= 0
    apart = np.full(len(clusters.sizes), np.inf)
    np.minimum.at(apart, codes[found], forest.bound[found])
    return apart
