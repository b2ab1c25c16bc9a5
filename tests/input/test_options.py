"""Checks of options: whole numbers, numbers, words, and options that are declared."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from disco_cvi import InvalidInputError
from disco_cvi._input.options import (
    Choice,
    Count,
    Number,
    check_choice,
    check_count,
    check_number,
    check_options,
)

pytestmark = pytest.mark.small

NOISE = ("cluster", "filter", "singletons")


def says(text: str) -> str:
    """A pattern that matches exactly this message."""
    return f"^{re.escape(text)}$"


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
