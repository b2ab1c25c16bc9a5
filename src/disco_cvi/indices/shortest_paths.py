"""Shortest paths between some of the points, along steps from each point to its nearest others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import row_blocks
from disco_cvi._neighbors.kd_tree import kd_tree_of
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.indices.ball_paths import BallGraph, WalkAll, paths_by_balls
from disco_cvi.indices.path_search import (
    Graph,
    Paths,
    begin_at,
    make_search,
    meet,
    take_nearest,
)

# Paths between all pairs make one block up to so many pairs per point.
_PAIRS_PER_POINT = 256
# Searches that are made at once, so that Ctrl-C is answered: those by balls take longer.
_BY_LISTS, _BY_BALLS = 8, 1


def make_graph(points: Points, reach: int) -> Graph:
    """Lead from every point to its `reach` nearest others, in the units of the search."""
    nearest = nearest_points(points, reach)
    order = kd_tree_of(points).tree.rows
    places = np.empty(points.n_points, np.int32)
    places[order] = np.arange(points.n_points, dtype=np.int32)
    return Graph(places[nearest.rows[order]], nearest.distances[order], places)


def shortest_paths(
    graph: Graph | BallGraph, chosen: NDArray[np.intp], n_jobs: int
) -> Iterator[tuple[slice, Paths]]:
    """Find the shortest paths between chosen rows, a block of sources at a time.

    Time O(n (steps + log n)) for each of them. A block takes memory linear in n, or 48 MB.
    """
    n_points, n_chosen = len(graph.places), len(chosen)
    sources = graph.places[chosen]
    width = n_chosen
    if isinstance(graph, Graph) and n_chosen * n_chosen > _PAIRS_PER_POINT * n_points:
        width = _most_together(graph, sources)
    fits = n_chosen * width <= _PAIRS_PER_POINT * n_points
    blocks = [slice(0, n_chosen)] if fits else row_blocks(n_chosen, width)
    size = _BY_LISTS if isinstance(graph, Graph) else _BY_BALLS
    with progress("Paths between points", -(-n_chosen // size)) as bar:

        def walk_all(walk: Callable[[int, int], None], n_sources: int) -> None:
            for_ranges(walk, n_sources, size, n_jobs, bar=bar)

        for block in blocks:
            if isinstance(graph, Graph):
                yield block, _paths_by_lists(graph, sources, block, width, walk_all)
            else:
                yield block, paths_by_balls(graph, sources, block, width, walk_all)


def _paths_by_lists(
    graph: Graph, sources: NDArray[np.int32], block: slice, width: int, walk_all: WalkAll
) -> Paths:
    numbers = np.full(len(graph.places), -1, np.int32)
    numbers[sources] = np.arange(len(sources), dtype=np.int32)
    shape = (block.stop - block.start, width)
    paths = Paths(np.full(shape, -1, np.int32), np.zeros(shape))

    def walk(begin: int, stop: int) -> None:
        _walk(graph, numbers, sources[block], begin, stop, paths)

    walk_all(walk, shape[0])
    return paths


def _most_together(graph: Graph, sources: NDArray[np.int32]) -> int:
    """How many of the sources are joined by steps at most, whatever their direction.

    Among copies of many points these are few, and more cannot be reached.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n_points, degree = graph.neighbors.shape
    starts = np.arange(0, n_points * degree + 1, degree)
    is_step = np.ones(n_points * degree, np.int8)
    steps = csr_array((is_step, graph.neighbors.ravel(), starts), shape=(n_points, n_points))
    _, names = connected_components(steps, directed=False)
    return int(np.bincount(names[sources]).max())


@kernel
def _walk(graph, numbers, sources, begin, stop, paths):
    """Dijkstra's search from some of the sources.

    Rounding is monotone, so each length is the least over all paths of the sum of their steps from
    the first to the last: the order of the rows has no influence.
    """
    n_points, degree = graph.neighbors.shape
    search = make_search(n_points)
    length = search.length
    for c in range(begin, stop):
        size = begin_at(search, sources[c])
        found = 0
        while size > 0 and found < paths.targets.shape[1] - 1:
            p = take_nearest(search, size)
            size -= 1
            found = _note(paths, c, found, numbers[p] if p != sources[c] else -1, length[p])
            for j in range(degree):
                q = graph.neighbors[p, j]
                through = length[p] + graph.lengths[p, j]
                if through < length[q]:
                    size = meet(search, q, through, through, size)


@inline_kernel
def _note(paths, c, found, number, length):
    """Write down the length of the path to a chosen point; return how many there are then."""
    if number < 0:
        return found
    paths.targets[c, found] = number
    paths.lengths[c, found] = length
    return found + 1
