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
WORDS = "noise of f must be one of 'cluster', 'filter', 'singletons'; got "
COUNT = "swaps of f must be an integer from 0 to 250; got "
NUMBER = "x of f must be a finite number"
RANGE = "min_points of f must be an integer from 1 to the number of points (12); got "
LEAST = "min_points of f must be an integer of at least 1; got "
WHOLE = " Pass a whole number such as 5."
THREADS = "n_jobs of f must be an integer or None; got "
JOBS = " Pass a number of threads, or -1 for all CPUs."


def test_good_values_come_back_as_plain_python() -> None:
    assert check_choice("filter", NOISE, "noise", "f") == "filter"
    checked: list[tuple[Any, Any]] = [
        *(
            (check_count(v, "n", "f", least=0, most=250), v)
            for v in (0, np.int8(3), np.uint64(250))
        ),
        (check_count(10**30, "size", "f"), 10**30),
        *((check_min_points(v, 12, "f"), v) for v in (1, np.int8(5), np.uint64(12))),
        (check_min_points(10**9, None, "f"), 10**9),
    ]
    for found, value in checked:
        assert type(found) is int
        assert found == value
    for value in (0, 0.5, np.float32(1), Fraction(1, 3), np.int64(1)):
        number = check_number(value, "share", "f", least=0, most=1)
        assert type(number) is float
        assert number == float(value)


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("neighbours", "'neighbours'."),
        ("fliter", "'fliter'. Did you mean 'filter'?"),
        ("", "''."),
        (3, "3."),
        (None, "None."),
    ],
)
def test_a_word_that_is_no_choice(value: object, end: str) -> None:
    with pytest.raises(InvalidInputError, match=says(WORDS + end)):
        check_choice(value, NOISE, "noise", "f")


@pytest.mark.parametrize(
    ("value", "error", "end"),
    [
        (-1, InvalidInputError, "-1."),
        (251, InvalidInputError, "251."),
        (2.0, TypeError, "2.0 (float)."),
        (True, TypeError, "True (bool)."),
        (None, TypeError, "None."),
    ],
)
def test_bad_counts(value: Any, error: type[Exception], end: str) -> None:
    with pytest.raises(error, match=says(COUNT + end)):
        check_count(value, "swaps", "f", least=0, most=250)


@pytest.mark.parametrize(
    ("bounds", "value", "message"),
    [
        ({}, np.inf, f"{NUMBER}; got inf."),
        ({}, np.nan, f"{NUMBER}; got nan."),
        ({"above": 0}, 0.0, f"{NUMBER} above 0; got 0.0."),
        ({"least": 0}, -1, f"{NUMBER} of at least 0; got -1."),
        ({"above": 0, "below": 1}, 1, f"{NUMBER} above 0 and below 1; got 1."),
        ({"least": 0.5, "most": 1}, 2, f"{NUMBER} of at least 0.5 and of at most 1; got 2."),
    ],
)
def test_numbers_out_of_bounds(bounds: dict[str, float], value: float, message: str) -> None:
    with pytest.raises(InvalidInputError, match=says(message)):
        check_number(value, "x", "f", **bounds)


@pytest.mark.parametrize("value", ["1", None, True, np.bool_(False), 1j, [1.0]])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(TypeError, match=f"^{NUMBER} above 0; got "):
        check_number(value, "x", "f", above=0)


@pytest.mark.parametrize(
    ("value", "n_points", "error", "message"),
    [
        (20, 12, InvalidInputError, f"{RANGE}20. Lower it or give more points."),
        (0, 12, InvalidInputError, f"{RANGE}0."),
        (-3, 12, InvalidInputError, f"{RANGE}-3."),
        (np.int64(-1), None, InvalidInputError, f"{LEAST}-1."),
        (True, 12, TypeError, f"{LEAST}True (bool).{WHOLE}"),
        (5.0, 12, TypeError, f"{LEAST}5.0 (float).{WHOLE}"),
        ("5", 12, TypeError, f"{LEAST}'5' (str).{WHOLE}"),
        (None, 12, TypeError, f"{LEAST}None.{WHOLE}"),
        ([5], None, TypeError, f"{LEAST}[5] (list).{WHOLE}"),
    ],
)
def test_bad_min_points(
    value: Any, n_points: int | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=says(message)):
        check_min_points(value, n_points, "f")


# --- n_jobs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_jobs", "threads"),
    [(None, 1), (1, 1), (64, 64), (-1, 8), (-2, 7), (-8, 1), (-100, 1), (np.int32(3), 3)],
)
def test_good_jobs(n_jobs: Any, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_available_cpus", lambda: 8)
    checked = check_jobs(n_jobs, "f")
    assert type(checked) is int
    assert checked == threads


def test_cpus_are_counted_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= check_jobs(-1, "f") <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert check_jobs(-1, "f") == os.cpu_count()


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (
            0,
            InvalidInputError,
            "n_jobs of f must not be 0. Pass a number of threads, -1 for all CPUs, or None for one "
            "thread.",
        ),
        (True, TypeError, f"{THREADS}True (bool).{JOBS}"),
        (2.0, TypeError, f"{THREADS}2.0 (float).{JOBS}"),
    ],
)
def test_bad_jobs(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=says(message)):
        check_jobs(value, "f")


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
def test_wrong_values_of_declared_options(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check_options(OPTIONS, "f", given)


def test_auto_stands_beside_what_another_option_may_be() -> None:
    size = OrAuto(Count(least=2))
    assert size.check("auto", "size", "f") is None
    assert size.check(np.int32(3), "size", "f") == 3
    message = "size of f must be 'auto' or an integer of at least 2; got "
    with pytest.raises(InvalidInputError, match=says(f"{message}1.")):
        size.check(1, "size", "f")
    with pytest.raises(TypeError, match=says(f"{message}'best' (str).")):
        size.check("best", "size", "f")


@pytest.mark.parametrize(
    ("declared", "name", "end"),
    [
        (OPTIONS, "n_neighbours", "noise, n_neighbors, bandwidth. Did you mean 'n_neighbors'?"),
        (OPTIONS, "x", "noise, n_neighbors, bandwidth."),
        ({}, "x", "none."),
    ],
)
def test_options_that_are_not_declared(declared: Any, name: str, end: str) -> None:
    message = f"f has no option {name!r}; its options: {end}"
    with pytest.raises(InvalidInputError, match=says(message)) as caught:
        check_options(declared, "f", {name: 3})
    assert (caught.value.argument, caught.value.caller) == (name, "f")


@pytest.mark.parametrize("module", MODULES)
def test_numbers_are_checked_and_names_guessed_in_one_place(module: str) -> None:
    text = MODULES[module].read_text()
    assert not re.search(r"numbers\.(Integral|Real)", text) or module == "_input.arrays"
    assert "difflib" not in text or module == "_output.words"
