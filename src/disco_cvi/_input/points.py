"""Points become a trusted array.

Only public functions call these checks, each with its own name as `caller` for the message; kernels
trust what comes out. No check modifies its input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._input.arrays import as_two_dimensional, refuse_not_finite
from disco_cvi._input.distance_matrix import check_distance_matrix
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._input.metric import Metric

    FloatArray = NDArray[np.float64]


def check_points(X: object, caller: str) -> FloatArray:
    """Return the points as a finite, C-contiguous, writable float64 array of shape (n, d).

    Parameters
    ----------
    X : array-like of shape (n, d)
        Nested lists, NumPy arrays of numbers, pandas or polars data frames, Arrow tables.
    caller : str
        Name of the public function, for messages.

    Returns
    -------
    ndarray of shape (n, d)
        `X` itself if it already is such an array, so nobody may write to it; otherwise a copy. A
        read-only `X` is copied, because numba would compile every kernel again for its type.

    Raises
    ------
    TypeError
        If `X` is sparse, lazy, or holds something that is not a real number.
    InvalidInputError
        If `X` is not two-dimensional, is empty, or holds missing or infinite values.
    """
    points = as_two_dimensional(X, caller)
    points = np.require(points, np.float64, ["C_CONTIGUOUS", "ALIGNED", "WRITEABLE"])
    refuse_not_finite(points, caller)
    return points


def check_data(X: object, metric: Metric, caller: str) -> FloatArray:
    """Return points, or a distance matrix if that is what the metric says."""
    if metric.name == "precomputed":
        return check_distance_matrix(X, caller)
    points = check_points(X, caller)
    if metric.name == "haversine" and points.shape[1] != 2:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="have 2 columns, latitude and longitude in radians, for the metric 'haversine'",
            got=str(points.shape[1]),
        )
    return points
