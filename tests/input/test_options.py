"""Checks of options: whole numbers, numbers, words, and options that are declared."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from disco_cvi import InvalidInputError
from disco_cvi._input import options
from disco_cvi._input.options import (
    Choice,
    Count,
    Number,
    OrAuto,
    check_choice,
    check_count,
    check_jobs,
    check_min_points,
    check_number,
    check_options,
)
from helpers.messages import says
from helpers.source import MODULES

pytestmark = pytest.mark.small

NOISE = ("cluster", "filter", "singletons")


# --- words --------------------------------------------------------------------------------------


def test_a_word_among_the_choices() -> None:
    assert check_choice("filter", NOISE, "noise", "f") == "filter"


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("neighbours", "got 'neighbours'."),
        ("fliter", "got 'fliter'. Did you mean 'filter'?"),
        ("", "got ''."),
        (3, "got 3."),
        (None, "got None."),
    ],
)
def test_a_word_that_is_no_choice(value: object, end: str) -> None:
    message = f"noise of f must be one of 'cluster', 'filter', 'singletons'; {end}"
    with pytest.raises(InvalidInputError, match=says(message)):
        check_choice(value, NOISE, "noise", "f")


# --- whole numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 3, np.int8(3), np.uint64(250)])
def test_good_counts(value: Any) -> None:
    checked = check_count(value, "swaps", "f", least=0, most=250)
    assert type(checked) is int
    assert checked == value


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (-1, InvalidInputError, "swaps of f must be an integer from 0 to 250; got -1."),
        (251, InvalidInputError, "swaps of f must be an integer from 0 to 250; got 251."),
        (2.0, TypeError, "swaps of f must be an integer from 0 to 250; got 2.0 (float)."),
        (True, TypeError, "swaps of f must be an integer from 0 to 250; got True (bool)."),
        (np.bool_(True), TypeError, None),
        (None, TypeError, "swaps of f must be an integer from 0 to 250; got None."),
    ],
)
def test_bad_counts(value: Any, error: type[Exception], message: str | None) -> None:
    with pytest.raises(error, match=None if message is None else says(message)):
        check_count(value, "swaps", "f", least=0, most=250)


def test_a_count_is_at_least_one_unless_said_otherwise() -> None:
    assert check_count(10**30, "size", "f") == 10**30
    message = "size of f must be an integer of at least 1; got 0."
    with pytest.raises(InvalidInputError, match=says(message)):
        check_count(0, "size", "f")


# --- numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 0.5, np.float32(1), Fraction(1, 3), np.int64(1)])
def test_good_numbers(value: Any) -> None:
    checked = check_number(value, "share", "f", least=0, most=1)
    assert type(checked) is float
    assert checked == float(value)


@pytest.mark.parametrize(
    ("bounds", "value", "message"),
    [
        ({}, np.inf, "x of f must be a finite number; got inf."),
        ({}, np.nan, "x of f must be a finite number; got nan."),
        ({"above": 0}, 0.0, "x of f must be a finite number above 0; got 0.0."),
        ({"least": 0}, -1, "x of f must be a finite number of at least 0; got -1."),
        (
            {"above": 0, "below": 1},
            1,
            "x of f must be a finite number above 0 and below 1; got 1.",
        ),
        (
            {"least": 0.5, "most": 1},
            2,
            "x of f must be a finite number of at least 0.5 and of at most 1; got 2.",
        ),
    ],
)
def test_numbers_out_of_bounds(bounds: dict[str, float], value: float, message: str) -> None:
    with pytest.raises(InvalidInputError, match=says(message)):
        check_number(value, "x", "f", **bounds)


@pytest.mark.parametrize("value", ["1", None, True, np.bool_(False), 1j, [1.0]])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(TypeError, match=r"^x of f must be a finite number above 0; got "):
        check_number(value, "x", "f", above=0)


# --- min_points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, 5, 12, np.int8(5), np.uint64(12)])
@pytest.mark.parametrize("n_points", [12, None])
def test_good_min_points(value: Any, n_points: int | None) -> None:
    checked = check_min_points(value, n_points, "f")
    assert type(checked) is int
    assert checked == value


def test_min_points_without_upper_bound() -> None:
    assert check_min_points(10**9, None, "f") == 10**9


RANGE = "min_points of DensityTree must be an integer from 1 to the number of points (12); got "


@pytest.mark.parametrize(
    ("value", "n_points", "message"),
    [
        (20, 12, f"{RANGE}20. Lower it or give more points."),
        (0, 12, f"{RANGE}0."),
        (-3, 12, f"{RANGE}-3."),
        (0, None, "min_points of DensityTree must be an integer of at least 1; got 0."),
        (np.int64(-1), None, "min_points of DensityTree must be an integer of at least 1; got -1."),
    ],
)
def test_min_points_out_of_range(value: Any, n_points: int | None, message: str) -> None:
    with pytest.raises(InvalidInputError, match=says(message)):
        check_min_points(value, n_points, "DensityTree")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "True (bool)"),
        (5.0, "5.0 (float)"),
        (2.5, "2.5 (float)"),
        ("5", "'5' (str)"),
        (None, "None"),
        ([5], "[5] (list)"),
    ],
)
def test_min_points_of_wrong_type(value: Any, shown: str) -> None:
    message = (
        f"min_points of DensityTree must be an integer of at least 1; got {shown}. "
        "Pass a whole number such as 5."
    )
    with pytest.raises(TypeError, match=says(message)):
        check_min_points(value, 12, "DensityTree")


def test_numpy_booleans_and_floats_are_no_min_points() -> None:
    for value in (np.bool_(True), np.float64(5)):
        with pytest.raises(TypeError, match="min_points of f"):
            check_min_points(value, 12, "f")


# --- n_jobs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_jobs", "threads"),
    [(None, 1), (1, 1), (2, 2), (64, 64), (-1, 8), (-2, 7), (-8, 1), (-100, 1), (np.int32(3), 3)],
)
def test_good_jobs(n_jobs: Any, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_available_cpus", lambda: 8)
    checked = check_jobs(n_jobs, "f")
    assert type(checked) is int
    assert checked == threads


def test_all_cpus_of_this_process() -> None:
    assert 1 <= check_jobs(-1, "f") <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    "hidden", [(), ("process_cpu_count",), ("process_cpu_count", "sched_getaffinity")]
)
def test_cpus_are_counted_on_every_system(
    hidden: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in hidden:
        monkeypatch.delattr(os, name, raising=False)
    assert 1 <= options._available_cpus() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (
            0,
            InvalidInputError,
            "n_jobs of explain must not be 0. Pass a number of threads, -1 for all CPUs, "
            "or None for one thread.",
        ),
        (
            True,
            TypeError,
            "n_jobs of explain must be an integer or None; got True (bool). "
            "Pass a number of threads, or -1 for all CPUs.",
        ),
        (
            2.0,
            TypeError,
            "n_jobs of explain must be an integer or None; got 2.0 (float). "
            "Pass a number of threads, or -1 for all CPUs.",
        ),
    ],
)
def test_bad_jobs(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=says(message)):
        check_jobs(value, "explain")


# --- declared options ---------------------------------------------------------------------------

OPTIONS = {"noise": Choice(*NOISE), "n_neighbors": Count(), "bandwidth": Number(above=0)}


def test_declared_options_come_back_checked() -> None:
    checked = check_options(OPTIONS, "f", {"n_neighbors": np.int32(3), "bandwidth": 1})
    assert checked == {"n_neighbors": 3, "bandwidth": 1.0}
    assert [type(value) for value in checked.values()] == [int, float]
    assert check_options(OPTIONS, "f", {}) == {}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"noise": "none"}, InvalidInputError, "noise of f must be one of"),
        ({"n_neighbors": 0}, InvalidInputError, "n_neighbors of f must be an integer"),
        ({"n_neighbors": "3"}, TypeError, "n_neighbors of f must be an integer"),
        ({"bandwidth": -1}, InvalidInputError, "bandwidth of f must be a finite number above 0"),
    ],
)
def test_wrong_values_of_declared_options(
    given: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        check_options(OPTIONS, "f", given)


def test_auto_stands_beside_what_another_option_may_be() -> None:
    size = OrAuto(Count(least=2))
    assert size.check("auto", "size", "f") is None
    assert size.check(np.int32(3), "size", "f") == 3
    message = "size of f must be 'auto' or an integer of at least 2; got 1."
    with pytest.raises(InvalidInputError, match=says(message)):
        size.check(1, "size", "f")
    message = "size of f must be 'auto' or an integer of at least 2; got 'best' (str)."
    with pytest.raises(TypeError, match=says(message)):
        size.check("best", "size", "f")


@pytest.mark.parametrize(
    ("name", "question"), [("n_neighbours", " Did you mean 'n_neighbors'?"), ("x", "")]
)
def test_options_that_are_not_declared(name: str, question: str) -> None:
    message = f"f has no option {name!r}; its options: noise, n_neighbors, bandwidth.{question}"
    with pytest.raises(InvalidInputError, match=says(message)) as caught:
        check_options(OPTIONS, "f", {name: 3})
    assert (caught.value.argument, caught.value.caller) == (name, "f")


def test_a_function_without_options() -> None:
    with pytest.raises(InvalidInputError, match=says("f has no option 'x'; its options: none.")):
        check_options({}, "f", {"x": 1})


@pytest.mark.parametrize("module", MODULES)
def test_numbers_are_checked_and_names_guessed_in_one_place(module: str) -> None:
    text = MODULES[module].read_text()
    assert not re.search(r"numbers\.(Integral|Real)", text) or module == "_input.arrays"
    assert "difflib" not in text or module == "_output.words"
