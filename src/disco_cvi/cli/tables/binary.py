"""Tables that know their types: NumPy arrays, Parquet and Arrow."""

from __future__ import annotations

import io
import math
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.files import import_arrow
from disco_cvi.cli.tables.arrow_files import lengths_of_texts, read_arrow, read_parquet
from disco_cvi.cli.tables.table import Table, refuse_large, refuse_long_labels
from disco_cvi.distributed.arrow_columns import (
    is_numeric,
    labels_in,
    names_rows,
    numbers_in,
    plain_column,
)
from disco_cvi.exceptions import InvalidInputError

_REAL = "fiub"  # NumPy's kinds of real numbers
_FLOAT = 8  # bytes of a number in the matrix that columns become
_HALVES = 0xD800 >> 11  # what the numbers of surrogates begin with, and of nothing else

File = Path | io.BytesIO


class BinaryTable(Table):
    """A table whose rows have no lines."""

    def place(self, row: int) -> str:
        return f"row {row}, counting from 0"


class ArrayTable(BinaryTable):
    """A NumPy array saved as .npy; one dimension is one column.

    Parameters
    ----------
    file : path or stream of bytes
    source : str
        The file's name for messages.
    most_bytes : int
        How many bytes the array may be, and the numbers made of it.
    """

    def __init__(self, file: File, source: str, most_bytes: int) -> None:
        super().__init__(source)
        try:
            with file.open("rb") if isinstance(file, Path) else file as stream:
                refuse_large(_array_size(stream), most_bytes, source)
                stream.seek(0)
                array = np.load(stream, allow_pickle=False)
        except (OSError, InvalidInputError):
            raise
        except Exception as error:  # damaged files make NumPy raise what Python's parser raises
            # Its first sentence: others may advise to trust the file.
            reason = " ".join(str(error).split()).partition(". ")[0]
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
        self._refuse_no_unicode()

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

    def _refuse_no_unicode(self) -> None:
        """Raise if text holds numbers of no letter, or halves of pairs: no file can hold it."""
        kind = self._array.dtype
        if kind.kind != "U" or not self.n_rows or not kind.itemsize:
            return
        native = np.ascontiguousarray(self._array, dtype=kind.newbyteorder("="))
        codes = native.view(np.uint32).reshape(self.n_rows, -1)
        is_wrong = ((codes > sys.maxunicode) | (codes >> 11 == _HALVES)).any(axis=1)
        if is_wrong.any():
            raise InvalidInputError(
                f"{self.source}: the text in {self.place(int(is_wrong.argmax()))}, is not Unicode. "
                "Write letters, and both halves of a pair of surrogates, or neither."
            )


def _array_size(stream: IO[bytes]) -> int:
    """Return how many bytes an array, or the numbers made of it, are by its header.

    Raises what NumPy raises of a damaged header; what is no array is refused here, since NumPy
    takes it for a pickle and advises to trust it.
    """
    beginning = stream.read(len(np.lib.format.MAGIC_PREFIX))
    if beginning != np.lib.format.MAGIC_PREFIX:
        raise ValueError("it does not begin as one does")
    stream.seek(0)
    is_first = np.lib.format.read_magic(stream) == (1, 0)
    read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(stream)
    if dtype.hasobject:
        raise ValueError(
            "it holds objects of Python, which are not read, because they can run code"
        )
    if any(length < 0 for length in shape):
        raise ValueError("its header says that it has less than no values")
    return math.prod(shape) * max(dtype.itemsize, _FLOAT)


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
        refuse_large(_FLOAT * self.n_rows * self.width, most_bytes, source)

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
