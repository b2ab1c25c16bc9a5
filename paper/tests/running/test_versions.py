"""What a stored number depends on: versions of packages, and the source that computes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import disco_cvi
from disco_paper import open_experiment
from disco_paper.running import versions as module
from disco_paper.running.versions import versions


def test_versions_of_all_that_computes_are_told() -> None:
    told = json.loads(versions(open_experiment("fig-rings")))
    assert told["disco-cvi"] == disco_cvi.__version__
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "densired", "source"} <= set(told)


def test_every_folder_that_is_named_exists() -> None:
    library = Path(str(disco_cvi.__file__)).parent
    assert all((library / name).is_dir() for name in module._SHOWING)
    assert all((module.PAPER / name).is_dir() for name in module._COMPUTING)


@pytest.mark.parametrize(("changed", "is_noticed"), [("cells", True), ("page", False)])
def test_a_change_in_what_computes_is_noticed(
    changed: str, is_noticed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*module._COMPUTING, "page"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "some.py").write_text("1")
    monkeypatch.setattr(module, "PAPER", tmp_path)
    experiment = open_experiment("fig-rings")
    module._digest.cache_clear()
    before = versions(experiment)
    (tmp_path / changed / "some.py").write_text("2")
    module._digest.cache_clear()
    assert (versions(experiment) != before) is is_noticed


def test_chapters_differ() -> None:
    assert versions(open_experiment("fig-rings")) != versions(open_experiment("fig-mst"))
