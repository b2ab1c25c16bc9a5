"""The README: its code runs, and what it prints is what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons

from disco_cvi import disco_score
from disco_cvi.datasets import three_rings
from disco_cvi.selection import suggest

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)
PYTHON = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_code_runs(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, labels = make_moons(60, noise=0.05, random_state=0)
    names: dict[str, Any] = {
        "X": X,
        "labels": labels,
        "labelings": [labels, np.zeros(60, int)],
        "first": labels,
        "second": 1 - labels,
        "KMeans": KMeans,
    }
    exec(compile(PYTHON[place], f"README block {place}", "exec"), names)


def test_the_suggestion_reads_as_shown() -> None:
    X, _ = make_moons(500, noise=0.08, random_state=0)
    printed = str(suggest(X)).splitlines()
    shown = next(text for language, text in BLOCKS if language == "" and "Take DBSCAN" in text)
    lines = [line for line in shown.splitlines() if line != "..."]
    assert lines
    assert [line for line in lines if line not in printed] == []


def test_the_scores_of_the_rings_are_as_shown() -> None:
    rings = three_rings()
    for name in ("good", "bad"):
        labels = getattr(rings, f"{name}_labels")
        shown = re.search(rf"rings\.{name}_labels\)  # (-?[\d.]+)", TEXT)
        assert shown is not None
        assert f"{disco_score(rings.points, labels):.4f}" == shown[1]
