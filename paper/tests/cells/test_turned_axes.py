"""Turning the axes of points with many features must not change what it is used for."""

from __future__ import annotations

import numpy as np
import pytest

from disco_paper.cells import turned_axes
from disco_paper.cells.cell import Spec, spec
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source
from disco_paper.cells.turned_axes import MEASURES, name_turned
from disco_paper.judging.paper_names import PAPER_INDICES, name_published

BOTH = [
    index for name in PAPER_INDICES for index in dict.fromkeys([name_published(name), spec(name)])
]
# VIASCKDE has no weights to speak of where all points are far apart.
COMPARED = [index for index in BOTH if index.name != "viasckde"]


def _case(n_features: int, scale: float = 1.0) -> Case:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(3), 20)
    points = scale * (rng.normal(size=(60, n_features)) + labels[:, None] * 0.3)
    return Case(Source(spec("made up"), points, labels), labels)


@pytest.mark.parametrize("index", COMPARED, ids=str)
def test_values_stay(index: Spec) -> None:
    given, again = _case(300), _case(300)
    assert measure(name_turned(index), given, MEASURES) == pytest.approx(
        measure(index, again), rel=1e-10
    )


def test_distances_stay_and_features_become_few() -> None:
    case = _case(300)
    measure(name_turned(spec("disco")), case, MEASURES)
    points = case.source.once(turned_axes._turn).points
    given = case.source.points
    assert points.shape == (60, 60)
    for row in (0, 17, 59):
        expected = np.linalg.norm(given - given[row], axis=1)
        assert np.linalg.norm(points - points[row], axis=1) == pytest.approx(expected, abs=1e-11)


def test_points_with_few_features_are_not_turned() -> None:
    case = _case(100)
    measure(name_turned(spec("disco")), case, MEASURES)
    assert not case.source._kept


def test_s_dbw_looks_at_features_and_is_left_alone() -> None:
    assert "s_dbw" not in turned_axes._TURNABLE
