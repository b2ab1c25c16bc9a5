"""Errors carry what they say as fields, and read as one sentence."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, InvalidInputError, compare, disco_score
from disco_cvi._input.labels import check_labels
from disco_cvi._input.options import check_choice, check_count, check_jobs
from disco_cvi._input.points import check_points
from disco_cvi.exceptions import ArgumentError, InvalidTypeError
from helpers.source import MODULES

pytestmark = pytest.mark.small

Fields = tuple[str | None, str | None, str | None, str | None, str | None]


def fields(error: ArgumentError) -> Fields:
    return error.argument, error.caller, error.rule, error.got, error.remedy


THREADS = "Pass a number of threads"
CONVERT = "Drop the column or convert it to numbers."
MEASURED = "Pass cluster labels, not measurements."
PLACES = "latitude and longitude in radians,"

CASES: list[tuple[Callable[[], Any], type[ArgumentError], Fields]] = [
    (
        lambda: check_choice("fliter", ("filter", "cluster"), "noise", "f"),
        InvalidInputError,
        ("noise", "f", "be one of 'filter', 'cluster'", "'fliter'", "Did you mean 'filter'?"),
    ),
    (
        lambda: check_count("3", "size", "f"),
        InvalidTypeError,
        ("size", "f", "be an integer of at least 1", "'3' (str)", None),
    ),
    (
        lambda: check_jobs(0, "f"),
        InvalidInputError,
        ("n_jobs", "f", "not be 0", None, f"{THREADS}, -1 for all CPUs, or None for one thread."),
    ),
    (
        lambda: check_points([["a"]], "f"),
        InvalidTypeError,
        ("X", "f", "hold real numbers", "'a' (str) in row 0, column 0", CONVERT),
    ),
    (
        lambda: check_labels([0.5], 1, -1, "f", argument="truth"),
        InvalidInputError,
        ("truth", "f", "be whole where they are numbers", "0.5 at position 0", MEASURED),
    ),
    (
        lambda: DensityTree([[0.0], [1.0]], metric="haversine"),
        InvalidInputError,
        ("X", "DensityTree", f"have 2 columns, {PLACES} for the metric 'haversine'", "1", None),
    ),
]


@pytest.mark.parametrize(("call", "kind", "expected"), CASES)
def test_fields_are_the_parts_of_the_message(
    call: Callable[[], Any], kind: type[ArgumentError], expected: Fields
) -> None:
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert fields(error) == expected
    argument, caller, rule, got, remedy = expected
    came = "" if got is None else f"; got {got}"
    advice = "" if remedy is None else f" {remedy}"
    assert str(error) == f"{argument} of {caller} must {rule}{came}.{advice}"
    assert error.worded("--it") == f"--it must {rule}{came}.{advice}"


def test_what_no_rule_says_is_a_problem() -> None:
    with pytest.raises(InvalidInputError) as caught:
        disco_score([[0.0], [np.nan]], [0, 0])
    error = caught.value
    assert (error.argument, error.caller, error.rule) == ("X", "disco_score", None)
    assert error.problem == "holds NaN in 1 row (first: row 1)"
    assert error.remedy == "Drop or fill them; density is not defined with missing values."
    assert str(error) == f"X of disco_score {error.problem}. {error.remedy}"


def test_a_problem_may_follow_the_subject_closely() -> None:
    with pytest.raises(InvalidInputError) as caught:
        DensityTree([[0.0], [1.0]], min_points=1, metric="minkowski", metric_params={"p": 0})
    error = caught.value
    assert str(error) == "metric_params of DensityTree: p must be a number above 0; got 0."
    assert error.worded("--metric-params") == "--metric-params: p must be a number above 0; got 0."


@pytest.mark.parametrize(
    ("labelings", "truth", "argument"),
    [({"good": [0, 1], "bad": [0]}, None, "labelings['bad']"), ({"good": [0, 1]}, [0], "truth")],
)
def test_the_labeling_that_is_wrong_is_named(
    labelings: dict[str, list[int]], truth: list[int] | None, argument: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        compare([[0.0], [1.0]], labelings, "silhouette", truth=truth)
    assert caught.value.argument == argument
    expected = f"{argument} of compare must hold one label per point: 2 points, 1 label."
    assert str(caught.value) == expected


@pytest.mark.parametrize("module", MODULES)
def test_wrong_types_are_raised_with_fields(module: str) -> None:
    assert "raise TypeError" not in MODULES[module].read_text()


def test_a_message_about_no_argument_stays_as_it_is() -> None:
    error = InvalidInputError("table.csv holds no data.")
    assert str(error) == error.worded("POINTS") == "table.csv holds no data."
    assert fields(error) == (None,) * 5


def test_wrong_types_are_type_errors_and_wrong_values_value_errors() -> None:
    assert issubclass(InvalidTypeError, TypeError)
    assert not issubclass(InvalidTypeError, ValueError)
    assert issubclass(InvalidInputError, ValueError)
    assert not issubclass(InvalidInputError, TypeError)


@pytest.mark.parametrize("kind", [InvalidInputError, InvalidTypeError])
def test_errors_travel_between_processes_with_their_fields(kind: type[ArgumentError]) -> None:
    error = kind(argument="X", caller="f", rule="be dense", got="a sparse one", remedy="Fill it.")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)
    assert fields(copy) == fields(error)
    assert copy.worded("POINTS") == "POINTS must be dense; got a sparse one. Fill it."
