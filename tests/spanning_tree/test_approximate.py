"""Spanning trees from lists that may miss near points: never below the exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.products import make_blocks
from disco_cvi._neighbors.random_trees import Distinct, collapse_copies
from disco_cvi._spanning_tree import approximate
from disco_cvi._spanning_tree.approximate import span_by_graph
from disco_cvi._spanning_tree.boruvka import SpanningTree
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from disco_cvi.density_tree.build import broken_rule

Points = NDArray[np.float64]


def some_points(seed: int, n_points: int, dimension: int, *, on_lattice: bool) -> Points:
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n_points, dimension)) + 6.0 * rng.integers(0, 3, (n_points, 1))
    points = np.rint(points) if on_lattice else points
    points[: n_points // 4] = points[0]
    return np.ascontiguousarray(points)


def row_core(tree: SpanningTree) -> Points:
    core = np.empty(len(tree.rows))
    core[tree.rows] = np.repeat(tree.core, tree.multiplicity)
    return core


def thinned(lists: NeighborLists, length: int) -> NeighborLists:
    """Lists that miss every other neighbor beyond the nearest."""
    kept = np.r_[0, np.arange(1, lists.numbers.shape[1], 2)][:length]
    return NeighborLists(lists.numbers[:, kept].copy(), lists.squares[:, kept].copy())


@pytest.mark.small
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000),
    n_points=st.integers(2, 60),
    dimension=st.integers(1, 6),
    on_lattice=st.booleans(),
    budget=st.sampled_from([0, 2000]),
)
def test_nothing_lies_below_the_exact_tree(
    seed: int, n_points: int, dimension: int, on_lattice: bool, budget: int
) -> None:
    points = some_points(seed, n_points, dimension, on_lattice=on_lattice)
    min_points = min(3, n_points)
    exact = minimum_spanning_tree(points.copy(), min_points, 1, "kd")
    distinct = collapse_copies(points)
    blocks = make_blocks(distinct.points, 12)
    lists = thinned(neighbor_graph(blocks, 12, seed, 1), 6)
    if int(distinct.multiplicity[lists.numbers].sum(axis=1).min()) < min_points:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(approximate, "_MOST_ASKING", budget)
        found, _ = span_by_graph(distinct, blocks, lists, min_points, seed, 1)
    assert broken_rule(found) is None
    assert (row_core(found) >= row_core(exact)).all()
    heights, least = np.sort(found.edges.heights), np.sort(exact.edges.heights)
    assert (heights >= least).all()


@pytest.mark.small
def test_few_points_are_all_compared() -> None:
    points = some_points(1, 50, 4, on_lattice=False)
    distinct = collapse_copies(points)
    exact = minimum_spanning_tree(points.copy(), 4, 1, "kd")
    blocks = make_blocks(distinct.points, 20)
    found, _ = span_by_graph(distinct, blocks, neighbor_graph(blocks, 20, 0, 1), 4, 0, 1)
    assert (row_core(found) == row_core(exact)).all()
    assert (np.sort(found.edges.heights) == np.sort(exact.edges.heights)).all()


def test_one_seed_is_one_tree_for_any_threads_and_any_order_of_rows() -> None:
    points = some_points(2, 3000, 24, on_lattice=False)
    turned = np.random.default_rng(5).permutation(len(points))
    found = []
    for n_jobs, rows in ((1, slice(None)), (2, slice(None)), (4, turned)):
        distinct: Distinct = collapse_copies(points[rows])
        blocks = make_blocks(distinct.points, 20)
        lists = neighbor_graph(blocks, 20, 7, n_jobs)
        found.append(span_by_graph(distinct, blocks, lists, 5, 7, n_jobs)[0])
    for other in found[1:]:
        assert (other.core == found[0].core).all()
        assert (other.edges.first == found[0].edges.first).all()
        assert (other.edges.second == found[0].edges.second).all()
        assert (other.edges.heights == found[0].edges.heights).all()
