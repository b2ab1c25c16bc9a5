"""DISCO by its definition: n-by-n matrices, one function per sentence, nothing clever.

The package must agree with this file on every data set of the zoo. It therefore imports nothing
from the package, and it is written to be compared with the text of the definition, not to be fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import pdist, squareform

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Metric = str | Callable[..., float]

# scikit-learn's names that SciPy spells otherwise.
SCIPY_NAMES = {"manhattan": "cityblock", "l1": "cityblock"}


class Pointwise(NamedTuple):
    """One value per point; NaN where the definition gives the point no such quantity."""

    score: Vector
    compactness: Vector
    separation: Vector
    rho_sparse: Vector
    rho_far: Vector


def quotient(first: float, second: float) -> float:
    """Return q(s, t) = (s - t) / max(s, t), and 0 where both are 0."""
    larger = max(first, second)
    return (first - second) / larger if larger > 0 else 0.0


# --- distances ----------------------------------------------------------------------------------


def squared_euclidean(points: Matrix) -> tuple[Matrix, int]:
    """Return squares s and an exponent e, so that each distance is ``sqrt(s) * 2**e``.

    The points are divided by 2**e first: exact, and squares of 1e300 do not overflow. Features are
    added one after the other, by differences, so that nothing cancels.
    """
    largest = float(np.abs(points).max())
    # One more halving, because a difference may be twice as large as the largest entry.
    exponent = math.frexp(largest)[1] + 1 if largest > 0 else 0
    scaled = np.ldexp(points, -exponent)
    squares = np.zeros((len(points), len(points)))
    for feature in scaled.T:
        difference = feature[:, np.newaxis] - feature[np.newaxis, :]
        squares += difference * difference
    return squares, exponent


def unit_rows(points: Matrix) -> Matrix:
    """Divide each row by its length; the length is the exactly rounded root of an exact sum."""
    rows = []
    for row in points:
        exponent = math.frexp(float(np.abs(row).max()))[1]
        scaled = np.ldexp(row, -exponent)
        length = math.hypot(*scaled)
        if length == 0:
            raise ValueError("a zero row has no direction")
        rows.append(scaled / length)
    return np.array(rows)


def cosine_distances(points: Matrix) -> Matrix:
    """Return half the squared distance of unit rows; rows equal up to rounding have distance 0."""
    squares, exponent = squared_euclidean(unit_rows(points))
    distances = np.ldexp(squares, 2 * exponent - 1)
    distances[distances <= 8 * np.finfo(np.float64).eps ** 2] = 0.0
    return distances


def pairwise_distances(
    X: ArrayLike, metric: Metric = "euclidean", metric_params: dict[str, Any] | None = None
) -> Matrix:
    """Return the n-by-n matrix of distances."""
    points = np.asarray(X, dtype=np.float64)
    if metric == "precomputed":
        return points / 2 + points.T / 2
    if metric in ("euclidean", "l2"):
        squares, exponent = squared_euclidean(points)
        return np.ldexp(np.sqrt(squares), exponent)
    if metric == "sqeuclidean":
        squares, exponent = squared_euclidean(points)
        return np.ldexp(squares, 2 * exponent)
    if metric == "cosine":
        return cosine_distances(points)
    if isinstance(metric, str):
        metric = SCIPY_NAMES.get(metric, metric)
    condensed = pdist(points, metric, **(metric_params or {}))
    return np.asarray(squareform(condensed, checks=False), dtype=np.float64)


def core_distances(distances: Matrix, min_points: int) -> Vector:
    """Return each point's distance to its ``min_points``-th nearest, itself counted first."""
    if min_points > len(distances):
        raise ValueError(f"{len(distances)} points have no neighbor number {min_points}")
    return np.sort(distances, axis=1)[:, min_points - 1].copy()


def mutual_reachability(distances: Matrix, core: Vector) -> Matrix:
    """Return max(core(x), core(y), d(x, y)), and 0 on the diagonal."""
    reachability = np.maximum(distances, np.maximum(core[:, np.newaxis], core[np.newaxis, :]))
    np.fill_diagonal(reachability, 0.0)
    return reachability


def minimax_by_all_paths(weights: Matrix) -> Matrix:
    """Return the smallest possible largest step between all pairs: Floyd and Warshall's loop."""
    minimax = weights.copy()
    for middle in range(len(weights)):
        through = np.maximum(minimax[:, middle, np.newaxis], minimax[np.newaxis, middle, :])
        np.minimum(minimax, through, out=minimax)
    return minimax


def minimax_by_spanning_tree(weights: Matrix) -> Matrix:
    """Return the same as `minimax_by_all_paths`, as largest edges along Prim's spanning tree.

    A new point hangs on one point that is already in the tree, so its path to every other point of
    the tree leads through that one.
    """
    n_points = len(weights)
    minimax = np.zeros_like(weights)
    inside = np.zeros(n_points, dtype=bool)
    inside[0] = True
    cheapest = weights[0].copy()
    attached_to = np.zeros(n_points, dtype=np.int64)
    for _ in range(n_points - 1):
        point = int(np.argmin(np.where(inside, np.inf, cheapest)))
        largest_steps = np.maximum(minimax[attached_to[point], inside], cheapest[point])
        minimax[point, inside] = largest_steps
        minimax[inside, point] = largest_steps
        inside[point] = True
        nearer = weights[point] < cheapest
        cheapest[nearer] = weights[point, nearer]
        attached_to[nearer] = point
    return minimax


def dc_distances(
    X: ArrayLike,
    min_points: int = 5,
    metric: Metric = "euclidean",
    metric_params: dict[str, Any] | None = None,
) -> tuple[Matrix, Vector]:
    """Return the matrix of dc-distances and the core distances."""
    distances = pairwise_distances(X, metric, metric_params)
    core = core_distances(distances, min_points)
    reachability = mutual_reachability(distances, core)
    minimax = minimax_by_all_paths if len(core) <= 60 else minimax_by_spanning_tree
    return minimax(reachability), core


# --- scores -------------------------------------------------------------------------------------


def needs_no_distances(labels: list[Any], noise_label: Any) -> bool:
    """Tell whether only noise, one cluster alone, or nothing but single points are labeled."""
    names = set(labels)
    if noise_label in names:
        return len(names) == 1
    return len(names) == 1 or len(names) == len(labels)


def label_only_scores(labels: list[Any], noise_label: Any) -> Pointwise:
    """Return the scores of the labelings of `needs_no_distances`."""
    nothing = np.full(len(labels), np.nan)
    score = np.full(len(labels), -1.0 if noise_label in labels else 0.0)
    return Pointwise(score, nothing, nothing, nothing, nothing)


def mean(values: Vector, count: int) -> float:
    """Return the exactly rounded sum over ``count``."""
    return math.fsum(values.tolist()) / count


def cluster_point(
    point: int, distances: Matrix, members: dict[Any, NDArray[np.bool_]], own: Any, noise: Any
) -> tuple[float, float]:
    """Return compactness and separation of a point that is not alone in its cluster."""
    row = distances[point]
    compactness = mean(row[members[own]], int(members[own].sum()) - 1)
    others = [mean(row[mask], int(mask.sum())) for name, mask in members.items() if name != own]
    if others:
        return compactness, min(others)
    return compactness, float(row[noise].min()) if noise.any() else math.nan


def noise_point(
    point: int, distances: Matrix, core: Vector, members: dict[Any, NDArray[np.bool_]]
) -> tuple[float, float]:
    """Return rho_sparse and rho_far of a noise point."""
    sparse, far = [], []
    for mask in members.values():
        cluster_core = float(core[mask].max())
        sparse.append(quotient(float(core[point]), cluster_core))
        far.append(quotient(float(distances[point, mask].min()), cluster_core))
    return min(sparse), min(far)


def disco_from_distances(
    distances: Matrix, core: Vector, labels: ArrayLike, noise_label: Any = -1
) -> Pointwise:
    """Return all pointwise quantities from dc-distances and core distances."""
    names = np.asarray(labels).tolist()
    members = {
        name: np.array([other == name for other in names])
        for name in dict.fromkeys(names)
        if name != noise_label
    }
    noise = np.array([name == noise_label for name in names])
    table = Pointwise(*(np.full(len(names), np.nan) for _ in Pointwise._fields))
    for point, name in enumerate(names):
        if not members:
            table.score[point] = -1.0
        elif noise[point]:
            sparse, far = noise_point(point, distances, core, members)
            table.rho_sparse[point], table.rho_far[point] = sparse, far
            table.score[point] = min(sparse, far)
        elif members[name].sum() == 1 or (len(members) == 1 and not noise.any()):
            table.score[point] = 0.0
        else:
            compactness, separation = cluster_point(point, distances, members, name, noise)
            table.compactness[point], table.separation[point] = compactness, separation
            table.score[point] = quotient(separation, compactness)
    return table


def disco_pointwise(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    min_points: int = 5,
    metric: Metric = "euclidean",
    metric_params: dict[str, Any] | None = None,
    noise_label: Any = -1,
) -> Pointwise:
    """Return score, compactness, separation, rho_sparse and rho_far of every point."""
    names = np.asarray(labels).tolist()
    if needs_no_distances(names, noise_label):
        return label_only_scores(names, noise_label)
    distances, core = dc_distances(X, min_points, metric, metric_params)
    return disco_from_distances(distances, core, labels, noise_label)


def disco_samples(X: ArrayLike, labels: ArrayLike, **options: Any) -> Vector:
    """Return one score per point."""
    return disco_pointwise(X, labels, **options).score


def disco_score(X: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Return the mean score of all points."""
    samples = disco_samples(X, labels, **options)
    return mean(samples, len(samples))
