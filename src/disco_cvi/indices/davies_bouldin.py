"""Davies-Bouldin: how wide clusters are beside the distances of their centers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, make_groups, open_clustering
from disco_cvi._input.options import Choice
from disco_cvi._neighbors.centers import (
    Centers,
    find_centers,
    gather_groups,
    square_to_centers,
    sum_by_group,
)
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS = {"noise": Choice("filter", "cluster")}

_RANGE = 64


def davies_bouldin_index(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "filter",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Rate a clustering by the width of clusters beside the distances of their centers.

    The index is 0 if every cluster is one place, and grows without bound: lower is better. It is
    made for round clusters. The value does not depend on the order of the rows, to the last bit.

    With v(c) the mean of cluster c, d the Euclidean distance, and k clusters::

        S(c)    = mean over the points x of c of d(x, v(c))
        R(c, e) = (S(c) + S(e)) / d(v(c), v(e))
        index   = 1/k * sum over clusters c of the largest R(c, e) over clusters e other than c

    ===============================  ==============================================================
    labeling                         value
    ===============================  ==============================================================
    a cluster of one point           its S is 0
    two clusters with one center     +inf; undefined if both have no width, for R is 0/0
    fewer than two clusters          undefined
    only noise                       undefined; with ``noise="cluster"`` too
    every point alone                undefined: no cluster has a width that could be measured
    all points identical             undefined
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
        Number of threads; None means 1, -1 all processors. The value does not depend on it.

    Returns
    -------
    float
        From 0 to +inf, lower is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If fewer than two clusters are left, if every point is alone, or if two clusters without
        width have the same place.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time O(n d + k^2 d) and one sorting of the points, memory O(n d). Of the family in the paper it
    is the member with q = 1 and p = 2, the one that is usually meant. Where two centers are equal,
    scikit-learn leaves the pair out, and the index becomes better by it. The paper does not speak
    of noise; as singletons, which have no width, noise points would make every clustering better.

    References
    ----------
    D. L. Davies, D. W. Bouldin: A cluster separation measure. IEEE Transactions on Pattern Analysis
    and Machine Intelligence PAMI-1, 224-227, 1979. https://doi.org/10.1109/TPAMI.1979.4766909

    Examples
    --------
    >>> from disco_cvi import davies_bouldin_index
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = davies_bouldin_index(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = davies_bouldin_index(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (0.125, 11.336)
    """
    caller = "davies_bouldin_index"
    clustering = open_clustering(X, labels, caller, noise_label=noise_label, n_jobs=n_jobs)
    return evaluate_davies_bouldin(clustering, noise=noise)


def evaluate_davies_bouldin(clustering: Clustering, *, noise: str = "filter") -> float:
    """Compute the Davies-Bouldin index of a clustering."""
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    groups = gather_groups(make_groups(clustering, "Davies-Bouldin", noise))
    centers = find_centers(groups)
    distances = np.sqrt(square_to_centers(groups, centers))
    widths = sum_by_group(distances, groups) / np.diff(groups.starts)
    worst = _find_worst(centers, widths, clustering.n_jobs)
    if np.isnan(worst).any():
        raise UndefinedScoreError(
            "Davies-Bouldin needs clusters that differ; here two clusters are one and the same "
            "repeated point."
        )
    try:
        return math.fsum(worst.tolist()) / len(worst)
    except OverflowError:  # the sum is no float, but the mean is
        return math.fsum((worst / len(worst)).tolist())


def _find_worst(centers: Centers, widths: FloatArray, n_jobs: int) -> FloatArray:
    """For each cluster the largest R(c, e); NaN where one is 0/0."""
    worst = np.zeros(len(widths))

    def compare(begin: int, stop: int) -> None:
        _compare_clusters(centers, widths, begin, stop, worst)

    for_ranges(compare, len(widths), _RANGE, n_jobs)
    return worst


@kernel
def _compare_clusters(centers, widths, begin, stop, worst):
    """Compare the clusters `begin` to ``stop - 1`` with all others."""
    for one in range(begin, stop):
        for other in range(len(widths)):
            if other == one:
                continue
            both = widths[one] + widths[other]
            apart = math.sqrt(_square_between(centers, one, other))
            if apart > 0.0:
                worst[one] = max(worst[one], both / apart)
            elif both > 0.0:
                worst[one] = np.inf
            else:
                worst[one] = np.nan
                break


@inline_kernel
def _square_between(centers, one, other):
    """Squared distance of two centers."""
    total = 0.0
    for c in range(centers.high.shape[1]):
        x = centers.high[one, c] - centers.high[other, c]
        x += centers.low[one, c] - centers.low[other, c]
        total += x * x
    return total
