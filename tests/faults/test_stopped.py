"""What is killed, interrupted or out of disk while it writes leaves whole files or none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="it takes fork")

# The exit code by fault; what is killed may leave a draft.
CODES = {
    "none": 0,
    "killed in the middle": -getattr(signal, "SIGXFSZ", 0),
    "killed at the end": -getattr(signal, "SIGKILL", 0),
    "interrupted": 130,
    "full disk": 1,
}


@pytest.fixture(scope="module")
def left() -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "helpers.stopped"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("place", ["a new file", "an old file"])
@pytest.mark.parametrize("fault", CODES)
@pytest.mark.parametrize("writer", ["tree", "command", "report"])
def test_files_are_whole_or_as_before(left: Any, writer: str, fault: str, place: str) -> None:
    found = left[writer][f"{fault}, {place}"]
    assert found["code"] == CODES[fault], found
    assert "Traceback" not in found["said"]
    if fault == "none":
        assert found["old"] is False
    else:
        assert found["old"] is (None if place == "a new file" else True)
    assert found["drafts"] == fault.startswith("killed")
    # The next run is not hindered by what is left.
    assert found["again"] == 0
    assert found["size"] == left[writer]["none, a new file"]["size"]
