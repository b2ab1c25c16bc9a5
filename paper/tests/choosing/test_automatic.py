"""The eps that a tree chooses by itself."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from disco_paper.cells.cell import spec
from disco_paper.cells.source import Source
from disco_paper.choosing.automatic import automatic_regret, benchmark_regrets
from disco_paper.choosing.made import SHAPES


def test_clear_clusters_are_found() -> None:
    assert automatic_regret(Source(spec("circles"), *SHAPES["circles"](seed=0))) < 0.02


def test_little_is_lost_on_the_benchmark_sets(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    regrets = benchmark_regrets()
    assert len(regrets) == 13
    assert math.fsum(regrets.values()) / 13 <= 0.08
    assert max(regrets.values()) < 0.4
