"""Benchmarks of the density tree where a k-d tree is of little use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

from sklearn.metrics import pairwise_distances_argmin_min

from benchmarks.kinds import KINDS
from benchmarks.measure import JOBS, Row, peak_memory
from disco_cvi import DensityTree
from disco_cvi._compute.arrays import FloatArray
from disco_cvi._neighbors.safe_scale import scale_points, top_for_squares
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree

_FLOORS = (2.0, 3.0, 3.0, 4.0)
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
    for name, make in KINDS.items():
        points = make(6_000).points
        scaled, _ = scale_points(points, top_for_squares(points.shape[1]))
        chosen, *both = (min(_time_of(scaled, way) for _ in range(2)) for way in _WAYS)
        yield Row(f"search chosen / the better, 6,000 x {name}", chosen, min(both), 1.3, "CPU s")


def high_dimension_memory() -> Iterator[Row]:
    """Memory of a process that builds the tree of 20,000 images."""
    code = (
        "from benchmarks.kinds import digits; from disco_cvi import DensityTree; "
        "DensityTree(digits(20_000).points)"
    )
    yield Row("DensityTree, 20,000 x 784, peak memory", peak_memory(code), 1.0, 1.0, "GB")


def _time_of(points: FloatArray, way: str | None) -> float:
    return _cpu_time(lambda: minimum_spanning_tree(points.copy(), 5, JOBS, way))


def _cpu_time(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin
