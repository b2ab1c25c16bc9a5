"""What threads are for: the share of each phase that one thread does alone, and two threads' gain.

Whatever runs in threads runs through `for_ranges` or `for_tasks`. So with one thread, the time
outside of them, and inside where there is but one range, or but one task yet, is what more threads
cannot shorten.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks.data import Data, blobs
from benchmarks.measure import JOBS, Row, best_times
from disco_cvi import DensityTree, disco_score
from disco_cvi._compute import threads
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree, span_kd_tree
from disco_cvi.density_tree.build import lay_out

N_POINTS = 1_000_000
REPEATS = 3
# What is promised of the whole; a phase that is short may have a larger share.
WHOLE_FLOOR, PHASE_FLOOR = 0.1, 0.5
ALONE = "what one thread does alone / all"


class Share(NamedTuple):
    """Seconds of a phase with one thread: in all, and those that more threads cannot shorten."""

    whole: float
    serial: float


class _Clock:
    """Adds up the seconds that are spent in work that threads may share."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def for_ranges(
        self, work: Callable[[int, int], object], n_points: int, size: int, *rest: Any, **named: Any
    ) -> list[object]:
        begin = time.process_time()
        found = _for_ranges(work, n_points, size, *rest, **named)
        self.seconds += (time.process_time() - begin) if n_points > size else 0.0
        return found

    def for_tasks(
        self, work: Callable[[Any], Iterable[Any]], tasks: Iterable[Any], n_jobs: int
    ) -> None:
        """Tasks come to be when others are done: the first ones are done one after the other."""
        waiting = list(tasks)
        while len(waiting) == 1:
            waiting = list(work(waiting.pop()))
        begin = time.process_time()
        _for_tasks(work, waiting, n_jobs)
        self.seconds += time.process_time() - begin


_for_ranges, _for_tasks = threads.for_ranges, threads.for_tasks


@contextmanager
def _clock() -> Iterator[_Clock]:
    """Put the clock in the place of the functions wherever they are used."""
    clock = _Clock()
    originals = {"for_ranges": _for_ranges, "for_tasks": _for_tasks}
    uses = [
        (module.__dict__, name)
        for module in list(sys.modules.values())
        for name, original in originals.items()
        if module is not sys.modules[__name__] and getattr(module, name, None) is original
    ]
    for names, name in uses:
        names[name] = getattr(clock, name)
    try:
        yield clock
    finally:
        for names, name in uses:
            names[name] = originals[name]


def share(work: Callable[[], object]) -> Share:
    """Measure a phase, which must use one thread; the best of some runs."""
    found = []
    for _ in range(REPEATS):
        with _clock() as clock:
            begin = time.process_time()
            work()
            whole = time.process_time() - begin
        found.append(Share(whole, whole - clock.seconds))
    return min(found)


def uniform(n_points: int) -> Data:
    """Points uniform in a square, labeled by the cells of a grid of 5 x 4."""
    points = np.random.default_rng(0).random((n_points, 2))
    cells = (points * (5, 4)).astype(np.int64)
    return Data(points, 4 * cells[:, 0] + cells[:, 1])


def phases(data: Data) -> Iterator[tuple[str, Share]]:
    """Measure the phases of a score, one after the other, and the whole."""
    points, labels = data
    tree = build_kd_tree(points.copy())
    yield "k-d tree", share(lambda: build_kd_tree(points.copy()))
    neighbors = neighbors_by_kd_tree(tree, 5, 1)
    yield "core distances", share(lambda: neighbors_by_kd_tree(tree, 5, 1))
    yield "spanning tree", share(lambda: span_kd_tree(tree, neighbors, 1))
    spanning = minimum_spanning_tree(points.copy(), 5, 1)
    yield "layout", share(lambda: lay_out(spanning, 1))
    density_tree = DensityTree(points)
    yield "scoring", share(lambda: disco_score(density_tree, labels, n_jobs=1))
    yield "disco_score", share(lambda: disco_score(points, labels, n_jobs=1))


def serial_shares() -> Iterator[Row]:
    """How much of each phase more threads cannot shorten."""
    for kind, data in (("blobs", blobs(N_POINTS, 2)), ("uniform", uniform(N_POINTS))):
        for name, found in phases(data):
            floor = WHOLE_FLOOR if name == "disco_score" else PHASE_FLOOR
            row = f"{name}, n = {N_POINTS:,}, {kind}: {ALONE}"
            yield Row(row, found.serial, found.whole, floor)


def two_threads() -> Iterator[Row]:
    """The whole score with two threads against one."""
    for kind, (points, labels) in (("blobs", blobs(N_POINTS, 2)), ("uniform", uniform(N_POINTS))):
        ours, theirs = best_times(
            partial(disco_score, points, labels, n_jobs=JOBS),
            partial(disco_score, points, labels, n_jobs=1),
        )
        row = f"disco_score, n = {N_POINTS:,}, {kind}: two threads / one"
        yield Row(row, ours, theirs, 1 / 1.6)
