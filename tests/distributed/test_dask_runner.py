"""Tasks on a cluster: results, failures, standstill, and that nothing is left behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi.distributed import dask_runner
from disco_cvi.distributed.dask_runner import DaskRunner, find_client
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError, WorkersFailedError


def add(*numbers: Any) -> int:
    return int(sum(sum(number) if isinstance(number, list) else number for number in numbers))


def halves(numbers: list[int]) -> tuple[list[int], list[int]]:
    middle = len(numbers) // 2
    return numbers[:middle], numbers[middle:]


def refuse(argument: str) -> None:
    raise InvalidInputError(argument=argument, caller="density_tree", rule="be better", got="bad")


def sleep_after(_: object, seconds: float) -> None:
    time.sleep(seconds)


def kill_own_process(folder: str, times: int) -> int:
    """Die, but only so many times."""
    died = len(list(Path(folder).iterdir()))
    if died < times:
        Path(folder, str(died)).touch()
        os._exit(1)
    return died


def test_tasks_get_the_results_of_others(cluster: Any) -> None:
    with DaskRunner(cluster, "density_tree") as runner:
        assert runner.n_workers == 2
        runner.told("adding", 3)
        one, two = runner.submit(add, 1), runner.submit(add, 2)
        total = runner.submit(add, one, [one, two, 10], two)
        first, second = runner.spread(halves, 2, [1, 2, 3, 4])
        assert runner.gather([total, first, second]) == [16, [1, 2], [3, 4]]
        assert one.key.startswith("add-")
        runner.release([one, two])


def test_an_error_of_a_task_is_raised_with_its_fields(cluster: Any) -> None:
    with DaskRunner(cluster, "density_tree") as runner:
        waiting = runner.submit(sleep_after, None, 2)
        tasks = [runner.submit(refuse, "X"), runner.submit(sleep_after, waiting, 2)]
        with pytest.raises(InvalidInputError, match="X of density_tree must be better") as got:
            runner.gather(tasks)
    assert got.value.argument == "X"


def interrupted(client: Any) -> None:
    with DaskRunner(client, "density_tree") as runner:
        runner.gather([runner.submit(sleep_after, None, 2) for _ in range(9)])


def test_an_interrupt_cancels_all_tasks(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["distributed"], "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        interrupted(cluster)


def test_a_worker_may_die_under_a_task(cluster: Any, tmp_path: Path) -> None:
    with DaskRunner(cluster, "density_tree") as runner:
        assert runner.gather([runner.submit(kill_own_process, str(tmp_path), 1)]) == [1]


@pytest.fixture
def no_second_chance(cluster: Any) -> Iterator[None]:
    """One death of a worker is enough to give up a task, as the fourth is otherwise."""

    def set_failures(number: int, dask_scheduler: Any) -> int:
        before: int = dask_scheduler.allowed_failures
        dask_scheduler.allowed_failures = number
        return before

    before = cluster.run_on_scheduler(set_failures, 0)
    yield
    cluster.run_on_scheduler(set_failures, before)


def test_a_task_that_kills_its_workers_is_an_error_that_says_what_to_do(
    cluster: Any, no_second_chance: None, tmp_path: Path
) -> None:
    with DaskRunner(cluster, "density_tree") as runner:
        runner.told("spanning blocks", 1)
        runner.enough_blocks = 32
        with pytest.raises(WorkersFailedError) as got:
            runner.gather([runner.submit(kill_own_process, str(tmp_path), 99)])
    assert str(got.value) == (
        "n_blocks of density_tree is too small, as it seems: a worker ran out of memory or died "
        "four times, at the step 'spanning blocks'. Take 32 blocks, or larger workers."
    )


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([{"status": "running"}, {"status": "paused"}], "a worker whose memory is full stands"),
        ([], "all workers of the cluster are gone, at the step 'waiting'"),
    ],
)
def test_workers_that_stand_still_are_given_up(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, facts: list[Any], message: str
) -> None:
    with DaskRunner(cluster, "density_tree") as runner:
        runner.told("waiting", 1)
        monkeypatch.setattr(dask_runner, "PATIENCE", 0.3)
        monkeypatch.setattr(dask_runner, "worker_facts", lambda _: facts)
        with pytest.raises(WorkersFailedError, match=message):
            runner.gather([runner.submit(sleep_after, None, 2)])


def test_a_long_task_is_no_standstill(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_runner, "PATIENCE", 0.1)
    with DaskRunner(cluster, "density_tree") as runner:
        assert runner.gather([runner.submit(sleep_after, None, 0.8)]) == [None]


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("__version__", "9.9", r"must have disco-cvi 9\.9, as this process has; tcp.* has version"),
        ("_VERSION", "no_such_package:__version__", r"has none \(No module named 'no_such_package"),
    ],
)
def test_workers_must_have_the_package(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, setting: str, value: str, message: str
) -> None:
    monkeypatch.setattr(dask_runner, setting, value)
    with pytest.raises(WorkersFailedError, match=message):
        DaskRunner(cluster, "density_tree")


def test_a_worker_that_is_started_again_is_not_asked_for_its_version(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "run", lambda *_, **__: {"tcp://1": ConnectionResetError()})
    DaskRunner(cluster, "density_tree").close()


def test_a_cluster_without_workers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(dask_runner, "_START", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty,
        distributed.Client(empty, set_as_default=False) as client,
        pytest.raises(WorkersFailedError, match="The Dask cluster has no workers; start some"),
    ):
        DaskRunner(client, "density_tree")


def test_the_open_client_is_taken(client: Any) -> None:
    assert find_client(None, "density_tree") is client
    assert find_client(client, "density_tree") is client


def test_what_is_no_client_is_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidTypeError, match=r"client of explain must be a dask\.distributed\.C"):
        find_client("tcp://127.0.0.1:8786", "explain")

    def no_client() -> None:
        raise ValueError

    monkeypatch.setattr(sys.modules["distributed"], "default_client", no_client)
    with pytest.raises(InvalidInputError, match="client of explain must be given, or a Dask cl"):
        find_client(None, "explain")


def test_without_dask_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InvalidInputError, match=r'explain needs Dask: pip install "disco-cvi\['):
        find_client(None, "explain")


def test_progress_counts_the_tasks_of_a_step(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_runner, "_POLL", 0.01)
    with DaskRunner(cluster, "density_tree") as runner:
        runner.told("sleeping", 4)
        bar = runner._bar
        assert bar is not None
        runner.gather([runner.submit(sleep_after, None, 0.1 * np.sqrt(i)) for i in range(4)])
        assert 1 <= bar.done <= 4
