"""Generalized Dunn (gD33): mean distances between clusters beside the widest cluster."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import (
    Clustering,
    SideBySide,
    make_groups,
    open_clustering,
)
from disco_cvi._input.options import Choice
from disco_cvi._neighbors.centers import (
    find_centers,
    gather_groups,
    square_to_centers,
    sum_by_group,
)
from disco_cvi._neighbors.pair_sums import SIDE_BY_SIDE, sum_to_groups
from disco_cvi.exceptions import UndefinedScoreError

OPTIONS = {"noise": Choice("filter", "cluster")}


def generalized_dunn_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "filter",
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the mean distances between its clusters over its largest diameter.

    Of the generalized Dunn indices this is the one called gD33 or v33: where the original takes two
    points for a gap or a diameter, it takes a mean over all, so that no single point decides. The
    score is 0 or more, without an upper bound. It is made for round clusters. The value does not
    depend on the order of the rows, to the last bit.

    With d the Euclidean distance and v(c) the mean of cluster c::

        gap(c, e)   = mean of d(x, y) over all points x of c and y of e
        diameter(c) = 2 * mean of d(x, v(c)) over all points x of c
        score       = smallest gap(c, e) of two clusters / largest diameter(c) of a cluster

    ===============================  ==============================================================
    labeling                         score
    ===============================  ==============================================================
    a cluster of one point           its diameter is 0
    every cluster is one place       +inf; undefined if two of them are the same place: 0/0
    fewer than two clusters          undefined
    only noise                       undefined; with ``noise="cluster"`` too
    every point alone                undefined: no cluster has a diameter that could be measured
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
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From 0 to +inf, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If fewer than two clusters are left, if every point is alone, or if no cluster has a
        diameter and two of them are the same place.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time O(n^2 d), memory O(n (d + k / 64)) for k clusters. The paper does not speak of noise; as
    singletons, which have no diameter, noise points would only narrow the gaps.

    References
    ----------
    J. C. Bezdek, N. R. Pal: Some new indexes of cluster validity. IEEE Transactions on Systems, Man
    and Cybernetics, Part B 28, 301-315, 1998. https://doi.org/10.1109/3477.678624

    Examples
    --------
    >>> from disco_cvi import generalized_dunn_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = generalized_dunn_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = generalized_dunn_score(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (8.016, 0.554)
    """
    caller = "generalized_dunn_score"
    clustering = open_clustering(X, labels, caller, noise_label=noise_label, n_jobs=n_jobs)
    return evaluate_generalized_dunn(clustering, noise=noise)


def evaluate_generalized_dunn(clustering: Clustering, *, noise: str = "filter") -> float:
    """Compute the generalized Dunn score of a clustering."""
    noise = OPTIONS["noise"].check(noise, "noise", clustering.caller)
    groups = gather_groups(make_groups(clustering, "Generalized Dunn", noise))
    distances = np.sqrt(square_to_centers(groups, find_centers(groups)))
    diameter = 2 * float((sum_by_group(distances, groups) / np.diff(groups.starts)).max())
    gap = _find_smallest_gap(groups, clustering.n_jobs)
    if diameter > 0.0:
        return gap / diameter
    if gap > 0.0:
        return math.inf
    raise UndefinedScoreError(
        "Generalized Dunn needs clusters that differ; here all are repeated points, and two of "
        "them are the same."
    )


def _find_smallest_gap(groups: SideBySide, n_jobs: int) -> float:
    """The smallest mean distance of two groups.

    Each pair is added up from both sides, which may round differently; the smaller sum counts,
    whichever group comes first.
    """
    sizes = np.diff(groups.starts)
    blocks = _cut_blocks(groups.starts)

    def compare(block: int, _stop: int) -> FloatArray | float:
        begin, stop = blocks[block]
        codes = groups.codes[begin:stop]
        first, last = codes[0], codes[-1]
        of_rows = np.zeros((len(sizes), stop - begin))
        skipped = first if first == last else -1
        sum_to_groups(groups.points, groups.starts, begin, stop, skipped, of_rows)
        sums = np.zeros((last - first + 1, len(sizes)))
        for code, row in zip(codes.tolist(), of_rows.T, strict=True):
            sums[code - first] += row
        return sums[0] if stop - begin < sizes[first] else _smallest(sums, sizes, first)

    found = for_ranges(compare, len(blocks), 1, n_jobs, "Generalized Dunn")
    smallest = min((part for part in found if isinstance(part, float)), default=math.inf)
    # Parts of one large group.
    shares: dict[int, list[FloatArray]] = {}
    for (begin, _), part in zip(blocks, found, strict=True):
        if isinstance(part, np.ndarray):
            shares.setdefault(int(groups.codes[begin]), []).append(part)
    for group, parts in shares.items():
        sums = np.array([[math.fsum(column) for column in zip(*parts, strict=True)]])
        smallest = min(smallest, _smallest(sums, sizes, group))
    return smallest


def _cut_blocks(starts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Ranges of at most SIDE_BY_SIDE points: whole groups, or parts of one that is larger.

    Cut at the begin of groups, so that sums do not depend on what comes before a group.
    """
    blocks: list[tuple[int, int]] = []
    begin = 0
    for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if stop - begin > SIDE_BY_SIDE:
            if start > begin:
                blocks.append((begin, start))
            begin = start
        while stop - begin > SIDE_BY_SIDE:
            blocks.append((begin, begin + SIDE_BY_SIDE))
            begin += SIDE_BY_SIDE
        if begin > start:
            blocks.append((begin, stop))
            begin = stop
    if begin < starts[-1]:
        blocks.append((begin, int(starts[-1])))
    return blocks


def _smallest(sums: FloatArray, sizes: NDArray[np.int64], first: int) -> float:
    """The smallest mean distance from groups `first` onwards to another group."""
    own = np.arange(first, first + len(sums))
    means = sums / (sizes[own, None] * sizes.astype(np.float64))
    means[own - first, own] = np.inf
    return float(means.min())
