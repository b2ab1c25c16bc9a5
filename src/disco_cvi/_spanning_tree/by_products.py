"""The minimum spanning tree by matrix products, where a k-d tree would meet every point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.products import (
    Blocks,
    block_size,
    make_blocks,
    neighbors_by_blocks,
    products,
)
from disco_cvi._spanning_tree.boruvka import Edges, Forest, grow_forest

_BLOCK_RANGE = 64


def span_by_products(
    points: NDArray[np.float64],
    multiplicity: NDArray[np.int32],
    min_points: int,
    n_jobs: int,
    n_kept: int | None = None,
) -> tuple[Edges, Neighbors]:
    """Boruvka's rounds with products; O(n * n) time."""
    blocks = make_blocks(points, multiplicity, min_points)
    neighbors = neighbors_by_blocks(blocks, n_jobs, n_kept)
    edges = grow_forest(neighbors, lambda forest: _search_by_blocks(blocks, forest, n_jobs))
    return edges, neighbors


def _search_by_blocks(blocks: Blocks, forest: Forest, n_jobs: int) -> None:
    """Products only for points that may still know a cheaper edge."""
    searching = np.flatnonzero(forest.bound < forest.cheapest[forest.component]).astype(np.int32)
    size = block_size(len(blocks.points))
    with progress("Spanning tree", len(searching)) as bar:
        for begin in range(0, len(searching), size):
            asked = searching[begin : begin + size]
            chosen = asked[forest.bound[asked] < forest.cheapest[forest.component[asked]]]
            block = products(blocks, chosen)

            def search_range(
                start: int,
                stop: int,
                chosen: NDArray[np.int32] = chosen,
                block: NDArray[np.float64] = block,
            ) -> None:
                _filter_partners(blocks, block, chosen, forest, start, stop)

            for_ranges(search_range, len(chosen), _BLOCK_RANGE, n_jobs)
            bar.step(len(asked))


@kernel
def _filter_partners(blocks, block, chosen, forest, begin, stop):
    """Search the cheapest edge to another component for the points chosen[begin:stop].

    First the products tell what the cheapest edge costs at most, then every edge that may cost no
    more is computed by differences.
    """
    core, component, cheapest = forest.core, forest.component, forest.cheapest
    norms = blocks.squared_norms
    n_points = core.shape[0]
    for row in range(begin, stop):
        i = chosen[row]
        own = component[i]
        limit = cheapest[own]
        if forest.bound[i] >= limit:
            continue
        at_most = limit
        for j in range(n_points):
            if component[j] != own:
                scale = norms[i] + norms[j]
                height = scale - 2.0 * block[row, j] + blocks.slack * scale
                at_most = min(at_most, max(max(height, core[j]), core[i]))
        found = -1
        for j in range(n_points):
            if component[j] != own and core[j] <= at_most:
                scale = norms[i] + norms[j]
                if scale - 2.0 * block[row, j] - blocks.slack * scale <= at_most:
                    height = max(max(squared_distance(blocks.points, i, j), core[j]), core[i])
                    if height < limit:
                        limit = height
                        found = j
        forest.bound[i] = limit
        forest.partner[i] = found
        if limit < cheapest[own]:
            cheapest[own] = limit
