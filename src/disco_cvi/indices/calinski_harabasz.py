"""Calinski-Harabasz: squares between clusters over squares within them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._input.clustering import (
    Clustering,
    SideBySide,
    make_groups,
    open_clustering,
    put_side_by_side,
)
from disco_cvi._input.options import Choice
from disco_cvi._neighbors.centers import (
    Centers,
    find_centers,
    gather_groups,
    square_to_centers,
)
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS = {"noise": Choice("filter", "cluster")}


def calinski_harabasz_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "filter",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the squares between its clusters over the squares within them.

    The score is 0 if all clusters have the same center, and has no upper bound. It is made for
    round clusters of similar width. The value does not depend on the order of the rows, to the
    last bit.

    With n points in k clusters, n(c) and v(c) the size and the mean of cluster c, v the mean of all
    points, and d the Euclidean distance::

        B     = sum over clusters c of n(c) * d(v(c), v)^2
        W     = sum over clusters c and their points x of d(x, v(c))^2
        score = (B / (k - 1)) / (W / (n - k))

    ===============================  ==============================================================
    labeling                         score
    ===============================  ==============================================================
    a cluster of one point           it adds nothing to W
    every cluster is one place       +inf; undefined if all points are identical: 0/0
    fewer than two clusters          undefined
    only noise                       undefined; with ``noise="cluster"`` too
    every point alone                undefined: n - k and W are 0
    ===============================  ==============================================================

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
        Number of threads; None means 1, -1 all processors. It is accepted as in all other indices;
        this one needs no threads.

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
    Time O(n d) and two sortings of the points, memory O(n d). It is also called variance ratio
    criterion. Where W is 0, scikit-learn answers 1. The paper does not speak of noise; as
    singletons, which add nothing to W, noise points would make most clusterings better.

    References
    ----------
    T. Calinski, J. Harabasz: A dendrite method for cluster analysis. Communications in Statistics
    3, 1-27, 1974. https://doi.org/10.1080/03610927408827101

    Examples
    --------
    >>> from disco_cvi import calinski_harabasz_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = calinski_harabasz_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = calinski_harabasz_score(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (384.0, 0.047)
    """
    caller = "calinski_harabasz_score"
    clustering = open_clustering(X, labels, caller, noise_label=noise_label, n_jobs=n_jobs)
    return evaluate_calinski_harabasz(clustering, noise=noise)


def evaluate_calinski_harabasz(clustering: Clustering, *, noise: str = "filter") -> float:
    """Compute the Calinski-Harabasz score of a clustering."""
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    groups = gather_groups(make_groups(clustering, "Calinski-Harabasz", noise))
    centers = find_centers(groups)
    within = math.fsum(square_to_centers(groups, centers).tolist())
    between = _sum_between(groups, centers)
    if within == 0.0:
        if between > 0.0:
            return math.inf
        raise UndefinedScoreError(
            "Calinski-Harabasz needs points that differ; here all points that count are identical."
        )
    n_points, n_groups = len(groups.points), len(centers.high)
    return between / within * ((n_points - n_groups) / (n_groups - 1))


def _sum_between(groups: SideBySide, centers: Centers) -> float:
    """The squared distances of the centers to the mean of all points, once for each point."""
    n_points = len(groups.points)
    one_group = np.zeros(n_points, np.int32)
    whole = find_centers(put_side_by_side(groups.points, one_group, np.array([n_points])))
    offsets = (centers.high - whole.high) + (centers.low - whole.low)
    return math.fsum((np.diff(groups.starts)[:, None] * offsets**2).ravel().tolist())
