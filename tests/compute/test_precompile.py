"""Kernels compiled beforehand: what is called, where it is kept, and what is said."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from disco_cvi import available_indices, precompile
from helpers import unreached_kernels
from helpers.zoo import COMPILER_IS_OFF


def test_every_index_is_a_step() -> None:
    assert {info.name for info in available_indices()} <= set(precompile.steps())


@pytest.mark.skipif(COMPILER_IS_OFF, reason="nothing is compiled")
def test_steps_reach_every_kernel() -> None:
    done = subprocess.run(
        [sys.executable, unreached_kernels.__file__], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_steps_run_in_processes_and_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {name: step for name, step in precompile.steps().items() if name == "calinski_harabasz"}
    monkeypatch.setattr(precompile, "steps", lambda: few)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(precompile, "kernel_folder", lambda: tmp_path)
    assert precompile.main(["--jobs", "1"]) == 0
    assert list(tmp_path.rglob("*.nbi"))
    said = capsys.readouterr().out
    assert str(tmp_path) in said
    assert "calinski_harabasz" in said
    assert "Done in" in said


def test_without_a_folder_that_can_be_written_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(precompile, "kernel_folder", lambda: None)
    assert precompile.main([]) == 1
    assert "Set NUMBA_CACHE_DIR to one that can be" in capsys.readouterr().err


def test_jobs_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        precompile.main(["--jobs", "0"])
    assert "--jobs must be at least 1, got 0" in capsys.readouterr().err


def test_a_process_that_ends_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(jobs: int) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(precompile, "_run", end)
    assert precompile.main(["--jobs", "1"]) == 1
    assert "was ended before its time" in capsys.readouterr().err
