"""Neighbors by matrix products, in dimensions where a k-d tree meets every point; which to take.

All distances here are squared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.core_distances import (
    Neighbors,
    neighbors_by_kd_tree,
    no_neighbors,
    points_met,
    push,
)
from disco_cvi._neighbors.kd_tree import KDTree, squared_distance

_BLOCK_RANGE = 64
_BLOCK_ENTRIES = 1 << 23
# In so few dimensions a k-d tree always wins. For few points in many dimensions, building it costs
# more than the products. In between, a sample of searches tells which to take.
_ALWAYS_KD = 4
_FEW_POINTS = 2048
_MANY_DIMENSIONS = 32
_SAMPLED_COORDINATES = 20_000_000


class Blocks(NamedTuple):
    """Points for searches by matrix products, in dimensions where a k-d tree meets every point.

    A product gives all squared distances from a block of points, but with cancellation. So it only
    filters: the error of |x|^2 + |y|^2 - 2 x.y over the centered points is at most ``slack *
    (|x|^2 + |y|^2)``, and every candidate within that is computed again by differences. `whole`
    holds all products if they fill no more than one block, and nothing otherwise.
    """

    points: NDArray[np.float64]
    multiplicity: NDArray[np.int32]
    centered: NDArray[np.float64]
    squared_norms: NDArray[np.float64]
    whole: NDArray[np.float64]
    slack: float
    min_points: int


def make_blocks(
    points: NDArray[np.float64], multiplicity: NDArray[np.int32], min_points: int
) -> Blocks:
    """Center the points and bound all errors of a product, those of the differences included."""
    centered = points - points.mean(axis=0)
    squared_norms = np.einsum("ij,ij->i", centered, centered)
    # 2 d roundings in product and norms, d / 2 in the differences, some for centering and adding.
    slack = (4 * points.shape[1] + 64) * 2.0**-53
    fits = len(points) ** 2 <= _BLOCK_ENTRIES
    whole = centered @ centered.T if fits else np.empty((0, 0))
    return Blocks(points, multiplicity, centered, squared_norms, whole, slack, min_points)


def products(blocks: Blocks, chosen: slice | NDArray[np.int32]) -> NDArray[np.float64]:
    """Products of the chosen points with all points."""
    if len(blocks.whole):
        return blocks.whole[chosen]
    return blocks.centered[chosen] @ blocks.centered.T


def block_size(n_points: int) -> int:
    """How many points make one block: 64 MB of products."""
    return max(1, _BLOCK_ENTRIES // n_points)


def is_worth_a_tree(n_points: int, dimension: int) -> bool:
    """Whether a k-d tree may help at all, and so is worth building."""
    return n_points > _FEW_POINTS or dimension < _MANY_DIMENSIONS


def is_hard_to_search(tree: KDTree, min_points: int) -> bool:
    """Whether products with all points cost less than the points that a search meets.

    A point met costs its differences, one after the other; a product is several times faster by
    coordinate, but every pair must be looked at. The weights are measured.
    """
    n_points, dimension = tree.points.shape
    if dimension <= _ALWAYS_KD:
        return False
    n_samples = min(64, max(4, _SAMPLED_COORDINATES // tree.points.size))
    met = points_met(tree, min_points, n_samples)
    return bool(met * (dimension + 12) > n_points * (dimension * 0.15 + 3))


def search_neighbors(
    tree: KDTree, min_points: int, n_jobs: int, n_kept: int | None = None
) -> Neighbors:
    """Search the neighbors of every point in the way that costs less."""
    if is_hard_to_search(tree, min_points):
        blocks = make_blocks(tree.points, tree.multiplicity, min_points)
        return neighbors_by_blocks(blocks, n_jobs, n_kept)
    return neighbors_by_kd_tree(tree, min_points, n_jobs, n_kept)


def neighbors_by_blocks(blocks: Blocks, n_jobs: int, n_kept: int | None = None) -> Neighbors:
    """Look at all n * n distances, one block after the other."""
    n_points = len(blocks.points)
    neighbors = no_neighbors(n_points, blocks.min_points, n_kept)
    size = block_size(n_points)
    with progress("Core distances", n_points) as bar:
        for first in range(0, n_points, size):
            block = products(blocks, slice(first, first + size))

            def search(
                begin: int, stop: int, first: int = first, block: NDArray[np.float64] = block
            ) -> None:
                _filter_neighbors(blocks, block, first, begin, stop, *neighbors)

            for_ranges(search, len(block), _BLOCK_RANGE, n_jobs)
            bar.step(len(block))
    return neighbors


@kernel
def _filter_neighbors(blocks, block, first, begin, stop, core, nearest):
    """Fill `core` and `nearest` for the points that rows begin to stop - 1 of the block stand for.

    First the products tell how far the min_points-th neighbor is at most, then every point that
    may be no farther is computed by differences.
    """
    norms, multiplicity = blocks.squared_norms, blocks.multiplicity
    min_points = blocks.min_points
    distances = np.empty(min_points)
    neighbors = np.empty(min_points, np.int32)
    for row in range(begin, stop):
        i = first + row
        for t in range(min_points):
            distances[t] = np.inf
        for j in range(norms.shape[0]):
            scale = norms[i] + norms[j]
            at_most = scale - 2.0 * block[row, j] + blocks.slack * scale
            copies = min(multiplicity[j], min_points)
            while copies > 0 and at_most < distances[0]:
                push(distances, neighbors, at_most, j)
                copies -= 1
        limit = distances[0]
        for t in range(min_points):
            distances[t] = np.inf
            neighbors[t] = -1
        for j in range(norms.shape[0]):
            scale = norms[i] + norms[j]
            if scale - 2.0 * block[row, j] - blocks.slack * scale <= limit:
                distance = squared_distance(blocks.points, i, j)
                copies = min(multiplicity[j], min_points)
                while copies > 0 and distance < distances[0]:
                    push(distances, neighbors, distance, j)
                    copies -= 1
        core[i] = distances[0]
        for t in range(nearest.shape[1]):
            nearest[i, t] = neighbors[t]
