"""Tables of text: rows are cut by Python's csv module, a few thousand at a time."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import filterfalse, islice
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.words import count, shorten
from disco_cvi.cli.tables.layout import (
    as_number,
    begins_with_names,
    find_decimal,
    find_separator,
    has_default_names,
    has_fractions,
    is_missing,
    is_number,
    most_values,
    to_utf_8,
)
from disco_cvi.cli.tables.options import BY_LOOKING, MOST_COLUMNS, ReadOptions
from disco_cvi.cli.tables.plain_text import PlainText
from disco_cvi.cli.tables.table import Table, refuse_large, refuse_long_labels, refuse_wide
from disco_cvi.exceptions import InvalidInputError

_SAMPLE = 50  # rows looked at to find separator and header
_AT_ONCE = 4096  # rows held as Python objects, which take ten times the room of numbers
_VALUES_AT_ONCE = 1 << 20  # fewer rows where they are wide
_SKIPPED = re.compile(r"\s*(#|$)")  # comments and blank lines
_EXACT_INTEGERS = 2.0**53  # whole numbers up to here survive as floats


class TextTable(Table):
    """Lines of values between separators.

    Parameters
    ----------
    raw : bytes
        The file. Blank lines and lines that begin with # are skipped.
    source : str
        The file's name for messages.
    options : ReadOptions
        How the file is written, as far as the user says it.
    wanted : sequence of str
        Columns the user asked for: a first line that holds one of them is a header.
    n_expected : int, optional
        Number of rows there should be, which tells a name from a label where both are text.
    """

    separator: str
    decimal: str
    encoding: str

    def __init__(
        self,
        raw: bytes,
        source: str,
        options: ReadOptions = BY_LOOKING,
        *,
        wanted: Sequence[str] = (),
        n_expected: int | None = None,
    ) -> None:
        super().__init__(source)
        self._most_bytes = options.most_bytes
        self._text, self.encoding = to_utf_8(raw, options.encoding, source, self.notes)
        lines = list(islice(self._lines(), _SAMPLE))
        if not lines:
            raise InvalidInputError(f"{source} holds no data.")
        refuse_wide(max(map(most_values, lines)), source)
        self.separator = options.separator or find_separator(lines, options.decimal)
        self._n_header = 0
        sample = [[cell.strip() for cell in row] for row in self._sample()]
        self.decimal = options.decimal or self._find_decimal(sample)
        self.width = len(sample[0])
        self._plain = PlainText(self._text, self.separator, self.decimal, self.width)
        n_plain = self._plain.count_rows()
        self._is_plain = n_plain is not None
        self.n_rows = self._count_rows() if n_plain is None else n_plain
        header = options.header
        if header is None:
            one_row_more = n_expected is not None and self.n_rows == n_expected + 1
            header = self._find_header(sample, wanted, one_row_more=one_row_more)
        self.names = tuple(sample[0]) if header else None
        self._n_header = int(header)
        self.n_rows -= self._n_header
        self._refuse_large(self.n_rows)

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        matrix, start = np.empty((self.n_rows, len(positions))), 0
        if columns := self._plain_columns(positions, "float64"):
            for j, column in enumerate(columns):
                matrix[:, j] = column
            return matrix
        for rows in self._blocks():
            columns = list(zip(*rows, strict=True))
            for j, position in enumerate(positions):
                numbers = self._numbers(columns[position], start, position)
                matrix[start : start + len(rows), j] = numbers
            start += len(rows)
        return matrix

    def labels(self, position: int) -> NDArray[Any]:
        cells = self.texts(position)
        kinds = {cell: code for code, cell in enumerate(dict.fromkeys(cells))}
        if gaps := _missing_labels(list(kinds), self.decimal):
            rows = [row for row, cell in enumerate(cells) if cell in gaps]
            raise self.refuse_no_label(position, rows)
        longest = max(map(len, kinds), default=0)
        refuse_long_labels(longest, self.n_rows, self._most_bytes, self.source)
        codes = np.fromiter(map(kinds.__getitem__, cells), np.intp, len(cells))
        return _numbers_or_text(list(kinds), self.decimal)[codes]

    def texts(self, position: int) -> list[str]:
        if columns := self._plain_columns([position], "string"):
            return list(map(str.strip, columns[0].to_pylist()))
        return [row[position].strip() for rows in self._blocks() for row in rows]

    def place(self, row: int) -> str:
        passed: list[int] = []

        def noted() -> Iterator[str]:
            for number, line in enumerate(self._all_lines(), start=1):
                if not _SKIPPED.match(line):
                    passed[:] = [number]
                    yield line

        next(islice(self._cut(noted()), row + self._n_header, None))
        return f"line {passed[0]}"  # the last one of the row

    def _all_lines(self) -> Iterator[str]:
        return io.TextIOWrapper(io.BytesIO(self._text), encoding="utf-8")

    def _lines(self) -> Iterator[str]:
        return filterfalse(_SKIPPED.match, self._all_lines())

    def _rows(self) -> Iterator[list[str]]:
        """Yield the cells of every row, the header included."""
        return self._cut(self._lines())

    def _sample(self) -> list[list[str]]:
        """Return the first rows, fewer where they are wide."""
        sample: list[list[str]] = []
        for row in islice(self._rows(), _SAMPLE):
            sample.append(row)
            if len(sample) * len(row) > _VALUES_AT_ONCE:
                break
        return sample

    def _cut(self, lines: Iterator[str]) -> Iterator[list[str]]:
        if self.separator == " ":
            for line in lines:
                row = line.split(None, MOST_COLUMNS)
                refuse_wide(len(row), self.source)
                yield row
            return
        held = 0  # in the row so far: quotes may hold ends of lines

        def counted() -> Iterator[str]:
            nonlocal held
            for line in lines:
                held += line.count(self.separator)
                if held >= MOST_COLUMNS:
                    refuse_wide(held + 1, self.source)
                yield line

        try:
            for row in csv.reader(counted(), delimiter=self.separator, skipinitialspace=True):
                held = 0
                yield row
        except csv.Error as error:
            raise InvalidInputError(f"{self.source} cannot be read as CSV: {error}.") from error

    def _blocks(self) -> Iterator[list[list[str]]]:
        """Yield the rows, some thousands at a time, after a look at how wide they are."""
        rows, start = islice(self._rows(), self._n_header, None), 0
        at_once = min(_AT_ONCE, 1 + _VALUES_AT_ONCE // self.width)
        while block := list(islice(rows, at_once)):
            if set(map(len, block)) != {self.width}:
                self._refuse_ragged(block, start)
            yield block
            start += len(block)

    def _count_rows(self) -> int:
        n_rows = 0
        for block in self._blocks():
            n_rows += len(block)
            self._refuse_large(n_rows - 1)  # the first may be a header
        return n_rows

    def _refuse_large(self, n_rows: int) -> None:
        refuse_large(8 * n_rows * self.width, self._most_bytes, self.source)

    def _refuse_ragged(self, block: list[list[str]], start: int) -> NoReturn:
        row = next(i for i, cells in enumerate(block) if len(cells) != self.width)
        place, held = self.place(start + row), count(len(block[row]), "value")
        self._n_header = 0
        raise InvalidInputError(
            f"{self.source}: {place} holds {held}, but {self.place(0)} holds {self.width}. Every "
            "row needs one value per column."
        )

    def _plain_columns(self, positions: Sequence[int], kind: str) -> list[Any] | None:
        return self._plain.columns(positions, kind, self._n_header) if self._is_plain else None

    def _find_decimal(self, sample: list[list[str]]) -> str:
        decimal, example = find_decimal(sample[1:] or sample)
        if example:
            self.notes.append(
                f"{self.source}: numbers have a decimal comma ({example}) and were read so; if the "
                "comma separates thousands, write them without it."
            )
        return decimal

    def _find_header(
        self, sample: list[list[str]], wanted: Sequence[str], *, one_row_more: bool
    ) -> bool:
        first, rest = sample[0], sample[1:]
        if any(name in first for name in wanted if not is_number(name)):
            return True
        if begins_with_names(first, rest, self.decimal):
            return True
        has_no_numbers = not any(is_number(cell, self.decimal) for cell in first)
        if has_default_names(first):
            is_header = one_row_more or (self.width > 1 and has_fractions(rest))
            if is_header:
                shown = "0" if self.width == 1 else f"0 to {self.width - 1}"
                self._note_header(shown, "that pandas gives")
            return is_header
        if one_row_more and has_no_numbers and first in rest:
            self._note_header(
                shorten(first[0] if self.width == 1 else first), "though another line is the same"
            )
        return has_no_numbers and (one_row_more or not rest)

    def _note_header(self, shown: str, why: str) -> None:
        names = "the column names" if self.width > 1 else "the column name"
        self.notes.append(
            f"{self.source}: the first line, {shown}, was taken for {names} {why}; if it is a row "
            "like the others, say --header no."
        )

    def _numbers(self, cells: Sequence[str], start: int, position: int) -> list[float]:
        """Return the numbers of a column from row `start` on, NaN where a value is missing."""
        joined, plain = "\n".join(cells), cells
        if self.decimal == ",":
            plain = [] if "." in joined else joined.replace(",", ".").split("\n")
        if "_" not in joined and len(plain) == len(cells):
            with contextlib.suppress(ValueError):
                return list(map(float, plain))
        return [self._number(cell.strip(), start + i, position) for i, cell in enumerate(cells)]

    def _number(self, cell: str, row: int, position: int) -> float:
        if is_missing(cell):  # first: what float refuses takes ten times as long
            return np.nan
        number = as_number(cell, self.decimal)
        if number is None:
            raise self._refuse_cell(row, position, cell)
        return number

    def _refuse_cell(self, row: int, position: int, cell: str) -> InvalidInputError:
        found = f"{self.source}: {self.describe(position)} writes"
        if self.decimal == "," and is_number(cell.replace(".", "").replace(",", ".", 1)):
            return InvalidInputError(
                f"{found} a number with a point ({cell}, {self.place(row)}), and the decimal "
                "numbers of the file have a comma. Save it with decimal points alone."
            )
        if is_number(cell, ","):
            return InvalidInputError(
                f"{found} numbers with a decimal comma ({cell}, {self.place(row)}). Say "
                "--decimal , or save the file with decimal points."
            )
        return self.refuse_text(position, f"{self.place(row)} holds {shorten(cell)}")


def _missing_labels(kinds: list[str], decimal: str) -> set[str]:
    """Return what stands for no label: nothing, and among numbers also NA and the like."""
    missing = set(filter(is_missing, kinds))
    if not all(is_number(cell, decimal) for cell in kinds if cell not in missing):
        missing &= {""}
    return missing


def _numbers_or_text(kinds: list[str], decimal: str) -> NDArray[Any]:
    """Return whole numbers where all labels are, floats where all are numbers, else the text."""
    numbers = np.array([as_number(cell, decimal) for cell in kinds], dtype=np.float64)  # None: NaN
    if np.isnan(numbers).any():
        return np.array(kinds, dtype=np.str_)
    with contextlib.suppress(ValueError, OverflowError):
        return np.array([int(cell) for cell in kinds], dtype=np.int64)
    if (np.abs(numbers) > _EXACT_INTEGERS).any():
        # As text, so that huge numbers that differ in a late digit stay different.
        return np.array(kinds, dtype=np.str_)
    whole = numbers.astype(np.int64)
    return whole if np.array_equal(whole, numbers) else numbers
