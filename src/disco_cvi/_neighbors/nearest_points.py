"""The nearest other rows of every row, nearest first; of equally near ones the smaller row first.

Copies of a point are rows like any other: a point is left out of its own neighbors by its row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges, limit_blas
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import push, range_size
from disco_cvi._neighbors.distances import distance_rows, from_squares, row_blocks
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    is_inside,
    kd_tree_of,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.products import (
    BLOCK_RANGE,
    at_least,
    at_most,
    block_size,
    make_blocks,
    products,
)
from disco_cvi._neighbors.search_choice import is_hard_to_search

# Comes after every row.
_NOBODY = np.int32(2147483647)


class NearestPoints(NamedTuple):
    """For each row, distances to its nearest other rows and which these are.

    The distances are to be multiplied by ``2**exponent``.
    """

    distances: FloatArray
    rows: NDArray[np.int32]
    exponent: int

    def in_units(self) -> FloatArray:
        """The distances in the units of the metric."""
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(self.distances, self.exponent)


def nearest_points(points: Points, n_neighbors: int) -> NearestPoints:
    """Return the `n_neighbors` nearest other rows of every row, at most n - 1.

    A wider search that was made before for these points is used again.
    """
    n_neighbors = min(n_neighbors, points.n_points - 1)
    widest = points.once(_Widest)
    if widest.found is None or widest.found.rows.shape[1] < n_neighbors:
        widest.found = search_nearest(points, n_neighbors)
    distances, rows, exponent = widest.found
    return NearestPoints(distances[:, :n_neighbors], rows[:, :n_neighbors], exponent)


class _Widest:
    """The widest search of some points so far."""

    def __init__(self, _points: Points) -> None:
        self.found: NearestPoints | None = None


def search_nearest(points: Points, n_neighbors: int) -> NearestPoints:
    """Search by the k-d tree, by blocks of products, or row by row, as the metric allows."""
    if not points.metric.is_euclidean:
        return _search_rows(points, n_neighbors)
    tree, exponent = kd_tree_of(points)
    squares = np.empty((points.n_points, n_neighbors))
    rows = np.empty((points.n_points, n_neighbors), np.int32)
    listed = list_copies(tree)
    if is_hard_to_search(tree, n_neighbors + 1):
        _search_blocks(tree, listed, squares, rows, points.n_jobs)
    else:

        def search(begin: int, stop: int) -> None:
            _search_tree(tree, listed, begin, stop, squares, rows)

        effort = max(1, n_neighbors // 5)
        size = range_size(tree, effort)
        for_ranges(search, len(tree.points), size, points.n_jobs, "Nearest points")
    distances, unit = from_squares(squares, exponent, points.metric)
    return NearestPoints(distances, rows, unit)


class Copies(NamedTuple):
    """The rows of every distinct point, ascending: ``rows[starts[i]:starts[i + 1]]``."""

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]


def list_copies(tree: KDTree) -> Copies:
    """Bring the rows of each point of the tree into ascending order."""
    starts = np.concatenate([[0], np.cumsum(tree.multiplicity)])
    if len(tree.points) == len(tree.rows):
        return Copies(tree.rows, starts)
    owners = np.repeat(np.arange(len(tree.points)), tree.multiplicity)
    return Copies(tree.rows[np.lexsort((tree.rows, owners))], starts)


def _search_blocks(
    tree: KDTree, listed: Copies, squares: FloatArray, rows: NDArray[np.int32], n_jobs: int
) -> None:
    size = block_size(len(tree.points))
    with limit_blas(n_jobs), progress("Nearest points", len(tree.points)) as bar:
        blocks = make_blocks(tree.points, squares.shape[1] + 1)
        for first in range(0, len(tree.points), size):
            block = products(blocks, slice(first, first + size))

            def search(
                begin: int, stop: int, first: int = first, block: NDArray[Any] = block
            ) -> None:
                place = (first, begin, stop)
                _filter(blocks, block, tree.multiplicity, listed, place, squares, rows)

            for_ranges(search, len(block), BLOCK_RANGE, n_jobs)
            bar.step(len(block))


def _search_rows(points: Points, n_neighbors: int) -> NearestPoints:
    """Sort every row of distances; O(n * n log n) time, linear memory."""
    source = distance_rows(points.array, points.metric, points.caller)
    distances = np.empty((points.n_points, n_neighbors))
    rows = np.empty((points.n_points, n_neighbors), np.int32)
    for block in row_blocks(points.n_points, points.n_points):
        found = source.rows(block.start, block.stop).copy()
        found[np.arange(len(found)), np.arange(block.start, block.stop)] = np.inf
        order = np.argsort(found, axis=1, kind="stable")[:, :n_neighbors]
        rows[block] = order
        distances[block] = np.take_along_axis(found, order, axis=1)
    return NearestPoints(distances, rows, source.exponent)


@inline_kernel
def let_wait(waiting, bounds, n_before, n_waiting, node, bound):
    """Put a child of a node on top of those that wait, but below the other child if that is nearer.

    Before the first child, `n_before` waited.
    """
    place = n_waiting
    if n_waiting > n_before and bounds[n_before] <= bound:
        waiting[place] = waiting[n_before]
        bounds[place] = bounds[n_before]
        place = n_before
    waiting[place] = node
    bounds[place] = bound


@inline_kernel
def _is_before(square, row, other_square, other_row):
    return square < other_square or (square == other_square and row < other_row)


@inline_kernel
def _sink(squares, rows, size, square, row):
    """Put a row in the place of the farthest, which a heap of that size keeps at 0."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and _is_before(
            squares[child], rows[child], squares[child + 1], rows[child + 1]
        ):
            child += 1
        if _is_before(squares[child], rows[child], square, row):
            break
        squares[place] = squares[child]
        rows[place] = rows[child]
        place = child
    squares[place] = square
    rows[place] = row


@inline_kernel
def _offer(listed, j, square, near_squares, near_rows):
    """Offer the rows of point j to a heap; they ascend, so the first refused is the last."""
    for t in range(listed.starts[j], listed.starts[j + 1]):
        row = listed.rows[t]
        if not _is_before(square, row, near_squares[0], near_rows[0]):
            break
        _sink(near_squares, near_rows, near_squares.shape[0], square, row)


@inline_kernel
def _write(listed, i, near_squares, near_rows, squares, rows):
    """Sort the heap into the rows of point i; each of these leaves out itself."""
    size = near_squares.shape[0]
    for last in range(size - 1, 0, -1):
        square = near_squares[last]
        row = near_rows[last]
        near_squares[last] = near_squares[0]
        near_rows[last] = near_rows[0]
        _sink(near_squares, near_rows, last, square, row)
    for t in range(listed.starts[i], listed.starts[i + 1]):
        own = listed.rows[t]
        place = 0
        for s in range(size):
            if near_rows[s] != own and place < size - 1:
                squares[own, place] = near_squares[s]
                rows[own, place] = near_rows[s]
                place += 1


@kernel
def _search_tree(tree, listed, begin, stop, squares, rows):
    """Search the nearest rows of points begin to stop - 1, as core distances are searched.

    But a node as near as the farthest row kept is looked at, too: it may hold a smaller row.
    """
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    lower, upper = tree.lower, tree.upper
    near_squares = np.empty(squares.shape[1] + 1)
    near_rows = np.empty(squares.shape[1] + 1, np.int32)
    waiting = np.empty(STACK_SIZE, np.int32)
    bounds = np.empty(STACK_SIZE)
    for i in range(begin, stop):
        for t in range(near_squares.shape[0]):
            near_squares[t] = np.inf
            near_rows[t] = _NOBODY
        below = -1
        above = tree.leaf[i]
        while True:
            waiting[0] = above
            bounds[0] = 0.0
            n_waiting = 1
            while n_waiting > 0:
                n_waiting -= 1
                if bounds[n_waiting] > near_squares[0]:
                    continue
                node = waiting[n_waiting]
                if rights[node] > 0:
                    n_before = n_waiting
                    for side in range(2):
                        child = rights[node] if side else node + 1
                        if child != below:
                            bound = squared_distance_to_box(points, lower, upper, child, i)
                            if bound <= near_squares[0]:
                                let_wait(waiting, bounds, n_before, n_waiting, child, bound)
                                n_waiting += 1
                    continue
                for j in range(starts[node], ends[node]):
                    square = squared_distance(points, i, j)
                    if square <= near_squares[0]:
                        _offer(listed, j, square, near_squares, near_rows)
            # One step beyond the farthest: a row at just this distance may lie outside.
            radius = np.nextafter(near_squares[0], np.inf)
            if above == 0 or is_inside(points, lower, upper, above, i, radius):
                break
            below = above
            above = tree.parent[below]
        _write(listed, i, near_squares, near_rows, squares, rows)


@kernel
def _filter(blocks, block, multiplicity, listed, place, squares, rows):
    """Find the nearest rows of the points that some rows of a block of products stand for.

    `place`: the point of the first row of the block, and which rows to look at. First the products
    tell how far the last neighbor is at most, then all that may be as near are computed by
    differences.
    """
    first, begin, stop = place
    norms, size = blocks.norms, squares.shape[1] + 1
    bounds = np.empty(size)
    nobody = np.empty(size, np.int32)
    near_squares = np.empty(size)
    near_rows = np.empty(size, np.int32)
    for b in range(begin, stop):
        i = first + b
        bounds[:] = np.inf
        for j in range(norms.shape[0]):
            bound = at_most(blocks, norms[i] + norms[j], block[b, j])
            copies = min(multiplicity[j], size)
            while copies > 0 and bound < bounds[0]:
                push(bounds, nobody, bound, j)
                copies -= 1
        near_squares[:] = np.inf
        near_rows[:] = _NOBODY
        for j in range(norms.shape[0]):
            if at_least(blocks, norms[i] + norms[j], block[b, j]) <= bounds[0]:
                square = squared_distance(blocks.points, i, j)
                if square <= near_squares[0]:
                    _offer(listed, j, square, near_squares, near_rows)
        _write(listed, i, near_squares, near_rows, squares, rows)
