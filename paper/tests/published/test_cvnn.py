"""The CVNN of the DISCO paper: its tables, and what its program returned on many labelings."""

from __future__ import annotations

import math
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

published_cvnn = partial(score_published, "cvnn")

# Values of the published program, with all digits that are known.
TABLE_2 = [5.49366776159, 3.63320601327, 5.11083884864, 4.78879799013]
TABLE_3 = [5.585068755, 4.855635491, 54.66766621, 58.1439757]


def test_table_2(shared: Path) -> None:
    found = [published_cvnn(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=0, abs=1e-9)


def test_table_3(shared: Path) -> None:
    found = [published_cvnn(*column) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=1e-9, abs=0)


@pytest.mark.parametrize("labeling", LABELINGS)
@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str, labeling: str) -> None:
    value = golden_values(shared, "cvnn")[name, labeling]
    found = published_cvnn(load(shared, name)[0], golden_labels(shared, name, labeling))
    # No value: the program returned NaN.
    assert found == pytest.approx(
        math.nan if value is None else value, rel=1e-12, abs=0, nan_ok=True
    )


def test_all_golden_values_are_compared(shared: Path) -> None:
    pairs = {(name, labeling) for name in GOLDEN_SETS for labeling in LABELINGS}
    assert set(golden_values(shared, "cvnn")) == pairs
    assert len(pairs) == 105


LINE = np.arange(12.0).reshape(-1, 1)


@pytest.mark.small
def test_only_noise_is_an_error() -> None:
    with pytest.raises(ValueError, match="CVNN needs"):
        published_cvnn(LINE, [-1] * 12)


@pytest.mark.small
def test_no_more_points_than_neighbors_are_an_error() -> None:
    with pytest.raises(ValueError, match="CVNN needs more than 10 points; got 10"):
        published_cvnn(LINE[:10], [0] * 10)


@pytest.mark.small
def test_a_single_point_gives_nan() -> None:
    assert math.isnan(published_cvnn(LINE, [0] * 11 + [1]))


@pytest.mark.small
def test_one_cluster_has_a_value() -> None:
    # Mean distance of two of 12 equally spaced points: 13/3. The neighbors of a point are all
    # others but the farthest; of the two in the middle of the line none is left out but one end.
    farthest = [11, 10, 9, 8, 7, 6, 6, 7, 8, 9, 10, 11]
    sums = [sum(abs(x - y) for y in range(12)) - farthest[x] for x in range(12)]
    assert published_cvnn(LINE, [0] * 12) == pytest.approx(13 / 3 + sum(sums) / 120, rel=1e-15)
