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

# In a thread that helps: `is_over`, which is set when nobody waits for its result any more.
_HELPER = threading.local()


class _Over(BaseException):
    """What a thread that helps ends with when it need not go on."""


def stop_if_over() -> None:
    """End the work of this thread if the one that it helps was stopped, as by Ctrl-C.

    For work on a range that is many calls of kernels: stopped is what has not begun, and this.
    """
    is_over = getattr(_HELPER, "is_over", None)
    if is_over is not None and is_over.is_set():
        raise _Over


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

    def work_on(place: int) -> tuple[()]:
        begin = starts[place]
        found[place] = work(begin, min(begin + size, n_points))
        return ()

    own = progress(title or "", len(starts), shown=None if title else False)
    with own if bar is None else nullcontext(bar) as shown:
        for_tasks(
            work_on,
            range(len(starts)),
            min(n_jobs, len(starts)),
            lambda n_done: shown.step(step * n_done),
        )
    return found


def for_tasks(
    work: Callable[[Task], Iterable[Task]],
    tasks: Iterable[Task],
    n_jobs: int,
    tell: Callable[[int], object] | None = None,
) -> None:
    """Call ``work(task)`` for all tasks, and for those that it returns, until none is left.

    What a task needs must be done when it is named; the order is free otherwise. If a call fails,
    or at Ctrl-C, those that have begun are waited for, and no other begins. `tell` hears, in this
    thread, how many more tasks are done.
    """
    waiting = deque(tasks)
    changed, is_over = threading.Condition(), threading.Event()
    n_running = n_done = 0
    failures: list[BaseException] = []

    def work_on() -> Iterator[None]:
        """Take tasks while there are any, or one that runs may name more."""
        nonlocal n_running, n_done
        while True:
            with changed:
                while n_running and not waiting and not is_over.is_set():
                    changed.wait()
                if is_over.is_set() or not waiting:
                    return
                task, n_running = waiting.popleft(), n_running + 1
            more = work(task)
            with changed:
                n_running, n_done = n_running - 1, n_done + 1
                waiting.extend(more)
                changed.notify_all()
            yield

    def end() -> None:
        with changed:
            is_over.set()
            changed.notify_all()

    def help_out() -> None:
        _HELPER.is_over = is_over
        try:
            for _ in work_on():
                pass
        except BaseException as failure:  # noqa: BLE001 - raised again in the thread that waits
            failures.append(failure)
            end()

    threads = [threading.Thread(target=help_out) for _ in range(n_jobs - 1)]
    n_told = 0
    try:
        for thread in threads:
            try:
                thread.start()
            except RuntimeError:  # the system has no more: those that there are do the work
                break
        for _ in work_on():
            if tell is not None:
                n_now = n_done
                tell(n_now - n_told)
                n_told = n_now
        _wait_for(threads)
    except BaseException:  # also while this thread waits for the others
        end()
        _wait_for(threads)
        raise
    if failures:
        raise failures[0]


def _wait_for(threads: Iterable[threading.Thread]) -> None:
    for thread in threads:
        # Ctrl-C may come while one starts: it finds nothing to do.
        if thread.ident is not None:
            thread.join()


# Held by the one caller whose limit holds.
_limiting_blas = threading.Lock()


@functools.cache
def _blas() -> Any:
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
        # A lower number that the user has set stays.
        fewest = min([n_jobs, *(library.num_threads for library in _blas().lib_controllers)])
        with _blas().limit(limits=fewest):
            yield
    finally:
        _limiting_blas.release()
