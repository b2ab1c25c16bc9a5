"""MMJ-SC as published: the paper's tables, golden values, and what it makes of copies."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from sklearn.cluster import KMeans

import zoo
from definitions import mmj_sc as definition
from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.mmj_sc import published_mmj_sc
from reference_data import golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

TABLE_2 = {
    ("3-spiral", "gt"): 0.789484201001,
    ("3-spiral", "kmeans"): -0.00567043450653,
    ("complex9", "gt"): 0.442363771432,
    ("complex9", "kmeans"): 0.0285732545301,
}


@pytest.mark.parametrize(("name", "labeling"), TABLE_2)
def test_table_2(shared: Path, name: str, labeling: str) -> None:
    X, labels = load(shared, name)
    if labeling == "kmeans":
        k = len(np.unique(labels))
        labels = KMeans(n_clusters=k, random_state=0, n_init="auto").fit_predict(X)
    found = published_mmj_sc(X, labels)
    assert found == pytest.approx(TABLE_2[name, labeling], rel=0, abs=1e-9)


def test_table_3(shared: Path) -> None:
    X, labels = load(shared, "cluto-t8-8k")
    cut, first = labels.copy(), X[:, 0]
    cut[(first > -0.8) & (first < -0.05)] = -1
    cut[(cut >= 0) & (first < -0.8)] += 8
    rings = two_rings(build=1)
    columns = [
        (X, labels, 0.3091607233),
        (X, cut, 0.0143126091),
        (rings.points, rings.good_labels, 0.2447415995),
        (rings.points, rings.bad_labels, 0.3234472925),
    ]
    for points, labeling, expected in columns:
        assert published_mmj_sc(points, labeling) == pytest.approx(expected, rel=0, abs=1e-9)


def test_golden_values(shared: Path) -> None:
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "mmj_sc"]
    assert len(rows) == 75
    for row in rows:
        X, _ = load(shared, row["dataset"])
        labels = golden_labels(shared, row["dataset"], row["labeling"])
        found = published_mmj_sc(X, labels)
        assert found == pytest.approx(row["value"], rel=0, abs=1e-13), row


def literal(points: zoo.Points, labels: zoo.Codes) -> float | None:
    """Return the score by the definition, with steps of length 0 missing; None: an error."""
    distances = np.round(definition.distances_of(points), 15)
    distances[distances == 0] = np.inf
    jumps = definition.min_max_jumps(distances)
    if np.isinf(jumps).any():
        return None
    samples = definition.samples_from(jumps, labels.tolist())
    return None if samples is None else math.fsum(samples) / len(samples)


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=2, most=30))
def test_copies_are_as_far_apart_as_the_nearest_other_place(case: zoo.Case) -> None:
    expected = literal(case.points, case.labels)
    if expected is None:
        with pytest.raises(ValueError, match=r"MMJ-SC needs two groups|not all identical"):
            published_mmj_sc(case.points, case.labels)
    else:
        found = published_mmj_sc(case.points, case.labels)
        assert found == pytest.approx(expected, rel=0, abs=1e-12)
