"""LCCV by its definition: n-by-n matrices, one function per step, nothing clever."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import squares_of

Matrix = NDArray[np.float64]
Neighborhoods = list[list[int]]


def others_by_distance(squares: Matrix) -> Neighborhoods:
    """Return for each point all other rows, nearest first; ties: lower row first."""
    nearest = []
    for p, row in enumerate(squares.tolist()):
        pairs = sorted((square, q) for q, square in enumerate(row) if q != p)
        nearest.append([q for _, q in pairs])
    return nearest


def natural_neighbors(nearest: Neighborhoods) -> tuple[list[int], int]:
    """Return nb and lambda (step 1)."""
    n_points = len(nearest)
    votes = [0] * n_points
    without_vote = [n_points]
    for r in range(1, n_points):
        for p in range(n_points):
            votes[nearest[p][r - 1]] += 1
        without_vote.append(votes.count(0))
        if without_vote[r] == 0 or (r >= 2 and without_vote[r] == without_vote[r - 1]):
            return votes, r
    return votes, n_points - 1


def densities(distances: Matrix, nearest: Neighborhoods, mu: int) -> list[float]:
    """Return rho (step 2)."""
    rho = []
    for p, others in enumerate(nearest):
        total = 0.0
        for q in others[:mu]:
            total += float(distances[p, q])
        rho.append(mu / total if total > 0 else math.inf)
    return rho


def representatives(
    distances: Matrix, neighborhoods: Neighborhoods, rho: list[float]
) -> list[int | None]:
    """Return the representative of each point (step 4)."""
    rep: list[int | None] = [None] * len(rho)
    for p in sorted(range(len(rho)), key=lambda p: (-rho[p], p)):
        densest = max(neighborhoods[p], key=lambda q: rho[q])  # the earliest of several
        if rep[densest] is None:
            rep[densest] = densest
        for q in neighborhoods[p]:
            mine, offered = rep[q], rep[densest]
            assert offered is not None
            if mine is None or distances[q, mine] > distances[q, offered]:
                rep[q] = offered
    return rep


def path_lengths(distances: Matrix, nearest: Neighborhoods, reach: int) -> Matrix:
    """Return all shortest paths along steps to the nearest others: Floyd and Warshall's loop."""
    lengths = np.full(distances.shape, np.inf)
    np.fill_diagonal(lengths, 0.0)
    for p, others in enumerate(nearest):
        lengths[p, others[:reach]] = distances[p, others[:reach]]
    for middle in range(len(lengths)):
        through = lengths[:, middle, np.newaxis] + lengths[np.newaxis, middle, :]
        np.minimum(lengths, through, out=lengths)
    return lengths


def between_cores(lengths: Matrix, cores: list[int]) -> dict[tuple[int, int], float]:
    """Return g, with the largest finite one in place of paths that do not exist (step 5)."""
    pairs = [(c, e) for c in cores for e in cores if c != e]
    finite = [float(lengths[pair]) for pair in pairs if np.isfinite(lengths[pair])]
    longest = max(finite, default=0.0)
    return {pair: min(float(lengths[pair]), longest) for pair in pairs}


def between_cores_one_way(lengths: Matrix, cores: list[int]) -> dict[tuple[int, int], float]:
    """Return g as in the authors' program: the path from the smaller row, for both directions.

    Paths that do not exist count as long as the longest of those.
    """
    upward = {(c, e): float(lengths[c, e]) for c in cores for e in cores if c < e}
    longest = max((g for g in upward.values() if np.isfinite(g)), default=0.0)
    known = {pair: min(g, longest) for pair, g in upward.items()}
    return known | {(e, c): g for (c, e), g in known.items()}


def core_score(core: int, g: dict[tuple[int, int], float], owned: dict[Any, list[int]]) -> float:
    """Return s of a core (step 6); `owned` are the cores of each cluster."""
    own = next(name for name, cores in owned.items() if core in cores)
    others = [cores for name, cores in owned.items() if name != own]
    if len(owned[own]) == 1 or not others:
        return 0.0
    inside = [g[core, e] for e in owned[own] if e != core]
    a = math.fsum(inside) / len(inside)
    b = min(math.fsum(g[core, e] for e in cores) / len(cores) for cores in others)
    return (b - a) / max(a, b) if max(a, b) > 0 else 0.0


def lccv_score(
    X: ArrayLike, labels: ArrayLike, noise_label: Any = -1, paths: str = "each way"
) -> float:
    """Return the index."""
    points = np.asarray(X, dtype=np.float64)
    names = np.asarray(labels).tolist()
    n_points = len(points)
    if n_points <= 2:
        raise ValueError("undefined")
    squares = squares_of(points)
    distances = np.sqrt(squares)
    nearest = others_by_distance(squares)
    votes, reach = natural_neighbors(nearest)
    rho = densities(distances, nearest, max(votes))
    neighborhoods = [[p, *nearest[p][: votes[p]]] for p in range(n_points)]
    rep = representatives(distances, neighborhoods, rho)
    cores = [c for c in range(n_points) if rep[c] == c]
    if paths == "each way":
        g = between_cores(path_lengths(distances, nearest, reach), cores)
    else:
        # A sparse matrix of steps holds none of length 0.
        steps = np.where(distances > 0, distances, np.inf)
        g = between_cores_one_way(path_lengths(steps, nearest, reach), cores)
    owned: dict[Any, list[int]] = {}
    for c in cores:
        if names[c] != noise_label:
            owned.setdefault(names[c], []).append(c)
    terms = []
    for c in (c for cores in owned.values() for c in cores):
        weight = sum(rep[i] == c and names[i] != noise_label for i in range(n_points))
        terms.append(weight * core_score(c, g, owned))
    return math.fsum(terms) / n_points
