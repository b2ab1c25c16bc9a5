"""CVDD as published: the paper's tables, golden values, and its edge cases."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from disco_paper.datasets import two_rings
from helpers.reference_values import golden_labels, golden_values, load, table_2, table_3
from paper_helpers.published import score_published

if TYPE_CHECKING:
    from pathlib import Path

published_cvdd = partial(score_published, "cvdd")

TABLE_2 = [189.34725614, 0.576056296333, 689.402844113, 25.859470135]
TABLE_3 = [0.06996168715, 0.1523668867, 37.74071981, 0.06771486578]


def test_table_2(shared: Path) -> None:
    found = [published_cvdd(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=1e-9)


def test_table_3(shared: Path) -> None:
    found = [published_cvdd(*column) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=1e-9)


def test_golden_values(shared: Path) -> None:
    values = golden_values(shared, "cvdd")
    assert len(values) == 63
    for (name, labeling), value in values.items():
        X, _ = load(shared, name)
        labels = golden_labels(shared, name, labeling)
        if value is None:
            with pytest.raises(ValueError, match="of two points or more"):
                published_cvdd(X, labels)
        else:
            tolerance = 1e-13 if (labels == -1).any() else 1e-12
            found = published_cvdd(X, labels)
            assert found == pytest.approx(value, rel=tolerance), (name, labeling)


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
