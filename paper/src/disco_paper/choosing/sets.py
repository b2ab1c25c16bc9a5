"""The data sets of the study: those of the paper, and points that it draws itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from disco_cvi._for_paper import standardize
from disco_paper import datasets
from disco_paper.cells import Scope, Spec, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.sources import FloatArray

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


Kind = Literal["benchmark", "generated", "real", "shape", "imbalanced", "structureless"]

_BENCHMARK = (
    *("3-spiral", "aggregation", "chainlink", "compound", "dartboard1", "diamond9", "smile1"),
    *("complex8", "complex9", "cluto-t4-8k", "cluto-t5-8k", "cluto-t7-10k", "cluto-t8-8k"),
)
# Rows that are kept of larger data, but for the benchmark sets, which are all used in full.
_N_ROWS = 2500
_N_GENERATED = 2000
_N_COMPONENTS = 50
_N_SEEDS = 3
_QUICK = ("3-spiral", "aggregation", "compound", "Iris", "moons", "nested", "overlapping blobs")
_QUICK_IMBALANCED = "sizes 90/4/3/3"
# Families whose clusters are round Gaussian groups.
ROUND = (
    *("varied blobs", "noisy blobs", "42 clusters", "nested", "20 features", "overlapping blobs"),
    *IMBALANCED,
)
# Sets of one maker and one manner; every other benchmark set is a family of its own.
_FAMILIES = ("cluto", "complex")


class StudySet(NamedTuple):
    """A data set, how it is called, and what it is counted with.

    Attributes
    ----------
    title : str
    family : str
        Sets of one family, such as three draws of one generator, are drawn together in a bootstrap.
    kind : str
    data : Spec
    """

    title: str
    family: str
    kind: Kind
    data: Spec


def study_sets(scope: Scope) -> list[StudySet]:
    """The sets with clusters; a few small ones in a quick run.

    >>> [chosen.title for chosen in study_sets(Scope(quick=True))][:3]
    ['3-spiral', 'aggregation', 'compound']
    """
    found = [*benchmark_sets(), *_generated_sets(), *_real_sets()]
    found += _made_sets(SHAPES, "shape", scope) + _made_sets(IMBALANCED, "imbalanced", scope)
    if scope.quick:
        return [chosen for chosen in found if chosen.family in (*_QUICK, _QUICK_IMBALANCED)]
    return found


def benchmark_sets() -> list[StudySet]:
    """The thirteen drawn benchmark sets, in full."""
    return [StudySet(name, _family(name), "benchmark", spec(name)) for name in _BENCHMARK]


def structureless_sets(scope: Scope) -> list[StudySet]:
    """Sets in which there is nothing to find, which are shown apart."""
    found = [StudySet(name, name, "structureless", spec(name, seed=0)) for name in STRUCTURELESS]
    return found[:1] if scope.quick else found


def _family(name: str) -> str:
    return next((family for family in _FAMILIES if name.startswith(family)), name)


def _generated_sets() -> list[StudySet]:
    names = ("Synth_low", "Synth_high", "Synth_no_noise")
    return [
        StudySet(name, "DENSIRED", "generated", spec("rows", of=name, n_rows=_N_GENERATED))
        for name in names
    ]


def _real_sets() -> list[StudySet]:
    small = ("Iris", "Seeds", "WiFi", "Yeast")
    large = ("Optdigits", "Pendigits", "htru2", "Spambase", "Wine quality")
    data = {name: spec(name) for name in small}
    data |= {name: spec("rows", of=name, n_rows=_N_ROWS) for name in large}
    data |= {name: spec("components", of=name, n=_N_COMPONENTS) for name in ("COIL20", "cmu_faces")}
    data |= {name: spec("of scikit-learn", set=name) for name in ("wine", "breast_cancer")}
    return [StudySet(name, name, "real", found) for name, found in data.items()]


def _made_sets(makers: dict[str, Any], kind: Kind, scope: Scope) -> list[StudySet]:
    return [
        StudySet(f"{name}, seed {seed}", name, kind, spec(name, seed=seed))
        for name in makers
        for seed in range(scope.repetitions(_N_SEEDS, 1))
    ]


# --- makers of data -----------------------------------------------------------------------------


def _rows(*, of: str, n_rows: int) -> LabeledPoints:
    """Some rows of a data set that was standardized as a whole."""
    found = datasets.load(of)
    random = np.random.default_rng(0)
    rows = np.sort(random.choice(len(found.X), min(n_rows, len(found.X)), replace=False))
    return LabeledPoints(np.ascontiguousarray(found.X[rows]), found.labels[rows])


def _components(*, of: str, n: int) -> LabeledPoints:
    """Points by their first principal components: images have far more features than points."""
    found = datasets.load(of)
    return LabeledPoints(_principal(found.X, n), found.labels)


def _principal(points: FloatArray, n_components: int) -> FloatArray:
    centered = points - points.mean(axis=0)
    squares, directions = np.linalg.eigh(centered @ centered.T)
    kept = slice(-1, -n_components - 1, -1)
    return np.ascontiguousarray(directions[:, kept] * np.sqrt(np.maximum(squares[kept], 0.0)))


def _of_scikit_learn(*, set: str) -> LabeledPoints:  # noqa: A002 - the name of the option
    from sklearn import datasets as others

    found = getattr(others, f"load_{set}")()
    return LabeledPoints(standardize(found.data), found.target.astype(np.int64))


DATA: dict[str, Callable[..., LabeledPoints]] = {
    **SHAPES,
    **IMBALANCED,
    **STRUCTURELESS,
    "rows": _rows,
    "components": _components,
    "of scikit-learn": _of_scikit_learn,
}
