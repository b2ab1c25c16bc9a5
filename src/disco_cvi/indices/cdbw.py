"""CDbw: density between and within clusters, told by several representatives of each."""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.clustering import Clustering, open_clustering, put_side_by_side
from disco_cvi._input.options import Count

OPTIONS = {"n_representatives": Count()}
# How far a representative moves towards the center: 0.1 to 0.8 of the way.
_SHRINKING = np.arange(1, 9) / 10
_RANGES, _TINY = 32, 5e-324
# Relative: squares that differ by more have roots in the same order.
_DOUBT = 1e-12


def cdbw_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    n_representatives: int = 10,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by density within and between clusters, and their separation.

    Each cluster is described by points on its rim, its representatives. The score is high if the
    places near the rim, moved step by step towards the center, are full of the cluster's points
    (compactness) and equally so at each step (cohesion), and if facing representatives of
    different clusters are far apart with few points halfway (separation). It is 0 or more, without
    an upper bound, and depends on the unit of the points. Noise is left out.

    With v(c) the mean of cluster c, s(c) the root of its summed variances, S the mean of all s(c)
    and S(c, e) that of two, RCR(c, e) the pairs of representatives that are nearest to each other::

        dens(c, e) = mean over (p, q) in RCR of
                     d(p, q) / (2 S(c, e)) * share of c and e within S(c, e) of (p + q) / 2
        dist(c, e) = mean over (p, q) in RCR of d(p, q)
        Sep        = mean over c of min over e of dist(c, e)
                     / (1 + mean over c of max over e of dens(c, e))
        Intra(t)   = 1 / S * mean over c and its representatives p of
                     the share of c within S of p + t (v(c) - p)
        Comp       = mean of Intra(t) over t = 0.1, 0.2, ..., 0.8
        Change     = mean of the absolute steps from one Intra(t) to the next
        CDbw       = Comp / (1 + Change) * Comp * Sep

    ==========================================  ============================================
    labeling                                    score
    ==========================================  ============================================
    two clusters or more                        as above
    one cluster, or only noise                  undefined
    every cluster is one point, or its copies   0
    a point alone in its cluster, or copies     its one representative; s(c) = 0
    s(c) = s(e) = 0                             dens(c, e) = 0
    ==========================================  ============================================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. The score depends on their unit: standardize them to compare data sets.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    n_representatives : int, default=10
        How many members stand for a cluster at most: the farthest from the center first, then
        again and again the one that is farthest from those chosen.
    noise_label : int, str, bool or None, default=-1
        The label of noise, which is left out; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        0 or more, greater is better; finite, never NaN.

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
    Time O(n k r) for k clusters of r representatives, less where clusters lie apart; memory O(n).
    Of equally far members the first row becomes the representative, so symmetric data may score
    otherwise in another order of the rows; without such ties the value does not depend on it, nor
    on the names of clusters, to the last bit. The paper leaves open how deviations of features
    become one number, s(c), and what radius belongs to a pair, S(c, e).

    References
    ----------
    M. Halkidi, M. Vazirgiannis: A density-based cluster validity approach using
    multi-representatives. Pattern Recognition Letters 29(6), 773-786, 2008.
    https://doi.org/10.1016/j.patrec.2007.12.011

    Examples
    --------
    >>> from disco_cvi import cdbw_score
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> good = cdbw_score(X, [0, 0, 0, 0, 1, 1, 1, 1, -1])
    >>> bad = cdbw_score(X, [0, 0, 1, 1, 0, 0, 1, 1, -1])
    >>> round(good, 3), round(bad, 3)
    (1.237, 0.007)
    """
    clustering = open_clustering(
        X, labels, noise_label=noise_label, n_jobs=n_jobs, caller="cdbw_score"
    )
    return evaluate_cdbw(clustering, n_representatives=n_representatives)


def evaluate_cdbw(clustering: Clustering, *, n_representatives: int = 10) -> float:
    """Return the CDbw of a clustering; see `cdbw_score`."""
    check = OPTIONS["n_representatives"].check
    n_representatives = check(n_representatives, "n_representatives", clustering.caller)
    clustering.need_clusters("CDbw")
    clustering = clustering.without_noise
    # Sums of squares over all entries must not overflow.
    points, exponent = scale_points(clustering.array, 490 - clustering.array.size.bit_length() // 2)
    clusters = _describe(points, clustering, n_representatives)
    deviation = math.fsum(clusters.deviations.tolist()) / clustering.labels.n_clusters
    if deviation == 0:
        return 0.0
    shares = _shares_within(clusters, deviation, clustering.n_jobs)
    separation = _separation(clusters, clustering.n_jobs)
    compactness = math.fsum(shares.tolist()) / len(shares)
    change = math.fsum(np.abs(np.diff(shares)).tolist()) / (len(shares) - 1)
    # Intra is shares / deviation. Written so that only the last division knows the unit.
    with np.errstate(over="ignore", under="ignore"):
        unit_deviation = max(float(np.ldexp(deviation, -exponent)), _TINY)
    score = compactness**2 * (separation / deviation) / (unit_deviation + change)
    return min(score, sys.float_info.max)


class ClusterShapes(NamedTuple):
    """The points cluster after cluster, and what stands for each cluster.

    Cluster c has the points ``starts[c]`` to ``starts[c + 1] - 1`` and the representatives
    ``rep_starts[c]`` to ``rep_starts[c + 1] - 1``.
    """

    points: FloatArray
    starts: NDArray[np.int64]
    centers: FloatArray
    deviations: FloatArray
    reps: FloatArray
    rep_starts: NDArray[np.int64]


class _Room(NamedTuple):
    """Where two clusters are compared: a place for each representative, and one between them."""

    to_other: NDArray[np.int64]
    back: NDArray[np.int64]
    squares: FloatArray
    nearest: FloatArray
    rising: FloatArray
    place: FloatArray


def center_of(members: FloatArray) -> FloatArray:
    """The mean, the same bits for any order of the rows; identical rows are their own mean."""
    total = np.array([math.fsum(column.tolist()) for column in members.T])
    low, high = members.min(axis=0), members.max(axis=0)
    return np.asarray(np.clip(total / len(members), low, high))


def variance_of(members: FloatArray, center: FloatArray) -> float:
    """The sum over features of the variance, the same bits for any order of the rows."""
    return math.fsum(((members - center) ** 2).ravel().tolist()) / len(members)


def _describe(points: FloatArray, clustering: Clustering, n_representatives: int) -> ClusterShapes:
    labels = clustering.labels
    ordered = put_side_by_side(points, labels.codes, labels.sizes, by_coordinates=False)
    centers, deviations, reps = [], [], []
    for rows in clustering.members:
        members = points[rows]
        center = center_of(members)
        chosen = np.empty(min(n_representatives, len(members)), np.int64)
        nearest = np.full(len(members), np.inf)
        n_chosen = _choose_representatives(members, center, nearest, chosen)
        centers.append(center)
        deviations.append(math.sqrt(variance_of(members, center)))
        reps.append(members[chosen[:n_chosen]])
    of_clusters = (np.array(centers), np.array(deviations), np.concatenate(reps))
    rep_starts = np.cumsum([0, *map(len, reps)])
    return ClusterShapes(ordered.points, ordered.starts, *of_clusters, rep_starts)


def _shares_within(clusters: ClusterShapes, deviation: float, n_jobs: int) -> FloatArray:
    """For each shrinking factor, the mean share of a cluster near its moved representatives."""
    n_clusters = len(clusters.deviations)
    counts = np.empty((n_clusters, len(_SHRINKING)), np.int64)

    def count(begin: int, stop: int) -> None:
        place = np.empty(clusters.points.shape[1])
        _count_within(clusters, _SHRINKING, deviation, begin, stop, place, counts)

    for_ranges(count, n_clusters, max(1, n_clusters // _RANGES), n_jobs)
    shares = counts / (np.diff(clusters.rep_starts) * np.diff(clusters.starts))[:, None]
    return np.array([math.fsum(column.tolist()) / n_clusters for column in shares.T])


def _separation(clusters: ClusterShapes, n_jobs: int) -> float:
    n_clusters = len(clusters.deviations)
    lower, upper = (
        extreme.reduceat(clusters.points, clusters.starts[:-1])
        for extreme in (np.minimum, np.maximum)
    )

    most, n_features = int(np.diff(clusters.rep_starts).max()), clusters.points.shape[1]

    def compare(begin: int, stop: int) -> FloatArray:
        best = np.repeat([[0.0], [np.inf]], n_clusters, axis=1)
        numbers, squares, rising = np.empty((2, most), np.int64), *np.empty((2, 2, most))
        room = _Room._make([*numbers, *squares, rising, np.empty(n_features)])
        _compare_pairs(clusters, lower, upper, begin, stop, room, best)
        return best

    # The first clusters have more partners: small ranges keep all threads busy.
    found = for_ranges(compare, n_clusters, max(1, n_clusters // _RANGES), n_jobs)
    best = np.array(found)
    densest, nearest = best[:, 0].max(axis=0), best[:, 1].min(axis=0)
    between = math.fsum(densest.tolist()) / n_clusters
    return math.fsum(nearest.tolist()) / n_clusters / (1 + between)


@inline_kernel
def squared_distance_to(points, i, place):
    """Squared distance from point i to a place."""
    total = 0.0
    for c in range(points.shape[1]):
        x = points[i, c] - place[c]
        total += x * x
    return total


@inline_kernel
def sure_squares(radius):
    """Below the first, and from the second on, a squared distance tells on which side it is."""
    return radius * radius * (1 - _DOUBT), radius * radius * (1 + _DOUBT)


@inline_kernel
def is_near(square, surely, hardly, radius):
    """Whether a distance is below the radius; the root is taken only where its square may err."""
    return square < surely or (square < hardly and math.sqrt(square) < radius)


@inline_kernel
def count_near(points, begin, stop, place, radius):
    """How many of the points begin to stop - 1 lie nearer to a place than the radius."""
    surely, hardly = sure_squares(radius)
    count = 0
    for i in range(begin, stop):
        if is_near(squared_distance_to(points, i, place), surely, hardly, radius):
            count += 1
    return count


@kernel
def _choose_representatives(members, center, nearest, chosen):
    """Fill `chosen` with the farthest from the center, then the farthest from those chosen.

    Returns how many there are: fewer if all other members are copies of those. `nearest`, all
    infinite, becomes the squared distance from each member to those chosen.
    """
    n_members = members.shape[0]
    newest = 0
    farthest = -1.0
    for i in range(n_members):
        square = squared_distance_to(members, i, center)
        if square > farthest:
            farthest = square
            newest = i
    for t in range(chosen.shape[0]):
        chosen[t] = newest
        place = members[newest]
        farthest = 0.0
        for i in range(n_members):
            nearest[i] = min(nearest[i], squared_distance_to(members, i, place))
            if nearest[i] > farthest:
                farthest = nearest[i]
                newest = i
        if farthest == 0.0:
            return t + 1
    return chosen.shape[0]


@kernel
def _count_within(clusters, shrinking, radius, begin, stop, place, counts):
    """Count the members near all moved representatives of clusters begin to stop - 1."""
    for c in range(begin, stop):
        for t in range(shrinking.shape[0]):
            count = 0
            for p in range(clusters.rep_starts[c], clusters.rep_starts[c + 1]):
                for f in range(place.shape[0]):
                    rep = clusters.reps[p, f]
                    place[f] = rep + shrinking[t] * (clusters.centers[c, f] - rep)
                first, last = clusters.starts[c], clusters.starts[c + 1]
                count += count_near(clusters.points, first, last, place, radius)
            counts[c, t] = count


@kernel
def _compare_pairs(clusters, lower, upper, begin, stop, room, best):
    """Compare clusters begin to stop - 1 with all that follow; keep what is best for each.

    `best`: the largest density towards another cluster, and the smallest distance.
    """
    reps, starts, rep_starts = clusters.reps, clusters.starts, clusters.rep_starts
    place = room.place
    for c in range(begin, stop):
        for e in range(c + 1, clusters.deviations.shape[0]):
            _face(reps, rep_starts, c, e, room)
            radius = (clusters.deviations[c] + clusters.deviations[e]) / 2
            limit = radius * radius * (1 + _DOUBT)
            size = starts[c + 1] - starts[c] + starts[e + 1] - starts[e]
            n_terms = 0
            for p in range(rep_starts[c], rep_starts[c + 1]):
                q = room.to_other[p - rep_starts[c]]
                if q < 0:
                    continue
                distance = math.sqrt(room.squares[p - rep_starts[c]])
                for f in range(place.shape[0]):
                    place[f] = (reps[p, f] + reps[q, f]) / 2
                count = 0
                for cluster in (c, e):
                    if _distance_to_box(lower, upper, cluster, place) < limit:
                        first, last = starts[cluster], starts[cluster + 1]
                        count += count_near(clusters.points, first, last, place, radius)
                density = distance / (2 * radius) * count / size if count > 0 else 0.0
                for kind in range(2):
                    _sort_in(room.rising, kind, n_terms, density if kind == 0 else distance)
                n_terms += 1
            density, distance = 0.0, 0.0
            for t in range(n_terms):
                density += room.rising[0, t]
                distance += room.rising[1, t]
            for cluster in (c, e):
                best[0, cluster] = max(best[0, cluster], density / n_terms)
                best[1, cluster] = min(best[1, cluster], distance / n_terms)


@inline_kernel
def _sort_in(rising, kind, size, value):
    """Put a value into its place among so many in a row that rise."""
    place = size
    while place > 0 and rising[kind, place - 1] > value:
        rising[kind, place] = rising[kind, place - 1]
        place -= 1
    rising[kind, place] = value


@inline_kernel
def _face(reps, rep_starts, c, e, room):
    """For each representative of c, the one of e if both are nearest to each other, or -1."""
    to_other, squares = room.to_other, room.squares
    first, other_first = rep_starts[c], rep_starts[e]
    for q in range(rep_starts[e + 1] - other_first):
        room.nearest[q] = np.inf
    for p in range(rep_starts[c + 1] - first):
        squares[p] = np.inf
        for q in range(rep_starts[e + 1] - other_first):
            square = squared_distance_to(reps, first + p, reps[other_first + q])
            if square < squares[p]:
                squares[p] = square
                to_other[p] = other_first + q
            if square < room.nearest[q]:
                room.nearest[q] = square
                room.back[q] = p
    for p in range(rep_starts[c + 1] - first):
        if room.back[to_other[p] - other_first] != p:
            to_other[p] = -1


@inline_kernel
def _distance_to_box(lower, upper, cluster, place):
    """Squared distance from a place to a box, never above that to a point in the box."""
    total = 0.0
    for c in range(place.shape[0]):
        x = max(max(lower[cluster, c] - place[c], place[c] - upper[cluster, c]), 0.0)
        total += x * x
    return total
