"""How the benchmarks measure: best of several runs, new processes, peak memory."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

JOBS = 2
HEADER = ("what", "measured", "against", "ratio", "floor")


class Row(NamedTuple):
    """One line of the table: what was measured, against what, and the floor for the ratio.

    Where nothing is promised the floor is infinite.
    """

    name: str
    ours: float
    theirs: float
    floor: float
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """Ours over theirs; at most the floor."""
        return self.ours / self.theirs

    def shown(self) -> tuple[str, ...]:
        """The cells of the table, as HEADER names them."""
        missed = "" if self.ratio <= self.floor else " (missed)"
        return (
            self.name,
            f"{self.ours:.3g} {self.unit}",
            f"{self.theirs:.3g} {self.unit}",
            f"{self.ratio:.3g}{missed}",
            f"{self.floor:g}" if math.isfinite(self.floor) else "nothing",
        )


def best_cpu_times(*functions: Callable[[], object], repeats: int = 3) -> list[float]:
    """Best time of the processors for each function, whatever else they do."""
    return best_times(*functions, repeats=repeats, clock=time.process_time)


def best_times(
    *functions: Callable[[], object],
    repeats: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Best wall-clock time of each function; they take turns, so that all meet the same noise.

    Short work is repeated more often: its noise is larger.
    """
    best = [float("inf")] * len(functions)
    turns = 0
    while turns < repeats or (turns < 4 * repeats and sum(best) < 0.5):
        turns += 1
        for place, function in enumerate(functions):
            begin = clock()
            function()
            best[place] = min(best[place], clock() - begin)
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
