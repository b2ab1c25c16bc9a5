"""DCSI as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

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

published_dcsi = partial(score_published, "dcsi")

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


@pytest.mark.parametrize("column", TABLE)
def test_tables_of_the_paper(shared: Path, column: str) -> None:
    points, labels = (table_2(shared) | table_3(shared))[column]
    expected = TABLE[column]
    score = published_dcsi(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for labeling, labels, value in golden_cases(shared, "dcsi", name):
        if value is None:
            with pytest.raises(ValueError, match="without core points"):
                published_dcsi(points, labels, raw_labels=True)
            continue
        score = published_dcsi(points, labels, raw_labels=True)
        assert score == pytest.approx(value, rel=0, abs=1e-14), labeling


def test_number_of_golden_values(shared: Path) -> None:
    assert len(golden_values(shared, "dcsi")) == 90


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
