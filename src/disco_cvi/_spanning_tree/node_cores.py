"""What nodes of a k-d tree tell those who look for an edge that leaves their component.

No edge costs less than the core distance of its other end. So a node has nothing for a point whose
limit is no larger than the smallest core distance in the node, where points of its own component do
not count. Among the points of a node let a be one of the smallest core distance, and b one of the
smallest among those of other components than that of a: whoever is of the component of a asks for
the core distance of b, everybody else for that of a. A node within one component has no b, and
nothing for that component. Late rounds live on this: a cluster has noise in nearly all of its
nodes, but what joins it to others is the densest of that noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.kd_tree import KDTree

_NODES_PER_PART = 1 << 12


class NodeCores(NamedTuple):
    """By node: a component, the smallest core distance of all points, and that of the others.

    The component is that of a point with the smallest core distance; infinite: nobody is left.
    """

    component: NDArray[np.int32]
    smallest: NDArray[np.float64]
    elsewhere: NDArray[np.float64]


def no_node_cores(n_nodes: int) -> NodeCores:
    return NodeCores(np.empty(n_nodes, np.int32), np.empty(n_nodes), np.empty(n_nodes))


def parts_of_nodes(tree: KDTree) -> list[NDArray[np.int64]]:
    """Divide all nodes into parts in which children come before their parents.

    A part needs nothing of the others, but for the last, which needs all of them. A node and those
    below it have numbers side by side. So only the nodes above the first one of a part have others
    below them on both sides of where it begins: these are the last part.
    """
    n_nodes = len(tree.right)
    above: set[int] = set()
    parts = []
    for begin in range(0, n_nodes, _NODES_PER_PART):
        node = begin
        while node > 0:
            node = int(tree.parent[node])
            above.add(node)
        parts.append(np.arange(min(begin + _NODES_PER_PART, n_nodes) - 1, begin - 1, -1))
    last = np.array(sorted(above, reverse=True), np.int64)
    return [*(part[~np.isin(part, last)] for part in parts), last]


@inline_kernel
def core_outside(nodes, node, own):
    """The smallest core distance in a node of points outside of the component `own`."""
    if nodes.component[node] == own:
        return nodes.elsewhere[node]
    return nodes.smallest[node]


@kernel
def find_node_cores(tree, core, component, nodes, part):
    """Fill some of the `nodes`, whose children are known or stand before them."""
    for node in part:
        if tree.right[node] > 0:
            a, b = node + 1, tree.right[node]
            if nodes.smallest[b] < nodes.smallest[a]:
                a, b = b, a
            common = nodes.component[a]
            smallest = nodes.smallest[a]
            elsewhere = min(nodes.elsewhere[a], core_outside(nodes, b, common))
        else:
            first = tree.start[node]
            for j in range(first + 1, tree.end[node]):
                if core[j] < core[first]:
                    first = j
            common = component[first]
            smallest = core[first]
            elsewhere = np.inf
            for j in range(tree.start[node], tree.end[node]):
                if component[j] != common:
                    elsewhere = min(elsewhere, core[j])
        nodes.component[node] = common
        nodes.smallest[node] = smallest
        nodes.elsewhere[node] = elsewhere


@kernel
def smallest_cores(tree, core, smallest_core):
    """For every node the smallest core distance in it."""
    for node in range(smallest_core.shape[0] - 1, -1, -1):
        if tree.right[node] > 0:
            smallest = min(smallest_core[node + 1], smallest_core[tree.right[node]])
        else:
            smallest = np.inf
            for j in range(tree.start[node], tree.end[node]):
                smallest = min(smallest, core[j])
        smallest_core[node] = smallest


@kernel
def node_components(tree, component, node_component):
    """For every node the component that holds all its points, or -1."""
    for node in range(node_component.shape[0] - 1, -1, -1):
        if tree.right[node] > 0:
            common = node_component[node + 1]
            if node_component[tree.right[node]] != common:
                common = -1
        else:
            common = component[tree.start[node]]
            for j in range(tree.start[node] + 1, tree.end[node]):
                if component[j] != common:
                    common = -1
                    break
        node_component[node] = common
