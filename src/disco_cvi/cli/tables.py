"""Tables in files: CSV and other text, JSON lines, NPY, Parquet, Arrow and Feather.

pandas reads them. This module checks what pandas would pass over in silence: a word among numbers,
a short row and a missing value are errors that name their place, ids and labels stay as they are
written, a number is what ``float`` makes of its text, and nothing but files is opened.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import re
import shlex
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.files import import_arrow
from disco_cvi._output.words import count, did_you_mean, shorten
from disco_cvi.cli.data import STANDARD_INPUT, Source
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import pandas as pd

MOST_COLUMNS = 100_000  # of text

_SUFFIXES = {
    "text": (".csv", ".tsv", ".txt"),
    "JSON lines": (".jsonl", ".ndjson"),
    "NumPy": (".npy",),
    "Parquet": (".parquet", ".pq"),
    "Arrow": (".arrow", ".feather", ".ipc"),
}
_FORMS = {suffix: form for form, suffixes in _SUFFIXES.items() for suffix in suffixes}
# How files begin whose name says nothing of their form.
_BEGINNINGS = {
    b"\x93NUMPY": "NumPy",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"\xff\xff\xff\xff": "Arrow",  # a stream
    b"{": "JSON lines",
}
_UNSUPPORTED = {".npz", ".json", ".xlsx", ".xls", ".pkl", ".pickle"}
_PART = 1 << 20  # bytes that are read at a time
_SAMPLE = 1 << 16  # bytes that are looked at to find separator and header

_MARKS = {  # the longer mark first: that of UTF-16 begins that of UTF-32
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a"))
_SKIPPED = re.compile(rb"^[ \t\f\v]*(#.*)?\n", re.MULTILINE)  # blank lines and comments
_MISSING = ("", "na", "n/a", "nan", "<na>", "null", "none", "?")
_EXACT_INTEGERS = 2.0**53  # whole numbers up to here survive as floats
_SMALL = 1 << 18  # bytes of text that Python reads while pandas is imported


class Table:
    """Columns of a file, with names or numbers.

    Attributes
    ----------
    source : str
        The file, as messages call it.
    names : tuple of str, or None
        The columns' names; None where the file holds none.
    width, n_rows : int
    notes : list of str
        What was guessed and the user may want to know.
    separator, decimal, encoding : str or None
        How a text file is written; None where the file is no text.
    """

    width: int
    n_rows: int
    names: tuple[str, ...] | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    _numeric = "iufb"  # the kinds of columns that hold numbers
    _is_odd = False  # whether pandas may not read numbers as `float` does

    def __init__(self, source: str, most_bytes: int) -> None:
        self.source = source
        self.notes: list[str] = []
        self._most_bytes = most_bytes

    def columns(self, positions: Sequence[int]) -> pd.DataFrame:
        """Return columns as pandas types them, named by their positions."""
        raise NotImplementedError

    def texts(self, position: int) -> list[str]:
        """Return a column as text, "" where a value is missing."""
        raise NotImplementedError

    def _number(self, value: Any) -> float | None:
        """Return the number that a value is, NaN if it is missing, None if it is none."""
        raise NotImplementedError

    def place(self, row: int) -> str:
        """Say where a row stands in the file."""
        return f"row {row}, counting from 0"

    def matrix(self, positions: Sequence[int], *, labels_option: str = "") -> NDArray[np.float64]:
        """Return columns as numbers, all of which must be there and finite."""
        frame = self.columns(positions)
        for position, kind in zip(positions, frame.dtypes, strict=True):
            if kind.kind not in self._numeric or self._is_odd:
                frame = frame.astype({position: object})
                frame[position] = self._numbers(position, labels_option)
        return self._finite(frame.to_numpy(np.float64, na_value=np.nan), positions)

    def _finite(self, matrix: NDArray[np.float64], positions: Sequence[int]) -> NDArray[np.float64]:
        """Return a matrix, or refuse what is missing or infinite in it."""
        finite = np.isfinite(matrix)
        if not finite.all():
            rows = np.flatnonzero(~finite.all(axis=1))
            column = positions[int(np.argmin(finite[rows[0]]))]
            raise InvalidInputError(
                f"{self.source} holds missing or infinite values in {count(len(rows), 'row')} "
                f"(first: {self.place(int(rows[0]))}, {self.describe(column)}). Drop or fill "
                "them; density is not defined with missing values."
            )
        return np.ascontiguousarray(matrix)

    def _numbers(self, position: int, labels_option: str) -> NDArray[np.float64]:
        """Return a column that is not all numbers, or refuse it by its first value that is none."""
        values = self._values(position)
        numbers = np.empty(self.n_rows)
        for row, value in enumerate(values):
            number = self._number(value)
            if number is None:
                name = shlex.quote(self.handle(position))
                other = f", {labels_option} {name} if it holds the labels" if labels_option else ""
                comma = isinstance(value, str) and _is_number(value, ",")
                raise InvalidInputError(
                    f"{self.source}: {self.describe(position)} is not numeric ({self.place(row)} "
                    f"holds {shorten(value)}). Leave it out with --drop {name}, or say --id {name} "
                    f"if it names the rows{other}{', --decimal , if that is a comma' * comma}."
                )
            numbers[row] = number
        return numbers

    def _values(self, position: int) -> list[Any]:
        values: list[Any] = self.columns([position])[position].tolist()
        return values

    def labels(self, position: int) -> NDArray[Any]:
        """Return a column as labels: integers where all of them are, else text."""
        raise NotImplementedError

    def _text_labels(self, texts: list[str]) -> NDArray[Any]:
        # NumPy gives each of them the space of the longest.
        refuse_large(4 * max(map(len, texts)) * len(texts), self._most_bytes, self.source)
        return np.array(texts, dtype=np.str_)

    def _refuse_no_label(self, position: int, rows: list[int]) -> InvalidInputError:
        return InvalidInputError(
            f"{self.source}: {self.describe(position)} holds no label in {count(len(rows), 'row')} "
            f"(first: {self.place(rows[0])}). Write -1 where a point is noise, or leave the "
            "point out."
        )

    def describe(self, position: int) -> str:
        """Name a column for a message."""
        if self.names is None or not self.names[position]:
            return f"column {position + 1}"
        return f"column {self.names[position]!r}"

    def handle(self, position: int) -> str:
        """Return what the user may write to mean this column: its name, if it has a good one."""
        name = "" if self.names is None else self.names[position]
        is_good = name.isprintable() and name and (self.names or ()).count(name) == 1
        return name if is_good else str(position + 1)

    def find(self, column: str) -> int:
        """Return the position of a column given by its name or its number.

        Numbers count from 1, as people, spreadsheets and `cut` do; -1 is the last column. A name
        goes before a number.
        """
        names = self.names or ()
        if column in names:
            if names.count(column) == 1:
                return names.index(column)
            raise InvalidInputError(
                f"{self.source} has {names.count(column)} columns named {column!r}; give the "
                f"column's number instead (the first is {names.index(column) + 1})."
            )
        number = int(column) if re.fullmatch("-?[0-9]{1,9}", column) else 0
        if 1 <= abs(number) <= self.width:
            return number - 1 if number > 0 else self.width + number
        remedy = did_you_mean(column, names) or f"Its columns: {self.shown_names()}."
        if self.names is None:
            remedy = f"Its columns have no names: give a number from 1 to {self.width}, or -1."
        raise InvalidInputError(f"{self.source} has no column {column!r}. {remedy}")

    def shown_names(self) -> str:
        """Return the columns' names for a message, the first ones if there are many."""
        more = f", ... ({self.width} in all)" if self.width > 8 else ""
        return ", ".join(map(self.handle, range(min(self.width, 8)))) + more


def refuse_large(size: int, most: int, source: str) -> None:
    """Raise if a file is larger than the user allows, or unpacks to more, or its numbers are."""
    if size > most:
        unit, power = ("GiB", 30) if most >= 1 << 30 else ("MiB", 20)
        raise InvalidInputError(
            f"{source} holds more than {most / (1 << power):g} {unit}, and no more is read of a "
            "file, unpacked or made into numbers. Allow more, such as --max-size 20G."
        )


# --- text -----------------------------------------------------------------------------------------


class TextTable(Table):
    """Lines of values between separators; blank lines and lines that begin with # are skipped.

    Parameters
    ----------
    raw : bytes
        The file.
    source : str
    options : Source
    wanted : sequence of str
        Columns the user asked for: a first line that holds one of them is a header.
    n_expected : int, optional
        Number of rows there should be, which tells a name from a label where both are text.
    """

    separator: str
    decimal: str
    encoding: str
    _numeric = "iuf"

    def __init__(
        self,
        raw: bytes,
        source: str,
        options: Source,
        *,
        wanted: Sequence[str] = (),
        n_expected: int | None = None,
    ) -> None:
        super().__init__(source, options.most_bytes)
        text, self.encoding = _to_utf_8(raw, options.encoding, source, self.notes)
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._lines = text if text.endswith(b"\n") else text + b"\n"
        self._text = _SKIPPED.sub(b"", self._lines) if _may_skip(self._lines) else self._lines
        if not self._text:
            raise InvalidInputError(f"{source} holds no data.")
        end = self._text.rfind(b"\n", 0, _SAMPLE) + 1 or self._text.find(b"\n") + 1
        lines = self._text[:end].decode().split("\n")[:50]
        lines = [line for line in lines if line]
        self.separator = options.separator or _find_separator(lines, options.decimal)
        rows = [[cell.strip() for cell in row] for row in self._cut(lines)]
        self.width = len(rows[0])
        # Of "+1.5 ", with the sign and the blank, pandas 3.1 may change the last digit.
        ends = (f" {self.separator}".encode(), b" \n")
        self._is_odd = b"+" in self._text and any(end in self._text for end in ends)
        self._n_header = 0
        self.n_rows = self._count_rows()
        rows = [row for row in rows if len(row) == self.width]  # the sample may end within one
        self.decimal = options.decimal or self._find_decimal(rows[1:] or rows)
        is_header = options.header == "yes"
        if options.header is None:
            is_header = self._is_header(rows, wanted, one_more=self.n_rows - 1 == n_expected)
        self.names = tuple(rows[0]) if is_header else None
        self._n_header = int(is_header)
        self.n_rows -= self._n_header

    @cached_property
    def _rows(self) -> list[list[str]]:
        """All rows of a small text."""
        lines = (line.decode() for line in io.BytesIO(self._text))
        return list(islice(self._cut(lines), self._n_header, None))

    def matrix(self, positions: Sequence[int], *, labels_option: str = "") -> NDArray[np.float64]:
        if len(self._text) > _SMALL:
            return super().matrix(positions, labels_option=labels_option)
        columns = [self._numbers(position, labels_option) for position in positions]
        return self._finite(np.column_stack(columns), positions)

    def columns(self, positions: Sequence[int]) -> pd.DataFrame:
        import pandas as pd

        missing = [*_MISSING, "NA", "N/A", "NaN", "<NA>", "NULL", "None"]
        how: dict[str, Any] = {"keep_default_na": False, "na_values": missing}
        # The default is as exact from 3.1 on, where asking for it is deprecated.
        if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
            how["float_precision"] = "round_trip"
        return self._read(positions, decimal=self.decimal, **how)

    def texts(self, position: int) -> list[str]:
        if len(self._text) <= _SMALL:
            return [row[position].strip() for row in self._rows]
        column = self._read([position], dtype=str, na_filter=False)[position]
        return list(map(str.strip, column.tolist()))

    def labels(self, position: int) -> NDArray[Any]:
        texts = self.texts(position)
        kinds = list(dict.fromkeys(texts))
        gaps = {cell for cell in kinds if cell.lower() in _MISSING}
        numbers = [_as_number(cell, self.decimal) for cell in kinds if cell not in gaps]
        if None in numbers:
            gaps &= {""}  # among words, NA and the like are words
        if gaps:
            rows = [row for row, cell in enumerate(texts) if cell in gaps]
            raise self._refuse_no_label(position, rows)
        if None in numbers:
            return self._text_labels(texts)
        try:
            labels = np.array([int(cell) for cell in kinds], dtype=np.int64)
        except (ValueError, OverflowError):
            if any(abs(number or 0) >= _EXACT_INTEGERS for number in numbers):
                return self._text_labels(texts)  # where a late digit tells them apart
            labels = _whole(np.array(numbers))
        codes = {cell: code for code, cell in enumerate(kinds)}
        return labels[[codes[cell] for cell in texts]]

    def place(self, row: int) -> str:
        passed = [0]

        def noted() -> Iterator[str]:
            for number, line in enumerate(io.BytesIO(self._lines), start=1):
                if not _SKIPPED.match(line):
                    passed[0] = number
                    yield line.decode()

        next(islice(self._cut(noted()), row + self._n_header, None))
        return f"line {passed[0]}"  # the last one of the row

    def _values(self, position: int) -> list[str]:
        return self.texts(position)

    def _number(self, value: str) -> float | None:
        return np.nan if value.lower() in _MISSING else _as_number(value, self.decimal)

    def _read(self, positions: Sequence[int], **how: Any) -> pd.DataFrame:
        import pandas as pd

        is_blank = self.separator == " "
        try:
            frame = pd.read_csv(
                io.BytesIO(self._text),
                sep=r"\s+" if is_blank else self.separator,
                header=0 if self._n_header else None,
                names=range(self.width),
                usecols=list(positions),
                index_col=False,
                skipinitialspace=not is_blank,
                quoting=csv.QUOTE_NONE if is_blank else csv.QUOTE_MINIMAL,
                engine="c",
                low_memory=False,
                **how,
            )
        except pd.errors.ParserError as error:
            raise InvalidInputError(f"{self.source} cannot be read as CSV: {error}.") from error
        return frame[list(positions)]

    def _cut(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Cut lines into values, as pandas does."""
        if self.separator == " ":
            yield from map(str.split, lines)
            return
        try:
            yield from csv.reader(lines, delimiter=self.separator, skipinitialspace=True)
        except csv.Error as error:
            raise InvalidInputError(f"{self.source} cannot be read as CSV: {error}.") from error

    def _count_rows(self) -> int:
        """Return the number of rows, a header included, of which each must be as wide as the first.

        pandas fills short rows and cuts long ones.
        """
        if b'"' in self._text and self.separator != " ":
            lines = (line.decode() for line in io.BytesIO(self._text))
            widths = np.fromiter(map(len, self._cut(lines)), np.intp)
        else:
            widths = _count_values(self._text, self.separator)
        if widths.max() > MOST_COLUMNS:
            raise InvalidInputError(
                f"{self.source} holds a row of more than {MOST_COLUMNS:,} values, and no more "
                "columns are read of text. Save wider tables as .npy or .parquet."
            )
        refuse_large(8 * (len(widths) - 1) * self.width, self._most_bytes, self.source)
        ragged = np.flatnonzero(widths != self.width)
        if len(ragged):
            held = count(int(widths[ragged[0]]), "value")
            raise InvalidInputError(
                f"{self.source}: {self.place(int(ragged[0]))} holds {held}, but {self.place(0)} "
                f"holds {self.width}. Every row needs one value per column."
            )
        return len(widths)

    def _find_decimal(self, rows: list[list[str]]) -> str:
        """Find what stands before fractions.

        Commas are decimal only where no number has a point: else they may separate thousands.
        """
        cells = [cell for row in rows for cell in row]
        example = next((cell for cell in cells if "," in cell and _is_number(cell, ",")), "")
        if not example or any("." in cell and _is_number(cell) for cell in cells):
            return "."
        self.notes.append(
            f"{self.source}: numbers have a decimal comma ({example}) and were read so; if the "
            "comma separates thousands, write them without it."
        )
        return ","

    def _is_header(self, rows: list[list[str]], wanted: Sequence[str], *, one_more: bool) -> bool:
        """Tell whether the first row holds names."""
        first, rest = rows[0], rows[1:]
        if any(name in first for name in wanted if not _is_number(name)):
            return True
        columns = [
            [c for c in column if c.lower() not in _MISSING] for column in zip(*rest, strict=True)
        ]
        for name, cells in zip(first, columns, strict=False):
            is_name = name.lower() not in _MISSING and not _is_number(name, self.decimal)
            if is_name and cells and all(_is_number(cell, self.decimal) for cell in cells):
                return True
        has_words = not any(_is_number(cell, self.decimal) for cell in first)
        is_header = has_words and (one_more or not rest)
        if first == list(map(str, range(self.width))):  # as pandas names columns
            floats = any(cells and all("." in cell for cell in cells) for cells in columns)
            is_header = one_more or (self.width > 1 and floats)
        elif not (is_header and first in rest):
            return is_header
        if is_header:
            self.notes.append(
                f"{self.source}: the first line, {shorten(','.join(first))}, was taken for column "
                "names; if it is a row like the others, say --header no."
            )
        return is_header


def _to_utf_8(raw: bytes, given: str | None, source: str, notes: list[str]) -> tuple[bytes, str]:
    """Return a text in UTF-8 without a mark, and the encoding it had; a guess is noted."""
    marked = (encoding for mark, encoding in _MARKS.items() if raw.startswith(mark))
    encoding = given or next(marked, "utf-8")
    try:
        is_plain = encoding == "utf-8" and raw.isascii()  # no copy of it is needed
        text = raw if is_plain else raw.decode(encoding).encode()
    except UnicodeError:
        if encoding != "utf-8" or given or raw.translate(None, _CONTROL) != raw:
            raise InvalidInputError(
                f"{source} is not {encoding.upper()} text. Save it as UTF-8, or name its encoding "
                "with --encoding."
            ) from None
        encoding = "cp1252"  # Latin-1 as Windows writes it
        text = raw.decode(encoding, errors="replace").encode()
        notes.append(
            f"{source} is not UTF-8 text and was read as Windows-1252 (Latin-1); if its words look "
            "wrong, name its encoding with --encoding."
        )
    if b"\0" in text:
        raise InvalidInputError(
            f"{source} is not a text file. Files may be .csv, .tsv, .txt or .jsonl (also .gz), "
            ".parquet, .feather, .arrow or .npy. If it is text, name its encoding with --encoding."
        )
    return text.removeprefix(codecs.BOM_UTF8), encoding


def _may_skip(text: bytes) -> bool:
    """Tell whether lines may have to be skipped; looking for them in all lines takes longer."""
    signs = (b"#", b"\n\n", b" \n", b"\t\n", b"\f", b"\v")
    return text.startswith(b"\n") or any(sign in text for sign in signs)


def _count_values(text: bytes, separator: str) -> NDArray[np.intp]:
    """Return how many values each line holds, where nothing is quoted."""
    signs = np.frombuffer(text, np.uint8)
    ends = signs == ord("\n")
    if separator == " ":
        is_blank = (signs == ord(" ")) | ((signs >= ord("\t")) & (signs <= ord("\r")))
        marks = ~is_blank
        marks[1:] &= is_blank[:-1]  # where a value begins
    else:
        marks = signs == ord(separator)
    in_order = ends[ends | marks]
    return np.diff(np.flatnonzero(in_order), prepend=-1) - (separator == " ")


def _find_separator(lines: list[str], decimal: str | None) -> str:
    """Return the separator that cuts all lines into the same number of pieces.

    Commas come last but one, because they also stand inside numbers of some countries. Blanks
    separate only after a number: labels and names may hold them.
    """
    # Where a comma is said to be decimal, it separates only if quotes keep the two apart.
    candidates = "\t;" if decimal == "," and '"' not in "".join(lines) else "\t;,"
    for separator in candidates:
        with contextlib.suppress(csv.Error):
            rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
            widths = set(map(len, rows))
            if len(widths) == 1 and widths != {1}:
                return separator
    cut = [line.split() for line in lines]
    after_numbers = all(row and _is_number(row[0], decimal) for row in cut[1:] or cut)
    if after_numbers and len(set(map(len, cut))) == 1:
        return " "
    # One column, or lines of different lengths, which are refused in terms of the likeliest.
    likeliest = max(candidates, key="".join(lines).count)
    return " " if after_numbers and likeliest not in "".join(lines) else likeliest


def _as_number(cell: str, decimal: str = ".") -> float | None:
    """Return the number that a cell writes; None if it writes none."""
    if "_" in cell:  # Python reads 1_000 as a number, nobody else does
        return None
    if decimal == ",":
        cell = "" if "." in cell else cell.replace(",", ".", 1)
    try:
        return float(cell)
    except ValueError:
        return None


def _is_number(cell: str, decimal: str | None = None) -> bool:
    return _as_number(cell, decimal or ".") is not None


def _whole(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers as integers if all of them are."""
    if numbers.dtype.kind == "f" and (np.abs(numbers) < _EXACT_INTEGERS).all():
        whole = numbers.astype(np.int64)
        return whole if np.array_equal(whole, numbers) else numbers
    return numbers


# --- other forms ----------------------------------------------------------------------------------


class FrameTable(Table):
    """A data frame: its values have types."""

    def __init__(
        self, frame: pd.DataFrame, source: str, most_bytes: int, *, has_names: bool = True
    ) -> None:
        super().__init__(source, most_bytes)
        self.n_rows, self.width = frame.shape
        refuse_large(8 * self.n_rows * self.width, most_bytes, source)
        self.names = tuple(map(str, frame.columns)) if has_names else None
        self._frame = frame.set_axis(range(self.width), axis=1)

    def columns(self, positions: Sequence[int]) -> pd.DataFrame:
        return self._frame[list(positions)]

    def texts(self, position: int) -> list[str]:
        column = self._frame[position]
        if column.dtype.kind == "f":  # ids are floats beside features
            column = type(column)(_whole(column.to_numpy()))
        try:
            texts = [
                "" if gone else str(value).strip()
                for value, gone in zip(column.tolist(), column.isna(), strict=True)
            ]
            "".join(set(texts)).encode()
        except ValueError:  # numbers of no letter, or halves of pairs
            raise self._refuse(position, "text that is not Unicode") from None
        if any(isinstance(value, (list, dict, np.ndarray)) for value in column):
            raise self._refuse(position, "values with parts")
        return texts

    def labels(self, position: int) -> NDArray[Any]:
        column = self._frame[position]
        missing = np.flatnonzero(column.isna() | (column.astype(object) == "")).tolist()
        if missing:
            raise self._refuse_no_label(position, missing)
        if column.dtype.kind in self._numeric:
            return _whole(column.to_numpy())
        return self._text_labels(self.texts(position))

    def _number(self, value: Any) -> float | None:
        if value is None or type(value).__name__ in ("NAType", "NaTType"):
            return np.nan
        return float(value) if isinstance(value, (int, float, Decimal, np.number)) else None

    def _refuse(self, position: int, held: str) -> InvalidInputError:
        return InvalidInputError(
            f"{self.source}: {self.describe(position)} holds {held}, which are neither labels nor "
            "names. Leave it out, or save it as text or numbers."
        )


def _read_json_lines(raw: bytes, source: str, options: Source) -> FrameTable:
    import pandas as pd

    notes: list[str] = []
    text, _ = _to_utf_8(raw, options.encoding, source, notes)
    lines = [line for line in text.split(b"\n") if line.strip()]
    if not lines:
        raise InvalidInputError(f"{source} holds no data.")
    # A row that lacks all names is three bytes, and has every column.
    refuse_large(8 * len(lines) * lines[0].count(b":"), options.most_bytes, source)
    try:
        rows = io.BytesIO(b"\n".join(lines))
        frame = pd.read_json(rows, lines=True, precise_float=True, dtype=False)
    except (ValueError, TypeError) as error:
        raise InvalidInputError(
            f"{source} cannot be read as JSON lines: {error}. Write one object per line, such as "
            '{"x": 1.5, "y": 2}.'
        ) from error
    has_names = lines[0].lstrip().startswith(b"{")
    table = FrameTable(frame, source, options.most_bytes, has_names=has_names)
    table.notes += notes
    return table


def _read_array(file: str | io.BytesIO, source: str, most_bytes: int) -> FrameTable:
    """Read an array of one or two dimensions; one dimension is one column."""
    import pandas as pd

    try:
        # A file is mapped into memory, and fails if it is shorter than its header says.
        array = np.load(file, mmap_mode="r" if isinstance(file, str) else None, allow_pickle=False)
        if isinstance(array, np.ndarray) and array.dtype.kind == "U":
            array = array.astype(object)  # fails of numbers of no letter
    except (OSError, MemoryError):
        raise
    except Exception as error:  # damaged files make NumPy raise what Python's parser raises
        reason = " ".join(str(error).split()).partition(". ")[0]
        if "pickle" in reason:  # of any other file NumPy says that it may be one
            reason = (
                "it holds objects or is no array, and pickles, which can run code, are not read"
            )
        raise InvalidInputError(
            f"{source} cannot be read as a NumPy array: {reason}. Save numbers or text with "
            "numpy.save."
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.names or array.ndim not in (1, 2):
        raise InvalidInputError(
            f"{source} must hold one array of one or two dimensions, without field names."
        )
    table = array.reshape(len(array), -1) if array.size else array.reshape(0, 1)
    kind = object if table.dtype.kind == "O" else None  # texts stay as they are
    frame = pd.DataFrame(np.asarray(table), dtype=kind)
    return FrameTable(frame, source, most_bytes, has_names=False)


def _read_arrow(raw: bytes, source: str, form: str, most_bytes: int) -> FrameTable:
    """Read Parquet, or Arrow as a file (Feather is one) or a stream, a batch at a time."""
    arrow = import_arrow(f"reading {source}")
    buffer = arrow.py_buffer(raw)
    try:
        if form == "Parquet":
            file = arrow.parquet.ParquetFile(arrow.BufferReader(buffer))
            refuse_large(8 * file.metadata.num_rows * file.metadata.num_columns, most_bytes, source)
            words = [field.name for field in file.schema_arrow if field.type == arrow.string()]
            # A word that is written once, as one of a dictionary, stays so.
            file = arrow.parquet.ParquetFile(arrow.BufferReader(buffer), read_dictionary=words)
            schema, batches = file.schema_arrow, file.iter_batches(use_threads=False)
        elif raw.startswith(b"ARROW1"):
            reader = arrow.ipc.open_file(buffer)
            schema = reader.schema
            batches = map(reader.get_batch, range(reader.num_record_batches))
        else:
            batches = arrow.ipc.open_stream(buffer)
            schema = batches.schema
        read, size = [], 0
        for batch in batches:
            size += batch.nbytes
            refuse_large(size, most_bytes, source)
            read.append(batch)
        table = arrow.Table.from_batches(read, schema)
        table.validate(full=True)  # else crafted places are read wherever they lead
        # Without what pandas noted there, names of rows are a column.
        frame = table.replace_schema_metadata().to_pandas()
    except (arrow.ArrowException, OSError, EOFError, UnicodeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise InvalidInputError(f"{source} cannot be read as {form}: {reason}") from error
    is_ours = [
        not re.fullmatch(r"__index_level_\d+__", str(name)) for name in frame
    ]  # pandas adds it
    return FrameTable(frame.loc[:, is_ours], source, most_bytes)


# --- files ----------------------------------------------------------------------------------------


def open_table(
    path: str,
    options: Source,
    *,
    wanted: Sequence[str] = (),
    n_expected: int | None = None,
    is_other: bool = False,
) -> Table:
    """Read a file in the form that its name says, or its beginning where that says nothing.

    Parameters
    ----------
    path : str
        "-" is the standard input.
    options : Source
    wanted, n_expected
        As for `TextTable`.
    is_other : bool
        Whether the options speak of POINTS, and this is another file, which may be written
        otherwise.

    Raises
    ------
    InvalidInputError
        If it cannot be understood.
    OSError
        If it cannot be read.
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[:-1][-1:] if packed else suffixes[-1:])
    if suffix in _UNSUPPORTED:
        raise InvalidInputError(f"{path}: {suffix} files are not read. Save it as CSV or .npy.")
    source = "standard input" if path == STANDARD_INPUT else path
    most = options.most_bytes
    if path != STANDARD_INPUT and Path(path).is_file():
        refuse_large(Path(path).stat().st_size, most, source)
        if suffix == ".npy" and not packed:
            return _read_array(path, source, most)
    raw = _read_raw(path, source, most)
    if packed or raw.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
                raw = _read_most(stream.read, most, source)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InvalidInputError(f"{source} cannot be unpacked: {error}") from error
    begun = (form for beginning, form in _BEGINNINGS.items() if raw.startswith(beginning))
    form = _FORMS.get(suffix) or next(begun, "text")
    if form == "NumPy":
        return _read_array(io.BytesIO(raw), source, most)
    if form in ("Parquet", "Arrow"):
        return _read_arrow(raw, source, form, most)
    if is_other:
        options = _fitting(options, raw)
    if form == "JSON lines":
        return _read_json_lines(raw, source, options)
    if suffix == ".tsv" and options.separator is None:
        options = replace(options, separator="\t")
    return TextTable(raw, source, options, wanted=wanted, n_expected=n_expected)


def _read_raw(path: str, source: str, most: int) -> bytes:
    """Return all of a file, once: it may be a pipe."""
    try:
        if path == STANDARD_INPUT:
            return _read_most(sys.stdin.buffer.read, most, source)
        with Path(path).open("rb") as stream:
            return _read_most(stream.read, most, source)
    except OSError as error:
        error.filename = (
            error.filename or source
        )  # the system names what it opens, not what it reads
        raise


def _read_most(read: Callable[[int], bytes], most: int, source: str) -> bytes:
    """Read to the end, or until there is too much: devices and packed zeros have no end."""
    parts, size = [], 0
    while part := read(_PART):
        size += len(part)
        refuse_large(size, most, source)
        parts.append(part)
    return b"".join(parts)


def _fitting(options: Source, raw: bytes) -> Source:
    """Return what is said about POINTS without what cannot be true of another file."""
    separator, encoding = options.separator, options.encoding
    if separator == " " or (separator or "").encode() not in raw:
        separator = None
    with contextlib.suppress(UnicodeDecodeError):
        raw.decode()
        encoding = None
    return replace(options, separator=separator, encoding=encoding, decimal=None)
