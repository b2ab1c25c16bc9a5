"""CDbw as the DISCO paper's program computes it: all members are representatives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._jit import kernel
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cdbw import count_near, squared_distance_to

FloatArray = NDArray[np.float64]

_SHRINKING = np.arange(10) / 10


def published_cdbw(X: FloatArray, labels: NDArray[np.integer]) -> float:
    """Return what the paper's program computes.

    All members are representatives; the one radius is the deviation of the cluster with the
    largest label; densities of pairs are summed, and only the largest of all pairs counts; a
    cluster looks only at those with smaller labels for the nearest one. So the value changes when
    clusters are renumbered. 0 if a cluster is a single point or the radius is 0; ValueError if
    there are fewer than two clusters.
    """
    points, labels = np.ascontiguousarray(X, np.float64), np.asarray(labels)
    clusters = [points[labels == name] for name in np.unique(labels[labels != -1])]
    if len(clusters) < 2:
        raise UndefinedScoreError("The published CDbw needs two clusters or more.")
    radius = float(np.sqrt(clusters[-1].var(axis=0).mean()))
    if radius == 0 or min(map(len, clusters)) == 1:
        return 0.0
    within = np.mean([_shares(members, radius) for members in clusters], axis=0) / radius
    compactness = float(within.mean())
    change = float(np.abs(np.diff(within)).sum()) / (len(within) - 1)
    cohesion = compactness / (1 + change)
    return cohesion * compactness * _separation(clusters, radius)


def _shares(members: FloatArray, radius: float) -> FloatArray:
    """For each shrinking factor, the mean share of the cluster near its moved members."""
    counts = np.empty(len(_SHRINKING), np.int64)
    _count_moved(members, members.mean(axis=0), _SHRINKING, radius, counts)
    return counts / len(members) ** 2


def _separation(clusters: list[FloatArray], radius: float) -> float:
    densest, gaps = 0.0, 0.0
    for c, one in enumerate(clusters):
        nearest = np.inf
        for other in clusters[:c]:
            density, distance = _compare(other, one, radius)
            size = len(one) + len(other)
            densest = max(densest, density / (radius * size))
            nearest = min(nearest, distance)
        gaps += nearest if c else 0.0
    return gaps / len(clusters) / (1 + densest / len(clusters))


@kernel
def _count_moved(members, center, shrinking, radius, counts):
    """Count the members near all members that are moved towards the center."""
    place = np.empty(members.shape[1])
    for t in range(shrinking.shape[0]):
        counts[t] = 0
        for p in range(members.shape[0]):
            for c in range(place.shape[0]):
                place[c] = members[p, c] + shrinking[t] * (center[c] - members[p, c])
            counts[t] += count_near(members, 0, members.shape[0], place, radius)


@kernel
def _compare(one, other, radius):
    """The density summed, and the distance averaged, over the mutually nearest members."""
    there = np.empty(one.shape[0], np.int64)
    back = np.empty(other.shape[0], np.int64)
    nearest = np.full(other.shape[0], np.inf)
    squares = np.full(one.shape[0], np.inf)
    for p in range(one.shape[0]):
        place = one[p]
        for q in range(other.shape[0]):
            square = squared_distance_to(other, q, place)
            if square < squares[p]:
                squares[p] = square
                there[p] = q
            if square < nearest[q]:
                nearest[q] = square
                back[q] = p
    density = 0.0
    distances = 0.0
    n_pairs = 0
    for p in range(one.shape[0]):
        if back[there[p]] == p:
            distance = np.sqrt(squares[p])
            middle = (one[p] + other[there[p]]) / 2
            count = count_near(one, 0, one.shape[0], middle, radius)
            count += count_near(other, 0, other.shape[0], middle, radius)
            density += distance * count
            distances += distance
            n_pairs += 1
    return density, distances / n_pairs
