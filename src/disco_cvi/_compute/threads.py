"""Run a kernel over ranges of points, in threads, so that Ctrl-C is answered between two ranges."""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from disco_cvi._compute.progress import Progress, progress

Result = TypeVar("Result")
Task = TypeVar("Task")


def for_ranges(
    work: Callable[[int, int], Result],
    n_points: int,
    size: int,
    n_jobs: int,
    title: str | None = None,
    bar: Progress | None = None,
    step: float = 1.0,
) -> list[Result]:
    """Call ``work(begin, stop)`` over consecutive ranges of at most `size` points.

    The ranges do not depend on `n_jobs`, and each call writes to its own slots, so that the result
    does not depend on it either. Returns what the calls return, in the order of the ranges. With a
    `title`, long work shows a progress bar; work that is a part of more goes on with the `bar` of
    the whole, by a `step` for each range.
    """
    if 0 < n_points <= size:
        only = work(0, n_points)
        if bar is not None:
            bar.step(step)
        return [only]
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

    own = progress(title or "", len(starts), shown=None if title else False)
    n_helpers = min(n_jobs, len(starts)) - 1
    n_done = 0
    with own if bar is None else nullcontext(bar) as shown, _helpers(work_on, waiting, n_helpers):
        for n_left in work_on():
            shown.step(step * (len(starts) - n_left - n_done))
            n_done = len(starts) - n_left
    return found


@contextmanager
def _helpers(
    work_on: Callable[[], Iterator[int]], waiting: deque[Any], n_helpers: int
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

    threads = []
    for thread in [threading.Thread(target=help_out) for _ in range(n_helpers)]:
        try:
            thread.start()
        except RuntimeError:  # the system has no more: those that there are do the work
            break
        threads.append(thread)
    try:
        yield
    finally:
        waiting.clear()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def for_tasks(work: Callable[[Task], Iterable[Task]], tasks: Iterable[Task], n_jobs: int) -> None:
    """Call ``work(task)`` for all tasks, and for those that it returns, until none is left.

    What a task needs must be done when it is named; the order is free otherwise. If a call fails,
    or at Ctrl-C, those that have begun are waited for, and no other begins.
    """
    waiting = deque(tasks)
    changed = threading.Condition()
    n_running, is_over = 0, False

    def work_on() -> Iterator[int]:
        """Take tasks while there are any, or one that runs may name more."""
        nonlocal n_running, is_over
        while True:
            with changed:
                while n_running and not waiting and not is_over:
                    changed.wait()
                if is_over or not waiting:
                    return
                task, n_running = waiting.popleft(), n_running + 1
            found: Iterable[Task] | None = None
            try:
                found = work(task)
            finally:
                with changed:
                    n_running -= 1
                    if found is None:
                        is_over = True
                    waiting.extend(found or ())
                    changed.notify_all()
            yield len(waiting)

    with _helpers(work_on, waiting, n_jobs - 1):
        try:
            for _ in work_on():
                pass
        finally:
            with changed:
                is_over = True
                changed.notify_all()


# Held by the one caller whose limit holds.
_limiting_blas = threading.Lock()


@functools.cache
def _blas_libraries() -> Any:
    from threadpoolctl import ThreadpoolController  # it takes milliseconds

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def limit_blas(n_jobs: int) -> Iterator[None]:
    """Let matrix products use at most so many threads while the block runs.

    The number belongs to the whole process. So of callers at one time, or one inside the other, the
    first one sets it and puts it back, and no other leaves a wrong one behind.
    """
    if not _limiting_blas.acquire(blocking=False):
        yield
        return
    try:
        libraries = _blas_libraries()
        # A lower number that the user has set stays.
        used = [library.get_num_threads() for library in libraries.lib_controllers]
        with libraries.limit(limits=min([n_jobs, *used])):
            yield
    finally:
        _limiting_blas.release()
