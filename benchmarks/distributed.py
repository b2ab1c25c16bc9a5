"""Benchmarks of trees of points in parts: counts and CPU time of all tasks, run in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.data import blobs
from benchmarks.measure import Row
from disco_cvi import DensityTree
from disco_cvi._input.metric import Metric
from disco_cvi.density_tree.build import tree_from_edges
from disco_cvi.distributed.runner import ImmediateRunner
from disco_cvi.distributed.spanning_tree import span

_EUCLIDEAN = Metric("euclidean", {})


def distributed() -> Iterator[Row]:
    """A million points in the plane, cut into 16, 64 and 256 blocks."""
    _build(blobs(4_000, 2)[0], 4)
    points, _ = blobs(1_000_000, 2)
    alone = min(_cpu_seconds(lambda: DensityTree(points)) for _ in range(2))
    for n_blocks in (16, 64, 256):
        runner = ImmediateRunner()
        seconds = _cpu_seconds(lambda r=runner, b=n_blocks: _build(points, b, r))  # type: ignore[misc]
        rounds = [step for step in runner.steps if step.startswith("round")]
        tasks = sum(runner.tasks.values())
        asked = max(
            sum(message[:2] == (step, "answer_edges") for message in runner.messages)
            for step in rounds
        )
        name = f"n = 1,000,000 in {n_blocks} blocks"
        yield Row(f"{name}: tasks per block", tasks, n_blocks, 40, "")
        yield Row(f"{name}: messages of a round per block", asked, n_blocks, 8, "")
        if n_blocks == 16:
            left = int(rounds[0].split()[2].replace(",", ""))
            yield Row(f"{name}: edges that are not certified", left, len(points), 0.005, "")
            yield Row(f"{name}: bytes moved per point", _moved(runner), len(points), 60, "")
            yield Row(f"{name}: CPU time of all tasks / DensityTree", seconds, alone, 1.4)


def _build(points: Any, n_blocks: int, runner: ImmediateRunner | None = None) -> None:
    runner = ImmediateRunner() if runner is None else runner
    parts = [runner.submit(np.asarray, part) for part in np.array_split(points, n_blocks)]
    runner.tasks.clear()
    runner.messages.clear()
    spanning, exponent = span(parts, 5, n_blocks, runner, _EUCLIDEAN, "benchmark")
    tree_from_edges(spanning, exponent, 5, _EUCLIDEAN)


def _moved(runner: ImmediateRunner) -> int:
    """Bytes that moved beside the points on their way to their blocks, and the result."""
    left_out = {("blocks", "settle"), ("result", "gather")}
    return sum(size for step, name, size in runner.messages if (step, name) not in left_out)


def _cpu_seconds(function: Callable[[], object]) -> float:
    begin = time.process_time()
    function()
    return time.process_time() - begin
