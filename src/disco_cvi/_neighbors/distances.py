"""From a metric to what the spanning tree needs: scaled points, or rows of distances.

Metrics that order pairs as the Euclidean distance does share its fast search; heights and core
distances are transformed afterwards. All others give their distances row by row.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray, RawArray
from disco_cvi._compute.exact_sums import upper_half
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.safe_scale import scale_points, top_for_squares
from disco_cvi._compute.threads import limit_blas
from disco_cvi._input.metric import (
    BOOLEAN,
    ESTIMATED,
    PROPORTIONAL,
    SCALE_FREE,
    Metric,
    check_parameters,
)
from disco_cvi.exceptions import InvalidInputError

_BLOCK_ENTRIES = 1 << 22
_SCIPY_NAMES = {"l1": "cityblock", "manhattan": "cityblock"}
_ROOM_FOR_SUMS = 100
# Sums of huge distances that are multiplied by two to the power of this before stay finite.
SHRINK = -120
# Sums of powers between 2**-900 and 2**900 have lost nothing that they could show.
_SAFE_EXPONENT = 900
# The squared distance of two unit rows that are equal up to rounding.
_SQUARED_ROUNDING = 16 * np.finfo(np.float64).eps ** 2


def euclidean_points(points: RawArray, metric: Metric, caller: str) -> tuple[FloatArray, int]:
    """Return points of our own whose squared distances neither overflow nor vanish.

    Latitudes and longitudes become places on the unit sphere: the way along a great circle grows
    with the straight line between them.
    """
    if metric.name == "haversine":
        places = np.empty((len(points), 3))
        _put_on_sphere(points, places)
        top = top_for_squares(3)
        places *= 2.0**top
        return places, top
    top = top_for_squares(points.shape[1])
    if metric.name != "cosine":
        return scale_points(points, top)
    unit = np.array(points, np.float64)
    zero_row = _make_unit_rows(unit)
    if zero_row >= 0:
        raise zero_row_error(zero_row, caller)
    unit *= 2.0**top
    return unit, top


def zero_row_error(row: int, caller: str) -> InvalidInputError:
    """Say that a row has no direction."""
    return InvalidInputError(
        argument="X",
        caller=caller,
        problem="must have no row of zeros for the metric 'cosine', where it has no direction; "
        f"row {row} is one",
        remedy="Drop such rows or choose another metric.",
    )


def from_squares(squares: FloatArray, exponent: int, metric: Metric) -> tuple[FloatArray, int]:
    """Return the distances whose squares, of points times 2**exponent, these are.

    They come as numbers and the exponent of a power of two to multiply them by.
    """
    if metric.name == "sqeuclidean":
        return squares, -2 * exponent
    if metric.name not in ("cosine", "haversine"):
        return np.sqrt(squares), -exponent
    squares = np.ldexp(squares, -2 * exponent)
    squares[squares <= _SQUARED_ROUNDING] = 0.0
    if metric.name == "cosine":
        return squares / 2, 0
    arcs = np.empty(squares.size)
    _measure_arcs(squares.ravel(), arcs)
    return arcs.reshape(squares.shape), 0


def squared_distances(one: FloatArray, other: FloatArray) -> FloatArray:
    """All squared Euclidean distances, by differences: no cancellation."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(one, other, "sqeuclidean"))


def row_blocks(n_rows: int, n_columns: int) -> list[slice]:
    """Ranges of rows such that a block of rows by columns stays small (32 MB)."""
    size = max(1, _BLOCK_ENTRIES // max(1, n_columns))
    return [slice(begin, min(begin + size, n_rows)) for begin in range(0, n_rows, size)]


# Sine, cosine and arc sine of NumPy may depend on the place of a number in its array: vectors and
# what is left over are computed in different ways. Kernels take one number after the other.


@kernel
def _put_on_sphere(angles, places):
    """Latitude and longitude as places on the unit sphere."""
    for i in range(len(angles)):
        latitude = np.float64(angles[i, 0])
        longitude = np.float64(angles[i, 1])
        places[i, 0] = math.cos(latitude) * math.cos(longitude)
        places[i, 1] = math.cos(latitude) * math.sin(longitude)
        places[i, 2] = math.sin(latitude)


@kernel
def _measure_arcs(squares, arcs):
    """The way along the unit sphere between places at these squared distances."""
    for i in range(len(squares)):
        arcs[i] = 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(squares[i])))


@kernel
def _make_unit_rows(points):
    """Divide each row by its length; return the first row of zeros, or -1.

    The length is computed in twice the precision: rows of one direction must not come to differ
    by more than the rounding of their own coordinates.
    """
    n_points, dimension = points.shape
    for i in range(n_points):
        largest = 0.0
        for c in range(dimension):
            largest = max(largest, abs(points[i, c]))
        if largest == 0.0:
            return i
        exponent = math.frexp(largest)[1]
        squares = 0.0
        rest = 0.0
        for c in range(dimension):
            x = math.ldexp(points[i, c], -exponent)
            points[i, c] = x
            upper = upper_half(x)
            lower = x - upper
            square = x * x
            rest += ((upper * upper - square) + 2.0 * upper * lower) + lower * lower
            total = squares + square
            part = total - squares
            rest += (squares - (total - part)) + (square - part)
            squares = total
        length = math.sqrt(squares + rest)
        for c in range(dimension):
            points[i, c] = points[i, c] / length
    return -1


def _mend_powers(
    block: FloatArray, rows: FloatArray, points: FloatArray, params: dict[str, Any]
) -> None:
    """Compute distances of 'minkowski' anew where powers of differences may have vanished.

    Or may have grown beyond all floats. A p up to 1 takes no number further from 1 than it was.
    """
    p = params.get("p", 2.0)
    if not 1.0 < p < math.inf:
        return
    weights = params.get("w", np.ones(points.shape[1]))
    # Differences are weighted after their power is taken: what a large weight lifts was rounded.
    lift = max(0, int(np.frexp(weights.max())[1]))
    lowest, highest = 2.0 ** ((lift - _SAFE_EXPONENT) / p), 2.0 ** (_SAFE_EXPONENT / p)
    factors = np.array([math.pow(weight, 1.0 / p) for weight in weights.tolist()])
    _sum_scaled_powers(rows, points, factors, p, (lowest, highest), block)


@kernel
def _sum_scaled_powers(rows, points, factors, p, safe, block):
    """Replace what is outside the safe range: differences are divided by the largest of a pair."""
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            if safe[0] <= block[i, j] <= safe[1]:
                continue
            largest = 0.0
            for c in range(len(factors)):
                largest = max(largest, factors[c] * abs(rows[i, c] - points[j, c]))
            total = 0.0
            if largest > 0.0:
                for c in range(len(factors)):
                    share = factors[c] * abs(rows[i, c] - points[j, c]) / largest
                    total += math.pow(share, p)
            block[i, j] = largest * math.pow(total, 1.0 / p)


@dataclass(frozen=True)
class DistanceRows:
    """Distances that are computed, or looked up, some rows at a time.

    ``exponent``: the distances are to be multiplied by ``2**exponent``. ``scale``: the points have
    been multiplied by ``2**scale``, which matters only where distances come from squares.
    ``chosen``: the rows of the points among those of the user, if they are a part of these.
    """

    data: FloatArray
    metric: Metric
    caller: str
    exponent: int = 0
    params: dict[str, Any] = field(default_factory=dict)
    scale: int = 0
    chosen: NDArray[np.intp] | None = None

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.data)

    def part(self, chosen: NDArray[np.intp]) -> DistanceRows:
        """The same between some of the points."""
        data = self.data[chosen]
        if self.metric.name == "precomputed":
            data = np.ascontiguousarray(data[:, chosen])
        return replace(self, data=data, chosen=chosen)

    def rows(self, begin: int, stop: int) -> FloatArray:
        """Distances from points begin to stop - 1 to all points, 0 from each to itself."""
        if self.metric.name == "precomputed":
            return self.data[begin:stop]
        block = self._compute(begin, stop)
        block[np.arange(stop - begin), np.arange(begin, stop)] = 0.0
        if not (block >= 0).all() or not np.isfinite(block).all():
            self._refuse(block, begin)
        return block

    def _compute(self, begin: int, stop: int) -> FloatArray:
        if self.metric.is_euclidean:
            squares = squared_distances(self.data[begin:stop], self.data)
            return from_squares(squares, self.scale, self.metric)[0]
        from scipy.spatial.distance import cdist

        try:
            with np.errstate(all="ignore"):
                block = cdist(self.data[begin:stop], self.data, self._for_scipy(), **self.params)
        except (TypeError, ValueError, OverflowError) as error:
            reason = " ".join(str(error).split()).removesuffix(".")
            raise InvalidInputError(
                argument="metric",
                caller=self.caller,
                problem=f", {self.metric.shown}, could not be computed: {reason}",
            ) from error
        block = np.asarray(block, np.float64)
        if self.metric.name == "minkowski":
            _mend_powers(block, self.data[begin:stop], self.data, self.params)
        return block

    def _for_scipy(self) -> Any:
        """The metric by SciPy's name; a function that has such a name must not be taken for it."""
        metric = self.metric.name
        if metric == "mahalanobis" and not self.params:  # of points that are white by now
            return "euclidean"
        if isinstance(metric, str):
            return _SCIPY_NAMES.get(metric, metric)
        return lambda x, y: metric(x, y)  # noqa: PLW0108 - without its name

    def _refuse(self, block: FloatArray, begin: int) -> None:
        wrong = ~((block >= 0) & np.isfinite(block))
        row, column = (int(place[0]) for place in np.nonzero(wrong))
        names = np.arange(self.n_points) if self.chosen is None else self.chosen
        raise InvalidInputError(
            argument="metric",
            caller=self.caller,
            problem=f", {self.metric.shown}, must give finite distances of 0 or more; between "
            f"rows {names[begin + row]} and {names[column]} it gave {block[row, column]}",
        )


def distance_rows(data: FloatArray, metric: Metric, caller: str) -> DistanceRows:
    """Prepare a metric: scale where that is harmless, estimate its parameters from all points."""
    name, params = metric.name, dict(metric.params)
    if isinstance(name, str):
        params = check_parameters(params, data.shape[1], caller)
    if name == "precomputed":
        return DistanceRows(data, metric, caller)
    if not isinstance(name, str):
        return DistanceRows(data, Metric(_guarded(name, params), params), caller)
    if metric.is_euclidean:
        points, scale = euclidean_points(data, metric, caller)
        # Smaller, so that sums of very many distances stay finite as well.
        points, scale = points * 2.0**-_ROOM_FOR_SUMS, scale - _ROOM_FOR_SUMS
        exponent = from_squares(np.zeros(0), scale, metric)[1]
        return DistanceRows(points, metric, caller, exponent, params, scale)
    if name in BOOLEAN:
        return DistanceRows(data.astype(bool), metric, caller, 0, params)
    if name in PROPORTIONAL:
        points, exponent = scale_points(data, 0)
        return DistanceRows(points, metric, caller, -exponent, params)
    estimates = name in ESTIMATED and ESTIMATED[name] not in params
    if name in SCALE_FREE or estimates:
        data, _ = scale_points(data, 0)
    if estimates and name == "mahalanobis":
        data = _whiten(data, caller)
    elif estimates:
        params[ESTIMATED[name]] = _variances(data)
    return DistanceRows(data, metric, caller, 0, params)


def sums_of_rows(distances: FloatArray) -> FloatArray:
    """Sums of rows, each added from the smallest to the largest: infinite beyond all floats.

    So they have the same bits for any order of the points.
    """
    with np.errstate(over="ignore"):
        return np.cumsum(np.sort(distances, axis=1), axis=1)[:, -1]


def _guarded(
    function: Callable[..., float], params: dict[str, Any]
) -> Callable[[FloatArray, FloatArray], float]:
    """A function that writes into the rows it is given must not change the points.

    What it masks is missing, and refused as such: NumPy would warn of it.
    """

    @functools.wraps(function)
    def guarded(x: FloatArray, y: FloatArray) -> float:
        distance = function(x.copy(), y.copy(), **params)
        return math.nan if np.ma.is_masked(distance) else distance

    return guarded


def _variances(points: FloatArray) -> FloatArray:
    """The scale of each column; exactly rounded, so that the order of the rows is all one."""
    if len(points) < 2:
        return np.ones(points.shape[1])
    columns = (points - _means(points)).T
    variances = np.array([math.fsum(column * column) for column in columns]) / (len(points) - 1)
    variances[variances == 0] = 1.0
    return variances


def _means(points: FloatArray) -> FloatArray:
    return np.array([math.fsum(column) for column in points.T]) / len(points)


def _whiten(points: FloatArray, caller: str) -> FloatArray:
    """Return points whose Euclidean distances are those of 'mahalanobis' between these.

    Products of matrices may depend on the places of rows and on threads. So they are made of the
    distinct rows in an order of their own, in one thread: copies stay copies, and no distance
    depends on the order of the rows.
    """
    n_points, dimension = points.shape
    if n_points < 2:
        return points
    distinct, places, sizes = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    if len(distinct) <= dimension:  # before the work
        raise _no_covariance(caller)
    centered = distinct - _means(points)
    with limit_blas(1):
        repeated = np.repeat(centered, sizes, axis=0)
        covariance = repeated.T @ repeated / (n_points - 1)
        if np.linalg.matrix_rank(covariance, hermitian=True) < dimension:
            raise _no_covariance(caller)
        try:
            root = np.linalg.cholesky(covariance)
        except np.linalg.LinAlgError:  # its rank is full by a rounding
            raise _no_covariance(caller) from None
        white = np.linalg.solve(root, centered.T).T
    return np.ascontiguousarray(white[places.ravel()])


def _no_covariance(caller: str) -> InvalidInputError:
    return InvalidInputError(
        argument="X",
        caller=caller,
        rule="have linearly independent columns and more rows than columns for the metric "
        "'mahalanobis' to estimate a covariance from it",
        remedy="Drop redundant columns or pass metric_params={'VI': ...}.",
    )
