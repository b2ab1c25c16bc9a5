"""Which boxes of other blocks concern which points: down the k-d tree with a shrinking list.

A node looks only at the boxes that its parent kept, so that points in the middle of a block are
done with after a few boxes near its root.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.kd_tree import STACK_SIZE, KDTree, squared_distance_to_box
from disco_cvi.distributed.boxes import Boxes, gap, reach

# What asks for nothing looks as far as this: squared distances are 0 or more.
NOWHERE = -1.0


class View(NamedTuple):
    """Boxes of other blocks, block after block, as one block sees them.

    ``owner``: the place of the block among those that are seen. ``bounds``: whether what is looked
    for is surely found within the box, so that its farthest corner is far enough to look.
    """

    boxes: Boxes
    owner: NDArray[np.int32]
    bounds: BoolArray


class Search(NamedTuple):
    """What the points of a block look for.

    ``limit[i]``: point i looks for what is nearer than this, if that is anything (NOWHERE: it does
    not look). ``floor[i]``: nothing costs less for point i. ``group[i]``: boxes of this group are
    left out.
    """

    limit: FloatArray
    floor: FloatArray
    group: NDArray[np.int32]


class Asked(NamedTuple):
    """Point, block to ask, and the least that it may answer; a point asks a block once."""

    point: NDArray[np.int32]
    owner: NDArray[np.int32]
    least: FloatArray


def whom_to_ask(tree: KDTree, search: Search, node_group: NDArray[np.int32], view: View) -> Asked:
    """Which blocks may hold what the points look for."""
    highest = np.empty(len(tree.start))
    _node_maxima(tree, search.limit, highest)
    lists = _walk(tree, highest, node_group, view)
    return Asked(*_list_questions(tree, search, view, lists))


def least_outside(tree: KDTree, core: FloatArray, view: View, ceiling: float) -> FloatArray:
    """What an edge from each point to another block costs at least, exact up to a ceiling."""
    n_nodes = len(tree.start)
    nodes = np.full(n_nodes, ceiling), np.full(n_nodes, -1, np.int32)
    lists = _walk(tree, *nodes, view)
    out = np.maximum(core, ceiling)
    _measure_outside(tree, core, view, lists, out)
    return out


@kernel
def _node_maxima(tree, values, highest):
    """For every node the largest value in it."""
    for node in range(highest.shape[0] - 1, -1, -1):
        if tree.right[node] > 0:
            highest[node] = max(highest[node + 1], highest[tree.right[node]])
        else:
            largest = values[tree.start[node]]
            for i in range(tree.start[node] + 1, tree.end[node]):
                largest = max(largest, values[i])
            highest[node] = largest


@kernel
def _longer(values, size):
    """The values, with room for at least `size`."""
    longer = np.empty(2 * size, values.dtype)
    longer[: values.shape[0]] = values
    return longer


@kernel
def _walk(tree, highest, node_group, view):
    """Return the leaves that see boxes, where their lists begin, and these lists.

    A box is kept if it is no farther than the points of the node look, and no farther than the
    farthest corner of a box that surely holds what they look for. The list of a node is written
    behind that of its parent, and over that of the sibling that is done.
    """
    boxes, owner = view.boxes, view.owner
    near = np.empty(2 * owner.shape[0] + 1, np.int32)
    near[: owner.shape[0]] = np.arange(owner.shape[0])
    waiting = np.zeros((STACK_SIZE, 3), np.int64)
    waiting[0, 2] = owner.shape[0]
    n_waiting = 1
    leaves = np.empty(64, np.int32)
    begins = np.zeros(65, np.int64)
    listed = np.empty(1024, np.int32)
    n_leaves = 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting, 0]
        first = waiting[n_waiting, 1]
        last = waiting[n_waiting, 2]
        limit = highest[node]
        if limit < 0.0:
            continue
        for t in range(first, last):
            b = near[t]
            if view.bounds[b]:
                farthest = reach(tree.lower, tree.upper, node, boxes.lower, boxes.upper, b)
                limit = min(limit, max(farthest, boxes.least[b]))
        if 2 * last - first > near.shape[0]:
            near = _longer(near, 2 * last - first)
        end = last
        for t in range(first, last):
            b = near[t]
            if node_group[node] >= 0 and boxes.group[b] == node_group[node]:
                continue
            nearest = gap(tree.lower, tree.upper, node, boxes.lower, boxes.upper, b)
            if max(nearest, boxes.least[b]) <= limit:
                near[end] = b
                end += 1
        if end == last:
            continue
        if tree.right[node] > 0:
            for side in range(2):
                waiting[n_waiting, 0] = tree.right[node] if side == 0 else node + 1
                waiting[n_waiting, 1] = last
                waiting[n_waiting, 2] = end
                n_waiting += 1
            continue
        if n_leaves == leaves.shape[0]:
            leaves = _longer(leaves, n_leaves)
            begins = _longer(begins, n_leaves + 1)
        begin = begins[n_leaves]
        if begin + end - last > listed.shape[0]:
            listed = _longer(listed, begin + end - last)
        listed[begin : begin + end - last] = near[last:end]
        leaves[n_leaves] = node
        n_leaves += 1
        begins[n_leaves] = begin + end - last
    return leaves[:n_leaves], begins[: n_leaves + 1], listed


@kernel
def _measure_outside(tree, core, view, lists, out):
    leaves, begins, listed = lists
    lower, upper, least = view.boxes.lower, view.boxes.upper, view.boxes.least
    for place in range(leaves.shape[0]):
        leaf = leaves[place]
        for i in range(tree.start[leaf], tree.end[leaf]):
            cheapest = out[i]
            for t in range(begins[place], begins[place + 1]):
                b = listed[t]
                nearest = squared_distance_to_box(tree.points, lower, upper, b, i)
                cheapest = min(cheapest, max(nearest, least[b]))
            out[i] = max(cheapest, core[i])


@kernel
def _list_questions(tree, search, view, lists):
    """A point asks if a box is nearer than its limit, and not beyond the corner of a sure one."""
    leaves, begins, listed = lists
    points, boxes = tree.points, view.boxes
    found = 0
    point = np.empty(256, np.int32)
    owner = np.empty(256, np.int32)
    cost = np.empty(256)
    for place in range(leaves.shape[0]):
        leaf = leaves[place]
        for i in range(tree.start[leaf], tree.end[leaf]):
            limit = search.limit[i]
            if limit < 0.0:
                continue
            for t in range(begins[place], begins[place + 1]):
                b = listed[t]
                if view.bounds[b]:
                    limit = min(limit, reach(points, points, i, boxes.lower, boxes.upper, b))
            first = found
            for t in range(begins[place], begins[place + 1]):
                b = listed[t]
                if boxes.group[b] == search.group[i]:
                    continue
                least = squared_distance_to_box(points, boxes.lower, boxes.upper, b, i)
                least = max(max(least, boxes.least[b]), search.floor[i])
                if least >= search.limit[i] or least > limit:
                    continue
                if found > first and owner[found - 1] == view.owner[b]:
                    cost[found - 1] = min(cost[found - 1], least)
                    continue
                if found == point.shape[0]:
                    point = _longer(point, found)
                    owner = _longer(owner, found)
                    cost = _longer(cost, found)
                point[found] = i
                owner[found] = view.owner[b]
                cost[found] = least
                found += 1
    return point[:found], owner[:found], cost[:found]
