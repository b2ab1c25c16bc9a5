"""How a text file is written, found by looking: encoding, separator, decimal comma, header."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Sequence

from disco_cvi.cli.tables.options import MOST_COLUMNS
from disco_cvi.exceptions import InvalidInputError

_MARKS = {  # the longer mark first: that of UTF-16 begins that of UTF-32
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_GUESSED = "cp1252"  # Latin-1 as Windows writes it
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a"))
_MISSING = frozenset(["", "na", "n/a", "nan", "<na>", "null", "none", "?"])

Rows = Sequence[Sequence[str]]


# --- encoding -------------------------------------------------------------------------------------


def to_utf_8(raw: bytes, given: str | None, source: str, notes: list[str]) -> tuple[bytes, str]:
    """Return a text in UTF-8 without a mark, and the encoding it had; a guess is noted."""
    if given is not None:
        return _recoded(raw, given, given, source), given
    for mark, encoding in _MARKS.items():
        if raw.startswith(mark):
            return _recoded(raw, encoding, encoding.upper(), source), encoding
    if b"\0" in raw[:4096]:
        raise InvalidInputError(
            f"{source} is not a text file. Files may be .csv, .tsv, .txt or .jsonl (also .gz), "
            ".parquet, .feather, .arrow or .npy. If it is text, name its encoding with --encoding."
        )
    try:
        return _recoded(raw, "utf-8", "UTF-8", source), "utf-8"
    except InvalidInputError:
        if raw.translate(None, _CONTROL) != raw:
            raise
    recoded = _recoded(raw, _GUESSED, "UTF-8", source)
    notes.append(
        f"{source} is not UTF-8 text and was read as Windows-1252 (Latin-1); if its words look "
        "wrong, name its encoding with --encoding."
    )
    return recoded, _GUESSED


def _recoded(raw: bytes, encoding: str, name: str, source: str) -> bytes:
    try:
        text = raw if raw.isascii() and encoding == "utf-8" else raw.decode(encoding).encode()
    except UnicodeError:
        raise InvalidInputError(
            f"{source} is not {name} text. Save it as UTF-8, or name its encoding with --encoding."
        ) from None
    return text.removeprefix(codecs.BOM_UTF8)


# --- separator ------------------------------------------------------------------------------------


def find_separator(lines: list[str], decimal: str | None) -> str:
    """Return the separator that cuts all lines into the same number of pieces.

    Commas come last but one, because they also stand inside numbers of some countries. Blanks
    separate only after a number: labels and names may hold them.
    """
    # Where a comma is said to be decimal, it separates only if quotes keep the two apart.
    candidates = "\t;" if decimal == "," and '"' not in "".join(lines) else "\t;,"
    for separator in candidates:
        widths = {_width(line, separator) for line in lines}
        if len(widths) == 1 and widths != {1}:
            return separator
    rows = [line.split(None, MOST_COLUMNS) for line in lines]
    after_numbers = all(is_number(row[0], decimal) for row in rows[1:] or rows)
    if after_numbers and len({len(row) for row in rows}) == 1:
        return " "
    # One column, or lines of different lengths, which are refused in terms of the likeliest.
    likeliest = max(candidates, key=lambda separator: sum(line.count(separator) for line in lines))
    return " " if after_numbers and likeliest not in "".join(lines) else likeliest


def most_values(line: str) -> int:
    """Return how many values a line holds, if any but blanks separate them, without cutting it.

    Quotes may hold separators, and are not trusted with a hundred thousand of them.
    """
    return 1 + max(map(line.count, "\t;,"))


def _width(line: str, separator: str) -> int:
    """Return the number of pieces into which a separator cuts a line."""
    if '"' not in line:
        return line.count(separator) + 1
    try:
        return len(next(csv.reader([line], delimiter=separator, skipinitialspace=True)))
    except csv.Error:
        return 1  # a piece longer than any value: this is not the separator


# --- numbers --------------------------------------------------------------------------------------


def as_number(cell: str, decimal: str | None = None) -> float | None:
    """Return the number that a cell writes; None if it writes none."""
    if "_" in cell:  # Python reads 1_000 as a number, nobody else does
        return None
    if decimal == ",":
        cell = "" if "." in cell else cell.replace(",", ".", 1)
    try:
        return float(cell)
    except ValueError:
        return None


def is_number(cell: str, decimal: str | None = None) -> bool:
    """Tell whether a cell writes a number."""
    return as_number(cell, decimal) is not None


def is_missing(cell: str) -> bool:
    """Tell whether a cell stands for a value that is not known."""
    return cell.lower() in _MISSING


def find_decimal(rows: Rows) -> tuple[str, str]:
    """Return what stands before fractions, and the first number with a comma there, if any is.

    Commas are decimal only where no number has a point: else they may separate thousands.
    """
    cells = [cell for row in rows for cell in row]
    with_comma = (cell for cell in cells if "," in cell and is_number(cell, ","))
    first = next(with_comma, "")
    if not first or any("." in cell and is_number(cell) for cell in cells):
        return ".", ""
    return ",", first


# --- header ---------------------------------------------------------------------------------------


def begins_with_names(first: Sequence[str], rest: Rows, decimal: str) -> bool:
    """Tell whether a column has numbers below a first cell that is none."""
    return any(
        not (is_number(name, decimal) or is_missing(name)) and _is_numeric(rest, j, decimal)
        for j, name in enumerate(first)
    )


def has_default_names(first: Sequence[str]) -> bool:
    """Tell whether a row holds the names that pandas gives to columns without one: 0, 1, 2, ..."""
    return list(first) == [str(j) for j in range(len(first))]


def has_fractions(rows: Rows) -> bool:
    """Tell whether a column writes every number as a float."""
    return bool(rows) and any(
        all("." in cell for cell in column) for column in zip(*rows, strict=True)
    )


def _is_numeric(rows: Rows, position: int, decimal: str) -> bool:
    cells = [row[position] for row in rows if not is_missing(row[position])]
    return bool(cells) and all(is_number(cell, decimal) for cell in cells)
