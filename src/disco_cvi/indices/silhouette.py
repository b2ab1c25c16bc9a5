"""Silhouette: how much nearer points lie to their own cluster than to the nearest other one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import (
    PORTION,
    SIDE_BY_SIDE,
    Workspace,
    canonical_order,
    open_workspace,
    sum_distances,
)
from disco_cvi._input.labels import group_noise
from disco_cvi._input.options import check_choice
from disco_cvi._neighbors.distances import scaled
from disco_cvi._output.words import count
from disco_cvi.exceptions import UndefinedScoreError

FloatArray = NDArray[np.float64]

_NOISE = ("cluster", "filter", "singletons")


def silhouette_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by how much nearer points lie to their own cluster than to any other.

    The Silhouette is the mean of one score per point, from -1 (worst) to 1 (best); around 0,
    clusters overlap. It favors round clusters of similar size. The value does not depend on the
    order of the rows, to the last bit.

    With plain Euclidean distances, `a` the mean distance of a point to the other points of its
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
    X : array-like of shape (n, d)
        The points. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise : {"cluster", "filter", "singletons"}, default="cluster"
        What noise is: one more cluster, as scikit-learn has it; left out; or many clusters of one
        point each, which score 0.
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
    Time O(n^2 d), whatever the number of clusters; memory O(n d). Distances are computed from
    differences, so that nothing cancels, and each is used at once. Points are added in an order of
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
    work = open_workspace(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    return evaluate_silhouette(work, noise=noise)


def silhouette_samples(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
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
    work = open_workspace(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    judged = _judge(work, noise)
    if len(judged) == work.n_points:
        return judged
    samples = np.full(work.n_points, np.nan)
    samples[work.labels.codes >= 0] = judged
    return samples


def evaluate_silhouette(work: Workspace, *, noise: str = "cluster") -> float:
    """Compute the Silhouette in a workspace that other indices may share."""
    return exact_mean(_judge(work, noise))


class _Groups(NamedTuple):
    """Points of each group side by side: group g holds the rows ``starts[g]`` to the next start."""

    points: FloatArray
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]


def _judge(work: Workspace, noise: str) -> FloatArray:
    """Return the score of every point that is judged, in the order of the rows."""
    check_choice(noise, _NOISE, "noise", work.caller)
    codes, sizes = _group_codes(work, noise)
    _refuse_undefined(work, len(sizes), len(codes))
    points = (work.without_noise if noise == "filter" else work).points
    # Scores do not change with the size of the data; this one keeps all squares within range.
    points, _ = scaled(points, 400)
    order = canonical_order(points)
    order = order[np.argsort(codes[order], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    groups = _Groups(points[order], codes[order], starts)
    judged = np.empty(len(order))

    def judge(begin: int, stop: int) -> None:
        _judge_rows(groups, begin, stop, judged)

    for_ranges(judge, len(order), SIDE_BY_SIDE, work.n_jobs, "Silhouette")
    samples = np.empty(len(order))
    samples[order] = judged
    return samples


def _group_codes(work: Workspace, noise: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the group of every point that is judged, and the sizes of the groups."""
    labels = (work.without_noise if noise == "filter" else work).labels
    return group_noise(labels, alone=noise == "singletons")


def _refuse_undefined(work: Workspace, n_groups: int, n_judged: int) -> None:
    held = (
        f"these labels hold {count(work.labels.n_clusters, 'cluster')} and "
        f"{count(work.labels.n_noise, 'noise point')}."
    )
    if n_groups < 2:
        message = f"Silhouette needs 2 clusters or more, as noise is treated here; {held}"
        raise UndefinedScoreError(message)
    if n_groups == n_judged:
        message = f"Silhouette needs a cluster of 2 points or more, besides others; {held}"
        raise UndefinedScoreError(message)


@kernel
def _judge_rows(groups, begin, stop, judged):
    """Score the points `begin` to ``stop - 1``.

    A sum runs over the points of a group one after the other, always in the same portions, for
    many rows side by side; so each row is added up in the order of the points, and the compiler may
    still use vectors.
    """
    points, codes, starts = groups
    dimension = points.shape[1]
    rows = np.empty((dimension, SIDE_BY_SIDE))
    for i in range(SIDE_BY_SIDE):
        for c in range(dimension):
            rows[c, i] = points[min(begin + i, stop - 1), c]
    squares = np.empty((PORTION, SIDE_BY_SIDE))
    portion = np.empty(SIDE_BY_SIDE)
    total = np.empty(SIDE_BY_SIDE)
    own = np.zeros(SIDE_BY_SIDE)
    nearest = np.full(SIDE_BY_SIDE, np.inf)
    for group in range(len(starts) - 1):
        end = starts[group + 1]
        total[:] = 0.0
        for first in range(starts[group], end, PORTION):
            sum_distances(points, first, min(first + PORTION, end), rows, squares, portion)
            for i in range(SIDE_BY_SIDE):
                total[i] += portion[i]
        size = end - starts[group]
        for i in range(stop - begin):
            if codes[begin + i] == group:
                own[i] = total[i] / max(1, size - 1)
            elif total[i] / size < nearest[i]:
                nearest[i] = total[i] / size
    for i in range(stop - begin):
        group = codes[begin + i]
        larger = max(own[i], nearest[i])
        if larger == 0.0 or starts[group + 1] - starts[group] == 1:
            judged[begin + i] = 0.0
        else:
            judged[begin + i] = (nearest[i] - own[i]) / larger
