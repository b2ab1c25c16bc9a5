"""The only code that writes files: they are complete or not there."""

from __future__ import annotations

import contextlib
import csv
import errno
import gzip
import io
import os
import re
import secrets
import shutil
import stat
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi.exceptions import InvalidInputError

try:
    import fcntl
except ImportError:  # Windows, where nothing open can be locked so, nor renamed
    fcntl = None  # type: ignore[assignment]

Columns = Mapping[str, NDArray[Any]]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_ROWS_AT_ONCE = 1 << 16

# How a file is called while it is being written.
_PARTIAL = ".partial"
_DAY = 24 * 60 * 60
_MOST_LINKS = 40  # as the system follows
_DRAFT = re.compile(r"\.[0-9a-f]{16}\.partial")


def check_output(path: str) -> None:
    """Raise before the work begins if the columns could not be written to `path` after it."""
    if _format(path) == ".parquet":
        import_arrow(f"writing {path}")
    check_place(path)


def check_place(path: str) -> None:
    """Raise before the work begins if no file can be written to `path` after it."""
    if _is_loop(path):
        raise InvalidInputError(f"{path} cannot be written: its links lead back to themselves.")
    parent = Path(path).resolve().parent
    if not parent.is_dir():
        raise InvalidInputError(f"{path} cannot be written: there is no folder {parent}.")
    if Path(path).is_dir():
        raise InvalidInputError(f"{path} cannot be written: it is a folder.")


def _is_loop(path: str) -> bool:
    """Say whether a path leads nowhere, as a link to itself does: it has no place to be found."""
    try:
        Path(path).stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


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

    Of several threads and processes that write to one path, the last one wins. What a process that
    was killed left half written is removed when the next file is written to the same folder.

    Parameters
    ----------
    path : str or path-like
        An existing file keeps its mode, and its owner where that is permitted. A link stays a
        link, and its target is replaced; devices, pipes and what is open already (/dev/fd/3) are
        written to as they are.
    write : callable
        Called once with a binary stream.
    """
    given = Path(path)
    try:
        old = given.stat()
    except FileNotFoundError:
        old = None
    with _named(given):
        descriptor = None if old is None else _descriptor(given)
        if old is None or (stat.S_ISREG(old.st_mode) and descriptor is None):
            _replace(given.resolve(), old, write)
        elif descriptor is None or not stat.S_ISREG(old.st_mode):  # nothing to rename
            with given.open("wb") as stream:
                write(stream)
        else:
            # At once: what is open to be added to takes nothing back, as archives do.
            content = io.BytesIO()
            write(content)
            with os.fdopen(os.dup(descriptor), "wb") as stream:
                stream.write(content.getbuffer())


def _descriptor(path: Path) -> int | None:
    """Return what this process has open where a path leads: its file may have no name any more."""
    own = re.compile(rf"/dev/fd|/proc/{os.getpid()}(/task/\d+)?/fd")
    for _ in range(_MOST_LINKS):
        path = path.parent.resolve() / path.name
        if own.fullmatch(str(path.parent)) and path.name.isdecimal():
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def write_arrays(
    path: str | os.PathLike[str], arrays: Mapping[str, Any], *, packed: bool = False
) -> None:
    """Write arrays by name, as ``numpy.savez`` does, to a file that appears when it is complete.

    An archive that a full disk or Ctrl-C stops says nothing more: NumPy's complains, when it is
    forgotten, of a file that is no longer open, or hides the interrupt behind an error of its own.
    """

    def write(stream: IO[bytes]) -> None:
        way = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        outlet = _Outlet(stream)
        try:
            archive = zipfile.ZipFile(cast("IO[bytes]", outlet), "w", way)
            for name, values in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asanyarray(values), allow_pickle=False)
            archive.close()
        finally:
            outlet.stream = None

    write_file(path, write)


class _Outlet:
    """A stream for an archive, which ends itself when it is forgotten: without `stream`, nowhere.

    Its place is kept, for an archive that ends before it begins is an error, too.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream: IO[bytes] | None = stream
        self._place = 0

    def write(self, content: bytes) -> int:
        if self.stream is not None:
            self.stream.write(content)
        self._place += len(content)
        return len(content)

    def tell(self) -> int:
        if self.stream is not None:
            self._place = self.stream.tell()
        return self._place

    def seek(self, place: int) -> int:
        if self.stream is not None:
            self.stream.seek(place)
        self._place = place
        return place

    def flush(self) -> None:
        if self.stream is not None:
            self.stream.flush()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let errors of the system name a path, and no draft, which nobody knows."""
    try:
        yield
    except OSError as error:
        if error.filename is None or str(error.filename).endswith(_PARTIAL):
            error.filename = os.fspath(path)
            del error.filename2  # None would be shown
        raise


def _replace(
    target: Path, old: os.stat_result | None, write: Callable[[IO[bytes]], object]
) -> None:
    """Write a draft beside the target, and rename it."""
    _remove_left(target.parent)
    with _new_draft(target.parent) as (draft, stream):
        if old is not None:  # first: what is private is at no time less so
            if hasattr(os, "chown"):
                with contextlib.suppress(PermissionError):
                    os.chown(draft, old.st_uid, old.st_gid)
            draft.chmod(stat.S_IMODE(old.st_mode))
        write(stream)
        stream.flush()
        os.fsync(stream.fileno())
        if fcntl is None:  # Windows renames no file that is open; others, while it is locked
            stream.close()
        draft.replace(target)


# --- drafts: each is locked while somebody writes it, so that those left behind are known ---------


@contextlib.contextmanager
def _new_draft(folder: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """Give a new file that is locked, where files can be: nobody removes it. It does not stay."""
    while True:
        # Not after the target: its name may be as long as names can be.
        draft = folder / f".{secrets.token_hex(8)}{_PARTIAL}"
        try:  # from before there is a file: Ctrl-C may come at once
            with draft.open("xb") as stream:
                if fcntl is not None:
                    # A disk without locks: then nobody removes any.
                    with contextlib.suppress(OSError):
                        fcntl.flock(stream, fcntl.LOCK_EX)
                if draft.exists():  # else it was taken for one left behind, before it was locked
                    yield draft, stream
                    return
        finally:
            draft.unlink(missing_ok=True)


def _remove_left(folder: Path) -> None:
    """Remove drafts that nobody writes any more: their locks have gone with their processes."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):  # a folder that may be written to, and not be read
        for path in folder.iterdir():
            if _DRAFT.fullmatch(path.name):
                with contextlib.suppress(OSError), path.open("r+b") as stream:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink(missing_ok=True)


def remove_left_folders(parent: Path, prefix: str) -> None:
    """Remove folders for drafts that killed processes left.

    At once where folders can be locked, else when they are a day old.
    """
    for left in parent.glob(f"{prefix}*"):
        with contextlib.suppress(OSError), _locked(left, wait=False) as is_free:
            if is_free or time.time() - left.stat().st_mtime > _DAY:
                shutil.rmtree(left, ignore_errors=True)


@contextlib.contextmanager
def draft_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Give a folder for drafts that is gone at the end; those left behind are removed first."""
    remove_left_folders(parent, prefix)
    while True:
        made = parent / f"{prefix}{secrets.token_hex(8)}"
        with _removed(made), _removed(made):  # twice: Ctrl-C may come while it is removed
            made.mkdir(mode=0o700)
            with _locked(made, wait=True):
                if made.exists():  # else it was taken for one left behind, before it was locked
                    yield made
                    return


@contextlib.contextmanager
def _removed(folder: Path) -> Iterator[None]:
    """See that a folder, which may not be there yet, is gone at the end."""
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Lock a folder while the block runs, and say whether that could be done."""
    with contextlib.ExitStack() as stack:
        is_locked = False
        # Another process has the lock, or has just removed the folder; or a disk has no locks.
        with contextlib.suppress(OSError):
            if fcntl is not None:
                number = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, number)
                fcntl.flock(number, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                is_locked = True
        yield is_locked


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
