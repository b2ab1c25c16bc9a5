"""The calls on the page on other packages are calls that work."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import disco_cvi
from disco_paper.published import published_dbcv

PAGE = Path(__file__).resolve().parents[2] / "docs" / "evidence" / "other_packages.md"
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


def test_clusterings_are_those_of_other_packages() -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    hdbscan = pytest.importorskip("hdbscan")
    X = np.random.default_rng(1).normal(size=(200, 2))
    tree = disco_cvi.DensityTree(X, min_points=5)
    eps = tree.eps_path().best.eps
    theirs = cluster.DBSCAN(eps, min_samples=5).fit_predict(X)
    assert np.array_equal(tree.dbscan(eps, border="first"), theirs)
    ours = disco_cvi.DensityTree(X, min_points=2).hdbscan(8)
    for found in (
        cluster.HDBSCAN(min_cluster_size=8, min_samples=2, copy=True).fit_predict(X),
        hdbscan.HDBSCAN(min_cluster_size=8, min_samples=1).fit_predict(X),
    ):
        assert adjusted_rand_score(ours, found) == 1
        assert np.array_equal(ours == -1, found == -1)
