"""From anything that holds values to an array of them. No function here modifies its input."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.kinds import is_real_kind, probe
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray


_REAL = "hold real numbers"


def as_two_dimensional(X: object, caller: str) -> NDArray[Any]:
    """Return `X` as a non-empty 2-d array of a real dtype; missing entries become NaN."""
    array = as_array(_unwrap_frame(X, caller), "X", caller)
    if array.size == 0:
        what = "no columns" if array.ndim == 2 and len(array) else "no points"
        raise InvalidInputError(
            argument="X",
            caller=caller,
            problem="must hold at least one point and one column; "
            f"it holds {what} (shape {array.shape})",
        )
    if array.ndim != 2:
        _refuse_dimensions(array, caller)
    if array.dtype.kind in "OUS":
        return _numbers_from_objects(X if array.dtype.kind in "US" else array, caller)
    if array.dtype.kind not in "fiub":
        raise InvalidTypeError(
            argument="X",
            caller=caller,
            rule=_REAL,
            got=f"an array of {array.dtype}",
            remedy="Convert its columns to numbers first.",
        )
    if array.dtype.itemsize > 8:  # long double: what exceeds a double becomes inf, refused later
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    return array


def _refuse_dimensions(array: NDArray[Any], caller: str) -> NoReturn:
    got = f"{array.ndim} dimensions (shape {array.shape})"
    remedy = "Reshape it to (points, features)."
    if array.ndim == 1:
        got = f"shape {array.shape}"
        remedy = (
            "For points with one feature pass X.reshape(-1, 1), for one point X.reshape(1, -1)."
        )
    rule = "be two-dimensional, one row per point"
    raise InvalidInputError(argument="X", caller=caller, rule=rule, got=got, remedy=remedy)


def refuse_not_finite(array: FloatArray, caller: str) -> None:
    """Raise if there is NaN or infinity."""
    nan_rows, infinite_rows = rows_not_finite(array)
    rows = np.union1d(nan_rows, infinite_rows)
    if len(rows):
        has_nan, has_infinity = len(nan_rows) > 0, len(infinite_rows) > 0
        raise not_finite_error(len(rows), int(rows[0]), caller, nan=has_nan, infinity=has_infinity)


def not_finite_error(
    n_rows: int, first: int, caller: str, *, nan: bool, infinity: bool
) -> InvalidInputError:
    """Say that so many rows hold NaN or infinity, and which is the first."""
    word = "NaN or infinity" if nan and infinity else "NaN" if nan else "infinity"
    advice = (
        "Drop or replace them; distances to infinity are not defined."
        if word == "infinity"
        else "Drop or fill them; density is not defined with missing values."
    )
    problem = f"holds {word} in {count(n_rows, 'row')} (first: row {first})"
    return InvalidInputError(argument="X", caller=caller, problem=problem, remedy=advice)


def rows_not_finite(array: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows that hold NaN and those that hold infinity; cheap when there are none."""
    # Both reductions carry NaN along, so two finite extremes prove that every entry is finite.
    with np.errstate(invalid="ignore"):
        if np.isfinite(array.min()) and np.isfinite(array.max()):
            return np.empty(0, np.intp), np.empty(0, np.intp)
    nan_rows, infinite_rows = (
        np.flatnonzero(np.concatenate([is_bad(block).any(axis=1) for block in _row_blocks(array)]))
        for is_bad in (np.isnan, np.isinf)
    )
    return nan_rows, infinite_rows


def is_missing(value: object) -> bool:
    """Tell whether a value means "not there": None, NaN, pandas' NA and NaT, NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    # A missing number is the one value that differs from itself.
    return isinstance(value, float | np.floating) and bool(value != value)  # noqa: PLR0124


def as_array(
    value: object, argument: str, caller: str, dtype: DTypeLike | None = None
) -> NDArray[Any]:
    """Return an array of whatever shape the value has; masked entries become NaN.

    It has whatever dtype the value has, unless one is asked for.
    """
    if isinstance(value, np.ma.MaskedArray):
        return _unmask(value)
    # SciPy's sparse matrices and arrays, without importing SciPy.
    if probe(value, "toarray") is not None:
        raise InvalidTypeError(
            argument=argument,
            caller=caller,
            rule="be dense",
            got=f"a sparse {type(value).__name__}",
            remedy=f"Pass {argument}.toarray().",
        )
    try:
        if isinstance(value, list | tuple) and _holds_masks(value):
            return _unmask(np.ma.stack([np.ma.asarray(row, dtype) for row in value]))
        return np.asarray(value, dtype)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # foreign containers raise what they like, polars has panics
        is_ragged = "inhomogeneous" in str(error)
        reason = "its rows differ in length" if is_ragged else error
        of_points = "Give every point the same number of features."
        advice = of_points if argument == "X" else "Make them equally long."
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"cannot be made an array: {reason}",
            remedy=advice if is_ragged else "Pass a NumPy array.",
        ) from error


def _holds_masks(values: Sequence[object]) -> bool:
    """Whether some rows of a list are masked arrays: NumPy would take what they mask."""
    return any(issubclass(kind, np.ma.MaskedArray) for kind in set(map(type, values)))


def _unmask(array: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    # Records are refused, masked or not; NumPy cannot say whether they are.
    if array.dtype.names or not np.ma.is_masked(array):
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
    except Exception:  # noqa: BLE001 - see below
        # Repeated column names, which only pandas allows; pandas keeps dates apart by itself. Or an
        # object that fails when it is asked what it is: it is no frame.
        return X
    if isinstance(frame, nw.LazyFrame):
        raise InvalidTypeError(
            argument="X",
            caller=caller,
            rule="hold its values",
            got=f"a lazy {type(X).__name__}",
            remedy="Pass X.collect().",
        )
    if not isinstance(frame, nw.DataFrame):
        return X
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype in (nw.Boolean, nw.Object, nw.Unknown)):
            raise InvalidTypeError(
                argument="X",
                caller=caller,
                problem=f"must {_REAL}; column {shorten(name)} holds {dtype}",
                remedy="Drop the column or convert it to numbers.",
            )
    return frame if 0 not in frame.shape else np.empty(frame.shape)


def _numbers_from_objects(X: object, caller: str) -> FloatArray:
    """Convert an object array of numbers; text is refused even where it looks like a number."""
    array = np.asarray(X, dtype=object)
    kinds = set(map(type, array.ravel()))
    real = {kind for kind in kinds if is_real_kind(kind) or issubclass(kind, np.bool_)}
    if kinds != real:
        real |= {kind for kind in kinds if issubclass(kind, Decimal)}
        numeric = np.array([[type(v) in real for v in row] for row in array])
        missing = np.array([[is_missing(v) for v in row] for row in array])
        wrong = np.argwhere(~(numeric | missing))
        if len(wrong):
            row, column = wrong[0]
            raise InvalidTypeError(
                argument="X",
                caller=caller,
                rule=_REAL,
                got=f"{describe(array[row, column])} in row {row}, column {column}",
                remedy="Drop the column or convert it to numbers.",
            )
        array = np.where(missing, np.nan, array)
    try:
        return array.astype(np.float64)
    except OverflowError as error:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            problem="holds an integer too large for a 64-bit float",
            remedy="Rescale X.",
        ) from error


def _row_blocks(array: FloatArray) -> Iterator[FloatArray]:
    """Cut an array into blocks of rows of a million entries, so that temporaries stay small."""
    step = max(1, 1_000_000 // array.shape[1])
    return (array[start : start + step] for start in range(0, len(array), step))
