"""The density tree as a line of leaves.

Single linkage is laid out so that every subtree is a run of neighboring leaves, the larger part of
each merge first. Then one number between two neighboring leaves is enough, the height at which
they meet: the height at which any two leaves meet is the largest number between them. Leaf p
begins the part that ``joins[p]`` adds to the leaves before it, and that part ends before
``ends[p]``. So the leaves after p, up to ``ends[p]``, fall into parts that join p one after the
other, at rising heights::

    for the path that begins at p:  q = p + 1
        part q .. ends[q] joins at joins[q],  q = ends[q],  until q = ends[p]

Parts that join at one height stand side by side, so equal heights make one node. Because the
larger part of a merge comes first, a leaf lies in at most log2(n) parts inside one another.

How spanning edges become such a line: they are followed from the lowest to the highest, and each
appends the lighter of two lists to the heavier one. Points that are neighbors in space stand near
each other in the order of the points (a k-d tree has seen to that), so most edges stay within a
block of consecutive points. In a block alone, an edge joins two lists A and B at the height w as it
does among all edges if no other edge that leaves A or B is lower than w: then A and B are what the
edges below w make of all points. Such a join is final. An edge that is not, and every edge that
leaves the block, limits the lists at its ends: what touches them above its height is not final
either. So no edge that is left is lower than a join inside the lists at its ends, and the edges
that are left, from the lowest to the highest, join the lists of all blocks as they would have, had
all edges been followed in one order. About a quarter of the edges is left; equal heights make one
node, so their order is free.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.sorting import group_by, sorted_order
from disco_cvi._compute.threads import for_ranges
from disco_cvi._spanning_tree.boruvka import Edges, root

# Points per block, and how many blocks there are at most.
_LEAST_BLOCK = 1 << 15
_MOST_BLOCKS = 1024
# Where more edges than this share lead from block to block, blocks help nobody.
_MOST_LEAVING = 0.25
# So many leaves are looked at in one call, where threads share them.
LEAVES_PER_RANGE = 1 << 15


class LeafLine(NamedTuple):
    """A density tree: the row at each leaf, where it joins, where its part ends.

    `joins` begins with a 0 that means nothing. `core` holds the core distances in row order.
    """

    leaves: NDArray[np.int32]
    joins: NDArray[np.float64]
    ends: NDArray[np.int32]
    core: NDArray[np.float64]


def make_line(
    leaves: NDArray[np.int32], joins: NDArray[np.float64], core: NDArray[np.float64]
) -> LeafLine:
    """Complete a line by the ends of its parts."""
    ends = np.empty(len(joins), np.int32)
    find_ends(joins, ends)
    return LeafLine(leaves, joins, ends, core)


def heavier_comes_first(line: LeafLine) -> bool:
    """Whether no part is larger than the leaves that it joins: without that, walks take long.

    A part joins the leaves from the last one before it that joins higher. Of equal joins the
    earlier one counts as lower, so that parts side by side at one height join the same leaves.
    """
    n_leaves = len(line.joins)
    joins = line.joins.copy()
    joins[0] = np.inf
    ranks = np.empty(n_leaves + 1)
    # From the last leaf to the first, after one that means nothing, as in `joins`.
    ranks[n_leaves - np.argsort(joins, kind="stable")] = np.arange(n_leaves)
    ends = np.empty(n_leaves + 1, np.int32)
    find_ends(ranks, ends)
    joined = n_leaves - ends[:0:-1]
    places = np.arange(n_leaves)
    return bool((line.ends - places <= places - joined)[1:].all())


def to_leaves(line: LeafLine, by_row: NDArray[Any], n_jobs: int) -> NDArray[Any]:
    """Bring values in the order of the rows into that of the leaves."""
    by_leaf = np.empty_like(by_row)

    def take(begin: int, stop: int) -> None:
        by_leaf[begin:stop] = by_row[line.leaves[begin:stop]]

    for_ranges(take, len(by_row), LEAVES_PER_RANGE, n_jobs)
    return by_leaf


def to_rows(line: LeafLine, by_leaf: NDArray[Any], n_jobs: int) -> NDArray[Any]:
    """Bring values in the order of the leaves into that of the rows."""
    by_row = np.empty_like(by_leaf)

    def put(begin: int, stop: int) -> None:
        by_row[line.leaves[begin:stop]] = by_leaf[begin:stop]

    for_ranges(put, len(by_leaf), LEAVES_PER_RANGE, n_jobs)
    return by_row


class Lists(NamedTuple):
    """Points in lists: list t holds the places begins[t] to begins[t + 1] - 1.

    ``joins[place]``: the height at which the point there joins those before it in its list.
    `begins` ends with the number of points, `weights` are the rows of each list. The line of leaves
    takes the lists as `sequence` names them, and the list that comes t-th joins those before it at
    ``heights[t]``.
    """

    order: NDArray[np.int32]
    joins: NDArray[np.float64]
    begins: NDArray[np.int32]
    weights: NDArray[np.int32]
    sequence: NDArray[np.int32]
    heights: NDArray[np.float64]


def join_points(edges: Edges, weight: NDArray[np.int32], n_jobs: int) -> Lists:
    """Lay out the points that `edges` span, each of which weighs so many rows."""
    n_points = len(weight)
    size = max(_LEAST_BLOCK, -(-n_points // _MOST_BLOCKS))
    n_blocks = -(-n_points // size)
    if n_blocks > 1:
        groups = _edges_of_blocks(edges, size, n_blocks, n_jobs)
        if len(groups[-1]) <= _MOST_LEAVING * n_points:
            return _join_blocks(edges, weight, groups, size, n_jobs)
    order, joins = _join_all(_chosen(edges, sorted_order(edges.heights, n_jobs)), weight)
    begins = np.array([0, n_points], np.int32)
    return Lists(order, joins, begins, weight.sum(keepdims=True), np.zeros(1, np.int32), joins[:1])


def _chosen(edges: Edges, numbers: NDArray[np.int32]) -> Edges:
    return Edges(edges.first[numbers], edges.second[numbers], edges.heights[numbers])


def _edges_of_blocks(
    edges: Edges, size: int, n_blocks: int, n_jobs: int
) -> list[NDArray[np.int32]]:
    """The edges within each block, and last those between blocks."""

    def block(begin: int, stop: int) -> NDArray[np.int32]:
        first, second = edges.first[begin:stop] // size, edges.second[begin:stop] // size
        return np.where(first == second, first, np.int32(n_blocks))

    return group_by(block, len(edges.first), n_blocks + 1, n_jobs)


class _Joined(NamedTuple):
    """Where lists are written: their points, joins, and places where they begin.

    ``number[i]``: the list of point i.
    """

    order: NDArray[np.int32]
    joins: NDArray[np.float64]
    begins: NDArray[np.int32]
    number: NDArray[np.int32]


def _room(n_points: int) -> _Joined:
    order, begins, number = (np.empty(n_points, np.int32) for _ in range(3))
    return _Joined(order, np.empty(n_points), begins, number)


class _Chains(NamedTuple):
    """Lists while they are joined: the last point of each, by its root, and who follows whom.

    ``height[i]``: the height at which the list that began with point i joined another.
    """

    parent: NDArray[np.int32]
    last: NDArray[np.int32]
    following: NDArray[np.int32]
    height: NDArray[np.float64]


def _chains(n_points: int) -> _Chains:
    alone = np.arange(n_points, dtype=np.int32)
    return _Chains(alone, alone.copy(), np.full(n_points, -1, np.int32), np.zeros(n_points))


class _Block(NamedTuple):
    """What is found in a block: where its lists begin, their weights, the edges that are left."""

    begins: NDArray[np.int32]
    weights: NDArray[np.int32]
    left: NDArray[np.int32]


def _join_blocks(
    edges: Edges, weight: NDArray[np.int32], groups: list[NDArray[np.int32]], size: int, n_jobs: int
) -> Lists:
    """Join the points of each block as far as that is final, then the lists of all blocks."""
    n_points = len(weight)
    leaving = groups[-1]
    limit = np.full(n_points, np.inf)
    for ends in (edges.first, edges.second):
        np.minimum.at(limit, ends[leaving], edges.heights[leaving])
    joined = _room(n_points)

    def join_block(begin: int, stop: int) -> _Block:
        own = groups[begin // size]
        own = own[np.argsort(edges.heights[own])]
        inside, weights = _chosen(edges, own), weight[begin:stop].copy()
        for ends in (inside.first, inside.second):
            np.subtract(ends, np.int32(begin), out=ends)
        left = np.empty(len(own), np.int32)
        here = _Joined(*(cast("Any", values[begin:stop]) for values in joined))
        chains = _chains(stop - begin)
        n_lists, n_left = _join(inside, limit[begin:stop], weights, chains, here, left)
        begins = here.begins[:n_lists]
        weights = weights[here.order[begins]]
        here.order[:] += np.int32(begin)
        return _Block(begins + np.int32(begin), weights, own[left[:n_left]])

    blocks = for_ranges(join_block, n_points, size, n_jobs)
    left = np.concatenate([*(block.left for block in blocks), leaving])
    rest = _chosen(edges, left[sorted_order(edges.heights[left], n_jobs)])
    lists_before = np.cumsum([0] + [len(block.begins) for block in blocks], dtype=np.int32)
    for ends in (rest.first, rest.second):
        ends[:] = joined.number[ends] + lists_before[ends // size]
    weights = np.concatenate([block.weights for block in blocks])
    sequence, heights = _join_all(rest, weights)
    begins = np.concatenate([*(block.begins for block in blocks), [np.int32(n_points)]])
    return Lists(joined.order, joined.joins, begins, weights, sequence, heights)


def _join_all(
    edges: Edges, weight: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Join all points by sorted edges; return them in order, and their joins."""
    n_points = len(weight)
    joined, nothing = _room(n_points), np.empty(0, np.int32)
    limit = np.full(n_points, np.inf)
    _join(edges, limit, weight.copy(), _chains(n_points), joined, nothing)
    return joined.order, joined.joins


@kernel
def _join(edges, limit, weight, chains, joined, left):
    """Append the lighter list to the heavier one, from the lowest edge to the highest.

    The root of a list is its first point. An edge above the limit of a list at its ends is left.
    Return how many lists there are in the end, and how many edges are left.
    """
    parent, last, following, height = chains
    n_points = weight.shape[0]
    n_left = 0
    for e in range(edges.first.shape[0]):
        a = root(parent, edges.first[e])
        b = root(parent, edges.second[e])
        join = edges.heights[e]
        least = min(limit[a], limit[b])
        if join > least:
            left[n_left] = e
            n_left += 1
            limit[a] = min(limit[a], join)
            limit[b] = min(limit[b], join)
            continue
        if weight[b] > weight[a]:
            a, b = b, a
        parent[b] = a
        weight[a] += weight[b]
        limit[a] = least
        following[last[a]] = b
        last[a] = last[b]
        height[b] = join
    n_lists = 0
    place = 0
    for first in range(n_points):
        if parent[first] == first:
            joined.begins[n_lists] = place
            i = first
            while i >= 0:
                joined.order[place] = i
                joined.joins[place] = height[i]
                joined.number[i] = n_lists
                place += 1
                i = following[i]
            n_lists += 1
    return n_lists, n_left


@kernel
def find_ends(joins, ends):
    """A part ends before the next join no lower than its own."""
    n_leaves = joins.shape[0]
    ends[0] = n_leaves
    for p in range(n_leaves - 1, 0, -1):
        end = p + 1
        while end < n_leaves and joins[end] < joins[p]:
            end = ends[end]
        ends[p] = end
