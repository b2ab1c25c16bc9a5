"""From anything that holds values to an array of them. No function here modifies its input."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

# The first integer that Python does not write: it has 4301 digits.
UNWRITABLE = 10**4300

_CONVERT = "Drop the column or convert it to numbers."


def wrong_value(
    argument: str, caller: str, rule: str, got: str | None = None, remedy: str | None = None
) -> InvalidInputError:
    """Return the error of an argument of the right type; see `ArgumentError` for its parts."""
    return InvalidInputError(argument=argument, caller=caller, rule=rule, got=got, remedy=remedy)


def wrong_type(
    argument: str, caller: str, rule: str, got: str | None = None, remedy: str | None = None
) -> InvalidTypeError:
    """Return the error of an argument of the wrong type; see `ArgumentError` for its parts."""
    return InvalidTypeError(argument=argument, caller=caller, rule=rule, got=got, remedy=remedy)


# --- what a value is ----------------------------------------------------------------------------


def is_whole_number(value: object) -> TypeGuard[numbers.Integral]:
    """Whether a value is an integer and no truth value.

    NumPy counts durations among its integers, but they have a unit.

    >>> is_whole_number(3), is_whole_number(True), is_whole_number(3.0)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool | np.timedelta64)


def is_real_number(value: object) -> TypeGuard[numbers.Real]:
    """Whether a value is a real number and no truth value.

    >>> is_real_number(0.5), is_real_number(True), is_real_number("0.5")
    (True, False, False)
    """
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.timedelta64)


def is_collection(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value holds others, one after the other; text and arrays of no dimension do not.

    >>> is_collection(range(3)), is_collection("abc"), is_collection(np.array(3))
    (True, False, False)
    """
    is_iterable = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    return is_iterable and getattr(value, "ndim", 1) != 0


def is_missing(value: object) -> bool:
    """Whether a value means "not there": None, NaN, pandas' NA and NaT, NumPy's masked."""
    if value is None or value is np.ma.masked or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    # A missing number is the one value that differs from itself.
    return isinstance(value, float | np.floating) and bool(value != value)  # noqa: PLR0124


# --- arrays of any shape ------------------------------------------------------------------------


def as_array(
    value: object, argument: str, caller: str, dtype: DTypeLike | None = None
) -> NDArray[Any]:
    """Return an array of whatever shape the value has; masked entries become NaN.

    It has whatever dtype the value has, unless one is asked for.
    """
    if isinstance(value, np.ma.MaskedArray):
        # Records are refused, masked or not; NumPy cannot say whether they are.
        if value.dtype.names or not np.ma.is_masked(value):
            return np.asarray(value.data)
        values = np.array(value.data, dtype=np.float64 if value.dtype.kind in "fiub" else object)
        values[np.ma.getmaskarray(value)] = np.nan
        return values
    if hasattr(value, "toarray"):  # SciPy's sparse matrices and arrays, without importing SciPy
        got, remedy = f"a sparse {type(value).__name__}", f"Pass {argument}.toarray()."
        raise wrong_type(argument, caller, "be dense", got, remedy)
    try:
        return np.asarray(value, dtype)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # foreign containers raise what they like, polars has panics
        reason, remedy = str(error), "Pass a NumPy array."
        if "inhomogeneous" in reason:
            reason, remedy = "its rows differ in length", "Make them equally long."
            if argument == "X":
                remedy = "Give every point the same number of features."
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"cannot be made an array: {reason}",
            remedy=remedy,
        ) from error


def as_real(given: object, array: NDArray[Any], argument: str, caller: str) -> NDArray[Any]:
    """Return an array of a real dtype of at most 64 bits; missing entries become NaN.

    `array` is what NumPy makes of what was given. Text is refused even where it looks like a
    number.
    """
    if array.dtype.kind in "OUS":
        objects = np.asarray(given, object) if array.dtype.kind in "US" else array
        return _numbers_from_objects(objects, argument, caller)
    if array.dtype.kind not in "fiub":
        got, remedy = f"an array of {array.dtype}", "Convert its columns to numbers first."
        raise wrong_type(argument, caller, "hold real numbers", got, remedy)
    if array.dtype.itemsize > 8:  # long double: what exceeds a double becomes inf, refused later
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    return array


def _numbers_from_objects(array: NDArray[Any], argument: str, caller: str) -> FloatArray:
    kinds = set(map(type, array.flat)) - {float, int, bool}
    if not all(issubclass(kind, np.floating | np.bool_) for kind in kinds):
        missing = np.array([is_missing(value) for value in array.flat], bool).reshape(array.shape)
        for place in np.argwhere(~missing):
            value = array[tuple(place)]
            if not (is_real_number(value) or isinstance(value, bool | np.bool_ | Decimal)):
                is_table = array.ndim == 2
                where = f"in row {place[0]}, column {place[1]}" if is_table else "among its values"
                got = f"{describe(value)} {where}"
                remedy = _CONVERT if is_table else None
                raise wrong_type(argument, caller, "hold real numbers", got, remedy)
        array = np.where(missing, np.nan, array)
    try:
        return array.astype(np.float64)
    except OverflowError as error:
        problem = "holds an integer too large for a 64-bit float"
        raise InvalidInputError(
            argument=argument, caller=caller, problem=problem, remedy=f"Rescale {argument}."
        ) from error


# --- arrays of points ---------------------------------------------------------------------------


def as_two_dimensional(X: object, caller: str) -> NDArray[Any]:
    """Return `X` as a non-empty 2-d array of a real dtype; missing entries become NaN."""
    array = as_array(_unwrap_frame(X, caller), "X", caller)
    if array.size == 0:
        what = "no columns" if array.ndim == 2 and len(array) else "no points"
        problem = (
            f"must hold at least one point and one column; it holds {what} (shape {array.shape})"
        )
        raise InvalidInputError(argument="X", caller=caller, problem=problem)
    if array.ndim != 2:
        got = f"{array.ndim} dimensions (shape {array.shape})"
        remedy = "Reshape it to (points, features)."
        if array.ndim == 1:
            got, one = f"shape {array.shape}", "for one point X.reshape(1, -1)"
            remedy = f"For points with one feature pass X.reshape(-1, 1), {one}."
        raise wrong_value("X", caller, "be two-dimensional, one row per point", got, remedy)
    return as_real(X, array, "X", caller)


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
        # Repeated column names, which only pandas allows; pandas keeps dates apart by itself.
        return X
    if isinstance(frame, nw.LazyFrame):
        got = f"a lazy {type(X).__name__}"
        raise wrong_type("X", caller, "hold its values", got, "Pass X.collect().")
    if not isinstance(frame, nw.DataFrame):
        return X
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype in (nw.Boolean, nw.Object, nw.Unknown)):
            problem = f"must hold real numbers; column {shorten(name)} holds {dtype}"
            raise InvalidTypeError(argument="X", caller=caller, problem=problem, remedy=_CONVERT)
    return frame if 0 not in frame.shape else np.empty(frame.shape)


def refuse_not_finite(array: FloatArray, caller: str) -> None:
    """Raise if there is NaN or infinity."""
    nan_rows, infinite_rows = rows_not_finite(array)
    rows = np.union1d(nan_rows, infinite_rows)
    if len(rows):
        has_nan, has_infinity = len(nan_rows) > 0, len(infinite_rows) > 0
        raise not_finite_error(len(rows), int(rows[0]), caller, nan=has_nan, infinity=has_infinity)


def rows_not_finite(array: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows that hold NaN and those that hold infinity; cheap when there are none."""
    # Both reductions carry NaN along, so two finite extremes prove that every entry is finite.
    with np.errstate(invalid="ignore"):
        if np.isfinite(array.min()) and np.isfinite(array.max()):
            return np.empty(0, np.intp), np.empty(0, np.intp)
    return (
        np.flatnonzero(np.isnan(array).any(axis=1)),
        np.flatnonzero(np.isinf(array).any(axis=1)),
    )


def not_finite_error(
    n_rows: int, first: int, caller: str, *, nan: bool, infinity: bool
) -> InvalidInputError:
    """Say that so many rows hold NaN or infinity, and which is the first."""
    word = "NaN or infinity" if nan and infinity else "NaN" if nan else "infinity"
    remedy = "Drop or fill them; density is not defined with missing values."
    if not nan:
        remedy = "Drop or replace them; distances to infinity are not defined."
    problem = f"holds {word} in {count(n_rows, 'row')} (first: row {first})"
    return InvalidInputError(argument="X", caller=caller, problem=problem, remedy=remedy)
