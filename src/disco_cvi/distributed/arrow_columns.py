"""Columns of Arrow tables become arrays of numbers or labels."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._output.files import import_arrow

# pandas and Dask store names of rows in columns that are named like this.
_ROW_NAMES = ("__index_level_", "__null_dask_index__")


def names_rows(name: str) -> bool:
    """Whether a column is the index of a data frame, which another program wrote as a column."""
    return name.startswith(_ROW_NAMES)


def is_numeric(kind: Any) -> bool:
    """Whether a column of this Arrow type holds real numbers or truth values."""
    types = import_arrow("reading columns").types
    return bool(
        types.is_boolean(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
    )


def numbers_in(column: Any) -> FloatArray:
    """Return a numeric column as floats, NaN where a value is missing."""
    arrow = import_arrow("reading columns")
    if arrow.types.is_boolean(column.type):
        column = column.cast(arrow.int8())
    numbers: FloatArray = column.cast(arrow.float64(), safe=False).to_numpy()
    return numbers


def plain_column(column: Any) -> Any:
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


def labels_in(column: Any) -> NDArray[Any]:
    """Return a column without missing values as labels: text where it holds objects."""
    labels: NDArray[Any] = plain_column(column).to_numpy()
    return labels.astype(str) if labels.dtype.kind == "O" else labels
