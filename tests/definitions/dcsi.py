"""DCSI by its definition: matrices of distances, one function per sentence, nothing clever."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import distances_of

Matrix = NDArray[np.float64]
Rows = NDArray[np.intp]


def core_points(distances: Matrix, members: Rows, min_points: int) -> Rows:
    """Return the members with at least min_points others within the median reach."""
    others = [np.sort(np.delete(distances[i, members], k)) for k, i in enumerate(members)]
    if len(members) <= min_points:
        return members[:0]
    rank = min(2 * min_points, len(members) - 1)
    reach = float(np.median([row[rank - 1] for row in others]))
    return members[[bool((row <= reach).sum() >= min_points) for row in others]]


def longest_edge(distances: Matrix, members: Rows) -> float:
    """Return the longest edge that Prim's algorithm needs to reach all members."""
    inside, longest = [members[0]], 0.0
    while len(inside) < len(members):
        outside = [i for i in members if i not in inside]
        steps = distances[np.ix_(inside, outside)].min(axis=0)
        inside.append(outside[int(steps.argmin())])
        longest = max(longest, float(steps.min()))
    return longest


def pair_score(distances: Matrix, first: Rows, second: Rows) -> float:
    """Return Sep / (Sep + the larger Conn), and 0 without core points or where both are 0."""
    if len(first) == 0 or len(second) == 0:
        return 0.0
    gap = float(distances[np.ix_(first, second)].min())
    total = gap + max(longest_edge(distances, first), longest_edge(distances, second))
    return gap / total if total > 0 else 0.0


def dcsi_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    min_points: int = 5,
    noise_label: Any = -1,
    metric: str = "euclidean",
) -> float:
    """Return the mean over all pairs of clusters; ValueError if there is none."""
    distances, names = distances_of(X, metric), np.asarray(labels)
    clusters = [np.flatnonzero(names == name) for name in np.unique(names) if name != noise_label]
    if len(clusters) < 2:
        raise ValueError("no pair of clusters")
    cores = [core_points(distances, members, min_points) for members in clusters]
    scores = [pair_score(distances, *pair) for pair in itertools.combinations(cores, 2)]
    return math.fsum(scores) / len(scores)
