"""Values that fuzzing found: each gives the documented error, which names the argument."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from disco_cvi import (
    DensityTree,
    compare,
    disco_score,
    evaluate,
    explain,
    viasckde_score,
)
from disco_cvi._input.options import check_jobs, check_number
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError

pytestmark = pytest.mark.small

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [8.0, 8.0], [8.0, 9.0], [9.0, 8.0]])
LABELS = [0, 0, 0, 1, 1, 1]
HUGE = 10**400


# --- numbers beyond all floats --------------------------------------------------------------------


@pytest.mark.parametrize("value", [HUGE, -HUGE, Fraction(HUGE)])
def test_a_number_beyond_all_floats_is_refused_by_its_name(value: Any) -> None:
    with pytest.raises(InvalidInputError, match="eps of cut must be a finite number"):
        check_number(value, "eps", "cut")


def test_a_bandwidth_beyond_all_floats() -> None:
    with pytest.raises(InvalidInputError, match="bandwidth of viasckde_score must be a finite"):
        viasckde_score(X, LABELS, bandwidth=HUGE)


@pytest.mark.parametrize("distance", [HUGE, Fraction(HUGE)])
def test_a_metric_that_returns_a_number_beyond_all_floats(distance: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"metric of disco_score, .*could not be computed"):
        disco_score(X, LABELS, min_points=2, metric=lambda _x, _y: distance)


def test_parameters_of_a_metric_beyond_all_floats() -> None:
    weights = {"w": [HUGE, 1]}
    with pytest.raises(InvalidInputError, match="metric_params of disco_score: w must be an array"):
        disco_score(X, LABELS, min_points=2, metric="minkowski", metric_params=weights)


def test_an_integer_that_python_does_not_write() -> None:
    with pytest.raises(InvalidInputError, match=r"min_points of disco_score .* got <int>"):
        disco_score(X, LABELS, min_points=-(10**5000))
    with pytest.raises(InvalidInputError, match="labels of disco_score must be integers that"):
        disco_score(X, [10**5000] * 3 + [1] * 3, min_points=2)


@pytest.mark.parametrize("n_jobs", [2**63, HUGE])
def test_more_threads_than_any_system_has_are_as_many_as_help(n_jobs: int) -> None:
    assert 64 <= check_jobs(n_jobs, "f") < 2**20
    assert disco_score(X, LABELS, min_points=2, n_jobs=n_jobs) == disco_score(
        X, LABELS, min_points=2
    )


# --- kinds of numbers and containers --------------------------------------------------------------


@pytest.mark.parametrize("text", ["nan", "snan"])
def test_decimals_that_are_missing(text: str) -> None:
    points: Any = [[Decimal(text)], [Decimal(1)], [Decimal(3)]]
    with pytest.raises(InvalidInputError, match="X of disco_score holds NaN in 1 row"):
        disco_score(points, [0, 0, 1], min_points=2)
    labels: Any = [Decimal(text), 0, 1]
    with pytest.raises(InvalidInputError, match="labels of disco_score must be complete; 1 label"):
        disco_score([[1.0], [2.0], [3.0]], labels, min_points=2)


def test_masked_records() -> None:
    records = np.ma.array(np.zeros(6, dtype=[("a", int)]), mask=[True] + [False] * 5)
    with pytest.raises(InvalidTypeError, match="labels of disco_score must be integers"):
        disco_score(X, records, min_points=2)
    with pytest.raises(InvalidInputError, match="X of disco_score must be two-dimensional"):
        disco_score(records, LABELS, min_points=2)


def test_rows_of_distance_that_do_not_go_together() -> None:
    tree = DensityTree(X, min_points=2)
    ragged: Any = [[0, 1], [2]]
    for name, rows in (("i", (ragged, 1)), ("j", (1, ragged))):
        with pytest.raises(InvalidInputError, match=f"{name} of distance cannot be made an array"):
            tree.distance(*rows)
    with pytest.raises(InvalidInputError, match=r"j of distance must .* got shape \(2,\)"):
        tree.distance([0, 1, 2], [0, 1])


# --- names that data frames cannot hold -----------------------------------------------------------


def frames_of_strange_names() -> list[tuple[str, Callable[[str], Any]]]:
    lone, large = ["\ud800"] * 3 + ["b"] * 3, [2**130] * 3 + [1] * 3
    text, number = (explain(X, labels, min_points=2) for labels in (lone, large))
    named = compare(X, {"\ud800": LABELS}, ["disco"], min_points=2)
    return [
        ("pandas", lambda backend: text.to_frame(backend=backend)),
        ("polars", lambda backend: text.to_frame("clusters", backend=backend)),
        ("polars", lambda backend: number.to_frame(backend=backend)),
        ("polars", lambda backend: named.to_frame(backend=backend)),
    ]


@pytest.mark.parametrize("case", range(4))
def test_names_that_a_data_frame_cannot_hold(case: int) -> None:
    backend, frame = frames_of_strange_names()[case]
    library = pytest.importorskip(backend)
    if backend == "pandas" and library.__version__.startswith("2."):  # it holds any text
        assert "\ud800" in set(frame(backend)["cluster"])
        return
    with pytest.raises(InvalidInputError, match=f"backend of to_frame, {backend}, cannot hold a"):
        frame(backend)


# --- a covariance that cannot be ------------------------------------------------------------------


@pytest.mark.parametrize("function", [disco_score, evaluate])
def test_mahalanobis_refuses_more_columns_than_rows_before_the_work(
    function: Callable[..., Any],
) -> None:
    wide = np.random.default_rng(0).random((12, 3000))
    begin = time.process_time()
    with pytest.raises(InvalidInputError, match="more rows than columns"):
        function(wide, [0] * 6 + [1] * 6, metric="mahalanobis")
    assert time.process_time() - begin < 2.0  # it took 22 seconds


# --- plots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, -1.0, True, "2", [1, 2], math.nan, HUGE])
@pytest.mark.parametrize("name", ["labels_map", "pointwise_map"])
def test_maps_check_the_size_of_points(name: str, size: Any) -> None:
    plots = pytest.importorskip("disco_cvi.plots")
    with pytest.raises((InvalidInputError, InvalidTypeError), match=f"size of {name} must be a"):
        getattr(plots, name)(X, LABELS, size=size)


@pytest.mark.parametrize("legend", [np.zeros(2), ["right"], 1, "left"])
def test_plots_check_the_place_of_the_legend(legend: Any) -> None:
    plots = pytest.importorskip("disco_cvi.plots")
    with pytest.raises(InvalidInputError, match="legend of score_curve must be 'right'"):
        plots.score_curve([1, 2], {"a": [1, 2]}, legend=legend)


@pytest.mark.parametrize("colors", ["red", ["red"], 5, {1: "red"}, {"a": "no color"}, {"a": 5}])
def test_plots_check_colors(colors: Any) -> None:
    plots = pytest.importorskip("disco_cvi.plots")
    with pytest.raises((InvalidInputError, InvalidTypeError), match="colors of score_curve must"):
        plots.score_curve([1, 2], {"a": [1, 2]}, colors=colors)


@pytest.mark.parametrize("samples", [[HUGE] * 6, [1j] * 6, np.zeros(6, complex)])
def test_plots_refuse_what_is_no_number_that_can_be_drawn(samples: Any) -> None:
    plots = pytest.importorskip("disco_cvi.plots")
    with pytest.raises(ArgumentError, match=r"samples of pointwise_map .*(real numbers|64-bit)"):
        plots.pointwise_map(X, samples)


def test_scores_that_are_all_missing_are_refused_without_a_warning() -> None:
    plots = pytest.importorskip("disco_cvi.plots")
    with pytest.raises(InvalidInputError, match=r"samples of pointwise_map must lie .* got NaN"):
        plots.pointwise_map(X, [math.nan] * 6)
