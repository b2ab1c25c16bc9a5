"""CDbw by its definition: one formula per function, nothing clever."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Matrix = NDArray[np.float64]
SHRINKING = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]


def mean(values: list[float]) -> float:
    """Return the exactly rounded sum over the number of values."""
    return math.fsum(values) / len(values)


def center(members: Matrix) -> Matrix:
    """Return the mean of the members; identical ones are their own mean."""
    means = [mean(column.tolist()) for column in members.T]
    return np.array(
        [x if len(set(xs)) > 1 else xs[0] for x, xs in zip(means, members.T, strict=True)]
    )


def deviation(members: Matrix) -> float:
    """Return the root of the summed variances of the features."""
    squares = (members - center(members)) ** 2
    return math.sqrt(math.fsum(squares.ravel().tolist()) / len(members))


def count(points: Matrix, place: Matrix, radius: float) -> int:
    """Return how many points lie in the open ball."""
    return int((cdist(points, [place])[:, 0] < radius).sum())


def representatives(members: Matrix, most: int) -> Matrix:
    """Return the farthest from the center, then the farthest from those chosen; ties: first."""
    chosen = [int(cdist(members, [center(members)], "sqeuclidean")[:, 0].argmax())]
    while len(chosen) < most:
        nearest = cdist(members, members[chosen], "sqeuclidean").min(axis=1)
        if nearest.max() == 0:
            break
        chosen.append(int(nearest.argmax()))
    return members[chosen]


def facing(first: Matrix, second: Matrix) -> list[tuple[Matrix, Matrix]]:
    """Return the pairs of representatives that are nearest to each other."""
    squares = cdist(first, second, "sqeuclidean")
    there, back = squares.argmin(axis=1), squares.argmin(axis=0)
    return [(first[p], second[q]) for p, q in enumerate(there) if back[q] == p]


def pair(one: Matrix, other: Matrix, most: int) -> tuple[float, float]:
    """Return dens and dist of two clusters."""
    radius = (deviation(one) + deviation(other)) / 2
    both = np.vstack([one, other])
    densities, distances = [], []
    for p, q in facing(representatives(one, most), representatives(other, most)):
        distance = float(cdist([p], [q])[0, 0])
        share = count(both, (p + q) / 2, radius) / len(both)
        densities.append(distance / (2 * radius) * share if radius > 0 else 0.0)
        distances.append(distance)
    return mean(densities), mean(distances)


def intra(clusters: list[Matrix], most: int, factor: float, radius: float) -> float:
    """Return the density near representatives that are moved towards the center."""
    shares = []
    for members in clusters:
        reps, middle = representatives(members, most), center(members)
        counts = [count(members, p + factor * (middle - p), radius) for p in reps]
        shares.append(sum(counts) / len(counts) / len(members))
    return mean(shares) / radius


def cdbw_score(
    X: ArrayLike, labels: ArrayLike, *, n_representatives: int = 10, noise_label: Any = -1
) -> float:
    """Return Coh * Comp * Sep; ValueError if there are no two clusters."""
    points, names = np.asarray(X, dtype=np.float64), np.asarray(labels)
    clusters = [points[names == name] for name in np.unique(names) if name != noise_label]
    if len(clusters) < 2:
        raise ValueError("no two clusters")
    stdev = mean([deviation(members) for members in clusters])
    if stdev == 0:
        return 0.0
    pairs = {
        (c, e): pair(one, other, n_representatives)
        for c, one in enumerate(clusters)
        for e, other in enumerate(clusters)
        if c != e
    }
    others = [[e for e in range(len(clusters)) if e != c] for c in range(len(clusters))]
    inter = mean([max(pairs[c, e][0] for e in rest) for c, rest in enumerate(others)])
    gaps = mean([min(pairs[c, e][1] for e in rest) for c, rest in enumerate(others)])
    separation = gaps / (1 + inter)
    within = [intra(clusters, n_representatives, factor, stdev) for factor in SHRINKING]
    compactness = mean(within)
    change = mean([abs(after - before) for before, after in itertools.pairwise(within)])
    return compactness / (1 + change) * compactness * separation
