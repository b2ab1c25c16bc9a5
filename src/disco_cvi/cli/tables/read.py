"""From a file to points and labels."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.arrays import rows_not_finite
from disco_cvi._output.words import count
from disco_cvi.cli.tables.binary import ArrayTable, ParquetTable
from disco_cvi.cli.tables.text import TextTable
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.cli.tables.table import Table

STANDARD_INPUT = "-"
_UNSUPPORTED = {
    ".npz": "Save the one array you mean with numpy.save, as .npy.",
    ".xlsx": "Save the sheet as CSV.",
    ".xls": "Save the sheet as CSV.",
    ".json": "Save the rows as CSV.",
    ".feather": "Save the table as Parquet or CSV.",
    ".pkl": "Pickles are not read, because they can run code. Save the array with numpy.save.",
    ".pickle": "Pickles are not read, because they can run code. Save the array with numpy.save.",
}


@dataclass(frozen=True, eq=False)
class PointsFile:
    """What a file of points holds.

    Attributes
    ----------
    source : str
        The file, as messages call it.
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,), or None
        The label column, if one was asked for.
    features : tuple of str
        The features' names, or numbers where the file names none.
    notes : tuple of str
        What was guessed.
    separator : str or None
        What stands between values, " " for any white space; None where the file is no text.
    """

    source: str
    points: NDArray[np.float64]
    labels: NDArray[Any] | None
    features: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())
    separator: str | None = None


def read_points(
    path: str,
    *,
    label_column: str | None = None,
    drop: Sequence[str] = (),
    header: bool | None = None,
    may_hold_labels: bool = True,
) -> PointsFile:
    """Read points, and labels if a column of the same file holds them.

    Parameters
    ----------
    path : str
        .csv, .tsv, .txt (each also .gz), .npy or .parquet; other files are read as text; "-" is
        text from the standard input.
    label_column : str, optional
        Name or number (from 1; -1 is the last) of the column of labels.
    drop : sequence of str
        Names or numbers of columns to leave out.
    header : bool, optional
        Whether a text file begins with names; found by looking if not given.
    may_hold_labels : bool
        Whether the command can take labels from a column.

    Returns
    -------
    PointsFile

    Raises
    ------
    InvalidInputError
        If the file does not hold finite numbers in all columns that remain.
    OSError
        If the file cannot be read.
    """
    wanted = [*drop] if label_column is None else [*drop, label_column]
    table = _open(path, header=header, wanted=wanted)
    table.may_hold_labels = may_hold_labels
    left_out = [table.find(column) for column in wanted]
    features = [position for position in range(table.width) if position not in left_out]
    if not features:
        raise InvalidInputError(
            f"{table.source} holds no column of features besides those left out."
        )
    if table.n_rows == 0:
        raise InvalidInputError(f"{table.source} holds column names but no points.")
    labels = None if label_column is None else table.labels(table.find(label_column))
    points = table.matrix(features)
    _refuse_not_finite(table, points, features)
    return PointsFile(
        source=table.source,
        points=points,
        labels=labels,
        features=tuple(table.handle(position) for position in features),
        notes=(*table.notes, *_row_number_notes(table, points, features)),
        separator=table.separator,
    )


def read_labels(
    path: str,
    n_points: int,
    *,
    column: str | None = None,
    header: bool | None = None,
    option: str = "--label-column",
) -> NDArray[Any]:
    """Read one label per point.

    Parameters
    ----------
    path : str
        As for `read_points`.
    n_points : int
        The number of points. A first line of text is a name if there is one line more than points.
    column : str, optional
        Name or number of the column, needed where the file has several.
    header : bool, optional
        Whether a text file begins with names; found by looking if not given.
    option : str, default "--label-column"
        The option that chooses the column, for messages.

    Returns
    -------
    ndarray of shape (n_points,)
        Whole numbers where all labels are whole numbers, else text.
    """
    wanted = [] if column is None else [column]
    table = _open(path, header=header, wanted=wanted, n_expected=n_points)
    if column is None and table.width != 1:
        raise InvalidInputError(
            f"{table.source} holds {table.width} columns ({table.shown_names()}), and one of "
            f"labels is needed. Choose it with {option}."
        )
    if table.n_rows != n_points:
        raise InvalidInputError(
            f"labels must hold one label per point: {count(n_points, 'point')}, "
            f"{count(table.n_rows, 'label')} in {table.source}."
        )
    return table.labels(0 if column is None else table.find(column))


def column_names(path: str) -> tuple[str, ...]:
    """Return the names of a file's columns, none where it has none or cannot be read."""
    try:
        return _open(path, header=None, wanted=()).names or ()
    except (InvalidInputError, OSError):
        return ()


def _open(
    path: str, *, header: bool | None, wanted: Sequence[str], n_expected: int | None = None
) -> Table:
    file, suffixes = Path(path), [suffix.lower() for suffix in Path(path).suffixes]
    suffix = suffixes[-1] if suffixes else ""
    if suffix in _UNSUPPORTED:
        raise InvalidInputError(f"{path}: {suffix} files are not read. {_UNSUPPORTED[suffix]}")
    if suffix == ".npy":
        return ArrayTable(file, path)
    if suffix in (".parquet", ".pq"):
        return ParquetTable(file, path)
    return TextTable(
        _read_bytes(file, packed=suffix == ".gz"),
        "standard input" if path == STANDARD_INPUT else path,
        separator="\t" if ".tsv" in suffixes[-2:] else None,
        header=header,
        wanted=wanted,
        n_expected=n_expected,
    )


def _read_bytes(file: Path, *, packed: bool) -> bytes:
    if str(file) == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    if not packed:
        return file.read_bytes()
    try:
        with gzip.open(file) as stream:
            return stream.read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{file} cannot be unpacked: {error}") from error


def _refuse_not_finite(table: Table, points: NDArray[np.float64], features: list[int]) -> None:
    rows = np.union1d(*rows_not_finite(points))
    if not len(rows):
        return
    column = features[int(np.argmin(np.isfinite(points[rows[0]])))]
    raise InvalidInputError(
        f"{table.source} holds missing or infinite values in {count(len(rows), 'row')} "
        f"(first: {table.place(int(rows[0]))}, {table.describe(column)}). Drop or fill them; "
        "density is not defined with missing values."
    )


def _row_number_notes(table: Table, points: NDArray[np.float64], features: list[int]) -> list[str]:
    """Note each column that counts the rows: most likely their numbers and not a feature."""
    if len(points) < 3:
        return []
    counting = points[0] + 1 == points[1]
    return [
        f"{table.source}: {table.describe(position)} counts the rows and is scored as a feature; "
        f"if it is only their number, leave it out with --drop {table.handle(position)}."
        for j, position in enumerate(features)
        if counting[j] and np.array_equal(points[:, j], points[0, j] + np.arange(len(points)))
    ]
