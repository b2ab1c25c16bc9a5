"""Large plain text by pyarrow, where it is installed: many times faster than Python.

Plain is what all readers understand alike: no quotes, no comments, no blank lines, no missing
values. All else, and every error, is left to `TextTable`, which has the words for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LEAST_BYTES = 1 << 20  # what Python reads while pyarrow is imported
MOST_WIDTH = 1000  # columns: of more, each with its own buffers, pyarrow is slower and far larger


@dataclass(frozen=True)
class PlainText:
    """A text in UTF-8, and how it is written."""

    text: bytes
    separator: str
    decimal: str
    width: int

    def count_rows(self) -> int | None:
        """Return the number of lines; None where the text is small, wide or not plain.

        That all are as wide as the first one is known of their sum only; `columns` looks at each.
        """
        text, separator = self.text, self.separator.encode()
        if len(text) < LEAST_BYTES or not 2 <= self.width <= MOST_WIDTH:
            return None
        if separator == b" " or len(separator) > 1:
            return None
        if b"#" in text or text.count(b"\r") != text.count(b"\r\n"):
            return None
        second = text.find(b"\n") + 1  # names may have quotes
        n_rows = text.count(b"\n", second) + (not text.endswith(b"\n"))
        is_plain = bool(text[:second].strip()) and text.find(b'"', second) < 0
        is_plain &= text.count(separator, second) == n_rows * (self.width - 1)
        return 1 + n_rows if is_plain else None

    def columns(self, positions: Sequence[int], kind: str, n_header: int) -> list[Any] | None:
        """Return columns of "float64" or "string" for pyarrow; None where Python must look."""
        try:
            import pyarrow.csv as arrow
            from pyarrow import BufferReader
        except ImportError:
            return None
        if n_header == 0 and b'"' in self.text[: self.text.find(b"\n")]:
            return None
        names = [str(j) for j in range(self.width)]
        wanted = [names[position] for position in positions]
        try:
            table = arrow.read_csv(
                BufferReader(self.text),  # no stream of Python: see ArrowTable
                arrow.ReadOptions(column_names=names, skip_rows=n_header),
                arrow.ParseOptions(delimiter=self.separator, quote_char=False),
                arrow.ConvertOptions(
                    include_columns=wanted,
                    column_types=dict.fromkeys(wanted, kind),
                    decimal_point=self.decimal,
                    null_values=[],
                ),
            )
        except (
            ValueError
        ):  # not plain after all; all errors of pyarrow about values are of its kind
            return None
        return list(table.columns)
