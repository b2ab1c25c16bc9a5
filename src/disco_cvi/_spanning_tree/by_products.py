"""The minimum spanning tree by matrix products, where a k-d tree would meet every point.

Lists of neighbors answer most points of most rounds. Who must look beyond its list asks the
products with all points: first those of the smallest bounds, who are the likeliest to lower the
limit of their component so far that the others need not ask.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import Progress, progress
from disco_cvi._compute.threads import for_ranges, limit_blas
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.neighbor_lists import lists_by_products
from disco_cvi._neighbors.products import (
    BLOCK_RANGE,
    STRIP,
    Blocks,
    at_least,
    at_most,
    block_size,
    least_difference,
    make_blocks,
    products,
)
from disco_cvi._spanning_tree.boruvka import Edges, Forest
from disco_cvi._spanning_tree.by_lists import grow_by_lists

# So many points ask at first, then twice as many: the first ones lower the limits most, and a
# product of many rows costs less by row.
_FIRST_ASKING = 64

# What is said where products will take many minutes.
_REMEDY = 'DensityTree(X, algorithm="approximate"), or --algorithm approximate, takes less.'


def span_by_products(
    points: FloatArray,
    multiplicity: NDArray[np.int32],
    min_points: int,
    n_jobs: int,
    n_kept: int | None = None,
) -> tuple[Edges, Neighbors]:
    """Boruvka's rounds with lists and products; O(n * n) time."""
    bar_of_all = progress("Spanning tree", 2 * len(points), remedy=_REMEDY)
    with limit_blas(n_jobs), bar_of_all as bar:
        blocks = make_blocks(points, min_points)
        lists, neighbors = lists_by_products(blocks, multiplicity, min_points, n_jobs, bar, n_kept)

        def search_on(forest: Forest, asking: NDArray[np.int32]) -> None:
            ask_products(blocks, forest, asking, n_jobs, bar)

        return grow_by_lists(lists, neighbors, search_on, n_jobs), neighbors


def ask_products(
    blocks: Blocks, forest: Forest, asking: NDArray[np.int32], n_jobs: int, bar: Progress
) -> None:
    """Search the cheapest edges of the points that ask, as `grow_forest` wants it."""
    asking = asking[np.argsort(forest.bound[asking], kind="stable")]
    most = block_size(len(blocks.points))
    bar.n_steps = max(bar.n_steps, bar.done + len(asking))
    size = min(most, _FIRST_ASKING)
    while len(asking):
        chosen, asking = asking[:size], asking[size:]
        size = min(most, 2 * size)
        n_chosen = len(chosen)
        chosen = chosen[forest.bound[chosen] < forest.cheapest[forest.component[chosen]]]
        block = products(blocks, chosen)

        def search(
            start: int,
            stop: int,
            chosen: NDArray[np.int32] = chosen,
            block: NDArray[Any] = block,
        ) -> None:
            _filter_partners(blocks, block, chosen, forest, start, stop)

        for_ranges(search, len(chosen), BLOCK_RANGE, n_jobs)
        bar.step(n_chosen)


@inline_kernel
def _has_partner(strip, half_norms, components, own, least):
    """As `has_near`, among the points of other components."""
    near = False
    for j in range(strip.shape[0]):
        near = near | ((components[j] != own) & (strip[j] - half_norms[j] >= least))
    return near


@kernel
def _filter_partners(blocks, block, chosen, forest, begin, stop):
    """Search the cheapest edge to another component for the points chosen[begin:stop].

    Products tell what the cheapest edge costs at most (`limit`, in their unit); edges that may cost
    no more are noted, and computed by differences in the end.
    """
    core, component, cheapest = forest.core, forest.component, forest.cheapest
    norms, half_norms, unit = blocks.norms, blocks.half_norms, blocks.unit
    n_points = core.shape[0]
    noted = np.empty(n_points, np.int32)
    least = np.empty(1, half_norms.dtype)
    for row in range(begin, stop):
        i = chosen[row]
        own = component[i]
        best = cheapest[own]
        if forest.bound[i] >= best:
            continue
        limit = best * unit * unit
        own_core = core[i] * unit * unit
        n_noted = 0
        least[0] = least_difference(blocks, i, limit)
        for start in range(0, n_points, STRIP):
            end = min(start + STRIP, n_points)
            if not _has_partner(
                block[row, start:end], half_norms[start:end], component[start:end], own, least[0]
            ):
                continue
            for j in range(start, end):
                if component[j] == own:
                    continue
                scale = norms[i] + norms[j]
                other_core = core[j] * unit * unit
                if max(at_least(blocks, scale, block[row, j]), other_core) <= limit:
                    noted[n_noted] = j
                    n_noted += 1
                    height = max(at_most(blocks, scale, block[row, j]), other_core)
                    limit = min(limit, max(height, own_core))
            least[0] = least_difference(blocks, i, limit)
        found = -1
        for t in range(n_noted):
            j = noted[t]
            if at_least(blocks, norms[i] + norms[j], block[row, j]) <= limit and core[j] <= best:
                height = max(max(squared_distance(blocks.points, i, j), core[j]), core[i])
                if height < best:
                    best = height
                    found = j
        forest.bound[i] = best
        forest.partner[i] = found
        if best < cheapest[own]:
            cheapest[own] = best
