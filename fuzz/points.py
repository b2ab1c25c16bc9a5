"""Points of every kind: numbers that are hard, types of arrays, and what holds them."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.draws import Draws

Array = NDArray[Any]
Maker = Callable[[Draws], Array]


# --- numbers ------------------------------------------------------------------------------------


def blobs(draws: Draws) -> Array:
    """Return three clusters and what lies between."""
    random = draws.random
    centers = random.uniform(-8, 8, (3, draws.n_features))
    kinds = random.integers(0, 3, draws.n_points)
    return centers[kinds] + random.normal(size=(draws.n_points, draws.n_features))


def lattice(draws: Draws) -> Array:
    """Return points of a grid: ties and copies abound."""
    shape = (draws.n_points, draws.n_features)
    return draws.random.integers(0, draws.whole(1, 5), shape).astype(np.float64)


def copies(draws: Draws) -> Array:
    """Return a few places, each taken many times."""
    places = blobs(draws)[: draws.whole(1, 4)]
    return places[draws.random.integers(0, len(places), draws.n_points)]


def line(draws: Draws) -> Array:
    """Return points on a line, evenly spaced."""
    return np.arange(draws.n_points)[:, np.newaxis] * draws.random.normal(size=draws.n_features)


def same(draws: Draws) -> Array:
    """Return one point many times."""
    return np.full((draws.n_points, draws.n_features), draws.one_of([0.0, 1 / 3, -0.0, 1e300]))


def sized(draws: Draws) -> Array:
    """Return clusters so large, small or far away that squares or sums leave the floats."""
    size = draws.one_of([5e-324, 1e-310, 1e-200, 1e-8, 1e8, 1e160, 1e300])
    return blobs(draws) * size + draws.one_of([0.0, 0.0, 1e6, 1e15])


def mixed_sizes(draws: Draws) -> Array:
    """Return values of all sizes side by side."""
    exponents = draws.random.choice([-320, -160, -8, 0, 0, 0, 8, 160, 300], (draws.n_points, 1))
    return np.clip(blobs(draws), -9, 9) * 10.0**exponents


def extreme(draws: Draws) -> Array:
    """Return the ends of the floats."""
    ends = np.array([0.0, -0.0, 5e-324, 2.3e-308, 1.0, -1.0, 1e308, -1e308, 1.79e308])
    return draws.random.choice(ends, (draws.n_points, draws.n_features))


def outlier(draws: Draws) -> Array:
    """Return clusters and a point far away."""
    points = blobs(draws)
    points[-1] = draws.one_of([1e6, 1e150, -1e308])
    return points


NUMBERS: list[Maker] = [blobs, blobs, blobs, lattice, lattice]
NUMBERS += [copies, line, same, sized, mixed_sizes, extreme, outlier]
GOOD_TYPES = ["f8", "f4", ">f8", "<f4", "f2", "g", "i1", "i2", "i4", "i8"]
GOOD_TYPES += ["u1", "u2", "u4", "u8", "?", ">i4", ">u2"]


def as_type(points: Array, kind: str) -> Array:
    """Return the points in another type; what it cannot hold becomes what it can."""
    with np.errstate(all="ignore"):
        if np.dtype(kind).kind in "iu":
            limits = np.iinfo(kind)
            return np.clip(points, max(limits.min, -1e15), min(limits.max, 1e15)).astype(kind)
        if np.dtype(kind).kind == "f":
            limit = float(min(np.finfo(kind).max, np.finfo(np.float64).max))
            return np.clip(points, -limit, limit).astype(kind)
        return points.astype(kind)


# --- layouts and containers ---------------------------------------------------------------------


def laid_out(draws: Draws, points: Array) -> Any:
    """Return equal points in another layout of memory."""
    kind = draws.whole(0, 7)
    if kind == 1:
        return np.asfortranarray(points)
    if kind == 2:
        return np.ascontiguousarray(points[::-1])[::-1]
    if kind == 3:
        points = points.copy()
        points.setflags(write=False)
        return points
    if kind == 4:
        return np.repeat(points, 2, axis=0)[::2]
    if kind == 5 and points.dtype.kind in "fiu" and points.size:
        path = draws.path(".dat")
        written = np.memmap(path, dtype=points.dtype, mode="w+", shape=points.shape)
        written[:] = points
        return written
    return points


def contained(draws: Draws, points: Array) -> Any:
    """Return equal points in lists, frames and tables."""
    kind = draws.whole(0, 8)
    if kind == 0:
        return points.tolist()
    if kind == 1:
        return tuple(map(tuple, points.tolist()))
    if kind == 2:
        return [np.array(row) for row in points]
    if kind == 3:
        return points.astype(object)
    names = [f"x{feature}" for feature in range(points.shape[1])]
    native = np.ascontiguousarray(points, dtype=points.dtype.newbyteorder("="))
    if native.dtype.itemsize > 8 or native.dtype == np.float16:
        native = native.astype(np.float64)
    return framed(kind, names, native)


def framed(kind: int, names: list[str], points: Array) -> Any:
    """Return a frame or a table of columns."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    columns = {name: points[:, place] for place, name in enumerate(names)}
    if kind == 4:
        return pl.DataFrame(columns)
    if kind == 5:
        return pa.table(columns)
    frame = pd.DataFrame(columns)
    if kind == 6:
        return frame.convert_dtypes()
    if kind == 7:
        return frame.set_axis([f"row {row}" for row in range(len(frame))])
    return frame


# --- what cannot be scored ----------------------------------------------------------------------


def with_value(value: Any) -> Any:
    """Return a maker of points among which one value stands."""

    def make(draws: Draws) -> Any:
        points = blobs(draws).astype(type(value) if isinstance(value, complex) else np.float64)
        if not isinstance(value, float | complex):
            points = points.astype(object)
        points[draws.whole(0, len(points) - 1), 0] = value
        return points

    return make


def masked(draws: Draws) -> Any:
    """Return points of which some are hidden."""
    points = blobs(draws)
    return np.ma.MaskedArray(points, mask=draws.random.random(points.shape) < 0.2)


def structured(draws: Draws) -> Any:
    """Return records."""
    records = np.zeros(draws.n_points, dtype=[("x", "f8"), ("y", "i4")])
    return np.ma.MaskedArray(records, mask=True) if draws.chance(0.3) else records


def sparse(draws: Draws) -> Any:
    """Return a matrix of which zeros are left out."""
    from scipy import sparse as forms

    return draws.one_of([forms.csr_matrix, forms.csc_array, forms.coo_array])(lattice(draws))


def of_odd_type(draws: Draws) -> Any:
    """Return an array of what are no numbers."""
    points = lattice(draws)
    kinds = ("c8", "c16", "U3", "S2", "M8[s]", "m8[D]", "V8", object)
    with np.errstate(all="ignore"):
        kind = draws.one_of(kinds)
        return (
            points.astype("i8").astype(kind) if kind in ("M8[s]", "m8[D]") else _cast(points, kind)
        )


def _cast(points: Array, kind: Any) -> Array:
    return points.astype("f8").view("V8") if kind == "V8" else points.astype(kind)


def of_odd_shape(draws: Draws) -> Any:
    """Return an array that is no table of rows, or an empty one."""
    shapes = [(), (draws.n_points,), (draws.n_points, 2, 2), (0, 2), (draws.n_points, 0), (0,)]
    return draws.random.normal(size=draws.one_of(shapes))


def ragged(draws: Draws) -> Any:
    """Return rows of different lengths."""
    return [[0.0] * draws.whole(0, 3) for _ in range(draws.n_points)]


def iterator(draws: Draws) -> Any:
    """Return rows that can be asked for once."""
    return (row for row in blobs(draws))


def no_array(draws: Draws) -> Any:
    """Return something else altogether."""
    rows = blobs(draws).tolist()
    others = [None, 3.0, "points", b"points", {"x": rows}, {1.0, 2.0}, object(), range(9), [[]]]
    others += [[["a", 1.0]], [[decimal.Decimal("NaN")]], [[10**400]], [[2**70, 1], [0, 1]], type]
    return draws.one_of([*others, [[None]], rows])


_VALUES = (np.nan, np.inf, -np.inf, 1j, None, "a", decimal.Decimal(1), 10**400, 2**64, b"1")
WILD = (*map(with_value, _VALUES), masked, structured, sparse, of_odd_type, of_odd_type)
WILD = (*WILD, of_odd_shape, of_odd_shape, ragged, iterator, no_array, no_array, no_array)


# --- all together -------------------------------------------------------------------------------


def distance_matrix(draws: Draws) -> Array:
    """Return distances between all pairs."""
    from scipy.spatial.distance import pdist, squareform

    matrix: Array = squareform(pdist(np.clip(draws.call(NUMBERS), -1e100, 1e100)), checks=False)
    return matrix.reshape(draws.n_points, draws.n_points)


def plain_points(draws: Draws) -> Array:
    """Return points that can be scored, as an array of floats."""
    return draws.call(NUMBERS)


def points(draws: Draws, *, wild: bool) -> Any:
    """Return points of any kind; wild ones are mostly none."""
    if wild:
        return draws.call(WILD)
    metric = draws.known.get("metric")
    is_matrix = isinstance(metric, str) and metric == "precomputed"
    made = distance_matrix(draws) if is_matrix else draws.call(NUMBERS)
    if draws.chance(0.4):
        made = as_type(made, draws.one_of(GOOD_TYPES))
    return contained(draws, made) if draws.chance(0.2) else laid_out(draws, made)
