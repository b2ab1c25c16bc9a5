"""Count the functions and files that a warm call passes: ``python -m benchmarks.chain [--list]``.

What a reader must follow. Counted are functions of this package that Python runs, each once,
comprehensions aside; kernels count where Python calls them, and what they call inside does not.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import disco_cvi
from benchmarks.data import blobs
from disco_cvi._output.tables import text_table
from disco_cvi.cli import main as disco
from disco_cvi.selection import suggest

PACKAGE = str(Path(disco_cvi.__file__).parent)


def passed(call: Callable[[], object]) -> set[tuple[str, str]]:
    """Files and names of the functions that a call passes; it was made once before."""
    call()
    found: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name[0] != "<":
            found.add((code.co_filename.removeprefix(f"{PACKAGE}/"), code.co_qualname))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def main() -> None:
    """Print how many functions in how many files the calls pass that users make most."""
    points, labels = blobs(2_000, 2)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "points.csv")
        np.savetxt(
            path,
            np.column_stack([points, labels]),
            delimiter=",",
            header="x,y,cluster",
            comments="",
        )

        def shell() -> None:
            with contextlib.redirect_stdout(io.StringIO()):
                disco(["score", path, "--label-column", "cluster"])

        calls: dict[str, Callable[[], object]] = {
            "disco_score": lambda: disco_cvi.disco_score(points, labels),
            "evaluate": lambda: disco_cvi.evaluate(points, labels),
            "suggest": lambda: suggest(points),
            "disco score": shell,
        }
        chains = {name: passed(call) for name, call in calls.items()}
    rows = [("call", "functions", "files")]
    for name, chain in chains.items():
        rows.append((name, str(len(chain)), str(len({file for file, _ in chain}))))
    print(text_table(rows))
    if "--list" in sys.argv:
        print(*(f"{file}: {name}" for file, name in sorted(chains["disco_score"])), sep="\n")


if __name__ == "__main__":
    main()
