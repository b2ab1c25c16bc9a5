"""Points, distance matrices, min_points and n_jobs: what is accepted, what is said otherwise."""

from __future__ import annotations

import os
import re
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import sparse

from disco_cvi import InvalidInputError
from disco_cvi._input import options
from disco_cvi._input.arrays import is_missing
from disco_cvi._input.distance_matrix import check_distance_matrix
from disco_cvi._input.options import check_jobs, check_min_points
from disco_cvi._input.points import check_points

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.small

POINTS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]])


def says(text: str) -> str:
    """A pattern that matches exactly this message."""
    return f"^{re.escape(text)}$"


# --- points -------------------------------------------------------------------------------------

WHOLE = [[0, 1], [2, 3], [4, 5]]

POINT_FORMS: dict[str, Callable[[], Any]] = {
    "nested lists": lambda: WHOLE,
    "tuple of tuples": lambda: tuple(map(tuple, WHOLE)),
    "list of arrays": lambda: [np.array(row) for row in WHOLE],
    "float32": lambda: np.array(WHOLE, dtype=np.float32),
    "float16": lambda: np.array(WHOLE, dtype=np.float16),
    "long double": lambda: np.array(WHOLE, dtype=np.longdouble),
    "int8": lambda: np.array(WHOLE, dtype=np.int8),
    "uint64": lambda: np.array(WHOLE, dtype=np.uint64),
    "other byte order": lambda: np.array(WHOLE, dtype=">f8"),
    "fortran order": lambda: np.asfortranarray(WHOLE, dtype=np.float64),
    "every second row": lambda: np.repeat(np.array(WHOLE, dtype=np.float64), 2, axis=0)[::2],
    "columns back to front": lambda: np.array([row[::-1] for row in WHOLE], dtype=float)[:, ::-1],
    "read-only": lambda: _read_only(np.array(WHOLE, dtype=np.float64)),
    "unaligned": lambda: _unaligned(np.array(WHOLE, dtype=np.float64)),
    "objects": lambda: np.array(WHOLE, dtype=object),
    "decimals": lambda: [[Decimal(v) for v in row] for row in WHOLE],
    "fractions": lambda: [[Fraction(v) for v in row] for row in WHOLE],
    "unmasked": lambda: np.ma.MaskedArray(WHOLE),
    "pandas": lambda: pd.DataFrame(WHOLE, columns=["a", "b"]),
    "pandas mixed columns": lambda: pd.DataFrame({"a": [0, 2, 4], "b": [1.0, 3.0, 5.0]}),
    "pandas nullable": lambda: pd.DataFrame(WHOLE).astype("Int64"),
    "pandas arrow": lambda: pd.DataFrame(WHOLE, columns=["a", "b"]).astype("int64[pyarrow]"),
    "pandas objects": lambda: pd.DataFrame(WHOLE).astype(object),
    "pandas repeated names": lambda: pd.DataFrame(WHOLE, columns=["a", "a"]),
    "pandas sparse columns": lambda: pd.DataFrame(WHOLE).astype(pd.SparseDtype("int64", 0)),
    "polars": lambda: pl.DataFrame(WHOLE, schema=["a", "b"], orient="row"),
    "polars decimals": lambda: pl.DataFrame(
        WHOLE, schema={"a": pl.Decimal(10, 2), "b": pl.Decimal(10, 2)}, orient="row"
    ),
    "narwhals": lambda: nw.from_native(pl.DataFrame(WHOLE, schema=["a", "b"], orient="row")),
    "arrow": lambda: pa.table({"a": [0, 2, 4], "b": [1, 3, 5]}),
}


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


def _unaligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    memory[1:] = np.frombuffer(array.tobytes(), dtype=np.uint8)
    return memory[1:].view(np.float64).reshape(array.shape)


@pytest.mark.parametrize("form", POINT_FORMS)
def test_points_of_every_form(form: str) -> None:
    points = check_points(POINT_FORMS[form](), "disco_score")
    assert type(points) is np.ndarray
    assert points.dtype == np.dtype("=f8")
    assert points.flags.c_contiguous
    assert points.flags.aligned
    assert points.flags.writeable
    assert points.tolist() == WHOLE


def test_boolean_points() -> None:
    assert check_points([[True, False]], "f").tolist() == [[1.0, 0.0]]


def test_good_points_are_not_copied() -> None:
    assert check_points(POINTS, "f") is POINTS


@given(
    npst.arrays(
        np.float64,
        npst.array_shapes(min_dims=2, max_dims=2),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_all_finite_points_pass_bit_for_bit(X: np.ndarray[Any, Any]) -> None:
    before = X.tobytes()
    assert check_points(np.asfortranarray(X), "f").tobytes() == before
    assert X.tobytes() == before


@pytest.mark.parametrize("check", [check_points, check_distance_matrix])
def test_input_is_never_modified(check: Callable[..., Any]) -> None:
    X = np.array([[1e-17, 1.0, 2.0], [1.0 + 1e-15, 0.0, 3.0], [2.0, 3.0, -1e-17]])
    before = X.copy()
    check(X, "f")
    assert X.tobytes() == before.tobytes()


MISSING = "Drop or fill them; density is not defined with missing values."
INFINITE = "Drop or replace them; distances to infinity are not defined."
SHAPE = "X of disco_score must be two-dimensional, one row per point; got "
EMPTY = "X of disco_score must hold at least one point and one column; it holds "
REAL = "X of disco_score must hold real numbers; "
CONVERT = "Drop the column or convert it to numbers."

BAD_POINTS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "nan": (
        lambda: [[0.0, 1.0], [np.nan, 1.0], [np.nan, np.nan]],
        InvalidInputError,
        f"X of disco_score holds NaN in 2 rows (first: row 1). {MISSING}",
    ),
    "infinity": (
        lambda: [[0.0, 1.0], [0.0, -np.inf]],
        InvalidInputError,
        f"X of disco_score holds infinity in 1 row (first: row 1). {INFINITE}",
    ),
    "nan and infinity": (
        lambda: [[0.0, np.inf], [0.0, np.nan]],
        InvalidInputError,
        f"X of disco_score holds NaN or infinity in 2 rows (first: row 0). {MISSING}",
    ),
    "both infinities": (
        lambda: [[np.inf], [-np.inf]],
        InvalidInputError,
        f"X of disco_score holds infinity in 2 rows (first: row 0). {INFINITE}",
    ),
    "long double out of range": (
        lambda: np.array([[np.finfo(np.float64).max]], dtype=np.longdouble) * 4,
        InvalidInputError,
        f"X of disco_score holds infinity in 1 row (first: row 0). {INFINITE}",
    ),
    "none": (
        lambda: [[0.0, None]],
        InvalidInputError,
        f"X of disco_score holds NaN in 1 row (first: row 0). {MISSING}",
    ),
    "masked": (
        lambda: np.ma.MaskedArray([[1, 2], [3, 4]], mask=[[False, False], [False, True]]),
        InvalidInputError,
        f"X of disco_score holds NaN in 1 row (first: row 1). {MISSING}",
    ),
    "pandas missing": (
        lambda: pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [1.0, 2.0]}),
        InvalidInputError,
        f"X of disco_score holds NaN in 1 row (first: row 1). {MISSING}",
    ),
    "pandas missing boolean": (
        lambda: pd.DataFrame({"a": pd.array([True, None], dtype="boolean")}),
        InvalidInputError,
        f"X of disco_score holds NaN in 1 row (first: row 1). {MISSING}",
    ),
    "polars null": (
        lambda: pl.DataFrame({"a": [None, 1], "b": [1.0, 2.0]}),
        InvalidInputError,
        f"X of disco_score holds NaN in 1 row (first: row 0). {MISSING}",
    ),
    "no list entries": (list, InvalidInputError, f"{EMPTY}no points (shape (0,))."),
    "no rows": (lambda: np.empty((0, 3)), InvalidInputError, f"{EMPTY}no points (shape (0, 3))."),
    "no columns": (
        lambda: np.empty((3, 0)),
        InvalidInputError,
        f"{EMPTY}no columns (shape (3, 0)).",
    ),
    "empty frame": (pl.DataFrame, InvalidInputError, f"{EMPTY}no points (shape (0, 0))."),
    "one-dimensional": (
        lambda: [1.0, 2.0],
        InvalidInputError,
        f"{SHAPE}shape (2,). For points with one feature pass X.reshape(-1, 1), "
        "for one point X.reshape(1, -1).",
    ),
    "series": (
        lambda: pl.Series([1.0, 2.0]),
        InvalidInputError,
        f"{SHAPE}shape (2,). For points with one feature pass X.reshape(-1, 1), "
        "for one point X.reshape(1, -1).",
    ),
    "three-dimensional": (
        lambda: np.zeros((2, 2, 2)),
        InvalidInputError,
        f"{SHAPE}3 dimensions (shape (2, 2, 2)). Reshape it to (points, features).",
    ),
    "a number": (
        lambda: 3,
        InvalidInputError,
        f"{SHAPE}0 dimensions (shape ()). Reshape it to (points, features).",
    ),
    "none at all": (
        lambda: None,
        InvalidInputError,
        f"{SHAPE}0 dimensions (shape ()). Reshape it to (points, features).",
    ),
    "ragged": (
        lambda: [[1.0], [1.0, 2.0]],
        InvalidInputError,
        "X of disco_score cannot be made an array: its rows differ in length. "
        "Give every point the same number of features.",
    ),
    "huge integer": (
        lambda: [[10**400]],
        InvalidInputError,
        "X of disco_score holds an integer too large for a 64-bit float. Rescale X.",
    ),
    "sparse matrix": (
        lambda: sparse.csr_matrix(POINTS),
        TypeError,
        "X of disco_score must be dense; got a sparse csr_matrix. Pass X.toarray().",
    ),
    "sparse array": (
        lambda: sparse.coo_array(POINTS),
        TypeError,
        "X of disco_score must be dense; got a sparse coo_array. Pass X.toarray().",
    ),
    "lazy frame": (
        lambda: pl.LazyFrame({"a": [1.0]}),
        TypeError,
        "X of disco_score must hold its values; got a lazy LazyFrame. Pass X.collect().",
    ),
    "text beside numbers": (
        lambda: [[1.0, 2.0], [1.0, "x"]],
        TypeError,
        f"{REAL}got 'x' (str) in row 1, column 1. {CONVERT}",
    ),
    "text that looks like numbers": (
        lambda: np.array([["1", "2"]]),
        TypeError,
        f"{REAL}got '1' (str) in row 0, column 0. {CONVERT}",
    ),
    "bytes": (
        lambda: np.array([[b"1"]]),
        TypeError,
        f"{REAL}got b'1' (bytes) in row 0, column 0. {CONVERT}",
    ),
    "text in objects": (
        lambda: np.array([[1, None], [2.5, "x"]], dtype=object),
        TypeError,
        f"{REAL}got 'x' (str) in row 1, column 1. {CONVERT}",
    ),
    "text in pandas": (
        lambda: pd.DataFrame({"size": [1.0], "color": ["red"]}),
        TypeError,
        f"{REAL}column 'color' holds String. {CONVERT}",
    ),
    "dates in polars": (
        lambda: pl.DataFrame({"size": [1.0], "day": [date(2026, 1, 1)]}),
        TypeError,
        f"{REAL}column 'day' holds Date. {CONVERT}",
    ),
    "categories": (
        lambda: pd.DataFrame({"kind": pd.Categorical(["a", "b"])}),
        TypeError,
        f"{REAL}column 'kind' holds Categorical. {CONVERT}",
    ),
    "complex": (
        lambda: np.array([[1j]]),
        TypeError,
        f"{REAL}got an array of complex128. Convert its columns to numbers first.",
    ),
    "dates": (
        lambda: np.array([["2026-01-01"]], dtype="datetime64[D]"),
        TypeError,
        f"{REAL}got an array of datetime64[D]. Convert its columns to numbers first.",
    ),
}


@pytest.mark.parametrize("case", BAD_POINTS)
def test_bad_points(case: str) -> None:
    make, error, message = BAD_POINTS[case]
    with pytest.raises(error, match=says(message)):
        check_points(make(), "disco_score")


def test_a_container_that_cannot_be_converted() -> None:
    class Stubborn:
        def __array__(self, dtype: object = None, copy: object = None) -> None:
            raise RuntimeError("still on the other device")

    message = (
        "X of disco_score cannot be made an array: still on the other device. Pass a NumPy array."
    )
    with pytest.raises(InvalidInputError, match=says(message)):
        check_points(Stubborn(), "disco_score")


def test_bad_rows_are_counted_across_blocks() -> None:
    X = np.zeros((400_000, 6))
    X[[170_000, 399_999], 3] = np.nan
    with pytest.raises(InvalidInputError, match=r"NaN in 2 rows \(first: row 170000\)"):
        check_points(X, "f")


def test_numpy_stays_silent_when_it_is_set_to_raise() -> None:
    largest = np.finfo(np.float64).max
    tiny = np.nextafter(0.0, 1.0)
    matrix = np.array([[0.0, 1e-309], [np.nextafter(1e-309, 1.0), 0.0]])
    with np.errstate(all="raise"):
        X = np.array([[largest, largest], [-largest, tiny]])
        assert check_points(X, "f") is X
        with pytest.raises(InvalidInputError):
            check_points([[np.nan, np.inf]], "f")
        assert check_distance_matrix(matrix, "f")[0, 1] > 0


# --- distance matrices --------------------------------------------------------------------------


def _line_distances(n: int) -> np.ndarray[Any, Any]:
    line = np.sqrt(np.arange(n, dtype=np.float64))
    distances: np.ndarray[Any, Any] = np.abs(line[:, None] - line)
    return distances


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 600])
def test_good_matrix_is_not_copied(n: int) -> None:
    matrix = _line_distances(n)
    assert check_distance_matrix(matrix, "f") is matrix


def test_read_only_matrix_is_not_copied() -> None:
    matrix = _read_only(_line_distances(5))
    assert check_distance_matrix(matrix, "f") is matrix


@pytest.mark.parametrize(
    "convert",
    [
        lambda matrix: matrix.tolist(),
        lambda matrix: matrix.astype(np.int32),
        np.asfortranarray,
        pd.DataFrame,
        pl.DataFrame,
    ],
)
def test_matrix_of_every_form(convert: Callable[..., Any]) -> None:
    matrix = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    checked = check_distance_matrix(convert(matrix), "f")
    assert checked.dtype == np.float64
    assert checked.flags.c_contiguous
    assert checked.tolist() == matrix.tolist()


@pytest.mark.parametrize("n", [2, 256, 600])
def test_small_asymmetry_is_mended_in_a_copy(n: int) -> None:
    matrix = _line_distances(n)
    noisy = matrix * (1 + 1e-11 * np.random.default_rng(0).random((n, n)))
    before = noisy.copy()
    mended = check_distance_matrix(noisy, "f")
    assert np.array_equal(noisy, before)
    assert np.array_equal(mended, mended.T)
    assert np.array_equal(mended, before / 2 + before.T / 2)


def test_mending_does_not_depend_on_the_order_of_rows() -> None:
    generator = np.random.default_rng(1)
    matrix = _line_distances(300) * (1 + 1e-12 * generator.random((300, 300)))
    order = generator.permutation(300)
    shuffled = check_distance_matrix(matrix[np.ix_(order, order)], "f")
    assert np.array_equal(shuffled, check_distance_matrix(matrix, "f")[np.ix_(order, order)])


def test_mending_survives_the_largest_and_smallest_floats() -> None:
    largest, smallest = np.finfo(np.float64).max, np.nextafter(0.0, 1.0)
    below = np.nextafter(largest, 0.0)
    matrix = np.array([[0, largest, smallest], [below, 0, 1.0], [smallest, 1.0, 0]])
    mended = check_distance_matrix(matrix, "f")
    assert below <= mended[0, 1] <= largest
    assert mended[0, 1] == mended[1, 0]
    assert mended[0, 2] == mended[2, 0] == smallest


def test_diagonal_of_rounding_errors_becomes_zero() -> None:
    matrix = _line_distances(4)
    matrix[1, 1], matrix[2, 2] = 1e-15, -1e-15
    checked = check_distance_matrix(matrix, "f")
    assert checked.diagonal().tolist() == [0.0] * 4
    assert matrix[1, 1] == 1e-15
    assert np.array_equal(checked, _line_distances(4))


def _changed(row: int, column: int, value: float) -> np.ndarray[Any, Any]:
    matrix = _line_distances(300)
    matrix[row, column] = value
    return matrix


PRECOMPUTED = "with metric='precomputed'; "
SIMILAR = "Pass distances, not similarities."

BAD_MATRICES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "not square": (
        lambda: np.zeros((3, 2)),
        InvalidInputError,
        "X of DensityTree must be square with metric='precomputed'; got shape (3, 2). "
        "Pass all pairwise distances, or points with another metric.",
    ),
    "diagonal": (
        lambda: np.ones((3, 3)),
        InvalidInputError,
        f"X of DensityTree must have a zero diagonal {PRECOMPUTED}3 of 3 diagonal entries are not "
        f"zero (first: X[0, 0] = 1). {SIMILAR}",
    ),
    "diagonal of a zero matrix": (
        lambda: np.diag([0.0, -1e-300]),
        InvalidInputError,
        f"X of DensityTree must have a zero diagonal {PRECOMPUTED}1 of 2 diagonal entries are not "
        f"zero (first: X[1, 1] = -1e-300). {SIMILAR}",
    ),
    "negative": (
        lambda: _changed(270, 280, -0.5),
        InvalidInputError,
        f"X of DensityTree must hold no negative entry {PRECOMPUTED}X[270, 280] is -0.5. {SIMILAR}",
    ),
    "asymmetric": (
        lambda: _changed(299, 290, 2.5),
        InvalidInputError,
        f"X of DensityTree must be symmetric {PRECOMPUTED}X[290, 299] is "
        f"{np.float64(_line_distances(300)[290, 299])!s} but X[299, 290] is 2.5. "
        "Symmetrize it first, for example as (X + X.T) / 2.",
    ),
    "zero against a distance": (
        lambda: [[0.0, 1e-300], [0.0, 0.0]],
        InvalidInputError,
        f"X of DensityTree must be symmetric {PRECOMPUTED}X[0, 1] is 1e-300 but X[1, 0] is 0.0. "
        "Symmetrize it first, for example as (X + X.T) / 2.",
    ),
    "asymmetry just too large": (
        lambda: [[0.0, 1.0], [1.0 + 2e-10, 0.0]],
        InvalidInputError,
        f"X of DensityTree must be symmetric {PRECOMPUTED}X[0, 1] is 1.0 but X[1, 0] is "
        "1.0000000002. Symmetrize it first, for example as (X + X.T) / 2.",
    ),
    "missing": (
        lambda: _changed(7, 9, np.nan),
        InvalidInputError,
        f"X of DensityTree holds NaN in 1 row (first: row 7). {MISSING}",
    ),
    "infinite": (
        lambda: _changed(7, 9, np.inf),
        InvalidInputError,
        f"X of DensityTree holds infinity in 1 row (first: row 7). {INFINITE}",
    ),
    "empty": (
        lambda: np.empty((0, 0)),
        InvalidInputError,
        "X of DensityTree must hold at least one point and one column; it holds no points "
        "(shape (0, 0)).",
    ),
    "sparse": (
        lambda: sparse.csr_array((3, 3)),
        TypeError,
        "X of DensityTree must be dense; got a sparse csr_array. Pass X.toarray().",
    ),
}


@pytest.mark.parametrize("case", BAD_MATRICES)
def test_bad_matrices(case: str) -> None:
    make, error, message = BAD_MATRICES[case]
    with pytest.raises(error, match=says(message)):
        check_distance_matrix(make(), "DensityTree")


def test_first_asymmetric_entry_is_named_in_row_order() -> None:
    matrix = _changed(10, 280, 99.0)
    matrix[40, 50] = 99.0  # in an earlier tile, but a later row
    with pytest.raises(InvalidInputError, match=r"X\[10, 280\] is 99.0"):
        check_distance_matrix(matrix, "f")


# --- min_points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, 5, 12, np.int8(5), np.uint64(12)])
@pytest.mark.parametrize("n_points", [12, None])
def test_good_min_points(value: Any, n_points: int | None) -> None:
    checked = check_min_points(value, n_points, "f")
    assert type(checked) is int
    assert checked == value


def test_min_points_without_upper_bound() -> None:
    assert check_min_points(10**9, None, "f") == 10**9


RANGE = "min_points of DensityTree must be an integer from 1 to the number of points (12); got "


@pytest.mark.parametrize(
    ("value", "n_points", "message"),
    [
        (20, 12, f"{RANGE}20. Lower min_points or give more points."),
        (0, 12, f"{RANGE}0."),
        (-3, 12, f"{RANGE}-3."),
        (0, None, "min_points of DensityTree must be an integer of at least 1; got 0."),
        (np.int64(-1), None, "min_points of DensityTree must be an integer of at least 1; got -1."),
    ],
)
def test_min_points_out_of_range(value: Any, n_points: int | None, message: str) -> None:
    with pytest.raises(InvalidInputError, match=says(message)):
        check_min_points(value, n_points, "DensityTree")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "True (bool)"),
        (5.0, "5.0 (float)"),
        (2.5, "2.5 (float)"),
        ("5", "'5' (str)"),
        (None, "None"),
        ([5], "[5] (list)"),
    ],
)
def test_min_points_of_wrong_type(value: Any, shown: str) -> None:
    message = (
        f"min_points of DensityTree must be an integer of at least 1; got {shown}. "
        "Pass a whole number such as 5."
    )
    with pytest.raises(TypeError, match=says(message)):
        check_min_points(value, 12, "DensityTree")


def test_numpy_booleans_and_floats_are_no_min_points() -> None:
    for value in (np.bool_(True), np.float64(5)):
        with pytest.raises(TypeError, match="min_points of f"):
            check_min_points(value, 12, "f")


# --- n_jobs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_jobs", "threads"),
    [(None, 1), (1, 1), (2, 2), (64, 64), (-1, 8), (-2, 7), (-8, 1), (-100, 1), (np.int32(3), 3)],
)
def test_good_jobs(n_jobs: Any, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_available_cpus", lambda: 8)
    checked = check_jobs(n_jobs, "f")
    assert type(checked) is int
    assert checked == threads


def test_all_cpus_of_this_process() -> None:
    assert 1 <= check_jobs(-1, "f") <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    "hidden", [(), ("process_cpu_count",), ("process_cpu_count", "sched_getaffinity")]
)
def test_cpus_are_counted_on_every_system(
    hidden: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in hidden:
        monkeypatch.delattr(os, name, raising=False)
    assert 1 <= options._available_cpus() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (
            0,
            InvalidInputError,
            "n_jobs of explain must not be 0. Pass a number of threads, -1 for all CPUs, "
            "or None for one thread.",
        ),
        (
            True,
            TypeError,
            "n_jobs of explain must be an integer or None; got True (bool). "
            "Pass a number of threads, or -1 for all CPUs.",
        ),
        (
            2.0,
            TypeError,
            "n_jobs of explain must be an integer or None; got 2.0 (float). "
            "Pass a number of threads, or -1 for all CPUs.",
        ),
    ],
)
def test_bad_jobs(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=says(message)):
        check_jobs(value, "explain")


# --- missing values -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.ma.masked, Decimal("nan")],
)
def test_missing(value: Any) -> None:
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", "nan", np.inf, False, [], b""])
def test_not_missing(value: Any) -> None:
    assert not is_missing(value)
