"""Columns as plain text and as Markdown."""

from __future__ import annotations

from disco_cvi._output.tables import markdown_table, read_markdown_table, text_table

ROWS = [("name", "n", "what"), ("a", "10", "first"), ("bcd", "9", "x|y")]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert text_table(ROWS) == "name  n   what\na     10  first\nbcd   9   x|y"


def test_columns_are_flush_right_on_request() -> None:
    assert text_table(ROWS, right=frozenset([0, 1])).splitlines()[1:] == [
        "   a  10  first",
        " bcd   9  x|y",
    ]


def test_a_header_alone_is_a_table() -> None:
    assert text_table([("name", "n")]) == "name  n"
    assert markdown_table([("name", "n")]) == "| name | n |\n|---|---|"


def test_markdown_is_read_back_as_written() -> None:
    text = markdown_table(ROWS)
    assert text.splitlines()[:2] == ["| name | n | what |", "|---|---|---|"]
    assert read_markdown_table(text) == [list(row) for row in ROWS]
