"""Ctrl-C is answered in one line and with code 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.source import MODULES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it takes signals")

IMPORTING = """
import os, signal, sys

class Interrupt:
    left = {number}

    def find_spec(self, name, path=None, target=None):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

from disco_cvi.__main__ import main
sys.meta_path.insert(0, Interrupt())
sys.argv = ["disco", "indices"]
sys.exit(main())
"""


@pytest.mark.parametrize("number", [1, 7, 40])
def test_while_the_command_is_loaded(number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING.format(number=number)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "disco: interrupted\n")


def test_in_the_middle_of_the_work(tmp_path: Path) -> None:
    """Long before the end, within a second or two, and without a file."""
    np.save(tmp_path / "points.npy", np.random.default_rng(0).normal(size=(1_000_000, 3)))
    np.save(tmp_path / "labels.npy", np.arange(1_000_000) % 5)
    words = "-m disco_cvi score points.npy --labels labels.npy --samples out.csv"
    with subprocess.Popen(
        [sys.executable, *words.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(4.0)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert said.endswith("disco: interrupted\n")
    assert "Traceback" not in said
    assert not (tmp_path / "out.csv").exists()


def test_only_the_command_answers_signals() -> None:
    """Handlers belong to the whole process, which is not the library's."""
    assert not [name for name, path in MODULES.items() if "signal.signal(" in path.read_text()]
