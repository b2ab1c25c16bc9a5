"""Objects that lead to their picture in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from disco_cvi import DensityTree, Evaluation, compare, evaluate, explain
from disco_cvi import plots as all_plots

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [20.0, 3]])
LABELS = [0, 0, 0, 0, 1, 1, 1, 1, -1]
KINDS = {
    "map": "PointwiseMapDisplay",
    "bars": "ScoreBarsDisplay",
    "noise": "NoiseDisplay",
    "line": "DensityLineDisplay",
    "eps": "EpsCurveDisplay",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("of", [explain, evaluate])
def test_explanations_and_evaluations(kind: str, of: Any) -> None:
    display: Any = of(X, LABELS, min_points=3).plot(kind, theme="dark")
    expected: Any = getattr(all_plots, KINDS[kind])
    assert isinstance(display, expected)
    known = expected.from_predictions(X, LABELS, min_points=3)
    assert (display.title, display.facts) == (known.title, known.facts)
    assert max(display.figure_.get_facecolor()[:3]) < 0.15


@pytest.mark.parametrize("of", [explain, evaluate])
def test_the_default_is_the_map_if_it_is_known_where_points_are(of: Any) -> None:
    tree = DensityTree(X, min_points=3)
    assert isinstance(of(X, LABELS, min_points=3).plot(), all_plots.PointwiseMapDisplay)
    assert isinstance(of(tree, LABELS).plot(), all_plots.ScoreBarsDisplay)
    assert isinstance(of(tree, LABELS).plot(embedding=X), all_plots.PointwiseMapDisplay)


def test_evaluations_take_their_own_min_points() -> None:
    evaluation = evaluate(X, LABELS, "disco", parameters={"disco": {"min_points": 2}})
    assert evaluation.plot("bars").score == evaluation["disco"]


def test_an_evaluation_without_points_says_so() -> None:
    with pytest.raises(ValueError, match="This evaluation does not remember its points"):
        Evaluation((), 3, 1, 0).plot()


def test_comparisons() -> None:
    comparison = compare(X, {"a": LABELS, "b": [0] * 9}, "disco")
    display = comparison.plot(theme="dark")
    assert isinstance(display, all_plots.ComparisonDisplay)
    assert len(comparison.plot(embedding=-X).maps_) == 2


def test_trees() -> None:
    tree = DensityTree(X, min_points=3)
    assert tree.plot().codes is None
    ax = Figure().add_subplot()
    display = tree.plot(LABELS, ax=ax)
    assert isinstance(display, all_plots.DensityLineDisplay)
    assert display.ax_ is ax


def test_other_kinds_are_refused() -> None:
    message = "kind of plot must be one of 'map', 'bars', 'noise', 'line', 'eps'; got 'pie'"
    with pytest.raises(ValueError, match=message):
        explain(X, LABELS, min_points=3).plot("pie")
