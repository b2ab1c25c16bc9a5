"""One cluster of two processes for all tests that need one."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from disco_cvi import disco_score
from disco_cvi._input.metric import check_metric
from disco_cvi.distributed.runner import ImmediateRunner
from disco_cvi.distributed.spanning_tree import span

# A worker that asks a dead one for data tries for half a minute otherwise.
QUICK = {"distributed.comm.timeouts.connect": "3s"}


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """A client of two workers of one thread each.

    Kernels are compiled here before, once: the workers find them on disk.
    """
    distributed = pytest.importorskip("distributed")
    import dask

    _compile()
    with (
        contextlib.suppress(KeyError),  # Dask's, when it closes after a worker was killed
        dask.config.set(QUICK),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="2GB",
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _compile() -> None:
    """Score and build in this process what the workers will."""
    points = np.random.default_rng(0).normal(size=(90, 2))
    disco_score(points, np.arange(90) % 3 - 1)
    runner = ImmediateRunner()
    parts = [runner.submit(np.asarray, part) for part in np.array_split(points, 2)]
    span(parts, 5, 2, runner, check_metric("euclidean", None, "test"), "test")


@pytest.fixture
def cluster(client: Any) -> Iterator[Any]:
    """The same client; whatever a test does, it must leave nothing on the cluster."""
    _have_two_workers(client)
    yield client
    gc.collect()  # the user's futures of a test before, which errors and their frames may hold
    # The scheduler hears of tasks in their order, a moment later: before it has heard of the last
    # one, there may be none yet.
    last = client.submit(pow, 1, 1, pure=False)
    _wait(lambda: any(last.key in task for task in tasks_on(client)))
    last.release()
    _wait(lambda: not tasks_on(client))
    assert tasks_on(client) == []


def _wait(until: Callable[[], bool]) -> None:
    """Wait until something is true, but not for longer than 10 seconds."""
    deadline = time.monotonic() + 10
    while not until() and time.monotonic() < deadline:
        time.sleep(0.05)


def _have_two_workers(client: Any) -> None:
    """Wait for the successors of killed workers; Dask does not always start them."""
    try:
        client.wait_for_workers(2, timeout=8)
    except TimeoutError:
        client.cluster.scale(0)
        client.cluster.scale(2)
        client.wait_for_workers(2, timeout=60)


def tasks_on(client: Any) -> list[str]:
    """The tasks that the scheduler still knows, with what they wait for: it may tell the cause."""

    def list_tasks(dask_scheduler: Any) -> list[str]:
        return [
            f"{task.key} is {task.state} on {task.processing_on}, wanted by {task.who_wants}"
            for task in dask_scheduler.tasks.values()
        ]

    found: list[str] = client.run_on_scheduler(list_tasks)
    return found
