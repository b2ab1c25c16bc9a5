"""CVNN by its definition: neighbors from sorted lists, distances of all pairs.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]


def square(one: Points, other: Points) -> float:
    """Return the squared Euclidean distance, features added one after the other."""
    total = 0.0
    for x, y in zip(one.tolist(), other.tolist(), strict=True):
        total += (x - y) * (x - y)
    return total


def nearest_others(points: Points, row: int, n_neighbors: int) -> list[int]:
    """Return the nearest other rows; of equally near ones the smaller row comes first."""
    others = [other for other in range(len(points)) if other != row]
    others.sort(key=lambda other: (square(points[row], points[other]), other))
    return others[:n_neighbors]


def separation(points: Points, labels: list[int], n_neighbors: int) -> float:
    """Return the largest share of neighbors outside of the cluster."""
    n_neighbors = min(n_neighbors, len(points) - 1)
    if n_neighbors == 0:
        return 0.0
    shares = []
    for name in set(labels) - {-1}:
        members = [row for row, other in enumerate(labels) if other == name]
        outside = [
            sum(labels[other] != name for other in nearest_others(points, row, n_neighbors))
            for row in members
        ]
        shares.append(sum(outside) / (len(members) * n_neighbors))
    return max(shares)


def compactness(points: Points, labels: list[int], *, pooled: bool = False) -> float:
    """Return the sum of the mean distances of all clusters, or the mean distance of all pairs."""
    distances = []
    for name in set(labels) - {-1}:
        members = [row for row, other in enumerate(labels) if other == name]
        pairs = combinations(members, 2)
        distances.append([math.sqrt(square(points[i], points[j])) for i, j in pairs])
    if pooled:
        distances = [[value for values in distances for value in values]]
    return math.fsum(math.fsum(values) / len(values) for values in distances if values)


def cvnn_parts(
    X: ArrayLike,
    labels: ArrayLike,
    n_neighbors: int = 10,
    compactness_of: str = "summed",
    noise: str = "neighbours",
) -> tuple[float, float]:
    """Return separation and compactness; noise is -1."""
    points = np.asarray(X, dtype=np.float64)
    names = np.asarray(labels).tolist()
    if noise == "filter":
        kept = [row for row, name in enumerate(names) if name != -1]
        points, names = points[kept], [names[row] for row in kept]
    if not set(names) - {-1}:
        raise ValueError("no cluster")
    pooled = compactness_of == "pooled"
    return separation(points, names, n_neighbors), compactness(points, names, pooled=pooled)


def cvnn_index(
    X: ArrayLike,
    labels: ArrayLike,
    n_neighbors: int = 10,
    compactness_of: str = "summed",
    noise: str = "neighbours",
) -> float:
    """Return the sum of both parts."""
    return sum(cvnn_parts(X, labels, n_neighbors, compactness_of, noise))
