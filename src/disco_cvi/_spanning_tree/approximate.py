"""A spanning tree from lists that may miss some near points: never lower than the exact one.

Every core distance is the distance to a real point, at least the `min_points`-th nearest, so none
lies below the exact one. Every edge is real and costs at least what it costs under exact core
distances. So the sorted heights lie nowhere below those of the minimum spanning tree: any spanning
tree of a graph that is nowhere cheaper has sorted heights that are nowhere lower.

How far above, is decided by the edges between dense groups, on which scores depend most. A graph
of neighbors does join the groups, but by the few edges that it happens to hold, seldom the
cheapest. So an edge of the lists is taken only where they would prove it to be the cheapest if
nothing were missing in them (see `by_lists`); a component that cannot tell sits out. Of those that
are left when none can tell, the smallest ask the products with all points, some hundred points
together. The rest climbs: from some points of one component, to the cheapest partner in
another one, from there to the cheapest partner in the first, and so on until nothing is cheaper.

A proof by lists that miss a neighbor may be wrong, and where it joins two groups of points, all
pairs between them meet too high. So such edges are given up before the climbs, and are taken again
only where these find nothing cheaper.

Nothing here depends on threads: components are joined one after the other, climbs do not know of
each other, and among equal edges the first is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import limit_blas
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import Neighbors, no_neighbors
from disco_cvi._neighbors.distances import euclidean_points
from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._neighbors.neighbor_lists import NeighborLists, count_copies
from disco_cvi._neighbors.neighborhoods import Neighborhoods
from disco_cvi._neighbors.products import Blocks, make_blocks
from disco_cvi._neighbors.random_trees import Distinct, collapse_copies
from disco_cvi._spanning_tree.boruvka import Edges, Forest, SpanningTree, root
from disco_cvi._spanning_tree.by_lists import grow_by_lists
from disco_cvi._spanning_tree.by_products import ask_products
from disco_cvi._spanning_tree.climbing import all_edges, climb
from disco_cvi._spanning_tree.given_graph import lists_of_graph
from disco_cvi._spanning_tree.mutual_reachability import Spanned, measure_squares

# Lists are longer than core distances need, for edges to be found and proved by them.
_SHORTEST_LISTS = 20
_MORE_LISTED = 16
# So many points may ask the products with all points.
_MOST_ASKING = 250
_SEED = 0
# An edge that joins two parts of so many points each is looked at again.
_LEAST_GROUP = 8


def approximate_tree_of(points: Points, min_points: int, graph: object) -> Spanned:
    """Span points by the graph that is given, or by one of our own."""
    coordinates, exponent = euclidean_points(points.raw_array, points.metric, points.caller)
    distinct = collapse_copies(coordinates)
    length = max(_SHORTEST_LISTS, min_points + _MORE_LISTED)
    with limit_blas(points.n_jobs):
        blocks = make_blocks(distinct.points, length)
    if graph is None:
        lists = neighbor_graph(blocks, length, _SEED, points.n_jobs)
    else:
        lists = lists_of_graph(graph, distinct, min_points, points.caller)
    by = (lists, min_points, _SEED, points.n_jobs)
    spanning, neighbors = span_by_graph(distinct, blocks, *by)
    kept = (distinct.points, neighbors.nearest, None, exponent)
    found = Neighborhoods(spanning.rows, spanning.multiplicity, *kept)
    return measure_squares(spanning, found, points.metric)


class Budget:
    """How many points may still ask the products with all points."""

    def __init__(self) -> None:
        self.left = _MOST_ASKING


def span_by_graph(
    distinct: Distinct,
    blocks: Blocks,
    lists: NeighborLists,
    min_points: int,
    seed: int,
    n_jobs: int,
) -> tuple[SpanningTree, Neighbors]:
    """Span points by lists of near points, each point itself among them.

    Every list must hold `min_points` rows, copies counted.
    """
    points, rows, multiplicity = distinct
    neighbors = no_neighbors(len(points), min_points)
    count_copies(*lists, multiplicity, min_points, neighbors.core, neighbors.nearest)
    if len(points) == 1:
        none = np.empty(0, np.int32)
        return SpanningTree(
            rows, multiplicity, neighbors.core, Edges(none, none, np.empty(0))
        ), neighbors
    budget = Budget()

    def search_on(forest: Forest, asking: NDArray[np.int32]) -> None:
        chosen = _choose_asking(forest, asking, budget)
        if len(chosen):
            with progress("Spanning tree", len(chosen)) as bar:
                # One after the other: which of two equal edges is taken must not depend on threads.
                ask_products(blocks, forest, chosen, 1, bar)

    with limit_blas(n_jobs):
        edges = grow_by_lists(lists, neighbors, search_on, n_jobs)
    kept, doubted = _doubt(edges, len(points))
    component = np.empty(len(points), np.int32)
    _name_components(kept.first, kept.second, component)
    if len(kept.first) < len(points) - 1:
        with limit_blas(1):  # threads of ours multiply
            found = climb(blocks, neighbors.core, lists, component, doubted, seed, n_jobs)
        edges = all_edges(kept, found)
    return SpanningTree(rows, multiplicity, neighbors.core, edges), neighbors


def _choose_asking(forest: Forest, asking: NDArray[np.int32], budget: Budget) -> NDArray[np.int32]:
    """Let components that cannot tell sit out; return the points of those that may ask instead.

    Nobody asks while another component can tell: its edge may change what must be asked.
    """
    n_points = len(forest.core)
    n_asking = np.bincount(forest.component[asking], minlength=n_points)
    unsure = np.flatnonzero(n_asking)
    names = np.unique(forest.component)
    known = forest.cheapest[names]
    is_sure = (known >= 0.0) & np.isfinite(known) & (n_asking[names] == 0)
    may_ask = np.zeros(n_points, bool)
    if not is_sure.any():
        by_size = unsure[np.argsort(n_asking[unsure], kind="stable")]
        total = np.cumsum(n_asking[by_size])
        fitting = by_size[total <= budget.left]
        may_ask[fitting] = True
        budget.left -= int(n_asking[fitting].sum())
    forest.cheapest[unsure[~may_ask[unsure]]] = -1.0
    return asking[may_ask[forest.component[asking]]]


def _doubt(edges: Edges, n_points: int) -> tuple[Edges, Edges]:
    """Part the edges into those that are kept and those that join two groups of points."""
    order = np.argsort(edges.heights, kind="stable")
    joins_groups = np.zeros(len(order), bool)
    _mark_groups(edges.first, edges.second, order, n_points, _LEAST_GROUP, joins_groups)
    kept, doubted = (
        Edges(edges.first[chosen], edges.second[chosen], edges.heights[chosen])
        for chosen in (~joins_groups, joins_groups)
    )
    return kept, doubted


@kernel
def _mark_groups(first, second, order, n_points, least, joins_groups):
    """Whether each edge, taken in this order, joins two components of at least so many points."""
    parent = np.arange(n_points)
    size = np.ones(n_points, np.int64)
    for e in order:
        a = root(parent, first[e])
        b = root(parent, second[e])
        joins_groups[e] = size[a] >= least and size[b] >= least
        parent[max(a, b)] = min(a, b)
        size[min(a, b)] = size[a] + size[b]


@kernel
def _name_components(first, second, component):
    """Name the component of every point that edges join, after its first point."""
    for i in range(component.shape[0]):
        component[i] = i
    for e in range(first.shape[0]):
        a = root(component, first[e])
        b = root(component, second[e])
        component[max(a, b)] = min(a, b)
    for i in range(component.shape[0]):
        component[i] = root(component, i)
