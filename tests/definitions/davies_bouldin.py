"""Davies-Bouldin by its definition: widths of clusters, distances of their means.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from definitions.exact import Point, distance, divide, groups_of, mean


def width(group: list[Point]) -> float:
    """Return the mean distance of the points to their mean."""
    return math.fsum(distance(point, mean(group)) for point in group) / len(group)


def davies_bouldin_index(X: ArrayLike, labels: ArrayLike, noise: str = "filter") -> float:
    """Return the mean over clusters of the largest ratio to another cluster."""
    groups = groups_of(X, labels, noise)
    widths = [width(group) for group in groups]
    means = [mean(group) for group in groups]
    every = range(len(groups))
    ratios = [
        max(divide(widths[c] + widths[e], distance(means[c], means[e])) for e in every if e != c)
        for c in every
    ]
    return math.fsum(ratios) / len(ratios)
