"""The only code that writes files: they are complete or not there."""

from __future__ import annotations

import csv
import gzip
import io
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi.exceptions import InvalidInputError

Columns = Mapping[str, NDArray[Any]]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_ROWS_AT_ONCE = 1 << 16

# How the name of a file ends while it is being written; one that is found later was left by a
# process that was killed.
PARTIAL = ".partial"


def check_output(path: str) -> None:
    """Raise before the work begins if the columns could not be written to `path` after it."""
    if _format(path) == ".parquet":
        import_arrow(f"writing {path}")
    check_place(path)


def check_place(path: str) -> None:
    """Raise before the work begins if no file can be written to `path` after it."""
    parent = Path(path).resolve().parent
    if not parent.is_dir():
        raise InvalidInputError(f"{path} cannot be written: there is no folder {parent}.")
    if Path(path).is_dir():
        raise InvalidInputError(f"{path} cannot be written: it is a folder.")


def check_not_read(path: str, *sources: str | None) -> None:
    """Raise if a file to write is one that is read: it would be lost."""
    for source in sources:
        are_files = source is not None and Path(source).is_file() and Path(path).exists()
        if are_files and Path(path).samefile(str(source)):
            message = f"{path} would overwrite {source}, which is read. Name another file."
            raise InvalidInputError(message)
    if _is_standard_input(path):
        raise InvalidInputError(
            f"{path} would overwrite the standard input, which comes from it. Name another file."
        )


def _is_standard_input(path: str) -> bool:
    """Say whether a shell opened `path` as the standard input: command < path."""
    try:
        return Path(path).is_file() and os.path.samestat(Path(path).stat(), os.fstat(0))
    except OSError:  # there is no standard input
        return False


def write_columns(path: str, columns: Columns) -> None:
    """Write columns of equal length, in the format that the path's ending names.

    A regular file appears only when it is complete: it is written beside its place under another
    name and then renamed. Missing values (NaN, None) become empty cells.

    Parameters
    ----------
    path : str
        .csv, .tsv (each also .gz), .parquet; or .npy, which takes the first column alone.
    columns : mapping of str to ndarray
    """
    form, packed = _format(path), path.endswith(".gz")
    write_file(path, lambda stream: _write(stream, form, columns, packed=packed))


def write_file(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Let `write` fill a file that appears only when it is complete.

    Of several threads and processes that write to one path, the last one wins.

    Parameters
    ----------
    path : str or path-like
        An existing file keeps its mode. A link stays a link, and its target is replaced; devices
        and pipes are written to as they are.
    write : callable
        Called once with a binary stream.
    """
    given = Path(path)
    if given.exists() and not given.is_file():  # a device or a pipe: nothing to rename
        with given.open("wb") as stream:
            write(stream)
        return
    target = given.resolve()
    # Not after the target: its name may be as long as names can be.
    draft = target.with_name(f".{secrets.token_hex(8)}{PARTIAL}")
    try:
        with draft.open("xb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        draft.replace(target)
    except OSError as error:
        if error.filename in (None, str(draft)):  # which nobody knows
            error.filename = os.fspath(path)
        raise
    finally:
        draft.unlink(missing_ok=True)


def _format(path: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[:-1][-1:] if packed else suffixes[-1:])
    if suffix in _SEPARATORS or (suffix in (".npy", ".parquet") and not packed):
        return suffix
    raise InvalidInputError(
        f"{path} must end in .csv, .tsv (each also .gz), .parquet or .npy, which names its format."
    )


def _write(stream: IO[bytes], form: str, columns: Columns, *, packed: bool) -> None:
    if form == ".npy":
        np.save(stream, next(iter(columns.values())), allow_pickle=False)
    elif form == ".parquet":
        arrow = import_arrow("writing Parquet")
        arrays = {name: arrow.array(c, from_pandas=True) for name, c in columns.items()}
        arrow.parquet.write_table(arrow.table(arrays), stream)
    elif packed:
        # No time and no name in the file: same columns, same bytes.
        with gzip.GzipFile("", "wb", 6, fileobj=stream, mtime=0) as unpacked:
            _write_text(unpacked, _SEPARATORS[form], columns)
    else:
        _write_text(stream, _SEPARATORS[form], columns)


def _write_text(stream: IO[bytes] | gzip.GzipFile, separator: str, columns: Columns) -> None:
    n_rows = len(next(iter(columns.values())))
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    for begin in range(0, n_rows, _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        writer.writerows(zip(*(_cells(column[part]) for column in columns.values()), strict=True))
    text.flush()
    text.detach()


def _cells(column: NDArray[Any]) -> list[Any]:
    """Return a column as csv.writer takes it: shortest exact digits, nothing where missing."""
    cells: list[Any] = column.tolist()
    if column.dtype.kind == "f":
        missing = np.isnan(column)
        if missing.any():
            return [None if gone else cell for gone, cell in zip(missing, cells, strict=True)]
    return cells


def import_arrow(purpose: str) -> Any:
    """Return pyarrow, which reads and writes Parquet, or say how to get it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise InvalidInputError(
            f'{purpose} needs pyarrow: pip install "disco-cvi[parquet]"'
        ) from None
    return pa
