"""Points that are not in this process become parts: what X may be, and how it is read.

Parts are read, or computed, by tasks on the workers, so that a part that is lost with its worker is
read again. Points in the memory of this process are refused: sent to a worker they would be lost
with it, and what fits into one process is scored there more quickly.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from narwhals.dependencies import is_dask_dataframe
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_two_dimensional, is_whole_number
from disco_cvi._output.words import describe, shorten
from disco_cvi.distributed.dask_runner import DaskRunner
from disco_cvi.distributed.files import (
    Column,
    Files,
    check_column,
    group_pieces,
    no_columns,
    not_numeric,
    open_files,
    read_labels,
    read_points,
    refuse_not_finite_in,
)
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

# What a name of files has, and that of a column hardly ever.
_FILE = re.compile(r"[*?/\\]|\.(parquet|pq|npy)$", re.IGNORECASE)
_WHAT = "be a Dask array, a Dask data frame, or names of Parquet or NPY files"


@dataclass(frozen=True)
class Source:
    """Points in parts.

    Attributes
    ----------
    columns : tuple of str or int
        The features.
    n_rows : tuple of int, or None
        Rows of each part; None if nobody knows before the parts are computed.
    names : tuple of str or int
        All columns that may hold labels; an array has features only.
    caller : str
        Name of the public function, for messages.
    """

    columns: tuple[Column, ...]
    n_rows: tuple[int, ...] | None
    names: tuple[Column, ...]
    caller: str

    def parts(self, runner: DaskRunner) -> list[Any]:
        """Begin to read the parts; return what stands for them."""
        raise NotImplementedError

    def labels(self, runner: DaskRunner, column: Column) -> Any:
        """Return a column of labels."""
        raise NotImplementedError


@dataclass(frozen=True)
class FileSource(Source):
    """Points in files."""

    files: Files

    def parts(self, runner: DaskRunner) -> list[Any]:
        """Begin to read the parts; return what stands for them."""
        groups = group_pieces(self.files.pieces, len(self.columns))
        return [runner.submit(read_points, group, self.columns, self.caller) for group in groups]

    def labels(self, runner: DaskRunner, column: Column) -> Any:
        """Return a column of labels."""
        return labels_of_files(self.files, column, runner, self.caller)


@dataclass(frozen=True)
class ArraySource(Source):
    """Points in a Dask array."""

    array: Any

    def parts(self, runner: DaskRunner) -> list[Any]:
        """Begin to compute the parts; return what stands for them."""
        chunks = runner.compute(self.array.to_delayed()[:, 0].tolist())
        return [
            runner.submit(points_of_chunk, chunk, number, self.columns, self.caller)
            for number, chunk in enumerate(chunks)
        ]


@dataclass(frozen=True)
class FrameSource(Source):
    """Points in a Dask data frame."""

    frame: Any

    def parts(self, runner: DaskRunner) -> list[Any]:
        """Begin to compute the parts; return what stands for them."""
        partitions = runner.compute(self.frame[list(self.columns)].to_delayed())
        return [
            runner.submit(points_of_chunk, partition, number, self.columns, self.caller)
            for number, partition in enumerate(partitions)
        ]

    def labels(self, runner: DaskRunner, column: Column) -> Any:
        """Return a column of labels."""
        return labels_of_collection(self.frame[column], runner)


def open_source(
    X: object, caller: str, *, columns: Sequence[Column] | None = None, labels: object = None
) -> Source:
    """Look at the points of a public function, without reading them.

    A column that holds the labels is no feature.
    """
    array_type = getattr(sys.modules.get("dask.array"), "Array", ())
    if isinstance(X, array_type):
        return _open_array(X, columns, caller)
    if is_dask_dataframe(X):
        return _open_frame(X, columns, labels, caller)
    if isinstance(X, str | os.PathLike) or _is_list_of_names(X):
        files = open_files(X, caller)
        chosen = _choose(files.columns, columns, labels, files.pieces[0].path, caller)
        n_rows = tuple(
            sum(piece.n_rows for piece in group)
            for group in group_pieces(files.pieces, len(chosen))
        )
        return FileSource(chosen, n_rows, files.columns, caller, files)
    raise InvalidTypeError(
        argument="X",
        caller=caller,
        rule=_WHAT,
        got=describe(X) if np.ndim(cast("Any", X)) == 0 else f"{type(X).__name__} in memory",
        remedy="What fits into memory is scored more quickly by the function of the same name in "
        "disco_cvi; or save it with numpy.save, and pass the file's name.",
    )


def _is_list_of_names(X: object) -> bool:
    names = isinstance(X, list | tuple) and X
    return bool(names) and all(isinstance(name, str | os.PathLike) for name in cast("Any", X))


def _open_array(array: Any, columns: Sequence[Column] | None, caller: str) -> ArraySource:
    if array.ndim != 2 or np.isnan(array.shape[1]) or array.shape[1] == 0:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="be two-dimensional, one row per point, with a known number of columns",
            got=f"shape {array.shape}",
        )
    if array.dtype.kind not in "fiub":
        raise InvalidTypeError(
            argument="X", caller=caller, rule="hold real numbers", got=f"{array.dtype}"
        )
    chosen = _choose(tuple(range(array.shape[1])), columns, None, "the Dask array", caller)
    if columns is not None:
        array = array[:, list(chosen)]
    array = array.rechunk({1: -1})
    n_rows = array.chunks[0]
    known = None if np.isnan(n_rows).any() else tuple(n_rows)
    return ArraySource(chosen, known, (), caller, array)


def _open_frame(
    frame: Any, columns: Sequence[Column] | None, labels: object, caller: str
) -> FrameSource:
    chosen = _choose(tuple(frame.columns), columns, labels, "the Dask data frame", caller)
    for column in chosen:
        dtype = frame.dtypes[column]
        if getattr(dtype, "kind", "O") not in "fiub":
            raise not_numeric("the Dask data frame", column, str(dtype), caller)
    return FrameSource(chosen, None, tuple(frame.columns), caller, frame)


def _choose(
    known: tuple[Column, ...],
    asked: Sequence[Column] | None,
    labels: object,
    place: str,
    caller: str,
) -> tuple[Column, ...]:
    """Return the columns that are features: those asked for, or all but the labels."""
    if asked is None:
        rest = tuple(column for column in known if not _is_same(column, labels))
        if not rest:
            raise no_columns(place, caller)
        return rest
    if isinstance(asked, str) or not isinstance(asked, list | tuple) or not asked:
        raise InvalidTypeError(
            argument="columns",
            caller=caller,
            rule="be a list of columns",
            got=describe(asked),
        )
    for column in asked:
        _refuse_type(column, caller)
        check_column(column, known, place, "columns", caller)
    if len(set(asked)) < len(asked):
        rule = "hold each column once"
        raise InvalidInputError(argument="columns", caller=caller, rule=rule, got=shorten(asked))
    return tuple(asked)


def _refuse_type(column: object, caller: str) -> None:
    """Raise for what is no name and no place: True is taken for 1, and 1.0 and a duration too."""
    is_mask = isinstance(column, bool | np.bool_)
    if not (is_whole_number(column) or isinstance(column, str)):
        raise InvalidTypeError(
            argument="columns",
            caller=caller,
            rule="hold names (str) or numbers (int) of columns",
            got=describe(column),
            remedy="Pass the numbers of the columns that are True." if is_mask else None,
        )


def _is_same(column: Column, labels: object) -> bool:
    return isinstance(labels, str | int) and column == labels


def points_of_chunk(chunk: Any, number: int, columns: Sequence[Column], caller: str) -> FloatArray:
    """Check a chunk or a partition; a task."""
    if len(chunk) == 0:
        return np.empty((0, len(columns)))
    place = f"chunk {number}"
    try:
        array = np.ascontiguousarray(as_two_dimensional(chunk, caller), np.float64)
    except (InvalidInputError, InvalidTypeError) as error:
        problem = f", {place}, {error.problem}"
        raise type(error)(
            argument="X", caller=caller, problem=problem, remedy=error.remedy
        ) from None
    refuse_not_finite_in(array, place, columns, caller)
    return array


# --- labels -------------------------------------------------------------------------------------


class LabelsFile(NamedTuple):
    """Files of labels by name, and their column; None: the only one."""

    names: str | os.PathLike[str]
    column: Column | None = None


def is_elsewhere(labels: object) -> bool:
    """Whether labels are named, or lie on the cluster, so that workers have to be asked."""
    by_name = isinstance(labels, str | os.PathLike | LabelsFile)
    return by_name or hasattr(labels, "__dask_graph__")


def fetch_labels(labels: object, source: Source | None, runner: DaskRunner, caller: str) -> Any:
    """Return labels as scoring takes them: in the memory of this process.

    Labels by name are a column of the points, or else a file.
    """
    names = () if source is None else source.names
    if isinstance(labels, str) and source is not None and labels in names:
        return source.labels(runner, labels)
    if isinstance(labels, str) and names and not _FILE.search(labels):
        check_column(labels, names, "X", "labels", caller)
    if isinstance(labels, str | os.PathLike):
        labels = LabelsFile(labels)
    if isinstance(labels, LabelsFile):
        files = open_files(labels.names, caller, "labels")
        return labels_of_files(files, labels.column, runner, caller)
    if hasattr(labels, "__dask_graph__"):
        return labels_of_collection(labels, runner)
    return labels


def labels_of_files(
    files: Files, column: Column | None, runner: DaskRunner, caller: str
) -> NDArray[Any]:
    """Read a column of labels, or the only one that there is."""
    place = files.pieces[0].path
    if column is None and len(files.columns) > 1:
        raise InvalidInputError(
            argument="labels",
            caller=caller,
            rule="be a file of one column",
            got=f"{place} with the columns {shorten(list(files.columns))}",
            remedy="Pass the column by dask.dataframe.read_parquet(...)[...].",
        )
    chosen = files.columns[0] if column is None else column
    check_column(chosen, files.columns, place, "labels", caller)
    groups = group_pieces(files.pieces, 1)
    runner.told("reading labels", len(groups))
    tasks = [runner.submit(read_labels, group, chosen, "labels", caller) for group in groups]
    return np.concatenate(runner.gather(tasks))


def labels_of_collection(labels: Any, runner: DaskRunner) -> Any:
    """Compute a Dask array or series."""
    runner.told("computing labels", 1)
    return runner.gather(runner.compute([labels]))[0]
