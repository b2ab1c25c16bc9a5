"""The only code that writes files: they are complete or not there."""

from __future__ import annotations

import io
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi.exceptions import InvalidInputError

Columns = Mapping[str, NDArray[Any]]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_PARTIAL = ".partial"  # the ending of a file that is being written


def check_output(path: str) -> None:
    """Raise before the work begins if the columns could not be written to `path` after it."""
    if _format(path) == ".parquet":
        import_arrow(f"writing {path}")
    check_place(path)


def check_place(path: str) -> None:
    """Raise before the work begins if no file can be written to `path` after it."""
    parent = Path(os.path.realpath(path)).parent
    if not parent.is_dir():
        raise InvalidInputError(f"{path} cannot be written: there is no folder {parent}.")
    if Path(path).is_dir():
        raise InvalidInputError(f"{path} cannot be written: it is a folder.")


def check_not_read(path: str, *sources: str | None) -> None:
    """Raise if a file to write is one that is read: it would be lost."""
    target = Path(path)
    if not target.is_file():
        return
    for source in sources:
        if source is not None and Path(source).exists() and target.samefile(source):
            message = f"{path} would overwrite {source}, which is read. Name another file."
            raise InvalidInputError(message)
    try:
        is_input = os.path.samestat(target.stat(), os.fstat(0))
    except OSError:  # there is no standard input
        return
    if is_input:  # command < path
        raise InvalidInputError(
            f"{path} would overwrite the standard input, which comes from it. Name another file."
        )


def write_columns(path: str, columns: Columns) -> None:
    """Write columns of equal length, in the format that the path's ending names.

    Missing values (NaN, None) become empty cells.

    Parameters
    ----------
    path : str
        .csv, .tsv (each also .gz), .parquet; or .npy, which takes the first column alone.
    columns : mapping of str to ndarray
    """
    form = _format(path)
    if form == ".npy":
        first = next(iter(columns.values()))
        write_file(path, lambda stream: np.save(stream, first, allow_pickle=False))
        return
    import pandas as pd

    frame = pd.DataFrame(dict(columns))
    if form == ".parquet":
        write_file(path, lambda stream: frame.to_parquet(stream, engine="pyarrow", index=False))
        return
    # No time in the file: same columns, same bytes.
    packing = {"method": "gzip", "mtime": 0} if path.endswith(".gz") else None
    write_file(
        path,
        lambda stream: frame.to_csv(
            stream,
            sep=_SEPARATORS[form],
            index=False,
            lineterminator="\n",
            mode="wb",
            compression=packing,
        ),
    )


def write_file(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Let `write` fill a file that appears only when it is complete.

    It is written beside its place under another name and then renamed. Of several threads and
    processes that write to one path, the last one wins.

    Parameters
    ----------
    path : str or path-like
        An existing file keeps its mode. A link stays a link, and its target is replaced; devices,
        pipes and what is open already (/dev/fd/3) are written to as they are.
    write : callable
        Called once with a binary stream.
    """
    target = Path(path)
    try:
        if target.absolute().is_relative_to("/dev") or (target.exists() and not target.is_file()):
            content = io.BytesIO()
            write(content)
            with target.open("ab") as stream:
                stream.write(content.getbuffer())
        else:
            _replace(Path(os.path.realpath(target)), write)
    except OSError as error:
        if error.filename is None or str(error.filename).endswith(_PARTIAL):
            error.filename = os.fspath(path)  # not the draft, which nobody knows
        raise


def _replace(target: Path, write: Callable[[IO[bytes]], object]) -> None:
    # Not after the target: its name may be as long as names can be.
    draft = target.with_name(f".{secrets.token_hex(8)}{_PARTIAL}")
    try:
        with draft.open("xb") as stream:
            if target.exists():  # first: what is private stays so
                shutil.copymode(target, draft)
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
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
