"""Lists of the nearest points of every point, sorted, by matrix products.

A list of all points within some radius can answer more than what it was made for: a point that is
not in it is at least as far as its last entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import Progress, progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.core_distances import Neighbors, no_neighbors, push
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.products import (
    BLOCK_RANGE,
    STRIP,
    Blocks,
    at_least,
    at_most,
    block_size,
    has_near,
    least_difference,
    products,
)

_LIST_LENGTH = 16
_LONGEST_LISTS = 1 << 24


class NeighborLists(NamedTuple):
    """For each distinct point the nearest distinct points, itself among them, nearest first.

    ``numbers[i, t]`` is the t-th of point i, at the squared distance ``squares[i, t]``; nobody (-1,
    at infinity) where there are no more points. No point that is missing is nearer than the last
    entry, which is why that is called the radius of the list.
    """

    numbers: NDArray[np.int32]
    squares: FloatArray


def lists_by_products(
    blocks: Blocks,
    multiplicity: NDArray[np.int32],
    min_points: int,
    n_jobs: int,
    bar: Progress,
    n_kept: int | None = None,
) -> tuple[NeighborLists, Neighbors]:
    """List the nearest points of every point, and find core distances; O(n * n) time.

    Lists that would fill too much memory are cut. `n_kept` as in `neighbors_by_kd_tree`.
    """
    n_points = len(blocks.points)
    length = min(n_points, max(_LIST_LENGTH, min_points))
    n_listed = length if n_points * length <= _LONGEST_LISTS else _LIST_LENGTH
    lists = NeighborLists(np.empty((n_points, n_listed), np.int32), np.empty((n_points, n_listed)))
    neighbors = no_neighbors(n_points, min_points, n_kept)
    for part, found in _listed_blocks(blocks, length, n_jobs):
        lists.numbers[part] = found.numbers[:, :n_listed]
        lists.squares[part] = found.squares[:, :n_listed]
        core, nearest = neighbors.core[part], neighbors.nearest[part]
        count_copies(*found, multiplicity, min_points, core, nearest)
        bar.step(len(found.numbers))
    return lists, neighbors


def neighbors_by_products(
    blocks: Blocks,
    multiplicity: NDArray[np.int32],
    min_points: int,
    n_jobs: int,
    n_kept: int | None = None,
) -> Neighbors:
    """Find core distances and the nearest points, and keep no lists."""
    n_points = len(blocks.points)
    neighbors = no_neighbors(n_points, min_points, n_kept)
    with progress("Core distances", n_points) as bar:
        for part, found in _listed_blocks(blocks, min(n_points, min_points), n_jobs):
            core, nearest = neighbors.core[part], neighbors.nearest[part]
            count_copies(*found, multiplicity, min_points, core, nearest)
            bar.step(len(found.numbers))
    return neighbors


def _listed_blocks(
    blocks: Blocks, length: int, n_jobs: int
) -> Iterator[tuple[slice, NeighborLists]]:
    """Lists of one block of points after the other, in memory that is used again."""
    n_points = len(blocks.points)
    size = min(n_points, block_size(n_points))
    numbers, squares = np.empty((size, length), np.int32), np.empty((size, length))
    for first in range(0, n_points, size):
        block = products(blocks, slice(first, first + size))

        def search(begin: int, stop: int, first: int = first, block: NDArray[Any] = block) -> None:
            _list_nearest(blocks, block, first, begin, stop, numbers, squares)

        for_ranges(search, len(block), BLOCK_RANGE, n_jobs)
        found = NeighborLists(numbers[: len(block)], squares[: len(block)])
        yield slice(first, first + len(block)), found


@kernel
def _list_nearest(blocks, block, first, begin, stop, numbers, squares):
    """List the nearest of the points that rows begin to stop - 1 of the block stand for.

    Products tell how far the last of the list is at most. Strips of points that are all farther
    are passed over; who may be nearer is noted, and computed by differences in the end. Points
    that lie near in memory are looked at first: often they are near.
    """
    norms, half_norms = blocks.norms, blocks.half_norms
    n_points, length = norms.shape[0], numbers.shape[1]
    bounds = np.empty(length)
    nearest = np.empty(length, np.int32)
    noted = np.empty(n_points, np.int32)
    least = np.empty(1, half_norms.dtype)
    n_strips = -(-n_points // STRIP)
    for row in range(begin, stop):
        i = first + row
        bounds[:] = np.inf
        n_noted = 0
        least[0] = -np.inf
        for s in range(n_strips):
            start = (s + i // STRIP) % n_strips * STRIP
            end = min(start + STRIP, n_points)
            if not has_near(block[row, start:end], half_norms[start:end], least[0]):
                continue
            for j in range(start, end):
                scale = norms[i] + norms[j]
                if at_least(blocks, scale, block[row, j]) <= bounds[0]:
                    noted[n_noted] = j
                    n_noted += 1
                    bound = at_most(blocks, scale, block[row, j])
                    if bound < bounds[0]:
                        push(bounds, nearest, bound, j)
            least[0] = least_difference(blocks, i, bounds[0])
        limit = bounds[0]
        bounds[:] = np.inf
        nearest[:] = -1
        for t in range(n_noted):
            j = noted[t]
            if at_least(blocks, norms[i] + norms[j], block[row, j]) <= limit:
                square = squared_distance(blocks.points, i, j)
                if square < bounds[0]:
                    push(bounds, nearest, square, j)
        for last in range(length - 1, 0, -1):
            squares[row, last] = bounds[0]
            numbers[row, last] = nearest[0]
            push(bounds[:last], nearest[:last], bounds[last], nearest[last])
        squares[row, 0] = bounds[0]
        numbers[row, 0] = nearest[0]


@kernel
def count_copies(numbers, squares, multiplicity, min_points, core, nearest):
    """Fill `core` and `nearest` from lists of distinct points, of which each stands for some."""
    for i in range(core.shape[0]):
        core[i] = np.inf
        nearest[i, :] = -1
        counted = 0
        for t in range(numbers.shape[1]):
            copies = min(multiplicity[numbers[i, t]], min_points - counted)
            if nearest.shape[1] > 0:
                nearest[i, counted : counted + copies] = numbers[i, t]
            counted += copies
            if counted == min_points:
                core[i] = squares[i, t]
                break
