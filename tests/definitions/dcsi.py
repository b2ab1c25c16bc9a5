"""DCSI by its definition: matrices of distances, one function per sentence, nothing clever."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Matrix = NDArray[np.float64]


def core_points(points: Matrix, min_points: int) -> Matrix:
    """Return the members with at least min_points others within the median reach."""
    others = [np.sort(np.delete(row, i)) for i, row in enumerate(cdist(points, points))]
    if len(points) <= min_points:
        return points[:0]
    rank = min(2 * min_points, len(points) - 1)
    reach = float(np.median([row[rank - 1] for row in others]))
    return points[[bool((row <= reach).sum() >= min_points) for row in others]]


def longest_edge(points: Matrix) -> float:
    """Return the longest edge that Prim's algorithm needs to reach all points."""
    inside, longest = [0], 0.0
    distances = cdist(points, points)
    while len(inside) < len(points):
        outside = [i for i in range(len(points)) if i not in inside]
        steps = distances[np.ix_(inside, outside)].min(axis=0)
        inside.append(outside[int(steps.argmin())])
        longest = max(longest, float(steps.min()))
    return longest


def pair_score(first: Matrix, second: Matrix) -> float:
    """Return Sep / (Sep + the larger Conn), and 0 without core points or where both are 0."""
    if len(first) == 0 or len(second) == 0:
        return 0.0
    gap = float(cdist(first, second).min())
    total = gap + max(longest_edge(first), longest_edge(second))
    return gap / total if total > 0 else 0.0


def dcsi_score(
    X: ArrayLike, labels: ArrayLike, *, min_points: int = 5, noise_label: Any = -1
) -> float:
    """Return the mean over all pairs of clusters; ValueError if there is none."""
    points, names = np.asarray(X, dtype=np.float64), np.asarray(labels)
    clusters = [points[names == name] for name in np.unique(names) if name != noise_label]
    if len(clusters) < 2:
        raise ValueError("no pair of clusters")
    cores = [core_points(cluster, min_points) for cluster in clusters]
    scores = [pair_score(first, second) for first, second in itertools.combinations(cores, 2)]
    return math.fsum(scores) / len(scores)
