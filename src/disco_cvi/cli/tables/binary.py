"""Tables that know their types: NumPy arrays, Parquet and Arrow."""

from __future__ import annotations

import io
import struct
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
from disco_cvi.cli.tables.arrow_files import lengths_of_texts, read_arrow, read_parquet
from disco_cvi.cli.tables.table import Table, refuse_large, refuse_long_labels
from disco_cvi.exceptions import InvalidInputError

_REAL = "fiub"  # NumPy's kinds of real numbers

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
        arrow = import_arrow(f"reading {source}")
        # No stream of Python: threads of pyarrow that ask for it abort an interpreter that ends.
        raw = file.read_bytes() if isinstance(file, Path) else file.getvalue()
        try:
            read = read_parquet if form == "Parquet" else read_arrow
            columns, self.n_rows = read(raw, most_bytes, source)
        except (arrow.ArrowException, OSError, EOFError, struct.error) as error:
            reason = str(error).split("\n", 1)[0]
            raise InvalidInputError(f"{source} cannot be read as {form}: {reason}") from error
        self._columns = [column for column in columns if not names_rows(column.name)]
        self.names = tuple(column.name for column in self._columns)
        self.width = len(self._columns)
        refuse_large(8 * self.n_rows * self.width, most_bytes, source)

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        matrix = np.empty((self.n_rows, len(positions)))
        for j, position in enumerate(positions):
            matrix[:, j] = self._numbers(position)
        return matrix

    def _numbers(self, position: int) -> NDArray[np.float64]:
        column = self._columns[position]
        if not is_numeric(column.kind):
            raise self.refuse_text(position, f"it holds {column.kind}")
        return numbers_in(plain_column(column.values))

    def labels(self, position: int) -> NDArray[Any]:
        values = self._flat(position)
        longest = int(lengths_of_texts(values).max(initial=0))
        refuse_long_labels(longest, self.n_rows, self._most_bytes, self.source)
        plain = plain_column(values)
        if plain.null_count:
            rows = np.flatnonzero(plain.is_null().to_numpy())
            raise self.refuse_no_label(position, rows.tolist())
        return labels_in(plain)

    def texts(self, position: int) -> list[str]:
        values = self._flat(position)
        refuse_large(int(lengths_of_texts(values).sum()), self._most_bytes, self.source)
        texts = plain_column(values).to_pylist()
        return ["" if value is None else str(value) for value in texts]

    def is_nested(self, position: int) -> bool:
        return self._columns[position].values is None

    def _flat(self, position: int) -> Any:
        column = self._columns[position]
        if column.values is None:
            raise self.refuse_nested(position, str(column.kind))
        return column.values
