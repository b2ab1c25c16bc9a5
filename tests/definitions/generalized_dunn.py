"""Generalized Dunn (gD33) by its definition: means over all pairs of points, and over radii.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math
from itertools import combinations

from numpy.typing import ArrayLike

from definitions.exact import Point, distance, divide, groups_of, mean


def gap(one: list[Point], other: list[Point]) -> float:
    """Return the mean distance of all pairs of points of two clusters."""
    return math.fsum(distance(x, y) for x in one for y in other) / (len(one) * len(other))


def diameter(group: list[Point]) -> float:
    """Return twice the mean distance of the points to their mean."""
    return 2 * math.fsum(distance(point, mean(group)) for point in group) / len(group)


def generalized_dunn_score(X: ArrayLike, labels: ArrayLike, noise: str = "filter") -> float:
    """Return the smallest gap over the largest diameter."""
    groups = groups_of(X, labels, noise)
    return divide(
        min(gap(one, other) for one, other in combinations(groups, 2)), max(map(diameter, groups))
    )
