"""Dunn by its definition: the smallest gap and the largest diameter, over all pairs of points.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

from numpy.typing import ArrayLike

from definitions.exact import distance, divide, groups_of


def dunn_score(X: ArrayLike, labels: ArrayLike, noise: str = "filter") -> float:
    """Return the smallest gap over the largest diameter."""
    groups = groups_of(X, labels, noise)
    gap = min(distance(x, y) for c, e in combinations(groups, 2) for x in c for y in e)
    diameter = max(distance(x, y) for c in groups for x, y in combinations_with_replacement(c, 2))
    return divide(gap, diameter)
