"""Run a kernel over ranges of points, in threads, so that Ctrl-C is answered between two ranges."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from disco_cvi._compute.progress import progress

_MANY_POINTS = 200_000


def for_ranges(
    work: Callable[[int, int], object],
    n_points: int,
    size: int,
    n_jobs: int,
    title: str | None = None,
) -> list[object]:
    """Call ``work(begin, stop)`` over consecutive ranges of at most `size` points.

    The ranges do not depend on `n_jobs`, and each call writes to its own slots, so that the result
    does not depend on it either. Returns what the calls return, in the order of the ranges. With a
    `title`, long work shows a progress bar.
    """
    ranges = [(begin, min(begin + size, n_points)) for begin in range(0, n_points, size)]
    done = []
    with progress(title or "", len(ranges), shown=None if title else False) as bar:
        for result in _in_turn(work, ranges, n_jobs):
            done.append(result)
            bar.step()
    return done


def answer_interrupts(work: Callable[[], object], n_points: int) -> None:
    """Run a kernel that may take seconds, so that Ctrl-C is answered all the same.

    It runs in a thread of its own while this one waits. After an interrupt it runs on, unheard, to
    its end. Few points do not need the thread.
    """
    if n_points < _MANY_POINTS:
        work()
        return
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as failure:  # noqa: BLE001 - raised again in the thread that waits
            failures.append(failure)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
    if failures:
        raise failures[0]


def _in_turn(
    work: Callable[[int, int], object], ranges: list[tuple[int, int]], n_jobs: int
) -> Iterator[object]:
    if n_jobs == 1 or len(ranges) == 1:
        yield from (work(begin, stop) for begin, stop in ranges)
        return
    executor = ThreadPoolExecutor(n_jobs)
    try:
        yield from executor.map(lambda bounds: work(*bounds), ranges)
    finally:
        # After an interrupt, ranges that have not begun are dropped.
        executor.shutdown(wait=True, cancel_futures=True)
