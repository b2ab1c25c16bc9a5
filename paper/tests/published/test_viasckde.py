"""VIASCKDE as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from helpers.reference_values import (
    GOLDEN_SETS,
    golden_cases,
    golden_values,
    load,
    table_2,
    table_3,
)
from paper_helpers.published import score_published

if TYPE_CHECKING:
    from pathlib import Path

published_viasckde = partial(score_published, "viasckde")

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


@pytest.mark.parametrize("column", TABLE)
def test_tables_of_the_paper(shared: Path, column: str) -> None:
    points, labels = (table_2(shared) | table_3(shared))[column]
    expected = TABLE[column]
    score = published_viasckde(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for labeling, labels, value in golden_cases(shared, "viasckde", name):
        score = published_viasckde(points, labels)
        expected = math.nan if value is None else value
        tolerance = 1e-9 * abs(expected) if name == "dartboard1" else 1e-12
        close = pytest.approx(expected, rel=0, abs=tolerance, nan_ok=True)
        assert score == close, labeling


def test_number_of_golden_values(shared: Path) -> None:
    assert len(golden_values(shared, "viasckde")) == 63


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
