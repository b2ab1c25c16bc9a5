"""Points of every form, and points that are refused."""

from __future__ import annotations

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

from disco_cvi import DensityTree, InvalidInputError, evaluate
from disco_cvi._input.points import check_distance_matrix, check_points, open_points

if TYPE_CHECKING:
    from collections.abc import Callable
from helpers.messages import says

pytestmark = pytest.mark.small


POINTS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]])


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


def test_points_in_32_bits_are_not_copied() -> None:
    X = np.array(WHOLE, dtype=np.float32)
    points = open_points(X, "f", n_jobs=None)
    assert points.raw is X
    assert points.array.dtype == np.float64
    assert points.array is points.array
    assert points.part(np.arange(len(X)) > 0).raw_array.dtype == np.float32


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "haversine", "manhattan"])
def test_points_in_32_bits_give_what_they_give_in_64(metric: str) -> None:
    X = np.random.default_rng(0).uniform(0.1, 1.5, (60, 2)).astype(np.float32)
    labels = np.arange(60) % 4 - 1
    evaluations = [evaluate(points, labels, metric=metric) for points in (X, X.astype(float))]
    single, double = (repr(found.scores) for found in evaluations)  # not all are defined
    assert single == double
    trees = [DensityTree(points, metric=metric) for points in (X, X.astype(float))]
    assert trees[0].heights.tobytes() == trees[1].heights.tobytes()
    assert trees[0].dbscan(0.1).tolist() == trees[1].dbscan(0.1).tolist()
