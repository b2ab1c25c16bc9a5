"""The data sets of the study, each with the family that counts as one in the intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.points import standardize
from disco_paper import datasets
from disco_paper.cells.cell import Scope, Spec, spec
from disco_paper.choosing.made import IMBALANCED, SHAPES, STRUCTURELESS
from disco_paper.datasets import LabeledPoints

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
MISSING = (
    "Not among the sets: the four of the DBCV authors, which are not in the catalogue of data sets."
)


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
