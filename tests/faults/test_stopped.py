"""Whatever writes files is killed, interrupted, given a full disk, or begun twice, by a seed.

``make faults TIMES=200`` does it more often. How files are made is tested in
tests/output/test_files.py, runs of experiments in several processes in
tests/experiments/running/test_run.py, lost workers in tests/distributed/test_lost_workers.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="it takes fork")

TIMES = int(os.environ.get("DISCO_FAULTS", "3"))
SEED = os.environ.get("DISCO_FAULTS_SEED", "0")
KEPT = Path(__file__).resolve().parents[2] / ".cache" / "faults.json"
WRITERS = ("score", "tune", "report", "reproduce", "fetch", "save")


def keep(fault: str, found: dict[str, object], path: Path = KEPT) -> None:
    """Keep the figures of a long run for the page of trust."""
    kept = json.loads(path.read_text()) if path.is_file() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(kept | {fault: found}) + "\n")


@pytest.mark.parametrize(
    ("fault", "writers"),
    [
        # Files are whole or absent, and the next write leaves no drafts; a run continues.
        ("kill", WRITERS),
        # One line, code 130, within a second, nothing half written; the process is healthy.
        ("interrupt", (*WRITERS, "library", "large")),
        # A disk of 2 MB, or a limit to the size of files: an error that says so, no half file.
        ("disk", WRITERS),
        # One of two runs in one folder works, the other is refused in a line.
        ("twice", ("reproduce",)),
    ],
)
def test_stopped_at_any_moment(fault: str, writers: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "helpers.faults", fault, ",".join(writers), str(TIMES), SEED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    sys.stdout.write(f"{fault}: {done.stdout}")  # figures of a long run: pytest -s
    found = json.loads(done.stdout.splitlines()[-1])
    if "DISCO_FAULTS" in os.environ:
        keep(fault, found)
    assert {name: one["wrong"] for name, one in found.items()} == {name: [] for name in writers}
    assert all(one["hits"] for one in found.values())
