"""CVDD by its definition: n-by-n matrices, one function per sentence, nothing clever.

The package must agree with this file on every data set of the zoo. It therefore imports nothing
from the package, and it is written to be compared with the text of the definition, not to be fast.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import distances_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


def densities_of(distances: Matrix, n_neighbors: int) -> Vector:
    """Return the sum of the distances to the nearest other points, over their wanted number."""
    densities = []
    for point, row in enumerate(distances):
        others = sorted(np.delete(row, point).tolist())
        densities.append(math.fsum(others[:n_neighbors]) / n_neighbors)
    return np.array(densities)


def toll(one: float, other: float) -> float:
    """Return what differing densities add to a distance, with its limits where one is 0."""
    if one == 0 and other == 0:
        return 0.0
    if one == 0 or other == 0:
        return one + other
    # Exactly, because what is left after subtracting 2 may be tiny.
    ratio = Fraction(one) / Fraction(other) + Fraction(other) / Fraction(one)
    return (one + other) * -math.expm1(-float(abs(ratio - 2)))


def density_involved_distances(distances: Matrix, densities: Vector) -> Matrix:
    """Return the matrix of dr."""
    involved = distances.copy()
    for x, one in enumerate(densities.tolist()):
        for z, other in enumerate(densities[:x].tolist()):
            involved[x, z] += toll(one, other)
            involved[z, x] = involved[x, z]
    return involved


def minimax(weights: Matrix) -> Matrix:
    """Return the smallest possible largest step between all pairs: Floyd and Warshall's loop."""
    steps = weights.copy()
    for middle in range(len(weights)):
        through = np.maximum(steps[:, middle, np.newaxis], steps[np.newaxis, middle, :])
        np.minimum(steps, through, out=steps)
    return steps


def separation(involved: Matrix, members: NDArray[np.bool_]) -> float:
    """Return the smallest DD between a cluster and all others."""
    return float(involved[np.ix_(members, ~members)].min())


def compactness(distances: Matrix, members: NDArray[np.bool_]) -> float:
    """Return std * mean / m of the path distances inside a cluster."""
    size = int(members.sum())
    if size == 1:
        return 0.0
    paths = minimax(distances[np.ix_(members, members)])
    mean = math.fsum(paths.ravel().tolist()) / size**2
    squares = math.fsum(((paths - mean) ** 2).ravel().tolist())
    return math.sqrt(squares / (size**2 - 1)) * mean / size


def cvdd_score(
    X: ArrayLike, labels: ArrayLike, *, n_neighbors: int = 7, noise_label: Any = -1
) -> float | None:
    """Return the score, or None where the definition has none."""
    names = np.asarray(labels)
    kept = names != noise_label
    points, names = np.asarray(X, dtype=np.float64)[kept], names[kept]
    if len(set(names.tolist())) < 2:
        return None
    distances = distances_of(points)
    densities = densities_of(distances, n_neighbors)
    largest = densities.max()
    shares = densities / largest if largest > 0 else np.zeros(len(densities))
    paths = minimax(density_involved_distances(distances, densities))
    involved = np.sqrt(shares[:, np.newaxis] * shares[np.newaxis, :]) * paths
    clusters = [names == name for name in sorted(set(names.tolist()))]
    apart = math.fsum(separation(involved, members) for members in clusters)
    compact = math.fsum(compactness(distances, members) for members in clusters)
    if apart == 0:
        return 0.0
    return apart / compact if compact > 0 else math.inf
