"""Boruvka's rounds: components of points, joined by their cheapest edges until one is left.

In each round every component asks for its cheapest edge to another component. A point remembers
the cheapest edge it found and a bound below which it has none: both stay true while components
grow, so most points never search again. How points search is up to the caller.

A component is named after its first point. So where points are taken range by range, in threads,
what is known of a component is gathered by the range of its first point, in slots that no other
range writes to; the few ranges that hold other points of it tell what they found, and that is
added afterwards, in the order of the ranges. Joining components is left to one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.core_distances import Neighbors

_POINTS_PER_RANGE = 1 << 15


class Edges(NamedTuple):
    """Edge e joins the points first[e] and second[e] at heights[e] (squared, as distances are)."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    heights: NDArray[np.float64]


class SpanningTree(NamedTuple):
    """The tree over distinct points.

    Point i stands for ``multiplicity[i]`` rows of the input; `rows` lists them, point after point.
    """

    rows: NDArray[np.int32]
    multiplicity: NDArray[np.int32]
    core: NDArray[np.float64]
    edges: Edges


class Forest(NamedTuple):
    """What the rounds know of each point and, in `cheapest` and `winner`, of each component.

    ``bound[i]``: no edge from point i to another component is cheaper; ``partner[i]``: the other
    end of an edge that costs just that, or -1. A component is named after its first point.
    ``cheapest[c]``: the cheapest edge known to leave component c; -1 for a component that sits out.
    """

    core: NDArray[np.float64]
    component: NDArray[np.int32]
    bound: NDArray[np.float64]
    partner: NDArray[np.int32]
    cheapest: NDArray[np.float64]
    winner: NDArray[np.int32]


class Told(NamedTuple):
    """What a range of points knows of components that are named after points before it."""

    component: NDArray[np.int32]
    cheapest: NDArray[np.float64]
    size: NDArray[np.int32]


def grow_forest(neighbors: Neighbors, search: Callable[[Forest], None], n_jobs: int = 1) -> Edges:
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
        core.copy(),
        np.full(n_points, -1, np.int32),
        np.full(n_points, np.inf),
        np.empty(n_points, np.int32),
    )
    edges = Edges(
        np.empty(n_points - 1, np.int32), np.empty(n_points - 1, np.int32), np.empty(n_points - 1)
    )
    _renew_components(forest, neighbors.nearest, n_jobs)
    n_edges = _join_components(forest, edges, 0, n_jobs)
    while n_edges < n_points - 1:
        _renew_components(forest, neighbors.nearest, n_jobs)
        search(forest)
        n_before, n_edges = n_edges, _join_components(forest, edges, n_edges, n_jobs)
        if n_edges == n_before:
            break
    return Edges(edges.first[:n_edges], edges.second[:n_edges], edges.heights[:n_edges])


def _renew_components(forest: Forest, nearest: NDArray[np.int32], n_jobs: int) -> None:
    """Name every point's component anew, and find what is known to leave it.

    The largest component is left out of the next round: the others find the edges that join it,
    and late rounds would spend most of their time on its points.
    """
    n_points = len(forest.core)

    def rename(begin: int, stop: int) -> tuple[int, Told]:
        size = stop - begin
        told = Told(np.empty(size, np.int32), np.empty(size), np.empty(size, np.int32))
        largest, n_told = _rename(forest, begin, stop, told)
        return largest, Told._make(values[:n_told] for values in told)

    # Names of all points come first: then everybody reads them where they stand.
    found = for_ranges(rename, n_points, _POINTS_PER_RANGE, n_jobs)
    # The first range has nothing to tell: no component is named before it.
    largest = found[0][0]
    for other, told in found[1:]:
        largest = _add_sizes(forest, told, largest, other)

    def look(begin: int, stop: int) -> None:
        told = found[begin // _POINTS_PER_RANGE][1]
        _look_at_neighbors(forest, nearest, largest, begin, stop, told)

    for_ranges(look, n_points, _POINTS_PER_RANGE, n_jobs)
    for _, told in found[1:]:
        np.minimum.at(forest.cheapest, told.component, told.cheapest)
    forest.cheapest[largest] = -1.0


def _join_components(forest: Forest, edges: Edges, n_edges: int, n_jobs: int) -> int:
    """Add the cheapest edge of each component to the edges; return how many there are then."""

    def choose(begin: int, stop: int) -> NDArray[np.int32]:
        told = np.empty(stop - begin, np.int32)
        return told[: _choose(forest, begin, stop, told)]

    for told in for_ranges(choose, len(forest.core), _POINTS_PER_RANGE, n_jobs)[1:]:
        _add_chosen(forest, told)
    return int(_join(forest, edges, n_edges))


@kernel
def _rename(forest, begin, stop, told):
    """Name the components of points begin to stop - 1 after their first points, and count points.

    Returns the largest component here, and of how many components named before `begin` is told.
    """
    component, cheapest, size = forest.component, forest.cheapest, forest.winner
    for i in range(begin, stop):
        cheapest[i] = np.inf
        size[i] = 0
    largest = begin
    n_told = 0
    for i in range(begin, stop):
        c = _name(component, i)
        component[i] = c
        if c >= begin:
            size[c] += 1
            if size[c] > size[largest]:
                largest = c
            continue
        if n_told == 0 or told.component[n_told - 1] != c:
            told.component[n_told] = c
            told.cheapest[n_told] = np.inf
            told.size[n_told] = 0
            n_told += 1
        told.size[n_told - 1] += 1
    return largest, n_told


@kernel
def _add_sizes(forest, told, largest, other):
    """Add what a range told of components named before it; return the largest of all so far."""
    size = forest.winner
    if size[other] > size[largest]:
        largest = other
    for t in range(told.size.shape[0]):
        c = told.component[t]
        size[c] += told.size[t]
        if size[c] > size[largest]:
            largest = c
    return largest


@kernel
def _look_at_neighbors(forest, nearest, largest, begin, stop, told):
    """Find what is known to leave the components of points begin to stop - 1.

    A neighbor with a core distance no larger, in another component, gives an edge that nothing can
    beat. Where no neighbor does, none ever will, and the partner is -2.
    """
    core, component, bound, partner = forest.core, forest.component, forest.bound, forest.partner
    run = 0
    for i in range(begin, stop):
        c = component[i]
        if c == largest:
            continue
        leaves = partner[i] >= 0 and component[partner[i]] != c
        if not leaves and partner[i] > -2 and bound[i] <= core[i]:
            partner[i] = -2
            for t in range(nearest.shape[1]):
                j = nearest[i, t]
                if j >= 0 and core[j] <= core[i] and component[j] != c:
                    partner[i] = j
                    leaves = True
                    break
        if not leaves:
            continue
        if c >= begin:
            forest.cheapest[c] = min(forest.cheapest[c], bound[i])
            continue
        while told.component[run] != c:
            run += 1
        told.cheapest[run] = min(told.cheapest[run], bound[i])


@kernel
def _choose(forest, begin, stop, told):
    """Find the points begin to stop - 1 that know the cheapest edge of their component.

    Of components named before `begin` they are told, and their number is returned.
    """
    component, bound, partner, winner = (
        forest.component,
        forest.bound,
        forest.partner,
        forest.winner,
    )
    for i in range(begin, stop):
        winner[i] = -1
    n_told = 0
    for i in range(begin, stop):
        c = component[i]
        # Most know none so cheap, and all of the component that sits out.
        if bound[i] > forest.cheapest[c] or partner[i] < 0 or component[partner[i]] == c:
            continue
        if c >= begin:
            if winner[c] < 0 or bound[i] < bound[winner[c]]:
                winner[c] = i
        elif n_told == 0 or component[told[n_told - 1]] != c:
            told[n_told] = i
            n_told += 1
        elif bound[i] < bound[told[n_told - 1]]:
            told[n_told - 1] = i
    return n_told


@kernel
def _add_chosen(forest, told):
    bound, winner = forest.bound, forest.winner
    for i in told:
        c = forest.component[i]
        if winner[c] < 0 or bound[i] < bound[winner[c]]:
            winner[c] = i


@inline_kernel
def _name(component, i):
    """The first point of the component of point i; nothing is written, so threads may ask."""
    while component[i] != i:
        i = component[i]
    return i


@inline_kernel
def root(parent, i):
    """The first point of the component of point i, by way of its parents, which are shortened."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def _join(forest, edges, n_edges):
    """Add the edges of the winners to the edges; return how many there are then.

    With ties, the cheapest edges may close a cycle: an edge is added only where it joins two
    components. What results is a minimum spanning forest all the same: follow the cycle from the
    edge; each edge that another component chose is no cheaper than the one before, up to an edge
    that was not chosen, which can be exchanged.
    """
    component, winner = forest.component, forest.winner
    for c in range(component.shape[0]):
        i = winner[c]
        if i < 0:
            continue
        j = forest.partner[i]
        a = root(component, i)
        b = root(component, j)
        if a != b:
            component[max(a, b)] = min(a, b)
            edges.first[n_edges] = i
            edges.second[n_edges] = j
            edges.heights[n_edges] = forest.bound[i]
            n_edges += 1
    return n_edges
