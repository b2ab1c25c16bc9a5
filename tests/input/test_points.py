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
from disco_cvi._input.arrays import is_missing
from disco_cvi._input.points import check_distance_matrix, check_points, open_points

if TYPE_CHECKING:
    from collections.abc import Callable
from helpers.messages import says

pytestmark = pytest.mark.small


POINTS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]])


# --- points -------------------------------------------------------------------------------------


WHOLE = [[0, 1], [2, 3], [4, 5]]


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


def _unaligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    memory[1:] = np.frombuffer(array.tobytes(), dtype=np.uint8)
    return memory[1:].view(np.float64).reshape(array.shape)


DOUBLES = np.array(WHOLE, dtype=np.float64)
FRAME = pd.DataFrame(WHOLE, columns=["a", "b"])
TENTHS = {"a": pl.Decimal(10, 2), "b": pl.Decimal(10, 2)}
POLARS = pl.DataFrame(WHOLE, schema=["a", "b"], orient="row")
POINT_FORMS: list[Any] = [
    *(WHOLE, tuple(map(tuple, WHOLE)), [np.array(row) for row in WHOLE]),
    *(np.array(WHOLE, dtype) for dtype in ("f4", "f2", "g", "i1", "u8", ">f8", object)),
    np.asfortranarray(DOUBLES),
    np.repeat(DOUBLES, 2, axis=0)[::2],
    np.array(DOUBLES[:, ::-1], order="C")[:, ::-1],
    *(_read_only(DOUBLES.copy()), _unaligned(DOUBLES), np.ma.MaskedArray(WHOLE)),
    [[Decimal(v) for v in row] for row in WHOLE],
    [[Fraction(v) for v in row] for row in WHOLE],
    pd.DataFrame({"a": [0, 2, 4], "b": [1.0, 3.0, 5.0]}),
    *(FRAME, FRAME.astype("Int64"), FRAME.astype("int64[pyarrow]"), FRAME.astype(object)),
    pd.DataFrame(WHOLE, columns=["a", "a"]),
    FRAME.astype(pd.SparseDtype("int64", 0)),
    *(POLARS, pl.DataFrame(WHOLE, schema=TENTHS, orient="row"), nw.from_native(POLARS)),
    pa.table({"a": [0, 2, 4], "b": [1, 3, 5]}),
]


@pytest.mark.parametrize("X", POINT_FORMS, ids=lambda X: f"{type(X).__module__}.{type(X).__name__}")
def test_points_of_every_form(X: Any) -> None:
    points = check_points(X, "disco_score")
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
SHAPE = "must be two-dimensional, one row per point; got"
ONE_DIMENSION = (
    f"{SHAPE} shape (2,). For points with one feature pass X.reshape(-1, 1), for one point "
    "X.reshape(1, -1)."
)
NO_DIMENSION = f"{SHAPE} 0 dimensions (shape ()). Reshape it to (points, features)."
EMPTY = "must hold at least one point and one column; it holds"
REAL = "must hold real numbers;"
CONVERT = "Drop the column or convert it to numbers."
COLUMNS = "Convert its columns to numbers first."
MASKED = np.ma.MaskedArray([[1, 2], [3, 4]], mask=[[False, False], [False, True]])
NULLABLE = {"a": pd.array([1, None], dtype="Int64"), "b": [1.0, 2.0]}
TOO_LARGE = np.array([[np.finfo(np.float64).max]], dtype=np.longdouble) * 4

BAD_VALUES: list[tuple[Any, str]] = [
    ([[0.0, 1.0], [np.nan, 1.0], [np.nan, 0]], f"holds NaN in 2 rows (first: row 1). {MISSING}"),
    ([[0.0, 1.0], [0.0, -np.inf]], f"holds infinity in 1 row (first: row 1). {INFINITE}"),
    ([[np.inf, 0], [0, np.nan]], f"holds NaN or infinity in 2 rows (first: row 0). {MISSING}"),
    ([[np.inf], [-np.inf]], f"holds infinity in 2 rows (first: row 0). {INFINITE}"),
    (TOO_LARGE, f"holds infinity in 1 row (first: row 0). {INFINITE}"),
    ([[0.0, None]], f"holds NaN in 1 row (first: row 0). {MISSING}"),
    (MASKED, f"holds NaN in 1 row (first: row 1). {MISSING}"),
    (pd.DataFrame(NULLABLE), f"holds NaN in 1 row (first: row 1). {MISSING}"),
    (
        pd.DataFrame({"a": pd.array([True, None], dtype="boolean")}),
        f"holds NaN in 1 row (first: row 1). {MISSING}",
    ),
    (pl.DataFrame({"a": [None, 1]}), f"holds NaN in 1 row (first: row 0). {MISSING}"),
    ([], f"{EMPTY} no points (shape (0,))."),
    (np.empty((0, 3)), f"{EMPTY} no points (shape (0, 3))."),
    (np.empty((3, 0)), f"{EMPTY} no columns (shape (3, 0))."),
    (pl.DataFrame(), f"{EMPTY} no points (shape (0, 0))."),
    ([1.0, 2.0], ONE_DIMENSION),
    (pl.Series([1.0, 2.0]), ONE_DIMENSION),
    (
        np.zeros((2, 2, 2)),
        f"{SHAPE} 3 dimensions (shape (2, 2, 2)). Reshape it to (points, features).",
    ),
    (3, NO_DIMENSION),
    (None, NO_DIMENSION),
    (
        [[1.0], [1.0, 2.0]],
        "cannot be made an array: its rows differ in length. Give every point the same number of "
        "features.",
    ),
    ([[10**400]], "holds an integer too large for a 64-bit float. Rescale X."),
]
BAD_TYPES: list[tuple[Any, str]] = [
    (sparse.csr_matrix(POINTS), "must be dense; got a sparse csr_matrix. Pass X.toarray()."),
    (sparse.coo_array(POINTS), "must be dense; got a sparse coo_array. Pass X.toarray()."),
    (pl.LazyFrame({"a": [1]}), "must hold its values; got a lazy LazyFrame. Pass X.collect()."),
    ([[1.0, 2.0], [1.0, "x"]], f"{REAL} got 'x' (str) in row 1, column 1. {CONVERT}"),
    (np.array([["1", "2"]]), f"{REAL} got '1' (str) in row 0, column 0. {CONVERT}"),
    (np.array([[b"1"]]), f"{REAL} got b'1' (bytes) in row 0, column 0. {CONVERT}"),
    (
        np.array([[1, None], [2.5, "x"]], dtype=object),
        f"{REAL} got 'x' (str) in row 1, column 1. {CONVERT}",
    ),
    (
        pd.DataFrame({"size": [1.0], "color": ["red"]}),
        f"{REAL} column 'color' holds String. {CONVERT}",
    ),
    (
        pl.DataFrame({"size": [1.0], "day": [date(2026, 1, 1)]}),
        f"{REAL} column 'day' holds Date. {CONVERT}",
    ),
    (
        pd.DataFrame({"kind": pd.Categorical(["a", "b"])}),
        f"{REAL} column 'kind' holds Categorical. {CONVERT}",
    ),
    (np.array([[1j]]), f"{REAL} got an array of complex128. {COLUMNS}"),
    (
        np.array([["2026-01-01"]], dtype="datetime64[D]"),
        f"{REAL} got an array of datetime64[D]. {COLUMNS}",
    ),
]


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [(X, InvalidInputError, words) for X, words in BAD_VALUES]
    + [(X, TypeError, words) for X, words in BAD_TYPES],
)
def test_bad_points(X: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=says(f"X of disco_score {words}")):
        check_points(X, "disco_score")


def test_a_container_that_cannot_be_converted() -> None:
    class Stubborn:
        def __array__(self, dtype: object = None, copy: object = None) -> None:
            raise RuntimeError("still on the other device")

    message = (
        "X of disco_score cannot be made an array: still on the other device. Pass a NumPy array."
    )
    with pytest.raises(InvalidInputError, match=says(message)):
        check_points(Stubborn(), "disco_score")


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


@pytest.mark.parametrize(
    "value", [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.ma.masked, Decimal("nan")]
)
def test_missing(value: Any) -> None:
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", "nan", np.inf, False, [], b""])
def test_not_missing(value: Any) -> None:
    assert not is_missing(value)
