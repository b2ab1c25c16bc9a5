"""The cheapest edge from every point to another component, one point or leaf after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    is_box_inside,
    is_inside,
    squared_distance,
    squared_distance_of_boxes,
    squared_distance_to_box,
)
from disco_cvi._spanning_tree.node_cores import core_outside

# Nodes of at most so many points are asked whether a cheap edge may leave any of them.
_POINTS_TOGETHER = 512
# The points of a leaf share a list of the leaves that edges may lead to, if it is no longer.
_LEAVES_TOGETHER = 256


class Waiting(NamedTuple):
    """Nodes that are still to be looked at, and what an edge to each costs at least."""

    node: NDArray[np.int32]
    bound: NDArray[np.float64]


@kernel
def search_partners(tree, nodes, forest, begin, stop, allowance):
    """Search the cheapest edge to another component for points begin to stop - 1.

    From the root down to the leaves of these points. A node within one component is left out as a
    whole where nothing cheap can leave it: in late rounds that is nearly every point. Nothing more
    is begun once points have met as many leaves as are allowed; returns whether any points were
    left out for that. Threads share `cheapest`: whatever is written there is the cost of a real
    edge of that component, so a stale value prunes less but never too much.
    """
    bound, partner, cheapest = forest.bound, forest.partner, forest.cheapest
    below = np.empty(STACK_SIZE, np.int32)
    below[0] = 0
    waiting = Waiting(np.empty(STACK_SIZE, np.int32), np.empty(STACK_SIZE))
    one = np.empty(1, np.int32)
    many = np.empty(_LEAVES_TOGETHER, np.int32)
    n_below = 1
    n_met = 0
    while n_below > 0 and n_met < allowance:
        n_below -= 1
        node = below[n_below]
        first = max(tree.start[node], begin)
        last = min(tree.end[node], stop)
        if first >= last:
            continue
        own = nodes.component[node]
        n_near = _LEAVES_TOGETHER
        if nodes.elsewhere[node] == np.inf:
            limit = cheapest[own]
            if nodes.smallest[node] >= limit:
                continue
            if tree.end[node] - tree.start[node] <= _POINTS_TOGETHER and limit < np.inf:
                near = one if tree.right[node] > 0 else many
                n_near = _near(tree, nodes, waiting, node, limit, near)
            if n_near == 0:
                for i in range(first, last):
                    if bound[i] < limit:
                        bound[i] = limit
                        partner[i] = -1
                continue
        if tree.right[node] > 0:
            below[n_below] = tree.right[node]
            below[n_below + 1] = node + 1
            n_below += 2
            continue
        for i in range(first, last):
            own = forest.component[i]
            limit = cheapest[own]
            if bound[i] >= limit:
                continue
            found = -1
            if n_near < _LEAVES_TOGETHER:
                n_met += n_near
                for t in range(n_near):
                    limit, found = _scan(tree, nodes, forest, many[t], i, limit, found)
            else:
                limit, found, n_more = _search(tree, nodes, forest, waiting, i)
                n_met += n_more
            bound[i] = limit
            partner[i] = found
            if limit < cheapest[own]:
                cheapest[own] = limit
    return n_below > 0


@inline_kernel
def _near(tree, nodes, waiting, node, limit, near):
    """Find the leaves to which edges below the limit may lead from a node within one component.

    As for a point, but with distances between boxes. Returns how many, at most the room of `near`.
    """
    rights, lower, upper = tree.right, tree.lower, tree.upper
    own = nodes.component[node]
    n_near = 0
    above = node
    while above > 0 and not is_box_inside(lower, upper, above, node, limit):
        below = above
        above = tree.parent[below]
        waiting.node[0] = above + 1 if below != above + 1 else rights[above]
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            other = waiting.node[n_waiting]
            is_left_out = core_outside(nodes, other, own) >= limit
            if is_left_out or squared_distance_of_boxes(lower, upper, node, other) >= limit:
                continue
            if rights[other] > 0:
                waiting.node[n_waiting] = rights[other]
                waiting.node[n_waiting + 1] = other + 1
                n_waiting += 2
                continue
            near[n_near] = other
            n_near += 1
            if n_near == near.shape[0]:
                return n_near
    return n_near


@inline_kernel
def _scan(tree, nodes, forest, leaf, i, limit, found):
    """Look for a cheaper edge from point i to a leaf of other components: cost, other end."""
    points, core = tree.points, forest.core
    is_beyond = core[i] >= limit or core_outside(nodes, leaf, forest.component[i]) >= limit
    if is_beyond or squared_distance_to_box(points, tree.lower, tree.upper, leaf, i) >= limit:
        return limit, found
    for j in range(tree.start[leaf], tree.end[leaf]):
        if core[j] < limit and forest.component[j] != forest.component[i]:
            height = max(max(squared_distance(points, i, j), core[j]), core[i])
            if height < limit:
                limit = height
                found = j
    return limit, found


@inline_kernel
def _search(tree, nodes, forest, waiting, i):
    """The cheapest edge from point i below what is known: cost, other end, leaves met.

    As neighbors are searched, but nodes within the point's own component are left out.
    """
    points, lower, upper, core = tree.points, tree.lower, tree.upper, forest.core
    own = forest.component[i]
    limit = forest.cheapest[own]
    found = -1
    n_met = 0
    above = tree.leaf[i]
    waiting.node[0] = above
    waiting.bound[0] = core_outside(nodes, above, own)
    while True:
        limit, found, n_more = search_below(tree, nodes, forest, waiting, i, limit, found)
        n_met += n_more
        if above == 0 or limit <= core[i] or is_inside(points, lower, upper, above, i, limit):
            return limit, found, n_met
        below = above
        above = tree.parent[below]
        other = above + 1 if below != above + 1 else tree.right[above]
        waiting.node[0] = other
        waiting.bound[0] = core_outside(nodes, other, own)
        if waiting.bound[0] < limit:
            to_box = squared_distance_to_box(points, lower, upper, other, i)
            waiting.bound[0] = max(waiting.bound[0], to_box)


@inline_kernel
def search_below(tree, nodes, forest, waiting, i, limit, found):
    """Go on with the node that waits alone, and all below it: cost, other end, leaves met."""
    points, rights, lower, upper = tree.points, tree.right, tree.lower, tree.upper
    core, component = forest.core, forest.component
    own = component[i]
    n_met = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting.node[n_waiting]
        if waiting.bound[n_waiting] >= limit:
            continue
        while rights[node] > 0:
            near = node + 1
            far = rights[node]
            to_near = core_outside(nodes, near, own)
            if to_near < limit:
                to_box = squared_distance_to_box(points, lower, upper, near, i)
                to_near = max(to_near, to_box)
            to_far = core_outside(nodes, far, own)
            if to_far < limit:
                to_box = squared_distance_to_box(points, lower, upper, far, i)
                to_far = max(to_far, to_box)
            if to_far < to_near:
                near, far = far, near
                to_near, to_far = to_far, to_near
            if to_far < limit:
                waiting.node[n_waiting] = far
                waiting.bound[n_waiting] = to_far
                n_waiting += 1
            node = near
            if to_near >= limit:
                break
        if rights[node] > 0:
            continue
        n_met += 1
        for j in range(tree.start[node], tree.end[node]):
            if component[j] != own and core[j] < limit:
                height = max(max(squared_distance(points, i, j), core[j]), core[i])
                if height < limit:
                    limit = height
                    found = j
    return limit, found, n_met
