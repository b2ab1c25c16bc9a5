"""The calls on the page on other packages are calls that work."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import disco_cvi
from disco_cvi.experiments.published.dbcv import published_dbcv

PAGE = Path(__file__).resolve().parents[2] / "docs" / "other_packages.md"
OURS = ("dbcv_score", "published_dbcv", "lccv_score", "cvnn_index", "cvnn_indices", "DensityTree")
CALLS = sorted(
    {call for call in re.findall(r"`([^`]+\))`", PAGE.read_text()) if call.startswith(OURS)}
)


def test_calls_are_found() -> None:
    assert {call.partition("(")[0] for call in CALLS} >= set(OURS[:5])


@pytest.mark.parametrize("call", CALLS)
def test_call(call: str) -> None:
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(60, 2)), random.integers(0, 2, 60)
    known = {name: getattr(disco_cvi, name) for name in OURS if name != "published_dbcv"}
    known |= {
        "published_dbcv": published_dbcv,
        "X": X,
        "D": np.abs(X[:, :1] - X[:, 0]),
        "labels": labels,
        "labelings": [labels, 1 - labels],
    }
    assert eval(" ".join(call.split()), {}, known) is not None
