"""CVNN by its definition: neighbors from sorted lists, distances of all pairs.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import distances_of, squares_of

Matrix = NDArray[np.float64]


def nearest_others(near: Matrix, row: int, n_neighbors: int) -> list[int]:
    """Return the nearest other rows; of equally near ones the smaller row comes first."""
    others = [other for other in range(len(near)) if other != row]
    others.sort(key=lambda other: (near[row, other], other))
    return others[:n_neighbors]


def separation(near: Matrix, labels: list[int], n_neighbors: int) -> float:
    """Return the largest share of neighbors outside of the cluster."""
    n_neighbors = min(n_neighbors, len(near) - 1)
    if n_neighbors == 0:
        return 0.0
    shares = []
    for name in set(labels) - {-1}:
        members = [row for row, other in enumerate(labels) if other == name]
        outside = [
            sum(labels[other] != name for other in nearest_others(near, row, n_neighbors))
            for row in members
        ]
        shares.append(sum(outside) / (len(members) * n_neighbors))
    return max(shares)


def compactness(lengths: Matrix, labels: list[int], *, pooled: bool = False) -> float:
    """Return the sum of the mean distances of all clusters, or the mean distance of all pairs."""
    distances = []
    for name in set(labels) - {-1}:
        members = [row for row, other in enumerate(labels) if other == name]
        distances.append([float(lengths[i, j]) for i, j in combinations(members, 2)])
    if pooled:
        distances = [[value for values in distances for value in values]]
    return math.fsum(math.fsum(values) / len(values) for values in distances if values)


def cvnn_parts(
    X: ArrayLike,
    labels: ArrayLike,
    n_neighbors: int = 10,
    compactness_of: str = "summed",
    noise: str = "neighbors",
    metric: str = "euclidean",
) -> tuple[float, float]:
    """Return separation and compactness; noise is -1."""
    points = np.asarray(X, dtype=np.float64)
    names = np.asarray(labels).tolist()
    is_euclidean = metric == "euclidean"
    # Rounded roots of different squares may be equal: who is near is told by squares.
    near = squares_of(points) if is_euclidean else distances_of(points, metric)
    if noise == "filter":
        kept = [row for row, name in enumerate(names) if name != -1]
        near, names = near[np.ix_(kept, kept)], [names[row] for row in kept]
    if not set(names) - {-1}:
        raise ValueError("no cluster")
    lengths = np.sqrt(near) if is_euclidean else near
    pooled = compactness_of == "pooled"
    return separation(near, names, n_neighbors), compactness(lengths, names, pooled=pooled)


def cvnn_index(
    X: ArrayLike,
    labels: ArrayLike,
    n_neighbors: int = 10,
    compactness_of: str = "summed",
    noise: str = "neighbors",
    metric: str = "euclidean",
) -> float:
    """Return the sum of both parts."""
    return sum(cvnn_parts(X, labels, n_neighbors, compactness_of, noise, metric))
