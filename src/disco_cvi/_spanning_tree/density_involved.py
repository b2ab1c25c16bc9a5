"""The minimum spanning tree under density-involved distances: all of CVDD that needs no labels.

The density-involved distance of two points is their distance and, on top, a toll that grows with
the ratio of their densities. It is no metric, but it is never below the distance, and the toll to
a node of a k-d tree can be bounded by the densities in it: so the tree is searched as for
distances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import Neighbors, range_size
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    is_inside,
    kd_tree_of,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.nearest_points import NearestPoints, let_wait, nearest_points
from disco_cvi._spanning_tree.boruvka import Edges, Forest, SpanningTree, grow_forest
from disco_cvi._spanning_tree.node_cores import node_components, smallest_cores

# A bound is lowered, a radius raised by this much: more than they can err by rounding.
_LESS = 1.0 - 1e-12
_MORE = 1.0 + 1e-12


class InvolvedTree(NamedTuple):
    """The spanning tree in units of ``2**exponent``, and sqrt(Den / largest Den) of each row."""

    spanning: SpanningTree
    exponent: int
    weights: FloatArray


class Surroundings(NamedTuple):
    """What the search knows: densities of points, their least and largest in each node.

    ``near[i]`` lists the points nearest to i; no other is nearer than ``reach[i]``.
    """

    density: FloatArray
    least: FloatArray
    largest: FloatArray
    near: NDArray[np.int32]
    reach: FloatArray


def density_involved_tree(points: Points, n_neighbors: int) -> InvolvedTree:
    """Span points, two or more, whatever their labels.

    The density Den of a point (small where it is dense) is the sum of the distances to its nearest
    other points over `n_neighbors`, even if there are fewer. Heights and densities are the same
    bits whatever the order of the rows: distances are added from the smallest to the largest.
    Copies of a point are joined at 0.
    Time about O(n log n) in low dimension, at most O(n * n) for each of O(log n) rounds; memory
    O(n * n_neighbors).
    """
    nearest = nearest_points(points, n_neighbors)
    density = np.zeros(points.n_points)
    for column in nearest.distances.T:
        density += column
    density /= n_neighbors
    tree, _ = kd_tree_of(points)
    surroundings = _look_around(tree, density, nearest)
    edges = _span(tree, surroundings, points.n_jobs)
    largest = float(density.max())
    weights = np.sqrt(density / largest) if largest > 0 else density
    joined = SpanningTree(tree.rows, tree.multiplicity, np.zeros(len(tree.points)), edges)
    return InvolvedTree(joined, nearest.exponent, weights)


def _look_around(tree: KDTree, density: FloatArray, nearest: NearestPoints) -> Surroundings:
    """Bring what is known of rows into the order of the tree, copies collapsed."""
    n_distinct, n_nodes = len(tree.points), len(tree.start)
    places = np.empty(len(density), np.int32)
    places[tree.rows] = np.repeat(np.arange(n_distinct, dtype=np.int32), tree.multiplicity)
    chosen = tree.rows[np.cumsum(tree.multiplicity) - tree.multiplicity]
    density, least, largest = density[chosen], np.empty(n_nodes), np.empty(n_nodes)
    smallest_cores(tree, density, least)
    smallest_cores(tree, -density, largest)
    reach = nearest.distances[chosen, -1] * _LESS
    return Surroundings(density, least, -largest, places[nearest.rows[chosen]], reach)


def _span(tree: KDTree, surroundings: Surroundings, n_jobs: int) -> Edges:
    """Boruvka's rounds; nothing is known before the first, but that nothing costs less than 0."""
    n_points = len(tree.points)
    node_component = np.empty(len(tree.start), np.int32)

    def search(forest: Forest) -> None:
        node_components(tree, forest.component, node_component)

        def search_range(begin: int, stop: int) -> None:
            search_partners(tree, surroundings, node_component, forest, begin, stop)

        for_ranges(search_range, n_points, range_size(tree, 1), n_jobs)

    return grow_forest(Neighbors(np.zeros(n_points), np.empty((n_points, 0), np.int32)), search)


@inline_kernel
def _share(one, other):
    """1 - exp(-|a / b + b / a - 2|), with the limits where a density is 0.

    a / b + b / a - 2 is (a - b)^2 / (a b), written without cancellation and alike in a and b.
    """
    if one == other:
        return 0.0
    if one == 0.0 or other == 0.0:
        return 1.0
    difference = one - other
    return -np.expm1(-((difference / one) * (difference / other)))


@inline_kernel
def _toll(one, other):
    """What two densities add to the distance of their points."""
    return (one + other) * _share(one, other)


@inline_kernel
def _least_toll(density, least, largest):
    """A bound on the toll from a point to any in a node with densities from least to largest."""
    if density < least:
        return _LESS * _toll(density, least)
    if density > largest:
        # The sum grows with the other density, the share falls: each at its own end.
        return _LESS * ((density + least) * _share(density, largest))
    return 0.0


@inline_kernel
def _bound(tree, surroundings, node, i, limit):
    """A bound on the distance from point i to any in the node; infinite where not below limit."""
    bound = np.sqrt(squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i))
    if bound < limit:
        bound += _least_toll(
            surroundings.density[i], surroundings.least[node], surroundings.largest[node]
        )
    return bound if bound < limit else np.inf


@kernel
def search_partners(tree, surroundings, node_component, forest, begin, stop):
    """Search the cheapest edge to another component for points begin to stop - 1.

    First among the nearest points, then in the tree from the leaf upwards, if an edge to a point
    farther away may be cheaper. Threads share `cheapest`: whatever is written there is the cost of
    a real edge of that component, so a stale value prunes less but never too much.
    """
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    component, cheapest = forest.component, forest.cheapest
    density, near = surroundings.density, surroundings.near
    waiting = np.empty(STACK_SIZE, np.int32)
    bounds = np.empty(STACK_SIZE)
    for i in range(begin, stop):
        own = component[i]
        limit = cheapest[own]
        if forest.bound[i] >= limit:
            continue
        found = -1
        for t in range(near.shape[1]):
            j = near[i, t]
            if component[j] != own:
                height = np.sqrt(squared_distance(points, i, j)) + _toll(density[i], density[j])
                if height < limit:
                    limit = height
                    found = j
        below = -1
        above = tree.leaf[i]
        while limit > surroundings.reach[i]:
            waiting[0] = above
            bounds[0] = 0.0
            n_waiting = 1
            while n_waiting > 0:
                n_waiting -= 1
                node = waiting[n_waiting]
                if bounds[n_waiting] >= limit or node_component[node] == own:
                    continue
                if rights[node] > 0:
                    n_before = n_waiting
                    for side in range(2):
                        child = rights[node] if side else node + 1
                        if child != below and node_component[child] != own:
                            bound = _bound(tree, surroundings, child, i, limit)
                            if bound < limit:
                                let_wait(waiting, bounds, n_before, n_waiting, child, bound)
                                n_waiting += 1
                    continue
                for j in range(starts[node], ends[node]):
                    if component[j] != own:
                        height = np.sqrt(squared_distance(points, i, j))
                        if height < limit:
                            height += _toll(density[i], density[j])
                            if height < limit:
                                limit = height
                                found = j
            radius = limit * _MORE
            if above == 0 or is_inside(points, tree.lower, tree.upper, above, i, radius * radius):
                break
            below = above
            above = tree.parent[below]
        forest.bound[i] = limit
        forest.partner[i] = found
        if limit < cheapest[own]:
            cheapest[own] = limit
