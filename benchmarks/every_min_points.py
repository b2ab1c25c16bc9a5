"""Benchmarks of the trees for thirty min_points at once, against building each of them alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.data import blobs
from benchmarks.measure import Row
from disco_cvi import DensityTree
from disco_cvi._compute.arrays import FloatArray

_N_POINTS = 100_000
_EVERY = range(1, 31)


def every_min_points() -> Iterator[Row]:
    """CPU time of one thread; all trees are laid out."""
    for name, points, floor in _kinds():
        _all_trees(points[:2_000])
        together = _cpu(lambda points=points: _all_trees(points))  # type: ignore[misc]
        alone = sum(
            _cpu(lambda points=points, m=m: DensityTree(points, min_points=m))  # type: ignore[misc]
            for m in _EVERY
        )
        yield Row(f"trees for 30 min_points, 100,000 {name} / one by one", together, alone, floor)


def _kinds() -> Iterator[tuple[str, FloatArray, float]]:
    generator = np.random.default_rng(0)
    yield "points in blobs, 2-d", blobs(_N_POINTS, 2).points, 0.30
    yield "uniform points, 2-d", generator.random((_N_POINTS, 2)), 0.30
    skewed = generator.normal(size=(_N_POINTS, 2)) * generator.lognormal(0, 2, (_N_POINTS, 1))
    yield "points of skewed density, 2-d", skewed, 0.30
    side = int(np.ceil(np.sqrt(_N_POINTS)))
    lattice = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2)
    yield "points of a lattice", lattice[:_N_POINTS].astype(np.float64), 0.40
    yield "uniform points, 5-d", generator.random((_N_POINTS, 5)), 0.15


def _all_trees(points: FloatArray) -> None:
    for tree in DensityTree.for_min_points(points, _EVERY).values():
        tree.heights  # noqa: B018 - trees are laid out when they are asked for


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin
