"""The pair score: DISCO, counted by the pairs of points that a labeling tells apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import Labels
from disco_cvi._input.options import MinPoints
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.indices.disco import disco_by_row

OPTIONS = {"min_points": MinPoints()}
# A best score below this says that groups are hardly apart.
WEAK = 0.1


def pair_score(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by DISCO, each point as often as it is told apart from another one.

    The pair score is made for choosing: which of many labelings of the same points, which eps,
    which min_cluster_size. The maximum of DISCO is a bad choice, as one giant cluster and a few far
    points reach it; such a labeling tells hardly any two points apart, and so has a pair score near
    0. Greater is better; below 0 a labeling is worse than none. Values of different data sets
    cannot be compared.

    With s(x) the DISCO score of a point, n points, and p_c the share of all points in cluster c::

        P = 1 / n^2 * sum over clustered x of s(x) * #{y clustered, in another cluster than x}
          = sum over clusters c of p_c * (C - p_c) * mean of s over c,    C = sum of p_c

    So a point earns nothing by its own cluster nor by noise; the noise takes part through s, and by
    what it takes from C.

    ==================================  ==========================================================
    labeling                            value
    ==================================  ==========================================================
    only noise                          0: nothing is told apart
    one cluster, with or without noise  0
    every point alone                   0
    k equal clusters, all s = 1         1 - 1 / k, the greatest value for k clusters
    a point alone in its cluster        earns nothing itself, others earn by it
    ==================================  ==========================================================

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        The points, or their tree, which makes every further labeling cheap.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    min_points : int, optional
        As in `disco_score`. Default: 5, or that of the tree. Compare labelings under one value.
    metric : str or callable, optional
        See `DensityTree`. Default: "euclidean", or that of the tree.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        Above -1 and below 1, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer points than `min_points` where distances are needed.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    pair_samples : What every point earns.
    disco_score : How good a labeling is, its noise included.

    Notes
    -----
    Time and memory as for `disco_score`. The value does not depend on the order of the rows, to the
    last bit. It is no part of the DISCO paper. Choosing the eps of DBSCAN by it lost 0.057 of the
    adjusted Rand index on 72 data sets against the best eps there was, where the maximum of DISCO
    lost 0.35, of DBCV 0.26, of the Silhouette 0.27, and the knee of the k-distance plot 0.30. It
    takes the coarser level of a hierarchy, and does not find clusters of less than about 3 % of the
    points beside a giant one.

    Examples
    --------
    >>> from disco_cvi import disco_score, pair_score
    >>> X = [[0], [1], [2], [10], [11], [12], [50]]
    >>> good, giant = [0, 0, 0, 1, 1, 1, -1], [0, 0, 0, 0, 0, 0, -1]
    >>> round(disco_score(X, giant, min_points=2), 2), round(disco_score(X, good, min_points=2), 2)
    (0.88, 0.89)
    >>> round(pair_score(X, giant, min_points=2), 2), round(pair_score(X, good, min_points=2), 2)
    (0.0, 0.32)
    """
    clustering = open_clustering(
        X,
        labels,
        "pair_score",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
    )
    return evaluate_pair(clustering, min_points=min_points)


def pair_samples(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Tell what every point earns; `pair_score` is the mean of these.

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        As in `pair_score`, like all other parameters.
    labels : array-like of shape (n,)
        Cluster of each point.
    min_points : int, optional
        Which nearest point the core distance reaches to.
    metric : str or callable, optional
        See `DensityTree`.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of shape (n,)
        The DISCO score of each point times the share of all points that are clustered, but not with
        it; 0 for noise.

    Examples
    --------
    >>> from disco_cvi import pair_samples
    >>> X = [[0], [1], [2], [10], [11], [12], [50]]
    >>> pair_samples(X, [0, 0, 0, 1, 1, 1, -1], min_points=2).round(3)
    array([0.375, 0.375, 0.375, 0.375, 0.375, 0.375, 0.   ])
    """
    clustering = open_clustering(
        X,
        labels,
        "pair_samples",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
    )
    return _earn(clustering, min_points)


def evaluate_pair(clustering: Clustering, *, min_points: int | None = None) -> float:
    """Return the pair score of a clustering; see `pair_score`."""
    return exact_mean(_earn(clustering, min_points), clustering.n_jobs)


def pair_weights(labels: Labels) -> NDArray[np.int64]:
    """How many points are clustered, but not with the points of a cluster; for each cluster."""
    return np.asarray(labels.sizes.sum() - labels.sizes)


def pairs_apart(labels: Labels) -> NDArray[np.int64]:
    """How many pairs begin in a cluster and end in another one; for each cluster.

    Their share of all n^2 pairs, p_c (C - p_c), times the mean score of the cluster is its part of
    the pair score.
    """
    return np.asarray(labels.sizes * pair_weights(labels))


def earnings(samples: FloatArray, labels: Labels) -> FloatArray:
    """What every row earns by its score; each product is rounded alone, whatever the order."""
    weights = np.append(pair_weights(labels), 0)[labels.codes] / labels.n_points
    return np.asarray(samples * weights)


def _earn(clustering: Clustering, min_points: int | None) -> FloatArray:
    labels = clustering.labels
    if labels.n_clusters < 2:
        return np.zeros(clustering.n_points)
    return earnings(disco_by_row(clustering, min_points), labels)
