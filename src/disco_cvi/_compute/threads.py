"""Run a kernel over ranges of points, in threads, so that Ctrl-C is answered between two ranges."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from disco_cvi._compute.progress import progress

Result = TypeVar("Result")

_MANY_POINTS = 200_000


def for_ranges(
    work: Callable[[int, int], Result],
    n_points: int,
    size: int,
    n_jobs: int,
    title: str | None = None,
) -> list[Result]:
    """Call ``work(begin, stop)`` over consecutive ranges of at most `size` points.

    The ranges do not depend on `n_jobs`, and each call writes to its own slots, so that the result
    does not depend on it either. Returns what the calls return, in the order of the ranges. With a
    `title`, long work shows a progress bar.
    """
    starts = range(0, n_points, size)
    found: list[Any] = [None] * len(starts)
    waiting = deque(enumerate(starts))

    def work_on() -> Iterator[int]:
        """Take ranges while there are any; yield how many are left."""
        while waiting:
            try:
                place, begin = waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            found[place] = work(begin, min(begin + size, n_points))
            yield len(waiting)

    shown = None if title else False
    n_helpers = min(n_jobs, len(starts)) - 1
    with (
        progress(title or "", len(starts), shown=shown) as bar,
        _helpers(work_on, waiting, n_helpers),
    ):
        for n_left in work_on():
            bar.step(len(starts) - n_left - bar.done)
    return found


@contextmanager
def _helpers(
    work_on: Callable[[], Iterator[int]], waiting: deque[tuple[int, int]], n_helpers: int
) -> Iterator[None]:
    """Let other threads work beside this one; if any fails, what has not begun is dropped."""
    failures: list[BaseException] = []

    def help_out() -> None:
        try:
            for _ in work_on():
                pass
        except BaseException as failure:  # noqa: BLE001 - raised again in the thread that waits
            failures.append(failure)
            waiting.clear()

    threads = [threading.Thread(target=help_out) for _ in range(n_helpers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        waiting.clear()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


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
