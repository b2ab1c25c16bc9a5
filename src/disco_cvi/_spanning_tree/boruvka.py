"""Boruvka's rounds: components of points, joined by their cheapest edges until one is left.

In each round every component asks for its cheapest edge to another component. A point remembers
the cheapest edge it found and a bound below which it has none: both stay true while components
grow, so most points never search again. How points search is up to the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.core_distances import Neighbors


class Edges(NamedTuple):
    """Edge e joins the points first[e] and second[e] at heights[e] (squared, as distances are)."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    heights: NDArray[np.float64]


class Forest(NamedTuple):
    """What the rounds know of each point and, in `cheapest` and `winner`, of each component.

    ``bound[i]``: no edge from point i to another component is cheaper; ``partner[i]``: the other
    end of an edge that costs just that, or -1. A component is named after one of its points.
    ``cheapest[c]``: the cheapest edge known to leave component c; -1 for a component that sits out.
    """

    core: NDArray[np.float64]
    component: NDArray[np.int32]
    bound: NDArray[np.float64]
    partner: NDArray[np.int32]
    cheapest: NDArray[np.float64]
    winner: NDArray[np.int32]


def grow_forest(neighbors: Neighbors, search: Callable[[Forest], None]) -> Edges:
    """Join components until one is left.

    `search` must look, for every point whose bound lies below what is known to leave its
    component, for a cheaper edge. The first round is free: the nearest neighbors tell it. A round
    that joins nothing is the last.
    """
    core = neighbors.core
    n_points = len(core)
    forest = Forest(
        core,
        np.arange(n_points, dtype=np.int32),
        np.empty(n_points),
        np.empty(n_points, np.int32),
        np.full(n_points, np.inf),
        np.empty(n_points, np.int32),
    )
    edges = Edges(
        np.empty(n_points - 1, np.int32), np.empty(n_points - 1, np.int32), np.empty(n_points - 1)
    )
    _first_partners(forest, neighbors.nearest)
    n_edges = _join_components(forest, edges, 0)
    while n_edges < n_points - 1:
        search(forest)
        n_before, n_edges = n_edges, _join_components(forest, edges, n_edges)
        if n_edges == n_before:
            break
    return Edges(edges.first[:n_edges], edges.second[:n_edges], edges.heights[:n_edges])


@kernel
def _first_partners(forest, nearest):
    """A neighbor with a core distance no larger gives an edge that nothing can beat."""
    core, partner = forest.core, forest.partner
    for i in range(core.shape[0]):
        forest.bound[i] = core[i]
        partner[i] = -1
        for t in range(nearest.shape[1]):
            j = nearest[i, t]
            if j >= 0 and j != i and core[j] <= core[i]:
                partner[i] = j
                break


@inline_kernel
def root(parent, i):
    """The first point of the component of point i, by way of its parents, which are shortened."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def _join_components(forest, edges, n_edges):
    """Add the cheapest edge of each component, then renew components and what leaves them.

    With ties, the cheapest edges may close a cycle: an edge is added only where it joins two
    components. What results is a minimum spanning forest all the same: follow the cycle from the
    edge; each edge that another component chose is no cheaper than the one before, up to an edge
    that was not chosen, which can be exchanged.
    """
    component, bound, partner = forest.component, forest.bound, forest.partner
    cheapest, winner = forest.cheapest, forest.winner
    n_points = component.shape[0]
    for i in range(n_points):
        winner[i] = -1
    for i in range(n_points):
        c = component[i]
        leaves = partner[i] >= 0 and component[partner[i]] != c
        if leaves and cheapest[c] >= 0.0 and (winner[c] < 0 or bound[i] < bound[winner[c]]):
            winner[c] = i
    for c in range(n_points):
        i = winner[c]
        if i < 0:
            continue
        a = root(component, i)
        b = root(component, partner[i])
        if a != b:
            component[max(a, b)] = min(a, b)
            edges.first[n_edges] = i
            edges.second[n_edges] = partner[i]
            edges.heights[n_edges] = bound[i]
            n_edges += 1
    _renew(forest)
    return n_edges


@kernel
def _renew(forest):
    """Name every point's component anew, and find what is known to leave it.

    The largest component is left out of the next round: the others find the edges that join it,
    and late rounds would spend most of their time on its points.
    """
    component, bound, partner = forest.component, forest.bound, forest.partner
    cheapest, size = forest.cheapest, forest.winner
    n_points = component.shape[0]
    for i in range(n_points):
        component[i] = root(component, i)
        cheapest[i] = np.inf
        size[i] = 0
    largest = 0
    for i in range(n_points):
        c = component[i]
        size[c] += 1
        if size[c] > size[largest]:
            largest = c
        if partner[i] >= 0 and component[partner[i]] != c:
            cheapest[c] = min(cheapest[c], bound[i])
    cheapest[largest] = -1.0
