"""From a file to points and labels."""

from __future__ import annotations

import contextlib
import gzip
import io
import shlex
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.arrays import rows_not_finite
from disco_cvi._output.words import count
from disco_cvi.cli.tables.binary import ArrayTable, ArrowTable
from disco_cvi.cli.tables.files import LabelsFile, PointsFile
from disco_cvi.cli.tables.identity import refuse_other_order, row_names, rows_by_name
from disco_cvi.cli.tables.json_lines import JsonLinesTable
from disco_cvi.cli.tables.options import BY_LOOKING, ReadOptions
from disco_cvi.cli.tables.table import Table, refuse_large
from disco_cvi.cli.tables.text import TextTable
from disco_cvi.exceptions import InvalidInputError

STANDARD_INPUT = "-"
_FORMS = {
    ".npy": "NumPy",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".arrow": "Arrow",
    ".feather": "Arrow",
    ".ipc": "Arrow",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
}
# How files begin whose name says nothing of their form.
_BEGINNINGS = {
    b"\x93NUMPY": "NumPy",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"FEA1": "Arrow",
    b"\xff\xff\xff\xff": "Arrow",
    b"{": "JSON lines",
}
_PART = 1 << 20  # bytes that are read at once
_GZIP = b"\x1f\x8b"
_UNSUPPORTED = {
    ".npz": "Save the one array you mean with numpy.save, as .npy.",
    ".xlsx": "Save the sheet as CSV.",
    ".xls": "Save the sheet as CSV.",
    ".json": "Save the rows as CSV, or as JSON lines (.jsonl).",
    ".pkl": "Pickles are not read, because they can run code. Save the array with numpy.save.",
    ".pickle": "Pickles are not read, because they can run code. Save the array with numpy.save.",
}


def read_points(
    path: str,
    options: ReadOptions = BY_LOOKING,
    *,
    label_columns: Sequence[str] = (),
    may_hold_labels: bool = True,
) -> PointsFile:
    """Read points, and labels if columns of the same file hold them.

    Parameters
    ----------
    path : str
        .csv, .tsv, .txt or .jsonl (each also .gz), .npy, .parquet, .feather or .arrow; "-" is the
        standard input. It, and files that end otherwise, may hold any of these.
    options : ReadOptions
        How to read it, and which columns.
    label_columns : sequence of str
        Names or numbers (from 1; -1 is the last) of columns of labels.
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
    ids = [] if options.id_column is None else [options.id_column]
    left_out = [*options.drop, *label_columns, *ids]
    table = _open(path, options, wanted=[*left_out, *options.columns])
    table.may_hold_labels = may_hold_labels
    features = _features(table, options.columns, [table.find(column) for column in left_out])
    if table.n_rows == 0:
        held = "no points" if table.names is None else "column names but no points"
        raise InvalidInputError(f"{table.source} holds {held}.")
    labelings = {column: table.labels(table.find(column)) for column in label_columns}
    points = table.matrix(features)
    _refuse_not_finite(table, points, features)
    return PointsFile(
        source=table.source,
        points=points,
        features=tuple(table.handle(position) for position in features),
        table=table,
        labelings=labelings,
        row_names=row_names(table, table.find(ids[0])) if ids else None,
        notes=tuple(table.notes),
    )


def read_labels(
    path: str,
    points: PointsFile,
    options: ReadOptions = BY_LOOKING,
    *,
    columns: Sequence[str] = (),
    option: str = "--label-column",
    others: Sequence[LabelsFile] = (),
) -> LabelsFile:
    """Read one label per point.

    Parameters
    ----------
    path : str
        As for `read_points`.
    points : PointsFile
        What was read with the same options. A first line of text is a name if there is one line
        more than points.
    options : ReadOptions
        How to read it, as far as that is true of this file as well. If it has the column of ids
        too, rows are joined by it; else they stand in the order of the points, and a column that
        says otherwise is an error.
    columns : sequence of str
        Names or numbers of the columns of labels, needed where the file has several.
    option : str, default "--label-column"
        The option that chooses the column, for messages.
    others : sequence of LabelsFile
        Files of labels of the same points, whose order this file must not contradict.

    Returns
    -------
    LabelsFile
        Labels are whole numbers where all in a column are whole numbers, else text.

    Raises
    ------
    InvalidInputError
        If the file does not hold one label for each point.
    OSError
        If the file cannot be read.
    """
    n_points = len(points.points)
    table = _open(path, options, wanted=columns, n_expected=n_points, is_other=True)
    ids = _id_position(table, points, options)
    positions = _label_positions(table, points.table, columns, ids, option)
    if ids is None and table.n_rows != n_points:
        raise InvalidInputError(
            f"labels must hold one label per point: {count(n_points, 'point')}, "
            f"{count(table.n_rows, 'label')} in {table.source}."
        )
    rows = _rows(table, points, ids, list(positions.values()))
    for other in others:
        if ids is None and other.table is not None:
            refuse_other_order(other.table, table, list(positions.values()), points.source)
    labelings = {column: table.labels(position)[rows] for column, position in positions.items()}
    in_order = table if ids is None else None
    return LabelsFile(table.source, labelings, tuple(table.notes), in_order)


def read_embedding(
    path: str, points: PointsFile, options: ReadOptions = BY_LOOKING
) -> NDArray[np.float64]:
    """Read other features of the same points, such as where they stand in a picture.

    Parameters
    ----------
    path : str
        As for `read_points`.
    points : PointsFile
        What was read with the same options.
    options : ReadOptions
        How to read it; rows are those of the points as in `read_labels`.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        In the order of the points; all columns but the one of ids.
    """
    table = _open(path, options, wanted=(), is_other=True)
    table.may_hold_labels = False
    ids = _id_position(table, points, options)
    features = [j for j in range(table.width) if j != ids]
    matrix = table.matrix(features)
    _refuse_not_finite(table, matrix, features)
    return matrix[_rows(table, points, ids, [])]


def column_names(path: str, options: ReadOptions = BY_LOOKING) -> tuple[str, ...]:
    """Return the names of a file's columns, none where it has none or cannot be read."""
    try:
        return _open(path, options, wanted=()).names or ()
    except (InvalidInputError, OSError):
        return ()


def _features(table: Table, columns: Sequence[str], left_out: list[int]) -> list[int]:
    """Return the positions of the features: the columns asked for, or all that are left."""
    asked = list(dict.fromkeys(map(table.find, columns)))
    for position in asked:
        if position in left_out:
            raise InvalidInputError(
                f"{table.source}: {table.describe(position)} cannot be a feature (--columns) and "
                "labels, id or left out as well."
            )
    features = asked or [j for j in range(table.width) if j not in left_out]
    if not features:
        raise InvalidInputError(
            f"{table.source} holds no column of features besides those left out."
        )
    return features


def _id_position(table: Table, points: PointsFile, options: ReadOptions) -> int | None:
    """Return the position of the column of ids, None where rows stand in the points' order."""
    if options.id_column is None:
        return None
    own = points.table
    if own.names is None and table.names is None and table.width > 1:
        return table.find(options.id_column)
    position = own.find(options.id_column)
    if own.names is not None and table.names is not None and own.names[position] in table.names:
        return table.find(own.names[position])
    table.notes.append(
        f"{table.source} does not have {own.describe(position)}: its labels were taken in the "
        f"order of {points.source}."
    )
    return None


def _rows(
    table: Table, points: PointsFile, ids: int | None, labels: Sequence[int]
) -> NDArray[np.intp]:
    """Return the row of a table that belongs to each point: by its id, or the next one."""
    if ids is not None:
        return rows_by_name(points.row_names or (), points.source, table, ids)
    refuse_other_order(points.table, table, labels)
    return np.arange(table.n_rows)


def _label_positions(
    table: Table, points: Table, columns: Sequence[str], ids: int | None, option: str
) -> dict[str, int]:
    if columns:
        return {column: table.find(column) for column in columns}
    left = [j for j in range(table.width) if j != ids]
    if len(left) != 1:
        shared = [name for name in table.names or () if name in (points.names or ())] or [""]
        hint = f" If {shared[0]!r} names the rows, say --id {shlex.quote(shared[0])}."
        raise InvalidInputError(
            f"{table.source} holds {table.width} columns ({table.shown_names()}), and one of "
            f"labels is needed. Choose it with {option}.{hint if shared[0] and ids is None else ''}"
        )
    return {table.handle(left[0]): left[0]}


def _open(
    path: str,
    options: ReadOptions,
    *,
    wanted: Sequence[str],
    n_expected: int | None = None,
    is_other: bool = False,
) -> Table:
    """Read a file in the form that its name says, or its beginning where that says nothing.

    The options speak of POINTS; another file may be written otherwise.
    """
    file, suffixes = Path(path), [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[:-1][-1:] if packed else suffixes[-1:])
    if suffix in _UNSUPPORTED:
        raise InvalidInputError(f"{path}: {suffix} files are not read. {_UNSUPPORTED[suffix]}")
    if suffix == ".npy" and not packed and file.is_file():  # of a pipe, all is read first
        refuse_large(file.stat().st_size, options.most_bytes, path)
        return ArrayTable(file, path, options.most_bytes)
    source = "standard input" if path == STANDARD_INPUT else path
    raw = _read_raw(path, source, options.most_bytes)
    if packed or raw.startswith(_GZIP):
        raw = _unpack(raw, source, options.most_bytes)
    options = _fitting(options, raw) if is_other else options
    form = _FORMS.get(suffix) or _form_of(raw)
    if form == "NumPy":
        return ArrayTable(io.BytesIO(raw), source, options.most_bytes)
    if form in ("Parquet", "Arrow"):
        return ArrowTable(io.BytesIO(raw), source, form, options.most_bytes)
    if form == "JSON lines":
        return JsonLinesTable(raw, source, options)
    if suffix == ".tsv" and options.separator is None:
        options = replace(options, separator="\t")
    return TextTable(raw, source, options, wanted=wanted, n_expected=n_expected)


def _fitting(options: ReadOptions, raw: bytes) -> ReadOptions:
    """Return what is said about POINTS without what cannot be true of another file."""
    separator, encoding = options.separator, options.encoding
    if separator == " " or (separator or "").encode() not in raw:
        separator = None
    with contextlib.suppress(UnicodeDecodeError):
        raw.decode()
        encoding = None
    return replace(options, separator=separator, encoding=encoding, decimal=None)


def _form_of(raw: bytes) -> str:
    for beginning, form in _BEGINNINGS.items():
        if raw.startswith(beginning):
            return form
    return "text"


def _read_raw(path: str, source: str, most: int) -> bytes:
    """Return all of a file, once: it may be a pipe."""
    if path == STANDARD_INPUT:
        return _read_most(sys.stdin.buffer, most, source)
    if Path(path).is_file():
        refuse_large(Path(path).stat().st_size, most, source)
    with Path(path).open("rb") as stream:
        return _read_most(stream, most, source)


def _read_most(stream: IO[bytes], most: int, source: str) -> bytes:
    """Read to the end, or until there is too much: devices and packed zeros have no end."""
    parts, size = [], 0
    while part := _read_part(stream, source):
        size += len(part)
        refuse_large(size, most, source)
        parts.append(part)
    return b"".join(parts)


def _read_part(stream: IO[bytes], source: str) -> bytes:
    try:
        return stream.read(_PART)
    except OSError as error:
        if (
            error.errno is not None
        ):  # of the system, which names what it opens and not what it reads
            error.filename = source
        raise


def _unpack(raw: bytes, source: str, most: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            return _read_most(cast("IO[bytes]", stream), most, source)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{source} cannot be unpacked: {error}") from error


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
