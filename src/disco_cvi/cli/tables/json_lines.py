"""Tables of JSON lines: an object, an array or one value per line."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.words import count, shorten
from disco_cvi.cli.tables.layout import to_utf_8
from disco_cvi.cli.tables.options import BY_LOOKING, MOST_COLUMNS, ReadOptions
from disco_cvi.cli.tables.table import Table, refuse_large, refuse_long_labels, refuse_wide
from disco_cvi.exceptions import InvalidInputError

_REAL = frozenset([float, int, bool, type(None)])
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_HALF = re.compile("[\ud800-\udfff]")  # pairs have become one letter
_EXACT_INTEGERS = 2**53  # whole numbers up to here survive as floats


@dataclass(frozen=True, repr=False)
class _Nested:
    """What stands for a value that holds others, of which nothing is kept: any depth, any size."""

    words: str

    def __repr__(self) -> str:
        return self.words


_NESTED: dict[type, _Nested] = {list: _Nested("a list"), dict: _Nested("an object")}


class JsonLinesTable(Table):
    """Rows of JSON; a name that a row lacks, and null, are missing values.

    Parameters
    ----------
    raw : bytes
        The file. Blank lines are skipped.
    source : str
        The file's name for messages.
    options : ReadOptions
        How the file writes letters, and how much may be read.
    """

    def __init__(self, raw: bytes, source: str, options: ReadOptions = BY_LOOKING) -> None:
        super().__init__(source)
        self._most_bytes = options.most_bytes
        self._text, self.encoding = to_utf_8(raw, options.encoding, source, self.notes)
        self.names = None
        self._columns: list[list[Any]] = []
        self._known: frozenset[str] = frozenset()
        self.width = self.n_rows = 0
        for number, line in self._numbered_lines():
            self._add(self._parse(line, number), number)
        if not self._columns:
            raise InvalidInputError(f"{source} holds no data.")

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        matrix = np.empty((self.n_rows, len(positions)))
        for j, position in enumerate(positions):
            column = self._columns[position]
            for kind in set(map(type, column)) - _REAL:
                row = next(row for row, value in enumerate(column) if type(value) is kind)
                held = f"{self.place(row)} holds {shorten(column[row])}"
                raise self.refuse_text(position, held)
            matrix[:, j] = list(map(_as_float, column))
        return matrix

    def labels(self, position: int) -> NDArray[Any]:
        column = self._columns[position]
        if gaps := [row for row, value in enumerate(column) if _is_gap(value)]:
            raise self.refuse_no_label(position, gaps)
        kinds = set(map(type, column))
        if kinds == {bool}:
            return np.array(column)
        if kinds <= {int, float} and all(abs(value) < _EXACT_INTEGERS for value in column):
            numbers = np.array(column, dtype=np.float64)
            whole = numbers.astype(np.int64)
            return whole if np.array_equal(whole, numbers) else numbers
        texts = self.texts(position)
        longest = max(map(len, texts), default=0)
        refuse_long_labels(longest, self.n_rows, self._most_bytes, self.source)
        return np.array(texts)

    def texts(self, position: int) -> list[str]:
        if self.is_nested(position):
            kind = next(value for value in self._columns[position] if isinstance(value, _Nested))
            raise self.refuse_nested(position, kind.words)
        return ["" if _is_gap(value) else _as_text(value) for value in self._columns[position]]

    def is_nested(self, position: int) -> bool:
        return any(isinstance(value, _Nested) for value in self._columns[position])

    def place(self, row: int) -> str:
        number, _ = next(islice(self._numbered_lines(), row, None))
        return f"line {number}"

    def _numbered_lines(self) -> Iterator[tuple[int, str]]:
        lines = io.TextIOWrapper(io.BytesIO(self._text), encoding="utf-8")
        return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())

    def _parse(self, line: str, number: int) -> Any:
        if line.count(",") >= MOST_COLUMNS:
            refuse_wide(1 + _TEXT.sub("", line).count(","), self.source)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(
                f"{self.source}: line {number} is not JSON ({error}). Write one object per line, "
                'such as {"x": 1.5, "y": 2}.'
            ) from error
        if "\\u" in line:  # no other way leads to what is not Unicode: the file itself is
            self._refuse_halves(row, number)
        return row

    def _refuse_halves(self, row: Any, number: int) -> None:
        """Raise if a name or a value holds half of a pair, which no file can be written with."""
        texts = [*row, *row.values()] if isinstance(row, dict) else row
        for text in texts if isinstance(texts, list) else [texts]:
            if isinstance(text, str) and _HALF.search(text):
                raise InvalidInputError(
                    f"{self.source}: line {number} holds {shorten(text)}, which is not Unicode: "
                    "it has half of a pair of surrogates. Write both halves, or neither."
                )

    def _add(self, row: Any, number: int) -> None:
        """Add a row to the columns; the first one says how many there are, and their names."""
        values = row if isinstance(row, dict | list) else [row]
        if not self._columns:
            if not values:
                raise InvalidInputError(f"{self.source}: line {number} holds no values.")
            self._begin(values)
        self.n_rows += 1
        # Before they are added: a row that lacks all names is three bytes, and has every column.
        refuse_large(8 * self.n_rows * self.width, self._most_bytes, self.source)
        if isinstance(values, dict):
            if new := [name for name in values if name not in self._known]:
                raise self._refuse_row(number, f"the name {new[0]!r}", "the same names")
            values = [values.get(name) for name in self.names or ()]
        elif self.names is not None:
            raise self._refuse_row(number, "values without names", "the same names")
        if len(values) != self.width:
            held = count(len(values), "value")
            raise self._refuse_row(number, held, "one value per column")
        for column, value in zip(self._columns, values, strict=True):
            column.append(_NESTED.get(type(value), value))

    def _begin(self, values: dict[str, Any] | list[Any]) -> None:
        self.width = len(values)
        self._columns = [[] for _ in values]
        if isinstance(values, dict):
            self.names, self._known = tuple(values), frozenset(values)

    def _refuse_row(self, number: int, held: str, needed: str) -> InvalidInputError:
        return InvalidInputError(
            f"{self.source}: line {number} holds {held}, unlike {self.place(0)}. Every row needs "
            f"{needed}."
        )


def _as_float(value: float | None) -> float:
    if value is None:
        return np.nan
    try:
        return float(value)
    except OverflowError:  # a whole number beyond all floats
        return np.inf


def _as_text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else json.dumps(value)


def _is_gap(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))
