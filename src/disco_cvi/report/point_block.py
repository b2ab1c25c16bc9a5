"""The points of a map as one block of text: little-endian arrays in base64."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LARGEST_SHORT = 32_767


def encode(columns: Mapping[str, NDArray[Any]]) -> tuple[list[list[str]], str]:
    """Return names and kinds of the columns, and their values as text.

    Numbers with a fraction become 4 bytes, whole ones 2 or, where these are not enough, 4. Scripts
    read arrays in place, which must begin at multiples of their size: the wider ones come first.

    Parameters
    ----------
    columns : mapping of str to ndarray
        All of the same length.

    Returns
    -------
    tuple of list and str
        ``[name, kind]`` in the order of the block, and the block.

    Examples
    --------
    >>> encode({"x": np.array([0.5]), "label": np.array([-1])})
    ([['x', 'f4'], ['label', 'i2']], 'AAAAP///')
    """
    kinds = {name: _kind(column) for name, column in columns.items()}
    order = sorted(columns, key=lambda name: kinds[name] == "i2")
    with np.errstate(over="ignore"):  # what exceeds 4 bytes is shown as infinite
        data = b"".join(columns[name].astype(f"<{kinds[name]}").tobytes() for name in order)
    return [[name, kinds[name]] for name in order], base64.b64encode(data).decode("ascii")


def decode(layout: list[list[str]], block: str) -> dict[str, NDArray[Any]]:
    """Return the columns of a block."""
    data = base64.b64decode(block)
    n_rows = len(data) // sum(int(kind[1]) for _, kind in layout)
    columns, at = {}, 0
    for name, kind in layout:
        columns[name] = np.frombuffer(data, f"<{kind}", n_rows, at)
        at += columns[name].nbytes
    return columns


def _kind(column: NDArray[Any]) -> str:
    if column.dtype.kind == "f":
        return "f4"
    return "i2" if np.abs(column).max(initial=0) <= _LARGEST_SHORT else "i4"
