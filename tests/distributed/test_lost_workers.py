"""A worker is killed in each step: what it held is computed again, to the same bits."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree
from disco_cvi.distributed import density_tree
from disco_cvi.distributed.dask_runner import DaskRunner

STEPS = ["points", "blocks", "core distances", "trees of blocks", "round", "result"]


@pytest.mark.parametrize("step", STEPS)
def test_a_lost_worker_changes_no_bit(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    draw = np.random.default_rng(0)
    points = draw.standard_normal((600, 2)) + 4 * draw.integers(0, 3, (600, 1))
    for number, part in enumerate(np.array_split(points, 4)):
        np.save(tmp_path / f"{number}.npy", part)
    wait = DaskRunner._wait
    killed: list[int] = []

    def kill_and_wait(runner: DaskRunner, futures: list[Any]) -> None:
        """Kill one worker, once, when the tasks of the step have been submitted."""
        if runner._step.startswith(step) and not killed:
            killed.append(min(cluster.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)
        wait(runner, futures)

    monkeypatch.setattr(DaskRunner, "_wait", kill_and_wait)
    found = density_tree(tmp_path, n_blocks=4)
    assert len(killed) == 1
    one = DensityTree(points)
    assert np.array_equal(found.heights, one.heights)
    assert np.array_equal(found.core_distances, one.core_distances)
