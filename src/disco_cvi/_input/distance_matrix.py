"""What a precomputed matrix of distances must be, and mending it where only rounding is wrong."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array, as_two_dimensional, refuse_not_finite
from disco_cvi._input.kinds import probe
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


_ASYMMETRY = 1e-10  # relative; what different summation orders leave behind in d(x, y) and d(y, x)
_DIAGONAL_ULPS = 100  # what d(x, x) computed from products may leave, relative to the largest entry
_TILE = 256  # rows and columns of a square tile: two tiles of doubles fit a core's cache


def check_distance_matrix(X: object, caller: str) -> FloatArray:
    """Return a distance matrix as a finite C-contiguous float64 array, symmetric to the bit.

    Parameters
    ----------
    X : array-like of shape (n, n), or (n (n - 1) / 2,)
        Distances, or those above the diagonal row after row, as SciPy's pdist gives them. Entries
        (i, j) and (j, i) may differ by a relative 1e-10, the diagonal may differ from 0 by 100
        units in the last place of the largest entry; both are mended in a copy.
    caller : str
        Name of the public function, for messages.

    Returns
    -------
    ndarray of shape (n, n)
        `X` itself if it was square and nothing had to be converted or mended. It may be read-only.

    Raises
    ------
    TypeError
        As for `check_points`.
    InvalidInputError
        As for `check_points`, and if `X` is not square, not symmetric, holds a negative entry, or
        has a diagonal that is not zero.
    """
    given = as_two_dimensional(unfold(X, caller), caller)
    rows, columns = given.shape
    if rows != columns:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="be square for the metric 'precomputed'",
            got=f"shape {given.shape}",
            remedy="Pass all pairwise distances, or points with another metric.",
        )
    matrix = np.require(given, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    refuse_not_finite(matrix, caller)
    # An array that this function made may be mended in place; the user's may not.
    owned = not np.may_share_memory(matrix, given)
    matrix, owned = _mend_diagonal(matrix, caller, owned=owned)
    _refuse_negative(matrix, caller)
    return _mend_asymmetry(matrix, caller, owned=owned)


def unfold(X: object, caller: str) -> object:
    """Return the square matrix of condensed distances; anything else as it is."""
    if probe(X, "ndim", 1) != 1:
        return X
    condensed = as_array(X, "X", caller)
    if condensed.ndim != 1 or not condensed.size:
        return X
    n_pairs = len(condensed)
    n_points = (1 + math.isqrt(1 + 8 * n_pairs)) // 2
    if n_points * (n_points - 1) // 2 != n_pairs:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="be square for the metric 'precomputed', or hold one distance for each pair of "
            "points",
            got=f"{n_pairs:,} distances, more than {n_points:,} points have "
            f"({n_points * (n_points - 1) // 2:,}) and fewer than {n_points + 1:,} "
            f"({n_points * (n_points + 1) // 2:,})",
        )
    matrix = np.zeros((n_points, n_points), condensed.dtype)
    begin = 0
    for row in range(n_points - 1):
        end = begin + n_points - 1 - row
        matrix[row, row + 1 :] = matrix[row + 1 :, row] = condensed[begin:end]
        begin = end
    return matrix


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
            argument="X",
            caller=caller,
            problem=f"must have a zero diagonal for the metric 'precomputed'; {len(wrong):,} of "
            f"{len(matrix):,} diagonal entries are not zero (first: X[{first}, {first}] = "
            f"{matrix[first, first]:g})",
            remedy="Pass distances, not similarities.",
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
        argument="X",
        caller=caller,
        problem="must hold no negative entry for the metric 'precomputed'; "
        f"X[{row}, {column}] is {matrix[row, column]:g}",
        remedy="Pass distances, not similarities.",
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
                argument="X",
                caller=caller,
                problem=f"must be symmetric for the metric 'precomputed'; X[{row}, {column}] is "
                f"{matrix[row, column]!s} but X[{column}, {row}] is {matrix[column, row]!s}",
                remedy="Symmetrize it first, for example as (X + X.T) / 2.",
            )
