"""One cell, in a process of its own: ``python cell.py PROGRAM DATA SECONDS GIGABYTES``.

Prints a line of JSON: seconds, memory above what the process had before, and the value. What is
imported, compiled or started comes before the clock, on a few of the points. The clock is the
system's alarm: a program that takes longer is ended by it, also within compiled code.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from programs import PROGRAMS  # type: ignore[import-not-found]  # it runs as a script

_FEW = 300
_MORE = 2_000
_ENOUGH_SECONDS = 1.0
_REPEATS = 3


def main(title: str, data: str, seconds: str, gigabytes: str) -> None:
    """Measure one program on one file of points and labels."""
    program = next(program for program in PROGRAMS if program.title == title)
    with np.load(data) as file:
        points, labels = file["points"], file["labels"]
    most = int(float(gigabytes) * 1e9)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    warnings.simplefilter("ignore")
    few = _few_of_each(labels)
    program.score(points[few], labels[few])
    if program.is_ours and len(points) > _MORE:
        # More points are searched in another way, with other kernels.
        program.score(points[:_MORE], labels[:_MORE])
    before = _memory("VmRSS")
    best, begun = np.inf, time.perf_counter()
    signal.alarm(int(float(seconds)) + 1)
    for _ in range(_REPEATS):
        start = time.perf_counter()
        value = program.score(points, labels)
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() - begun > _ENOUGH_SECONDS:
            break
    signal.alarm(0)
    memory = max(0.0, _memory("VmHWM") - before)
    print(json.dumps({"seconds": best, "memory": memory, "value": float(value)}))


def _few_of_each(labels: np.ndarray) -> np.ndarray:
    """Some rows of the first clusters, three or more of each: fewer are refused by some."""
    names = np.unique(labels)[:30]
    share = max(3, _FEW // len(names))
    return np.concatenate([np.flatnonzero(labels == name)[:share] for name in names])


def _memory(name: str) -> float:
    """Memory of this process in GB: VmRSS now, VmHWM at its peak."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024 / 1e9
    return 0.0


if __name__ == "__main__":
    main(*sys.argv[1:])
