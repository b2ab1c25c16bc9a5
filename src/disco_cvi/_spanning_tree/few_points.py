"""The minimum spanning tree of few points: every pair is looked at, and nothing is built.

Neighbors by looking at all points for each, edges by Prim's algorithm: O(n * n). For few
points that is less than a k-d tree costs, and there is little to compile. Squared distances are
computed as the searches compute them, so core distances and heights are the same bits. Copies of a
point stay points of their own, which meet at its core distance.
"""

from __future__ import annotations

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.core_distances import Neighbors, no_neighbors, push
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree


def span_few_points(
    points: FloatArray, min_points: int, n_kept: int | None = None
) -> tuple[SpanningTree, Neighbors]:
    """Span the points; `n_kept` as in `neighbors_by_kd_tree`."""
    n_points = len(points)
    squares = np.empty((n_points, n_points))
    neighbors = no_neighbors(n_points, min_points, n_kept)
    _search_all(points, squares, np.empty(min_points), np.empty(min_points, np.int32), *neighbors)
    others = np.arange(1, n_points, dtype=np.int32)
    edges = Edges(np.zeros_like(others), others, np.full(len(others), np.inf))
    _join_nearest(squares, neighbors.core, *edges)
    rows, copies = np.arange(n_points, dtype=np.int32), np.ones(n_points, np.int32)
    return SpanningTree(rows, copies, neighbors.core, edges), neighbors


@kernel
def _search_all(points, squares, distances, neighbors, core, nearest):
    """Fill `squares`, `core` and `nearest`; the nearest points so far are kept in a heap."""
    n_points, min_points = core.shape[0], distances.shape[0]
    for i in range(n_points):
        squares[i, i] = 0.0
        for j in range(i):
            square = squared_distance(points, i, j)
            squares[i, j] = square
            squares[j, i] = square
    for i in range(n_points):
        for t in range(min_points):
            distances[t] = np.inf
            neighbors[t] = -1
        for j in range(n_points):
            if squares[i, j] < distances[0]:
                push(distances, neighbors, squares[i, j], j)
        core[i] = distances[0]
        for t in range(nearest.shape[1]):
            nearest[i, t] = neighbors[t]


@kernel
def _join_nearest(squares, core, first, second, heights):
    """Prim's algorithm, from point 0 on.

    The first edges are those of the tree. Each edge after them is the cheapest known that leads
    from the tree to one of the points outside it; the cheapest of all goes to the front.
    """
    newest = 0
    for n_edges in range(heights.shape[0]):
        lowest = n_edges
        for e in range(n_edges, heights.shape[0]):
            j = second[e]
            height = max(max(squares[newest, j], core[j]), core[newest])
            if height < heights[e]:
                heights[e] = height
                first[e] = newest
            if heights[e] < heights[lowest]:
                lowest = e
        height = heights[lowest]
        inside = first[lowest]
        newest = second[lowest]
        heights[lowest] = heights[n_edges]
        first[lowest] = first[n_edges]
        second[lowest] = second[n_edges]
        heights[n_edges] = height
        first[n_edges] = inside
        second[n_edges] = newest
