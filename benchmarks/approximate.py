"""Benchmarks of approximate trees: how far their scores are off, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from benchmarks.data import Data
from benchmarks.kinds import KINDS, mixture
from benchmarks.measure import JOBS, Row
from benchmarks.plain_plan import plain_tree
from disco_cvi import DensityTree, disco_score

_N_POINTS = 20_000
_SEED = 2027  # no setting was chosen by it, and no test has it
_MIN_POINTS = 5
_N_NEIGHBORS = 21
_MOST_ERROR = 0.003


def approximate() -> Iterator[Row]:
    """Against the exact tree and the plain plan, on four kinds of points and three labelings."""
    for name, make in KINDS.items():
        data = make(_N_POINTS)
        _build(data.points[:9_000])
        exact, exact_time = _timed(lambda data=data: DensityTree(data.points, n_jobs=JOBS))  # type: ignore[misc]
        found, time = _timed(lambda data=data: _build(data.points))  # type: ignore[misc]
        plain = plain_tree(data.points, _N_NEIGHBORS, _MIN_POINTS, _SEED)
        for labeling, labels in labelings(data).items():
            right, ours, theirs = (disco_score(tree, labels) for tree in (exact, found, plain))
            what = f"error of the score, {name}, {labeling}: approximate / plain plan"
            error = abs(theirs - right)
            yield Row(what, abs(ours - right), error, _MOST_ERROR / error, "")
        below = int((found.heights < exact.heights).sum())
        below += int((found.core_distances < exact.core_distances).sum())
        yield Row(f"approximate, {name}: heights below exact", below, 1.0, 0.0, "")
        yield Row(f"approximate / exact tree, {name}", time, exact_time, 0.35, "CPU s")


def approximate_growth() -> Iterator[Row]:
    """From 20,000 to 100,000 points."""
    small, large = (mixture(n_points).points for n_points in (_N_POINTS, 5 * _N_POINTS))
    _build(small[:9_000])
    _, short = _timed(lambda: _build(small))
    _, long = _timed(lambda: _build(large))
    yield Row("approximate tree, 128-d, n = 100,000 / n = 20,000", long, short, 10.0, "CPU s")


def labelings(data: Data) -> dict[str, NDArray[Any]]:
    """The truth, k-means, and the truth with a tenth of noise."""
    generator = np.random.default_rng(_SEED)
    noisy = np.where(generator.random(len(data.labels)) < 0.1, -1, data.labels)
    means = MiniBatchKMeans(len(np.unique(data.labels)), random_state=0, n_init=1)
    by_means = means.fit_predict(data.points)
    return {"truth": data.labels, "k-means": by_means, "a tenth is noise": noisy}


def _build(points: NDArray[np.float64]) -> DensityTree:
    return DensityTree(points, algorithm="approximate", n_jobs=JOBS)


def _timed(work: Callable[[], DensityTree]) -> tuple[DensityTree, float]:
    begin = process_time()
    tree = work()
    return tree, process_time() - begin
