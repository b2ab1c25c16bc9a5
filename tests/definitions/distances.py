"""All distances between points, as a matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Matrix = NDArray[np.float64]


def distances_of(X: ArrayLike, metric: str = "euclidean") -> Matrix:
    """Return all distances; Euclidean ones by differences, feature after feature."""
    points = np.asarray(X, dtype=np.float64)
    if metric == "precomputed":
        return points
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
