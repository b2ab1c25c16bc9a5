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
from disco_cvi._neighbors.core_distances import Neighbors, neighbors_by_pairs, square_pairs
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree


def span_few_points(
    points: FloatArray, min_points: int, n_kept: int | None = None
) -> tuple[SpanningTree, Neighbors]:
    """Span the points; `n_kept` as in `neighbors_by_kd_tree`."""
    n_points = len(points)
    rows, copies = np.arange(n_points, dtype=np.int32), np.ones(n_points, np.int32)
    squares = square_pairs(points)
    neighbors = neighbors_by_pairs(copies, squares, min_points, n_kept)
    others = np.arange(1, n_points, dtype=np.int32)
    edges = Edges(np.zeros_like(others), others, np.full(len(others), np.inf))
    _join_nearest(squares, neighbors.core, *edges)
    return SpanningTree(rows, copies, neighbors.core, edges), neighbors


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
