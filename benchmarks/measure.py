"""How the benchmarks measure: best of several runs, new processes, peak memory."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

JOBS = 2


class Row(NamedTuple):
    """One line of the table: what was measured, against what, and the floor for the ratio."""

    name: str
    ours: float
    theirs: float
    floor: float
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """Ours over theirs; at most the floor."""
        return self.ours / self.theirs


def blobs(
    n_points: int, dimension: int, n_blobs: int = 20, deviation: float = 1.0, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Gaussian blobs with centers uniform in [-10, 10]^d, rows in random order."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, n_blobs, n_points)
    centers = generator.uniform(-10, 10, (n_blobs, dimension))
    return centers[labels] + deviation * generator.normal(size=(n_points, dimension)), labels


def best_times(*functions: Callable[[], object], repeats: int = 3) -> list[float]:
    """Best wall-clock time of each function; they take turns, so that all meet the same noise.

    Short work is repeated more often: its noise is larger.
    """
    best = [float("inf")] * len(functions)
    turns = 0
    while turns < repeats or (turns < 4 * repeats and sum(best) < 0.5):
        turns += 1
        for place, function in enumerate(functions):
            begin = time.perf_counter()
            function()
            best[place] = min(best[place], time.perf_counter() - begin)
    return best


def best_commands(*commands: list[str], repeats: int = 5) -> list[float]:
    """Best time of each command in new processes."""
    return best_times(
        *(lambda command=command: _run(command) for command in commands),
        repeats=repeats,
    )


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def peak_memory(code: str) -> float:
    """Peak resident memory in GB of a new Python process that runs the code.

    The kernel's own record: what `resource` reports of a new process includes its parent's peak.
    """
    report = "print(next(line for line in open('/proc/self/status') if 'VmHWM' in line))"
    output = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], check=True, capture_output=True, text=True
    ).stdout
    return int(output.split()[-2]) * 1024 / 1e9
