"""Tables of text: separator and header are found by looking, numbers are read by NumPy's parser."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import filterfalse, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.words import count, shorten
from disco_cvi.cli.tables.table import Table
from disco_cvi.exceptions import InvalidInputError

_SAMPLE = 50  # rows looked at to find separator and header
_SKIPPED = re.compile(r"\s*(#|$)")  # comments and blank lines
_MISSING = frozenset(["", "na", "n/a", "nan", "<na>", "null", "none", "?"])
_EXACT_INTEGERS = 2.0**53  # whole numbers up to here survive as floats


class TextTable(Table):
    """Lines of values between separators.

    Parameters
    ----------
    raw : bytes
        The file: UTF-8, or UTF-16 with its mark. Blank lines and lines that begin with # are
        skipped.
    source : str
        The file's name for messages.
    separator : str, optional
        One character; found by looking if not given. A run of blanks is written as " ".
    header : bool, optional
        Whether the first line holds names; found by looking if not given.
    wanted : sequence of str
        Columns the user asked for: a first line that holds one of them is a header.
    n_expected : int, optional
        Number of rows there should be, which tells a name from a label where both are text.
    """

    def __init__(
        self,
        raw: bytes,
        source: str,
        *,
        separator: str | None = None,
        header: bool | None = None,
        wanted: Sequence[str] = (),
        n_expected: int | None = None,
    ) -> None:
        super().__init__(source)
        self._lines = _decode(raw, source)
        kept = list(filterfalse(_SKIPPED.match, self._lines))
        if not kept:
            raise InvalidInputError(f"{source} holds no data.")
        self.separator: str = separator or _find_separator(kept[:_SAMPLE])
        # Quotes may hide separators and line ends: only then every row is cut by Python.
        self._is_quoted = b'"' in raw and self.separator != " "
        self._rows: list[Any] = kept
        if self._is_quoted:
            self._rows = [cells for _, cells in self._numbered_rows()]
        sample = [self._cells(row) for row in self._rows[:_SAMPLE]]
        self.width = len(sample[0])
        self._refuse_ragged_rows()
        if header is None:
            one_row_more = n_expected is not None and len(self._rows) == n_expected + 1
            header = self._find_header(sample, wanted, one_row_more=one_row_more)
        self.names = tuple(sample[0]) if header else None
        self._n_header = int(header)
        del self._rows[: self._n_header]
        self.n_rows = len(self._rows)

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        try:
            return self._load(positions, np.float64)
        except ValueError:
            return self._matrix_with_gaps(positions)

    def labels(self, position: int) -> NDArray[Any]:
        cells = self._load([position], np.str_)[:, 0]
        with contextlib.suppress(ValueError, OverflowError):
            return cells.astype(np.int64)
        cells = np.char.strip(cells)
        gaps = _missing_labels(set(cells.tolist()))
        if gaps:
            rows = np.flatnonzero(np.isin(cells, gaps))
            raise InvalidInputError(
                f"{self.source}: {self.describe(position)} holds no label in "
                f"{count(len(rows), 'row')} (first: {self.place(int(rows[0]))}). "
                "Write -1 where a point is noise, or leave the point out."
            )
        return _numbers_or_text(cells)

    def place(self, row: int) -> str:
        number, _ = next(islice(self._numbered_rows(), row + self._n_header, None))
        return f"line {number}"

    def _cells(self, row: str | list[str]) -> list[str]:
        if isinstance(row, list):
            return row
        if self.separator == " ":
            return row.split()
        return [cell.strip() for cell in row.split(self.separator)]

    def _numbered_rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of its last line and the cells of every row, the header included."""
        lines = enumerate(self._lines, start=1)
        kept = [(number, line) for number, line in lines if not _SKIPPED.match(line)]
        if not self._is_quoted:
            yield from ((number, self._cells(line)) for number, line in kept)
            return
        reader = csv.reader(
            (line for _, line in kept), delimiter=self.separator, skipinitialspace=True
        )
        try:
            for cells in reader:
                yield kept[reader.line_num - 1][0], [cell.strip() for cell in cells]
        except csv.Error as error:
            raise InvalidInputError(f"{self.source} cannot be read as CSV: {error}.") from error

    def _load(self, positions: Sequence[int], dtype: type[Any]) -> NDArray[Any]:
        """Read columns with NumPy's compiled parser, ten times faster than Python's."""
        if self._is_quoted:
            cells = [[row[position] for position in positions] for row in self._rows]
            return np.array(cells, dtype=np.str_).astype(dtype)
        separator = None if self.separator == " " else self.separator
        return np.loadtxt(
            self._rows, dtype, comments=None, delimiter=separator, usecols=positions, ndmin=2
        )

    def _refuse_ragged_rows(self) -> None:
        if self._is_quoted or self.separator == " ":
            widths = (len(self._cells(row)) for row in self._rows)
        else:
            widths = (row.count(self.separator) + 1 for row in self._rows)
        self._n_header = 0
        for row, width in enumerate(widths):
            if width != self.width:
                raise InvalidInputError(
                    f"{self.source}: {self.place(row)} holds {count(width, 'value')}, but "
                    f"{self.place(0)} holds {self.width}. Every row needs one value per column."
                )

    def _find_header(
        self, sample: list[list[str]], wanted: Sequence[str], *, one_row_more: bool
    ) -> bool:
        first, rest = sample[0], sample[1:]
        if any(name in first for name in wanted if not _is_number(name)):
            return True
        if any(not _is_value(first[j]) and _is_numeric(rest, j) for j in range(self.width)):
            return True
        has_no_numbers = not any(map(_is_number, first))
        # The name that pandas gives to columns without one: 0, 1, 2, ...
        has_default_names = first == [str(j) for j in range(self.width)]
        if one_row_more:
            return has_no_numbers or has_default_names
        if has_default_names and self.width > 1 and _has_fractions(rest):
            self.notes.append(
                f"{self.source}: the first line, 0 to {self.width - 1}, was taken for the column "
                "names that pandas gives; if it is a point, say --header no."
            )
            return True
        return not rest and has_no_numbers

    def _matrix_with_gaps(self, positions: Sequence[int]) -> NDArray[np.float64]:
        """Read columns cell by cell: missing values become NaN, the first text is an error."""
        rows = [self._cells(row) for row in self._rows]
        matrix = np.empty((len(rows), len(positions)))
        for j, position in enumerate(positions):
            for i, row in enumerate(rows):
                cell = row[position]
                if _is_number(cell):
                    matrix[i, j] = float(cell)
                elif cell.lower() in _MISSING:
                    matrix[i, j] = np.nan
                else:
                    raise self._refuse_cell(i, position, cell)
        return matrix

    def _refuse_cell(self, row: int, position: int, cell: str) -> InvalidInputError:
        if _is_number(cell.replace(",", ".", 1)):
            return InvalidInputError(
                f"{self.source}: {self.describe(position)} writes numbers with a decimal comma "
                f"({cell}, {self.place(row)}). Save the file with decimal points."
            )
        return self.refuse_text(position, f"{self.place(row)} holds {shorten(cell)}")


def _decode(raw: bytes, source: str) -> list[str]:
    utf_16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not utf_16 and b"\0" in raw[:4096]:
        raise InvalidInputError(
            f"{source} is not a text file. Files may be .csv, .tsv or .txt (also .gz), "
            ".parquet or .npy."
        )
    encoding = "utf-16" if utf_16 else "utf-8-sig"
    try:
        return list(io.TextIOWrapper(io.BytesIO(raw), encoding=encoding))
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{source} is not UTF-8 text. Save it as UTF-8.") from error


def _find_separator(lines: list[str]) -> str:
    """Return the separator that cuts all lines into the same number of pieces.

    Commas come last but one, because they also stand inside numbers of some countries. Blanks
    separate only after a number: labels and names may hold them.
    """
    for separator in "\t;,":
        widths = {_width(line, separator) for line in lines}
        if len(widths) == 1 and widths != {1}:
            return separator
    rows = [line.split() for line in lines]
    after_numbers = all(_is_number(row[0]) for row in rows[1:] or rows)
    if after_numbers and len({len(row) for row in rows}) == 1:
        return " "
    # One column, or lines of different lengths, which are refused in terms of the likeliest.
    likeliest = max("\t;,", key=lambda separator: sum(line.count(separator) for line in lines))
    return " " if after_numbers and likeliest not in "".join(lines) else likeliest


def _width(line: str, separator: str) -> int:
    """Return the number of pieces into which a separator cuts a line."""
    if '"' not in line:
        return line.count(separator) + 1
    try:
        return len(next(csv.reader([line], delimiter=separator, skipinitialspace=True)))
    except csv.Error:
        return 1  # a piece longer than any value: this is not the separator


def _is_number(cell: str) -> bool:
    if "_" in cell:  # Python reads 1_000 as a number, nobody else does
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_value(cell: str) -> bool:
    return _is_number(cell) or cell.lower() in _MISSING


def _is_numeric(rows: list[list[str]], position: int) -> bool:
    cells = [row[position] for row in rows]
    return all(map(_is_value, cells)) and any(map(_is_number, cells))


def _has_fractions(rows: list[list[str]]) -> bool:
    """Tell whether a column writes every number as a float."""
    return bool(rows) and any(
        all("." in cell for cell in column) for column in zip(*rows, strict=True)
    )


def _missing_labels(cells: set[str]) -> list[str]:
    """Return what stands for no label: nothing, and among numbers also NA and the like."""
    missing = {cell for cell in cells if cell.lower() in _MISSING}
    if not all(map(_is_number, cells - missing)):
        missing &= {""}
    return sorted(missing)


def _numbers_or_text(cells: NDArray[np.str_]) -> NDArray[Any]:
    """Return whole numbers where all labels are, floats where all are numbers, else the text."""
    try:
        numbers = cells.astype(np.float64)
    except ValueError:
        return cells
    if (np.abs(numbers) > _EXACT_INTEGERS).any():
        return cells  # as text, so that huge numbers that differ in a late digit stay different
    whole = numbers.astype(np.int64)
    return whole if np.array_equal(whole, numbers) else numbers
