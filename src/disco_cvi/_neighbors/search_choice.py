"""Whether to search points in a k-d tree or by matrix products: what costs less is measured."""

from __future__ import annotations

from disco_cvi._neighbors.core_distances import Neighbors, neighbors_by_kd_tree, points_met
from disco_cvi._neighbors.kd_tree import KDTree
from disco_cvi._neighbors.neighbor_lists import neighbors_by_products
from disco_cvi._neighbors.products import make_blocks

# In so few dimensions a k-d tree always wins. For few points in many dimensions, building it costs
# more than the products. In between, a sample of searches tells which to take.
_ALWAYS_KD = 4
_FEW_POINTS = 2048
_MANY_DIMENSIONS = 32
_SAMPLED_COORDINATES = 20_000_000


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
        blocks = make_blocks(tree.points, min_points)
        return neighbors_by_products(blocks, tree.multiplicity, min_points, n_jobs, n_kept)
    return neighbors_by_kd_tree(tree, min_points, n_jobs, n_kept)
