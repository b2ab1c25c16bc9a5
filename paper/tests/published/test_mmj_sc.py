"""MMJ-SC as published: the paper's tables, golden values, and what it makes of copies."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from definitions import mmj_sc as definition
from definitions.distances import distances_of
from helpers import zoo
from helpers.reference_values import golden_labels, golden_values, load, table_2, table_3
from paper_helpers.published import score_published

if TYPE_CHECKING:
    from pathlib import Path

published_mmj_sc = partial(score_published, "mmj_sc")

TABLE_2 = [0.789484201001, -0.00567043450653, 0.442363771432, 0.0285732545301]
TABLE_3 = [0.3091607233, 0.0143126091, 0.2447415995, 0.3234472925]


def test_table_2(shared: Path) -> None:
    found = [published_mmj_sc(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=0, abs=1e-9)


def test_table_3(shared: Path) -> None:
    found = [published_mmj_sc(*column) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=0, abs=1e-9)


def test_golden_values(shared: Path) -> None:
    values = golden_values(shared, "mmj_sc")
    assert len(values) == 75
    for (name, labeling), value in values.items():
        X, _ = load(shared, name)
        labels = golden_labels(shared, name, labeling)
        found = published_mmj_sc(X, labels)
        assert found == pytest.approx(value, rel=0, abs=1e-13), (name, labeling)


def literal(points: zoo.Points, labels: zoo.Codes) -> float | None:
    """Return the score by the definition, with steps of length 0 missing; None: an error."""
    distances = np.round(distances_of(points), 15)
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
