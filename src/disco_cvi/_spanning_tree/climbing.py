"""Cheap edges between components by climbing, where looking at all pairs would take too long.

A climb begins at a point of one component, goes to its cheapest partner in another one, from there
to the cheapest partner in the first, and so on until nothing is cheaper. All climbs make their
steps at the same time, so that those to one component share a product of matrices, which filters:
every cost is computed by differences.

Not all pairs of components are tried: those that an edge of the graph joins, or one that is known,
those whose centers are near, and those that are joined by the spanning tree of the centers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges, stop_if_over
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.products import Blocks, at_least, at_most, make_blocks
from disco_cvi._neighbors.random_trees import project, random_number
from disco_cvi._spanning_tree.boruvka import Edges, root
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree

_NEAR_CENTERS = 6
_RANDOM_STARTS = 8
# Of so many points of the smaller component, one more is where a climb begins.
_POINTS_PER_START = 128
_BLOCK_ENTRIES = 1 << 22


class Groups(NamedTuple):
    """Components by number: component c holds ``members[starts[c] : starts[c + 1]]``."""

    codes: NDArray[np.int32]
    members: NDArray[np.int32]
    starts: NDArray[np.int64]
    centers: FloatArray

    def of(self, c: int) -> NDArray[np.int32]:
        """The points of a component."""
        return self.members[self.starts[c] : self.starts[c + 1]]


def climb(
    blocks: Blocks,
    core: FloatArray,
    lists: NeighborLists,
    component: NDArray[np.int32],
    known: Edges,
    seed: int,
    n_jobs: int,
) -> Edges:
    """Join all components by the cheapest edges that are known or that climbs find."""
    groups = _group(blocks.points, component)
    pairs, begin = _choose_pairs(groups, core, lists, known, seed)
    starts = np.full((len(pairs), _RANDOM_STARTS + 2), -1, np.int32)
    starts[:, 0] = begin
    _choose_starts(blocks.points, groups, pairs, seed, starts[:, 1:])
    which, places = np.nonzero(starts >= 0)
    point = starts[which, places]
    found = _climb_all(blocks, core, groups, (which, pairs[which]), point, n_jobs)
    edges = all_edges(known, found)
    order = np.argsort(edges.heights, kind="stable")
    joined = np.stack([groups.codes[edges.first[order]], groups.codes[edges.second[order]]], axis=1)
    joining = order[_joining(joined, len(groups.centers))]
    return Edges(edges.first[joining], edges.second[joining], edges.heights[joining])


def all_edges(one: Edges, other: Edges) -> Edges:
    """The edges of both, one after the other."""
    return Edges(
        np.concatenate([one.first, other.first]),
        np.concatenate([one.second, other.second]),
        np.concatenate([one.heights, other.heights]),
    )


def _group(points: FloatArray, component: NDArray[np.int32]) -> Groups:
    names, codes = np.unique(component, return_inverse=True)
    members = np.argsort(codes, kind="stable").astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes))])
    centers = np.zeros((len(names), points.shape[1]))
    _sum_points(points, codes, centers)
    return Groups(codes.astype(np.int32), members, starts, centers / np.diff(starts)[:, None])


def _choose_pairs(
    groups: Groups, core: FloatArray, lists: NeighborLists, known: Edges, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of components, the smaller one first, and for each a point to begin with, or -1.

    That point is the end, in the smaller component, of the cheapest edge of the graph, or that is
    known, between both.
    """
    n_groups = len(groups.centers)
    size = _count_crossing(groups.codes, lists.numbers)
    ends, heights = np.empty((size, 2), np.int32), np.empty(size)
    _list_crossing(groups.codes, lists.numbers, lists.squares, core, ends, heights)
    ends = np.concatenate([ends, np.stack([known.first, known.second], axis=1)])
    heights = np.concatenate([heights, known.heights])
    centers = make_blocks(groups.centers, _NEAR_CENTERS + 1)
    near = neighbor_graph(centers, _NEAR_CENTERS + 1, seed, 1).numbers
    tree = minimum_spanning_tree(groups.centers.copy(), 1, 1)
    distinct = tree.rows[np.cumsum(tree.multiplicity) - tree.multiplicity]
    by_centers = np.concatenate(
        [
            np.stack([np.repeat(near[:, 0], near.shape[1] - 1), near[:, 1:].ravel()], axis=1),
            np.stack([distinct[tree.edges.first], distinct[tree.edges.second]], axis=1),
            # Components of one center are no neighbors of the tree.
            np.stack([tree.rows[:-1], tree.rows[1:]], axis=1)[
                np.repeat(np.arange(len(distinct)), tree.multiplicity)[1:]
                == np.repeat(np.arange(len(distinct)), tree.multiplicity)[:-1]
            ],
        ]
    )
    pairs = np.concatenate([groups.codes[ends], by_centers]).astype(np.int64)
    points = np.concatenate([ends, np.full(by_centers.shape, -1)])
    heights = np.concatenate([heights, np.full(len(by_centers), np.inf)])
    sizes = np.diff(groups.starts)
    # The smaller component first; of two equal ones, that of the smaller number.
    rank = np.empty(n_groups, np.int64)
    rank[np.argsort(sizes, kind="stable")] = np.arange(n_groups)
    swapped = rank[pairs[:, 0]] > rank[pairs[:, 1]]
    pairs[swapped], points[swapped] = pairs[swapped, ::-1], points[swapped, ::-1]
    keys = pairs[:, 0] * n_groups + pairs[:, 1]
    order = np.lexsort((points[:, 0], heights, keys))
    first = order[np.unique(keys[order], return_index=True)[1]]
    return pairs[first].astype(np.int32), points[first, 0].astype(np.int32)


def _climb_all(
    blocks: Blocks,
    core: FloatArray,
    groups: Groups,
    between: tuple[NDArray[np.intp], NDArray[np.int32]],
    point: NDArray[np.int32],
    n_jobs: int,
) -> Edges:
    """Make the steps of all climbs, from a point of the first of each pair to the second.

    `between` has the number of the pair of each climb, and the pair. Climbs of one pair that meet
    go on as one.
    """
    which, pairs = between
    heights = np.full(len(point), np.inf)
    first, second = point.copy(), point.copy()
    climbing = np.arange(len(point))
    to = 1
    while len(climbing):
        asking = second[climbing] if to == 0 else first[climbing]
        targets = pairs[climbing, to]
        limits = heights[climbing]
        partner = _ask(blocks, core, groups, targets, asking, limits, n_jobs)
        is_cheaper = partner >= 0
        climbing = climbing[is_cheaper]
        heights[climbing] = limits[is_cheaper]
        reached = partner[is_cheaper]
        (first if to == 0 else second)[climbing] = reached
        order = np.lexsort((heights[climbing], reached, which[climbing]))
        meets = np.stack([which[climbing][order], reached[order]])
        climbing = climbing[order[np.append(True, (np.diff(meets) != 0).any(axis=0))[: len(order)]]]
        to = 1 - to
    return Edges(first, second, heights)


def _ask(
    blocks: Blocks,
    core: FloatArray,
    groups: Groups,
    targets: NDArray[np.int32],
    asking: NDArray[np.int32],
    limits: FloatArray,
    n_jobs: int,
) -> NDArray[np.int32]:
    """Find the cheapest partners of points in components, below limits, which are lowered."""
    partners = np.full(len(asking), -1, np.int32)
    order = np.argsort(targets, kind="stable")
    names, starts = np.unique(targets[order], return_index=True)
    ends = np.append(starts[1:], len(order))

    def ask(begin: int, stop: int) -> None:
        for t in range(begin, stop):
            members = groups.of(int(names[t]))
            there = blocks.centered[members].T
            size = max(1, _BLOCK_ENTRIES // len(members))
            for low in range(starts[t], ends[t], size):
                stop_if_over()
                chosen = order[low : min(low + size, ends[t])]
                asks = (asking, chosen)
                with np.errstate(under="ignore"):
                    block = blocks.centered[asking[chosen]] @ there
                _find_partners(blocks, block, core, members, asks, limits, partners)

    for_ranges(ask, len(names), 1, n_jobs, "Spanning tree")
    return partners


@kernel
def _find_partners(blocks, block, core, members, asks, limits, partners):
    """Search the cheapest partner of each asking point among the members, below its limit."""
    asking, chosen = asks
    unit = blocks.unit * blocks.unit
    for row in range(chosen.shape[0]):
        i = asking[chosen[row]]
        best = limits[chosen[row]]
        limit = best * unit
        for t in range(members.shape[0]):
            j = members[t]
            height = at_most(blocks, blocks.norms[i] + blocks.norms[j], block[row, t])
            limit = min(limit, max(max(height, core[i] * unit), core[j] * unit))
        for t in range(members.shape[0]):
            j = members[t]
            least = at_least(blocks, blocks.norms[i] + blocks.norms[j], block[row, t])
            if least <= limit and core[j] < best:
                height = max(max(squared_distance(blocks.points, i, j), core[i]), core[j])
                if height < best:
                    best = height
                    partners[chosen[row]] = j
        limits[chosen[row]] = best


@kernel
def _sum_points(points, codes, centers):
    for i in range(points.shape[0]):
        for c in range(points.shape[1]):
            centers[codes[i], c] += points[i, c]


@kernel
def _count_crossing(codes, numbers):
    """How many listed edges join two components."""
    count = 0
    for i in range(numbers.shape[0]):
        for t in range(numbers.shape[1]):
            count += codes[numbers[i, t]] != codes[i]
    return count


@kernel
def _list_crossing(codes, numbers, squares, core, ends, heights):
    """The listed edges that join two components, and what they cost."""
    place = 0
    for i in range(numbers.shape[0]):
        for t in range(numbers.shape[1]):
            j = numbers[i, t]
            if codes[j] != codes[i]:
                ends[place, 0] = i
                ends[place, 1] = j
                heights[place] = max(max(squares[i, t], core[i]), core[j])
                place += 1


@kernel
def _choose_starts(points, groups, pairs, seed, chosen):
    """Points of the first of each pair: the farthest towards the second, and random ones."""
    members, starts, centers = groups.members, groups.starts, groups.centers
    line = np.empty(points.shape[1])
    for p in range(pairs.shape[0]):
        begin = starts[pairs[p, 0]]
        end = starts[pairs[p, 0] + 1]
        for c in range(points.shape[1]):
            line[c] = centers[pairs[p, 1], c] - centers[pairs[p, 0], c]
        farthest = -np.inf
        for place in range(begin, end):
            along = project(points, members[place], line)
            if along > farthest:
                farthest = along
                chosen[p, 0] = members[place]
        for t in range(1, min(chosen.shape[1], 2 + (end - begin) // _POINTS_PER_START)):
            chosen[p, t] = members[begin + random_number(seed, p * 16 + t, end - begin)]


@kernel
def _joining(pairs, n_groups):
    """Whether each pair, in this order, joins two components that those before it do not join."""
    parent = np.arange(n_groups)
    joins = np.zeros(pairs.shape[0], np.bool_)
    for p in range(pairs.shape[0]):
        a = root(parent, pairs[p, 0])
        b = root(parent, pairs[p, 1])
        joins[p] = a != b
        parent[max(a, b)] = min(a, b)
    return joins
