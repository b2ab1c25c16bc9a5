"""Benchmarks of new processes: importing, and the command on a small file."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.compile_times import first_call
from benchmarks.data import blobs
from benchmarks.measure import Row, best_commands, best_times


def start_up() -> Iterator[Row]:
    """New processes: importing, and the command on a small file."""
    python = sys.executable
    ours, theirs = best_commands([python, "-c", "import disco_cvi"], [python, "-c", "import numpy"])
    yield Row("import disco_cvi - import numpy / 0.3 s", max(ours - theirs, 0.0), 0.3, 1)
    shown = [python, "-m", "disco_cvi", "--help"]
    ours, theirs = best_commands(shown, [python, "-c", "import typer"])
    yield Row("disco --help / import typer", ours, theirs, 2)
    with tempfile.TemporaryDirectory() as folder:
        points, labels = blobs(300, 2)
        table = Path(folder) / "points.csv"
        rows = np.column_stack([points, labels])
        np.savetxt(table, rows, delimiter=",", header="x,y,label", comments="")
        command = [python, "-m", "disco_cvi", "score", str(table), "--label-column", "label"]
        ours, theirs = best_commands(command, [python, "-c", "import numba, scipy.spatial"])
        yield Row("disco score, 300-point file / import numba, scipy", ours, theirs, 2.5)
        # An empty cache folder stands for a fresh installation.
        fresh = dict(os.environ, NUMBA_CACHE_DIR=str(Path(folder) / "cache"))
        (ours,) = best_times(
            lambda: subprocess.run(command, check=True, capture_output=True, env=fresh), repeats=1
        )
        yield Row("first ever disco score / 20 s", ours, 20, 1)
        np.savetxt(table, blobs(1_000_000, 3)[0], delimiter=",", header="x,y,z", comments="")
        code = (
            "import time; from disco_cvi.cli.data import Source, read_points; "
            f"read_points(Source({str(table)!r})); print(time.process_time())"
        )
        reads = [subprocess.check_output([python, "-c", code], text=True) for _ in range(3)]
        row = "read a CSV of 1,000,000 x 3, CPU, imports counted / 1.8 s"
        yield Row(row, min(map(float, reads)), 1.8, 1)
    # Half of what compiling took before; CPU seconds of one quiet machine. More than a few hundred
    # points are searched in a k-d tree, and its kernels are compiled as well.
    first_calls = {"score": 6.4, "larger score": 6.4, "compare": 20.0, "tune": 18.0}
    for name, allowed in first_calls.items():
        row = f"first ever {name}, CPU, kernels compiled / {allowed:g} s"
        yield Row(row, first_call(name), allowed, 1)
