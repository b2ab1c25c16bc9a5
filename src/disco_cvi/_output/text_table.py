"""Tables for people, in plain text."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> str:
    """Lay out rows in columns; the first row is the header, `right` the columns set flush right.

    >>> print(text_table([("name", "n"), ("a", "10"), ("bc", "9")], right=frozenset([1])))
    name   n
    a     10
    bc     9
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)
