"""CPU seconds that each kernel takes to compile: ``python -m benchmarks.compile_times [compare]``.

A fresh folder for compiled kernels stands for a fresh installation. What a kernel's callees take is
not counted with it. CPU seconds, because compiling uses one thread and the wall clock counts what
else the machine does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from typing import Any

from numba.core import event

# What is called first, on 300 points or, to search them in a k-d tree, on more.
FIRST_CALLS = {
    "score": "disco_cvi.disco_score(points, labels)",
    "compare": "disco_cvi.compare(points, {'one': labels})",
    "tune": "from disco_cvi.selection import suggest; suggest(points)",
    "larger score": "points, labels = blobs(10_000, 2); disco_cvi.disco_score(points, labels)",
}
_PREPARE = (
    "import time; from benchmarks.data import blobs; import disco_cvi; "
    "points, labels = blobs(300, 2)"
)


def first_call(name: str) -> float:
    """CPU seconds of a first call in a new process and a fresh folder; imports count."""
    code = f"{_PREPARE}; {FIRST_CALLS[name]}; print(time.process_time())"
    return float(_run_fresh(["-c", code]).split()[-1])


def _run_fresh(arguments: list[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, *arguments],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ, NUMBA_CACHE_DIR=folder),
        ).stdout


class _Times(event.Listener):
    """Seconds by kernel; when those began that are being compiled, and what callees took."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.open: list[list[float]] = []

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - numba says what happens
        self.open.append([time.process_time(), 0.0])

    def on_end(self, event: Any) -> None:
        begin, inner = self.open.pop()
        taken = time.process_time() - begin
        function = event.data["dispatcher"].py_func
        self.seconds[f"{function.__module__}.{function.__name__}"] += taken - inner
        if self.open:
            self.open[-1][1] += taken


def _time_kernels(name: str) -> None:
    """Make a first call in this process and print what each kernel took."""
    times = _Times()
    event.register("numba:compile", times)  # type: ignore[no-untyped-call]
    exec(f"{_PREPARE}; {FIRST_CALLS[name]}", {})
    for seconds, kernel in sorted(((s, k) for k, s in times.seconds.items()), reverse=True):
        print(f"{seconds:7.2f} {kernel}")
    print(f"{sum(times.seconds.values()):7.2f} in all, {len(times.seconds)} kernels")


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else "score"
    if "--here" in sys.argv:
        _time_kernels(chosen)
    else:
        print(_run_fresh(["-m", "benchmarks.compile_times", chosen, "--here"]), end="")
