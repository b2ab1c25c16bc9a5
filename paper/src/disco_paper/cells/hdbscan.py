"""HDBSCAN of scikit-learn; if wanted, with the same labels on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray


def hdbscan_labels(points: NDArray[np.float64], *, plain_sort: bool) -> NDArray[np.int64]:
    """Label points by HDBSCAN with its default parameters.

    The program sorts the edges of its tree by a sort that does not keep the order of equal ones,
    and which of them comes first decides which points become noise. NumPy has several such sorts
    and takes the fastest that the processor knows, so that on data with many equal distances labels
    differ from machine to machine. `plain_sort` takes the one that any processor knows.
    """
    from sklearn.cluster import HDBSCAN

    with _plain_sort() if plain_sort else nullcontext():
        # Its default for `copy` changes between versions, and says so loudly.
        labels = HDBSCAN(copy=True).fit_predict(points)
    return np.asarray(labels, np.int64)


class _PlainNumpy:
    """NumPy, but for the sort."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def argsort(self, values: NDArray[Any], **options: Any) -> NDArray[np.intp]:
        """Sort by comparisons of long doubles, for which there are no vector instructions."""
        return np.argsort(values.astype(np.longdouble), **options)


@contextmanager
def _plain_sort() -> Iterator[None]:
    """Give the module of scikit-learn that sorts, and no other, the plain sort.

    The module is private: should another version have none, its own sort it is.
    """
    try:
        program: Any = import_module("sklearn.cluster._hdbscan.hdbscan")
        numpy = program.np
    except (ModuleNotFoundError, AttributeError):
        yield
        return
    program.np = _PlainNumpy()
    try:
        yield
    finally:
        program.np = numpy
