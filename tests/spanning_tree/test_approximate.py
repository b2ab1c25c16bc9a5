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
from disco_cvi._spanning_tree.approximate import Budget, span_by_graph
from disco_cvi._spanning_tree.boruvka import Edges, Forest, SpanningTree
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


@pytest.mark.small
def test_one_point_has_no_edges() -> None:
    distinct = collapse_copies(np.full((4, 2), 0.5))
    lists = NeighborLists(np.zeros((1, 1), np.int32), np.zeros((1, 1)))
    found, _ = span_by_graph(distinct, make_blocks(distinct.points, 3), lists, 3, 0, 1)
    assert [len(part) for part in found.edges] == [0, 0, 0]
    assert found.core.tolist() == [0.0]


@pytest.mark.small
def test_edges_that_join_two_groups_are_doubted() -> None:
    # Three lines of 8, 9 and 7 points, side by side; the last edge of each line is the cheapest.
    sizes, first, second, heights = [8, 9, 7], [], [], []
    for line, size in enumerate(sizes):
        begin = sum(sizes[:line])
        first += list(range(begin, begin + size - 1))
        second += list(range(begin + 1, begin + size))
        heights += [1.0 - 0.01 * place for place in range(size - 1)]
    ends = np.array([*first, 3, 10], np.int32), np.array([*second, 12, 20], np.int32)
    edges = Edges(*ends, np.array([*heights, 4.0, 5.0]))
    kept, doubted = approximate._doubt(edges, 24)
    # The other joins a group of 7 to one of 17.
    assert list(zip(*(part.tolist() for part in doubted), strict=True)) == [(3, 12, 4.0)]
    assert len(kept.first) == 22
    turned = Edges(edges.second, edges.first, edges.heights)
    assert approximate._doubt(turned, 24)[1].heights.tolist() == [4.0]


@pytest.mark.small
@pytest.mark.parametrize("budget", [2, 3, 4, 6])
@pytest.mark.parametrize("can_tell", [False, True])
def test_the_smallest_components_ask_if_none_can_tell(budget: int, can_tell: bool) -> None:
    # Components 0, 2, 5 and 9, of which all points but 4 and 8 and those of 9 ask.
    component = np.array([0, 0, 2, 2, 2, 5, 5, 5, 5, 9, 9], np.int32)
    asking = np.array([0, 1, 2, 3, 5, 6, 7], np.int32)
    cheapest = np.full(11, np.inf)
    cheapest[[0, 2, 5]] = 3.0
    cheapest[9] = 2.0 if can_tell else -1.0
    forest = Forest(np.zeros(11), component, np.zeros(11), component, cheapest, component)
    left = Budget()
    left.left = budget
    chosen = approximate._choose_asking(forest, asking, left)
    allowed = {2: [0], 3: [0], 4: [0, 2], 6: [0, 2]}[budget]
    if can_tell:
        allowed = []
    assert chosen.tolist() == [i for i in asking if component[i] in allowed]
    assert left.left == budget - len(chosen)
    for c in (0, 2, 5):
        assert cheapest[c] == (3.0 if c in allowed else -1.0)
    assert cheapest[9] == (2.0 if can_tell else -1.0)


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
