"""MMJ-SC: the silhouette under min-max-jump distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import Labels, group_noise
from disco_cvi._input.options import Choice
from disco_cvi._output.words import count
from disco_cvi.density_tree.leaf_order import LeafLine, to_leaves
from disco_cvi.density_tree.nearest_cluster import nearest_clusters, silhouettes
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError

OPTIONS = {"noise": Choice("cluster", "filter", "singletons")}


def mmj_sc_score(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the silhouette under min-max-jump distances.

    The min-max-jump distance of two points is the smallest possible largest step of a path between
    them over the points. MMJ-SC is the mean of one silhouette per point, from -1 (worst) to 1
    (best): how much nearer, in this distance, a point lies to its own group than to the nearest
    other one. The value does not depend on the order of the rows, to the last bit.

    The score of a point is (b - a) / max(a, b), and 0 where both are 0: `a` is its mean distance to
    the other points of its group, `b` its smallest mean distance to another group. The groups are
    the clusters and, depending on `noise`, the noise. Without noise it is DISCO with
    ``min_points=1``.

    =========================================  ==============================================
    labeling                                   a point, or the score
    =========================================  ==============================================
    two groups or more                         as above
    a point alone in its group                 the point scores 0
    identical points                           all score 0
    one group, also one cluster without noise  undefined
    one cluster and noise                      as above; undefined if the noise is left out
    only noise                                 undefined
    every point a group of its own             undefined
    =========================================  ==============================================

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        The points, or their tree for ``min_points=1``, which makes every further labeling cheap.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise : {"cluster", "filter", "singletons"}, default="cluster"
        Noise is a group like any other; is removed from the points altogether, so that paths do
        not run over it (needs points, not a tree); or is one group for each of its points.
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
        From -1 to 1, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two groups, or as many as points.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    mmj_sc_samples : The score of every point.

    Notes
    -----
    Time O(n log n) in low dimension, hardly growing with the number of groups; memory O(n). The
    paper does not treat noise: that it is a group by default, as for the silhouette in
    scikit-learn, and that "filter" leaves no stepping stones behind, are choices made here.

    References
    ----------
    G. Liu: Min-Max-Jump distance and its applications. arXiv:2301.05994, 2023.

    Examples
    --------
    >>> from disco_cvi import mmj_sc_score
    >>> X = [[0], [1], [3], [10], [11], [13]]
    >>> round(mmj_sc_score(X, [0, 0, 0, 1, 1, 1]), 3)
    0.762
    >>> round(mmj_sc_score(X, [0, 0, 1, 1, 0, 0]), 3)
    -0.226
    """
    clustering = open_clustering(
        X,
        labels,
        "mmj_sc_score",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        takes_tree=True,
    )
    groups = _group(clustering, noise)
    return exact_mean(judge_leaves(groups, clustering.n_jobs))


def mmj_sc_samples(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Score every point of a clustering; `mmj_sc_score` is the mean of these.

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        As in `mmj_sc_score`, like all other parameters.
    labels : array-like of shape (n,)
        Cluster of each point.
    noise : {"cluster", "filter", "singletons"}, default="cluster"
        What becomes of noise.
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
        From -1 to 1, in the order of the rows; NaN for noise points that are left out.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two groups, or as many as points.

    Examples
    --------
    >>> from disco_cvi import mmj_sc_samples
    >>> mmj_sc_samples([[0], [1], [3], [10], [11], [13]], [0, 0, 0, 1, 1, 1]).round(3)
    array([0.786, 0.786, 0.714, 0.786, 0.786, 0.714])
    """
    clustering = open_clustering(
        X,
        labels,
        "mmj_sc_samples",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        takes_tree=True,
    )
    groups = _group(clustering, noise)
    samples = np.full(groups.n_rows, np.nan)
    samples[groups.rows[groups.line.leaves]] = judge_leaves(groups, clustering.n_jobs)
    return samples


def evaluate_mmj_sc(clustering: Clustering, *, noise: str = "cluster") -> float:
    """Return the score of a clustering; see `mmj_sc_score`."""
    return exact_mean(judge_leaves(_group(clustering, noise), clustering.n_jobs))


class Groups(NamedTuple):
    """A line of leaves, the group of each point on it, and how large groups are.

    `rows` lists the row of each point among all `n_rows`: noise may have been left out.
    """

    line: LeafLine
    codes: NDArray[np.int32]
    sizes: NDArray[np.int64]
    rows: NDArray[np.intp]
    n_rows: int


def _group(clustering: Clustering, noise: str) -> Groups:
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    _refuse_unfit_tree(clustering, noise)
    rows = np.arange(clustering.n_points)
    grouped = clustering
    if noise == "filter":
        rows, grouped = rows[clustering.labels.codes >= 0], clustering.without_noise
    codes, sizes = make_groups(grouped.labels, noise)
    line = density_tree_of(grouped.points, 1).parts.line
    return Groups(line, codes, sizes, rows, clustering.n_points)


def _refuse_unfit_tree(clustering: Clustering, noise: str) -> None:
    tree, caller, n_noise = clustering.points.tree, clustering.caller, clustering.labels.n_noise
    if tree is None:
        return
    if tree.min_points != 1:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="be points or a DensityTree with min_points=1, whose heights are min-max-jump "
            "distances",
            got=f"a tree with min_points={tree.min_points}",
        )
    if noise == "filter" and n_noise:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="be points for noise='filter', which builds a tree without the noise",
            got=f"a DensityTree and {count(n_noise, 'noise point')}",
        )


def make_groups(labels: Labels, noise: str) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the groups; which they are decides whether there is a score at all."""
    codes, sizes = group_noise(labels, alone=noise != "cluster")
    if not 2 <= len(sizes) < len(codes):
        message = (
            "MMJ-SC needs two groups or more, and fewer groups than points; these labels make "
            f"{count(len(sizes), 'group')} of {count(len(codes), 'point')} (noise: {noise!r})."
        )
        raise UndefinedScoreError(message)
    return codes, sizes


def judge_leaves(groups: Groups, n_jobs: int = 1) -> FloatArray:
    """Return the score of every leaf."""
    line = groups.line
    codes = to_leaves(line, groups.codes, n_jobs)
    nearest = nearest_clusters(codes, line.joins, line.ends, groups.sizes, n_jobs)
    return silhouettes(nearest, codes, groups.sizes, n_jobs)
