"""Plots draw numbers: neither text nor dates, although NumPy makes numbers of them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from disco_cvi import plots
from disco_cvi._input.plot_arguments import check_numbers
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

X = np.random.default_rng(0).normal(size=(24, 2))
HUGE = np.full(24, np.longdouble("1e4000"))
REFUSED: dict[str, Callable[[], Any]] = {
    "text in a histogram": lambda: plots.histogram({"a": ["1", "2"]}),
    "text on a map": lambda: plots.pointwise_map(X, ["0.5"] * 24),
    "durations on a map": lambda: plots.pointwise_map(X, np.zeros(24, "m8[s]")),
    "dates of a curve": lambda: plots.score_curve(np.zeros(2, "M8[s]"), {"a": [0.1, 0.2]}),
    "text among objects": lambda: plots.histogram({"a": np.array([1, "2"], object)}),
    "a duration among objects": lambda: plots.histogram(
        {"a": np.array([1, np.timedelta64(2, "s")], object)}
    ),
    "complex numbers": lambda: plots.histogram({"a": [1j, 2]}),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_number_is_not_drawn(kind: str) -> None:
    with pytest.raises(InvalidTypeError, match=" must hold numbers; got "):
        REFUSED[kind]()


@pytest.mark.skipif(bool(np.isinf(HUGE[0])), reason="no range")
def test_a_long_double_beyond_all_floats_is_infinity() -> None:
    for draw in (
        lambda: plots.pointwise_map(X, HUGE),
        lambda: plots.score_curve(HUGE, {"a": np.zeros(24)}),
        lambda: check_numbers(np.stack([HUGE, HUGE], axis=1), "embedding", "plane_of", ndim=2),
    ):
        with pytest.raises(InvalidInputError, match="infinity"):
            draw()


def test_objects_that_are_numbers_are_taken_and_missing_ones_are_no_values() -> None:
    given = np.array([1, None, Decimal("2.5"), True], object)
    assert np.array_equal(check_numbers(given, "x", "f"), [1, np.nan, 2.5, 1], equal_nan=True)
