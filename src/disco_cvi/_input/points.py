"""Points become trusted, and remember what was computed of them.

Only public functions call these checks, each with its own name as `caller` for the message; kernels
trust what comes out. No check modifies its input.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray, RawArray
from disco_cvi._compute.cache import Cache
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.arrays import (
    as_array,
    as_two_dimensional,
    is_collection,
    refuse_not_finite,
    wrong_type,
    wrong_value,
)
from disco_cvi._input.metric import Metric, check_metric
from disco_cvi._input.options import check_jobs, check_min_points
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError

MIN_POINTS = 5
METRIC = "euclidean"

RowNames: TypeAlias = Any  # an index of pandas, an array of objects, or None where there are none

_ASYMMETRY = 1e-10  # relative; what different summation orders leave behind in d(x, y) and d(y, x)
_DIAGONAL_ULPS = 100  # what d(x, x) computed from products may leave, relative to the largest entry
_TILE = 256  # rows and columns of a square tile: two tiles of doubles fit a core's cache


@dataclass(frozen=True, eq=False)
class Points(Cache):
    """Checked points under a metric, and all that was computed of them so far.

    One such object serves all indices and all labelings of an evaluation, so that a tree or a
    search for neighbors that several of them need is made once. Nothing in it may be written to.

    Attributes
    ----------
    raw : ndarray of float64 or float32, or None
        The points, or their distances if the metric is "precomputed"; None if a tree stands for
        them. Points in 32 bits stay so: whoever computes with them makes doubles of what it needs.
    metric : Metric
        How distances are measured.
    has_own_metric : bool
        Whether the metric was asked for; an index may have another default than "euclidean".
    n_jobs : int
        Number of threads.
    caller : str
        Name of the public function, for messages.
    tree : DensityTree, or None
        The tree that was given in place of the points.
    is_shared : bool
        Whether several indices or labelings may need what was computed; or else what one of them
        needs on the way need not be kept.
    index : pandas.Index, or None
        The index that the points were given with; labels that have one must have the same.
    """

    raw: RawArray | None
    metric: Metric
    has_own_metric: bool
    n_jobs: int
    caller: str
    tree: Any = None
    is_shared: bool = False
    index: Any = None

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.tree.n_points) if self.raw is None else len(self.raw)

    @property
    def given(self) -> FloatArray | None:
        """The points in doubles, or their distances; None if a tree stands for them."""
        if self.raw is None or self.raw.dtype == np.float64:
            return cast("FloatArray | None", self.raw)
        return self.once(_in_doubles)

    @property
    def array(self) -> FloatArray:
        """The points, or their distances; a tree does not know them."""
        if self.given is None:
            _refuse_tree(self.caller)
        return self.given

    @property
    def raw_array(self) -> RawArray:
        """The points as they were given, in 64 or 32 bits; a tree does not know them."""
        if self.raw is None:
            _refuse_tree(self.caller)
        return self.raw

    def choose_min_points(self, asked: int | None) -> int:
        """Return what was asked for, or that of the tree, or the default."""
        if asked is not None:
            return asked
        return MIN_POINTS if self.tree is None else int(self.tree.min_points)

    def part(self, chosen: NDArray[np.bool_]) -> Points:
        """Some of the points; the last such part is kept, with all that was computed of it."""
        name = chosen.tobytes()
        if self._kept.get("part", (None,))[0] != name:
            rows = np.flatnonzero(chosen)
            array = self.raw_array[rows]
            if self.metric.name == "precomputed":
                array = np.ascontiguousarray(array[:, rows])
            index = None if self.index is None else self.index[rows]
            part = replace(self, raw=array, index=index)
            self._kept["part"] = (name, part)
        return cast("Points", self._kept["part"][1])


def _in_doubles(points: Points) -> FloatArray:
    return np.asarray(points.raw, np.float64)


def _refuse_tree(caller: str) -> NoReturn:
    rule = "be points, which it needs besides their density tree"
    raise wrong_type("X", caller, rule, "a DensityTree")


def open_points(
    X: object,
    caller: str,
    *,
    n_jobs: object,
    metric: object = None,
    metric_params: object = None,
    min_points: object = None,
    takes_tree: bool = False,
    is_shared: bool = False,
) -> Points:
    """Check the points of a public function; a tree says by itself which points it stands for.

    A metric or `min_points` that is None is that of the tree, or the default. A function that does
    not take a tree needs the points themselves.
    """
    jobs = check_jobs(n_jobs, caller)
    if min_points is not None:
        check_min_points(min_points, None, caller)
    stand_for_points = getattr(type(X), "_stand_for_points", None)
    if stand_for_points is not None:
        if not takes_tree:
            _refuse_tree(caller)
        return cast("Points", stand_for_points(X, min_points, metric, metric_params, jobs, caller))
    checked = check_metric(METRIC if metric is None else metric, metric_params, caller)
    data = _check_data(X, checked, caller)
    # That of condensed distances names pairs.
    index = index_of(X) if getattr(X, "ndim", 0) == 2 else None
    return Points(data, checked, metric is not None, jobs, caller, is_shared=is_shared, index=index)


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
    return np.asarray(_check_array(as_two_dimensional(X, caller), np.float64, caller), np.float64)


def _check_array(array: RawArray, dtype: type[np.floating[Any]], caller: str) -> RawArray:
    points = np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED", "WRITEABLE"])
    refuse_not_finite(points, caller)
    return points


def _check_data(X: object, metric: Metric, caller: str) -> RawArray:
    """Return points, or a distance matrix if that is what the metric says."""
    if metric.name == "precomputed":
        return check_distance_matrix(X, caller)
    array = as_two_dimensional(X, caller)
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    points = _check_array(array, dtype, caller)
    if metric.name == "haversine":
        check_places(points, caller)
    return points


def check_places(points: RawArray, caller: str, rows: NDArray[np.intp] | None = None) -> None:
    """Raise unless points are latitudes and longitudes in radians.

    `rows`: for each column, the row that a single point's number stands in.
    """
    if points.shape[1] != 2:
        rule = "have 2 columns, latitude and longitude in radians, for the metric 'haversine'"
        raise wrong_value("X", caller, rule, str(points.shape[1]))
    bounds = (
        ("latitudes from -pi/2 to pi/2 in its first column", np.pi / 2),
        ("longitudes from -2 pi to 2 pi in its second column", 2 * np.pi),
    )
    for column, (what, most) in enumerate(bounds):
        # The pole in 32 bits lies beyond that in 64.
        beyond = np.flatnonzero(np.abs(points[:, column]) > np.float64(np.float32(most)))
        if len(beyond):
            row = beyond[0] if rows is None else rows[column]
            got = f"{points[beyond[0], column]:g} in row {row}"
            remedy = "Pass np.radians(X) if they are degrees, X[:, ::-1] if the longitude comes "
            rule = f"hold {what} for the metric 'haversine'"
            raise wrong_value("X", caller, rule, got, f"{remedy}first.")


# --- distance matrices --------------------------------------------------------------------------


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
    if given.shape[0] != given.shape[1]:
        rule = "be square for the metric 'precomputed'"
        remedy = "Pass all pairwise distances, or points with another metric."
        raise wrong_value("X", caller, rule, f"shape {given.shape}", remedy)
    matrix: FloatArray = np.require(given, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    refuse_not_finite(matrix, caller)
    diagonal = np.abs(matrix.diagonal())
    if diagonal.any():
        tolerance = _DIAGONAL_ULPS * np.finfo(np.float64).eps * max(float(matrix.max()), 0.0)
        _refuse_diagonal(matrix, np.flatnonzero(diagonal > tolerance), caller)
        matrix = _copy_of_users(matrix, given)
        np.fill_diagonal(matrix, 0.0)
    if matrix.min() < 0:
        row = int(np.argmax(matrix.min(axis=1) < 0))
        column = int(np.argmax(matrix[row] < 0))
        entry = f"X[{row}, {column}] is {matrix[row, column]:g}"
        raise _no_distances("must hold no negative entry", entry, caller)
    return _mend_asymmetry(matrix, given, caller)


def unfold(X: object, caller: str) -> object:
    """Return the square matrix of condensed distances; anything else as it is."""
    if getattr(X, "ndim", 1) != 1:
        return X
    condensed = as_array(X, "X", caller)
    if condensed.ndim != 1 or not condensed.size:
        return X
    n_pairs = len(condensed)
    n_points = (1 + math.isqrt(1 + 8 * n_pairs)) // 2
    fewer, more = (n * (n - 1) // 2 for n in (n_points, n_points + 1))
    if fewer != n_pairs:
        rule = (
            "be square for the metric 'precomputed', or hold one distance for each pair of points"
        )
        got = f"{n_pairs:,} distances, more than {n_points:,} points have ({fewer:,}) and fewer "
        raise wrong_value("X", caller, rule, f"{got}than {n_points + 1:,} ({more:,})")
    matrix = np.zeros((n_points, n_points), condensed.dtype)
    begin = 0
    for row in range(n_points - 1):
        end = begin + n_points - 1 - row
        matrix[row, row + 1 :] = matrix[row + 1 :, row] = condensed[begin:end]
        begin = end
    return matrix


def _copy_of_users(matrix: FloatArray, given: NDArray[Any]) -> FloatArray:
    """Return a matrix that may be written to: what was given is copied, what we made is not."""
    return matrix.copy() if np.may_share_memory(matrix, given) else matrix


def _refuse_diagonal(matrix: FloatArray, wrong: NDArray[np.intp], caller: str) -> None:
    if len(wrong):
        first = wrong[0]
        entries = (
            f"{len(wrong):,} of {len(matrix):,} diagonal entries are not zero "
            f"(first: X[{first}, {first}] = {matrix[first, first]:g})"
        )
        raise _no_distances("must have a zero diagonal", entries, caller)


def _no_distances(rule: str, entries: str, caller: str) -> InvalidInputError:
    problem = f"{rule} for the metric 'precomputed'; {entries}"
    remedy = "Pass distances, not similarities."
    return InvalidInputError(argument="X", caller=caller, problem=problem, remedy=remedy)


def _mend_asymmetry(matrix: FloatArray, given: NDArray[Any], caller: str) -> FloatArray:
    """Replace entries (i, j) and (j, i) that differ by rounding by their middle, tile by tile."""
    for upper, lower in _mirrored_tiles(len(matrix)):
        above, below = matrix[upper], matrix[lower].T
        if np.array_equal(above, below):
            continue
        if _differ(above, below).any():
            _refuse_asymmetry(matrix, caller)
        matrix = _copy_of_users(matrix, given)
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


def _refuse_asymmetry(matrix: FloatArray, caller: str) -> NoReturn:
    """Name the first entry in the order of rows that differs from its mirror image."""
    row = next(i for i in range(len(matrix)) if _differ(matrix[i], matrix[:, i]).any())
    column = int(np.argmax(_differ(matrix[row], matrix[:, row])))
    raise InvalidInputError(
        argument="X",
        caller=caller,
        problem=f"must be symmetric for the metric 'precomputed'; X[{row}, {column}] is "
        f"{matrix[row, column]!s} but X[{column}, {row}] is {matrix[column, row]!s}",
        remedy="Symmetrize it first, for example as (X + X.T) / 2.",
    )


# --- names of rows ------------------------------------------------------------------------------


def index_of(values: object) -> Any:
    """Return the index of a data frame or a column of pandas, None of everything else."""
    pandas = sys.modules.get("pandas")  # whoever gives such an object has imported it
    if pandas is None or not isinstance(values, pandas.DataFrame | pandas.Series):
        return None
    return values.index


def names_in(index: Any) -> RowNames:
    """Return an index if it names rows; one that only counts them from 0 does not."""
    if index is None or index.name is not None:
        return index
    only_counts = isinstance(index, sys.modules["pandas"].RangeIndex) and (
        index.start == 0 and index.step == 1
    )
    return None if only_counts else index


def check_row_names(names: object, n_points: int, index: Any, caller: str) -> RowNames:
    """Return the names that a user gives to the rows of points: any values, in the order of X."""
    argument = "row_names"
    if not is_collection(names):
        raise wrong_type(argument, caller, "hold one name per point", describe(names))
    refuse_other_rows(names, index, argument, caller)
    pandas = sys.modules.get("pandas")
    found: RowNames = names
    if pandas is None or not isinstance(names, pandas.Index):
        # Not np.array, which would make a matrix of names that are tuples.
        found = np.fromiter(names, dtype=object)
        found.flags.writeable = False
    if len(found) != n_points:
        held = f"{count(n_points, 'point')}, {count(len(found), 'name')}"
        problem = f"must hold one name per point: {held}"
        raise InvalidInputError(argument=argument, caller=caller, problem=problem)
    return found


def plain_name(name: object) -> int | float | str | bool | None:
    """Return a name as JSON has it: a number, a truth value or None stays, all else is text."""
    if isinstance(name, np.generic):
        name = name.item()
    if isinstance(name, float) and not np.isfinite(name):
        return str(name)
    return name if isinstance(name, int | float | str | bool | None) else str(name)


def refuse_other_rows(values: object, index: Any, argument: str, caller: str) -> None:
    """Raise if a column of pandas names other rows than the points, or the same in another order.

    A column of another length is refused later, for its length.
    """
    own = index_of(values)
    if index is None or own is None or len(own) != len(index) or own.equals(index):
        return
    # Listed, the numbers of an index are Python's, which are shown as people write them. They are
    # compared as texts: names may be lists, which have no hash, or missing.
    own_names, names = list(map(repr, own)), list(map(repr, index))
    row = next((row for row, name in enumerate(names) if own_names[row] != name), 0)
    same = Counter(own_names) == Counter(names)
    by_name = f"{argument}.loc[X.index] to join them by name, or " if same else ""
    raise InvalidInputError(
        argument=argument,
        caller=caller,
        problem=f"must have the index of X{' in the same order' if same else ''}; row {row} is "
        f"{shorten(list(own)[row])}, in X {shorten(list(index)[row])}",
        remedy=f"Pass {by_name}{argument}.to_numpy() if row belongs to row.",
    )


# --- features of one scale ------------------------------------------------------------------------


def standardize(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points with mean 0 and standard deviation 1 in each feature.

    The deviation is that of the points themselves (divided by n). A constant feature becomes 0.
    The result of a point does not depend on the order of the points, to the last bit.

    Examples
    --------
    >>> standardize(np.array([[1.0, 7.0], [3.0, 7.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    result = np.zeros(points.shape)
    for j, feature in enumerate(points.T):
        if feature.min() == feature.max():
            continue  # rounding of the mean must not become a feature
        # Sizes are brought to 1 by powers of two, which is exact: neither sums nor squares
        # overflow, and the exact means see all digits. The size itself cancels out. Arrays are
        # written over, because all the pixels of images are many.
        scaled = _to_unit_size(feature)
        scaled /= 2
        scaled -= exact_mean(scaled)
        deviations = _to_unit_size(scaled)
        squares = np.square(deviations, out=scaled)
        deviations /= math.sqrt(exact_mean(squares))
        result[:, j] = deviations
    return result


def _to_unit_size(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply by a power of two, so that the largest value lies between 1/2 and 1."""
    _, exponent = np.frexp(max(values.max(), -values.min()))
    scaled: NDArray[np.float64] = np.ldexp(values, -int(exponent))
    return scaled
