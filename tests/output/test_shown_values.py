"""How numbers, signs and dashes are shown."""

from __future__ import annotations

from typing import Any

import pytest

from disco_cvi._output.shown_values import difference_text, printed_text, sentence, slug, value_text


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [
        (0.5057, 2, "0.506"),
        (0.5057, None, "0.506"),
        (-0.00004, 2, "0.000"),
        (88.771, 2, "88.77"),
        (6415.1234, 2, "6415.12"),
        (17898, 0, "17898"),
        (6.5, 0, "6.5"),
        (78.0, 0, "78"),
        (0.0000123, None, "1.23e-05"),
        (0.0, None, "0.000"),
        (-3, None, "\N{MINUS SIGN}3"),
        (12345.6, None, "12346"),
        (False, None, "no"),
        (None, 1, "\N{EN DASH}"),
        ("10 < 11", 0, "10 < 11"),
        ("-", None, "-"),
        ([1, None], None, "1, \N{EN DASH}"),
        ({"mean": 0.5}, None, "mean 0.500"),
    ],
)
def test_values(value: Any, decimals: int | None, expected: str) -> None:
    assert value_text(value, decimals) == expected


def test_printed_numbers_keep_their_digits() -> None:
    assert printed_text("-0.10") == "\N{MINUS SIGN}0.10"
    assert printed_text("-3 to -2") == "-3 to -2"
    assert printed_text("") == "\N{EN DASH}"
    assert printed_text("at k = 3 & 4") == "at k = 3 & 4"


def test_differences_have_a_sign() -> None:
    assert difference_text(-3.0, 0) == "\N{MINUS SIGN}3"
    assert difference_text(0.0057, 2) == "+0.006"
    assert difference_text(-0.39, 2) == "\N{MINUS SIGN}0.390"


def test_sentences_begin_with_a_capital_and_end_with_a_stop() -> None:
    assert sentence(" what it shows ") == "What it shows."
    assert [sentence(text) for text in ("Why?", "Ends.", "")] == ["Why?", "Ends.", ""]


def test_slugs_are_parts_of_links() -> None:
    assert slug("Not judged, yet!") == "not-judged-yet"
