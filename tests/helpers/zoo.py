"""Named tiny data sets and labelings with hand-worked scores, and generators of many more.

Hand-worked examples stand on a line, so that each number can be checked in the head. Generated ones
are rich in what makes trees hard: ties, copies, empty directions, sizes far apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import hypothesis
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

Points = NDArray[np.float64]
Codes = NDArray[np.int64]
Indices = NDArray[np.integer[Any]]

COMPILER_IS_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
# Uncompiled kernels are about a hundred times slower, and a read beyond an array needs few cases.
SHARE = 10 if COMPILER_IS_OFF else 4 if os.environ.get("NUMBA_BOUNDSCHECK") else 1


def examples(count: int) -> hypothesis.settings:
    """Return settings for `count` generated cases, fewer where tests run once more."""
    return hypothesis.settings(
        max_examples=max(10, count // SHARE) if SHARE > 1 else count,
        deadline=None,
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.function_scoped_fixture,
        ],
    )


# --- hand-worked examples -----------------------------------------------------------------------


def column(*values: float) -> Points:
    """Return points on a line."""
    return np.array(values, dtype=np.float64).reshape(-1, 1)


@dataclass(frozen=True)
class Example:
    """Points on a line, a labeling, and the score of each point worked out by hand."""

    line: list[float]
    labels: list[Any]
    samples: list[float]
    min_points: int = 2
    noise_label: Any = -1

    @property
    def points(self) -> Points:
        return column(*self.line)


# In what follows "core" lists core distances, "dc" dc-distances, a and b as in the definition.
EXAMPLES = {
    # core 1 1 2 1 1 2; dc inside the first cluster: (0,1) 1, (0,3) 2, (1,3) 2; between clusters 7.
    # Point 0 and 1: a = 3/2, b = 7, so 11/14; point 3: a = 2, b = 7, so 5/7. The second is alike.
    "two clusters": Example(
        [0, 1, 3, 10, 11, 13], [0, 0, 0, 1, 1, 1], [11 / 14, 11 / 14, 5 / 7] * 2
    ),
    # core 3 2 3 3 2 3, so all dc inside a cluster are 3, and 7 between them: q(7, 3) = 4/7.
    "two clusters, three points make a place dense": Example(
        [0, 1, 3, 10, 11, 13], [0, 0, 0, 1, 1, 1], [4 / 7] * 6, min_points=3
    ),
    # core 0; dc are the largest gaps, the same as in "two clusters".
    "one point makes a place dense": Example(
        [0, 1, 3, 10, 11, 13], [0, 0, 0, 1, 1, 1], [11 / 14, 11 / 14, 5 / 7] * 2, min_points=1
    ),
    # core = distance to the farthest point: 13 12 10 10 11 13. No distance exceeds the core
    # distances of its two ends, so dc(x, y) is the larger of those.
    # 0: a = (13 + 13) / 2 = b: 0.
    # 1: a = (13 + 12) / 2 = 25/2, b = (12 + 12 + 13) / 3 = 37/3: -1/6 over 25/2 = -1/75.
    # 3: a = (13 + 12) / 2 = 25/2, b = (10 + 11 + 13) / 3 = 34/3: -7/6 over 25/2 = -7/75.
    # 10: a = (11 + 13) / 2 = 12, b = (13 + 12 + 10) / 3 = 35/3: -1/3 over 12 = -1/36.
    # 11: a = (11 + 13) / 2 = 12, b = (13 + 12 + 11) / 3 = 12: 0. 13: a = b = 13: 0.
    "all points make a place dense": Example(
        [0, 1, 3, 10, 11, 13],
        [0, 0, 0, 1, 1, 1],
        [0, -1 / 75, -7 / 75, -1 / 36, 0, 0],
        min_points=6,
    ),
    # Clusters cut across the gap. core 1 1 1 1; dc 1, 9, 9, 1. Each a = 9, b = (1 + 9) / 2 = 5.
    "wrong clusters": Example([0, 1, 10, 11], [0, 1, 0, 1], [-4 / 9] * 4),
    # core 1 1 1 4 1 1 1, core of each cluster 1; dc inside 1, to the noise point 4, across 4.
    # Clusters: a = 1, b = 4: 3/4. Noise: both parts q(4, 1) = 3/4.
    "two clusters and noise": Example(
        [0, 1, 2, 6, 10, 11, 12], [0, 0, 0, -1, 1, 1, 1], [3 / 4] * 7
    ),
    # The noise points 6 and 6.5 are dense: core 1/2, so rho_sparse = q(1/2, 1) = -1/2 decides,
    # though they are far from both clusters: dc 4 and 3.5, so rho_far = q(3.5, 1) = 5/7.
    # Clusters: a = 1; path to the other one over the noise: largest step 4; b = 4: 3/4.
    "dense noise": Example(
        [0, 1, 2, 6, 6.5, 10, 11, 12],
        [0, 0, 0, -1, -1, 1, 1, 1],
        [3 / 4, 3 / 4, 3 / 4, -1 / 2, -1 / 2, 3 / 4, 3 / 4, 3 / 4],
    ),
    # core 1 1 4; cluster: a = 1, b = dc to the noise = 4: 3/4; noise: q(4, 1) = 3/4.
    "one cluster, some noise": Example([0, 1, 5], [0, 0, -1], [3 / 4] * 3),
    # Noise within: core 1 1 1; all dc are 1: everything is 0.
    "one cluster, noise inside": Example([0, 1, 2], [0, -1, 0], [0.0] * 3),
    "one cluster, no noise": Example([0, 1, 5], [7, 7, 7], [0.0] * 3),
    "only noise": Example([0, 1, 5], [-1, -1, -1], [-1.0] * 3),
    # The point 2 is alone: 0. core 1 1 1 1 1; dc 1 between neighbors, 7 across the gap.
    # 0 and 1: a = 1, b = min(1 to the lone point, 7) = 1: 0. 9 and 10: a = 1, b = 7: 6/7.
    "alone in its cluster": Example(
        [0, 1, 2, 9, 10], [0, 0, 5, 1, 1], [0.0, 0.0, 0.0, 6 / 7, 6 / 7]
    ),
    "all alone": Example([0, 1, 5], [2, 1, 0], [0.0] * 3),
    # Alone is 0 whatever else holds; the noise point has core 4, the clusters 1: q(4, 1) = 3/4.
    "all alone, some noise": Example([0, 1, 5], [0, 1, -1], [0.0, 0.0, 3 / 4]),
    # One cluster of one point: still 0; noise: core 1 and 4 against 1: 0 and 3/4.
    "one lone point, some noise": Example([0, 1, 5], [0, -1, -1], [0.0, 0.0, 3 / 4]),
    # All distances are 0, and q(0, 0) = 0.
    "identical points": Example([3, 3, 3, 3], [0, 0, 1, -1], [0.0] * 4),
    # Three copies of 0 are a dense place of their own: core 0 0 0 1 5 (third nearest to 5 is 0).
    # dc 0 among copies, 1 to the point 1, 5 to the point 5.
    # Copies labeled 0: a = 0, b = (0 + 1 + 5) / 3: 1. Copy labeled 1: a = (1 + 5) / 2, b = 0: -1.
    # Point 1: a = (1 + 5) / 2 = 3, b = 1: -2/3. Point 5: a = b = 5: 0.
    "as many copies as min_points": Example(
        [0, 0, 0, 1, 5], [0, 0, 1, 1, 1], [1.0, 1.0, -1.0, -2 / 3, 0.0], min_points=3
    ),
    # Two copies are too few: core 1 1 1 5, so they merge at height 1 and not at 0.
    # dc among 0, 0 and 1 is 1, and 5 to the point 5. First copy: a = 5, b = 1: -4/5.
    # Second copy and point 1: a = 1, b = (1 + 5) / 2 = 3: 2/3. Point 5: a = b = 5: 0.
    "one copy fewer than min_points": Example(
        [0, 0, 1, 5], [0, 1, 1, 0], [-4 / 5, 2 / 3, 2 / 3, 0.0], min_points=3
    ),
    # core 1 1; a does not exist for single points: 0; noise: q(1, 1) = 0.
    "two points, one noise": Example([0, 1], [0, -1], [0.0, 0.0]),
    "two points, one cluster": Example([0, 1], [4, 4], [0.0, 0.0]),
    "one point in a cluster": Example([3], [0], [0.0], min_points=1),
    "one point of noise": Example([3], [-1], [-1.0], min_points=1),
}

# Labelings that need no distances: name, labels of n points, the score of each point.
DISTANCE_FREE: dict[str, tuple[Callable[[int], list[int]], float]] = {
    "only noise": (lambda n: [-1] * n, -1.0),
    "one cluster": (lambda n: [3] * n, 0.0),
    "all alone": (lambda n: list(range(n)), 0.0),
}


# --- named points -------------------------------------------------------------------------------


def _blobs(n_points: int, dimension: int, seed: int) -> Points:
    random = np.random.default_rng(seed)
    centers = random.uniform(-10, 10, (3, dimension))
    return centers[random.integers(0, 3, n_points)] + random.normal(size=(n_points, dimension))


def _far_from_zero(n_points: int, dimension: int) -> Points:
    """Return points at 1000 with a spread of 1e-3: products of such rows cancel."""
    return 1000 + 1e-3 * np.random.default_rng(5).normal(size=(n_points, dimension))


def _copies(n_points: int, dimension: int) -> Points:
    """Return few places, each taken by several points, some by very many."""
    places = _blobs(8, dimension, seed=6)
    return places[np.minimum(np.random.default_rng(7).geometric(0.4, n_points) - 1, 7)]


def _nested(levels: int, noise: float) -> Points:
    """Return pairs of pairs of pairs: the tree of the points splits in halves at every level."""
    places = np.zeros(1)
    for level in range(levels):
        places = np.concatenate([places, places + 3.0**level])
    return (places + noise * np.random.default_rng(12).random(len(places))).reshape(-1, 1)


def cantor_dust(n_points: int, dimension: int) -> Points:
    """Return points of Cantor's set in each coordinate: gaps of every size, and equal ones."""
    digits = np.random.default_rng(dimension).integers(0, 2, (n_points, dimension, 30))
    return np.asarray((2 * digits * 3.0 ** -np.arange(1, 31)).sum(axis=-1))


def tilted_planes(n_points: int, dimension: int, gap: float = 1.0) -> Points:
    """Return points on two parallel planes, half on each, which no axis is square to."""
    random = np.random.default_rng(dimension)
    points = random.uniform(size=(n_points, dimension))
    points[:, 0] = gap * (np.arange(n_points) % 2)
    turned, _ = np.linalg.qr(random.normal(size=(dimension, dimension)))
    return np.asarray(points @ turned)


POINTS: dict[str, Points] = {
    "one dimension": _blobs(50, 1, seed=1),
    "blobs": _blobs(60, 2, seed=2),
    "three dimensions": _blobs(60, 3, seed=3),
    "ten dimensions": _blobs(50, 10, seed=4),
    "high dimension": _blobs(40, 64, seed=8),
    "far from zero": _far_from_zero(60, 64),
    "grid": np.array([[x, y] for x in range(7) for y in range(6)], dtype=np.float64),
    "line of equal gaps": np.arange(30, dtype=np.float64).reshape(-1, 1),
    "growing gaps": np.float64(1.7) ** np.arange(40).reshape(-1, 1),
    "nested pairs, tied": _nested(6, noise=0.0),
    "nested pairs": _nested(6, noise=0.2),
    "copies": _copies(60, 2),
    "copies in high dimension": _copies(50, 40),
    "identical": np.full((20, 3), 0.1),
    "constant feature": np.column_stack([_blobs(40, 2, seed=9), np.full(40, 7.7)]),
    "negative zero": np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, -1.0], [-0.0, -1.0], [1, 1], [2, 2]]),
    "very different sizes": np.exp(np.random.default_rng(10).normal(scale=6, size=(40, 2))),
    "Cantor dust": cantor_dust(60, 2),
    "tilted planes": tilted_planes(60, 3),
    "outlier": np.vstack([_blobs(30, 2, seed=11), [[1e9, -1e9]]]),
}


def many_labels(n_points: int, seed: int = 0) -> Codes:
    """Return labels with several clusters, gaps between their numbers, a lone point, and noise."""
    random = np.random.default_rng(seed)
    labels = random.choice([-1, 0, 2, 7, 100], n_points).astype(np.int64)
    labels[random.integers(n_points)] = 55
    return labels


def near_ties(seed: int) -> Points:
    """Return a matrix of dc-distances (for min_points = 1) with heights apart by single bits.

    Means over such heights lie so close together that only exact sums can order them.
    """
    random = np.random.default_rng(seed)
    n_points = int(random.integers(10, 60))
    few_heights = random.random(int(random.integers(2, 8)))
    next_floats = 1 + random.integers(0, 3, n_points - 1) * np.finfo(np.float64).eps
    steps = random.choice(few_heights, n_points - 1) * next_floats
    distances = np.zeros((n_points, n_points))
    for point in range(n_points - 1):
        distances[point, point + 1 :] = np.maximum.accumulate(steps[point:])
    return distances + distances.T


# --- generated data -----------------------------------------------------------------------------


class Case(NamedTuple):
    """Generated points with labels (noise is -1) and min_points from 1 to n."""

    points: Points
    labels: Codes
    min_points: int


def _sized(random: np.random.Generator, shape: tuple[int, int]) -> Points:
    """Return normal values, each point multiplied by a size between 1e-3 and 1e3."""
    sizes = 10.0 ** random.uniform(-3, 3, (shape[0], 1))
    return random.normal(size=shape) * sizes


Maker = Callable[[np.random.Generator, tuple[int, int]], Any]

KINDS: dict[str, Maker] = {
    "normal": lambda random, shape: random.normal(size=shape),
    "grid": lambda random, shape: random.integers(-2, 3, shape).astype(np.float64),
    "halves": lambda random, shape: random.integers(0, 9, shape) / 2,
    "tenths": lambda random, shape: random.integers(0, 5, shape) / 10,
    "small": lambda random, shape: 1e-3 * random.normal(size=shape),
    "large": lambda random, shape: 1e3 * random.normal(size=shape),
    "many sizes": _sized,
    "shifted": lambda random, shape: 1e3 + 1e-3 * random.normal(size=shape),
    "flat": lambda random, shape: np.repeat(random.normal(size=(shape[0], 1)), shape[1], axis=1),
}


@st.composite
def seeded_points(draw: st.DrawFn, least: int = 1, most: int = 40, dimension: int = 4) -> Points:
    """Generate points of one of `KINDS`; some rows may be copies of others."""
    n_points = draw(st.one_of(st.integers(least, most), st.integers(max(least, most // 2), most)))
    shape = (n_points, draw(st.integers(1, dimension)))
    kind = draw(st.sampled_from(sorted(KINDS)))
    copies = draw(st.sampled_from([0.0, 0.0, 0.2, 0.8]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    points = np.asarray(KINDS[kind](random, shape), dtype=np.float64)
    if copies:
        moved = random.random(n_points) < copies
        points[moved] = points[random.integers(0, max(1, n_points // 3), int(moved.sum()))]
    return points


@st.composite
def drawn_points(draw: st.DrawFn, least: int = 1, most: int = 12) -> Points:
    """Generate few points on a small grid, entry by entry, so that failures shrink to the least."""
    shape = (draw(st.integers(least, most)), draw(st.integers(1, 3)))
    return draw(hnp.arrays(np.float64, shape, elements=st.integers(-3, 3).map(float)))


def any_points(least: int = 1, most: int = 40) -> st.SearchStrategy[Points]:
    """Generate points of all kinds."""
    seeded = seeded_points(least=least, most=most)
    return st.one_of(seeded, drawn_points(least=least, most=min(12, most)), seeded)


@st.composite
def labels_of(draw: st.DrawFn, n_points: int) -> Codes:
    """Generate labels of every pattern: with and without noise, lone points, gaps, any sizes."""
    pattern = draw(st.sampled_from(["random", "random", "drawn", "halves", "alone", "same"]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if pattern == "drawn":
        return draw(hnp.arrays(np.int64, n_points, elements=st.integers(-1, 2)))
    if pattern == "halves":  # the first rows one cluster, the others another one or noise
        others = draw(st.sampled_from([-1, 8]))
        return np.where(np.arange(n_points) < draw(st.integers(0, n_points)), 3, others)
    if pattern == "same":
        labels = np.full(n_points, 9)
    elif pattern == "alone":
        labels = np.arange(n_points)
    else:
        n_clusters = draw(st.sampled_from([3, 2, 5, 8, 20]))
        labels = random.integers(0, n_clusters, n_points) * 5 - 20
    noise_share = draw(st.sampled_from([0.2, 0.0, 0.7, 1.0]))
    return np.where(random.random(n_points) < noise_share, -1, labels)


@st.composite
def cases(draw: st.DrawFn, least: int = 1, most: int = 40) -> Case:
    """Generate points, labels and min_points."""
    points = draw(any_points(least=least, most=most))
    labels = draw(labels_of(len(points)))
    small = st.integers(1, min(6, len(points)))
    min_points = draw(st.one_of(small, st.integers(1, len(points))))
    return Case(points, labels, min_points)


@st.composite
def directions(draw: st.DrawFn, least: int = 1, most: int = 30) -> Case:
    """Generate cases for the cosine metric: no zero row, parallel rows, no nearly parallel ones.

    Entries are small whole numbers and rows differ in length by up to 1e6, so two rows are parallel
    up to rounding or clearly not: nothing lies where rounding alone decides.
    """
    case = draw(cases(least=least, most=most))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    points = random.integers(-2, 3, (len(case.points), draw(st.integers(1, 4)))).astype(np.float64)
    points[~points.any(axis=1), 0] = 1.0
    points *= 10.0 ** random.uniform(-3, 3, (len(points), 1))
    return Case(points, case.labels, case.min_points)
