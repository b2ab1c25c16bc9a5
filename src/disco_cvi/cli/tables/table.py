"""A file as a table: what the readers of all formats have in common."""

from __future__ import annotations

import abc
import functools
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from disco_cvi._output.words import count, did_you_mean
from disco_cvi.cli.tables.layout import is_number
from disco_cvi.cli.tables.options import MOST_COLUMNS
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import numpy as np

_NAMES_SHOWN = 8


class Table(abc.ABC):
    """Named or numbered columns of equal length.

    Attributes
    ----------
    source : str
        The file, as messages call it.
    names : tuple of str, or None
        The columns' names; None where the file holds none.
    width, n_rows : int
        Numbers of columns and rows.
    notes : list of str
        What the reader guessed and the user may want to know.
    may_hold_labels : bool
        Whether the command can take labels from a column.
    separator, decimal, encoding : str or None
        How a text file is written, " " for any white space; None where the file is no text.
    """

    source: str
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    names: tuple[str, ...] | None
    width: int
    n_rows: int

    def __init__(self, source: str) -> None:
        self.source = source
        self.notes: list[str] = []
        self.may_hold_labels = True

    @abc.abstractmethod
    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        """Return columns as numbers, NaN where a value is missing."""

    @abc.abstractmethod
    def labels(self, position: int) -> NDArray[Any]:
        """Return a column as labels: integers where all of them are, else text."""

    @abc.abstractmethod
    def texts(self, position: int) -> list[str]:
        """Return a column as text, "" where a value is missing."""

    @abc.abstractmethod
    def place(self, row: int) -> str:
        """Say where a row stands in the file."""

    def is_nested(self, position: int) -> bool:  # noqa: ARG002 - text has none
        """Tell whether values of a column hold others: they are neither labels nor names."""
        return False

    def describe(self, position: int) -> str:
        """Name a column for a message."""
        if self.names is None or not self.names[position]:
            return f"column {position + 1}"
        return f"column {self.names[position]!r}"

    def handle(self, position: int) -> str:
        """Return what the user may write to mean this column: its name, if it has a good one."""
        name = "" if self.names is None else self.names[position]
        is_good = name.isprintable() and name and name not in self._repeated_names
        return name if is_good else str(position + 1)

    @functools.cached_property
    def _repeated_names(self) -> frozenset[str]:
        return frozenset(name for name, times in Counter(self.names).items() if times > 1)

    def find(self, column: str) -> int:
        """Return the position of a column given by its name or its number.

        Numbers count from 1, as people, spreadsheets and `cut` do; -1 is the last column. A name
        goes before a number.
        """
        if self.names is not None and (matches := self.names.count(column)):
            if matches == 1:
                return self.names.index(column)
            first = self.names.index(column) + 1
            raise InvalidInputError(
                f"{self.source} has {matches} columns named {column!r}; "
                f"give the column's number instead (the first is {first})."
            )
        number = _whole_number(column)
        if number is not None and 1 <= abs(number) <= self.width:
            return number - 1 if number > 0 else self.width + number
        raise InvalidInputError(self._no_such_column(column))

    def _no_such_column(self, column: str) -> str:
        if self.names is None:
            return (
                f"{self.source} has no column {column!r}: its columns have no names. "
                f"Give a number from 1 to {self.width} (-1 is the last column)."
            )
        advice = did_you_mean(column, self.names) or f"Its columns: {self.shown_names()}."
        return f"{self.source} has no column {column!r}. {advice}"

    def shown_names(self) -> str:
        """Return the columns' names for a message, the first ones if there are many."""
        names = [self.handle(position) for position in range(self.width)]
        more = f", ... ({self.width} in all)" if self.width > _NAMES_SHOWN else ""
        return ", ".join(names[:_NAMES_SHOWN]) + more

    def refuse_text(self, position: int, found: str) -> InvalidInputError:
        """Return the error for a feature that is not a number."""
        name = shlex.quote(self.handle(position))
        other = f", or, if it holds the labels, say --label-column {name}"
        if self._names_rows(position):
            other = f", or, if it names the rows, say --id {name}"
        elif not self.may_hold_labels:
            other = ""
        return InvalidInputError(
            f"{self.source}: {self.describe(position)} is not numeric ({found}). "
            f"Leave it out with --drop {name}{other}."
        )

    def _names_rows(self, position: int) -> bool:
        """Tell whether a column holds another word in every row."""
        if self.is_nested(position):
            return False
        texts = self.texts(position)
        return len(set(texts)) == self.n_rows > 2 and not any(map(is_number, texts))

    def refuse_nested(self, position: int, found: str) -> InvalidInputError:
        """Return the error for labels or names that hold others."""
        return InvalidInputError(
            f"{self.source}: {self.describe(position)} holds {found}, neither labels nor names. "
            "Leave it out, or save what it holds in columns of its own."
        )

    def refuse_no_label(self, position: int, rows: Sequence[int]) -> InvalidInputError:
        """Return the error for a column of labels that has none in some rows."""
        return InvalidInputError(
            f"{self.source}: {self.describe(position)} holds no label in {count(len(rows), 'row')} "
            f"(first: {self.place(rows[0])}). Write -1 where a point is noise, or leave the point "
            "out."
        )


def refuse_large(size: int, most: int, source: str) -> None:
    """Raise if a file is larger than the user allows, or unpacks to more, or its numbers are."""
    if size > most:
        raise InvalidInputError(
            f"{source} holds more than {in_bytes(most)}, and no more is read of a file, nor "
            "unpacked, nor made into numbers of 8 bytes. If it is what you mean, allow more, such "
            "as --max-size 20G."
        )


def refuse_long_labels(longest: int, n_labels: int, most: int, source: str) -> None:
    """Raise if labels take too much: NumPy gives each of them the room of the longest."""
    refuse_large(4 * longest * n_labels, most, source)


def refuse_wide(n_values: int, source: str) -> None:
    """Raise if a row of text holds more values than Python should make words of."""
    if n_values > MOST_COLUMNS:
        raise InvalidInputError(
            f"{source} holds a row of more than {MOST_COLUMNS:,} values, and no more columns are "
            "read of text. Save wider tables as .npy or .parquet."
        )


def in_bytes(size: int) -> str:
    """Return a number of bytes in the largest unit that it is a whole number of.

    >>> in_bytes(2 << 30), in_bytes(1500)
    ('2 GiB', '1500 bytes')
    """
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")):
        if size and size % (1 << power) == 0:
            return f"{size >> power} {unit}"
    return f"{size} bytes"


def _whole_number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
