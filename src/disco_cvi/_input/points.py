"""User input becomes trusted arrays and numbers: points, distance matrices, min_points, n_jobs.

Only public functions call these checks, each with its own name as `caller` for the message; kernels
trust what comes out. Labels have a file of their own (`_labels.py`). No check modifies its input.
"""

from __future__ import annotations

import numbers
import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi.exceptions import InvalidInputError, count, describe, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

__all__ = [
    "as_array",
    "check_distance_matrix",
    "check_jobs",
    "check_min_points",
    "check_points",
    "is_missing",
]

_ASYMMETRY = 1e-10  # relative; what different summation orders leave behind in d(x, y) and d(y, x)
_DIAGONAL_ULPS = 100  # what d(x, x) computed from products may leave, relative to the largest entry
_TILE = 256  # rows and columns of a square tile: two tiles of doubles fit a core's cache


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
    points = _as_two_dimensional(X, caller)
    points = np.require(points, np.float64, ["C_CONTIGUOUS", "ALIGNED", "WRITEABLE"])
    _refuse_not_finite(points, caller)
    return points


def check_distance_matrix(X: object, caller: str) -> FloatArray:
    """Return a distance matrix as a finite C-contiguous float64 array, symmetric to the bit.

    Parameters
    ----------
    X : array-like of shape (n, n)
        Distances. Entries (i, j) and (j, i) may differ by a relative 1e-10, the diagonal may differ
        from 0 by 100 units in the last place of the largest entry; both are mended in a copy.
    caller : str
        Name of the public function, for messages.

    Returns
    -------
    ndarray of shape (n, n)
        `X` itself if nothing had to be converted or mended. It may be read-only.

    Raises
    ------
    TypeError
        As for `check_points`.
    InvalidInputError
        As for `check_points`, and if `X` is not square, not symmetric, holds a negative entry, or
        has a diagonal that is not zero.
    """
    given = _as_two_dimensional(X, caller)
    rows, columns = given.shape
    if rows != columns:
        raise InvalidInputError(
            f"X of {caller} must be square with metric='precomputed'; got shape {given.shape}. "
            "Pass all pairwise distances, or points with another metric."
        )
    matrix = np.require(given, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    _refuse_not_finite(matrix, caller)
    # An array that this function made may be mended in place; the user's may not.
    owned = not np.may_share_memory(matrix, given)
    matrix, owned = _mend_diagonal(matrix, caller, owned=owned)
    _refuse_negative(matrix, caller)
    return _mend_asymmetry(matrix, caller, owned=owned)


def check_min_points(min_points: object, n_points: int | None, caller: str) -> int:
    """Return `min_points` as an int from 1 to `n_points` (`None`: no upper bound).

    A bool or a float is a `TypeError`, integral or not: it is more often a slip than meant.
    """
    if isinstance(min_points, bool | np.bool_) or not isinstance(min_points, numbers.Integral):
        raise TypeError(
            f"min_points of {caller} must be an integer of at least 1; got {describe(min_points)}. "
            "Pass a whole number such as 5."
        )
    number = int(min_points)
    if n_points is None:
        if number < 1:
            raise InvalidInputError(
                f"min_points of {caller} must be an integer of at least 1; got {shorten(number)}."
            )
    elif not 1 <= number <= n_points:
        advice = " Lower min_points or give more points." if number > n_points else ""
        raise InvalidInputError(
            f"min_points of {caller} must be an integer from 1 to the number of points "
            f"({n_points}); got {shorten(number)}.{advice}"
        )
    return number


def check_jobs(n_jobs: object, caller: str) -> int:
    """Return the number of threads: `None` is 1, -1 all CPUs of this process, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, numbers.Integral):
        raise TypeError(
            f"n_jobs of {caller} must be an integer or None; got {describe(n_jobs)}. "
            "Pass a number of threads, or -1 for all CPUs."
        )
    jobs = int(n_jobs)
    if jobs == 0:
        raise InvalidInputError(
            f"n_jobs of {caller} must not be 0. "
            "Pass a number of threads, -1 for all CPUs, or None for one thread."
        )
    return jobs if jobs > 0 else max(1, _available_cpus() + 1 + jobs)


def is_missing(value: object) -> bool:
    """Tell whether a value means "not there": None, NaN, pandas' NA and NaT, NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    # A missing number is the one value that differs from itself.
    return isinstance(value, float | np.floating | Decimal) and bool(value != value)  # noqa: PLR0124


def as_array(value: object, argument: str, caller: str) -> NDArray[Any]:
    """Return an array of whatever dtype and shape the value has; masked entries become NaN."""
    if isinstance(value, np.ma.MaskedArray):
        return _unmask(value)
    if hasattr(value, "toarray"):  # SciPy's sparse matrices and arrays, without importing SciPy
        raise TypeError(
            f"{argument} of {caller} must be dense; got a sparse {type(value).__name__}. "
            f"Pass {argument}.toarray()."
        )
    try:
        return np.asarray(value)
    except Exception as error:  # foreign containers raise what they like
        if "inhomogeneous" in str(error):
            reason = "its rows differ in length. Give every point the same number of features."
        else:
            reason = f"{error}. Pass a NumPy array."
        raise InvalidInputError(
            f"{argument} of {caller} cannot be made an array: {reason}"
        ) from error


def _available_cpus() -> int:
    """Count the CPUs this process may use, which containers and schedulers often restrict."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13 and newer
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- from anything to a two-dimensional array of numbers ----------------------------------------


def _as_two_dimensional(X: object, caller: str) -> NDArray[Any]:
    """Return `X` as a non-empty 2-d array of a real dtype; missing entries become NaN."""
    array = as_array(_unwrap_frame(X, caller), "X", caller)
    if array.size == 0:
        what = "no columns" if array.ndim == 2 and len(array) else "no points"
        raise InvalidInputError(
            f"X of {caller} must hold at least one point and one column; it holds {what} "
            f"(shape {array.shape})."
        )
    if array.ndim == 1:
        raise InvalidInputError(
            f"X of {caller} must be two-dimensional, one row per point; got shape {array.shape}. "
            "For points with one feature pass X.reshape(-1, 1), for one point X.reshape(1, -1)."
        )
    if array.ndim != 2:
        raise InvalidInputError(
            f"X of {caller} must be two-dimensional, one row per point; got {array.ndim} "
            f"dimensions (shape {array.shape}). Reshape it to (points, features)."
        )
    if array.dtype.kind in "OUS":
        return _numbers_from_objects(X if array.dtype.kind in "US" else array, caller)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"X of {caller} must hold real numbers; got an array of {array.dtype}. "
            "Convert its columns to numbers first."
        )
    if array.dtype.itemsize > 8:  # long double: what exceeds a double becomes inf, refused later
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    return array


def _unmask(array: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    if not np.ma.is_masked(array):
        return np.asarray(array.data)
    values = np.array(array.data, dtype=np.float64 if array.dtype.kind in "fiub" else object)
    values[np.ma.getmaskarray(array)] = np.nan
    return values


def _unwrap_frame(X: object, caller: str) -> object:
    """Return a data frame's values after a look at its column types, other objects as they are.

    The look is needed because frames turn dates into numbers silently when they become arrays.
    """
    if isinstance(X, np.ndarray | list | tuple):
        return X
    import narwhals as nw

    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.NarwhalsError:
        # Repeated column names, which only pandas allows; pandas keeps dates apart by itself.
        return X
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            f"X of {caller} must hold its values; got a lazy {type(X).__name__}. Pass X.collect()."
        )
    if not isinstance(frame, nw.DataFrame):
        return X
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype in (nw.Boolean, nw.Object, nw.Unknown)):
            raise TypeError(
                f"X of {caller} must hold real numbers; column {shorten(name)} holds {dtype}. "
                "Drop the column or convert it to numbers."
            )
    return frame if 0 not in frame.shape else np.empty(frame.shape)


def _numbers_from_objects(X: object, caller: str) -> FloatArray:
    """Convert an object array of numbers; text is refused even where it looks like a number."""
    array = np.asarray(X, dtype=object)
    allowed = (numbers.Real, np.bool_, Decimal)
    kinds = set(map(type, array.ravel()))
    if not all(issubclass(kind, allowed) for kind in kinds):
        numeric = np.array([[isinstance(v, allowed) for v in row] for row in array])
        missing = np.array([[is_missing(v) for v in row] for row in array])
        wrong = np.argwhere(~(numeric | missing))
        if len(wrong):
            row, column = wrong[0]
            raise TypeError(
                f"X of {caller} must hold real numbers; got {describe(array[row, column])} in row "
                f"{row}, column {column}. Drop the column or convert it to numbers."
            )
        array = np.where(missing, np.nan, array)
    try:
        return array.astype(np.float64)
    except OverflowError as error:
        raise InvalidInputError(
            f"X of {caller} holds an integer too large for a 64-bit float. Rescale X."
        ) from error


def _refuse_not_finite(array: FloatArray, caller: str) -> None:
    """Raise if there is NaN or infinity; cheap when there is none."""
    # Both reductions carry NaN along, so two finite extremes prove that every entry is finite.
    with np.errstate(invalid="ignore"):
        if np.isfinite(array.min()) and np.isfinite(array.max()):
            return
    nan_rows, infinite_rows = (
        np.concatenate([is_bad(block).any(axis=1) for block in _row_blocks(array)])
        for is_bad in (np.isnan, np.isinf)
    )
    both = nan_rows.any() and infinite_rows.any()
    word = "NaN or infinity" if both else "NaN" if nan_rows.any() else "infinity"
    advice = (
        "Drop or replace them; distances to infinity are not defined."
        if word == "infinity"
        else "Drop or fill them; density is not defined with missing values."
    )
    rows = np.flatnonzero(nan_rows | infinite_rows)
    raise InvalidInputError(
        f"X of {caller} holds {word} in {count(len(rows), 'row')} (first: row {rows[0]}). {advice}"
    )


def _row_blocks(array: FloatArray) -> Iterator[FloatArray]:
    """Cut an array into blocks of rows of a million entries, so that temporaries stay small."""
    step = max(1, 1_000_000 // array.shape[1])
    return (array[start : start + step] for start in range(0, len(array), step))


# --- what a matrix of distances must be ---------------------------------------------------------


def _mend_diagonal(matrix: FloatArray, caller: str, *, owned: bool) -> tuple[FloatArray, bool]:
    """Set a diagonal that is zero up to rounding to zero; return matrix and whether it is ours."""
    diagonal = np.abs(matrix.diagonal())
    if not diagonal.any():
        return matrix, owned
    tolerance = _DIAGONAL_ULPS * np.finfo(np.float64).eps * max(float(matrix.max()), 0.0)
    wrong = np.flatnonzero(diagonal > tolerance)
    if len(wrong):
        first = wrong[0]
        raise InvalidInputError(
            f"X of {caller} must have a zero diagonal with metric='precomputed'; {len(wrong):,} of "
            f"{len(matrix):,} diagonal entries are not zero (first: X[{first}, {first}] = "
            f"{matrix[first, first]:g}). Pass distances, not similarities."
        )
    if not owned:
        matrix = matrix.copy()
    np.fill_diagonal(matrix, 0.0)
    return matrix, True


def _refuse_negative(matrix: FloatArray, caller: str) -> None:
    if matrix.min() >= 0:
        return
    row = next(index for index, values in enumerate(matrix) if values.min() < 0)
    column = int(np.argmax(matrix[row] < 0))
    raise InvalidInputError(
        f"X of {caller} must hold no negative entry with metric='precomputed'; "
        f"X[{row}, {column}] is {matrix[row, column]:g}. Pass distances, not similarities."
    )


def _mend_asymmetry(matrix: FloatArray, caller: str, *, owned: bool) -> FloatArray:
    """Replace entries (i, j) and (j, i) that differ by rounding by their middle, tile by tile."""
    for upper, lower in _mirrored_tiles(len(matrix)):
        above, below = matrix[upper], matrix[lower].T
        if np.array_equal(above, below):
            continue
        if _differ(above, below).any():
            _raise_asymmetric(matrix, caller)
        if not owned:
            matrix, owned = matrix.copy(), True
        # Halves before the sum: it cannot overflow, and it is the same from both sides. Equal
        # entries keep their bits, which halving would take from the smallest of all floats.
        with np.errstate(under="ignore"):
            middle = np.where(above == below, above, above / 2 + below / 2)
        matrix[upper] = middle
        matrix[lower] = middle.T
    return matrix


def _differ(one: FloatArray, other: FloatArray) -> NDArray[np.bool_]:
    """Tell where two distances differ by more than rounding explains."""
    with np.errstate(under="ignore"):
        return np.abs(one - other) > _ASYMMETRY * np.maximum(one, other)


def _mirrored_tiles(size: int) -> Iterator[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Yield index pairs of the tiles on and above the diagonal and of their mirror images."""
    cuts = [slice(start, start + _TILE) for start in range(0, size, _TILE)]
    return (
        ((rows, columns), (columns, rows))
        for index, rows in enumerate(cuts)
        for columns in cuts[index:]
    )


def _raise_asymmetric(matrix: FloatArray, caller: str) -> None:
    for row in range(len(matrix)):
        right, down = matrix[row, row:], matrix[row:, row]
        wrong = np.flatnonzero(_differ(right, down))
        if len(wrong):
            column = row + int(wrong[0])
            raise InvalidInputError(
                f"X of {caller} must be symmetric with metric='precomputed'; X[{row}, {column}] is "
                f"{matrix[row, column]!s} but X[{column}, {row}] is {matrix[column, row]!s}. "
                "Symmetrize it first, for example as (X + X.T) / 2."
            )
