"""Points become trusted, and remember what was computed of them.

Only public functions call these checks, each with its own name as `caller` for the message; kernels
trust what comes out. No check modifies its input.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray, RawArray
from disco_cvi._compute.memory import Memory
from disco_cvi._input.arrays import as_two_dimensional, refuse_not_finite
from disco_cvi._input.distance_matrix import check_distance_matrix
from disco_cvi._input.kinds import probe
from disco_cvi._input.metric import Metric, check_metric
from disco_cvi._input.options import check_jobs, check_min_points
from disco_cvi._input.row_names import index_of
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

MIN_POINTS = 5
METRIC = "euclidean"


@dataclass(frozen=True, eq=False)
class Points(Memory):
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
    raise InvalidTypeError(argument="X", caller=caller, rule=rule, got="a DensityTree")


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
    index = index_of(X) if probe(X, "ndim", 0) == 2 else None
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
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="have 2 columns, latitude and longitude in radians, for the metric 'haversine'",
            got=str(points.shape[1]),
        )
    rules = (
        ("latitudes from -pi/2 to pi/2 in its first column", np.pi / 2),
        ("longitudes from -2 pi to 2 pi in its second column", 2 * np.pi),
    )
    for column, (rule, most) in enumerate(rules):
        # The pole in 32 bits lies beyond that in 64.
        beyond = np.flatnonzero(np.abs(points[:, column]) > np.float64(np.float32(most)))
        if len(beyond):
            row = beyond[0] if rows is None else rows[column]
            raise InvalidInputError(
                argument="X",
                caller=caller,
                rule=f"hold {rule} for the metric 'haversine'",
                got=f"{points[beyond[0], column]:g} in row {row}",
                remedy="Pass np.radians(X) if they are degrees, X[:, ::-1] if the longitude comes "
                "first.",
            )
