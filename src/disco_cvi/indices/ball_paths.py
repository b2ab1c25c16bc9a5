"""Shortest paths where every point leads to all others in a ball, which may be most of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.ranked_squares import fill_squares, list_improved
from disco_cvi._neighbors.kd_tree import KDTree, squared_distance_to_box
from disco_cvi._neighbors.nearest_points import Copies
from disco_cvi.indices.path_search import (
    Paths,
    begin_at,
    make_search,
    meet,
    rise,
    take_nearest,
)
from disco_cvi.indices.row_balls import (
    Balls,
    by_columns,
    find_ranges,
    make_room,
)

WalkAll = Callable[[Callable[[int, int], None], int], None]

# More than sums of a million steps can err by rounding.
_MORE = 1.0 + 1e-9
# To turn to another goal takes a look at all points that wait.
_MOST_GOALS = 32


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


class Goals(NamedTuple):
    """The chosen points in tree order, and the boxes of some of them beside each other."""

    points: NDArray[np.int32]
    starts: NDArray[np.int64]
    lower: FloatArray
    upper: FloatArray


def paths_by_balls(
    graph: BallGraph, sources: NDArray[np.int32], block: slice, width: int, walk_all: WalkAll
) -> Paths:
    """Find the paths from a block of the sources to all of them.

    `walk_all` calls a function for ranges of so many sources.
    """
    order = np.argsort(sources).astype(np.int32)
    goals = _make_goals(graph.tree, sources[order])
    lengths = np.empty((block.stop - block.start, width))

    def walk(begin: int, stop: int) -> None:
        room = make_room(by_columns(graph.tree))
        _walk_balls(graph, goals, sources[block], (begin, stop), lengths, room)

    walk_all(walk, len(lengths))
    shortest_first = np.argsort(lengths, axis=1)
    lengths = np.take_along_axis(lengths, shortest_first, axis=1)
    is_found = np.isfinite(lengths)
    targets = np.where(is_found, order[shortest_first], np.int32(-1))
    return Paths(targets, np.where(is_found, lengths, 0.0))


def _make_goals(tree: KDTree, places: NDArray[np.int32]) -> Goals:
    """Goals of one point each, or of some beside each other: as many as searches turn to."""
    n_goals = min(len(places), _MOST_GOALS)
    starts = np.arange(n_goals + 1) * len(places) // n_goals
    chosen = tree.points[places]
    lower = np.minimum.reduceat(chosen, starts[:-1])
    return Goals(places, starts, lower, np.maximum.reduceat(chosen, starts[:-1]))


@inline_kernel
def _is_in_ball(graph, p, q, square):
    """Whether point q, at a squared distance, has a row in the ball of point p."""
    listed, balls = graph.listed, graph.balls
    return square < balls.squares[p] or (
        square == balls.squares[p] and listed.rows[listed.starts[q]] <= balls.rows[p]
    )


@kernel
def _walk_balls(graph, goals, sources, which, lengths, room):
    """The same, by steps from a point to all others that have a row in its ball.

    Such steps are long and many, and the chosen points few. So the search heads for them, one goal
    after the other: a point waits by its length and how far the goal is at least. What was found on
    the way to one goal is kept for the next. Rounding may find a shorter path to a point that was
    taken: then it waits again.
    """
    begin, stop = which
    search = make_search(graph.tree.points.shape[0])
    length = search.length
    for c in range(begin, stop):
        size = begin_at(search, sources[c])
        for goal in range(goals.lower.shape[0]):
            _head_for(search, size, graph.tree, goals, goal)
            while size > 0 and search.key[search.heap[0]] <= _farthest(length, goals, goal) * _MORE:
                p = take_nearest(search, size)
                size = _step_from(p, graph, goals, goal, search, size - 1, room)
        length[sources[c]] = np.inf
        for e in range(lengths.shape[1]):
            lengths[c, e] = length[goals.points[e]]


@inline_kernel
def _step_from(p, graph, goals, goal, search, size, room):
    """Take all steps from a point that make a path shorter; return how many points wait."""
    tree, limit, length = graph.tree, graph.balls.squares[p], search.length
    for r in range(find_ranges(tree, p, limit, room)):
        begin, stop = room.begins[r], room.stops[r]
        squares, lengths = room.square[begin:stop], length[begin:stop]
        fill_squares(room.columns, begin, stop, tree.points, p, squares)
        # Most are as near already: that is seen without a root.
        n_found = list_improved(squares, limit, lengths, length[p], room.chosen, room.found)
        for t in range(n_found):
            q = begin + room.found[t]
            square = room.square[q]
            through = length[p] + np.sqrt(square)
            if through < length[q] and _is_in_ball(graph, p, q, square):
                key = through + _ahead(tree, goals, goal, q)
                size = meet(search, q, through, key, size)
    return size


@inline_kernel
def _head_for(search, size, tree, goals, goal):
    """Put those that wait in order of their way to another goal."""
    heap, place = search.heap, search.place
    for t in range(size):
        p = heap[t]
        search.key[p] = search.length[p] + _ahead(tree, goals, goal, p)
        rise(heap, place, search.key, t, p)


@inline_kernel
def _ahead(tree, goals, goal, p):
    """How far a point is from a goal at least."""
    return np.sqrt(squared_distance_to_box(tree.points, goals.lower, goals.upper, goal, p))


@inline_kernel
def _farthest(length, goals, goal):
    """The greatest length to a point of a goal, as far as is known."""
    farthest = 0.0
    for t in range(goals.starts[goal], goals.starts[goal + 1]):
        farthest = max(farthest, length[goals.points[t]])
    return farthest
