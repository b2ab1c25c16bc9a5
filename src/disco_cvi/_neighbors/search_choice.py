"""Whether to search points in a k-d tree, by matrix products or by all pairs: what costs less."""

from __future__ import annotations

from disco_cvi._compute.threads import limit_blas
from disco_cvi._neighbors.core_distances import (
    COUNTED,
    Neighbors,
    neighbors_by_kd_tree,
    neighbors_by_pairs,
    points_met,
    square_pairs,
)
from disco_cvi._neighbors.kd_tree import KDTree
from disco_cvi._neighbors.neighbor_lists import neighbors_by_products
from disco_cvi._neighbors.products import make_blocks

# Up to so many points in so many dimensions, looking at every pair takes no longer than any search.
_ALL_PAIRS_POINTS, _ALL_PAIRS_DIMENSIONS = 400, 64
# In so few dimensions a k-d tree always wins. For few points in many dimensions, building it costs
# more than the products. In between, a sample of searches tells which to take.
ALWAYS_KD = 4
_FEW_POINTS = 2048
_MANY_DIMENSIONS = 32
# What a search costs, in nanoseconds of one machine; only ratios matter. Meeting a point costs its
# differences, one coordinate after the other. A list by products costs something by point, for
# every pair and for every coordinate of a pair. A sample may cost a small part of all that.
_MET, _MET_COORDINATE = 7.8, 0.65
_LISTED, _PAIR, _PAIR_COORDINATE = 4000.0, 3.5, 0.025
# What a neighbor costs in a list of many; in a tree so many are counted instead.
_LISTED_NEIGHBOR = 400.0
_ASKED, _ASKED_PAIR, _ASKED_COORDINATE = 1500.0, 2.0, 0.045
# The products of all pairs, where they are made at once.
_MADE_PAIR = 1.0
# In so many dimensions the lists save as much again, in what follows.
_LISTS_SAVE = 50
_SAMPLED_SHARE = 0.05
_FEWEST_SAMPLES, _MOST_SAMPLES = 4, 64


def are_few(n_points: int, dimension: int) -> bool:
    """Whether looking at every pair of points costs the least."""
    return n_points <= _ALL_PAIRS_POINTS and dimension <= _ALL_PAIRS_DIMENSIONS


def is_worth_a_tree(n_points: int, dimension: int) -> bool:
    """Whether a k-d tree may help at all, and so is worth building."""
    if are_few(n_points, dimension):
        return False
    return n_points > _FEW_POINTS or dimension < _MANY_DIMENSIONS


def is_hard_to_search(tree: KDTree, min_points: int) -> bool:
    """Whether lists of neighbors cost less by products than by searches in the tree.

    A product is many times faster by coordinate, but looks at every pair.
    """
    n_points, dimension = tree.points.shape
    if dimension <= ALWAYS_KD:
        return False
    by_products = _LISTED + n_points * (_PAIR + _PAIR_COORDINATE * dimension)
    if min_points >= COUNTED:
        by_products += _LISTED_NEIGHBOR * min_points
    affordable = int(_SAMPLED_SHARE * by_products / cost_of_meeting(dimension))
    most = min(_MOST_SAMPLES, n_points // _MOST_SAMPLES)
    n_samples = max(_FEWEST_SAMPLES, min(most, affordable))
    met = points_met(tree, min_points, n_samples)
    worth = 1 + min(1.0, dimension / _LISTS_SAVE)
    return bool(met * cost_of_meeting(dimension) * worth > by_products)


def is_hard_to_leave(n_points: int, dimension: int, met: float, n_to_make: float) -> bool:
    """Whether products cost less in a round in which a search meets so many points.

    `n_to_make`: how many products must be made beforehand, by point that searches.
    """
    by_products = _ASKED + n_points * (_ASKED_PAIR + _ASKED_COORDINATE * dimension)
    return met * cost_of_meeting(dimension) > by_products + _MADE_PAIR * n_to_make


def cost_of_meeting(dimension: int) -> float:
    """What it costs to compute a squared distance by differences."""
    return _MET + _MET_COORDINATE * dimension


def search_neighbors(
    tree: KDTree, min_points: int, n_jobs: int, n_kept: int | None = None
) -> Neighbors:
    """Search the neighbors of every point in the way that costs less."""
    if are_few(*tree.points.shape):
        squares = square_pairs(tree.points)
        return neighbors_by_pairs(tree.multiplicity, squares, min_points, n_kept)
    if is_hard_to_search(tree, min_points):
        with limit_blas(n_jobs):
            blocks = make_blocks(tree.points, min_points)
            return neighbors_by_products(blocks, tree.multiplicity, min_points, n_jobs, n_kept)
    return neighbors_by_kd_tree(tree, min_points, n_jobs, n_kept)
