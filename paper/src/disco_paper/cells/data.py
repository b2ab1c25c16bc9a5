"""The points behind a cell: data sets as the paper used them, and those that it made itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from disco_cvi.datasets import three_rings
from disco_paper import datasets
from disco_paper.cells.cell import Scope, Spec
from disco_paper.datasets import LabeledPoints
from disco_paper.datasets.generators.densired import densired_noise
from disco_paper.datasets.generators.discs import noise_group, noise_point, separated_discs
from disco_paper.datasets.generators.moons import two_moons
from disco_paper.datasets.generators.noise import replace_noise
from disco_paper.datasets.generators.rings import two_rings

Maker: TypeAlias = Callable[..., LabeledPoints]

# The paper drew the seeds of its made data, and those of its shuffles of the rows of other data,
# from NumPy's legacy generator with seed 0. These are the first ten below one million.
GENERATOR_SEEDS = (
    157105,
    374554,
    688694,
    265381,
    955415,
    4280,
    514674,
    800352,
    94727,
    753889,
)


def make_points(data: Spec, own: Mapping[str, Maker] | None = None) -> LabeledPoints:
    """Make or load the points of a cell and their true labels.

    Parameters
    ----------
    data : Spec
        A data set by its name, z-standardized, with the options

        - ``raw=True``: not standardized;
        - ``noise="dropped"``: without noise points, which still count for the standardization;
        - ``noise_distribution="gaussian"`` (``"uniform"``, ``"poisson"``): other noise instead;
        - ``shuffle=r``: rows in the order of run r, counted from 0;
        - ``paper_rows=True``: the rows that the paper had, where it lost some;

        or one of "three rings", "two rings", "two moons", "separated discs", "noise group",
        "noise point" and "densired" with the options of its generator.
    own : mapping of str to callable, optional
        Makers that an experiment adds, called with the options; they come first.

    Returns
    -------
    LabeledPoints

    Examples
    --------
    >>> from disco_paper.cells.cell import spec
    >>> make_points(spec("noise point", seed=0, offset=1.5)).points[-1]
    array([1.5, 1.5])
    """
    makers = {**_GENERATORS, **(own or {})}
    options: dict[str, Any] = dict(data.options)
    if data.name in makers:
        made = makers[data.name](**options)
        return LabeledPoints(made.points, made.labels)
    return _load(data.name, **options)


def shuffle_seeds(runs: int) -> tuple[int, ...]:
    """The seeds of so many shuffles; those of more runs begin with those of fewer.

    >>> shuffle_seeds(3)
    (9394, 898, 2398)
    """
    return _all_shuffle_seeds()[:runs]


def generator_seeds(runs: int) -> tuple[int, ...]:
    """The seeds of so many runs on made data: the paper's ten, and then further ones.

    >>> generator_seeds(2)
    (157105, 374554)
    """
    if runs <= len(GENERATOR_SEEDS):
        return GENERATOR_SEEDS[:runs]
    return tuple(map(int, np.random.RandomState(0).choice(1_000_000, runs, replace=False)))


def seeds_of(scope: Scope) -> tuple[int, ...]:
    """The seeds of made data: the paper's ten, or one in a quick run."""
    return generator_seeds(scope.repetitions(len(GENERATOR_SEEDS), 1))


def describe_cut(scope: Scope) -> str:
    """How a run is cut that has fewer seeds than the paper; empty if it has not."""
    n_seeds, full = len(seeds_of(scope)), len(GENERATOR_SEEDS)
    return f"{n_seeds} of {full} seeds: not judged." if n_seeds < full else ""


def permutation(run: int, n_points: int) -> NDArray[np.intp]:
    """The order of the rows in a run, counted from 0."""
    order = np.random.RandomState(_all_shuffle_seeds()[run]).permutation(n_points)
    return order.astype(np.intp, copy=False)


@cache
def _all_shuffle_seeds() -> tuple[int, ...]:
    return tuple(map(int, np.random.RandomState(0).choice(10_000, 10_000, replace=False)))


def _load(
    name: str,
    *,
    raw: bool = False,
    noise: Literal["kept", "dropped"] = "kept",
    noise_distribution: str = "",
    shuffle: int | None = None,
    paper_rows: bool = False,
) -> LabeledPoints:
    """A data set and what an experiment does to it, in the order of the arguments."""
    dataset = datasets.load(name, standardize=not raw, paper_rows=paper_rows)
    found = LabeledPoints(dataset.X, dataset.labels)
    if noise == "dropped":
        found = _choose_rows(found, np.flatnonzero(found.labels != -1))
    if noise_distribution:
        found = LabeledPoints(*replace_noise(*found, distribution=noise_distribution))
    if shuffle is not None:
        found = _choose_rows(found, permutation(shuffle, len(found.points)))
    return found


def _choose_rows(found: LabeledPoints, rows: NDArray[np.intp]) -> LabeledPoints:
    return LabeledPoints(np.ascontiguousarray(found.points[rows]), found.labels[rows])


def _three_rings() -> LabeledPoints:
    rings = three_rings()
    return LabeledPoints(rings.points, rings.good_labels)


def _two_rings(*, build: Literal[1, 2] = 2) -> LabeledPoints:
    rings = two_rings(build=build)
    return LabeledPoints(rings.points, rings.good_labels)


_GENERATORS: dict[str, Callable[..., Any]] = {
    "three rings": _three_rings,
    "two rings": _two_rings,
    "two moons": two_moons,
    "separated discs": separated_discs,
    "noise group": noise_group,
    "noise point": noise_point,
    "densired": densired_noise,
}
