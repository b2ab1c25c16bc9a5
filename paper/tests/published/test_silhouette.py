"""The Silhouette of the DISCO paper: its tables, and what its program returned elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from helpers.reference_values import (
    GOLDEN_SETS,
    LABELINGS,
    golden_labels,
    golden_values,
    load,
    table_2,
    table_3,
)
from paper_helpers.published import score_published

if TYPE_CHECKING:
    from pathlib import Path

published_silhouette = partial(score_published, "silhouette")

# Values of the published program, with all digits that are known.
TABLE_2 = [0.00139300722684, 0.359607896016, -0.0117356455026, 0.403420451524]
TABLE_3 = [0.06284062769, 0.09369351832, 0.06669828607, 0.3044063589]


def test_table_2(shared: Path) -> None:
    found = [published_silhouette(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=0, abs=1e-9)


def test_table_3(shared: Path) -> None:
    found = [published_silhouette(*column) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=1e-9, abs=0)


@pytest.mark.parametrize("labeling", LABELINGS)
@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str, labeling: str) -> None:
    value = golden_values(shared, "silhouette")[name, labeling]
    found = published_silhouette(load(shared, name)[0], golden_labels(shared, name, labeling))
    assert found == pytest.approx(value, rel=0, abs=1e-14)


def test_all_golden_values_are_compared(shared: Path) -> None:
    pairs = {(name, labeling) for name in GOLDEN_SETS for labeling in LABELINGS}
    assert set(golden_values(shared, "silhouette")) == pairs
    assert len(pairs) == 105


LINE = np.array([[0.0], [1.0], [5.0], [6.0]])


@pytest.mark.small
@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [-1, -1, -1, -1], [0, 1, 2, -1]])
def test_one_label_or_as_many_as_points_are_an_error(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="Silhouette needs"):
        published_silhouette(LINE, labels)


@pytest.mark.small
def test_noise_is_an_ordinary_cluster() -> None:
    assert published_silhouette(LINE, [0, 0, -1, -1]) == published_silhouette(LINE, [0, 0, 1, 1])
