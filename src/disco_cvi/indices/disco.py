"""DISCO: how good a density-based clustering is, its noise included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import Labels, group_noise
from disco_cvi._input.options import MinPoints
from disco_cvi._input.points import Points
from disco_cvi._output.words import shorten
from disco_cvi.density_tree.leaf_order import LeafLine, to_leaves, to_rows
from disco_cvi.density_tree.nearest_cluster import Nearest, nearest_clusters, silhouettes
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.density_tree.walks import are_alone, least_quotients, quotients
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS = {"min_points": MinPoints()}


def disco_score(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by density-connectivity, its noise included.

    DISCO is the mean of one score per point, from -1 (worst) to 1 (best). A point of a cluster is
    judged by how much nearer it lies to its own cluster than to the nearest other one, a noise
    point by whether it lies in a sparser place than every cluster and far from all of them. Around
    0 the clustering says little. The value does not depend on the order of the rows, to the last
    bit. To choose between labelings, use `pair_score`: the maximum of DISCO may be one giant
    cluster and a few far points.

    With the dc-distance (see `DensityTree`), q(s, t) = (s - t) / max(s, t) and 0 where both are 0,
    the score of a cluster point is q(b, a): `a` its mean distance to the other points of its
    cluster, `b` its smallest mean distance to another cluster. The score of a noise point is the
    smaller of rho_sparse, the minimum over clusters C of q(core distance of the point, core(C)),
    and rho_far, that of q(distance to C, core(C)); core(C) is the largest core distance in C.

    ============================  ===============================  =================
    labeling                      a cluster point                  a noise point
    ============================  ===============================  =================
    two clusters or more          q(b, a)                          as above
    one cluster and noise         q(b, a), b to the nearest noise  as above
    one cluster, no noise         0                                none
    only noise                    none                             -1
    a point alone in its cluster  0, whatever else holds           none
    ============================  ===============================  =================

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        The points, or their tree, which makes every further labeling cheap. DISCO depends on the
        scale of the features: standardize them if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    min_points : int, optional
        Which nearest point the core distance reaches to, the point itself counted as the first:
        the `min_samples` of scikit-learn, one more than that of hdbscan. Default: 5, or that of
        the tree.
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
        If there are fewer points than `min_points` where distances are needed (the last three rows
        of the table need none).
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    disco_samples : The score of every point.
    pair_score : Made of the same scores of points, for choosing between labelings.
    explain : What pulled the score, in numbers and words.

    Notes
    -----
    Time O(n log n) in low dimension, hardly growing with the number of clusters; memory O(n). The
    distance of a noise point to a cluster is never below its own core distance, so rho_far is never
    below rho_sparse, and the score of a noise point is rho_sparse; `explain` shows both.

    References
    ----------
    A. Beer, L. Krieger, P. Weber, M. Ritzert, I. Assent, C. Plant: Internal Evaluation of
    Density-Based Clusterings with Noise. ICLR 2026. arXiv:2503.00127.

    Examples
    --------
    >>> from disco_cvi import disco_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = disco_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1], min_points=3)
    >>> bad = disco_score(X, [0, 0, 1, 1, 0, 0, 1, 1, 1], min_points=3)
    >>> round(good, 3), round(bad, 3)
    (0.901, -0.16)
    """
    clustering = open_clustering(
        X,
        labels,
        "disco_score",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
    )
    return evaluate_disco(clustering, min_points=min_points)


def disco_samples(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Score every point of a clustering; `disco_score` is the mean of these.

    Parameters
    ----------
    X : array-like of shape (n, d), or DensityTree
        As in `disco_score`, like all other parameters.
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
        From -1 to 1, in the order of the rows. A negative score says of a cluster point that it
        lies nearer to another cluster, of a noise point that it lies in a place as dense as one.

    Examples
    --------
    >>> from disco_cvi import disco_samples
    >>> X = [[0], [1], [2], [3], [10], [11], [12], [30]]
    >>> disco_samples(X, [0, 0, 0, 0, 1, 1, 1, -1], min_points=2).round(3)
    array([0.857, 0.857, 0.857, 0.857, 0.857, 0.857, 0.857, 0.944])
    """
    clustering = open_clustering(
        X,
        labels,
        "disco_samples",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
    )
    return disco_by_row(clustering, min_points)


def evaluate_disco(clustering: Clustering, *, min_points: int | None = None) -> float:
    """Return the score of a clustering; see `disco_score`."""
    return exact_mean(disco_by_row(clustering, min_points), clustering.n_jobs)


def disco_by_row(clustering: Clustering, min_points: int | None = None) -> FloatArray:
    """Return the score of every row; it is computed once for a clustering."""
    return clustering.once(_judge_rows, clustering.points.choose_min_points(min_points))


def _judge_rows(clustering: Clustering, min_points: int) -> FloatArray:
    answer = _answer_of_labels(clustering.labels)
    if answer is not None:
        return np.full(clustering.n_points, answer)
    line = _tree_of(clustering.points, min_points).parts.line
    scores = _judge_leaves(line, clustering.labels, clustering.n_jobs)[0]
    return to_rows(line, scores, clustering.n_jobs)


def _tree_of(points: Points, min_points: int | None) -> DensityTree:
    """Return the tree; with fewer points than `min_points` no core distance is defined."""
    needed = points.choose_min_points(min_points)
    if points.tree is None and needed > points.n_points:
        message = (
            f"min_points={shorten(needed)} needs {shorten(needed)} points or more; there are "
            f"{points.n_points}. Lower it or give more points."
        )
        raise UndefinedScoreError(message)
    return density_tree_of(points, min_points)


@dataclass(frozen=True)
class DiscoParts:
    """What the score of each point is made of, by row, in the units of the metric.

    NaN, or -1 for a cluster, where a quantity does not exist; no core distances where the labels
    alone give the answer.
    """

    samples: FloatArray
    compactness: FloatArray
    separation: FloatArray
    nearest_cluster: NDArray[np.int32]
    rho_sparse: FloatArray
    rho_far: FloatArray
    claimed_by: NDArray[np.int32]
    core_distances: FloatArray | None


def disco_parts(clustering: Clustering, min_points: int | None = None) -> DiscoParts:
    """Return everything that `explain` tells of the points."""
    labels, n_points, n_jobs = clustering.labels, clustering.n_points, clustering.n_jobs
    nothing, none = np.full(n_points, np.nan), np.full(n_points, -1, np.int32)
    answer = _answer_of_labels(labels)
    if answer is not None:
        samples = np.full(n_points, answer)
        return DiscoParts(samples, nothing, nothing, none, nothing, nothing, none, None)
    tree = _tree_of(clustering.points, min_points)
    line = tree.parts.line
    samples, nearest = _judge_leaves(line, labels, n_jobs)
    is_noise = labels.codes < 0
    lone = are_alone(labels.codes, labels.sizes)
    compactness, separation = (
        np.where(is_noise | lone, np.nan, tree.parts.in_units(to_rows(line, values, n_jobs)))
        for values in (nearest.compactness, nearest.separation)
    )
    # With one cluster, b is the distance to noise: no other cluster is nearest.
    others = labels.n_clusters > 1
    nearest_cluster = to_rows(line, nearest.cluster, n_jobs)
    nearest_cluster[is_noise | (not others)] = -1
    rho_far, claimed_by = _absorption(line, labels, n_jobs)
    rho_sparse = nothing.copy()
    rho_sparse[is_noise] = _sparseness(line, labels)
    return DiscoParts(
        to_rows(line, samples, n_jobs),
        compactness,
        separation,
        nearest_cluster,
        rho_sparse,
        np.where(is_noise, rho_far, np.nan),
        np.where(is_noise, claimed_by, none),
        tree.core_distances,
    )


def _answer_of_labels(labels: Labels) -> float | None:
    """The score of every point, where it needs no distances."""
    if labels.n_clusters == 0:
        return -1.0
    if labels.n_noise == 0 and labels.n_clusters in (1, labels.n_points):
        return 0.0
    return None


def _judge_leaves(line: LeafLine, labels: Labels, n_jobs: int) -> tuple[FloatArray, Nearest]:
    """Return the score of every leaf, and what those of cluster points are made of."""
    codes = to_leaves(line, labels.codes, n_jobs)
    nearest = _nearest_others(line, labels, codes, n_jobs)
    scores = silhouettes(nearest, codes, labels.sizes, n_jobs)
    if labels.n_noise:
        # The smaller of rho_sparse and rho_far is always rho_sparse (see the notes of
        # disco_score), in floating point too: heights are no smaller than the core distances they
        # come from, and `quotients` is monotone.
        sparseness = np.empty(labels.n_points)
        sparseness[labels.codes < 0] = _sparseness(line, labels)
        is_noise = codes < 0
        scores[is_noise] = sparseness[line.leaves[is_noise]]
    return scores, nearest


def _nearest_others(
    line: LeafLine, labels: Labels, codes: NDArray[np.int32], n_jobs: int
) -> Nearest:
    """One cluster has no other; then every noise point counts as one, the nearest decides."""
    sizes = labels.sizes
    if labels.n_clusters == 1:
        by_row, sizes = group_noise(labels, alone=True)
        codes = to_leaves(line, by_row, n_jobs)
    return nearest_clusters(codes, line.joins, line.ends, sizes, n_jobs)


def _sparseness(line: LeafLine, labels: Labels) -> FloatArray:
    """rho_sparse of the noise points, in row order: only the sparsest cluster matters."""
    is_noise = labels.codes < 0
    return quotients(line.core[is_noise], float(line.core[~is_noise].max()))


def _absorption(
    line: LeafLine, labels: Labels, n_jobs: int
) -> tuple[FloatArray, NDArray[np.int32]]:
    """rho_far of every row, and the cluster that attains it."""
    members = labels.codes >= 0
    ceilings = np.zeros(labels.n_clusters)
    np.maximum.at(ceilings, labels.codes[members], line.core[members])
    least, cluster = np.empty(labels.n_points), np.empty(labels.n_points, np.int32)
    codes = to_leaves(line, labels.codes, n_jobs)
    least_quotients(line.joins, line.ends, codes, ceilings, least, cluster)
    return to_rows(line, least, n_jobs), to_rows(line, cluster, n_jobs)
