"""Shortest paths between some of the points, along steps from each point to its nearest others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import row_blocks
from disco_cvi._neighbors.kd_tree import KDTree, kd_tree_of
from disco_cvi._neighbors.nearest_points import Copies, nearest_points
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    Balls,
    by_columns,
    gather,
    make_room,
)

# Paths between all pairs make one block up to so many pairs per point.
_PAIRS_PER_POINT = 256
_SEARCHES_PER_CALL = 8
# 48 MB.
_STEPS_IN_ALL = 4_000_000
# More than a product can err by rounding.
_MORE = 1.0 + 1e-12


class Graph(NamedTuple):
    """Steps from each point to its nearest others: which these are, nearest first, and how far.

    Points near each other stand near each other here: searches take less than half the time.
    `places` are their places by row.
    """

    neighbors: NDArray[np.int32]
    lengths: FloatArray
    places: NDArray[np.int32]


class BallGraph(NamedTuple):
    """Steps from each point to all others in its ball: they are looked for when they are taken.

    Copies are one point, for steps between them have no length. `places` are the points by row,
    `n_rows` is how many rows a ball holds.
    """

    tree: KDTree
    listed: Copies
    balls: Balls
    places: NDArray[np.int32]
    n_rows: int


class Paths(NamedTuple):
    """Shortest paths from some of the chosen points to all of them, one row each, shortest first.

    `targets` are numbers of chosen points, then -1 where fewer can be reached than there is room
    for: one column for each point that may be reached from any of them, and one more.
    """

    targets: NDArray[np.int32]
    lengths: FloatArray


class Search(NamedTuple):
    """How far points are, as far as is known, and those that wait: a heap, four below each.

    `place` is where a point stands in it, -1 before it is met.
    """

    length: FloatArray
    place: NDArray[np.int32]
    heap: NDArray[np.int32]


def make_graph(points: Points, reach: int) -> Graph:
    """Lead from every point to its `reach` nearest others, in the units of the search."""
    nearest = nearest_points(points, reach)
    order = kd_tree_of(points).tree.rows
    places = np.empty(points.n_points, np.int32)
    places[order] = np.arange(points.n_points, dtype=np.int32)
    return Graph(places[nearest.rows[order]], nearest.distances[order], places)


def list_steps(graph: BallGraph, n_jobs: int) -> Graph | BallGraph:
    """Look for the steps once for all searches, if that takes no more memory than their paths.

    Who has fewer steps than others stays where it is, for ever.
    """
    n_points = len(graph.balls.squares)
    if graph.n_rows > max(_PAIRS_PER_POINT, _STEPS_IN_ALL // n_points):
        return graph
    # A row itself is in its ball.
    shape = n_points, graph.n_rows - 1
    neighbors, lengths = np.empty(shape, np.int32), np.empty(shape)
    columns = by_columns(graph.tree)

    def fill(begin: int, stop: int) -> int:
        room = make_room(columns)
        return int(_fill_steps(graph, (begin, stop), neighbors, lengths, room))

    width = max(for_ranges(fill, n_points, POINTS_PER_CALL, n_jobs))
    return Graph(
        np.ascontiguousarray(neighbors[:, :width]),
        np.ascontiguousarray(lengths[:, :width]),
        graph.places,
    )


def shortest_paths(
    graph: Graph | BallGraph, chosen: NDArray[np.intp], n_jobs: int
) -> Iterator[tuple[slice, Paths]]:
    """Find the shortest paths between chosen rows, a block of sources at a time.

    Time O(n (steps + log n)) for each of them. A block takes memory linear in n, or 48 MB.
    """
    n_points, n_chosen = len(graph.places), len(chosen)
    sources = graph.places[chosen]
    numbers = np.full(n_points, -1, np.int32)
    numbers[sources] = np.arange(n_chosen, dtype=np.int32)
    width = n_chosen
    if isinstance(graph, Graph) and n_chosen * n_chosen > _PAIRS_PER_POINT * n_points:
        width = _most_together(graph, sources)
    fits = n_chosen * width <= _PAIRS_PER_POINT * n_points
    blocks = [slice(0, n_chosen)] if fits else row_blocks(n_chosen, width)
    with progress("Paths between points", -(-n_chosen // _SEARCHES_PER_CALL)) as bar:
        for block in blocks:
            shape = (block.stop - block.start, width)
            paths = Paths(np.full(shape, -1, np.int32), np.zeros(shape))

            def walk(begin: int, stop: int, block: slice = block, paths: Paths = paths) -> None:
                if isinstance(graph, Graph):
                    _walk(graph, numbers, sources[block], begin, stop, paths)
                else:
                    room = make_room(by_columns(graph.tree))
                    _walk_balls(graph, numbers, sources[block], (begin, stop), paths, room)
                bar.step()

            for_ranges(walk, shape[0], _SEARCHES_PER_CALL, n_jobs)
            yield block, paths


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
def _fill_steps(graph, which, neighbors, lengths, room):
    """Write the steps from some points; return the largest number of them."""
    tree, balls = graph.tree, graph.balls
    begin, stop = which
    most = 0
    for p in range(begin, stop):
        size = 0
        for t in range(gather(tree, p, balls.squares[p], room)):
            if room.found[t] != p and _is_in_ball(graph, p, room.found[t], room.square[t]):
                neighbors[p, size] = room.found[t]
                lengths[p, size] = np.sqrt(room.square[t])
                size += 1
        most = max(most, size)
        for t in range(size, neighbors.shape[1]):
            neighbors[p, t] = p
            lengths[p, t] = np.inf
    return most


@inline_kernel
def _is_in_ball(graph, p, q, square):
    """Whether a point that is near enough has a row in the ball of point p."""
    listed, balls = graph.listed, graph.balls
    return square < balls.squares[p] or listed.rows[listed.starts[q]] <= balls.rows[p]


@kernel
def _walk(graph, numbers, sources, begin, stop, paths):
    """Dijkstra's search from some of the sources.

    Rounding is monotone, so each length is the least over all paths of the sum of their steps from
    the first to the last: the order of the rows has no influence.
    """
    n_points, degree = graph.neighbors.shape
    search = _make_search(n_points)
    length = search.length
    for c in range(begin, stop):
        size = _begin(search, sources[c])
        found = 0
        while size > 0 and found < paths.targets.shape[1] - 1:
            p = _take_nearest(search, size)
            size -= 1
            found = _note(paths, c, found, numbers[p] if p != sources[c] else -1, length[p])
            for j in range(degree):
                q = graph.neighbors[p, j]
                through = length[p] + graph.lengths[p, j]
                if through < length[q]:
                    size = _meet(search, q, through, size)


@kernel
def _walk_balls(graph, numbers, sources, which, paths, room):
    """The same, by steps from a point to all others that have a row in its ball."""
    tree, balls = graph.tree, graph.balls
    begin, stop = which
    search = _make_search(tree.points.shape[0])
    length, place = search.length, search.place
    for c in range(begin, stop):
        size = _begin(search, sources[c])
        found = 0
        while size > 0 and found < paths.targets.shape[1] - 1:
            p = _take_nearest(search, size)
            size -= 1
            found = _note(paths, c, found, numbers[p] if p != sources[c] else -1, length[p])
            for t in range(gather(tree, p, balls.squares[p], room)):
                q = room.found[t]
                square = room.square[t]
                # Most are as near already: that is seen without a root.
                nearer = length[q] - length[p]
                if place[q] >= 0 and (nearer <= 0.0 or square > nearer * nearer * _MORE):
                    continue
                through = length[p] + np.sqrt(square)
                if (place[q] < 0 or through < length[q]) and _is_in_ball(graph, p, q, square):
                    size = _meet(search, q, through, size)


@kernel
def _make_search(n_points):
    numbers = np.empty((2, n_points), np.int32)
    return Search(np.empty(n_points), numbers[0], numbers[1])


@inline_kernel
def _begin(search, source):
    """Forget what was met but for the source; return how many points wait."""
    for p in range(search.place.shape[0]):
        search.place[p] = -1
        search.length[p] = np.inf
    search.heap[0] = source
    search.place[source] = 0
    search.length[source] = 0.0
    return 1


@inline_kernel
def _take_nearest(search, size):
    """Take the nearest of those that wait out of the heap."""
    p = search.heap[0]
    if size > 1:
        _sink(search.heap, search.place, search.length, size - 1)
    return p


@inline_kernel
def _note(paths, c, found, number, length):
    """Write down the length of the path to a chosen point; return how many there are then."""
    if number < 0:
        return found
    paths.targets[c, found] = number
    paths.lengths[c, found] = length
    return found + 1


@inline_kernel
def _meet(search, q, through, size):
    """Let a point wait, or rise to where a shorter path takes it; return how many wait."""
    hole = search.place[q]
    if hole < 0:
        hole = size
        size += 1
    search.length[q] = through
    _rise(search.heap, search.place, search.length, hole, q)
    return size


@inline_kernel
def _rise(heap, place, length, hole, p):
    """Put a point into a hole of the heap, or above it."""
    while hole > 0 and length[p] < length[heap[(hole - 1) >> 2]]:
        heap[hole] = heap[(hole - 1) >> 2]
        place[heap[hole]] = hole
        hole = (hole - 1) >> 2
    heap[hole] = p
    place[p] = hole


@inline_kernel
def _sink(heap, place, length, size):
    """Fill the hole at the top of the heap with its last point, or what is smaller."""
    p = heap[size]
    hole = 0
    while 4 * hole + 1 < size:
        child = 4 * hole + 1
        for other in range(child + 1, min(child + 4, size)):
            if length[heap[other]] < length[heap[child]]:
                child = other
        if length[heap[child]] >= length[p]:
            break
        heap[hole] = heap[child]
        place[heap[hole]] = hole
        hole = child
    heap[hole] = p
    place[p] = hole
