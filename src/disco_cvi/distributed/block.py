"""A block: the points of one region, their k-d tree, and their core distances over all blocks.

**Core distances.** Let k be the distance from a point x to its `min_points`-th nearest point within
its own block, copies counted. A nearer point in another block lies in a box at a distance below k,
so x asks only the blocks that have one. A box that holds `min_points` points bounds the core
distance by its farthest corner, so boxes beyond that corner are not asked either. The
`min_points`-th smallest of all values, own and answered, is the core distance: whoever is not
listed is no nearer than a whole list. A block with fewer points than `min_points` knows nothing at
first (k is infinite) and asks until it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.core_distances import Neighbors, neighbors_by_kd_tree, push
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    build_kd_tree,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi.distributed.boxes import Boxes, bucket_boxes, bucket_nodes, joined
from disco_cvi.distributed.splits import Piece
from disco_cvi.distributed.walk import Search, View, whom_to_ask


class Block(NamedTuple):
    """Points in the order of their k-d tree, whose `rows` are rows of all parts.

    ``own``: core distances and neighbors within the block. ``buckets``: the nodes whose boxes
    others see.
    """

    tree: KDTree
    own: Neighbors
    buckets: NDArray[np.int32]


class CoreQuestions(NamedTuple):
    """Which points ask, where they are, and how near an answer must be to be of use."""

    number: NDArray[np.int32]
    points: FloatArray
    limit: FloatArray


def settle(pieces: Sequence[Piece], min_points: int) -> Block | None:
    """Make a block of its pieces, or None of none."""
    points = np.concatenate([piece.points for piece in pieces])
    if len(points) == 0:
        return None
    tree = build_kd_tree(points)
    rows = np.concatenate([piece.rows for piece in pieces])[tree.rows]
    own = neighbors_by_kd_tree(tree, min_points, 1)
    return Block(tree._replace(rows=rows), own, bucket_nodes(tree))


def outline(block: Block | None) -> Boxes | None:
    """The boxes of a block before core distances over all blocks are known."""
    return None if block is None else bucket_boxes(block.tree, block.buckets, block.own.core)


def ask_core_distances(
    block: Block, near: Sequence[int], boxes: Sequence[Boxes], min_points: int
) -> dict[int, CoreQuestions]:
    """What to ask each of the blocks `near`, whose boxes these are."""
    if not near:
        return {}
    tree, core = block.tree, block.own.core
    seen = joined(boxes)
    view = View(seen, owners(boxes), seen.points >= min_points)
    search = Search(core, np.zeros(len(core)), np.full(len(core), -1, np.int32))
    asked = whom_to_ask(tree, search, np.full(len(tree.start), -1, np.int32), view)
    questions = {}
    for place in np.unique(asked.owner).tolist():
        number = asked.point[asked.owner == place]
        questions[near[place]] = CoreQuestions(number, tree.points[number], core[number])
    return questions


def owners(boxes: Sequence[Boxes]) -> NDArray[np.int32]:
    """For each of the joined boxes, the place of its block in the sequence."""
    sizes = [len(part.group) for part in boxes]
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def asked_blocks(questions: Mapping[int, Any]) -> list[int]:
    """Whom a block asks."""
    return list(questions)


def answer_core_distances(
    block: Block,
    me: int,
    askers: Sequence[int],
    questions: Sequence[Mapping[int, CoreQuestions]],
    min_points: int,
) -> dict[int, FloatArray]:
    """The nearest squared distances below each limit, for each asker."""
    return {
        asker: nearest_squares(block.tree, asked[me].points, asked[me].limit, min_points)
        for asker, asked in zip(askers, questions, strict=True)
    }


def find_core_distances(
    block: Block,
    me: int,
    questions: Mapping[int, CoreQuestions],
    answers: Sequence[Mapping[int, FloatArray]],
    min_points: int,
) -> FloatArray:
    """Core distances over all blocks; the answers come in the order of the questions."""
    core = block.own.core.copy()
    if not questions:
        return core
    points = block.tree.points
    number = np.unique(np.concatenate([asked.number for asked in questions.values()]))
    # Also where fewer points than that are known, as many values are listed.
    squares = nearest_squares(block.tree, points[number], np.full(len(number), np.inf), min_points)
    for asked, answer in zip(questions.values(), answers, strict=True):
        more = np.full(squares.shape, np.inf)
        more[np.searchsorted(number, asked.number)] = answer[me]
        both = np.concatenate([squares, more], axis=1)
        squares = np.partition(both, min_points - 1, axis=1)[:, :min_points]
    core[number] = squares.max(axis=1)
    return core


def nearest_squares(
    tree: KDTree, points: FloatArray, limit: FloatArray, n_nearest: int
) -> FloatArray:
    """Squared distances from other points to the nearest of the tree, below their limits.

    Each counts as often as the point has copies; what is not found is infinite.
    """
    squares = np.empty((len(points), n_nearest))
    _search_nearest(with_points(tree, points), limit, squares)
    return squares


def with_points(tree: KDTree, points: FloatArray) -> KDTree:
    """The tree with further points behind its own, which belong to no leaf."""
    return tree._replace(points=np.concatenate([tree.points, points]))


@kernel
def _search_nearest(tree, limits, squares):
    """From the root of the tree downwards, the nearer child first."""
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    lower, upper = tree.lower, tree.upper
    n_queries, n_nearest = squares.shape
    distances = np.empty(n_nearest)
    nobody = np.empty(n_nearest, np.int32)
    waiting = np.empty(STACK_SIZE, np.int32)
    waiting_distance = np.empty(STACK_SIZE)
    for query in range(n_queries):
        i = points.shape[0] - n_queries + query
        distances[:] = limits[query]
        waiting[0] = 0
        waiting_distance[0] = squared_distance_to_box(points, lower, upper, 0, i)
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            if waiting_distance[n_waiting] >= distances[0]:
                continue
            node = waiting[n_waiting]
            while rights[node] > 0:
                near = node + 1
                far = rights[node]
                to_near = squared_distance_to_box(points, lower, upper, near, i)
                to_far = squared_distance_to_box(points, lower, upper, far, i)
                if to_far < to_near:
                    near, far = far, near
                    to_near, to_far = to_far, to_near
                if to_far < distances[0]:
                    waiting[n_waiting] = far
                    waiting_distance[n_waiting] = to_far
                    n_waiting += 1
                node = near
                if to_near >= distances[0]:
                    break
            if rights[node] > 0:
                continue
            for j in range(starts[node], ends[node]):
                distance = squared_distance(points, i, j)
                copies = min(tree.multiplicity[j], n_nearest)
                while copies > 0 and distance < distances[0]:
                    push(distances, nobody, distance, j)
                    copies -= 1
        for t in range(n_nearest):
            is_found = distances[t] < limits[query]
            squares[query, t] = distances[t] if is_found else np.inf
