"""The minimum spanning tree of all points under mutual reachability.

Points are searched by a k-d tree where that helps and by blocks of matrix products where it does
not, few points by looking at all pairs; any other metric goes row by row. Distances between points
are squared here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.progress import progress
from disco_cvi._input.metric import Metric
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import Neighbors, neighbors_by_kd_tree
from disco_cvi._neighbors.distances import (
    DistanceRows,
    distance_rows,
    euclidean_points,
    from_squares,
)
from disco_cvi._neighbors.kd_tree import (
    KDTree,
    build_kd_tree,
    build_scaled_tree,
    kd_tree_of,
)
from disco_cvi._neighbors.neighborhoods import Neighborhoods, nearest_rows, neighborhoods_of_rows
from disco_cvi._neighbors.search_choice import are_few, is_hard_to_search, is_worth_a_tree
from disco_cvi._spanning_tree.boruvka import Edges, Forest, SpanningTree, grow_forest
from disco_cvi._spanning_tree.by_products import span_by_products
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.leaving_edges import LeavingEdges
from disco_cvi._spanning_tree.round_choice import RoundChoice

# So many neighbors by row are kept for whom the points are not: theirs cannot be searched later.
_ROWS_KEPT = 256


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
    edges = LeavingEdges(tree, n_jobs)
    choice = RoundChoice(tree, edges.nodes, n_jobs)

    def search_round(forest: Forest) -> None:
        edges.renew(forest)
        if search is not None or not choice.takes_over(forest, bar):
            edges.search(forest, bar)

    with progress("Spanning tree", 2 * len(tree.points)) as bar:
        return grow_forest(neighbors, search_round, n_jobs)


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
