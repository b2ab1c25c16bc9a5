"""Kernels compiled beforehand: what is called, where it is kept, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_cvi import available_indices, precompile


def test_every_index_is_a_step() -> None:
    assert {info.name for info in available_indices()} <= set(precompile.steps())


@pytest.mark.parametrize("name", ["explain", "every min_points"])
def test_a_step_runs_and_tells_its_seconds(name: str) -> None:
    assert precompile.run_step(name) > 0


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
