"""Parquet and NPY files: found and measured by the client, read part by part by the workers.

A part is a run of pieces, a piece some rows of one file: its row groups, or a range of an array.
Whatever reads a piece can read it again, so that a lost worker costs no data.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import rows_not_finite
from disco_cvi._output.files import import_arrow
from disco_cvi._output.words import count, describe, did_you_mean, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

# pandas and Dask store names of rows in columns that are named like this.
_ROW_NAMES = ("__index_level_", "__null_dask_index__")

# Of numbers in memory: a part takes a worker a fraction of a second, and there are not too many.
PART_BYTES = 16_000_000
_FORMS = {".parquet": "Parquet", ".pq": "Parquet", ".npy": "NPY"}
_WILD = re.compile(r"[*?\[]")

Column = str | int


class Piece(NamedTuple):
    """Some rows of one file; `groups` are those of a Parquet file."""

    path: str
    begin: int
    n_rows: int
    groups: tuple[int, ...] = ()


class Files(NamedTuple):
    """Files of the same columns: their pieces in row order, and what the columns are called."""

    pieces: tuple[Piece, ...]
    columns: tuple[Column, ...]


def check_column(
    column: Column, known: Sequence[Column], place: str, argument: str, caller: str
) -> None:
    """Refuse a column that is not there."""
    if column in known:
        return
    shown = ", ".join(map(repr, known[:8])) + (", ..." if len(known) > 8 else "")
    raise InvalidInputError(
        argument=argument,
        caller=caller,
        rule=f"name columns of {place}, which are {shown}",
        got=shorten(column),
        remedy=did_you_mean(column, map(str, known)) or None if isinstance(column, str) else None,
    )


def open_files(names: object, caller: str, argument: str = "X") -> Files:
    """Find the files that a user names, by name, pattern or folder, and look what they hold."""
    paths = _list_paths(names, argument, caller)
    forms = {_form_of(path, argument, caller) for path in paths}
    if len(forms) > 1:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="name files of one kind",
            got="Parquet and NPY files",
        )
    measure = _measure_parquet if forms == {"Parquet"} else _measure_array
    found = [_guarded(measure, path, argument, caller) for path in paths]
    columns = found[0][1]
    for path, (_, others) in zip(paths, found, strict=True):
        if set(columns) != set(others):
            raise InvalidInputError(
                argument=argument,
                caller=caller,
                rule="name files of the same columns",
                got=f"{shorten(list(columns))}, and in {path} {shorten(list(others))}",
            )
    pieces = tuple(piece for some, _ in found for piece in some)
    if not pieces:
        problem = f", {paths[0]}, holds no rows"
        raise InvalidInputError(argument=argument, caller=caller, problem=problem)
    return Files(pieces, columns)


def group_pieces(pieces: Iterable[Piece], width: int) -> list[tuple[Piece, ...]]:
    """Put small pieces together, so that parts are of one size or so."""
    most = max(1, PART_BYTES // (8 * max(1, width)))
    groups: list[list[Piece]] = []
    n_rows = most
    for piece in pieces:
        if n_rows + piece.n_rows > most:
            groups.append([])
            n_rows = 0
        groups[-1].append(piece)
        n_rows += piece.n_rows
    return [tuple(group) for group in groups]


# --- what workers do ----------------------------------------------------------------------------


def read_points(pieces: Sequence[Piece], columns: Sequence[Column], caller: str) -> FloatArray:
    """Read points, which must be finite numbers; a task."""
    arrays = [_guarded(_read_numbers, piece, "X", caller, columns) for piece in pieces]
    for piece, array in zip(pieces, arrays, strict=True):
        refuse_not_finite_in(array, piece.path, columns, caller, piece.begin)
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def read_labels(
    pieces: Sequence[Piece], column: Column, argument: str, caller: str
) -> NDArray[Any]:
    """Read one column of labels; a task."""
    arrays = [_guarded(_read_labels, piece, argument, caller, column) for piece in pieces]
    return np.concatenate(arrays)


def refuse_not_finite_in(
    array: FloatArray, place: str, columns: Sequence[Column], caller: str, begin: int = 0
) -> None:
    """Raise if there is NaN or infinity, and say where."""
    rows = np.union1d(*rows_not_finite(array)) if array.size else array[:0]
    if not len(rows):
        return
    row = int(rows[0])
    column = columns[int(np.argmin(np.isfinite(array[row])))]
    raise InvalidInputError(
        argument="X",
        caller=caller,
        problem=f", {place}, holds NaN or infinity in {count(len(rows), 'row')} "
        f"(first: row {begin + row}, column {column!r})",
        remedy="Drop or fill them; density is not defined with missing values.",
    )


def _read_numbers(piece: Piece, columns: Sequence[Column], caller: str) -> FloatArray:
    if not piece.groups:
        array = _open_array(piece.path)[piece.begin : piece.begin + piece.n_rows]
        chosen = array[:, [int(column) for column in columns]]
        return np.array(chosen, np.float64, order="C")
    table = _read_groups(piece, [str(column) for column in columns])
    matrix = np.empty((piece.n_rows, len(columns)))
    for j, column in enumerate(table.columns):
        if not _is_numeric(column.type):
            raise not_numeric(piece.path, columns[j], str(column.type), caller)
        matrix[:, j] = _numbers_in(column)
    return matrix


def not_numeric(place: str, column: Column, kind: str, caller: str) -> InvalidTypeError:
    """The error for a feature that is not a number."""
    return InvalidTypeError(
        argument="X",
        caller=caller,
        problem=f", {place}, must hold real numbers; column {column!r} holds {kind}",
        remedy="Name the columns that are features, without this one.",
    )


def _read_labels(piece: Piece, column: Column, caller: str) -> NDArray[Any]:
    if not piece.groups:
        array = _open_array(piece.path)[piece.begin : piece.begin + piece.n_rows]
        return np.array(array[:, int(column)])
    found = _read_groups(piece, [str(column)]).column(0)
    if found.null_count:
        row = piece.begin + int(np.argmax(found.is_null().to_numpy()))
        raise InvalidInputError(
            argument="labels",
            caller=caller,
            problem=f", column {column!r} of {piece.path}, holds no label in row {row}",
            remedy="Write -1 where a point is noise, or leave the point out.",
        )
    return _labels_in(found)


def _read_groups(piece: Piece, columns: list[str]) -> Any:
    import_arrow(f"reading {piece.path}")
    from pyarrow.parquet import ParquetFile

    with ParquetFile(piece.path) as file:
        # Columns come in the order of the file.
        return file.read_row_groups(list(piece.groups), columns=columns).select(columns)


def _guarded(read: Callable[..., Any], what: Any, argument: str, caller: str, *more: Any) -> Any:
    """Read a file; say its name if that fails, wherever it runs."""
    path = what.path if isinstance(what, Piece) else str(what)
    try:
        return read(what, *more, caller)
    except (InvalidInputError, InvalidTypeError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split("\n", 1)[0].split())
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f", {path}, cannot be read: {reason}",
            remedy="All workers must see the file under this name.",
        ) from error


# --- what the client does -----------------------------------------------------------------------


def _measure_parquet(path: Path, caller: str) -> tuple[list[Piece], tuple[Column, ...]]:
    """The row groups of a file, several together if they are small."""
    import_arrow(f"reading {path}")
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        metadata, names = file.metadata, file.schema_arrow.names
    rows = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    columns = tuple(name for name in names if not name.startswith(_ROW_NAMES))
    if not columns:
        raise no_columns(str(path), caller)
    begins = [0, *np.cumsum(rows).tolist()]
    single = [
        Piece(os.fspath(path), begins[number], size, (number,)) for number, size in enumerate(rows)
    ]
    return [
        Piece(
            os.fspath(path),
            run[0].begin,
            sum(p.n_rows for p in run),
            sum((p.groups for p in run), ()),
        )
        for run in group_pieces(single, len(columns))
    ], columns


def no_columns(place: str, caller: str) -> InvalidInputError:
    """The error for points without coordinates."""
    return InvalidInputError(
        argument="X", caller=caller, problem=f", {place}, holds no column of features"
    )


def _measure_array(path: Path, caller: str) -> tuple[list[Piece], tuple[Column, ...]]:
    """Ranges of rows of an array that stays on disk."""
    array = _open_array(os.fspath(path))
    if array.dtype.kind not in "fiubUS":
        message = f"it holds {array.dtype}"
        raise ValueError(message)
    n_rows, width = array.shape
    if width == 0:
        raise no_columns(str(path), caller)
    step = max(1, PART_BYTES // (8 * width))
    return [
        Piece(os.fspath(path), begin, min(step, n_rows - begin)) for begin in range(0, n_rows, step)
    ], tuple(range(width))


def _open_array(path: str) -> NDArray[Any]:
    """Return an array as a file holds it; one dimension is one column."""
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        message = f"it holds an array of {array.ndim} dimensions"
        raise ValueError(message)
    return array


def _list_paths(names: object, argument: str, caller: str) -> list[Path]:
    """Return the files in the order of their rows."""
    if isinstance(names, str | os.PathLike):
        listed: list[object] = [names]
    elif isinstance(names, list | tuple):
        listed = list(names)
    else:
        listed = []
    if not listed or not all(isinstance(name, str | os.PathLike) for name in listed):
        raise InvalidTypeError(
            argument=argument,
            caller=caller,
            rule="be names of Parquet or NPY files",
            got=describe(names),
        )
    paths = [
        path
        for name in listed
        for path in _expand(os.fspath(name), argument, caller)  # type: ignore[call-overload]
    ]
    return [path.resolve() for path in paths]


def _expand(name: str, argument: str, caller: str) -> list[Path]:
    """Return the file of a name, or all files of a pattern or a folder."""
    path = Path(name)
    if path.is_file():
        return [path]
    if path.is_dir():
        found = [file for file in path.iterdir() if file.suffix.lower() in _FORMS]
    elif _WILD.search(name):
        found = [Path(file) for file in glob.glob(name, recursive=True)]  # noqa: PTH207 - may be absolute
    else:
        found = []
    if "://" in name:
        remedy = "Open what is elsewhere by dask.dataframe.read_parquet, and pass the data frame."
    else:
        remedy = "Name files that this machine and all workers see."
    if not found:
        raise InvalidInputError(
            argument=argument, caller=caller, problem=f": there is no file {name!r}", remedy=remedy
        )
    return sorted(found, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Order names as people do: part 2 comes before part 10."""
    words = re.split(r"(\d+)", str(path))
    return [(int(word), "") if word.isdecimal() else (0, word) for word in words]


def _form_of(path: Path, argument: str, caller: str) -> str:
    form = _FORMS.get(path.suffix.lower())
    if form is None:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="name files that end in .parquet or .npy",
            got=str(path),
            remedy="Convert others; or open them by Dask in Python (dask.dataframe.read_csv), and "
            "pass what it gives.",
        )
    return form


def _is_numeric(kind: Any) -> bool:
    """Whether a column of this Arrow type holds real numbers or truth values."""
    types = import_arrow("reading columns").types
    return bool(
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
    )


def _numbers_in(column: Any) -> FloatArray:
    """Return a numeric column as floats, NaN where a value is missing."""
    arrow = import_arrow("reading columns")
    if arrow.types.is_boolean(column.type):
        column = column.cast(arrow.int8())
    numbers: FloatArray = column.cast(arrow.float64(), safe=False).to_numpy()
    return numbers


def _plain_column(column: Any) -> Any:
    """Return a column, a categorical one as its values."""
    arrow = import_arrow("reading columns")
    types = arrow.types
    if not types.is_dictionary(column.type):
        return column
    kind = column.type.value_type
    if types.is_string(kind) or types.is_string_view(kind):
        kind = arrow.large_string()  # of text more than 2 GB; and views cannot be taken
    values = [chunk.dictionary.cast(kind).take(chunk.indices) for chunk in column.chunks]
    return arrow.chunked_array(values, kind)


def _labels_in(column: Any) -> NDArray[Any]:
    """Return a column without missing values as labels: text where it holds objects."""
    labels: NDArray[Any] = _plain_column(column).to_numpy()
    return labels.astype(str) if labels.dtype.kind == "O" else labels
