"""Boruvka's rounds with lists of neighbors: most points never look beyond their list.

Let r be the radius of the list of point i: whoever is not in it is at a squared distance of r at
least. So the cheapest edge in the list from i to another component is the cheapest of all such
edges of i, if it costs no more than r, or no more than the core distance of i, which no edge of i
undercuts. If it costs more, because the other end has a larger core distance or because all of the
list is in the component of i, then at least this is known: no edge of i costs less than r or than
its core distance. That is a bound for the rounds to come, as components only grow.

A listed edge, sure or not, is also an edge of the component at its other end, so the cheapest edge
of neither component costs more. A component's limit becomes the next number above what such an edge
costs: its cheapest edge is cheaper than that, and every point that has it searches, for its bound
lies below the limit, and finds it.

Points whose bound still lies below the limit of their component must search elsewhere: how, is up
to the caller.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._spanning_tree.boruvka import Edges, Forest, grow_forest

_RANGE = 1 << 14


def grow_by_lists(
    lists: NeighborLists,
    neighbors: Neighbors,
    search_on: Callable[[Forest, NDArray[np.int32]], None],
    n_jobs: int = 1,
) -> Edges:
    """Join components by the edges of the lists, as far as these tell.

    In every round, ``search_on(forest, points)`` gets the points whose lists do not tell. It must
    find the cheapest edge of each, as `grow_forest` asks for; or set ``forest.cheapest`` of their
    components to -1, so that these choose no edge in this round. The rounds end with one component,
    or when none can choose: then there are fewer edges than points less one.
    """

    def search(forest: Forest) -> None:
        def scan(begin: int, stop: int) -> None:
            _scan_lists(forest, lists.numbers, lists.squares, begin, stop)

        # One after the other: what is left to `search_on` must not depend on threads.
        for_ranges(scan, len(forest.core), _RANGE, 1)
        points = searching(forest)
        if len(points):
            search_on(forest, points)

    return grow_forest(neighbors, search, n_jobs)


def searching(forest: Forest) -> NDArray[np.int32]:
    """The points that may have a cheaper edge than any that is known to leave their component."""
    points = np.flatnonzero(forest.bound < forest.cheapest[forest.component])
    return points.astype(np.int32)


@inline_kernel
def _lower(cheapest, c, height):
    """An edge of component c costs `height`: its limit is the next number above, or less."""
    if height < cheapest[c]:
        cheapest[c] = min(cheapest[c], np.nextafter(height, np.inf))


@kernel
def _scan_lists(forest, numbers, squares, begin, stop):
    """Find the cheapest listed edge of points begin to stop - 1, and what it tells.

    Lists that miss some near points may tell a point of an edge that another takes for impossible.
    """
    core, component, cheapest = forest.core, forest.component, forest.cheapest
    bound, partner = forest.bound, forest.partner
    length = numbers.shape[1]
    for i in range(begin, stop):
        own = component[i]
        best = np.inf
        found = -1
        for t in range(length):
            j = numbers[i, t]
            if j < 0 or squares[i, t] >= best:
                break
            if component[j] != own:
                height = max(max(squares[i, t], core[j]), core[i])
                _lower(cheapest, component[j], height)
                if height < bound[j]:
                    bound[j] = height
                    partner[j] = i
                if height < best:
                    best = height
                    found = j
        if bound[i] >= cheapest[own]:
            continue
        least = max(squares[i, length - 1], core[i])
        if best <= least:
            bound[i] = best
            partner[i] = found
            if best < cheapest[own]:
                cheapest[own] = best
        else:
            _lower(cheapest, own, best)
            if least > bound[i]:
                bound[i] = least
                partner[i] = -1
