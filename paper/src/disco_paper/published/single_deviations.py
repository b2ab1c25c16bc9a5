"""Indices with some of the deviations that the paper's programs have, to find the one that matters.

For small data, and written to be compared with the text of the definitions, not to be fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._neighbors.distances import squared_distances
from disco_cvi.indices.lccv import natural_neighbors
from disco_cvi.indices.viasckde import nearest_and_density
from disco_paper.cells.source import Case

Labels = NDArray[np.int64]

# The indices of which this can be asked.
KNOWN = ("s_dbw", "viasckde", "cdbw", "lccv")


def evaluate_partly_published(case: Case, index: str, deviations: str) -> float:
    """Compute an index by its definition, but with some deviations of the paper's program.

    Parameters
    ----------
    case : Case
    index : {"s_dbw", "viasckde", "cdbw", "lccv"}
    deviations : str
        Their names in `DEVIATIONS` of the program, with blanks between them; none is the
        definition, all are the program.
    """
    functions: dict[str, Callable[[FloatArray, Labels, set[str]], float]] = {
        "s_dbw": _s_dbw,
        "viasckde": _viasckde,
        "cdbw": _cdbw,
        "lccv": _lccv,
    }
    return float(functions[index](case.source.points, case.labels, set(deviations.split())))


def _clusters(points: FloatArray, labels: Labels) -> list[FloatArray]:
    return [points[labels == name] for name in np.unique(labels) if name != -1]


def _count(points: FloatArray, place: FloatArray) -> FloatArray:
    """Distances to a place, sorted, in which to count."""
    return np.sort(np.linalg.norm(points - place, axis=1))


# --- S_Dbw ---------------------------------------------------------------------------------------


def _s_dbw(points: FloatArray, labels: Labels, deviations: set[str]) -> float:
    clusters = _clusters(points, labels)

    def spread(members: FloatArray) -> float:
        has_roots = "deviations" in deviations
        return float(np.linalg.norm(members.std(axis=0) if has_roots else members.var(axis=0)))

    def density(members: FloatArray, place: FloatArray) -> int:
        return int(np.searchsorted(_count(members, place), radius, "right"))

    spreads = [spread(members) for members in clusters]
    radius = math.sqrt(sum(spreads)) / len(clusters)
    centers = [_center(members, is_member="members" in deviations) for members in clusters]
    terms = []
    for one, other in combinations(range(len(clusters)), 2):
        both = np.vstack([clusters[one], clusters[other]])
        around = [clusters[c] if "own" in deviations else both for c in (one, other)]
        densest = max(map(density, around, (centers[one], centers[other])))
        between = density(both, (centers[one] + centers[other]) / 2)
        terms.append(between / densest if densest else math.inf if between else 0.0)
    scatter = sum(spreads) / len(clusters) / spread(np.vstack(clusters))
    return scatter + sum(terms) / len(terms)


def _center(members: FloatArray, *, is_member: bool) -> FloatArray:
    mean: FloatArray = members.mean(axis=0)
    nearest: FloatArray = members[np.linalg.norm(members - mean, axis=1).argmin()]
    return nearest if is_member else mean


# --- VIASCKDE ------------------------------------------------------------------------------------


def _viasckde(points: FloatArray, labels: Labels, deviations: set[str]) -> float:
    if "noise" not in deviations:
        points, labels = np.ascontiguousarray(points[labels != -1]), labels[labels != -1]
    clustering = _open(points, labels, noise_label=None)
    inside, outside, density = nearest_and_density(clustering, 0.05)
    scores = (outside - inside) / np.maximum(inside, outside)
    if "logarithms" in deviations:
        density = np.log(density)
    sums, sizes = [], []
    for rows in clustering.members:
        heights = density[rows] - density[rows].min()
        sums.append(float((heights / heights.max() * scores[rows]).sum()))
        sizes.append(len(rows))
    if "totals" in deviations:
        return float(np.cumsum(sums).sum() / np.cumsum(sizes).sum())
    return sum(sums) / sum(sizes)


def _open(points: FloatArray, labels: Labels, noise_label: int | None = -1) -> Clustering:
    return open_clustering(points, labels, noise_label=noise_label, n_jobs=None, caller="reproduce")


# --- CDbw ----------------------------------------------------------------------------------------


def _cdbw(points: FloatArray, labels: Labels, deviations: set[str]) -> float:
    clusters = _clusters(points, labels)
    has_one_radius = "radius" in deviations
    divisor = points.shape[1] if has_one_radius else 1
    spreads = [math.sqrt(members.var(axis=0).sum() / divisor) for members in clusters]
    radius = spreads[-1] if has_one_radius else sum(spreads) / len(spreads)
    reps = [members if "all" in deviations else _representatives(members) for members in clusters]
    n = len(clusters)
    densities, distances = np.zeros((n, n)), np.full((n, n), np.inf)
    for c, e in permutations(range(n), 2):
        between = radius if has_one_radius else (spreads[c] + spreads[e]) / 2
        both = np.vstack([clusters[c], clusters[e]])
        found = _facing(reps[c], reps[e], both, between)
        distances[c, e] = found[0].mean()
        densities[c, e] = (2 * found[1]).sum() if "sums" in deviations else found[1].mean()
    inter = densities.max() / n if "largest" in deviations else densities.max(axis=1).mean()
    if "smaller" in deviations:
        gaps = sum(distances[c, :c].min() for c in range(1, n)) / n
    else:
        gaps = distances.min(axis=1).mean()
    factors = np.arange(10) / 10 if "shrinking" in deviations else np.arange(1, 9) / 10
    within = np.array([_near_moved(clusters, reps, factor, radius) for factor in factors])
    change = np.abs(np.diff(within)).mean()
    return float(within.mean() ** 2 / (1 + change) * gaps / (1 + inter))


def _representatives(members: FloatArray, most: int = 10) -> FloatArray:
    """The farthest from the center, then the farthest from those chosen."""
    nearest = squared_distances(members, members.mean(axis=0, keepdims=True))[:, 0]
    chosen = [int(nearest.argmax())]
    while len(chosen) < most:
        nearest = squared_distances(members, members[chosen]).min(axis=1)
        if nearest.max() == 0:
            break
        chosen.append(int(nearest.argmax()))
    return members[chosen]


def _facing(
    one: FloatArray, other: FloatArray, both: FloatArray, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Distances of the representatives that are nearest to each other, and densities between."""
    squares = squared_distances(one, other)
    there, back = squares.argmin(axis=1), squares.argmin(axis=0)
    first = np.flatnonzero(back[there] == np.arange(len(one)))
    lengths = np.linalg.norm(one[first] - other[there[first]], axis=1)
    places = (one[first] + other[there[first]]) / 2
    counts = [int(np.searchsorted(_count(both, place), radius)) for place in places]
    return lengths, lengths / (2 * radius) * np.array(counts) / len(both)


def _near_moved(
    clusters: list[FloatArray], reps: list[FloatArray], factor: float, radius: float
) -> float:
    """The share of a cluster near its representatives after they moved towards the center."""
    shares = []
    for members, places in zip(clusters, reps, strict=True):
        moved = places + factor * (members.mean(axis=0) - places)
        near = np.sqrt(squared_distances(moved, members)) < radius
        shares.append(near.mean())
    return float(np.mean(shares)) / radius


# --- LCCV ----------------------------------------------------------------------------------------


def _lccv(points: FloatArray, labels: Labels, deviations: set[str]) -> float:
    votes, reach = natural_neighbors(_open(points, labels).points)
    squares = squared_distances(points, points)
    np.fill_diagonal(squares, -1.0)  # each point is the first of its own neighbors
    nearest = np.argsort(squares, axis=1, kind="stable")
    distances = np.sqrt(np.maximum(squares, 0.0))
    width = reach if "density" in deviations else int(votes.max())
    density = width / np.take_along_axis(distances, nearest[:, 1 : width + 1], 1).sum(axis=1)
    if "neighbors" in deviations:
        around = [row[1 : reach + 1] for row in nearest]
    else:
        around = [row[: n_votes + 1] for row, n_votes in zip(nearest, votes, strict=True)]
    is_by_row = "order" in deviations
    order = np.arange(len(points)) if is_by_row else np.argsort(-density, kind="stable")
    choose = _choose_replaceable if "cores" in deviations else _choose_lasting
    chosen = choose(distances, around, density, order)
    lengths = _path_lengths(distances, nearest[:, 1 : reach + 1])
    cores = np.flatnonzero(chosen == np.arange(len(points)))
    between = lengths if "length" in deviations else lengths[np.ix_(cores, cores)]
    lengths = np.minimum(lengths, between[np.isfinite(between)].max())
    counted = np.ones(len(points), bool) if "weights" in deviations else labels != -1
    weights = np.bincount(chosen[counted & (chosen >= 0)], minlength=len(points))
    rivals = cores if "rivals" in deviations else cores[labels[cores] != -1]
    scores = [_core_score(np.intp(c), lengths, rivals, labels) for c in cores]
    terms = [weights[c] * s for c, s in zip(cores, scores, strict=True) if labels[c] != -1]
    return float(sum(terms) / len(points))


def _choose_lasting(
    distances: FloatArray, around: list[NDArray[np.intp]], density: FloatArray, order: Labels
) -> Labels:
    """Each point offers the representative of its densest neighbor; cores remain cores."""
    chosen = np.full(len(density), -1)
    for p in order:
        densest = around[p][density[around[p]].argmax()]
        if chosen[densest] < 0:
            chosen[densest] = densest
        offered = chosen[densest]
        for q in around[p]:
            if chosen[q] < 0 or distances[q, chosen[q]] > distances[q, offered]:
                chosen[q] = offered
    return chosen


def _choose_replaceable(
    distances: FloatArray, around: list[NDArray[np.intp]], density: FloatArray, order: Labels
) -> Labels:
    """Each point offers its densest neighbor, which takes over from those that it replaces."""
    chosen = np.full(len(density), -1)
    for p in order:
        if not len(around[p]):
            continue
        densest = around[p][density[around[p]].argmax()]
        for q in around[p]:
            if chosen[q] < 0 or distances[q, densest] < distances[q, chosen[q]]:
                chosen[q] = densest
            chosen[chosen == q] = densest
    return chosen


def _path_lengths(distances: FloatArray, neighbors: NDArray[np.intp]) -> FloatArray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    n_points, reach = neighbors.shape
    steps = np.take_along_axis(distances, neighbors, axis=1).ravel()
    # Of 32 bits, for the searches of SciPy 1.11 know no others.
    begins = np.arange(0, n_points * reach + 1, reach, dtype=np.int32)
    ends = neighbors.ravel().astype(np.int32)
    graph = csr_array((steps, ends, begins), shape=(n_points, n_points))
    return np.asarray(shortest_path(graph))


def _core_score(
    core: np.intp, lengths: FloatArray, rivals: NDArray[np.intp], labels: Labels
) -> float:
    own = [e for e in rivals if labels[e] == labels[core] and e != core]
    others = set(labels[rivals].tolist()) - {labels[core]}
    if not own or not others:
        return 0.0
    inside = lengths[core, own].mean()
    outside = min(lengths[core, rivals[labels[rivals] == name]].mean() for name in others)
    larger = max(inside, outside)
    return float((outside - inside) / larger) if larger > 0 else 0.0
