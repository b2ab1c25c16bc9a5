"""VIASCKDE as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.viasckde import published_viasckde
from reference_data import GOLDEN_SETS, golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

# The paper's tables before rounding, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.305072190804,
    "3-spiral, k-means": 0.263338877969,
    "complex9, truth": 0.631905827796,
    "complex9, k-means": 0.60344583875,
    "cluto-t8-8k, truth": 0.6575785625,
    "cluto-t8-8k, cut": 0.6471347949,
    "rings, good noise": math.nan,
    "rings, bad noise": math.nan,
}


@cache
def columns(shared: Path) -> dict[str, tuple[Any, Any]]:
    """Return points and labels of the columns of the paper's two tables of all indices."""
    found: dict[str, tuple[Any, Any]] = {}
    for name, n_clusters in (("3-spiral", 3), ("complex9", 9)):
        points, truth = load(shared, name)
        k_means = KMeans(n_clusters=n_clusters, random_state=0, n_init="auto")
        found[f"{name}, truth"] = points, truth - truth.min()
        found[f"{name}, k-means"] = points, k_means.fit_predict(points)
    points, truth = load(shared, "cluto-t8-8k")
    first, cut = points[:, 0], truth.copy()
    cut[(first > -0.8) & (first < -0.05)] = -1
    cut[(first < -0.8) & (cut >= 0)] += 8
    found["cluto-t8-8k, truth"] = points, truth
    found["cluto-t8-8k, cut"] = points, np.unique(cut, return_inverse=True)[1] - 1
    rings = two_rings(build=1)
    found["rings, good noise"] = rings.points, rings.good_labels
    found["rings, bad noise"] = rings.points, rings.bad_labels
    return found


@pytest.mark.parametrize("column", TABLE)
def test_tables_of_the_paper(shared: Path, column: str) -> None:
    points, labels = columns(shared)[column]
    expected = TABLE[column]
    score = published_viasckde(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@cache
def golden(shared: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of stored values of this index, by data set."""
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "viasckde"]
    return {name: [row for row in rows if row["dataset"] == name] for name in GOLDEN_SETS}


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for row in golden(shared)[name]:
        score = published_viasckde(points, golden_labels(shared, name, row["labeling"]))
        expected = math.nan if row["value"] is None else row["value"]
        tolerance = 1e-9 * abs(expected) if name == "dartboard1" else 1e-12
        close = pytest.approx(expected, rel=0, abs=tolerance, nan_ok=True)
        assert score == close, row["labeling"]


def test_number_of_golden_values(shared: Path) -> None:
    assert sum(map(len, golden(shared).values())) == 63


NAN: dict[str, tuple[list[float], list[int]]] = {
    "one label": ([0, 0.1, 0.3], [0, 0, 0]),
    "only noise": ([0, 0.1, 0.3], [-1, -1, -1]),
    "a point alone in its cluster": ([0, 0.1, 0.3, 9], [0, 0, 0, 1]),
    "a lone noise point": ([0, 0.1, 0.3, 1, 1.1, 1.3, 9], [0, 0, 0, 1, 1, 1, -1]),
    "one density": ([0, 0.1, 1, 1.1], [0, 0, 1, 1]),
    "points far apart": ([0, 10, 30, 60, 100, 150], [0, 0, 0, 1, 1, 1]),
    "copies inside and outside": ([0, 0, 0.1, 0, 0, 0.1], [0, 0, 0, 1, 1, 1]),
    "all points identical": ([3, 3, 3, 3], [0, 0, 1, 1]),
}


@pytest.mark.small
@pytest.mark.parametrize("case", NAN)
def test_nan(case: str) -> None:
    line, labels = NAN[case]
    points = np.array(line, dtype=float).reshape(-1, 1)
    assert math.isnan(published_viasckde(points, np.array(labels)))


@pytest.mark.small
def test_clusters_with_small_labels_count_more() -> None:
    # Only the middle points have a weight. The first cluster counts in both totals.
    points = np.array([0, 0.1, 0.2, 10, 10.1, 10.2], dtype=float).reshape(-1, 1)
    labels = np.array([0, 0, 0, 1, 1, 1])
    middle = (9.9 - 0.1) / 9.9
    expected = (middle + 2 * middle) / (3 + 6)
    assert published_viasckde(points, labels) == pytest.approx(expected, abs=1e-12)
    noise = published_viasckde(points, labels - 1)
    assert noise == pytest.approx(expected, abs=1e-12)
