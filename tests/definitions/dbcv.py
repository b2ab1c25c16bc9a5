"""DBCV by its definition: n-by-n matrices, all edges sorted, nothing clever.

The package must agree with this file wherever rounding does not decide which edges come first. It
imports nothing from the package.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]
Edge = tuple[int, int, float]


class Cluster(NamedTuple):
    """Rows of a cluster, their core distances, inner rows, and the heaviest edge between these."""

    rows: list[int]
    core: dict[int, float]
    inner: list[int]
    sparseness: float


def squared_distances(points: Matrix) -> Matrix:
    """Return the n-by-n matrix of squared Euclidean distances, each rounded once."""
    squares = np.zeros((len(points), len(points)))
    rows = points.tolist()
    for i, x in enumerate(rows):
        for j, z in enumerate(rows[:i]):
            differences = [a - b for a, b in zip(x, z, strict=True)]
            squares[i, j] = squares[j, i] = math.fsum(a * a for a in differences)
    return squares


def core_distance(row: int, rows: list[int], squares: Matrix, dimension: int) -> float:
    """Return (mean of s^-d over the others, copies left out but counted)^(-1/d), by logarithms."""
    logs = [-dimension * math.log(squares[row, z]) for z in rows if squares[row, z] > 0]
    if not logs:
        return 0.0
    largest = max(logs)
    total = largest + math.log(math.fsum(math.exp(log - largest) for log in logs))
    return math.exp(-(total - math.log(len(rows) - 1)) / dimension)


def reachability(x: int, z: int, squares: Matrix, core: dict[int, float]) -> float:
    """Return max(core(x), core(z), s(x, z))."""
    return max(core[x], core[z], float(squares[x, z]))


def sorted_by_coordinates(rows: list[int], points: Matrix) -> list[int]:
    """Return rows by their first feature, then by the second, and so on; 0.0 and -0.0 are equal."""
    return sorted(rows, key=lambda row: (points[row] + 0.0).tolist())


def tree_by_distances(
    rows: list[int], points: Matrix, squares: Matrix, core: dict[int, float]
) -> list[Edge]:
    """Sort all edges by (mr, s, smaller rank, larger rank) and take what closes no cycle (Kruskal).

    Ranks follow the coordinates. Of copies one stands for all; the others hang on it.
    """
    stands_for: dict[int, list[int]] = {}
    for row in sorted_by_coordinates(rows, points):
        first = next((one for one in stands_for if squares[one, row] == 0), row)
        stands_for.setdefault(first, []).append(row)
    ranked = list(stands_for)
    pairs = [(a, b) for b in range(len(ranked)) for a in range(b)]
    tree = {row: row for row in rows}
    edges: list[Edge] = []

    def key(pair: tuple[int, int]) -> tuple[float, float, int, int]:
        x, z = ranked[pair[0]], ranked[pair[1]]
        return reachability(x, z, squares, core), float(squares[x, z]), *pair

    for pair in sorted(pairs, key=key):
        x, z = ranked[pair[0]], ranked[pair[1]]
        if tree[x] != tree[z]:
            old, new = tree[z], tree[x]
            tree = {row: new if name == old else name for row, name in tree.items()}
            edges.append((x, z, reachability(x, z, squares, core)))
    for first, *others in stands_for.values():
        edges += [(first, other, reachability(first, other, squares, core)) for other in others]
    return edges


def authors_tree(rows: list[int], squares: Matrix, core: dict[int, float]) -> list[Edge]:
    """Prim from the first of the rows: strictly cheaper parents only, of cheapest rows the first.

    The rows come in the order in which the authors' program is given them.
    """
    place = {row: number for number, row in enumerate(rows)}
    parent = dict.fromkeys(rows[1:], rows[0])
    edges: list[Edge] = []
    while parent:
        cost = {row: reachability(row, parent[row], squares, core) for row in parent}
        newest = min(parent, key=lambda row: (cost[row], place[row]))
        edges.append((parent.pop(newest), newest, cost[newest]))
        for row in parent:
            if reachability(row, newest, squares, core) < cost[row]:
                parent[row] = newest
    return edges


def cluster_of(
    rows: list[int], points: Matrix | None, squares: Matrix, dimension: int, ties: str
) -> Cluster:
    """Return all that DBCV asks of one cluster of two points or more."""
    core = {row: core_distance(row, rows, squares, dimension) for row in rows}
    if points is None:
        # Distances alone: the order of core distances takes the place of that of coordinates.
        points = np.zeros((len(squares), 1))
        points[rows, 0] = [core[row] for row in rows]
    if ties == "coordinates":
        edges = authors_tree(sorted_by_coordinates(rows, points), squares, core)
    elif ties == "rows":
        edges = authors_tree(rows, squares, core)
    else:
        edges = tree_by_distances(rows, points, squares, core)
    ends = [row for x, z, _ in edges for row in (x, z)]
    inner = [row for row in rows if ends.count(row) >= 2] or rows
    inside = [weight for x, z, weight in edges if x in inner and z in inner]
    return Cluster(rows, core, inner, max(inside or [weight for _, _, weight in edges]))


def separation(one: Cluster, other: Cluster, squares: Matrix) -> float:
    """Return the smallest mutual reachability of inner rows of two clusters."""
    core = one.core | other.core
    return min(reachability(x, z, squares, core) for x in one.inner for z in other.inner)


def dbcv_score(
    X: ArrayLike | None,
    labels: ArrayLike,
    *,
    ties: str = "coordinates",
    distances: Matrix | None = None,
    n_features: int | None = None,
    noise_label: object = -1,
) -> float:
    """Return DBCV with the edge cases of the authors' program.

    Distances of another metric may be given beside the points, or in their place.
    """
    points = None if X is None else np.asarray(X, dtype=np.float64)
    names = np.asarray(labels).tolist()
    members = [
        [row for row, name in enumerate(names) if name == cluster]
        for cluster in dict.fromkeys(names)
        if cluster != noise_label
    ]
    if distances is None:
        assert points is not None
        distances = squared_distances(points)
    if n_features is None:
        assert points is not None
        n_features = points.shape[1]
    clusters = [
        cluster_of(rows, points, distances, n_features, ties) for rows in members if len(rows) >= 2
    ]
    if len(clusters) < 2:
        return 0.0
    terms = []
    for own in clusters:
        apart = min(separation(own, other, distances) for other in clusters if other is not own)
        larger = max(apart, own.sparseness)
        validity = (apart - own.sparseness) / larger if larger > 0 else 0.0
        terms.append(len(own.rows) / len(names) * validity)
    return math.fsum(terms)
