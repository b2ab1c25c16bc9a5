"""Data frames on request; neither pandas nor polars is required."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from disco_cvi._output.words import shorten
from disco_cvi.exceptions import InvalidInputError

BACKENDS = ("pandas", "polars")


def frame_library(backend: object) -> Any:
    """Import the library of a data frame, or say how to get it."""
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise InvalidInputError(
            argument="backend",
            caller="to_frame",
            rule="be 'pandas' or 'polars'",
            got=shorten(backend),
        )
    try:
        return importlib.import_module(backend)
    except ImportError as error:
        message = (
            f"to_frame needs {backend}, which is not installed. "
            f"Run 'pip install {backend}', or use to_dict."
        )
        raise ImportError(message) from error


@contextmanager
def held_by(backend: str) -> Iterator[None]:
    """Say what a library of data frames cannot hold: some text, and integers beyond its types."""
    try:
        yield
    except (OverflowError, UnicodeError) as error:
        raise InvalidInputError(
            argument="backend",
            caller="to_frame",
            problem=f", {backend}, cannot hold a name: {str(error).removesuffix('.')}",
            remedy="Use to_dict, or give clusters, labelings and points other names.",
        ) from error


def data_frame(columns: Mapping[str, Sequence[Any]], backend: str) -> Any:
    """Return columns of plain Python values as a data frame; None becomes a missing value."""
    library = frame_library(backend)
    with held_by(backend):
        frame = library.DataFrame(dict(columns))
        if backend == "polars":
            return frame
        import numpy as np

        with np.errstate(invalid="ignore"):  # pandas 2.2 asks whether infinity is an integer
            return frame.convert_dtypes()
