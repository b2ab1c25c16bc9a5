"""Benchmarks of the density tree where a k-d tree is of little use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time, sleep

import numpy as np
from sklearn.metrics import pairwise_distances_argmin_min

from benchmarks.kinds import KINDS
from benchmarks.measure import JOBS, Row, peak_memory
from disco_cvi import DensityTree
from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.safe_scale import scale_points, top_for_squares
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree

_FLOORS = (2.0, 3.0, 3.0, 4.0)
# Points and dimensions between those where one way is sure to be better.
_SMALL = ((500, 5), (500, 20), (500, 30), (2_000, 10), (2_000, 20), (2_000, 30), (3_000, 200))
_WAYS: tuple[str | None, ...] = (None, "kd", "blocks")


def against_nearest_rows() -> Iterator[Row]:
    """The whole tree against one search of scikit-learn for the nearest row; by CPU time."""
    for (name, make), floor in zip(KINDS.items(), _FLOORS, strict=True):
        points = make(20_000).points
        DensityTree(points[:3_000], n_jobs=JOBS)
        ours = _cpu_time(lambda points=points: DensityTree(points, n_jobs=JOBS))  # type: ignore[misc]
        theirs = _cpu_time(lambda points=points: pairwise_distances_argmin_min(points, points))  # type: ignore[misc]
        yield Row(f"DensityTree, 20,000 x {name} / nearest rows", ours, theirs, floor, "CPU s")


def choice_of_search() -> Iterator[Row]:
    """The way of searching that is chosen against the better of the two; by CPU time."""
    cases = {f"6,000 x {name}": make(6_000).points for name, make in KINDS.items()}
    for n_points, dimension in _SMALL:
        cases[f"{n_points:,} x {dimension}, blobs"] = _blobs(n_points, dimension)
    for dimension in (8, 10, 15):
        normal = np.random.default_rng(1).normal(size=(10_000, dimension))
        cases[f"10,000 x {dimension}, normal"] = normal
    for name, points in cases.items():
        scaled, _ = scale_points(points, top_for_squares(points.shape[1]))
        # In turn: whatever else the machine does, it does to all.
        n_turns = 5 if len(points) > 5_000 else 15
        turns = [[_time_of(scaled, way) for way in _WAYS] for _ in range(n_turns)]
        chosen, *both = (min(times) for times in zip(*turns, strict=True))
        yield Row(f"search chosen / the better, {name}", chosen, min(both), 1.3, "CPU s")


def _blobs(n_points: int, dimension: int) -> FloatArray:
    """Twenty clusters, wider apart the more dimensions there are."""
    random = np.random.default_rng(1)
    centers = random.uniform(-10, 10, (20, dimension))
    return centers[random.integers(0, 20, n_points)] + random.normal(size=(n_points, dimension))


def high_dimension_memory() -> Iterator[Row]:
    """Memory of a process that builds the tree of 20,000 images."""
    code = (
        "from benchmarks.kinds import digits; from disco_cvi import DensityTree; "
        "DensityTree(digits(20_000).points)"
    )
    yield Row("DensityTree, 20,000 x 784, peak memory", peak_memory(code), 1.0, 1.0, "GB")


def _time_of(points: FloatArray, way: str | None) -> float:
    sleep(0.1)  # threads of BLAS compute on for a while, waiting for the next product
    return _cpu_time(lambda: minimum_spanning_tree(points.copy(), 5, JOBS, way))


def _cpu_time(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin
