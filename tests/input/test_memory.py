"""Memory that runs out: a MemoryError with advice in Python, one line in the shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from disco_cvi import DensityTree


def test_a_tree_that_does_not_fit_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: Any) -> NoReturn:
        raise MemoryError("Unable to allocate")

    monkeypatch.setattr("disco_cvi.density_tree.tree.spanning_tree_of", run_out)
    with pytest.raises(MemoryError, match="Unable to allocate") as caught:
        DensityTree([[0.0], [1.0]], min_points=1)
    (note,) = caught.value.__notes__
    assert note.startswith("Take a random sample of the rows, or use disco_cvi.distributed")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit holds on Linux alone")
@pytest.mark.parametrize("megabytes", [300, 600])
def test_the_command_under_a_limit_ends_in_one_line(megabytes: int, tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", np.random.default_rng(0).normal(size=(2_000_000, 4)))
    np.save(tmp_path / "labels.npy", np.arange(2_000_000) % 3)
    code = (
        "import resource, sys\n"
        f"limit = {megabytes} * 1_000_000\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "from disco_cvi.cli import main\n"
        "sys.exit(main(['score', 'points.npy', '--labels', 'labels.npy']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert (done.returncode, done.stdout, len(said)) == (1, "", 1), done.stderr
    assert said[0].startswith("disco: the memory of this machine does not suffice")
