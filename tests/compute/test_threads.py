"""Ranges in threads: results in order, failures raised; the threads of matrix products."""

from __future__ import annotations

import threading
import time
from typing import NoReturn

import numpy as np
import pytest

from disco_cvi import compare, disco_samples
from disco_cvi._compute.progress import Progress
from disco_cvi._compute.threads import for_ranges, for_tasks, limit_blas
from disco_cvi.selection import suggest
from helpers.blas import blas_threads


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 8])
def test_results_come_in_the_order_of_the_ranges(n_jobs: int) -> None:
    def work(begin: int, stop: int) -> tuple[int, int]:
        time.sleep(0.001 * (begin % 3))
        return begin, stop

    expected = [(0, 4), (4, 8), (8, 10)]
    assert for_ranges(work, 10, 4, n_jobs) == expected
    assert for_ranges(work, 0, 4, n_jobs) == []


def test_other_threads_work_beside_this_one() -> None:
    meeting = threading.Barrier(3, timeout=10)

    def work(begin: int, stop: int) -> int:
        meeting.wait()
        return threading.get_ident()

    assert len(set(for_ranges(work, 3, 1, 3))) == 3


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_work_that_is_a_part_goes_on_with_the_bar_of_the_whole(n_jobs: int) -> None:
    bar = Progress("whole", 20, shown=False)
    for _ in range(2):
        for_ranges(lambda *_: None, 10, 4, n_jobs, bar=bar, step=2.0)
    assert bar.done <= 12.0
    if n_jobs == 1:
        assert bar.done == 12.0


@pytest.mark.parametrize("is_main", [True, False])
def test_a_failure_is_raised_and_what_has_not_begun_is_dropped(is_main: bool) -> None:
    begun: list[int] = []
    failed = threading.Event()

    def work(begin: int, stop: int) -> None:
        begun.append(begin)
        if (threading.current_thread() is threading.main_thread()) is is_main:
            failed.set()
            raise ValueError("no")
        failed.wait(10)
        time.sleep(0.05)

    with pytest.raises(ValueError, match="no"):
        for_ranges(work, 100, 1, 2)
    assert len(begun) <= 3
    assert not any("help_out" in thread.name for thread in threading.enumerate())


def test_ctrl_c_while_a_thread_starts_ends_all_work(monkeypatch: pytest.MonkeyPatch) -> None:
    start, before, begun = threading.Thread.start, threading.active_count(), list[int]()

    def start_and_stop(thread: threading.Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    def work(task: int) -> list[int]:
        begun.append(task)
        time.sleep(0.05)
        return [task + 1] if task < 100 else []

    monkeypatch.setattr(threading.Thread, "start", start_and_stop)
    with pytest.raises(KeyboardInterrupt):
        for_tasks(work, [0], 2)
    assert threading.active_count() == before
    assert len(begun) <= 2


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 8])
def test_tasks_that_name_others_are_all_done_once(n_jobs: int) -> None:
    done: list[tuple[int, int]] = []

    def halve(task: tuple[int, int]) -> list[tuple[int, int]]:
        begin, stop = task
        time.sleep(0.0001 * (begin % 3))
        done.append(task)
        middle = (begin + stop) // 2
        return [(begin, middle), (middle, stop)] if stop - begin > 1 else []

    for_tasks(halve, [(0, 64)], n_jobs)
    assert len(done) == len(set(done)) == 127
    for_tasks(halve, [], n_jobs)
    assert len(done) == 127


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_after_a_task_that_fails_none_begins(n_jobs: int, error: BaseException) -> None:
    begun: list[int] = []

    def work(task: int) -> list[int]:
        begun.append(task)
        if task == 3:
            raise error
        time.sleep(0.01)
        return [task + 1, task + 1]

    with pytest.raises(type(error)):
        for_tasks(work, [0], n_jobs)
    assert len(begun) < 20
    assert not any("help_out" in thread.name for thread in threading.enumerate())


@pytest.mark.small
@pytest.mark.parametrize("n_jobs", [2, -1, 2**63])
def test_where_no_thread_can_be_started_the_calling_one_works(
    n_jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = np.random.default_rng(0).random((60, 2))
    labels = np.arange(60) // 20
    names = ["disco", "dbcv", "lccv", "cvnn", "dcsi", "viasckde"]
    expected = disco_samples(points, labels).tolist()

    def refuse(thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert disco_samples(points, labels, n_jobs=n_jobs).tolist() == expected
    assert compare(points, {"a": labels}, names, n_jobs=n_jobs).best
    assert suggest(points, n_jobs=n_jobs).eps_range


@pytest.mark.skipif(blas_threads() < 2, reason="matrix products have one thread here")
def test_products_use_at_most_so_many_threads_and_then_as_many_as_before() -> None:
    before = blas_threads()
    with limit_blas(before + 1):
        assert blas_threads() == before
    with limit_blas(1), limit_blas(2):
        assert blas_threads() == 1
    with pytest.raises(ValueError, match="no"), limit_blas(1):
        raise ValueError("no")
    assert blas_threads() == before


@pytest.mark.skipif(blas_threads() < 2, reason="matrix products have one thread here")
def test_a_caller_that_stays_longer_than_the_first_leaves_no_limit_behind() -> None:
    before = blas_threads()
    has_entered, may_leave = threading.Event(), threading.Event()

    def stay() -> None:
        with limit_blas(1):
            has_entered.set()
            may_leave.wait(10)

    other = threading.Thread(target=stay)
    with limit_blas(1):
        other.start()
        has_entered.wait(10)
        assert blas_threads() == 1
    may_leave.set()
    other.join()
    assert blas_threads() == before
