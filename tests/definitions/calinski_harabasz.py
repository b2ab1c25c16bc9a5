"""Calinski-Harabasz by its definition: squares between and within clusters, as fractions.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math
from fractions import Fraction

from numpy.typing import ArrayLike

from definitions.exact import groups_of, mean, square


def calinski_harabasz_score(X: ArrayLike, labels: ArrayLike, noise: str = "filter") -> float:
    """Return the ratio of the squares, each by its degrees of freedom."""
    groups = groups_of(X, labels, noise)
    points = [point for group in groups for point in group]
    middle = mean(points)
    between = sum((len(group) * square(mean(group), middle) for group in groups), Fraction())
    within = sum((square(point, mean(group)) for group in groups for point in group), Fraction())
    if between == within == 0:
        raise ValueError("0/0")
    if within == 0:
        return math.inf
    return float(between / (len(groups) - 1) / (within / (len(points) - len(groups))))
