"""What numbers depend on: a change that computes is noticed, one that shows is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from disco_cvi import __version__
from disco_cvi._compute.source_files import PACKAGE
from disco_paper.preferences import fig_rings
from disco_paper.running import versions as module
from disco_paper.running.versions import versions
from paper_helpers import toy_experiment as toy


@pytest.mark.parametrize(
    ("name", "computes"),
    [
        ("indices/disco.py", True),
        ("density_tree/tree.py", True),
        ("datasets/generators/rings.py", True),
        ("a_new_room/of_any/depth.py", True),
        ("experiments/running/batch.py", True),
        ("experiments/cells/measures.py", True),
        ("experiments/published/dbcv.py", True),
        ("experiments/preferences/tab_shapes.py", False),
        ("experiments/page/facts.py", False),
        ("experiments/running/store.py", False),
        ("experiments/__init__.py", False),
        ("plots/curves.py", False),
        ("cli/reproduce.py", False),
        ("_output/text_table.py", False),
    ],
)
def test_files_that_compute(name: str, computes: bool) -> None:
    assert module._computes(PACKAGE / name) == computes


def test_every_name_in_the_lists_exists() -> None:
    assert all(
        (PACKAGE / name).exists() for name in module._SHOWING + module._COMPUTING + module._NAMING
    )


def test_files_in_folders_of_folders_count() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in module._computing_files()}
    assert {"datasets/generators/rings.py", "experiments/cells/cell.py"} <= names


def test_versions_name_packages() -> None:
    found = json.loads(versions(toy.EXPERIMENT))
    assert found["disco-cvi"] == __version__
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "source"} <= set(found)
    assert versions(toy.EXPERIMENT) == versions(toy.EXPERIMENT)


def test_versions_are_the_same_in_another_process() -> None:
    code = (
        "from disco_paper.running.versions import versions\n"
        "from paper_helpers import toy_experiment as toy\n"
        "print(versions(toy.EXPERIMENT))"
    )
    path = os.pathsep.join(filter(None, sys.path))
    answer = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert answer.stdout.strip() == versions(toy.EXPERIMENT)


def digest(experiment: Any) -> str:
    return str(json.loads(versions(experiment))["source"])


@pytest.mark.parametrize("kind", ["data", "labelings", "measures"])
def test_makers_of_its_own_make_an_experiments_file_count(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "toy.py"
    file.write_text("1")
    monkeypatch.setitem(sys.modules, "own_toy", ModuleType("own_toy"))
    monkeypatch.setattr(sys.modules["own_toy"], "__file__", str(file), raising=False)
    bare: dict[str, Any] = {"data": {}, "labelings": {}, "measures": {}}
    with_makers = toy.toy_of(module="own_toy", **bare | {kind: {"own": print}})
    first = digest(with_makers)
    file.write_text("2")
    assert digest(with_makers) != first
    without = toy.toy_of(module="own_toy", **bare)
    second = digest(without)
    file.write_text("3")
    assert digest(without) == second


def test_what_makers_import_counts_too() -> None:
    names = [path.name for path in module._own_files(fig_rings.EXPERIMENT)]
    assert names[0] == "fig_rings.py"
    assert "pairs.py" in names
    assert "rows.py" not in names


def test_a_change_in_a_file_that_computes_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "index.py"
    file.write_text("1")
    monkeypatch.setattr(module, "_computing_files", lambda: (file,))
    first = digest(toy.EXPERIMENT)
    file.write_text("2")
    assert digest(toy.EXPERIMENT) != first
