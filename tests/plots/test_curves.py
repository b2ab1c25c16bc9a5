"""Curves of scores: means, gaps, bands, names, and what is no number."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from disco_cvi._input.options import check_numbers
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.plots import pointwise_map, score_curve
from disco_cvi.plots.style import LIGHT

HUGE = np.full(4, np.longdouble("1e4000"))
X = np.arange(8.0).reshape(4, 2)


def test_a_curve_is_the_mean_of_the_runs_that_have_a_value() -> None:
    ax = score_curve([1, 2, 3], {"lccv": [[1.0, np.nan, 3.0], [3.0, 5.0, np.nan]]}, band=None)
    assert np.asarray(ax.lines[0].get_ydata()).tolist() == [2.0, 5.0, 3.0]
    assert not ax.collections
    ax = score_curve([1, 2, 3], {"lccv": [[1.0, None, 3.0], [3.0, None, 1.0]]})
    gaps = np.isnan(np.asarray(ax.lines[0].get_ydata(), dtype=float))
    assert gaps.tolist() == [False, True, False]


def test_the_band_is_the_bootstrap_interval_of_the_mean() -> None:
    runs = np.random.default_rng(3).normal(0.5, 0.2, size=(400, 2))
    band: Any = score_curve([1, 2], {"disco": runs}, band=0.75).collections[0]
    corners = band.get_paths()[0].vertices
    low, high = (np.array([f(corners[corners[:, 0] == x, 1]) for x in (1, 2)]) for f in (min, max))
    # For many runs it is the normal interval: 1.15 standard errors of the mean to either side.
    expected = 1.15 * runs.std(axis=0) / np.sqrt(len(runs))
    assert (high - low) / 2 == pytest.approx(expected, rel=0.1)
    assert (high + low) / 2 == pytest.approx(runs.mean(axis=0), abs=0.003)


def test_best_means_are_circled() -> None:
    ax = score_curve([1, 2, 4], {"disco": [0.1, 0.7, 0.3], "cvdd": [None] * 3}, mark_best=True)
    circles: list[Any] = [line for line in ax.lines if len(np.asarray(line.get_xdata())) == 1]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in circles] == [(2.0, 0.7)]


def test_names_have_a_color_each_and_indices_their_titles() -> None:
    names = ["disco", "s_dbw", "Iris", "\u732b"]
    ax: Any = score_curve([1], {name: [0.5] for name in names}, colors={"Iris": "#123456"})
    colors = [LIGHT.labels[0], LIGHT.labels[1], "#123456", LIGHT.labels[3]]
    assert [line.get_color() for line in ax.lines] == colors
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == ["DISCO", "S_Dbw", "Iris", "\N{WHITE SQUARE}"]
    assert score_curve([1], {"a": [1]}, legend=None).get_legend() is None


@pytest.mark.parametrize("names", [["a long name " * 9], [f"name {i}" for i in range(60)]])
@pytest.mark.parametrize("legend", ["right", "below", "inside"])
def test_a_large_legend_leaves_the_axes_some_space(names: list[str], legend: str) -> None:
    ax: Any = score_curve([1, 2], {name: [0.5, 0.6] for name in names}, legend=legend)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.draw_without_rendering()
    assert ax.get_position().width > 0.2


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: score_curve([1, 2], {"a": [1]}), r"each of the 2 values of x.* got shape \(1,\)"),
        (lambda: score_curve([1], {"a": [np.inf]}), r"scores\['a'\] of score_curve holds infinity"),
        (lambda: score_curve([1], {}), "scores of score_curve must not be empty"),
        (lambda: score_curve([1], {1: [1]}), "must map names"),  # type: ignore[dict-item]
        (lambda: score_curve([1], {"a": [1]}, band="1"), "band of score_curve must be a finite"),  # type: ignore[arg-type]
        (lambda: score_curve(HUGE, {"a": np.zeros(4)}), "infinity"),
        (lambda: pointwise_map(X, HUGE), "infinity"),
        (lambda: check_numbers([HUGE], "embedding", "plane_of", ndim=2), "infinity"),
    ],
)
def test_values_that_cannot_be_drawn(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises((InvalidInputError, TypeError), match=message):
        wrong()


@pytest.mark.parametrize(
    "values",
    [["0.5"] * 4, np.zeros(4, "m8[s]"), np.zeros(4, "M8[s]"), [1j] * 4]
    + [np.array([1, other, 1, 1], object) for other in ("2", np.timedelta64(2, "s"))],
)
def test_what_is_no_number_is_not_drawn(values: Any) -> None:
    """Neither text nor dates, although NumPy makes numbers of them."""
    with pytest.raises(InvalidTypeError, match="x of score_curve must hold real numbers; got "):
        score_curve(values, {"a": [0.1] * 4})
    with pytest.raises(InvalidTypeError, match="samples of pointwise_map must hold real numbers"):
        pointwise_map(X, values)


def test_objects_that_are_numbers_are_taken_and_missing_ones_are_no_values() -> None:
    given = np.array([1, None, Decimal("2.5"), True], object)
    assert np.array_equal(check_numbers(given, "x", "f"), [1, np.nan, 2.5, 1], equal_nan=True)
