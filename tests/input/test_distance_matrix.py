"""Distance matrices: what is mended, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.spatial.distance import squareform

from disco_cvi import DensityTree, InvalidInputError, disco_score, explain
from disco_cvi._input.points import check_distance_matrix

if TYPE_CHECKING:
    from collections.abc import Callable
from helpers.messages import says

pytestmark = pytest.mark.small


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
    matrix = _line_distances(5)
    matrix.flags.writeable = False
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


PRECOMPUTED = "for the metric 'precomputed';"
SIMILAR = "Pass distances, not similarities."
SYMMETRIZE = "Symmetrize it first, for example as (X + X.T) / 2."
BAD_MATRICES: list[tuple[Any, str]] = [
    (
        np.zeros((3, 2)),
        f"must be square {PRECOMPUTED} got shape (3, 2). Pass all pairwise distances, or points "
        "with another metric.",
    ),
    (
        np.ones((3, 3)),
        f"must have a zero diagonal {PRECOMPUTED} 3 of 3 diagonal entries are not zero (first: "
        f"X[0, 0] = 1). {SIMILAR}",
    ),
    (
        np.diag([0.0, -1e-300]),
        f"must have a zero diagonal {PRECOMPUTED} 1 of 2 diagonal entries are not zero (first: "
        f"X[1, 1] = -1e-300). {SIMILAR}",
    ),
    (
        _changed(270, 280, -0.5),
        f"must hold no negative entry {PRECOMPUTED} X[270, 280] is -0.5. {SIMILAR}",
    ),
    (
        _changed(299, 290, 2.5),
        f"must be symmetric {PRECOMPUTED} X[290, 299] is "
        f"{np.float64(_line_distances(300)[290, 299])!s} but X[299, 290] is 2.5. {SYMMETRIZE}",
    ),
    (
        [[0.0, 1e-300], [0.0, 0.0]],
        f"must be symmetric {PRECOMPUTED} X[0, 1] is 1e-300 but X[1, 0] is 0.0. {SYMMETRIZE}",
    ),
    (
        [[0.0, 1.0], [1.0 + 2e-10, 0.0]],
        f"must be symmetric {PRECOMPUTED} X[0, 1] is 1.0 but X[1, 0] is 1.0000000002. {SYMMETRIZE}",
    ),
    (
        _changed(7, 9, np.nan),
        "holds NaN in 1 row (first: row 7). Drop or fill them; density is not defined with missing "
        "values.",
    ),
    (
        np.empty((0, 0)),
        "must hold at least one point and one column; it holds no points (shape (0, 0)).",
    ),
    # Condensed distances.
    (
        [1.0, 2.0],
        "must be square for the metric 'precomputed', or hold one distance for each pair of "
        "points; got 2 distances, more than 2 points have (1) and fewer than 3 (3).",
    ),
    ([1.0, -2.0, 3.0], f"must hold no negative entry {PRECOMPUTED} X[0, 2] is -2. {SIMILAR}"),
    ([], "must hold at least one point and one column; it holds no points (shape (0,))."),
]


@pytest.mark.parametrize(("X", "words"), BAD_MATRICES)
def test_bad_matrices(X: Any, words: str) -> None:
    with pytest.raises(InvalidInputError, match=says(f"X of DensityTree {words}")):
        DensityTree(X, metric="precomputed")


def test_first_asymmetric_entry_is_named_in_row_order() -> None:
    matrix = _changed(10, 280, 99.0)
    matrix[40, 50] = 99.0  # in an earlier tile, but a later row
    with pytest.raises(InvalidInputError, match=r"X\[10, 280\] is 99.0"):
        check_distance_matrix(matrix, "f")


# --- condensed distances ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.asarray, list, tuple, pd.Series, pl.Series])
@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_condensed_distances_become_a_matrix(make: Callable[[Any], Any], n: int) -> None:
    square = _line_distances(n)
    condensed = squareform(square)
    found = check_distance_matrix(make(condensed), "test")
    assert np.array_equal(found, square)
    assert np.array_equal(condensed, squareform(square))


def test_condensed_distances_are_scored_as_their_matrix() -> None:
    square, labels = _line_distances(9), [0, 0, 0, 0, 1, 1, 1, 1, -1]
    condensed = pd.Series(squareform(square))
    expected = disco_score(square, labels, metric="precomputed", min_points=2)
    assert disco_score(condensed, labels, metric="precomputed", min_points=2) == expected
    # The index of the pairs is not that of the points, not even where there are as many.
    three = pd.Series([1.0, 2.0, 3.0], index=list("abc"))
    tree = DensityTree(three, metric="precomputed", min_points=2)
    assert explain(tree, [0, 0, 1]).row_names is None
