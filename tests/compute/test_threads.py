"""Ranges in threads: results in order, failures raised; the threads of matrix products."""

from __future__ import annotations

import threading
import time

import pytest

from disco_cvi._compute.progress import Progress
from disco_cvi._compute.threads import for_ranges, limit_blas
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
    assert threading.active_count() == 1 or not any(
        thread.name.startswith("Thread-") and "help_out" in thread.name
        for thread in threading.enumerate()
    )


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
