"""VIASCKDE: nearest neighbors inside and outside the cluster, weighted by density."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.options import Number
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import range_size
from disco_cvi._neighbors.gaussian_sums import gaussian_sums
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    build_kd_tree,
    is_inside,
    kd_tree_of,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.nearest_points import let_wait
from disco_cvi._neighbors.search_choice import search_neighbors
from disco_cvi._spanning_tree.node_cores import node_components
from disco_cvi.density_tree.walks import quotients

OPTIONS = {"bandwidth": Number(above=0)}

# A cluster whose densities differ by less than this part has no dense and no sparse places.
_FLAT = 1e-12
# In so small clusters a comparison of all pairs is faster than building a tree.
_FEW_MEMBERS = 64
# Fewer members than these are not worth a second thread.
_MANY_MEMBERS = 20_000
# Numbers below 2**500 have finite squares, and finite sums of these.
_TOP = 500


def viasckde_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    bandwidth: float = 0.05,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by nearest neighbors, where points in dense places count more.

    The mean of one score per point, from -1 (worst) to 1 (best): a point scores well if its nearest
    point in its own cluster is much nearer than the nearest point of any other cluster, and it
    counts from 0 in the sparsest to 1 in the densest place of its cluster. Since most points lie
    in between, even perfect clusters score well below 1. Noise is left out.

    With a(x) the distance to the nearest other point of the cluster, b(x) that to the nearest
    point of another one, and the density p(x), the sum over all points z of
    exp(-d(x, z)² / (2 h²)) for the bandwidth h, the weight w(x) is (p(x) - min p) / (max p - min p)
    with minimum and maximum over the cluster of x, and the point scores
    w(x) (b(x) - a(x)) / max(a(x), b(x)).

    ==========================================  ==========================
    labeling                                    score of a point
    ==========================================  ==========================
    two clusters or more                        as above
    one cluster, or only noise                  undefined
    a point alone in its cluster                0
    a cluster of equal densities (to 1e-12),
    such as copies of one point                 0
    a(x) = b(x) = 0                             0
    ==========================================  ==========================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. The bandwidth is meant for standardized features.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    bandwidth : float, default=0.05
        Standard deviation h of the Gaussian kernel, in the units of `X`. Where it is far below
        the distances of points, densities are equal and the score is 0.
    noise_label : int, str, bool or None, default=-1
        The label of noise, which is left out, also of densities; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From -1 to 1, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two clusters.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    viasckde_samples : The score of every point.

    Notes
    -----
    Time O(n log n + m) in low dimension, where m counts the pairs of points within ten or so
    bandwidths of each other: for a bandwidth as large as the data, all pairs. Memory O(n).
    Densities are summed in twice the precision, so that the value does not depend on the order of
    the rows to the last bit, but for freak cases; it does not depend on the names of clusters.
    The paper leaves open what a cluster of equal densities weighs; 0 is the author's program.
    Densities are equal if they differ by less than 1e-12 of the largest of the cluster, so that
    their unit has no influence.

    References
    ----------
    A. Senol: VIASCKDE index: a novel internal cluster validity index for arbitrary-shaped clusters
    based on the kernel density estimation. Computational Intelligence and Neuroscience 2022,
    article 4059302. https://doi.org/10.1155/2022/4059302

    Examples
    --------
    >>> from disco_cvi import viasckde_score
    >>> X = [[0.0], [0.1], [0.2], [0.3], [2.0], [2.1], [2.2], [2.3], [9.0]]
    >>> round(viasckde_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1]), 3)
    0.473
    """
    caller = "viasckde_score"
    clustering = open_clustering(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    return evaluate_viasckde(clustering, bandwidth=bandwidth)


def viasckde_samples(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    bandwidth: float = 0.05,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Score every point of a clustering; `viasckde_score` is the mean of these without noise.

    Parameters
    ----------
    X : array-like of shape (n, d)
        As in `viasckde_score`, like all other parameters.
    labels : array-like of shape (n,)
        Cluster of each point.
    bandwidth : float, default=0.05
        Standard deviation of the Gaussian kernel.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of shape (n,)
        From -1 to 1, in the order of the rows; NaN for noise points, which have no score.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two clusters.

    Examples
    --------
    >>> from disco_cvi import viasckde_samples
    >>> X = [[0.0], [0.1], [0.2], [2.0], [2.1], [2.2], [9.0]]
    >>> viasckde_samples(X, [0, 0, 0, 1, 1, 1, -1]).round(3)
    array([0.   , 0.947, 0.   , 0.   , 0.947, 0.   ,   nan])
    """
    caller = "viasckde_samples"
    clustering = open_clustering(X, labels, noise_label=noise_label, n_jobs=n_jobs, caller=caller)
    samples = np.full(clustering.n_points, np.nan)
    samples[clustering.labels.codes >= 0] = _samples(clustering, bandwidth)
    return samples


def evaluate_viasckde(clustering: Clustering, *, bandwidth: float = 0.05) -> float:
    """Return the VIASCKDE of a clustering; see `viasckde_score`."""
    return exact_mean(_samples(clustering, bandwidth))


def _samples(clustering: Clustering, bandwidth: float) -> FloatArray:
    """Scores of the points that are not noise."""
    bandwidth = OPTIONS["bandwidth"].check(bandwidth, "bandwidth", clustering.caller)
    clustering.need_clusters("VIASCKDE")
    clustering = clustering.without_noise
    inside, outside, density = nearest_and_density(clustering, bandwidth)
    codes, n_clusters = clustering.labels.codes, clustering.labels.n_clusters
    least, most = np.full(n_clusters, np.inf), np.zeros(n_clusters)
    np.minimum.at(least, codes, density)
    np.maximum.at(most, codes, density)
    spread = most - least
    is_flat = spread <= _FLAT * most
    spread[is_flat] = 1.0
    weights = np.where(is_flat[codes], 0.0, (density - least[codes]) / spread[codes])
    # A lone point has no neighbor inside, and a weight of 0.
    return np.asarray(weights * quotients(outside, inside) + 0.0)


def nearest_and_density(
    clustering: Clustering, bandwidth: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Nearest distances inside and outside the cluster (up to one factor), and the density.

    There must be two clusters and no noise. For a lone point, the distance inside is 0.
    """
    tree, exponent, sums = clustering.points.once(_estimate_densities, bandwidth)
    with np.errstate(under="ignore"):
        points = np.ldexp(clustering.array, exponent)
    inside = np.sqrt(_nearest_members(points, clustering))
    outside, density = np.empty(clustering.n_points), np.empty(clustering.n_points)
    outside[tree.rows] = np.repeat(np.sqrt(_nearest_foreign(tree, clustering)), tree.multiplicity)
    density[tree.rows] = np.repeat(sums, tree.multiplicity)
    return inside, outside, density


class _Densities(NamedTuple):
    """The k-d tree of the points times ``2**exponent``, and the density at its points."""

    tree: KDTree
    exponent: int
    sums: FloatArray


def _estimate_densities(points: Points, bandwidth: float) -> _Densities:
    """What does not depend on the labels."""
    tree, exponent = kd_tree_of(points)
    surplus = math.frexp(bandwidth)[1] + exponent - _TOP
    with np.errstate(under="ignore"):
        if surplus > 0:
            # The square of the bandwidth must be finite, too.
            exponent -= surplus
            tree = build_kd_tree(np.ldexp(points.array, exponent))
        scaled_bandwidth = float(np.ldexp(bandwidth, exponent))
    sums = gaussian_sums(tree, scaled_bandwidth, points.n_jobs, "VIASCKDE")
    return _Densities(tree, exponent, sums)


def _nearest_members(points: FloatArray, clustering: Clustering) -> FloatArray:
    """Squared distance from each row to the nearest other row of its cluster; 0 if alone."""
    squares = np.zeros(clustering.n_points)
    sizes = clustering.labels.sizes
    few = [
        rows for rows, size in zip(clustering.members, sizes, strict=True) if size <= _FEW_MEMBERS
    ]
    if few:
        ends = np.cumsum([len(rows) for rows in few])
        _compare_members(points, np.concatenate(few), ends, squares)
    for rows in clustering.members:
        if len(rows) > _FEW_MEMBERS:
            tree = build_kd_tree(points[rows])
            jobs = clustering.n_jobs if len(rows) >= _MANY_MEMBERS else 1
            found = search_neighbors(tree, 2, jobs).core
            squares[rows[tree.rows]] = np.repeat(found, tree.multiplicity)
    return squares


def _nearest_foreign(tree: KDTree, clustering: Clustering) -> FloatArray:
    """Squared distance from each distinct point to the nearest row of another cluster."""
    codes = clustering.labels.codes[tree.rows]
    first = np.cumsum(tree.multiplicity) - tree.multiplicity
    own = np.minimum.reduceat(codes, first)
    # Copies in several clusters: nearest to each other, and foreign to all who search.
    is_shared = own != np.maximum.reduceat(codes, first)
    own[is_shared] = clustering.labels.n_clusters
    node_label = np.empty(len(tree.start), np.int32)
    node_components(tree, own, node_label)
    squares = np.zeros(len(own))

    def search(begin: int, stop: int) -> None:
        _search_foreign(tree, own, node_label, clustering.labels.n_clusters, begin, stop, squares)

    for_ranges(search, len(own), range_size(tree, 1), clustering.n_jobs)
    return squares


@kernel
def _compare_members(points, members, ends, squares):
    """Fill `squares` for small clusters, which are listed one after the other."""
    begin = 0
    for stop in ends:
        for s in range(begin, stop):
            least = np.inf
            for t in range(begin, stop):
                if s != t:
                    least = min(least, squared_distance(points, members[s], members[t]))
            if stop > begin + 1:
                squares[members[s]] = least
        begin = stop


@kernel
def _search_foreign(tree, labels, node_label, shared, begin, stop, squares):
    """Search the nearest point of another cluster for points begin to stop - 1.

    From the leaf upwards, without nodes of the point's own cluster alone. What was found for the
    point before is near this one as well, and bounds the search from its beginning.
    """
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    lower, upper, parents = tree.lower, tree.upper, tree.parent
    waiting = np.empty(STACK_SIZE, np.int32)
    bounds = np.empty(STACK_SIZE)
    found = -1
    for i in range(begin, stop):
        own = labels[i]
        if own == shared:
            continue
        limit = np.inf
        if found >= 0 and labels[found] != own:
            limit = squared_distance(points, i, found)
        below = -1
        above = tree.leaf[i]
        while True:
            waiting[0] = above
            bounds[0] = 0.0
            n_waiting = 1
            while n_waiting > 0:
                n_waiting -= 1
                node = waiting[n_waiting]
                if bounds[n_waiting] >= limit or node_label[node] == own:
                    continue
                if rights[node] > 0:
                    n_before = n_waiting
                    for side in range(2):
                        child = rights[node] if side else node + 1
                        if child != below and node_label[child] != own:
                            bound = squared_distance_to_box(points, lower, upper, child, i)
                            if bound < limit:
                                let_wait(waiting, bounds, n_before, n_waiting, child, bound)
                                n_waiting += 1
                    continue
                for j in range(starts[node], ends[node]):
                    if labels[j] != own:
                        square = squared_distance(points, i, j)
                        if square < limit:
                            limit = square
                            found = j
            if above == 0 or is_inside(points, lower, upper, above, i, limit):
                break
            below = above
            above = parents[below]
        squares[i] = limit
