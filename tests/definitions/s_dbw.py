"""S_Dbw by its definition: sets of points, balls around places, pairs of clusters.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast. Means are exact and rounded once, because a ball whose radius is exactly
the distance of a point must tell whether the point is inside.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

Point = tuple[float, ...]


def mean(values: list[float]) -> float:
    """Return the mean, rounded once."""
    return float(sum(map(Fraction, values)) / len(values))


def center(members: list[Point]) -> Point:
    """Return the mean of every feature."""
    return tuple(mean(list(feature)) for feature in zip(*members, strict=True))


def spread(members: list[Point]) -> float:
    """Return the length of the vector of variances."""
    variances = []
    for feature, middle in zip(zip(*members, strict=True), center(members), strict=True):
        squares = [(value - middle) ** 2 for value in feature]
        variances.append(math.fsum(squares) / len(squares))
    return math.hypot(*variances)


def distance(one: Point, other: Point) -> float:
    """Return the Euclidean distance, features added one after the other."""
    square = 0.0
    for x, y in zip(one, other, strict=True):
        square += (x - y) * (x - y)
    return math.sqrt(square)


def density(members: list[Point], place: Point, radius: float) -> int:
    """Return how many points lie in the closed ball around a place."""
    return sum(distance(member, place) <= radius for member in members)


def density_between(one: list[Point], other: list[Point], radius: float) -> float:
    """Return the density of the middle of two clusters over that of the denser center."""
    both = one + other
    middle = tuple((x + y) / 2 for x, y in zip(center(one), center(other), strict=True))
    between = density(both, middle, radius)
    larger = max(density(both, center(one), radius), density(both, center(other), radius))
    if larger == 0:
        return math.inf if between else 0.0
    return between / larger


def s_dbw_index(X: ArrayLike, labels: ArrayLike) -> float:
    """Return scatter plus density; noise (-1) is left out."""
    names = np.asarray(labels).tolist()
    points = [tuple(point) for point in np.asarray(X, dtype=np.float64).tolist()]
    clusters = [
        [point for point, other in zip(points, names, strict=True) if other == name]
        for name in sorted(set(names) - {-1})
    ]
    whole = spread([point for cluster in clusters for point in cluster]) if clusters else 0.0
    if len(clusters) < 2 or whole == 0:
        raise ValueError("fewer than two clusters, or no scatter at all")
    spreads = [spread(cluster) for cluster in clusters]
    scatter = math.fsum(value / whole for value in spreads) / len(clusters)
    radius = math.sqrt(math.fsum(spreads)) / len(clusters)
    pairs = [density_between(one, other, radius) for one, other in combinations(clusters, 2)]
    return scatter + math.fsum(pairs) / len(pairs)
