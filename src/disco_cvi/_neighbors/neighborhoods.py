"""The nearest points of every point, as a build of a density tree finds them on its way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import progress
from disco_cvi._input.metric import Metric
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.distances import (
    DistanceRows,
    distance_rows,
    euclidean_points,
    from_squares,
)
from disco_cvi._neighbors.kd_tree import build_kd_tree, squared_distance
from disco_cvi._neighbors.search_choice import search_neighbors

_ROW_ENTRIES = 1 << 20


class Neighborhoods(NamedTuple):
    """For each distinct point the min_points points that are nearest, itself among them.

    Point i stands for ``multiplicity[i]`` rows of the input; `rows` lists them, point after point.
    `nearest` is in no order and may name a point once for each of its copies (-1: nobody); it has
    no columns where nobody has looked yet. `distances` to them, times ``2**exponent``; None if
    they are to be computed from the coordinates, which are those of points times ``2**exponent``.
    The coordinates also tell equally near points apart, whatever the order of the rows; there are
    none for a matrix of distances.
    """

    rows: NDArray[np.int32]
    multiplicity: NDArray[np.int32]
    coordinates: FloatArray
    nearest: NDArray[np.int32]
    distances: FloatArray | None
    exponent: int

    def measure(self, metric: Metric) -> tuple[FloatArray, int]:
        """Return the distances to the nearest points, to be multiplied by a power of two."""
        if self.distances is not None:
            return self.distances, self.exponent
        squares = np.empty(self.nearest.shape)
        square_distances(self.coordinates, self.nearest, squares)
        return from_squares(squares, self.exponent, metric)


class NearRows(NamedTuple):
    """Core distances and nearest rows of a metric that gives distances row by row."""

    core: FloatArray
    nearest: NDArray[np.int32]
    distances: FloatArray


def search_neighborhoods(points: Points, min_points: int) -> tuple[Neighborhoods, FloatArray, int]:
    """Search the nearest points of points; also return core distances, and their exponent.

    The core distances, in the order of the points found, are to be multiplied by ``2**exponent``.
    """
    if not points.metric.is_euclidean:
        source = distance_rows(points.array, points.metric, points.caller)
        near = nearest_rows(source, min_points, n_kept=min_points)
        return neighborhoods_of_rows(points, near, source.exponent), near.core, source.exponent
    array, exponent = euclidean_points(points.raw_array, points.metric, points.caller)
    found, neighbors = _search(array, min_points, exponent, points.n_jobs)
    core, unit = from_squares(neighbors.core, exponent, points.metric)
    return found, core, unit


def search_again(found: Neighborhoods, min_points: int, n_jobs: int) -> Neighborhoods:
    """Search the nearest points of points whose coordinates alone have been kept."""
    array = np.empty((len(found.rows), found.coordinates.shape[1]))
    array[found.rows] = np.repeat(found.coordinates, found.multiplicity, axis=0)
    return _search(array, min_points, found.exponent, n_jobs)[0]


def _search(
    array: FloatArray, min_points: int, exponent: int, n_jobs: int
) -> tuple[Neighborhoods, Neighbors]:
    tree = build_kd_tree(array)
    neighbors = search_neighbors(tree, min_points, n_jobs, n_kept=min_points)
    kept = (tree.points, neighbors.nearest, None, exponent)
    return Neighborhoods(tree.rows, tree.multiplicity, *kept), neighbors


def neighborhoods_of_rows(points: Points, near: NearRows, exponent: int) -> Neighborhoods:
    """Return what was found row by row; ranks of the coordinates are enough to tell them apart."""
    n_points = points.n_points
    ranks = np.zeros((n_points, 0))
    if points.metric.name != "precomputed":
        ranks = np.empty((n_points, 1))
        ranks[np.lexsort(points.array.T[::-1]), 0] = np.arange(n_points)
    rows = np.arange(n_points, dtype=np.int32)
    copies = np.ones(n_points, np.int32)
    return Neighborhoods(rows, copies, ranks, near.nearest, near.distances, exponent)


def nearest_rows(source: DistanceRows, min_points: int, *, n_kept: int = 0) -> NearRows:
    """Search the nearest rows of every row, and keep `min_points` of them or none; O(n * n)."""
    n_points = source.n_points
    core = np.empty(n_points)
    nearest, distances = np.empty((n_points, n_kept), np.int32), np.empty((n_points, n_kept))
    size = max(1, _ROW_ENTRIES // n_points)
    with progress("Core distances", -(-n_points // size)) as bar:
        for begin in range(0, n_points, size):
            block = source.rows(begin, min(begin + size, n_points))
            found = np.argpartition(block, min_points - 1, axis=1)[:, :min_points]
            near = np.take_along_axis(block, found, axis=1)
            part = slice(begin, begin + len(block))
            core[part] = near.max(axis=1)
            nearest[part], distances[part] = found[:, :n_kept], near[:, :n_kept]
            bar.step()
    return NearRows(core, nearest, distances)


@kernel
def square_distances(points, nearest, squares):
    """Squared distances to those who are listed for each point."""
    for i in range(nearest.shape[0]):
        for t in range(nearest.shape[1]):
            j = nearest[i, t]
            squares[i, t] = np.inf if j < 0 else squared_distance(points, i, j)
