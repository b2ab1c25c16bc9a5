"""Silhouette: how much nearer points lie to their own cluster than to the nearest other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import (
    Clustering,
    SideBySide,
    make_groups,
    open_clustering,
    put_side_by_side,
)
from disco_cvi._input.options import Choice
from disco_cvi._input.points import METRIC
from disco_cvi._neighbors.distances import SHRINK, distance_rows, row_blocks, sums_of_rows
from disco_cvi._neighbors.pair_sums import SIDE_BY_SIDE, sum_to_groups

OPTIONS = {"noise": Choice("cluster", "filter", "singletons")}

# Groups whose sums are kept side by side: noise may make as many groups as there are points.
_GROUPS_AT_ONCE = 512


def silhouette_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    metric: str | Callable[..., float] = METRIC,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by how much nearer points lie to their own cluster than to any other.

    The Silhouette is the mean of one score per point, from -1 (worst) to 1 (best); around 0,
    clusters overlap. It favors round clusters of similar size. The value does not depend on the
    order of the rows, to the last bit.

    With `a` the mean distance of a point to the other points of its
    cluster and `b` its smallest mean distance to another cluster, the score of the point is
    (b - a) / max(a, b).

    ===============================  ==========================================================
    labeling                         value
    ===============================  ==========================================================
    a point alone in its cluster     the point scores 0
    a and b both 0 (identical)       the point scores 0
    one cluster, no noise            undefined
    every point alone                undefined
    only noise                       undefined
    one cluster and noise            as of two clusters (``noise="cluster"``); undefined with
                                     "filter"; with "singletons" b is the distance to the
                                     nearest noise point
    ===============================  ==========================================================

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise : {"cluster", "filter", "singletons"}, default="cluster"
        What noise is: one more cluster, as scikit-learn has it; left out; or many clusters of one
        point each, which score 0.
    metric : str or callable, default="euclidean"
        See `DensityTree`.
    metric_params : dict, optional
        Further arguments of the metric.
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
    UndefinedScoreError
        If fewer than two clusters are left, or if every point is alone.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    silhouette_samples : The score of every point.

    Notes
    -----
    Time O(n^2 d), whatever the number of clusters; memory O(n d). Euclidean distances are computed
    from differences, so that nothing cancels, and each is used at once; those of other metrics are
    looked at some rows at a time. Points are added in an order of
    their own, by coordinates. Noise is not part of the original definition.

    References
    ----------
    P. J. Rousseeuw: Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis. Journal of Computational and Applied Mathematics 20, 53-65, 1987.
    https://doi.org/10.1016/0377-0427(87)90125-7

    Examples
    --------
    >>> from disco_cvi import silhouette_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = silhouette_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = silhouette_score(X, [0, 0, 1, 1, 0, 0, 1, 1, 1])
    >>> round(good, 3), round(bad, 3)
    (0.799, -0.147)
    """
    caller = "silhouette_score"
    clustering = open_clustering(
        X,
        labels,
        caller,
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
    )
    return evaluate_silhouette(clustering, noise=noise)


def silhouette_samples(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    metric: str | Callable[..., float] = METRIC,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Score every point of a clustering; `silhouette_score` is the mean of these.

    Parameters
    ----------
    X : array-like of shape (n, d)
        As in `silhouette_score`, like all other parameters.
    labels : array-like of shape (n,)
        Cluster of each point.
    noise : {"cluster", "filter", "singletons"}, default="cluster"
        What noise is.
    metric : str or callable, default="euclidean"
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
        From -1 to 1, in the order of the rows. A negative score says that the point lies nearer to
        another cluster. With ``noise="filter"`` noise points have no score: NaN stands in their
        rows, and the mean leaves them out.

    Raises
    ------
    UndefinedScoreError
        Where `silhouette_score` raises it.

    Examples
    --------
    >>> from disco_cvi import silhouette_samples
    >>> X = [[0], [1], [2], [10], [11], [12], [30]]
    >>> silhouette_samples(X, [0, 0, 0, 1, 1, 1, -1]).round(3)
    array([0.864, 0.9  , 0.833, 0.833, 0.9  , 0.864, 0.   ])
    """
    caller = "silhouette_samples"
    clustering = open_clustering(
        X,
        labels,
        caller,
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
    )
    judged = _judge(clustering, noise)
    if len(judged) == clustering.n_points:
        return judged
    samples = np.full(clustering.n_points, np.nan)
    samples[clustering.labels.codes >= 0] = judged
    return samples


def evaluate_silhouette(clustering: Clustering, *, noise: str = "cluster") -> float:
    """Compute the Silhouette of a clustering."""
    return exact_mean(_judge(clustering, noise))


def _judge(clustering: Clustering, noise: str) -> FloatArray:
    """Return the score of every point that is judged, in the order of the rows."""
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    groups = make_groups(clustering, "Silhouette", noise)
    if clustering.points.metric.is_plain:
        return _judge_plain(*groups)
    return _judge_by_rows(*groups)


def _judge_plain(
    clustering: Clustering, codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> FloatArray:
    # Scores do not change with the size of the data; this one keeps all squares within range.
    array, _ = scale_points(clustering.array, 400)
    groups = put_side_by_side(array, codes, sizes)
    judged = np.empty(len(codes))

    def judge(begin: int, stop: int) -> None:
        sums = _sums_to_groups(groups, begin, stop)
        judged[begin:stop] = _compare_groups(sums, groups.codes[begin:stop], sizes)

    for_ranges(judge, len(codes), SIDE_BY_SIDE, clustering.n_jobs, "Silhouette")
    samples = np.empty(len(codes))
    samples[groups.rows] = judged
    return samples


def _sums_to_groups(groups: SideBySide, begin: int, stop: int) -> Iterator[FloatArray]:
    """Sums of distances from points `begin` to ``stop - 1``, to some of the groups at a time."""
    for first in range(0, len(groups.starts) - 1, _GROUPS_AT_ONCE):
        starts = groups.starts[first : first + _GROUPS_AT_ONCE + 1]
        sums = np.empty((len(starts) - 1, stop - begin))
        sum_to_groups(groups.points, starts, begin, stop, -1, sums)
        yield sums


def _judge_by_rows(
    clustering: Clustering, codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> FloatArray:
    """The same for any metric, some rows of distances at a time.

    Distances to a group are added from the smallest to the largest: the same bits for any order
    of the rows.
    """
    source = distance_rows(clustering.array, clustering.points.metric, clustering.caller)
    order = np.argsort(codes, kind="stable")
    starts = np.cumsum(sizes) - sizes
    samples = np.empty(len(codes))
    for block in row_blocks(len(codes), len(codes)):
        distances = source.rows(block.start, block.stop)[:, order]
        groups = np.split(distances, starts[1:], axis=1)
        sums = np.array([sums_of_rows(group) for group in groups])
        # A score does not change with the size of all distances of its point.
        is_huge = ~np.isfinite(sums).all(axis=0)
        if is_huge.any():
            shrunk = [np.ldexp(group[is_huge], SHRINK) for group in groups]
            sums[:, is_huge] = [sums_of_rows(group) for group in shrunk]
        samples[block] = _compare_groups([sums], codes[block], sizes)
    return samples


def _compare_groups(
    sums: Iterable[FloatArray], own: NDArray[np.int32], sizes: NDArray[np.int64]
) -> FloatArray:
    """Silhouettes of points from the sums of their distances: a row for each group, in parts.

    The sums are written to.
    """
    inside, nearest = np.empty(len(own)), np.full(len(own), np.inf)
    first = 0
    for part in sums:
        last = first + len(part)
        places = np.flatnonzero((first <= own) & (own < last))
        to_own = (own[places] - first, places)
        inside[places] = part[to_own] / np.maximum(1, sizes[own[places]] - 1)
        np.divide(part, sizes[first:last, None].astype(np.float64), out=part)
        part[to_own] = np.inf
        np.minimum(nearest, part.min(axis=0), out=nearest)
        first = last
    larger = np.maximum(inside, nearest)
    scores = (nearest - inside) / np.where(larger > 0, larger, 1.0)
    return np.where((sizes[own] == 1) | (larger == 0), 0.0, scores)
