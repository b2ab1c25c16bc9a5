"""Benchmarks of trees on a Dask cluster of this machine: wall time, memory, and a lost worker."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import blobs
from benchmarks.measure import Row, best_times
from disco_cvi import DensityTree
from disco_cvi.distributed import density_tree

_N_POINTS = 4_000_000
_N_FILES = 16
# A worker that asks a dead one for data tries for half a minute otherwise.
_QUICK = {"distributed.comm.timeouts.connect": "3s"}


class _Run(NamedTuple):
    """Seconds, and the most bytes that a worker took while it worked."""

    seconds: float
    worker_bytes: int


def dask_cluster() -> Iterator[Row]:
    """Points in NPY files, by one worker, by two, and by two of which one is killed halfway."""
    with TemporaryDirectory() as name:
        few, many = Path(name, "few"), Path(name, "many")
        _write(few, 20_000)
        points = _write(many, _N_POINTS)
        (alone,) = best_times(lambda: DensityTree(points), repeats=2)
        one, two = _run(few, many, 1), _run(few, many, 2)
        lost = _run(few, many, 2, kill_after=two.seconds / 2)
    name = f"n = {_N_POINTS:,} in {_N_FILES} files"
    yield Row(f"{name}: one worker / DensityTree in one thread", one.seconds, alone, 1.6)
    yield Row(f"{name}: two workers / one", two.seconds, one.seconds, 0.8)
    yield Row(f"{name}: two workers, one killed halfway / two", lost.seconds, two.seconds, 3)
    title = f"{name}: bytes of one of two workers / its points"
    yield Row(title, two.worker_bytes, _N_POINTS / 2, 250, "")


def _write(folder: Path, n_points: int) -> NDArray[np.float64]:
    folder.mkdir()
    points, _ = blobs(n_points, 2)
    for number, part in enumerate(np.array_split(points, _N_FILES)):
        np.save(folder / f"{number}.npy", part)
    return points


def _run(few: Path, many: Path, n_workers: int, kill_after: float | None = None) -> _Run:
    """Build the tree on a new cluster that has loaded all kernels."""
    settings, dask = import_module("dask").config.set, import_module("dask.distributed")
    with (
        settings(_QUICK),
        dask.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        dask.Client(cluster) as client,
    ):
        density_tree(few, n_blocks=2 * n_workers)
        processes = list(client.run(os.getpid).values())
        before = min(map(_peak_bytes, processes))
        if kill_after is not None:
            threading.Timer(kill_after, os.kill, (processes[0], signal.SIGKILL)).start()
        begin = time.perf_counter()
        density_tree(many)
        seconds = time.perf_counter() - begin
        after = max(map(_peak_bytes, client.run(os.getpid).values()))
    return _Run(seconds, after - before)


def _peak_bytes(process: int) -> int:
    """The most resident memory that a process has had."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024
