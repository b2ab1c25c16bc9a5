"""What numbers depend on: a change that computes is noticed, one that shows is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from disco_cvi import __version__
from disco_cvi.experiments._running import versions as module
from disco_cvi.experiments._running.versions import versions
from experiments import toy


@pytest.mark.parametrize(
    ("name", "computes"),
    [
        ("indices/disco.py", True),
        ("density_tree.py", True),
        ("datasets/rings.py", True),
        ("experiments/_running/batch.py", True),
        ("experiments/_measures.py", True),
        ("experiments/published/dbcv.py", True),
        ("experiments/tab_shapes.py", False),
        ("experiments/_page/facts.py", False),
        ("experiments/_running/store.py", False),
        ("experiments/__init__.py", False),
        ("plots/curves.py", False),
        ("cli/reproduce.py", False),
        ("_progress.py", False),
    ],
)
def test_files_that_compute(name: str, computes: bool) -> None:
    assert module._computes(Path(name)) == computes


def test_every_name_in_the_lists_is_a_file() -> None:
    package = Path(module.__file__).parent.parent.parent
    assert all((package / name).is_file() for name in module._SHOWING)
    assert all((package / folder).is_dir() for folder in module._SHOWING_FOLDERS)
    assert all((package / "experiments" / name).is_file() for name in module._COMMON)
    assert all((package / "experiments" / name).is_file() for name in module._NAMING)
    assert set(module._COMMON) <= {path.name for path in module._computing_files()}


def test_versions_name_packages() -> None:
    found = json.loads(versions(toy))
    assert found["disco-cvi"] == __version__
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "source"} <= set(found)
    assert versions(toy) == versions(toy)


def test_versions_are_the_same_in_another_process() -> None:
    code = (
        "from disco_cvi.experiments._running.versions import versions\n"
        "from experiments import toy\n"
        "print(versions(toy))"
    )
    path = os.pathsep.join(filter(None, sys.path))
    answer = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert answer.stdout.strip() == versions(toy)


def digest(experiment: Any) -> str:
    return str(json.loads(versions(experiment))["source"])


def test_makers_of_its_own_make_an_experiments_file_count(tmp_path: Path) -> None:
    file = tmp_path / "toy.py"
    file.write_text("1")
    with_makers = toy.toy_of(__file__=str(file))
    first = digest(with_makers)
    file.write_text("2")
    assert digest(with_makers) != first
    without = toy.toy_of(__file__=str(file))
    for kind in ("DATA", "LABELINGS", "INDICES"):
        delattr(without, kind)
    second = digest(without)
    file.write_text("3")
    assert digest(without) == second


def test_what_makers_import_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_HOME", tmp_path)
    first = tmp_path / "first.py"
    first.write_text(
        "from disco_cvi.experiments import second\n"
        "from disco_cvi.experiments._report import Report\n"
        "from numpy import zeros"
    )
    (tmp_path / "second.py").write_text("def f():\n    from disco_cvi.experiments._third import x")
    (tmp_path / "_third.py").write_text("from disco_cvi.experiments import first")
    (tmp_path / "_report.py").write_text("")
    (tmp_path / "numpy.py").write_text("")
    experiment = toy.toy_of(__file__=str(first))
    names = [path.name for path in module._own_files(experiment)]
    assert names == ["_third.py", "first.py", "second.py"]


def test_a_change_in_a_file_that_computes_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "index.py"
    file.write_text("1")
    monkeypatch.setattr(module, "_computing_files", lambda: (file,))
    first = digest(toy)
    file.write_text("2")
    assert digest(toy) != first
