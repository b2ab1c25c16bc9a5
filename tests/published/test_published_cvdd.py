"""CVDD as published: the paper's tables, golden values, and its edge cases."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.cvdd import published_cvdd
from reference_data import golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

TABLE_2 = {
    ("3-spiral", "gt"): 189.34725614,
    ("3-spiral", "kmeans"): 0.576056296333,
    ("complex9", "gt"): 689.402844113,
    ("complex9", "kmeans"): 25.859470135,
}


@pytest.mark.parametrize(("name", "labeling"), TABLE_2)
def test_table_2(shared: Path, name: str, labeling: str) -> None:
    X, labels = load(shared, name)
    if labeling == "kmeans":
        k = len(np.unique(labels))
        labels = KMeans(n_clusters=k, random_state=0, n_init="auto").fit_predict(X)
    assert published_cvdd(X, labels) == pytest.approx(TABLE_2[name, labeling], rel=1e-9)


def test_table_3(shared: Path) -> None:
    X, labels = load(shared, "cluto-t8-8k")
    assert published_cvdd(X, labels) == pytest.approx(0.06996168715, rel=1e-9)
    cut, first = labels.copy(), X[:, 0]
    cut[(first > -0.8) & (first < -0.05)] = -1
    cut[(cut >= 0) & (first < -0.8)] += 8
    assert published_cvdd(X, cut) == pytest.approx(0.1523668867, rel=1e-9)
    rings = two_rings(build=1)
    assert published_cvdd(rings.points, rings.good_labels) == pytest.approx(37.74071981, rel=1e-9)
    assert published_cvdd(rings.points, rings.bad_labels) == pytest.approx(0.06771486578, rel=1e-9)


def test_golden_values(shared: Path) -> None:
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "cvdd"]
    assert len(rows) == 63
    for row in rows:
        X, _ = load(shared, row["dataset"])
        labels = golden_labels(shared, row["dataset"], row["labeling"])
        if row["value"] is None:
            with pytest.raises(ValueError, match="of two points or more"):
                published_cvdd(X, labels)
        else:
            tolerance = 1e-13 if (labels == -1).any() else 1e-12
            found = published_cvdd(X, labels)
            assert found == pytest.approx(row["value"], rel=tolerance), row


def test_noise_at_the_end_meets_the_right_rows() -> None:
    rings = two_rings(build=1)
    order = np.argsort(rings.bad_labels == -1, kind="stable")
    found = published_cvdd(rings.points[order], rings.bad_labels[order])
    assert f"{found:.2f}" == "2.70"


# Name: points on a line, labels, value.
EDGE_CASES: dict[str, tuple[list[float], list[int], Any]] = {
    "one cluster": ([0, 1, 5], [0, 0, 0], ValueError),
    "one cluster and noise": ([0, 1, 5], [0, 0, -1], ValueError),
    "alone in its cluster": ([0, 1, 5], [0, 0, 1], ValueError),
    "only noise": ([0, 1, 5], [-1, -1, -1], math.nan),
    "identical points": ([3, 3, 3, 3], [0, 0, 1, 1], math.nan),
    "more copies than neighbors": ([0.0] * 9 + [4, 5], [0] * 9 + [1, 1], 0.0),
    "more copies than neighbors, in both": ([0.0] * 9 + [4] * 9 + [5], [0] * 9 + [1] * 10, 0.0),
}


@pytest.mark.small
@pytest.mark.parametrize("name", EDGE_CASES)
def test_edge_case(name: str) -> None:
    line, labels, expected = EDGE_CASES[name]
    X = np.array(line, dtype=float).reshape(-1, 1)
    if expected is ValueError:
        with pytest.raises(ValueError, match="two clusters or more"):
            published_cvdd(X, labels)
    else:
        assert published_cvdd(X, labels) == pytest.approx(expected, nan_ok=True)
