"""The plain plan for an approximate tree, to be measured beside ours; no option of the library.

A graph of near neighbors, the cheapest forest of its edges, and the trees of the forest joined
exactly. Wherever an edge of the graph joins two dense groups, nobody looks for a cheaper one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist

from disco_cvi import DensityTree
from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._neighbors.products import make_blocks

_ROWS_AT_ONCE = 500


def plain_tree(
    points: NDArray[np.float64], n_neighbors: int, min_points: int, seed: int
) -> DensityTree:
    """Span distinct points by the plain plan, from the graph of neighbors that ours begins with."""
    lists = neighbor_graph(make_blocks(points, n_neighbors), n_neighbors, seed, 1)
    distances = np.sqrt(lists.squares)
    core = distances[:, min_points - 1]
    first = np.repeat(np.arange(len(points)), n_neighbors - 1)
    second = lists.numbers[:, 1:].ravel()
    heights = np.maximum(distances[:, 1:].ravel(), np.maximum(core[first], core[second]))
    joined = np.stack([first, second]), heights
    while True:
        ends, costs = _forest(*joined, len(points))
        n_parts, parts = connected_components(coo_array((costs, ends), (len(points),) * 2))
        if n_parts == 1:
            first, second = ends
            return DensityTree.from_spanning_tree(first, second, costs, core, min_points=min_points)
        found, prices = _leaving(points, core, parts)
        joined = np.concatenate([ends, found], axis=1), np.concatenate([costs, prices])


def _forest(
    ends: NDArray[np.intp], costs: NDArray[np.float64], n_points: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The cheapest edges that join what all edges join."""
    order = np.lexsort((costs, ends.max(axis=0), ends.min(axis=0)))
    low, high = ends.min(axis=0)[order], ends.max(axis=0)[order]
    is_first = np.append(True, (np.diff(low) != 0) | (np.diff(high) != 0))
    graph = coo_array(
        (costs[order][is_first], (low[is_first], high[is_first])), (n_points, n_points)
    )
    forest = coo_array(minimum_spanning_tree(graph.tocsr()))
    return np.stack(forest.coords).astype(np.intp), forest.data


def _leaving(
    points: NDArray[np.float64], core: NDArray[np.float64], parts: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The cheapest edge from each part but the largest to any other, by looking at all pairs."""
    edges, prices = [], []
    largest = np.bincount(parts).argmax()
    for part in np.setdiff1d(np.unique(parts), [largest]):
        inside, outside = np.flatnonzero(parts == part), np.flatnonzero(parts != part)
        best: tuple[float, Any, Any] = (np.inf, 0, 0)
        for begin in range(0, len(inside), _ROWS_AT_ONCE):
            rows = inside[begin : begin + _ROWS_AT_ONCE]
            far = np.maximum(core[rows, None], core[outside])
            costs = np.maximum(cdist(points[rows], points[outside]), far)
            place = np.unravel_index(costs.argmin(), costs.shape)
            best = min(best, (costs[place], rows[place[0]], outside[place[1]]))
        edges.append(best[1:])
        prices.append(best[0])
    return np.array(edges, np.intp).T, np.array(prices)
