"""What threads are for: the share of each phase that one thread does alone, and two threads' gain.

Whatever runs in threads runs through `for_ranges`. So with one thread, the time outside of it, and
inside where there is but one range, is what more threads cannot shorten.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from benchmarks.data import blobs
from benchmarks.measure import JOBS, Row, best_times
from disco_cvi import disco_score
from disco_cvi._compute import threads
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._spanning_tree.mutual_reachability import span_kd_tree

N_POINTS = 1_000_000
REPEATS = 3


class Share(NamedTuple):
    """Seconds of a phase with one thread: in all, and those that more threads cannot shorten."""

    whole: float
    serial: float


@contextmanager
def _clock_in_ranges() -> Iterator[list[float]]:
    """Add up the seconds that are spent in work that threads may share."""
    seconds = [0.0]
    original = threads.for_ranges

    def for_ranges(
        work: Callable[[int, int], object], n_points: int, size: int, *rest: Any, **named: Any
    ) -> list[object]:
        begin = time.process_time()
        found = original(work, n_points, size, *rest, **named)
        seconds[0] += (time.process_time() - begin) if n_points > size else 0.0
        return found

    users = [m for m in list(sys.modules.values()) if getattr(m, "for_ranges", None) is original]
    for module in users:
        module.__dict__["for_ranges"] = for_ranges
    try:
        yield seconds
    finally:
        for module in users:
            module.__dict__["for_ranges"] = original


def share(work: Callable[[], object]) -> Share:
    """Measure a phase, which must use one thread; the best of some runs."""
    found = []
    for _ in range(REPEATS):
        with _clock_in_ranges() as seconds:
            begin = time.process_time()
            work()
            whole = time.process_time() - begin
        found.append(Share(whole, whole - seconds[0]))
    return min(found)


def phases(dimension: int = 2) -> Iterator[tuple[str, Share]]:
    """Measure the phases of a score, one after the other."""
    points, labels = blobs(N_POINTS, dimension)
    yield "k-d tree", share(lambda: build_kd_tree(points.copy()))
    tree = build_kd_tree(points.copy())
    yield "core distances", share(lambda: neighbors_by_kd_tree(tree, 5, 1))
    neighbors = neighbors_by_kd_tree(tree, 5, 1)
    yield "spanning tree", share(lambda: span_kd_tree(tree, neighbors, 1))
    yield "disco_score", share(lambda: disco_score(points, labels, n_jobs=1))


def serial_shares() -> Iterator[Row]:
    """How much of each phase more threads cannot shorten."""
    for name, found in phases():
        row = f"{name}, n = {N_POINTS:,}, 2-d: what one thread does alone / all"
        yield Row(row, found.serial, found.whole, 0.1)


def two_threads() -> Iterator[Row]:
    """The whole score with two threads against one."""
    points, labels = blobs(N_POINTS, 2)
    ours, theirs = best_times(
        lambda: disco_score(points, labels, n_jobs=JOBS),
        lambda: disco_score(points, labels, n_jobs=1),
    )
    yield Row(f"disco_score, n = {N_POINTS:,}, 2-d: two threads / one", ours, theirs, 1 / 1.6)
