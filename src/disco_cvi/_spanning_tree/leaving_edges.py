"""The cheapest edge that leaves each component: by points, and where that is slow by nodes.

A search from one point after the other is quick where few leaves are nearer than the edge that it
looks for. Points on a sphere around a hub are all as far from it: every point of the hub would meet
every leaf of the sphere. So what points cannot find within what they are allowed is looked for by
pairs of nodes: those of the points that ask, and those that edges may lead to. A pair is left out
if its boxes or core distances say that no edge between them costs less than what is known to leave
the component; otherwise the wider node is divided, a leaf into its points. Thus every point of the
sphere meets the hub as a whole, and goes down to the few of its points that lie on its own side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import Progress
from disco_cvi._compute.threads import for_ranges, stop_if_over
from disco_cvi._neighbors.core_distances import range_size
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    squared_distance,
    squared_distance_of_boxes,
    squared_distance_to_box,
)
from disco_cvi._spanning_tree.boruvka import Forest
from disco_cvi._spanning_tree.node_cores import (
    NodeCores,
    core_outside,
    find_node_cores,
    no_node_cores,
    parts_of_nodes,
)
from disco_cvi._spanning_tree.node_slabs import NodeSlabs, find_slabs, squared_distance_of_slabs
from disco_cvi._spanning_tree.partners import Waiting, search_below, search_partners

# So many leaves may be met by a point, on average, before pairs of nodes are looked at.
_LEAVES_ALLOWED = 64
# The points that ask are divided into about so many nodes, which threads take one by one.
_TOP_NODES = 32
_PAIRS_PER_CALL = 100_000


class Search(NamedTuple):
    """What is known of nodes and components, and what is found.

    ``limits[v]``: an edge from a point of node v that asks must cost less to matter; -1: none asks.
    ``height[i]`` and ``other[i]``: the edge that point i found.
    """

    tree: KDTree
    nodes: NodeCores
    slabs: NodeSlabs
    forest: Forest
    limits: FloatArray
    height: FloatArray
    other: NDArray[np.int32]


class Pairs(NamedTuple):
    """Pairs of nodes that are still to be looked at: whose points ask, where edges may lead."""

    asking: NDArray[np.int32]
    asked: NDArray[np.int32]
    bound: FloatArray


class LeavingEdges:
    """Finds edges that leave components of the points of a tree, round after round."""

    def __init__(self, tree: KDTree, n_jobs: int) -> None:
        self.tree = tree
        self.nodes: NodeCores = no_node_cores(len(tree.start))
        *self._parts, self._last_part = parts_of_nodes(tree)
        self._n_jobs = n_jobs
        self._slabs: NodeSlabs | None = None

    def renew(self, forest: Forest) -> None:
        """Look at the components as they are now."""

        def find(part: NDArray[np.int64]) -> None:
            find_node_cores(self.tree, forest.core, forest.component, self.nodes, part)

        for_ranges(lambda number, _: find(self._parts[number]), len(self._parts), 1, self._n_jobs)
        find(self._last_part)

    def search(self, forest: Forest, bar: Progress | None = None) -> None:
        """Find the cheapest edge of every component that has points whose bound lies below it."""
        n_points, size = len(self.tree.points), range_size(self.tree, 1)

        def search_range(begin: int, stop: int) -> bool:
            allowance = _LEAVES_ALLOWED * (stop - begin)
            return bool(search_partners(self.tree, self.nodes, forest, begin, stop, allowance))

        # Nobody knows how many rounds there will be; each takes about half as long as the last.
        step = (bar.n_steps - bar.done) / 2 * size / n_points if bar is not None else 1.0
        if not any(for_ranges(search_range, n_points, size, self._n_jobs, bar=bar, step=step)):
            return
        if self._slabs is None:
            self._slabs = find_slabs(self.tree, self._n_jobs)
        _search_nodes(self.tree, self.nodes, self._slabs, forest, self._n_jobs)


def _search_nodes(
    tree: KDTree, nodes: NodeCores, slabs: NodeSlabs, forest: Forest, n_jobs: int
) -> None:
    """Find the cheapest edge of every component that has points whose bound lies below it."""
    n_points = len(forest.core)
    limits = np.empty(len(tree.start))
    _find_limits(tree, forest, limits)
    found = np.full(n_points, np.inf), np.full(n_points, -1, np.int32)
    search = Search(tree, nodes, slabs, forest, limits, *found)
    tops = _top_nodes(tree, limits, max(1, n_points // _TOP_NODES))
    # What is divided leaves one node behind, in both trees.
    size = 2 * STACK_SIZE

    def search_top(number: int, _: int) -> None:
        pairs = Pairs(np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size))
        pairs.asking[0] = tops[number]
        n_pairs = 1
        while n_pairs > 0:
            stop_if_over()
            n_pairs = _search_pairs(search, pairs, n_pairs, _PAIRS_PER_CALL)

    for_ranges(search_top, len(tops), 1, n_jobs)
    _settle(forest, *found)


def _top_nodes(tree: KDTree, limits: FloatArray, size: int) -> NDArray[np.int64]:
    """The nodes of at most `size` points, or leaves, none below another, in which points ask."""
    is_small = (tree.end - tree.start <= size) | (tree.right == 0)
    is_top = is_small & ~is_small[tree.parent]
    is_top[0] = is_small[0]
    return np.flatnonzero(is_top & (limits >= 0))


@kernel
def _find_limits(tree, forest, limits):
    """For every node the largest cost that matters to a point of it that asks; -1: none asks."""
    for node in range(limits.shape[0] - 1, -1, -1):
        if tree.right[node] > 0:
            limits[node] = max(limits[node + 1], limits[tree.right[node]])
            continue
        limit = -1.0
        for i in range(tree.start[node], tree.end[node]):
            cost = forest.cheapest[forest.component[i]]
            if forest.bound[i] < cost:
                limit = max(limit, cost)
        limits[node] = limit


@inline_kernel
def _limit(search, node):
    """What an edge from a node must cost less than; threads may lower it at any time."""
    nodes = search.nodes
    limit = search.limits[node]
    if nodes.elsewhere[node] == np.inf:
        return min(limit, search.forest.cheapest[nodes.component[node]])
    return limit


@inline_kernel
def _least(search, a, b):
    """No edge from node a to node b costs less."""
    nodes = search.nodes
    core = nodes.smallest[b]
    if nodes.elsewhere[a] == np.inf:
        core = core_outside(nodes, b, nodes.component[a])
    core = max(core, nodes.smallest[a])
    boxes = squared_distance_of_boxes(search.tree.lower, search.tree.upper, a, b)
    return max(max(core, boxes), squared_distance_of_slabs(search.slabs, a, b))


@inline_kernel
def _width(tree, node):
    width = 0.0
    for c in range(tree.lower.shape[1]):
        width = max(width, tree.upper[node, c] - tree.lower[node, c])
    return width


@kernel
def _search_pairs(search, pairs, n_pairs, allowance):
    """Look at pairs that wait, the nearer first; return how many still wait.

    About so many are looked at, with the leaves that points of them meet: between two calls Ctrl-C
    is answered, and a point may meet all leaves of a large node.
    """
    tree = search.tree
    waiting = Waiting(np.empty(STACK_SIZE, np.int32), np.empty(STACK_SIZE))
    while n_pairs > 0 and allowance > 0:
        n_pairs -= 1
        allowance -= 1
        a = pairs.asking[n_pairs]
        b = pairs.asked[n_pairs]
        if pairs.bound[n_pairs] >= _limit(search, a):
            continue
        if _width(tree, a) > _width(tree, b):
            if tree.right[a] > 0:
                _let_wait(search, pairs, n_pairs, a + 1, b, tree.right[a], b)
                n_pairs += 2
                continue
            for i in range(tree.start[a], tree.end[a]):
                allowance -= 1 + _search_from(search, waiting, i, b)
        elif tree.right[b] > 0:
            _let_wait(search, pairs, n_pairs, a, b + 1, a, tree.right[b])
            n_pairs += 2
        else:
            for j in range(tree.start[b], tree.end[b]):
                allowance -= 1 + _search_to(search, waiting, a, j)
    return n_pairs


@inline_kernel
def _let_wait(search, pairs, place, a, b, c, d):
    """Put two pairs into their places, the nearer one last, as it is taken first."""
    first = _least(search, a, b)
    second = _least(search, c, d)
    is_nearer = first < second
    pairs.asking[place] = c if is_nearer else a
    pairs.asked[place] = d if is_nearer else b
    pairs.bound[place] = max(first, second)
    pairs.asking[place + 1] = a if is_nearer else c
    pairs.asked[place + 1] = b if is_nearer else d
    pairs.bound[place + 1] = min(first, second)


@inline_kernel
def _search_from(search, waiting, i, node):
    """Search the cheapest edge from point i, if it asks, to points of a node; return leaves met."""
    forest = search.forest
    own = forest.component[i]
    limit = forest.cheapest[own]
    if forest.bound[i] >= limit:
        return 0
    waiting.node[0] = node
    waiting.bound[0] = core_outside(search.nodes, node, own)
    limit, found, n_met = search_below(search.tree, search.nodes, forest, waiting, i, limit, -1)
    if found >= 0:
        search.height[i] = limit
        search.other[i] = found
        if limit < forest.cheapest[own]:
            forest.cheapest[own] = limit
    return n_met


@inline_kernel
def _search_to(search, waiting, node, j):
    """Search the cheapest edges from points of a node, if they ask, to j; return leaves met."""
    tree, nodes, forest = search.tree, search.nodes, search.forest
    points, core, component = tree.points, forest.core, forest.component
    waiting.node[0] = node
    waiting.bound[0] = core[j]
    n_waiting = 1
    n_met = 0
    while n_waiting > 0:
        n_waiting -= 1
        a = waiting.node[n_waiting]
        if waiting.bound[n_waiting] >= _limit(search, a):
            continue
        if nodes.elsewhere[a] == np.inf and nodes.component[a] == component[j]:
            continue
        if tree.right[a] > 0:
            near = a + 1
            far = tree.right[a]
            to_near = squared_distance_to_box(points, tree.lower, tree.upper, near, j)
            to_far = squared_distance_to_box(points, tree.lower, tree.upper, far, j)
            if to_far < to_near:
                near, far = far, near
                to_near, to_far = to_far, to_near
            waiting.node[n_waiting] = far
            waiting.bound[n_waiting] = max(max(to_far, core[j]), nodes.smallest[far])
            waiting.node[n_waiting + 1] = near
            waiting.bound[n_waiting + 1] = max(max(to_near, core[j]), nodes.smallest[near])
            n_waiting += 2
            continue
        n_met += 1
        for i in range(tree.start[a], tree.end[a]):
            limit = forest.cheapest[component[i]]
            if component[i] == component[j] or forest.bound[i] >= limit:
                continue
            cost = max(max(squared_distance(points, i, j), core[j]), core[i])
            if cost < limit:
                search.height[i] = cost
                search.other[i] = j
                forest.cheapest[component[i]] = cost
    return n_met


@kernel
def _settle(forest, height, other):
    """Let every point that asked know the cheapest edge of its component as a bound.

    Nothing cheaper leaves the component, so this is true of every point of it; whoever found that
    edge has its other end as a partner. (`cheapest` may have been overwritten by a thread that
    found less.)
    """
    cheapest, component = forest.cheapest, forest.component
    for i in range(component.shape[0]):
        cheapest[component[i]] = min(cheapest[component[i]], height[i])
    for i in range(component.shape[0]):
        cost = cheapest[component[i]]
        if forest.bound[i] < cost or height[i] == cost:
            forest.bound[i] = cost
            forest.partner[i] = other[i] if height[i] == cost else -1
