"""Ranges in threads: results in order, failures raised, nothing begun after one."""

from __future__ import annotations

import threading
import time

import pytest

from disco_cvi._compute.threads import for_ranges


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
