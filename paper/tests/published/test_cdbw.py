"""CDbw as published: the paper's tables, and what the paper's program returns."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from disco_paper.published import cdbw
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

published_cdbw = partial(score_published, "cdbw")

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


@pytest.mark.parametrize("column", TABLE)
def test_tables_of_the_paper(shared: Path, column: str) -> None:
    points, labels = (table_2(shared) | table_3(shared))[column]
    expected = TABLE[column]
    score = published_cdbw(points, labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    for labeling, labels, value in golden_cases(shared, "cdbw", name):
        score = published_cdbw(points, labels)
        assert score == pytest.approx(value, rel=1e-12, abs=0), labeling


def test_number_of_golden_values(shared: Path) -> None:
    assert len(golden_values(shared, "cdbw")) == 52


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


@pytest.mark.parametrize("dimension", [1, 2, 3, 8])
@pytest.mark.parametrize("radius", [0.0, 1e-9, 0.5, 1.0, 2.5, 100.0])
def test_counting_by_tree_is_counting(
    monkeypatch: pytest.MonkeyPatch, dimension: int, radius: float
) -> None:
    # A lattice has copies, and neighbors at exactly the radius; nodes lie inside, outside, across.
    members = np.random.default_rng(dimension).integers(0, 5, (700, dimension)).astype(float)
    monkeypatch.setattr(cdbw, "is_hard_to_search", lambda *_: False)
    by_tree = cdbw._shares(members, radius)
    monkeypatch.setattr(cdbw, "is_hard_to_search", lambda *_: True)
    assert by_tree.tolist() == cdbw._shares(members, radius).tolist()
    assert (by_tree > 0).any() == (radius > 0)
