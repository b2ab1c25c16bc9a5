"""The nodes of a density tree: all parts that join at one height make one node.

So that nothing depends on the order of equal heights, and with it of the rows: sums over the
children of a node are kept in twice the precision and rounded once, which hides their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_exactly
from disco_cvi._compute.kernels import kernel


class Nodes(NamedTuple):
    """Nodes by number, parents before children; node 0 is the root.

    Node v holds the leaves ``begin[v]`` to ``stop[v] - 1`` of the line and joins its children at
    ``height[v]``. A path of largest children has numbers that follow each other: the largest child
    of v is v + 1 unless v is the last of its path, ``path_end[v]``, whose children are leaves only.
    ``second[v]``: size of the second largest child. Its children that are nodes, the largest first:
    ``children[first_child[v]:first_child[v + 1]]``. ``mean[v]``: mean dc-distance of two of its
    leaves. ``around[p]``: the smallest node around leaf p.
    """

    height: FloatArray
    begin: NDArray[np.int32]
    stop: NDArray[np.int32]
    parent: NDArray[np.int32]
    path_end: NDArray[np.int32]
    second: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    mean: FloatArray
    around: NDArray[np.int32]


def find_nodes(joins: FloatArray) -> Nodes:
    """Return the nodes of a line of leaves; O(n) time."""
    size = max(len(joins) - 1, 0)
    begin, stop, parent = (np.empty(size, np.int32) for _ in range(3))
    height = np.empty(size)
    around = np.zeros(len(joins), np.int32)
    n_nodes = _collect_nodes(joins, height, begin, stop, parent, around)
    height, begin, stop, parent = (
        height[:n_nodes],
        begin[:n_nodes],
        stop[:n_nodes],
        parent[:n_nodes],
    )
    by_size = _sort_by_size(begin, stop, len(joins))
    first_child, children = _list_children(parent, by_size)
    number = np.empty(n_nodes, np.int32)
    path_end = np.empty(n_nodes, np.int32)
    _number(parent, by_size, first_child, children, number, path_end)
    order = np.empty(n_nodes, np.int32)
    order[number] = np.arange(n_nodes)
    height, begin, stop, path_end = height[order], begin[order], stop[order], path_end[order]
    above = parent[order]
    parent = np.where(above < 0, -1, number[above]).astype(np.int32)
    first_child, children = _list_children(parent, number[by_size])
    second = np.ones(n_nodes, np.int32)
    lonely = np.diff(first_child) < 2
    second[~lonely] = (stop - begin)[children[first_child[:-1][~lonely] + 1]]
    mean = np.empty(n_nodes)
    _mean_distances(height, begin, stop, parent, mean)
    if n_nodes > 0:
        around = number[around]
    lists = (path_end, second, first_child, children, mean, around)
    return Nodes(height, begin, stop, parent, *lists)


def _list_children(
    parent: NDArray[np.int32], by_size: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each node where its list of children begins, and the lists, the largest child first."""
    first_child = np.zeros(len(parent) + 1, np.int32)
    children = np.empty(max(len(parent) - 1, 0), np.int32)
    _fill_children(parent, by_size, first_child, children)
    return first_child, children


@kernel
def _collect_nodes(joins, height, begin, stop, parent, around):
    """Walk the line with a stack of open nodes, the lowest on top; return the number of nodes.

    A node is closed at the first join that is higher, and becomes a child of the node at that
    height, or of the open node below it on the stack where that is lower.
    """
    n_leaves = joins.shape[0]
    waiting = np.empty(n_leaves, np.int32)
    n_waiting = 0
    n_nodes = 0
    for p in range(1, n_leaves + 1):
        at = np.inf if p == n_leaves else joins[p]
        from_leaf = p - 1
        closed = -1
        if n_waiting > 0:
            around[p - 1] = waiting[n_waiting - 1]
        while n_waiting > 0 and height[waiting[n_waiting - 1]] < at:
            n_waiting -= 1
            node = waiting[n_waiting]
            stop[node] = p
            if closed >= 0:
                parent[closed] = node
            closed = node
            from_leaf = begin[node]
        if p == n_leaves:
            if closed >= 0:
                parent[closed] = -1
            break
        if n_waiting == 0 or height[waiting[n_waiting - 1]] > at:
            height[n_nodes] = at
            begin[n_nodes] = from_leaf
            waiting[n_waiting] = n_nodes
            n_waiting += 1
            n_nodes += 1
        if closed >= 0:
            parent[closed] = waiting[n_waiting - 1]
        else:
            around[p - 1] = waiting[n_waiting - 1]
    return n_nodes


@kernel
def _sort_by_size(begin, stop, n_leaves):
    """The nodes from the largest to the smallest, counted out."""
    n_nodes = begin.shape[0]
    places = np.zeros(n_leaves + 1, np.int32)
    for v in range(n_nodes):
        places[n_leaves - (stop[v] - begin[v]) + 1] += 1
    for t in range(n_leaves):
        places[t + 1] += places[t]
    by_size = np.empty(n_nodes, np.int32)
    for v in range(n_nodes):
        place = n_leaves - (stop[v] - begin[v])
        by_size[places[place]] = v
        places[place] += 1
    return by_size


@kernel
def _fill_children(parent, by_size, first_child, children):
    n_nodes = parent.shape[0]
    for v in range(n_nodes):
        if parent[v] >= 0:
            first_child[parent[v] + 1] += 1
    for v in range(n_nodes):
        first_child[v + 1] += first_child[v]
    filled = first_child.copy()
    for t in range(n_nodes):
        v = by_size[t]
        above = parent[v]
        if above >= 0:
            children[filled[above]] = v
            filled[above] += 1


@kernel
def _number(parent, by_size, first_child, children, number, path_end):
    """Number the nodes from the root on, the largest child of each right after it.

    ``path_end`` stays in the old order of nodes, but names new numbers.
    """
    n_nodes = parent.shape[0]
    count = np.ones(n_nodes, np.int32)
    for t in range(n_nodes - 1, 0, -1):
        v = by_size[t]
        count[parent[v]] += count[v]
    for t in range(n_nodes):
        v = by_size[t]
        if parent[v] < 0:
            number[v] = 0
        following = number[v] + 1
        for c in range(first_child[v], first_child[v + 1]):
            number[children[c]] = following
            following += count[children[c]]
    for t in range(n_nodes - 1, -1, -1):
        v = by_size[t]
        path_end[v] = number[v]
        if first_child[v] < first_child[v + 1]:
            path_end[v] = path_end[children[first_child[v]]]


@kernel
def _mean_distances(height, begin, stop, parent, mean):
    """Mean dc-distance of two leaves of each node: pairs in two children meet at its height."""
    n_nodes = height.shape[0]
    high = np.zeros(n_nodes)
    low = np.zeros(n_nodes)
    inside = np.zeros(n_nodes, np.int64)
    for v in range(n_nodes - 1, -1, -1):
        size = np.int64(stop[v] - begin[v])
        pairs = size * (size - 1) // 2
        high[v], low[v] = add_exactly(high[v], low[v], height[v] * float(pairs - inside[v]))
        mean[v] = (high[v] + low[v]) / float(pairs)
        above = parent[v]
        if above >= 0:
            inside[above] += pairs
            high[above], low[above] = add_exactly(high[above], low[above], high[v])
            low[above] += low[v]
