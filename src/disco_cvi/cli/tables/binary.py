"""Tables that know their types: NumPy arrays, Parquet and Arrow."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.arrow_columns import (
    is_numeric,
    labels_in,
    names_rows,
    numbers_in,
    plain_column,
)
from disco_cvi._output.files import import_arrow
from disco_cvi.cli.tables.table import Table, refuse_large
from disco_cvi.exceptions import InvalidInputError

_REAL = "fiub"  # NumPy's kinds of real numbers
_FEATHER = (b"ARROW1", b"FEA1")  # how Arrow files begin, which streams do not

File = Path | io.BytesIO


class BinaryTable(Table):
    """A table whose rows have no lines."""

    def place(self, row: int) -> str:
        return f"row {row}, counting from 0"


class ArrayTable(BinaryTable):
    """A NumPy array saved as .npy; one dimension is one column."""

    def __init__(self, file: File, source: str) -> None:
        super().__init__(source)
        try:
            with file.open("rb") if isinstance(file, Path) else file as stream:
                array = np.load(stream, allow_pickle=False)
        except OSError:
            raise
        except Exception as error:  # damaged files make NumPy raise what Python's parser raises
            reason = " ".join(str(error).split())
            raise InvalidInputError(
                f"{source} cannot be read as a NumPy array: {reason}. "
                "Save numbers or text with numpy.save."
            ) from error
        if not isinstance(array, np.ndarray) or array.dtype.names or array.ndim not in (1, 2):
            raise InvalidInputError(
                f"{source} must hold one array of one or two dimensions, without field names."
            )
        self._array = array.reshape(len(array), -1) if array.size else array.reshape(0, 1)
        self.names = None
        self.n_rows, self.width = self._array.shape

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        if self._array.dtype.kind not in _REAL:
            raise InvalidInputError(
                f"{self.source} must hold real numbers; it holds {self._array.dtype}."
            )
        chosen = self._array
        if list(positions) != list(range(self.width)):
            chosen = chosen[:, list(positions)]
        return np.ascontiguousarray(chosen, dtype=np.float64)

    def labels(self, position: int) -> NDArray[Any]:
        return np.ascontiguousarray(self._array[:, position])

    def texts(self, position: int) -> list[str]:
        column = self._array[:, position]
        if column.dtype.kind == "f" and (column == np.floor(column)).all():
            column = column.astype(np.int64)  # ids are written as floats beside features
        return list(map(str, column.tolist()))


class ArrowTable(BinaryTable):
    """A Parquet, Feather or Arrow file, read by pyarrow where it is installed.

    Parameters
    ----------
    file : path or stream of bytes
    source : str
        The file's name for messages.
    form : {"Parquet", "Arrow"}
    most_bytes : int
        How many bytes the numbers may be.
    """

    def __init__(self, file: File, source: str, form: str, most_bytes: int) -> None:
        super().__init__(source)
        self._most_bytes = most_bytes
        self._arrow = import_arrow(f"reading {source}")
        raw = file.read_bytes() if isinstance(file, Path) else file.getvalue()
        try:
            table = self._read(raw, form)
        except (self._arrow.ArrowException, OSError) as error:
            reason = str(error).split("\n", 1)[0]
            raise InvalidInputError(f"{source} cannot be read as {form}: {reason}") from error
        kept = [j for j, name in enumerate(table.column_names) if not names_rows(name)]
        self._table = table.select(kept)
        self.names = tuple(self._table.column_names)
        self.n_rows, self.width = self._table.shape

    def _read(self, raw: bytes, form: str) -> Any:
        # No stream of Python: threads of pyarrow that ask for it abort an interpreter that ends.
        file = self._arrow.BufferReader(raw)
        if form == "Parquet":
            facts = self._arrow.parquet.read_metadata(file)
            groups = map(facts.row_group, range(facts.num_row_groups))
            unpacked = sum(group.total_byte_size for group in groups)
            # Of equal values a few bytes are written, and all are read.
            values = 8 * facts.num_rows * facts.num_columns
            refuse_large(max(unpacked, values), self._most_bytes, self.source)
            return self._arrow.parquet.read_table(file)
        if raw.startswith(_FEATHER):
            import pyarrow.feather

            return pyarrow.feather.read_table(file)
        return self._arrow.ipc.open_stream(file).read_all()

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        matrix = np.empty((self.n_rows, len(positions)))
        for j, position in enumerate(positions):
            matrix[:, j] = self._numbers(position)
        return matrix

    def _numbers(self, position: int) -> NDArray[np.float64]:
        column = self._table.column(position)
        if not is_numeric(column.type):
            raise self.refuse_text(position, f"it holds {column.type}")
        return numbers_in(column)

    def labels(self, position: int) -> NDArray[Any]:
        column = self._table.column(position)
        if plain_column(column).null_count:
            rows = np.flatnonzero(plain_column(column).is_null().to_numpy())
            raise self.refuse_no_label(position, rows.tolist())
        return labels_in(column)

    def texts(self, position: int) -> list[str]:
        values = plain_column(self._table.column(position)).to_pylist()
        return ["" if value is None else str(value) for value in values]
