"""Tables that know their types: NumPy arrays and Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.files import import_arrow
from disco_cvi.cli.tables.table import Table
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

_REAL = "fiub"  # NumPy's kinds of real numbers
_PANDAS_INDEX = "__index_level_"  # pandas stores row names in columns named like this


class ArrayTable(Table):
    """A NumPy array saved as .npy; one dimension is one column."""

    def __init__(self, path: Path, source: str) -> None:
        super().__init__(source)
        try:
            array = np.load(path, allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise InvalidInputError(
                f"{source} cannot be read as a NumPy array: {error}. "
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

    def place(self, row: int) -> str:
        return f"row {row}, counting from 0"


class ParquetTable(Table):
    """A Parquet file, read by pyarrow where it is installed."""

    def __init__(self, path: Path, source: str) -> None:
        super().__init__(source)
        self._arrow = import_arrow(f"reading {source}")
        try:
            table = self._arrow.parquet.read_table(path)
        except self._arrow.ArrowException as error:
            reason = str(error).split("\n", 1)[0]
            raise InvalidInputError(f"{source} cannot be read as Parquet: {reason}") from error
        kept = [name for name in table.column_names if not name.startswith(_PANDAS_INDEX)]
        self._table = table.select(kept)
        self.names = tuple(kept)
        self.n_rows, self.width = self._table.shape

    def matrix(self, positions: Sequence[int]) -> NDArray[np.float64]:
        matrix = np.empty((self.n_rows, len(positions)))
        for j, position in enumerate(positions):
            matrix[:, j] = self._numbers(position)
        return matrix

    def _numbers(self, position: int) -> NDArray[np.float64]:
        column, types = self._table.column(position), self._arrow.types
        kind = column.type
        if types.is_boolean(kind):
            column = column.cast(self._arrow.int8())
        elif not (types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)):
            raise self.refuse_text(position, f"it holds {kind}")
        numbers: NDArray[np.float64] = column.cast(self._arrow.float64(), safe=False).to_numpy()
        return numbers

    def labels(self, position: int) -> NDArray[Any]:
        column = self._table.column(position)
        if column.null_count:
            first = next(i for i, valid in enumerate(column.is_valid()) if not valid.as_py())
            raise InvalidInputError(
                f"{self.source}: {self.describe(position)} holds no label in {column.null_count} "
                f"rows (first: {self.place(first)}). Write -1 where a point is noise, or leave the "
                "point out."
            )
        if self._arrow.types.is_dictionary(column.type):  # a categorical
            column = column.cast(column.type.value_type)
        labels: NDArray[Any] = column.to_numpy()
        return labels.astype(np.str_) if labels.dtype.kind == "O" else labels

    def place(self, row: int) -> str:
        return f"row {row}, counting from 0"
