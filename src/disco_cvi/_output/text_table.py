"""Tables for people: columns as plain text, or as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from disco_cvi._output.words import visible

Rows = Sequence[Sequence[str]]


def text_table(rows: Rows, *, right: frozenset[int] = frozenset()) -> str:
    """Lay out rows in columns; the first row is the header, `right` the columns set flush right.

    >>> print(text_table([("name", "n"), ("a", "10"), ("bc", "9")], right=frozenset([1])))
    name   n
    a     10
    bc     9
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def markdown_table(rows: Rows) -> str:
    r"""Write rows as a Markdown table; the first row is the header.

    >>> print(markdown_table([("name", "n"), ("a", "10"), ("b|c", "9")]))
    | name | n |
    |---|---|
    | a | 10 |
    | b\|c | 9 |
    """
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def read_markdown_table(text: str) -> list[list[str]]:
    r"""Return the rows of a Markdown table, the header first, as `markdown_table` was given them.

    >>> read_markdown_table("| name | n |\n|---|---|\n| b\\|c | 9 |")
    [['name', 'n'], ['b|c', '9']]
    """
    rows = [
        [cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0")[1:-1].split("|")]
        for line in text.strip().splitlines()
    ]
    return [rows[0], *rows[2:]]
