"""Scores on one axis, as the paper's plots have them."""

from __future__ import annotations

import numpy as np
import pytest

from disco_paper.judging.paper_names import INDEX_INFOS
from disco_paper.judging.scaling import NORMALIZED, REVERSED, scale_for_plot


def test_what_is_reversed_and_normalized_follows_from_the_indices() -> None:
    indices = INDEX_INFOS.values()
    assert set(REVERSED) == {info.name for info in indices if not info.greater_is_better}
    assert set(NORMALIZED) == {info.name for info in indices if np.isinf(info.range[1])}


def test_bounded_indices_stay_as_they_are() -> None:
    scores = {"disco": [[-0.5, 0.25]], "lccv": [[1.0, 3.0]]}
    scaled = scale_for_plot(scores)
    assert {name: values.tolist() for name, values in scaled.items()} == {
        "DISCO": [[-0.5, 0.25]],
        "LCCV": [[1.0, 3.0]],
    }


def test_the_smallest_score_is_not_subtracted() -> None:
    assert scale_for_plot({"cdbw": [2.0, 4.0]})["CDbw (n)"].tolist() == [0.5, 1.0]


def test_reversed_before_normalized() -> None:
    assert scale_for_plot({"cvnn": [1.0, 5.0, 3.0]})["CVNN (r, n)"].tolist() == [1.0, 0.0, 0.5]


def test_the_maximum_is_that_of_all_runs() -> None:
    assert scale_for_plot({"cvdd": [[1.0, 2.0], [8.0, 4.0]]})["CVDD (n)"].tolist() == [
        [0.125, 0.25],
        [1.0, 0.5],
    ]


@pytest.mark.parametrize(("greatest", "expected"), [(2.9e-6, 0.0), (3.1e-6, 1.0)])
def test_next_to_nothing_is_nothing(greatest: float, expected: float) -> None:
    assert scale_for_plot({"cvdd": [greatest, 0.0]})["CVDD (n)"].tolist() == [expected, 0.0]


def test_equal_values_of_a_reversed_index_are_nothing() -> None:
    assert scale_for_plot({"s_dbw": [2.0, 2.0]})["S_Dbw (r, n)"].tolist() == [0.0, 0.0]


def test_missing_scores_stay_missing() -> None:
    scaled = scale_for_plot({"s_dbw": [2.0, None, 1.0], "cvdd": [None, None]})
    assert np.isnan(scaled["S_Dbw (r, n)"]).tolist() == [False, True, False]
    assert scaled["S_Dbw (r, n)"][[0, 2]].tolist() == [0.0, 1.0]
    assert np.isnan(scaled["CVDD (n)"]).all()


def test_scores_are_not_written_to() -> None:
    given = np.array([1.0, 2.0])
    scale_for_plot({"cvdd": given})
    assert given.tolist() == [1.0, 2.0]
