"""The minimum spanning tree of all points under mutual reachability.

Points are searched by a k-d tree where that helps and by blocks of matrix products where it does
not, few points by looking at all pairs; any other metric goes row by row. Distances between points
are squared here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.metric import Metric
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import Neighbors, neighbors_by_kd_tree, range_size
from disco_cvi._neighbors.distances import (
    DistanceRows,
    distance_rows,
    euclidean_points,
    from_squares,
)
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    build_kd_tree,
    build_scaled_tree,
    is_box_inside,
    is_inside,
    kd_tree_of,
    squared_distance,
    squared_distance_of_boxes,
    squared_distance_to_box,
)
from disco_cvi._neighbors.neighborhoods import Neighborhoods, nearest_rows, neighborhoods_of_rows
from disco_cvi._neighbors.search_choice import are_few, is_hard_to_search, is_worth_a_tree
from disco_cvi._spanning_tree.boruvka import Edges, Forest, SpanningTree, grow_forest
from disco_cvi._spanning_tree.by_products import span_by_products
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.node_cores import core_outside, find_node_cores, no_node_cores
from disco_cvi._spanning_tree.round_choice import RoundChoice

# So many neighbors by row are kept for whom the points are not: theirs cannot be searched later.
_ROWS_KEPT = 256
# Nodes of at most so many points are asked whether a cheap edge may leave any of them.
_POINTS_TOGETHER = 512
# The points of a leaf share a list of the leaves that edges may lead to, if it is no longer.
_LEAVES_TOGETHER = 256


def minimum_spanning_tree(
    points: NDArray[np.float64], min_points: int, n_jobs: int, search: str | None = None
) -> SpanningTree:
    """Span the points, which are moved in place.

    `search`: "kd", "blocks", or None to choose by how many points a search in the k-d tree meets,
    for neighbors and then in every round.
    Either way the heights and core distances are the same bits.
    """
    if search is None and not is_worth_a_tree(*points.shape):
        return _span_without_tree(points, min_points, n_jobs)[0]
    return _span_tree(build_kd_tree(points, n_jobs), min_points, n_jobs, search)[0]


class Spanned(NamedTuple):
    """A spanning tree, to be multiplied by ``2**exponent``, and the neighbors found on the way."""

    spanning: SpanningTree
    exponent: int
    neighborhoods: Neighborhoods


def spanning_tree_of(points: Points, min_points: int, n_kept: int | None = None) -> Spanned:
    """Span points under their metric; `n_kept` as in `neighbors_by_kd_tree`."""
    if not points.metric.is_euclidean:
        source = distance_rows(points.array, points.metric, points.caller)
        if n_kept is None:
            n_kept = min_points if min_points <= _ROWS_KEPT else 0
        near = nearest_rows(source, min_points, n_kept=n_kept)
        found = neighborhoods_of_rows(points, near, source.exponent)
        return Spanned(_span_rows(source, near.core), source.exponent, found)
    if is_worth_a_tree(*points.raw_array.shape):
        # For a density tree alone, the k-d tree need not outlive the search.
        tree, exponent = kd_tree_of(points) if points.is_shared else build_scaled_tree(points)
        spanning, neighbors = _span_tree(tree, min_points, points.n_jobs, n_kept=n_kept)
        coordinates = tree.points
    else:
        coordinates, exponent = euclidean_points(points.raw_array, points.metric, points.caller)
        spanning, neighbors = _span_without_tree(coordinates, min_points, points.n_jobs, n_kept)
    kept = (coordinates, neighbors.nearest, None, exponent)
    found = Neighborhoods(spanning.rows, spanning.multiplicity, *kept)
    return measure_squares(spanning, found, points.metric)


def measure_squares(spanning: SpanningTree, found: Neighborhoods, metric: Metric) -> Spanned:
    """Return a spanning tree whose heights are squared in the units of the metric."""
    heights, unit = from_squares(spanning.edges.heights, found.exponent, metric)
    core, _ = from_squares(spanning.core, found.exponent, metric)
    measured = spanning._replace(core=core, edges=spanning.edges._replace(heights=heights))
    return Spanned(measured, unit, found)


def _span_tree(
    tree: KDTree,
    min_points: int,
    n_jobs: int,
    search: str | None = None,
    n_kept: int | None = None,
) -> tuple[SpanningTree, Neighbors]:
    if search == "blocks" or (search is None and is_hard_to_search(tree, min_points)):
        return _span_blocks(tree.points, tree.rows, tree.multiplicity, min_points, n_jobs, n_kept)
    neighbors = neighbors_by_kd_tree(tree, min_points, n_jobs, n_kept)
    edges = span_kd_tree(tree, neighbors, n_jobs, search)
    return SpanningTree(tree.rows, tree.multiplicity, neighbors.core, edges), neighbors


def _span_without_tree(
    points: NDArray[np.float64], min_points: int, n_jobs: int, n_kept: int | None = None
) -> tuple[SpanningTree, Neighbors]:
    if are_few(*points.shape):
        return span_few_points(points, min_points, n_kept)
    rows = np.arange(len(points), dtype=np.int32)
    return _span_blocks(points, rows, np.ones(len(points), np.int32), min_points, n_jobs, n_kept)


def _span_blocks(
    points: NDArray[np.float64],
    rows: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    min_points: int,
    n_jobs: int,
    n_kept: int | None = None,
) -> tuple[SpanningTree, Neighbors]:
    edges, neighbors = span_by_products(points, multiplicity, min_points, n_jobs, n_kept)
    return SpanningTree(rows, multiplicity, neighbors.core, edges), neighbors


def span_kd_tree(
    tree: KDTree, neighbors: Neighbors, n_jobs: int, search: str | None = None
) -> Edges:
    """Boruvka's rounds with searches in the k-d tree; O(n log n) in low dimension."""
    n_points, size = len(tree.points), range_size(tree, 1)
    nodes = no_node_cores(len(tree.start))
    choice = RoundChoice(tree, nodes, n_jobs)

    def search_round(forest: Forest) -> None:
        find_node_cores(tree, forest.core, forest.component, nodes)

        def search_range(begin: int, stop: int) -> None:
            search_partners(tree, nodes, forest, begin, stop)

        if search is None and choice.takes_over(forest, search_range, bar):
            return
        # Nobody knows how many rounds there will be; each takes about half as long as the last.
        step = (bar.n_steps - bar.done) / 2 * size / n_points
        for_ranges(search_range, n_points, size, n_jobs, bar=bar, step=step)

    with progress("Spanning tree", 2 * n_points) as bar:
        return grow_forest(neighbors, search_round, n_jobs)


@kernel
def search_partners(tree, nodes, forest, begin, stop):
    """Search the cheapest edge to another component for points begin to stop - 1.

    From the root down to the leaves of these points. A node within one component is left out as a
    whole where nothing cheap can leave it: in late rounds that is nearly every point. Threads share
    `cheapest`: whatever is written there is the cost of a real edge of that component, so a stale
    value prunes less but never too much.
    """
    bound, partner, cheapest = forest.bound, forest.partner, forest.cheapest
    below = np.zeros(STACK_SIZE, np.int32)
    waiting = np.empty(STACK_SIZE, np.int32)
    waiting_bound = np.empty(STACK_SIZE)
    one = np.empty(1, np.int32)
    many = np.empty(_LEAVES_TOGETHER, np.int32)
    n_below = 1
    while n_below > 0:
        n_below -= 1
        node = below[n_below]
        first = max(tree.start[node], begin)
        last = min(tree.end[node], stop)
        if first >= last:
            continue
        own = nodes.component[node]
        n_near = _LEAVES_TOGETHER
        if nodes.elsewhere[node] == np.inf:
            limit = cheapest[own]
            if nodes.smallest[node] >= limit:
                continue
            if tree.end[node] - tree.start[node] <= _POINTS_TOGETHER and limit < np.inf:
                near = one if tree.right[node] > 0 else many
                n_near = _near(tree, nodes, waiting, node, limit, near)
            if n_near == 0:
                for i in range(first, last):
                    if bound[i] < limit:
                        bound[i] = limit
                        partner[i] = -1
                continue
        if tree.right[node] > 0:
            below[n_below] = tree.right[node]
            below[n_below + 1] = node + 1
            n_below += 2
            continue
        for i in range(first, last):
            own = forest.component[i]
            limit = cheapest[own]
            if bound[i] >= limit:
                continue
            found = -1
            if n_near < _LEAVES_TOGETHER:
                for t in range(n_near):
                    limit, found = _scan(tree, nodes, forest, many[t], i, limit, found)
            else:
                limit, found = _search_partner(tree, nodes, forest, waiting, waiting_bound, i)
            bound[i] = limit
            partner[i] = found
            if limit < cheapest[own]:
                cheapest[own] = limit


@inline_kernel
def _near(tree, nodes, waiting, node, limit, near):
    """Find the leaves to which edges below the limit may lead from a node within one component.

    As for a point, but with distances between boxes. Returns how many, at most the room of `near`.
    """
    rights, lower, upper = tree.right, tree.lower, tree.upper
    own = nodes.component[node]
    n_near = 0
    above = node
    while above > 0 and not is_box_inside(lower, upper, above, node, limit):
        below = above
        above = tree.parent[below]
        waiting[0] = above + 1 if below != above + 1 else rights[above]
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            other = waiting[n_waiting]
            is_left_out = core_outside(nodes, other, own) >= limit
            if is_left_out or squared_distance_of_boxes(lower, upper, node, other) >= limit:
                continue
            if rights[other] > 0:
                waiting[n_waiting] = rights[other]
                waiting[n_waiting + 1] = other + 1
                n_waiting += 2
                continue
            near[n_near] = other
            n_near += 1
            if n_near == near.shape[0]:
                return n_near
    return n_near


@inline_kernel
def _scan(tree, nodes, forest, leaf, i, limit, found):
    """Look for a cheaper edge from point i to a leaf of other components: cost, other end."""
    points, core = tree.points, forest.core
    is_beyond = core[i] >= limit or core_outside(nodes, leaf, forest.component[i]) >= limit
    if is_beyond or squared_distance_to_box(points, tree.lower, tree.upper, leaf, i) >= limit:
        return limit, found
    for j in range(tree.start[leaf], tree.end[leaf]):
        if core[j] < limit and forest.component[j] != forest.component[i]:
            height = max(max(squared_distance(points, i, j), core[j]), core[i])
            if height < limit:
                limit = height
                found = j
    return limit, found


@inline_kernel
def _search_partner(tree, nodes, forest, waiting, waiting_bound, i):
    """The cheapest edge from point i to another component below what is known: cost, other end.

    As neighbors are searched, but nodes within the point's own component are left out.
    """
    points, rights, parents = tree.points, tree.right, tree.parent
    lower, upper, core, component = tree.lower, tree.upper, forest.core, forest.component
    own = component[i]
    limit = forest.cheapest[own]
    found = -1
    above = tree.leaf[i]
    waiting[0] = above
    waiting_bound[0] = core_outside(nodes, above, own)
    n_waiting = 1
    while True:
        while n_waiting > 0:
            n_waiting -= 1
            node = waiting[n_waiting]
            if waiting_bound[n_waiting] >= limit:
                continue
            while rights[node] > 0:
                near = node + 1
                far = rights[node]
                to_near = core_outside(nodes, near, own)
                if to_near < limit:
                    to_box = squared_distance_to_box(points, lower, upper, near, i)
                    to_near = max(to_near, to_box)
                to_far = core_outside(nodes, far, own)
                if to_far < limit:
                    to_box = squared_distance_to_box(points, lower, upper, far, i)
                    to_far = max(to_far, to_box)
                if to_far < to_near:
                    near, far = far, near
                    to_near, to_far = to_far, to_near
                if to_far < limit:
                    waiting[n_waiting] = far
                    waiting_bound[n_waiting] = to_far
                    n_waiting += 1
                node = near
                if to_near >= limit:
                    break
            if rights[node] > 0:
                continue
            for j in range(tree.start[node], tree.end[node]):
                if component[j] != own and core[j] < limit:
                    height = max(max(squared_distance(points, i, j), core[j]), core[i])
                    if height < limit:
                        limit = height
                        found = j
        if above == 0 or limit <= core[i] or is_inside(points, lower, upper, above, i, limit):
            break
        below = above
        above = parents[below]
        other = above + 1 if below != above + 1 else rights[above]
        least = core_outside(nodes, other, own)
        if least < limit:
            waiting[0] = other
            to_box = squared_distance_to_box(points, lower, upper, other, i)
            waiting_bound[0] = max(least, to_box)
            n_waiting = 1
    return limit, found


def spanning_tree_by_rows(distances: DistanceRows, min_points: int) -> SpanningTree:
    """Prim's algorithm on distances that come row by row (not squared); O(n * n) time, O(n) memory.

    Each row is asked for twice: once for the core distance, once when its point joins the tree.
    """
    return _span_rows(distances, nearest_rows(distances, min_points).core)


def _span_rows(distances: DistanceRows, core: NDArray[np.float64]) -> SpanningTree:
    n_points = len(core)
    first = np.empty(max(n_points - 1, 0), np.int32)
    second = np.empty_like(first)
    heights = np.empty(len(first))
    cheapest = np.full(n_points, np.inf)
    partner = np.zeros(n_points, np.int32)
    outside = np.ones(n_points, bool)
    newest = 0
    with progress("Spanning tree", n_points) as bar:
        for e in range(n_points - 1):
            outside[newest] = False
            cheapest[newest] = np.inf
            reach = np.maximum(distances.rows(newest, newest + 1)[0], core)
            np.maximum(reach, core[newest], out=reach)
            cheaper = (reach < cheapest) & outside
            cheapest[cheaper] = reach[cheaper]
            partner[cheaper] = newest
            newest = int(cheapest.argmin())
            first[e], second[e], heights[e] = partner[newest], newest, cheapest[newest]
            bar.step()
    rows = np.arange(n_points, dtype=np.int32)
    return SpanningTree(rows, np.ones(n_points, np.int32), core, Edges(first, second, heights))
