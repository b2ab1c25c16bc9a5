"""A cache of kernels that is missing, full, damaged or stale costs time and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CODE = (
    "import numpy as np; from disco_cvi._tree_walks import block_maxima, meeting_heights as f;"
    "j = np.arange(9.0); h = np.empty(1); p = np.array([1], np.int32); q = np.array([7], np.int32);"
    "f(j, block_maxima(j), p, q, h); print(h[0])"
)


def run(cache: Path, package: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(cache))
    environment.pop("NUMBA_DISABLE_JIT", None)
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "7.0\n"
    return done


def test_kernels_are_compiled_once_and_the_user_is_told(tmp_path: Path) -> None:
    assert "compiling" in run(tmp_path).stderr
    assert run(tmp_path).stderr == ""


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    run(tmp_path)
    for path in tmp_path.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[:20])
    assert "compiling" in run(tmp_path).stderr
    assert run(tmp_path).stderr == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "compiling" in run(tmp_path / "cache").stderr


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    import disco_cvi

    package = tmp_path / "copy" / "disco_cvi"
    shutil.copytree(Path(disco_cvi.__file__).parent, package)
    cache = tmp_path / "cache"
    run(cache, package.parent)
    assert run(cache, package.parent).stderr == ""
    with (package / "_exact.py").open("a") as file:
        file.write("# changed\n")
    assert "compiling" in run(cache, package.parent).stderr
