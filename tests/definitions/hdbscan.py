"""HDBSCAN by its definition, on the matrix of dc-distances, with exact fractions.

The hierarchy: at each height, points within it of each other are one component. All that happens at
one height happens at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
# A density beyond all others, for copies of a point.
_ENDLESS = Fraction(10) ** 400


@dataclass
class Cluster:
    """A cluster of the condensed tree; `left` tells the height at which each point left it."""

    members: frozenset[int]
    birth: float
    parent: Cluster | None = None
    children: list[Cluster] = field(default_factory=list)
    left: dict[int, float] = field(default_factory=dict)

    @property
    def stability(self) -> Fraction:
        """Sum over its points of the density where they leave it minus that of its birth."""
        return sum((density(self.left[x]) - density(self.birth) for x in self.members), Fraction(0))


def density(height: float) -> Fraction:
    """Return 1 / height; 0 for the root, which is born at infinity."""
    if height == np.inf:
        return Fraction(0)
    return 1 / Fraction(height) if height > 0 else _ENDLESS


def hdbscan(
    distances: Matrix,
    min_cluster_size: int,
    *,
    method: str = "eom",
    epsilon: float = 0.0,
    allow_single_cluster: bool = False,
) -> list[int]:
    """Return the cluster of each point, -1 for noise, from the matrix of dc-distances."""
    if len(distances) == 1:
        return [-1]
    root = Cluster(frozenset(range(len(distances))), np.inf)
    _grow(root, root.members, distances, min_cluster_size)
    chosen = _leaves(root) if method == "leaf" else _best(root, allow_single_cluster)[0]
    if epsilon > 0 and root not in chosen:
        climbed = [_climb(cluster, epsilon, allow_single_cluster) for cluster in chosen]
        chosen = list({id(cluster): cluster for cluster in climbed}.values())
    labels = [-1] * len(distances)
    if any(cluster is root for cluster in chosen):
        lowest = _heights(root)
        limit = epsilon if epsilon > 0 else min(root.left.values(), default=0.0)
        return [0 if lowest[x] <= limit else -1 for x in range(len(distances))]
    for name, cluster in enumerate(sorted(chosen, key=lambda c: min(c.members))):
        for x in cluster.members:
            labels[x] = name
    return labels


def _grow(cluster: Cluster, points: frozenset[int], distances: Matrix, least: int) -> None:
    """Follow a cluster from a component of points downwards."""
    inside = distances[np.ix_(sorted(points), sorted(points))]
    height = float(inside.max())
    parts = _components(points, distances, height)
    large = [part for part in parts if len(part) >= least]
    if len(large) != 1:
        for x in points:
            cluster.left[x] = height
        for part in large:
            child = Cluster(part, height, cluster)
            cluster.children.append(child)
            _grow(child, part, distances, least)
        return
    for x in points - large[0]:
        cluster.left[x] = height
    _grow(cluster, large[0], distances, least)


def _components(points: frozenset[int], distances: Matrix, height: float) -> list[frozenset[int]]:
    """The parts whose points lie below a height of each other."""
    parts: list[frozenset[int]] = []
    rest = set(points)
    while rest:
        first = min(rest)
        part = frozenset(x for x in rest if x == first or distances[first, x] < height)
        parts.append(part)
        rest -= part
    return parts


def _leaves(cluster: Cluster) -> list[Cluster]:
    if not cluster.children:
        return [] if cluster.parent is None else [cluster]
    return [leaf for child in cluster.children for leaf in _leaves(child)]


def _best(cluster: Cluster, allow_single_cluster: bool) -> tuple[list[Cluster], Fraction]:
    """The clusters of the greatest total stability; a parent is kept where it is no less."""
    found = [_best(child, allow_single_cluster) for child in cluster.children]
    below = sum((total for _, total in found), Fraction(0))
    if cluster.parent is None and not allow_single_cluster:
        return [c for chosen, _ in found for c in chosen], below
    if not cluster.children or below <= cluster.stability:
        return [cluster], cluster.stability
    return [c for chosen, _ in found for c in chosen], below


def _climb(cluster: Cluster, epsilon: float, allow_single_cluster: bool) -> Cluster:
    """The cluster, or its first ancestor, that was not born below epsilon."""
    while cluster.parent is not None and cluster.birth < epsilon:
        if cluster.parent.parent is None and not allow_single_cluster:
            break
        cluster = cluster.parent
    return cluster


def _heights(root: Cluster) -> dict[int, float]:
    """The height at which each point leaves the last cluster that it is in."""
    lowest = dict(root.left)
    for child in root.children:
        lowest |= _heights(child)
    return lowest
