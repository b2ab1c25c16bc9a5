"""Dunn: the gap between clusters beside the widest cluster."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.safe_scale import scale_points, top_for_squares
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, Groups, make_groups, open_clustering
from disco_cvi._input.options import Choice
from disco_cvi._neighbors.kd_tree import kd_tree_of
from disco_cvi._neighbors.pair_sums import PORTION, SIDE_BY_SIDE, square_distances, take_rows
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS = {"noise": Choice("filter", "cluster")}


def dunn_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "filter",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by its smallest gap between clusters over its largest diameter.

    The score is 0 if two clusters touch, and has no upper bound; above 1 all points lie nearer to
    each point of their own cluster than to any other point. Two points decide about each of its
    parts, so that one outlier can spoil it. The value does not depend on the order of the rows.

    With d the Euclidean distance::

        gap      = smallest d(x, y) of two points in different clusters
        diameter = largest d(x, y) of two points in the same cluster
        score    = gap / diameter

    ================================  ==============================================================
    labeling                          score
    ================================  ==============================================================
    a cluster of one point            its diameter is 0
    a point in two clusters (copies)  0
    every cluster is one place        +inf; undefined if all points are identical: 0/0
    fewer than two clusters           undefined
    only noise                        undefined; with ``noise="cluster"`` too
    every point alone                 undefined: no cluster has a diameter that could be measured
    ================================  ==============================================================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise : {"filter", "cluster"}, default="filter"
        What noise is: left out, or one more cluster.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From 0 to +inf, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If fewer than two clusters are left, if every point is alone, or if all points are
        identical.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time O(n^2 d) at most, memory O(n d). Points are compared in portions that lie together; two
    portions whose bounding boxes can neither hold a smaller gap nor a larger diameter are passed
    over, which in low dimension are nearly all. The paper does not speak of noise; as singletons,
    which have no diameter, noise points would only narrow the gap.

    References
    ----------
    J. C. Dunn: Well-separated clusters and optimal fuzzy partitions. Journal of Cybernetics 4,
    95-104, 1974. https://doi.org/10.1080/01969727408546059

    Examples
    --------
    >>> from disco_cvi import dunn_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = dunn_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = dunn_score(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (7.0, 0.083)
    """
    caller = "dunn_score"
    clustering = open_clustering(X, labels, caller, noise_label=noise_label, n_jobs=n_jobs)
    return evaluate_dunn(clustering, noise=noise)


def evaluate_dunn(clustering: Clustering, *, noise: str = "filter") -> float:
    """Compute the Dunn score of a clustering."""
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    nearby = _bring_together(make_groups(clustering, "Dunn", noise))
    n_points = len(nearby.codes)
    found = np.empty((2, -(-n_points // SIDE_BY_SIDE)))
    # What all threads have found so far. One may overwrite the better find of another, which costs
    # time alone: each keeps its own finds.
    known = np.array([np.inf, 0.0])

    def search(begin: int, stop: int) -> None:
        own = slice(begin // PORTION, -(-stop // PORTION))
        box = (nearby.lower[own].min(axis=0), nearby.upper[own].max(axis=0))
        found[:, begin // SIDE_BY_SIDE] = _search_rows(nearby, begin, stop, *box, known)

    for_ranges(search, n_points, SIDE_BY_SIDE, clustering.n_jobs, "Dunn")
    gap, diameter = math.sqrt(found[0].min()), math.sqrt(found[1].max())
    if diameter > 0.0:
        return gap / diameter
    if gap > 0.0:
        return math.inf
    raise UndefinedScoreError(
        "Dunn needs points that differ; here all points that count are identical."
    )


class _Nearby(NamedTuple):
    """Points, cluster after cluster, those of a portion near each other; boxes of the portions."""

    points: FloatArray
    codes: NDArray[np.int32]
    lower: FloatArray
    upper: FloatArray


def _bring_together(groups: Groups) -> _Nearby:
    """Sort the points by cluster, and within it as a k-d tree does."""
    points = groups.clustering.points
    rows = kd_tree_of(points).tree.rows
    rows = rows[np.argsort(groups.codes[rows], kind="stable")]
    array, _ = scale_points(points.array, top_for_squares(points.array.shape[1]))
    array = array[rows]
    begins = np.arange(0, len(array), PORTION)
    boxes = (extreme.reduceat(array, begins) for extreme in (np.minimum, np.maximum))
    return _Nearby(array, groups.codes[rows], *boxes)


@kernel
def _search_rows(nearby, begin, stop, low, high, known):
    """Compare points `begin` to ``stop - 1``, in the box from `low` to `high`, with all from there.

    Returns the smallest square between clusters and the largest within one. A square of a pair of
    points is never below that of the gap of their boxes, rounding included.
    """
    points, codes, lower, upper = nearby
    n_points, dimension = points.shape
    rows = np.empty((dimension, SIDE_BY_SIDE))
    squares = np.empty((PORTION, SIDE_BY_SIDE))
    nearest = np.empty(SIDE_BY_SIDE)
    farthest = np.empty(SIDE_BY_SIDE)
    take_rows(points, begin, stop, rows)
    gap, diameter = known[0], known[1]
    for i in range(SIDE_BY_SIDE):
        nearest[i] = gap
        farthest[i] = diameter
    for portion in range(begin // PORTION, len(lower)):
        first = portion * PORTION
        last = min(first + PORTION, n_points)
        is_apart = codes[first] > codes[stop - 1]
        is_one = codes[begin] == codes[stop - 1] and codes[begin] == codes[last - 1]
        least, most = _bound_squares(low, high, lower[portion], upper[portion])
        if (is_one or least >= known[0]) and (is_apart or most <= known[1]):
            continue
        square_distances(points, first, last, rows, squares)
        for j in range(last - first):
            if is_apart:
                for i in range(SIDE_BY_SIDE):
                    nearest[i] = min(nearest[i], squares[j, i])
            elif is_one:
                for i in range(SIDE_BY_SIDE):
                    farthest[i] = max(farthest[i], squares[j, i])
            else:
                for i in range(stop - begin):
                    if codes[begin + i] == codes[first + j]:
                        farthest[i] = max(farthest[i], squares[j, i])
                    else:
                        nearest[i] = min(nearest[i], squares[j, i])
        for i in range(SIDE_BY_SIDE):
            gap = min(gap, nearest[i])
            diameter = max(diameter, farthest[i])
        known[0] = min(known[0], gap)
        known[1] = max(known[1], diameter)
    return gap, diameter


@inline_kernel
def _bound_squares(low, high, other_low, other_high):
    """The least and the largest squared distance that points of two boxes can have."""
    least = 0.0
    most = 0.0
    for c in range(len(low)):
        gap = max(max(other_low[c] - high[c], low[c] - other_high[c]), 0.0)
        reach = max(other_high[c] - low[c], high[c] - other_low[c])
        least += gap * gap
        most += reach * reach
    return least, most
