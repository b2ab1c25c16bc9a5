"""Points that the study draws itself: shapes, noise, levels, unlike sizes, and no structure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.points import standardize
from disco_paper.datasets import LabeledPoints

LabelArray: TypeAlias = NDArray[np.int64]
Drawer: TypeAlias = Callable[[np.random.Generator], tuple[FloatArray, LabelArray]]

_N_POINTS = 600


def _drawn(draw: Drawer) -> Callable[..., LabeledPoints]:
    """A maker of points by their seed, standardized as all points of the study."""

    def make(*, seed: int) -> LabeledPoints:
        points, labels = draw(np.random.default_rng(seed))
        return LabeledPoints(standardize(points), labels)

    return make


def _groups(
    random: np.random.Generator,
    centers: Any,
    sizes: Sequence[int],
    spreads: float | Sequence[float],
) -> tuple[FloatArray, LabelArray]:
    """Round Gaussian groups around centers."""
    centers = np.asarray(centers, np.float64)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    each = np.broadcast_to(spreads, len(sizes))[labels]
    points = centers[labels] + each[:, None] * random.normal(size=(len(labels), centers.shape[1]))
    return points, labels


def _with_noise(
    random: np.random.Generator, points: FloatArray, labels: LabelArray, n_noise: int
) -> tuple[FloatArray, LabelArray]:
    """Uniform noise added in the box of the points."""
    noise = random.uniform(points.min(axis=0), points.max(axis=0), (n_noise, points.shape[1]))
    return np.vstack([points, noise]), np.concatenate([labels, np.full(n_noise, -1)])


def _ring(random: np.random.Generator, radius: float, n_points: int, jitter: float) -> FloatArray:
    angles = random.uniform(0, 2 * np.pi, n_points)
    circle = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return circle + random.normal(scale=jitter, size=circle.shape)


def _far_apart(
    random: np.random.Generator, n_centers: int, n_features: int, *, least: float, box: float
) -> FloatArray:
    """Centers in a box, each at least so far from all others."""
    found: list[FloatArray] = []
    while len(found) < n_centers:
        center = random.uniform(-box, box, n_features)
        if all(np.linalg.norm(center - other) >= least for other in found):
            found.append(center)
    return np.array(found)


# --- shapes -------------------------------------------------------------------------------------


def _moons(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    angles = random.uniform(0, np.pi, _N_POINTS)
    labels = np.arange(_N_POINTS) % 2
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    points[labels == 1] = (1.0, 0.5) - points[labels == 1]
    return points + random.normal(scale=0.07, size=points.shape), labels


def _circles(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    half = _N_POINTS // 2
    points = np.vstack([_ring(random, radius, half, 0.06) for radius in (1.0, 0.5)])
    return points, np.repeat([0, 1], half)


def _noisy_circles(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    sizes = (150, 250, 350)
    rings = [_ring(random, 1.0 + i, size, 0.07) for i, size in enumerate(sizes)]
    return _with_noise(random, np.vstack(rings), np.repeat([0, 1, 2], sizes), 75)


def _varied(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    centers = _far_apart(random, 3, 2, least=8.0, box=10.0)
    return _groups(random, centers, [200] * 3, [1.0, 2.5, 0.5])


def _anisotropic(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    centers = _far_apart(random, 3, 2, least=7.0, box=8.0)
    points, labels = _groups(random, centers, [200] * 3, 1.0)
    return points @ np.array([[0.6, -0.6], [-0.4, 0.8]]), labels


def _noisy_blobs(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    centers = _far_apart(random, 5, 2, least=6.0, box=10.0)
    return _with_noise(random, *_groups(random, centers, [120] * 5, 0.8), 90)


def _many(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    grid = np.array([(x, y) for x in range(7) for y in range(6)], np.float64)
    return _groups(random, grid + random.uniform(-0.15, 0.15, grid.shape), [45] * 42, 0.09)


def _nested(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    """Four pairs of groups: eight clusters from near, four from afar."""
    pairs = [(-10.0, -10.0), (-10.0, 10.0), (10.0, -10.0), (10.0, 10.0)]
    centers = [(x + side, y) for x, y in pairs for side in (-1.5, 1.5)]
    return _groups(random, centers, [100] * 8, 0.5)


def _many_features(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    return _groups(random, random.normal(scale=2.0, size=(6, 20)), [100] * 6, 1.0)


def _overlapping(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    corners = [(0.0, 0.0), (3.5, 0.0), (0.0, 3.5), (3.5, 3.5)]
    return _groups(random, corners, [150] * 4, 1.0)


# --- unlike sizes, no structure -----------------------------------------------------------------


def _one_large(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    centers = [(0.0, 0.0), (9.0, 0.0), (0.0, 9.0), (-9.0, 0.0)]
    return _groups(random, centers, [900, 40, 30, 30], [1.5, 0.7, 0.7, 0.7])


def _one_small(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    return _groups(random, [(0.0, 0.0), (8.0, 0.0)], [970, 30], [1.5, 0.5])


def _halving(random: np.random.Generator) -> tuple[FloatArray, LabelArray]:
    centers = _far_apart(random, 6, 2, least=8.0, box=14.0)
    return _groups(random, centers, [512, 256, 128, 64, 32, 16], 1.0)


def _one_gaussian(random: np.random.Generator, n_features: int) -> tuple[FloatArray, LabelArray]:
    return random.normal(size=(_N_POINTS, n_features)), np.zeros(_N_POINTS, np.int64)


def _uniform(random: np.random.Generator, n_features: int) -> tuple[FloatArray, LabelArray]:
    return random.uniform(size=(_N_POINTS, n_features)), np.zeros(_N_POINTS, np.int64)


# By name; each is called with a seed.
SHAPES: dict[str, Callable[..., LabeledPoints]] = {
    "moons": _drawn(_moons),
    "circles": _drawn(_circles),
    "three noisy circles": _drawn(_noisy_circles),
    "varied blobs": _drawn(_varied),
    "anisotropic blobs": _drawn(_anisotropic),
    "noisy blobs": _drawn(_noisy_blobs),
    "42 clusters": _drawn(_many),
    "nested": _drawn(_nested),
    "20 features": _drawn(_many_features),
    "overlapping blobs": _drawn(_overlapping),
}
IMBALANCED: dict[str, Callable[..., LabeledPoints]] = {
    "sizes 90/4/3/3": _drawn(_one_large),
    "sizes 97/3": _drawn(_one_small),
    "halving sizes": _drawn(_halving),
}
STRUCTURELESS: dict[str, Callable[..., LabeledPoints]] = {
    "one Gaussian, 2 features": _drawn(lambda random: _one_gaussian(random, 2)),
    "one Gaussian, 5 features": _drawn(lambda random: _one_gaussian(random, 5)),
    "uniform, 2 features": _drawn(lambda random: _uniform(random, 2)),
    "uniform, 5 features": _drawn(lambda random: _uniform(random, 5)),
}
