"""CDbw as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn.cluster import KMeans

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.cdbw import published_cdbw
from reference_data import GOLDEN_SETS, golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

# The paper's tables before rounding, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.00883830797382,
    "3-spiral, k-means": 0.00895697752432,
    "complex9, truth": 0.607409451658,
    "complex9, k-means": 0.231835913335,
    "cluto-t8-8k, truth": 0.15601713,
    "cluto-t8-8k, cut": 0.5646008489,
    "rings, good noise": 0.001596302578,
    "rings, bad noise": 0.001408870593,
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
    score = published_cdbw(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@cache
def golden(shared: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of stored values of this index, by data set."""
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "cdbw"]
    return {name: [row for row in rows if row["dataset"] == name] for name in GOLDEN_SETS}


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for row in golden(shared)[name]:
        score = published_cdbw(points, golden_labels(shared, name, row["labeling"]))
        assert score == pytest.approx(row["value"], rel=1e-12, abs=0), row["labeling"]


def test_number_of_golden_values(shared: Path) -> None:
    assert sum(map(len, golden(shared).values())) == 52


ZERO: dict[str, tuple[list[float], list[int]]] = {
    "a point alone in its cluster": ([0, 1, 2, 9], [0, 0, 0, 1]),
    "the last cluster is copies": ([0, 1, 2, 9, 9], [0, 0, 0, 1, 1]),
    "all points identical": ([3, 3, 3, 3], [0, 0, 1, 1]),
}


@pytest.mark.small
@pytest.mark.parametrize("case", ZERO)
def test_zero(case: str) -> None:
    line, labels = ZERO[case]
    points = np.array(line, dtype=float).reshape(-1, 1)
    assert published_cdbw(points, np.array(labels)) == 0.0


@pytest.mark.small
@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [-1, -1, -1, -1], [0, 0, -1, -1]])
def test_too_few_clusters(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="two clusters"):
        published_cdbw(np.arange(4.0).reshape(-1, 1), np.array(labels))


@pytest.mark.small
def test_hand_worked() -> None:
    # The radius is 1, the deviation of -1 and 1. A member moved by less than 1 of the way is
    # near itself alone (at 0, 2 away from the other): Intra is 1/2 throughout. The facing members
    # 1 and 9 are the only pair, 8 apart, nothing near 5: Inter is 0, Sep is 8 / 2.
    points = np.array([-1.0, 1.0, 9.0, 11.0]).reshape(-1, 1)
    score = published_cdbw(points, np.array([0, 0, 1, 1]))
    assert score == pytest.approx(4 / 4, abs=1e-15)
    # A cluster looks only at smaller labels, and the radius is that of the last cluster.
    wider = np.array([-1.0, 1.0, 9.0, 13.0]).reshape(-1, 1)
    one, other = (
        published_cdbw(wider, np.array(labels)) for labels in ([0, 0, 1, 1], [1, 1, 0, 0])
    )
    assert not math.isclose(one, other)
