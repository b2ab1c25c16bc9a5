"""The door: which names are public, where they come from, and that importing stays light."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import disco_cvi
from disco_cvi._output.drawing import EXPLANATION_DISPLAYS
from helpers.source import MODULES, PROJECT, homes, imported_modules, parsed

# Public names other than the functions of the indices, which the registry lists.
PUBLIC_NAMES = {
    "Comparison",
    "DensityDBSCAN",
    "DensityHDBSCAN",
    "DensityTree",
    "Evaluation",
    "Explanation",
    "IndexInfo",
    "InvalidInputError",
    "UndefinedScoreError",
    "available_indices",
    "compare",
    "evaluate",
    "explain",
    "scorer",
    "suggest",
} | {
    name
    for info in disco_cvi.available_indices()
    for name in (info.function_name, *info.other_functions)
}

PACKAGES = {
    "cluster",
    "datasets",
    "density_tree",
    "distributed",
    "exceptions",
    "indices",
    "plots",
    "report",
    "results",
    "selection",
}

HEAVY = {"numba", "llvmlite", "scipy", "sklearn", "pandas", "polars", "narwhals", "matplotlib"}


def test_importing_the_package_is_light() -> None:
    code = "import sys, disco_cvi; dir(disco_cvi); print(*sorted(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in answer.stdout.split()}
    assert "disco_cvi" in loaded
    assert not loaded & (HEAVY | {"numpy"})


# Seconds of the processor, which others do not lengthen, of three steps of a new process.
STEPS = """
import time
moments = [time.process_time()]
import disco_cvi
moments.append(time.process_time())
from disco_cvi.cli import main
assert main(["--version"]) == 0
moments.append(time.process_time())
import numpy
moments.append(time.process_time())
print(*(end - begin for begin, end in zip(moments, moments[1:])))
"""


def test_importing_the_package_and_the_command_takes_less_than_importing_numpy_twice(
    tmp_path: Path,
) -> None:
    """Of several processes, the least; where they load NumPy themselves, it takes no time after."""
    # As users have it, compiled: the first process does that here, wherever else it may not.
    variables = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    steps = [sys.executable, "-c", STEPS]
    runs = [
        subprocess.run(steps, env=variables, capture_output=True, text=True, check=True)
        for _ in range(6)
    ]
    times = [[float(word) for word in run.stdout.splitlines()[-1].split()] for run in runs]
    package, command, numpy = (min(step) for step in zip(*times, strict=True))
    assert package < 0.2 * numpy  # 0.06 of it
    assert command < 2 * numpy  # 0.7 of it


def test_public_names() -> None:
    door: Any = disco_cvi
    assert set(homes()) == PUBLIC_NAMES
    assert set(door.__all__) == set(dir(disco_cvi)) == PUBLIC_NAMES | PACKAGES


def test_all_names_can_be_imported_at_once() -> None:
    code = "from disco_cvi import *; print(disco_score.__name__, plots.__name__)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["disco_score", "disco_cvi.plots"]


@pytest.mark.parametrize("name", sorted(PUBLIC_NAMES))
def test_public_name_loads_from_its_home(name: str) -> None:
    value = getattr(disco_cvi, name)
    assert value.__module__ == homes()[name]
    assert value is getattr(importlib.import_module(homes()[name]), name)


@pytest.mark.parametrize("room", sorted(PACKAGES - {"indices"}))
def test_public_packages_are_imported_on_use(room: str) -> None:
    code = f"import disco_cvi; print(disco_cvi.{room}.__all__)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ast.literal_eval(answer.stdout) == importlib.import_module(f"disco_cvi.{room}").__all__


def test_figures_that_objects_ask_for_are_public_functions() -> None:
    """`draw` of _output names them by words, which no other check reads."""
    plots = importlib.import_module("disco_cvi.plots")
    asked = {
        ast.unparse(node.args[0])
        for path in MODULES.values()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "draw"
        if "disco_cvi._output.drawing" in imported_modules(parsed(path))
    }
    assert {"'EpsCurveDisplay.from_path'", "'ComparisonDisplay.from_comparison'"} <= asked
    literal = [ast.literal_eval(name) for name in asked if name.startswith("'")]
    ways = [f"{name}.from_explanation" for name in EXPLANATION_DISPLAYS.values()]
    for name in [*literal, *ways]:
        assert name.partition(".")[0] in plots.__all__
        assert callable(attrgetter(name)(plots))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="No disco_cvi attribute disko_score"):
        disco_cvi.disko_score  # type: ignore[attr-defined] # noqa: B018


def test_version_is_written_once_and_cited() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", disco_cvi.__version__)
    assert f"version: {disco_cvi.__version__}\n" in (PROJECT / "CITATION.cff").read_text()
    assert disco_cvi.__version__ in (PROJECT / "CHANGELOG.md").read_text()
