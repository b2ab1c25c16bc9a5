"""Displays: what all of them promise, whichever picture they are."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.cluster import DBSCAN

from disco_cvi import DensityTree, Evaluation, compare, evaluate, explain
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots import (
    ComparisonDisplay,
    DensityLineDisplay,
    EpsCurveDisplay,
    NoiseDisplay,
    PointwiseMapDisplay,
    ScoreBarsDisplay,
)
from disco_cvi.plots.display import Display

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [20.0, 3]])
LABELS = [0, 0, 0, 0, 1, 1, 1, 1, -1]
OF_EXPLANATIONS: list[Any] = [
    DensityLineDisplay,
    EpsCurveDisplay,
    NoiseDisplay,
    PointwiseMapDisplay,
    ScoreBarsDisplay,
]
MADE: dict[str, Callable[[], Display]] = {
    kind.__name__: lambda kind=kind: kind.from_predictions(X, LABELS, min_points=2)
    for kind in OF_EXPLANATIONS
} | {
    "ComparisonDisplay": lambda: ComparisonDisplay.from_predictions(
        X, {"these": LABELS, "others": [0] * 9}, min_points=2
    )
}


def texts(figure: Any) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text()]


# --- scikit-learn's convention -------------------------------------------------------------------


@pytest.mark.parametrize("name", MADE)
def test_data_first_then_plot(name: str) -> None:
    display = MADE[name]()
    for attribute in ("ax_", "axes_", "figure_"):
        assert not hasattr(display, attribute)
    for parameter in inspect.signature(type(display)).parameters:
        assert hasattr(display, parameter)
    assert display.plot() is display
    assert isinstance(display.ax_, Axes)
    assert isinstance(display.figure_, Figure)
    assert getattr(display, "axes_", [display.ax_])[0].has_data()
    drawn = {key: value for key, value in vars(display).items() if key.endswith("_")}
    assert set(drawn) > {"ax_", "figure_"}, "artists"


@pytest.mark.parametrize("name", MADE)
def test_draws_into_the_given_axes(name: str) -> None:
    figure = Figure()
    first, second = figure.subplots(1, 2)
    display = MADE[name]().plot(ax=second)
    assert display.ax_.figure is display.figure_ is figure
    assert not first.has_data()
    figure.draw_without_rendering()


def test_the_figure_of_axes_in_a_part_of_it_is_the_whole() -> None:
    figure = Figure()
    part = figure.add_subfigure(figure.add_gridspec(1, 2)[0])
    display = MADE[min(MADE)]().plot(ax=part.subplots())
    assert display.ax_.figure is part
    assert display.figure_ is figure


@pytest.mark.parametrize("name", MADE)
def test_can_be_drawn_again_and_in_the_dark(name: str) -> None:
    display = MADE[name]()
    light = display.plot().figure_
    dark: Any = display.plot(theme="dark").figure_
    assert dark is not light
    assert light.get_facecolor() == (1, 1, 1, 1)
    assert max(dark.get_facecolor()[:3]) < 0.15
    # Nothing that is written or drawn in black on black.
    inks = {text.get_color() for text in texts(dark)}
    assert not inks & {"#222222", "black", "k", "#666666"}
    dark.draw_without_rendering()


@pytest.mark.parametrize("name", MADE)
def test_title_is_the_statement_and_facts_stand_below_it(name: str) -> None:
    display = MADE[name]()
    written = " ".join(text.get_text() for text in texts(display.plot().figure_))
    written = " ".join(written.split())
    assert display.title in written
    for fact in display.facts:
        assert fact in written
    assert repr(display) == f"<{name}: {display.title}>"


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ax": "here"}, "ax of {}.plot must be matplotlib axes or None; got 'here'"),
        ({"theme": "blue"}, "theme of {}.plot must be 'light' or 'dark'; got 'blue'"),
        ({"theme": 3}, "theme of {}.plot must be 'light' or 'dark'; got 3"),
    ],
)
def test_what_plot_refuses(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message.format(name)):
        MADE[name]().plot(**options)


@pytest.mark.parametrize("name", MADE)
def test_without_matplotlib_data_are_there_and_plot_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    display = MADE[name]()
    assert display.title
    with pytest.raises(ImportError, match=rf"^{name}.plot needs matplotlib.*disco-cvi\[plots\]'.$"):
        display.plot()


# --- from predictions, explanations, estimators --------------------------------------------------


@pytest.mark.parametrize("kind", OF_EXPLANATIONS)
def test_all_ways_lead_to_the_same_display(kind: Any) -> None:
    tree = DensityTree(X, min_points=2)
    clusterer = DBSCAN(eps=2, min_samples=2)
    by_labels = kind.from_predictions(X, LABELS, min_points=2)
    # A map needs to know where points are.
    data = X if kind is PointwiseMapDisplay else tree
    by_tree = kind.from_predictions(data, LABELS, min_points=2)
    by_explanation = kind.from_explanation(explain(X, LABELS, min_points=2))
    unfitted = kind.from_estimator(clusterer, X, min_points=2)
    assert not hasattr(clusterer, "labels_")
    fitted = kind.from_estimator(clusterer.fit(X), X, min_points=2)
    # A frame is no tree, whatever its columns are called.
    frame = pd.DataFrame(X, columns=["n_points", "tree"])
    framed = kind.from_estimator(clusterer, frame, min_points=2)
    for other in (by_tree, by_explanation, unfitted, fitted, framed):
        assert (other.title, other.facts) == (by_labels.title, by_labels.facts)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda kind: kind.from_estimator(DBSCAN().fit(X[:5]), X),
            "clusterer of {}.from_estimator must have been fitted on X, 9 points; got one that was "
            "fitted on 5 points. Fit it on X, or pass the labels to from_predictions.",
        ),
        (
            lambda kind: kind.from_estimator(3, X),
            "clusterer of {}.from_estimator must be a clusterer, with labels_ or fit_predict; got",
        ),
        (
            lambda kind: kind.from_explanation({}),
            "explanation of {}.from_explanation must be what explain returns; got {{}}",
        ),
    ],
)
@pytest.mark.parametrize("kind", OF_EXPLANATIONS)
def test_what_makes_no_display(kind: Any, wrong: Callable[[Any], Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message.format(kind.__name__)):
        wrong(kind)


# --- objects that lead to their picture -----------------------------------------------------------

KINDS = {
    "map": PointwiseMapDisplay,
    "bars": ScoreBarsDisplay,
    "noise": NoiseDisplay,
    "line": DensityLineDisplay,
    "eps": EpsCurveDisplay,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("of", [explain, evaluate])
def test_explanations_and_evaluations_draw_themselves(kind: str, of: Any) -> None:
    display: Any = of(X, LABELS, min_points=3).plot(kind, theme="dark")
    expected: Any = KINDS[kind]
    assert isinstance(display, expected)
    known = expected.from_predictions(X, LABELS, min_points=3)
    assert (display.title, display.facts) == (known.title, known.facts)
    assert max(display.figure_.get_facecolor()[:3]) < 0.15


def test_the_default_is_the_map_if_it_is_known_where_points_are() -> None:
    tree = DensityTree(X, min_points=3)
    assert isinstance(explain(X, LABELS, min_points=3).plot(), PointwiseMapDisplay)
    assert isinstance(evaluate(tree, LABELS).plot(), ScoreBarsDisplay)
    assert isinstance(explain(tree, LABELS).plot(embedding=X), PointwiseMapDisplay)
    message = "kind of plot must be one of 'map', 'bars', 'noise', 'line', 'eps'; got 'pie'"
    with pytest.raises(ValueError, match=message):
        explain(X, LABELS, min_points=3).plot("pie")


def test_evaluations_take_their_own_min_points_and_remember_their_points() -> None:
    evaluation = evaluate(X, LABELS, "disco", parameters={"disco": {"min_points": 2}})
    assert evaluation.plot("bars").score == evaluation["disco"]
    with pytest.raises(ValueError, match="This evaluation does not remember its points"):
        Evaluation((), 3, 1, 0).plot()


def test_comparisons_and_trees_draw_themselves() -> None:
    comparison = compare(X, {"a": LABELS, "b": [0] * 9}, "disco")
    assert len(comparison.plot(embedding=-X, theme="dark").maps_) == 2
    tree = DensityTree(X, min_points=3)
    assert tree.plot().codes is None
    ax = Figure().add_subplot()
    assert tree.plot(LABELS, ax=ax).ax_ is ax


# --- names and edge cases ------------------------------------------------------------------------

LONG = "a very long name " * 9
HOSTILE = ["$x_1$", "$\\frac{", "</script><b>", LONG, "a\nb", "\u202eabc", "%s {x} \\n", " "]


@pytest.mark.parametrize("kind", OF_EXPLANATIONS)
def test_names_are_shown_as_text_and_not_parsed(kind: Any) -> None:
    points = (np.arange(len(HOSTILE))[:, None] * 10.0 + np.arange(4)).reshape(-1, 1)
    figure = kind.from_predictions(points, np.repeat(HOSTILE, 4), min_points=2).plot().figure_
    figure.draw_without_rendering()
    for text in texts(figure):
        assert not (text.get_parse_math() and "$" in text.get_text())
        assert LONG[:30] not in text.get_text()


# What no font of matplotlib has: of other scripts, pictures, half of a pair, and not even assigned.
STRANGE = ["\u732b", "\U0001f996 cat", "\ud800", "\U0003ffff", "caf\u00e9 \u2264 1"]


@pytest.mark.parametrize("kind", [*OF_EXPLANATIONS, ComparisonDisplay])
@pytest.mark.parametrize("families", [["sans-serif"], ["no such font"]])
def test_letters_that_the_font_lacks_are_boxes_without_a_warning(
    kind: Any, families: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rcParams, "font.family", families)
    points = (np.arange(len(STRANGE))[:, None] * 10.0 + np.arange(4)).reshape(-1, 1)
    labels: Any = np.repeat(np.array(STRANGE, object), 4)
    labels = {STRANGE[1]: labels} if kind is ComparisonDisplay else labels
    display = kind.from_predictions(points, labels, min_points=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for axes in (None, Figure().add_subplot()):
            display.plot(axes).figure_.canvas.draw()
    if kind in (ComparisonDisplay, PointwiseMapDisplay, ScoreBarsDisplay):
        shown = " ".join(text.get_text() for text in texts(display.plot().figure_))
        assert "\N{WHITE SQUARE} cat" in shown
        assert STRANGE[1] not in shown
    if kind is PointwiseMapDisplay:
        assert display.names == tuple(sorted(STRANGE)), "data keep the names"


@pytest.mark.parametrize("kind", [*OF_EXPLANATIONS, ComparisonDisplay])
@pytest.mark.parametrize("data", ["points", "tree"])
def test_labels_of_other_rows_are_refused(kind: Any, data: str) -> None:
    frame = pd.DataFrame(X, index=list("abcdefghi"))
    labels: Any = pd.Series(LABELS, index=list("abcdefgih"))
    labels = {"these": labels} if kind is ComparisonDisplay else labels
    known = frame if data == "points" else DensityTree(frame, min_points=2)
    with pytest.raises(InvalidInputError, match=r"labels.* index"):
        kind.from_predictions(known, labels, min_points=2)
    if kind is DensityLineDisplay:
        with pytest.raises(InvalidInputError, match=r"DensityLineDisplay\.from_tree"):
            kind.from_tree(DensityTree(frame, min_points=2), labels)


EDGES: dict[str, tuple[Any, Any]] = {
    "one point": ([[1.0, 2.0]], [0]),
    "one noise point": ([[1.0, 2.0]], [-1]),
    "all noise": (X, [-1] * 9),
    "one cluster": (X, [0] * 9),
    "one cluster and noise": (X, [0] * 8 + [-1]),
    "no noise": (X, [0] * 4 + [1] * 5),
    "all alone": (X, list(range(9))),
    "one feature": (X[:, :1], LABELS),
    "many features": (np.tile(X, 4), LABELS),
    "copies": (np.ones((9, 2)), LABELS),
}


@pytest.mark.parametrize("kind", [*OF_EXPLANATIONS, ComparisonDisplay])
@pytest.mark.parametrize("edge", EDGES)
def test_edge_cases_are_drawn(kind: Any, edge: str) -> None:
    points, labels = EDGES[edge]
    if kind is ComparisonDisplay:
        labels = {LONG: labels, "$x_1$": [-1] * len(points)}
    display = kind.from_predictions(points, labels, min_points=min(2, len(points)))
    display.plot().figure_.draw_without_rendering()
    for text in texts(display.figure_):
        assert not (text.get_parse_math() and "$" in text.get_text())
        assert LONG[:30] not in text.get_text()
    assert len(display.title) > 10
