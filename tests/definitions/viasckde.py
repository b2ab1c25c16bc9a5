"""VIASCKDE by its definition: one point after the other, nothing clever."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

Vector = NDArray[np.float64]


def quotient(first: float, second: float) -> float:
    """Return (s - t) / max(s, t), and 0 where both are 0."""
    larger = max(first, second)
    return (first - second) / larger if larger > 0 else 0.0


def densities(squares: Vector, bandwidth: float) -> Vector:
    """Return the exactly rounded sum of the kernel over all points, for each of them."""
    kernels = [[math.exp(-square / (2 * bandwidth**2)) for square in row] for row in squares]
    return np.array([math.fsum(row) for row in kernels])


def weights(density: Vector) -> Vector:
    """Return the densities of one cluster, stretched from 0 to 1; all 0 if they are equal."""
    spread = density.max() - density.min()
    if spread <= 1e-12 * density.max():
        return np.zeros(len(density))
    return np.asarray((density - density.min()) / spread)


def viasckde_samples(
    X: ArrayLike, labels: ArrayLike, *, bandwidth: float = 0.05, noise_label: Any = -1
) -> Vector:
    """Return one score per point, NaN for noise; ValueError if there are no two clusters."""
    every, names = np.asarray(X, dtype=np.float64), np.asarray(labels)
    kept = names != noise_label
    points, names = every[kept], names[kept]
    if len(set(names.tolist())) < 2:
        raise ValueError("no two clusters")
    squares = cdist(points, points, "sqeuclidean")
    density = densities(squares, bandwidth)
    scores = np.zeros(len(points))
    for name in set(names.tolist()):
        members = np.flatnonzero(names == name)
        if len(members) == 1:
            continue
        for point, weight in zip(members, weights(density[members]), strict=True):
            others = members[members != point]
            inside = math.sqrt(squares[point, others].min())
            outside = math.sqrt(squares[point, names != name].min())
            scores[point] = weight * quotient(outside, inside)
    samples = np.full(len(every), np.nan)
    samples[kept] = scores
    return samples


def viasckde_score(X: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Return the mean score of the points that are not noise."""
    samples = viasckde_samples(X, labels, **options)
    scores = samples[~np.isnan(samples)].tolist()
    return math.fsum(scores) / len(scores)
