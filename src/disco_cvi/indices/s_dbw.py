"""S_Dbw: how scattered clusters are, and how dense it is between them."""

from __future__ import annotations

import math
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_product
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, open_clustering, put_side_by_side
from disco_cvi._input.options import Option
from disco_cvi._output.words import count
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS: dict[str, Option] = {}


def s_dbw_index(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Rate a clustering by the scatter of its clusters and the density between them.

    S_Dbw is 0 for clusters that are single points with nothing in between, and grows without
    bound: lower is better. It is made for round clusters. The value does not depend on the order
    of the rows, to the last bit. Noise points are left out.

    With ``|var(A)|`` the length of the vector of variances of all features in a set A, v(c) the
    mean of cluster c, and k clusters::

        scatter  = mean over clusters c of |var(c)| / |var(all clusters together)|
        radius   = sqrt(sum over clusters c of |var(c)|) / k
        near(q)  = number of points of the two clusters of a pair within the radius of q
        density  = mean over pairs (c, e) of near((v(c) + v(e)) / 2) / max(near(v(c)), near(v(e)))
        S_Dbw    = scatter + density

    =======================================  ======================================================
    labeling                                 value
    =======================================  ======================================================
    a cluster of one point                   its variance is 0, and it lies at its own center
    a pair with no point near either center  its density is 0 if no point is near the middle, and
                                             else infinite: S_Dbw is +inf
    fewer than two clusters                  undefined, whether there is noise or not
    only noise                               undefined
    all cluster points identical             undefined
    =======================================  ======================================================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The value does not depend on it.

    Returns
    -------
    float
        From 0 to +inf, lower is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two clusters, or if their points are all identical.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time O(n k d), memory O(n d). Balls are closed: a point at the radius counts. Ring-shaped
    clusters have empty centers, which is where infinite values come from; implementations that
    place centers at points of the clusters, or count only the center's own cluster, have none, but
    compute another index. The paper does not speak of noise.

    References
    ----------
    M. Halkidi, M. Vazirgiannis: Clustering validity assessment: finding the optimal partitioning of
    a data set. IEEE International Conference on Data Mining, 187-194, 2001.
    https://doi.org/10.1109/ICDM.2001.989517

    Examples
    --------
    >>> from disco_cvi import s_dbw_index
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = s_dbw_index(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = s_dbw_index(X, [0, 0, 1, 1, 0, 0, 1, 1, 1])
    >>> round(good, 3), round(bad, 3)
    (0.015, 1.262)
    """
    caller = "s_dbw_index"
    clustering = open_clustering(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    return evaluate_s_dbw(clustering)


def evaluate_s_dbw(clustering: Clustering) -> float:
    """Compute S_Dbw of a clustering."""
    clustering.need_clusters("S_Dbw")
    kept = clustering.without_noise
    # The index does not change with the size of the data; this one keeps all squares within range.
    points, _ = scale_points(kept.array, 400)
    whole = math.hypot(*_moments(points)[1])
    if whole == 0:
        message = (
            "S_Dbw needs cluster points that differ; here all "
            f"{count(kept.n_points, 'cluster point')} are identical."
        )
        raise UndefinedScoreError(message)
    moments = [_moments(points[rows]) for rows in kept.members]
    spreads = [math.hypot(*variances) for _, variances in moments]
    scatter = math.fsum(spreads) / whole / len(spreads)
    ordered = put_side_by_side(points, kept.labels.codes, kept.labels.sizes, by_coordinates=False)
    clusters = _Clusters(
        ordered.points,
        ordered.starts,
        np.array([means for means, _ in moments]),
        math.sqrt(math.fsum(spreads)) / len(spreads),
    )
    return scatter + _density(clusters, clustering.n_jobs)


class _Clusters(NamedTuple):
    """Points of each cluster side by side: cluster c holds rows ``starts[c]`` to the next start."""

    points: FloatArray
    starts: NDArray[np.int64]
    centers: FloatArray
    radius: float


def _moments(points: FloatArray) -> tuple[list[float], list[float]]:
    """Means and variances of the features, whatever the order of the points."""
    means = []
    variances = []
    for feature in points.T:
        values, size = feature.tolist(), len(feature)
        mean = math.fsum(values) / size
        # The second step makes it the nearest number to the true mean, so that identical points
        # have themselves as their mean. Differences would be rounded, one by one.
        mean += math.fsum(chain(values, repeat(-mean, size))) / size
        means.append(mean)
        variances.append(math.fsum(((feature - mean) ** 2).tolist()) / len(feature))
    return means, variances


def _density(clusters: _Clusters, n_jobs: int) -> float:
    """Mean over pairs of clusters of the density between them."""
    n_clusters = len(clusters.centers)
    own = _count_own(clusters)
    # Sums in twice the precision: the same bits for any order of the clusters.
    high, low = np.zeros(n_clusters), np.zeros(n_clusters)

    def add(begin: int, stop: int) -> None:
        _add_densities(clusters, own, begin, stop, high, low)

    for_ranges(add, n_clusters, 1 + n_clusters // 64, n_jobs)
    if np.isinf(high).any():
        return math.inf
    total = math.fsum([*high.tolist(), *low.tolist()])
    return 2 * total / (n_clusters * (n_clusters - 1))


def _count_own(clusters: _Clusters) -> NDArray[np.int64]:
    """Count the points of each cluster near its own center."""
    sizes = np.diff(clusters.starts)
    squares = np.zeros(len(clusters.points))
    for column, centers in zip(clusters.points.T, clusters.centers.T, strict=True):
        differences = column - np.repeat(centers, sizes)
        differences *= differences
        squares += differences
    is_near = np.sqrt(squares) <= clusters.radius
    return np.add.reduceat(is_near, clusters.starts[:-1], dtype=np.int64)


@inline_kernel
def _count_near(points, begin, stop, place, radius):
    """Count the points `begin` to ``stop - 1`` within the radius of a place."""
    near = 0
    for i in range(begin, stop):
        square = 0.0
        for c in range(points.shape[1]):
            difference = points[i, c] - place[c]
            square += difference * difference
        near += math.sqrt(square) <= radius
    return near


@kernel
def _add_densities(clusters, own, begin, stop, high, low):
    """Add up the densities between each cluster from `begin` to ``stop - 1`` and all later ones."""
    points, starts, centers, radius = clusters
    middle = np.empty(points.shape[1])
    for one in range(begin, stop):
        first, last = starts[one], starts[one + 1]
        for other in range(one + 1, len(centers)):
            other_first, other_last = starts[other], starts[other + 1]
            for c in range(len(middle)):
                middle[c] = (centers[one, c] + centers[other, c]) / 2
            between = _count_near(points, first, last, middle, radius)
            between += _count_near(points, other_first, other_last, middle, radius)
            if between == 0:
                continue
            near = own[one] + _count_near(points, other_first, other_last, centers[one], radius)
            other_near = own[other] + _count_near(points, first, last, centers[other], radius)
            if max(near, other_near) == 0:
                high[one] = np.inf
                return
            term = between / max(near, other_near)
            high[one], low[one] = add_product(high[one], low[one], term, 1.0)
