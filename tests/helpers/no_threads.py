"""Programs that may start no thread and no process."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys

import pytest

_LIMITED = ["prlimit", "--nproc=0:0"]
# The limit does not hold for root, and nobody else may read all files of a checkout. It counts all
# processes of a user: so each process that runs tests has one of its own.
_READING = "+dac_override,+dac_read_search"
_USER = f"--reuid={1_000_000 + os.getpid()}"
_NOBODY = ["setpriv", _USER, f"--inh-caps={_READING}", f"--ambient-caps={_READING}"]
_PROBE = "import threading; threading.Thread(target=int).start()"


@functools.cache
def _command() -> list[str] | None:
    """What stands before a command that is to be run so; None where that cannot be."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    command = [*_LIMITED, *(_NOBODY if is_root else [])]
    if not all(shutil.which(word) for word in ("prlimit", *(["setpriv"] if is_root else []))):
        return None
    probe = [*command, sys.executable, "-c", _PROBE]
    ended = subprocess.run(probe, capture_output=True, text=True, check=False)
    return command if "start new thread" in ended.stderr else None


def run_without_threads(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments so, or skip the test."""
    command = _command()
    if command is None:
        pytest.skip("no way to forbid threads here")
    hidden = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [*command, sys.executable, *arguments],
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
