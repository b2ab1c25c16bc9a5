"""DBCV as the DISCO paper computed it, with the program of another package (hdbscan 0.8.40)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.options import check_choice
from disco_cvi._neighbors.distances import row_blocks, squared_distances
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.dbcv import separations
from disco_cvi.indices.dbcv_trees import Clusters, degrees, gather_clusters, grow_trees, sparseness

# What that program takes for equal weights.
_ABSOLUTE = 1e-8
_RELATIVE = 1e-5
# Blocks of rows are so many times smaller than those of other indices.
_BLOCK_GROWTH = 32

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "tree": "hangs the edges of its spanning trees on the first row that fits, so that the order "
    "of the rows decides",
    "pairs": "calls only the first point of a cluster of two an inner one",
    "powers": "takes plain powers for core distances, which overflow in high dimension",
}


def published_dbcv(X: ArrayLike, labels: ArrayLike, *, metric: str = "sqeuclidean") -> float:
    """Return the DBCV that the paper's tables hold; it depends on the order of the rows.

    It is what ``hdbscan.validity.validity_index(X, labels, metric=metric)`` returns.

    What it does otherwise than the definition is told in `DEVIATIONS`. One cluster, or only
    identical points, give NaN.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points.
    labels : array-like of shape (n,)
        Cluster of each point, -1 for noise.
    metric : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        The paper takes squared distances; distances are the default of that package.

    Returns
    -------
    float
        From -1 to 1, or NaN.

    Raises
    ------
    ValueError
        If a point is alone in its cluster, or core distances overflow so that no tree is left.
    """
    clustering = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller="published_dbcv")
    check_choice(metric, ("sqeuclidean", "euclidean"), "metric", "published_dbcv")
    return evaluate_published_dbcv(clustering, squared=metric == "sqeuclidean")


def evaluate_published_dbcv(clustering: Clustering, *, squared: bool = True) -> float:
    """`published_dbcv` of a clustering; trees are grown by squares in any case."""
    if clustering.labels.n_clusters == 0:
        return 0.0
    if (clustering.labels.sizes == 1).any():
        message = "The published DBCV fails where a point is alone in its cluster."
        raise UndefinedScoreError(message)
    if clustering.labels.n_clusters == 1:
        return math.nan
    clusters = gather_clusters(clustering.array, clustering.members, sort=False, merge=False)
    core = _plain_core_distances(clusters, squared=squared)
    trees = grow_trees(clusters, core, clustering.n_jobs, by_distance=False)
    if np.isinf(trees.weight[trees.joined >= 2]).any():
        message = "The published DBCV fails here: its core distances are infinite."
        raise UndefinedScoreError(message)
    _hang_on_first_row(clusters, core, trees, squared)
    inner = degrees(trees.parent) >= 2
    inner[clusters.starts[:-1][clusters.sizes == 2]] = True
    sparse = sparseness(clusters, core, trees, inner)
    apart = separations(clusters, core, inner, clustering.n_jobs)
    if not squared:
        sparse, apart = np.sqrt(sparse), np.sqrt(apart)
    with np.errstate(invalid="ignore"):
        validity = (apart - sparse) / np.maximum(apart, sparse)
    return float((clusters.sizes / clustering.n_points * validity).sum())


def _plain_core_distances(clusters: Clusters, *, squared: bool) -> FloatArray:
    """Core distances by squares, or the squares of those by distances."""
    core = np.empty(len(clusters.points))
    dimension = clusters.points.shape[1]
    for begin, stop in zip(clusters.starts[:-1], clusters.starts[1:], strict=True):
        points = clusters.points[begin:stop]
        sums = np.empty(len(points))
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            # Small blocks stay in the cache of a processor.
            for block in row_blocks(len(points), _BLOCK_GROWTH * len(points)):
                terms = squared_distances(points[block], points)
                terms = terms if squared else np.sqrt(terms)
                np.divide(1.0, terms, out=terms, where=terms != 0)
                sums[block] = (terms**dimension).sum(axis=1)
            mean = sums / (len(points) - 1)
            core[begin:stop] = mean ** (-1.0 / dimension) if mean.any() else 0.0
    return core if squared else core * core


@kernel
def _hang_on_first_row(clusters, core, trees, squared):
    """Give each point, but the first that joined, the first possible parent of those before it."""
    points, joined, starts = clusters.points, trees.joined, clusters.starts
    for i in range(joined.shape[0]):
        if joined[i] < 2:
            continue
        c = clusters.codes[i]
        weight = trees.weight[i] if squared else math.sqrt(trees.weight[i])
        tolerance = _ABSOLUTE + _RELATIVE * weight
        for j in range(starts[c], starts[c + 1]):
            if joined[j] < joined[i]:
                cost = max(max(squared_distance(points, i, j), core[i]), core[j])
                cost = cost if squared else math.sqrt(cost)
                if abs(cost - weight) <= tolerance:
                    trees.parent[i] = j
                    break
