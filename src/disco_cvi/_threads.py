"""Run a kernel over ranges of points, in threads, so that Ctrl-C is answered between two ranges."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def for_ranges(
    work: Callable[[int, int], object], n_points: int, size: int, n_jobs: int
) -> list[object]:
    """Call ``work(begin, stop)`` over consecutive ranges of at most `size` points.

    The ranges do not depend on `n_jobs`, and each call writes to its own slots, so that the result
    does not depend on it either. Returns what the calls return, in the order of the ranges.
    """
    ranges = [(begin, min(begin + size, n_points)) for begin in range(0, n_points, size)]
    if n_jobs == 1 or len(ranges) == 1:
        return [work(begin, stop) for begin, stop in ranges]
    executor = ThreadPoolExecutor(n_jobs)
    try:
        return list(executor.map(lambda bounds: work(*bounds), ranges))
    finally:
        # After an interrupt, ranges that have not begun are dropped.
        executor.shutdown(wait=True, cancel_futures=True)
