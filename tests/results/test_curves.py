"""Curves along min_points: the scores of each value alone, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from disco_cvi import (
    DensityTree,
    InvalidInputError,
    MinPointsCurve,
    disco_curve,
    disco_score,
    pair_curve,
    pair_score,
)
from helpers import zoo

POINTS = zoo.POINTS["blobs"]
LABELS = zoo.many_labels(len(POINTS))
CURVES = [(disco_curve, disco_score), (pair_curve, pair_score)]
each_index = pytest.mark.parametrize(("curve", "score"), CURVES)


@pytest.mark.small
@each_index
@zoo.examples(30)
@given(case=zoo.cases())
def test_a_curve_holds_the_scores_of_each_value(
    curve: Callable[..., MinPointsCurve], score: Callable[..., float], case: zoo.Case
) -> None:
    points, labels = case.points, case.labels
    found = curve(points, labels)
    values = range(1, min(30, len(points)) + 1)
    assert found.min_points.tolist() == list(values)
    expected = [score(points, labels, min_points=value) for value in values]
    assert found.scores.tolist() == expected
    assert found.best == 1 + int(np.argmax(expected))


@pytest.mark.small
@each_index
def test_trees_may_stand_for_the_points(
    curve: Callable[..., MinPointsCurve], score: Callable[..., float]
) -> None:
    trees = DensityTree.for_min_points(POINTS, [2, 3, 7], metric="manhattan")
    found = curve(trees, LABELS)
    assert found.min_points.tolist() == [2, 3, 7]
    assert found[3] == score(POINTS, LABELS, min_points=3, metric="manhattan")
    assert curve(dict(trees), LABELS, [7]).scores.tolist() == [found[7]]
    with pytest.raises(KeyError):
        found[4]


@pytest.mark.small
def test_one_value_is_a_curve_too() -> None:
    found = disco_curve(POINTS, LABELS, [4], n_jobs=2)
    assert len(found) == 1
    assert found.best == 4


@pytest.mark.small
def test_a_curve_is_shown() -> None:
    found = disco_curve(POINTS, LABELS, [3, 2], noise_label=None)
    assert repr(found).startswith("MinPointsCurve('disco', min_points=[2, 3]; from ")
    lines = str(found).splitlines()
    assert lines[0].split() == ["min_points", "DISCO"]
    assert lines[1].split() == ["2", f"{found[2]:.3f}"]
    assert "DISCO" in found._repr_html_()
    frame = found.to_frame()
    assert frame.columns.tolist() == ["min_points", "score"]
    assert frame["score"].tolist() == found.scores.tolist()
    assert found.to_dict()["scores"] == found.scores.tolist()
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0] = 1


def test_a_curve_is_drawn() -> None:
    ax = pair_curve(POINTS, LABELS, range(1, 9)).plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("min_points", "Pair score")
    assert ax.lines[0].get_xdata().tolist() == list(range(1, 9))  # type: ignore[union-attr]


@pytest.mark.small
def test_wrong_arguments() -> None:
    tree = DensityTree(POINTS, min_points=3)
    wrong: list[tuple[Any, Any, type[Exception], str]] = [
        (tree, None, TypeError, "X of disco_curve must be points, or .*got one DensityTree"),
        ({}, None, InvalidInputError, "X of disco_curve must be points, or .*got no trees"),
        ({3: 5}, None, TypeError, r"got 5 \(int\) for 3"),
        ({4: tree}, None, TypeError, "got .* for 4"),
        ({3: tree}, [3, 5], InvalidInputError, "among those of the trees, 3; got 5"),
        (POINTS, [0], InvalidInputError, "min_points of disco_curve must be an integer from 1"),
        (POINTS, 5, TypeError, "min_points of disco_curve must be one integer or more"),
    ]
    for points, values, error, message in wrong:
        with pytest.raises(error, match=message):
            disco_curve(points, LABELS, values)
    with pytest.raises(InvalidInputError, match="metric of disco_curve must be left out or be"):
        disco_curve({3: tree}, LABELS, metric="cosine")


def test_doubtful_noise_is_told_once() -> None:
    trees = DensityTree.for_min_points(POINTS, [2, 3])
    with pytest.warns(UserWarning, match="No point has the noise_label 99") as told:
        disco_curve(trees, LABELS, noise_label=99)
    assert len(told) == 1
