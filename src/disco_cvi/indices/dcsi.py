"""DCSI: how well the dense parts of clusters are separated, compared with how well they connect."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.options import Count
from disco_cvi._input.points import METRIC
from disco_cvi._neighbors.distances import (
    DistanceRows,
    distance_rows,
    euclidean_points,
    from_squares,
    row_blocks,
)
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    build_kd_tree,
    squared_distance,
    squared_distance_of_boxes,
)
from disco_cvi._neighbors.search_choice import search_neighbors
from disco_cvi._spanning_tree.mutual_reachability import (
    minimum_spanning_tree,
    spanning_tree_by_rows,
)

Result = TypeVar("Result")

OPTIONS = {"min_points": Count()}

# Fewer points than these are not worth a second thread.
_MANY_POINTS = 20_000
# A bound from boxes is lowered by more than rounding may have raised it.
_BELOW = 1 - 2.0**-40


def dcsi_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    min_points: int = 5,
    metric: str | Callable[..., float] = METRIC,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the gaps between its dense parts and the largest steps inside them.

    From 0 (worst) to 1 (best). Only the core points of a cluster count: those that lie as densely
    as half of the cluster does. A pair of clusters scores near 1 if the gap between their core
    points is much wider than the largest step that is needed to walk through either of them, 1/2
    if gap and step are equal, and near 0 if they touch. The score is the mean over all pairs of
    clusters; noise is left out.

    With eps(C) the median over the points of cluster C of the distance to the
    ``2 * min_points``-th nearest other point of C, the core points of C are those with at least
    `min_points` other points of C within eps(C). Conn(C) is the longest edge of a minimum spanning
    tree of the core points, Sep(C, E) the smallest distance between core points of C and E, and a
    pair scores Sep(C, E) / (Sep(C, E) + max(Conn(C), Conn(E))).

    ==================================================  ============================
    labeling                                            score
    ==================================================  ============================
    two clusters or more                                mean over pairs, as above
    one cluster, or only noise                          undefined
    a cluster of at most `min_points` points            its pairs score 0
    a point alone in its cluster                        its pairs score 0
    Sep = 0, whatever Conn is                           the pair scores 0
    Conn = 0 < Sep, such as copies of two points        the pair scores 1
    ==================================================  ============================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. The score does not depend on their unit, but on the scale of one feature
        against another.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    min_points : int, default=5
        How many other points make a point a core point.
    metric : str or callable, default="euclidean"
        See `DensityTree`.
    metric_params : dict, optional
        Further arguments of the metric. What a metric estimates from data is estimated from the
        points without noise.
    noise_label : int, str, bool or None, default=-1
        The label of noise, which is left out; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From 0 to 1, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two clusters.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time O(n log n + k² log n) for k clusters in low dimension, up to O(n²) in high dimension;
    memory O(n). The value does not depend on the order of the rows nor on the names of the
    clusters, to the last bit. In a cluster with too few points for the ``2 * min_points``-th
    neighbor, the farthest point takes its place, which the paper leaves open.

    References
    ----------
    J. Gauss, F. Scheipl, M. Herrmann: DCSI - An improved measure of cluster separability based on
    separation and connectedness. arXiv:2310.12806, 2023.

    Examples
    --------
    >>> from disco_cvi import dcsi_score
    >>> X = [[0], [1], [2], [3], [13], [14], [15], [16], [40]]
    >>> round(dcsi_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1], min_points=2), 3)
    0.909
    """
    clustering = open_clustering(
        X,
        labels,
        "dcsi_score",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
    )
    return evaluate_dcsi(clustering, min_points=min_points)


def evaluate_dcsi(clustering: Clustering, *, min_points: int = 5) -> float:
    """Return the DCSI of a clustering; see `dcsi_score`."""
    min_points = OPTIONS["min_points"].check(min_points, "min_points", clustering.caller)
    clustering.need_clusters("DCSI")
    clustering = clustering.without_noise
    metric = clustering.points.metric
    separate = _separate if metric.is_euclidean else _separate_by_rows
    scores = separate(clustering, min_points)
    n_clusters = clustering.labels.n_clusters
    return math.fsum(scores) / (n_clusters * (n_clusters - 1) // 2)


def _separate(clustering: Clustering, min_points: int) -> Iterator[float]:
    """Scores of the pairs of clusters that have core points, by searches in k-d trees."""
    metric, n_jobs = clustering.points.metric, clustering.n_jobs
    points, exponent = euclidean_points(clustering.array, metric, clustering.caller)

    def measure(squares: FloatArray) -> FloatArray:
        return from_squares(squares, exponent, metric)[0]

    clusters = [points[rows] for rows in clustering.members if len(rows) > min_points]
    cores = _for_each(
        clusters, lambda cluster, jobs: _core_points(cluster, min_points, jobs, measure), n_jobs
    )
    steps = measure(longest_steps(cores, n_jobs))
    for block, squares in squared_gaps(cores, n_jobs):
        for c, gaps in zip(range(block.start, block.stop), measure(squares), strict=True):
            yield from _pair_scores(gaps[c + 1 :], np.maximum(steps[c], steps[c + 1 :]))


def _separate_by_rows(clustering: Clustering, min_points: int) -> Iterator[float]:
    """The same for any metric, some rows of distances at a time."""
    source = distance_rows(clustering.array, clustering.points.metric, clustering.caller)
    members = [rows for rows in clustering.members if len(rows) > min_points]
    cores = [rows[_are_core(source.part(rows), min_points)] for rows in members]
    if not cores:
        return
    longest = [
        float(spanning_tree_by_rows(source.part(core), 1).edges.heights.max(initial=0.0))
        for core in cores
    ]
    steps, sizes = np.array(longest), np.array([len(core) for core in cores])
    gaps = np.full((len(cores), len(cores)), np.inf)
    starts = np.cumsum(sizes) - sizes
    owners = np.repeat(np.arange(len(cores)), sizes)
    together = source.part(np.concatenate(cores))
    for block in row_blocks(together.n_points, together.n_points):
        nearest = np.minimum.reduceat(together.rows(block.start, block.stop), starts, axis=1)
        np.minimum.at(gaps, owners[block], nearest)
    for c, row in enumerate(gaps):
        yield from _pair_scores(row[c + 1 :], np.maximum(steps[c], steps[c + 1 :]))


def _are_core(source: DistanceRows, min_points: int) -> NDArray[np.bool_]:
    """Which points of a cluster of more than `min_points` points are its core points."""
    n_points = source.n_points
    reach, near = np.empty(n_points), np.empty(n_points)
    for block in row_blocks(n_points, n_points):
        ranked = np.sort(source.rows(block.start, block.stop), axis=1)
        reach[block] = ranked[:, min(2 * min_points, n_points - 1)]
        near[block] = ranked[:, min_points]
    return np.asarray(near <= np.median(reach))


def _pair_scores(gaps: FloatArray, steps: FloatArray) -> list[float]:
    """Scores of pairs of clusters; those that touch are left out, they count as 0."""
    apart = gaps > 0
    scores: list[float] = (gaps[apart] / (gaps[apart] + steps[apart])).tolist()
    return scores


def longest_steps(cores: Sequence[FloatArray], n_jobs: int) -> FloatArray:
    """Squared length of the longest edge of a minimum spanning tree of each set of points."""

    def longest(core: FloatArray, jobs: int) -> float:
        heights = minimum_spanning_tree(core.copy(), 1, jobs).edges.heights
        return float(heights.max(initial=0.0))

    return np.array(_for_each(cores, longest, n_jobs), np.float64)


def squared_gaps(cores: Sequence[FloatArray], n_jobs: int) -> Iterator[tuple[slice, FloatArray]]:
    """Smallest squared distances between sets of points, some rows of the matrix at a time.

    Only entries right of the diagonal are filled. No set may be empty.
    """
    if not cores:
        return
    joined = _join_trees([build_kd_tree(core.copy()) for core in cores])
    for block in row_blocks(len(cores), len(cores)):
        gaps = np.zeros((block.stop - block.start, len(cores)))

        def search(
            begin: int, stop: int, first: int = block.start, gaps: FloatArray = gaps
        ) -> None:
            _search_gaps(joined, first, begin, stop, gaps)

        for_ranges(search, len(gaps), max(1, len(gaps) // 64), n_jobs)
        yield block, gaps


class _Trees(NamedTuple):
    """The k-d trees of all clusters, one after the other; `roots` ends with the number of nodes."""

    roots: NDArray[np.int64]
    points: FloatArray
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    right: NDArray[np.int64]
    lower: FloatArray
    upper: FloatArray


def _join_trees(trees: list[KDTree]) -> _Trees:
    n_points = np.array([len(tree.points) for tree in trees])
    n_nodes = np.array([len(tree.start) for tree in trees])
    roots = np.concatenate([[0], np.cumsum(n_nodes)])
    first = np.repeat(np.cumsum(n_points) - n_points, n_nodes)
    right = np.concatenate([tree.right for tree in trees])
    return _Trees(
        roots,
        np.concatenate([tree.points for tree in trees]),
        np.concatenate([tree.start for tree in trees]) + first,
        np.concatenate([tree.end for tree in trees]) + first,
        np.where(right > 0, right + np.repeat(roots[:-1], n_nodes), 0),
        np.concatenate([tree.lower for tree in trees]),
        np.concatenate([tree.upper for tree in trees]),
    )


def _for_each(
    sets: Sequence[FloatArray], work: Callable[[FloatArray, int], Result], n_jobs: int
) -> list[Result]:
    """Call ``work(points, n_jobs)`` for each set: large ones in threads, small ones side by side.

    Threads that share a small set wait for each other more than they work.
    """
    results: dict[int, Result] = {}
    small = [c for c, points in enumerate(sets) if len(points) < _MANY_POINTS]

    def work_on(begin: int, stop: int) -> None:
        for c in small[begin:stop]:
            results[c] = work(sets[c], 1)

    for_ranges(work_on, len(small), max(1, len(small) // 64), n_jobs)
    for c in set(range(len(sets))) - set(small):
        results[c] = work(sets[c], n_jobs)
    return [results[c] for c in range(len(sets))]


def _core_points(
    points: FloatArray, min_points: int, n_jobs: int, measure: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The distinct core points of a cluster of more than `min_points` points."""
    tree = build_kd_tree(points)

    def distances(rank: int) -> FloatArray:
        """From each distinct point to its nearest other row of that rank."""
        return measure(search_neighbors(tree, rank + 1, n_jobs).core)

    reach = np.repeat(distances(min(2 * min_points, len(tree.rows) - 1)), tree.multiplicity)
    return tree.points[distances(min_points) <= np.median(reach)]


@kernel
def _search_gaps(joined, first, begin, stop, gaps):
    """Fill rows begin to stop - 1 of `gaps`; row 0 stands for the cluster `first`.

    Pairs of nodes, the nearest first; the larger node of a pair is split. A pair waits with its
    bound, and is left out if a nearer pair of points was found meanwhile.
    """
    points, starts, ends, rights = joined.points, joined.start, joined.end, joined.right
    lower, upper, roots = joined.lower, joined.upper, joined.roots
    waiting = np.empty((2 * STACK_SIZE, 2), np.int64)
    bounds = np.empty(2 * STACK_SIZE)
    for row in range(begin, stop):
        for other in range(first + row + 1, gaps.shape[1]):
            least = np.inf
            waiting[0, 0] = roots[first + row]
            waiting[0, 1] = roots[other]
            bounds[0] = 0.0
            n_waiting = 1
            while n_waiting > 0:
                n_waiting -= 1
                if bounds[n_waiting] >= least:
                    continue
                a = waiting[n_waiting, 0]
                b = waiting[n_waiting, 1]
                if rights[a] == 0 and rights[b] == 0:
                    for i in range(starts[a], ends[a]):
                        for j in range(starts[b], ends[b]):
                            least = min(least, squared_distance(points, i, j))
                    continue
                size = ends[a] - starts[a]
                if rights[b] == 0 or (rights[a] > 0 and size >= ends[b] - starts[b]):
                    near, near_b, far, far_b = a + 1, b, rights[a], b
                else:
                    near, near_b, far, far_b = a, b + 1, a, rights[b]
                to_near = squared_distance_of_boxes(lower, upper, near, near_b) * _BELOW
                to_far = squared_distance_of_boxes(lower, upper, far, far_b) * _BELOW
                if to_far < to_near:
                    near, near_b, far, far_b = far, far_b, near, near_b
                    to_near, to_far = to_far, to_near
                if to_far < least:
                    waiting[n_waiting, 0] = far
                    waiting[n_waiting, 1] = far_b
                    bounds[n_waiting] = to_far
                    n_waiting += 1
                if to_near < least:
                    waiting[n_waiting, 0] = near
                    waiting[n_waiting, 1] = near_b
                    bounds[n_waiting] = to_near
                    n_waiting += 1
            gaps[row, other] = least
