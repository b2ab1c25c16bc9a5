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


# What libraries load for the first score is not ours: OpenBLAS tries forever to get its buffers.
UNDER_A_LIMIT = """
import resource, sys
from disco_cvi.cli import main
assert main(["score", "few-points.npy", "--labels", "few-labels.npy", "--json"]) == 0
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = used + 60_000_000
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print()
sys.exit(main(["score", "points.npy", "--labels", "labels.npy"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit holds on Linux alone")
def test_the_command_under_a_limit_ends_in_one_line(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(1_000_000, 2))
    for name, points in (("", X), ("few-", X[:30])):
        np.save(tmp_path / f"{name}points.npy", points)
        np.save(tmp_path / f"{name}labels.npy", np.arange(len(points)) % 3)
    done = subprocess.run(
        [sys.executable, "-c", UNDER_A_LIMIT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.partition("\n\n")[2] == ""
    said = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert len(said) == 1
    assert said[0].startswith("disco: the memory of this machine does not suffice")
