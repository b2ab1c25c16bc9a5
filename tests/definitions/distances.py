"""All distances between points, as a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Matrix = NDArray[np.float64]


def squares_of(points: Matrix) -> Matrix:
    """Return all squared Euclidean distances, features added in the order of the package.

    Which of two points is nearer may hang on the last bit, on lattices whose steps are not exact. A
    fourth of the features makes a sum of its own; what is left over belongs to the first.
    """
    whole = points.shape[1] - points.shape[1] % 4
    sums = np.zeros((4, len(points), len(points)))
    for place, feature in enumerate(points.T):
        difference = feature[:, np.newaxis] - feature[np.newaxis, :]
        sums[place % 4 if place < whole else 0] += difference * difference
    return np.asarray((sums[0] + sums[1]) + (sums[2] + sums[3]))


def _angular(points: Matrix) -> Matrix:
    """Return half the squares between points of the unit sphere; those of rounding are 0."""
    unit = points / np.sqrt((points * points).sum(axis=1, keepdims=True))
    halves = squares_of(unit) / 2
    return np.where(halves < 1e-30, 0.0, halves)


def distances_of(X: ArrayLike, metric: str = "euclidean") -> Matrix:
    """Return all distances; Euclidean ones by differences, feature after feature."""
    points = np.asarray(X, dtype=np.float64)
    if metric == "precomputed":
        return points
    if metric == "cosine":
        return _angular(points)
    if metric != "euclidean":
        return np.asarray(cdist(points, points, metric))
    squares = np.zeros((len(points), len(points)))
    for feature in points.T:
        difference = feature[:, np.newaxis] - feature[np.newaxis, :]
        squares += difference * difference
    return np.asarray(np.sqrt(squares))


def part_of(X: ArrayLike, chosen: NDArray[np.bool_], metric: str) -> Matrix:
    """Return some of the points, or the distances between these."""
    points = np.asarray(X, dtype=np.float64)
    return points[np.ix_(chosen, chosen)] if metric == "precomputed" else points[chosen]
