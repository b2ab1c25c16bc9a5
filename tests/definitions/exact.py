"""Points as fractions, for definitions that are compared digit by digit.

It imports nothing from the package.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

Point = tuple[Fraction, ...]


def groups_of(X: ArrayLike, labels: ArrayLike, noise: str = "filter") -> list[list[Point]]:
    """Return the points of each cluster; noise (-1) is left out, or one more cluster.

    Fewer than two clusters, or none of two points, is a ValueError.
    """
    names = np.asarray(labels).tolist()
    points = [tuple(map(Fraction, point)) for point in np.asarray(X, dtype=np.float64).tolist()]
    left_out = {-1} if noise == "filter" else set()
    groups = [
        [point for point, other in zip(points, names, strict=True) if other == name]
        for name in sorted(set(names) - left_out)
    ]
    if len(groups) < 2 or all(len(group) == 1 for group in groups):
        raise ValueError("fewer than two clusters, or no cluster of two points")
    return groups


def mean(points: list[Point]) -> Point:
    """Return the mean of every feature."""
    return tuple(sum(feature) / len(points) for feature in zip(*points, strict=True))


def square(one: Point, other: Point) -> Fraction:
    """Return the squared Euclidean distance."""
    return sum(((x - y) ** 2 for x, y in zip(one, other, strict=True)), Fraction())


def distance(one: Point, other: Point) -> float:
    """Return the Euclidean distance, rounded at the end."""
    return math.sqrt(square(one, other))


def divide(over: float, under: float) -> float:
    """Return a quotient of numbers that are not negative; 0/0 is a ValueError."""
    if over == under == 0:
        raise ValueError("0/0")
    return over / under if under else math.inf
