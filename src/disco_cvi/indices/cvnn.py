"""CVNN: separation by the clusters of nearest neighbors, compactness by distances in clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.arrays import is_collection
from disco_cvi._input.clustering import (
    Clustering,
    label_points,
    open_clustering,
    put_side_by_side,
)
from disco_cvi._input.labels import warn_of_noise
from disco_cvi._input.options import Choice, Count, check_options
from disco_cvi._input.points import METRIC, open_points
from disco_cvi._neighbors.distances import (
    SHRINK,
    DistanceRows,
    distance_rows,
    row_blocks,
    sums_of_rows,
)
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi._neighbors.pair_sums import PORTION, SIDE_BY_SIDE, sum_distances, take_rows
from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError, UndefinedScoreError

OPTIONS = {
    "n_neighbors": Count(),
    "compactness": Choice("summed", "pooled"),
    "noise": Choice("neighbors", "filter"),
}

_TILES_PER_RANGE = 4


def cvnn_index(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    n_neighbors: int = 10,
    compactness: str = "summed",
    noise: str = "neighbors",
    metric: str | Callable[..., float] = METRIC,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Rate a clustering by whose the nearest neighbors are and how far clusters extend.

    CVNN adds a separation from 0 to 1, the share of nearest neighbors outside of the own cluster
    in the cluster where it is largest, and a compactness in the units of the data: lower is better,
    and there is no upper bound. So the compactness decides nearly alone; to weigh both alike, give
    all candidates to `cvnn_indices`.

    With m neighbors, m = `n_neighbors` or the number of other points if that is smaller::

        separation  = max over clusters c of
                      mean over points x of c of (neighbors of x outside of c) / m
        compactness = sum over clusters c of the mean distance of two points of c
        CVNN        = separation + compactness

    =============================  ================================================================
    labeling                       value
    =============================  ================================================================
    a cluster of one point         compactness 0; separation 1, as all neighbors are others
    one cluster, no noise          separation 0: the value is the compactness
    one cluster and noise          as defined, noise points are neighbors outside of the cluster
    n_neighbors is n or more       all n - 1 other points are neighbors
    a single point                 0
    only noise                     undefined
    identical points               copies are neighbors at distance 0, with the smaller row first
    =============================  ================================================================

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points, or their distances. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    n_neighbors : int, default=10
        How many nearest other points of a point are looked at; fpc and ClustPy take 5.
    compactness : {"summed", "pooled"}, default="summed"
        How the distances of the clusters are put together: the sum of their means, as the paper
        has it, or one mean over all pairs of points with a common cluster, which does not grow with
        the number of clusters: the form of fpc.
    noise : {"neighbors", "filter"}, default="neighbors"
        Whether noise points, which form no cluster, can be neighbors, or are left out.
    metric : str or callable, default="euclidean"
        How distances are measured, see `DensityTree`.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The value does not depend on it.

    Returns
    -------
    float
        0 or more, lower is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there is no cluster, or if distances exceed the range of floating-point numbers.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    cvnn_indices : Rate several clusterings of the same points against each other.

    Notes
    -----
    Time O(n log n) in low dimension for the neighbors, O(n^2 log n) for metrics that no tree can
    search, and O(d s^2) for each cluster of size s; memory O(n (d + m)). The value does not depend
    on the order of the rows, to the last bit, unless points at equal distance compete for the last
    place among the neighbors: the smaller row wins. The paper normalizes each part by its largest
    value among several clusterings, which one clustering does not have, and leaves open what a
    single point's compactness is. Noise is not part of the original definition.

    References
    ----------
    Y. Liu, Z. Li, H. Xiong, X. Gao, J. Wu, S. Wu: Understanding and enhancement of internal
    clustering validation measures. IEEE Transactions on Cybernetics 43(3), 982-994, 2013.
    https://doi.org/10.1109/TSMCB.2012.2220543

    Examples
    --------
    >>> from disco_cvi import cvnn_index
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = cvnn_index(X, [0, 0, 0, 0, 1, 1, 1, 1, -1], n_neighbors=3)
    >>> bad = cvnn_index(X, [0, 0, 1, 1, 0, 0, 1, 1, 1], n_neighbors=3)
    >>> round(good, 3), round(bad, 3)
    (2.276, 19.734)
    """
    clustering = open_clustering(
        X,
        labels,
        "cvnn_index",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
    )
    return evaluate_cvnn(clustering, n_neighbors=n_neighbors, compactness=compactness, noise=noise)


def cvnn_indices(
    X: ArrayLike,
    labelings: Sequence[ArrayLike],
    *,
    n_neighbors: int = 10,
    compactness: str = "summed",
    noise: str = "neighbors",
    metric: str | Callable[..., float] = METRIC,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> FloatArray:
    """Rate several clusterings of the same points, as the paper does: both parts weigh alike.

    Separation and compactness of each clustering (see `cvnn_index`) are divided by the largest
    among all of them before they are added; a part that is 0 everywhere stays 0.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points, or their distances.
    labelings : sequence of array-like of shape (n,)
        Labels of one clustering each.
    n_neighbors : int, default=10
        As in `cvnn_index`, like all further parameters.
    compactness : {"summed", "pooled"}, default="summed"
        How the distances of the clusters are put together.
    noise : {"neighbors", "filter"}, default="neighbors"
        Whether noise points can be neighbors, or are left out.
    metric : str or callable, default="euclidean"
        How distances are measured.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of shape (number of labelings,)
        From 0 to 2, lower is better. A value says nothing without the others.

    Raises
    ------
    UndefinedScoreError
        Where `cvnn_index` raises it for one of the clusterings.

    Examples
    --------
    >>> from disco_cvi import cvnn_indices
    >>> X = [[0], [1], [2], [10], [11], [12]]
    >>> cvnn_indices(X, [[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]], n_neighbors=2).round(3)
    array([0.432, 2.   ])
    """
    caller = "cvnn_indices"
    labelings = _check_labelings(labelings, caller)
    points = open_points(X, caller, n_jobs=n_jobs, metric=metric, metric_params=metric_params)
    clusterings = [
        label_points(points, labels, noise_label, argument=f"labelings[{number}]")
        for number, labels in enumerate(labelings)
    ]
    checked = [clustering.labels for clustering in clusterings]
    warn_of_noise(zip(labelings, checked, strict=True), noise_label)
    parts = [_parts(found, n_neighbors, compactness, noise) for found in clusterings]
    table = np.array(parts)
    largest = table.max(axis=0)
    values: FloatArray = (table / np.where(largest > 0, largest, 1.0)).sum(axis=1)
    return values


def _check_labelings(labelings: object, caller: str) -> list[Any]:
    """Return several labelings as a list; an array of no dimension holds none."""
    if isinstance(labelings, Mapping) or not is_collection(labelings):
        rule = "be a list, the labels of one clustering in each place"
        got = describe(labelings)
        raise InvalidTypeError(argument="labelings", caller=caller, rule=rule, got=got)
    found = list(labelings)
    if not found:
        rule = "hold the labels of one clustering or more"
        raise InvalidInputError(argument="labelings", caller=caller, rule=rule, got="none")
    return found


def evaluate_cvnn(
    clustering: Clustering,
    *,
    n_neighbors: int = 10,
    compactness: str = "summed",
    noise: str = "neighbors",
) -> float:
    """Compute CVNN of a clustering."""
    return sum(_parts(clustering, n_neighbors, compactness, noise))


def _parts(
    clustering: Clustering, n_neighbors: object, compactness: str, noise: str
) -> tuple[float, float]:
    """Return separation and compactness."""
    given = {"n_neighbors": n_neighbors, "compactness": compactness, "noise": noise}
    wanted = check_options(OPTIONS, clustering.caller, given)["n_neighbors"]
    clustering.need_clusters("CVNN", least=1)
    kept = clustering.without_noise if noise == "filter" else clustering
    return _separation(kept, wanted), compactness_of(kept, compactness)


def _separation(clustering: Clustering, n_neighbors: int) -> float:
    """The largest share of neighbors outside of the own cluster."""
    if clustering.n_points == 1:
        return 0.0
    codes, sizes = clustering.labels.codes, clustering.labels.sizes
    rows = nearest_points(clustering.points, n_neighbors).rows
    inside = codes >= 0
    outside = (codes[rows[inside]] != codes[inside][:, None]).sum(axis=1)
    # Whole numbers far below 2**53: the sums are exact.
    counts = np.bincount(codes[inside], weights=outside, minlength=len(sizes))
    return float((counts / (sizes * rows.shape[1])).max())


def compactness_of(clustering: Clustering, compactness: str = "summed") -> float:
    """Put together the distances of points with a common cluster."""
    sizes = clustering.labels.sizes
    n_pairs = sizes * (sizes - 1) // 2
    is_plain = clustering.points.metric.is_plain
    sums, exponent = (_sums_of_distances if is_plain else _sums_by_rows)(clustering)
    try:
        if compactness == "pooled":
            value = math.fsum(sums) / max(1, int(n_pairs.sum()))
        else:
            value = math.fsum(sums / np.maximum(1, n_pairs))
        return math.ldexp(value, exponent)
    except OverflowError:
        message = "CVNN is beyond the range of floating-point numbers; scale the points down."
        raise UndefinedScoreError(message) from None


class _Tiles(NamedTuple):
    """Points of each cluster side by side, cut into tiles of rows.

    The rows of a tile begin at ``begin`` and are compared with all from there up to ``end``, the
    end of the cluster, so that each pair is met in one tile.
    """

    points: FloatArray
    begin: NDArray[np.int64]
    end: NDArray[np.int64]


def _sums_of_distances(clustering: Clustering) -> tuple[FloatArray, int]:
    """Return for each cluster the sum of the distances of all pairs of its points.

    The sums are to be multiplied by two to the power of the number that comes with them.
    """
    sizes = clustering.labels.sizes
    # Within this size, squares neither overflow nor vanish.
    points, exponent = scale_points(clustering.array, 400)
    ordered = put_side_by_side(points, clustering.labels.codes, sizes).points
    n_tiles = -(-sizes // SIDE_BY_SIDE)
    firsts = np.cumsum(n_tiles) - n_tiles
    tile_in_cluster = np.arange(n_tiles.sum()) - np.repeat(firsts, n_tiles)
    ends = np.cumsum(sizes)
    begins = np.repeat(ends - sizes, n_tiles) + SIDE_BY_SIDE * tile_in_cluster
    tiles = _Tiles(ordered, begins, np.repeat(ends, n_tiles))
    sums = np.empty(len(begins))

    def add(begin: int, stop: int) -> None:
        _add_pairs(tiles, begin, stop, sums)

    for_ranges(add, len(begins), _TILES_PER_RANGE, clustering.n_jobs, "CVNN")
    parts = np.split(sums, firsts[1:])
    return np.array([math.fsum(part) for part in parts]), -exponent


def _sums_by_rows(clustering: Clustering) -> tuple[FloatArray, int]:
    """The same for any metric, some rows of distances at a time.

    Distances of a point are added from the smallest to the largest: the same bits for any order of
    the rows.
    """
    source = distance_rows(clustering.array, clustering.points.metric, clustering.caller)
    sums = np.array([_sum_of_pairs(source.part(rows)) for rows in clustering.members])
    if np.isfinite(sums).all():
        return sums, source.exponent
    shrunk = [_sum_of_pairs(source.part(rows), SHRINK) for rows in clustering.members]
    return np.array(shrunk), source.exponent - SHRINK


def _sum_of_pairs(source: DistanceRows, exponent: int = 0) -> float:
    """Sum of the distances of all pairs, times a power of two; infinite beyond all floats."""
    n_points = source.n_points
    of_points = np.empty(n_points)
    for block in row_blocks(n_points, n_points):
        distances = source.rows(block.start, block.stop)
        of_points[block] = sums_of_rows(np.ldexp(distances, exponent) if exponent else distances)
    try:
        # Every pair is met twice.
        return 0.5 * math.fsum(of_points)
    except OverflowError:
        return math.inf


@kernel
def _add_pairs(tiles, first_tile, last_tile, sums):
    """Add up the distances of the pairs of each tile.

    A sum runs over the points one after the other, always in the same portions, for many rows side
    by side; so each row is added up in the order of the points, and the compiler may still use
    vectors. Pairs within the tile are met twice.
    """
    points, begins, ends = tiles
    rows = np.empty((points.shape[1], SIDE_BY_SIDE))
    squares = np.empty((PORTION, SIDE_BY_SIDE))
    total = np.empty(SIDE_BY_SIDE)
    portion = np.empty(SIDE_BY_SIDE)
    for tile in range(first_tile, last_tile):
        begin, end = begins[tile], ends[tile]
        stop = min(begin + SIDE_BY_SIDE, end)
        take_rows(points, begin, stop, rows)
        total[:] = 0.0
        for first in range(begin, end, PORTION):
            sum_distances(points, first, min(first + PORTION, end), rows, squares, portion)
            # A tile is a whole number of portions, so a portion lies within it or beyond it.
            share = 0.5 if first < stop else 1.0
            for i in range(SIDE_BY_SIDE):
                total[i] += share * portion[i]
        sums[tile] = 0.0
        for i in range(stop - begin):
            sums[tile] += total[i]
