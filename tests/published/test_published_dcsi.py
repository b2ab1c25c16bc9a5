"""DCSI as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.dcsi import published_dcsi
from reference_data import GOLDEN_SETS, golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

# The paper's tables before rounding, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.932422229497,
    "3-spiral, k-means": 0.00609934737448,
    "complex9, truth": 0.948161989286,
    "complex9, k-means": 0.714356068248,
    "cluto-t8-8k, truth": 0.9202004365,
    "cluto-t8-8k, cut": 0.9585947539,
    "rings, good noise": 0.994033276,
    "rings, bad noise": 0.9414854762,
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
    score = published_dcsi(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@cache
def golden(shared: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of stored values of this index, by data set."""
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "dcsi"]
    return {name: [row for row in rows if row["dataset"] == name] for name in GOLDEN_SETS}


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for row in golden(shared)[name]:
        labels = golden_labels(shared, name, row["labeling"])
        if row["value"] is None:
            with pytest.raises(ValueError, match="without core points"):
                published_dcsi(points, labels, raw_labels=True)
            continue
        score = published_dcsi(points, labels, raw_labels=True)
        assert score == pytest.approx(row["value"], rel=0, abs=1e-14), row["labeling"]


def test_number_of_golden_values(shared: Path) -> None:
    assert sum(map(len, golden(shared).values())) == 90


WITHOUT_THE_MISTAKE = {
    "3-spiral": 0.932422229497,
    "aggregation": 0.968155229402,
    "compound": 0.850194073256,
    "chainlink": 0.960356909479,
}


@pytest.mark.parametrize("name", WITHOUT_THE_MISTAKE)
def test_truth_without_the_mistake_in_labels(shared: Path, name: str) -> None:
    points, labels = load(shared, name)
    score = published_dcsi(points, labels)
    assert score == pytest.approx(WITHOUT_THE_MISTAKE[name], rel=0, abs=1e-11)


def line(*groups: list[Any]) -> tuple[Any, Any]:
    points = np.concatenate([np.array(group, dtype=float) for group in groups]).reshape(-1, 1)
    return points, np.repeat(np.arange(len(groups)), [len(group) for group in groups])


@pytest.mark.small
def test_mistake_in_labels_loses_pairs() -> None:
    points, labels = line(*([start + x for x in range(8)] for start in (0, 100, 200)))
    whole = published_dcsi(points, labels)
    assert published_dcsi(points, labels, raw_labels=True) == whole
    # Of the positions 0, 1, 2 only 1 and 2 are labels: one pair of three is left.
    lost = published_dcsi(points, labels + 1, raw_labels=True)
    assert lost == pytest.approx(whole / 3, rel=1e-3)
    assert published_dcsi(points, labels + 1) == whole
    assert published_dcsi(points, np.array([0, 5, 9])[labels], raw_labels=True) == 0.0


@pytest.mark.small
def test_squared_gap_against_squared_step() -> None:
    points, labels = line([0, 1, 2, 3, 4, 5, 6, 7], [17, 18, 19, 20, 21, 22, 23, 24])
    assert published_dcsi(points, labels) == pytest.approx(100 / 101, abs=1e-15)


@pytest.mark.small
def test_edge_cases() -> None:
    points, labels = line([0.0] * 8, [1.0] * 8)
    assert math.isnan(published_dcsi(points, labels))
    assert published_dcsi(np.zeros((16, 1)), labels) == 0.0
    small, few = line([0, 1, 2, 3, 4, 5], [50, 51, 52, 53, 54])
    assert published_dcsi(small, few) == 0.0
    for only in (np.zeros(16, int), np.full(16, -1)):
        with pytest.raises(ValueError, match="two clusters"):
            published_dcsi(points, only)


@pytest.mark.small
def test_many_copies_push_the_radius_outwards() -> None:
    # 60 points on 6 places: fewer distinct distances than the rank asks for, so the farthest
    # counts, and all points are core points.
    points, labels = line([0, 1, 2, 3, 4, 9] * 10, [30, 31, 32, 33, 34, 39] * 10)
    assert published_dcsi(points, labels) == pytest.approx(21**2 / (21**2 + 5**2), abs=1e-15)
