"""The door: which names are public, where they come from, and that importing stays light."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import pytest

import disco_cvi
from helpers.source import PROJECT

PUBLIC_NAMES = {
    "Comparison",
    "DensityTree",
    "Evaluation",
    "Explanation",
    "IndexInfo",
    "InvalidInputError",
    "UndefinedScoreError",
    "__version__",
    "available_indices",
    "cdbw_score",
    "compare",
    "cvdd_score",
    "cvnn_index",
    "cvnn_indices",
    "dbcv_score",
    "dcsi_score",
    "disco_samples",
    "disco_score",
    "evaluate",
    "explain",
    "lccv_score",
    "mmj_sc_samples",
    "mmj_sc_score",
    "s_dbw_index",
    "silhouette_samples",
    "silhouette_score",
    "viasckde_samples",
    "viasckde_score",
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


def test_public_names() -> None:
    assert set(disco_cvi.__all__) == PUBLIC_NAMES
    assert set(dir(disco_cvi)) >= PUBLIC_NAMES
    assert set(disco_cvi._HOMES) == PUBLIC_NAMES - {"__version__"}


@pytest.mark.parametrize("name", sorted(PUBLIC_NAMES - {"__version__"}))
def test_public_name_loads_from_its_home(name: str) -> None:
    value = getattr(disco_cvi, name)
    assert value.__module__ == disco_cvi._HOMES[name]
    assert value is getattr(importlib.import_module(disco_cvi._HOMES[name]), name)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'disco_cvi' has no attribute 'disko_score'"):
        disco_cvi.disko_score  # noqa: B018


def test_version_is_written_once_and_cited() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", disco_cvi.__version__)
    assert f"version: {disco_cvi.__version__}\n" in (PROJECT / "CITATION.cff").read_text()
    assert disco_cvi.__version__ in (PROJECT / "CHANGELOG.md").read_text()
