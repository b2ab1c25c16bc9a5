"""The minimum spanning trees for many min_points, from one search.

Write m for min_points, c_m(x) for the core distance of x, d(x, y) for a distance and
w_m(x, y) = max(c_m(x), c_m(y), d(x, y)) for what an edge costs. Let M be a minimum spanning tree
for some k, and let each point have a list of its k nearest points, itself counted, copies counted,
ties cut anywhere. Then for every m <= k, M and the lists hold a minimum spanning tree for m:

    An edge (x, y) in neither has d(x, y) >= c_k(x) and d(x, y) >= c_k(y), since neither end lists
    the other. So it costs d(x, y) for k, and for m too, as core distances only fall with m. M joins
    x and y by edges that cost at most w_k(x, y) = d(x, y) for k, hence no more for m. So the edge
    is one of the dearest of a cycle whose other edges are in M, and can be spared; all such edges
    can be spared at once, since M stays.

So from the largest value the trees are walked down, each from the one above it. Heights and core
distances are those of any minimum spanning tree: the same bits as if the tree were built alone.
Which edges of the lists must be looked at, when the tree above is that for k:

- a listed y among the m nearest of x with c_m(y) <= c_m(x) costs c_m(x), and no edge of x costs
  less. So one of them is taken at once, for each x that has one: the free round. (Of points with
  equal core distances only those with the larger number take one, so that no cycle is closed.)
  No other y among the m nearest is needed: from c_m(y) > c_m(x) >= d(x, y) it follows that x is
  among the m nearest of y, however ties are cut, so that y tells of the edge.
- a listed y from the (m + 1)-th to the k-th nearest of x costs max(c_m(y), d(x, y)).

Boruvka's rounds over these edges and those of M, which lose the edges within components, do the
rest. Of the cheapest edges of a component one is taken: with ties, several might close a cycle.

Everything here is in the units of the metric: distances are a rising function of squares, and so
are their largest ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.neighborhoods import Neighborhoods
from disco_cvi._spanning_tree.boruvka import Edges, root
from disco_cvi._spanning_tree.mutual_reachability import Spanned, spanning_tree_of

# Lists of neighbors may take this much memory; larger values of min_points are built alone.
_MOST_BYTES = 1 << 31
_BYTES_PER_NEIGHBOR = 20
_RANGE = 1 << 14


class Lists(NamedTuple):
    """The nearest points of each point, from itself to the farthest, and how far they are."""

    nearest: NDArray[np.int32]
    distances: FloatArray


class LongEdges(NamedTuple):
    """The edges of a tree, and how long they are, whatever they cost."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    heights: FloatArray
    lengths: FloatArray


class Step(NamedTuple):
    """From the tree for `above` down to that for `min_points`, whose core distances are `core`."""

    lists: Lists
    core: FloatArray
    min_points: int
    above: int
    edges_above: LongEdges


class Candidates(NamedTuple):
    """Edges between two components that may be in the tree.

    `source` says where an edge comes from: ``i * above + t`` for the t-th neighbor of point i;
    ``n_points * above + e`` for edge e of the tree above.
    """

    one: NDArray[np.int32]
    other: NDArray[np.int32]
    heights: FloatArray
    source: NDArray[np.int64]


def spanning_trees_of(points: Points, values: Sequence[int]) -> Iterator[tuple[int, Spanned]]:
    """Span points under their metric for each of several min_points, the largest first.

    What was found for a value may be dropped before the next is asked for: only the lists, 12 bytes
    for each neighbor, stay until the end.
    """
    falling = sorted(set(values), reverse=True)
    if len(falling) > 1 and not points.is_shared:
        points = replace(points, is_shared=True)  # one k-d tree, for as long as this takes
    most = _MOST_BYTES // (_BYTES_PER_NEIGHBOR * points.n_points)
    together = [value for value in falling if value <= most]
    if len(together) < 2:
        together = []
    for value in falling[: len(falling) - len(together)]:
        yield value, spanning_tree_of(points, value)
    if together:
        yield from _walk_down(points, together)


def _walk_down(points: Points, falling: Sequence[int]) -> Iterator[tuple[int, Spanned]]:
    largest = falling[0]
    found = spanning_tree_of(points, largest, n_kept=largest)
    near, n_jobs = found.neighborhoods, points.n_jobs
    lists = Lists(near.nearest, near.measure(points.metric)[0])
    for_ranges(lambda *bounds: _sort_lists(*lists, *bounds), len(lists.nearest), _RANGE, n_jobs)
    tree = found.spanning
    edges = _empty_edges(len(tree.core))
    _measure_edges(lists, tree.edges, edges)
    above = largest
    for value in falling:
        if value < above:
            core = np.ascontiguousarray(lists.distances[:, value - 1])
            edges = _step_down(Step(lists, core, value, above, edges), n_jobs)
            tree = tree._replace(core=core, edges=Edges(*edges[:3]))
            above = value
        yield value, Spanned(tree, found.exponent, _nearest_of(near, lists, value))


def _empty_edges(n_points: int) -> LongEdges:
    kinds = (np.int32, np.int32, np.float64, np.float64)
    return LongEdges._make(np.empty(n_points - 1, kind) for kind in kinds)


def _nearest_of(near: Neighborhoods, lists: Lists, min_points: int) -> Neighborhoods:
    """What the tree knows of neighbors: nobody, if they can be searched again from coordinates."""
    if near.distances is None:
        return near._replace(nearest=near.nearest[:, :0].copy())
    kept = slice(0, min_points)
    return near._replace(nearest=lists.nearest[:, kept], distances=lists.distances[:, kept])


def _step_down(step: Step, n_jobs: int) -> LongEdges:
    """Return the edges of the tree for the smaller of the two values."""
    n_points = len(step.core)
    edges = _empty_edges(n_points)
    ranks, component = np.empty(n_points, np.int32), np.empty(n_points, np.int32)

    def choose(begin: int, stop: int) -> None:
        _choose_partners(step, ranks, component, begin, stop)

    for_ranges(choose, n_points, _RANGE, n_jobs)
    n_components = _join_partners(step, ranks, component, edges)
    if n_components > 1:
        candidates = _collect(step, component, n_jobs)
        _join_candidates(step, candidates, n_components, edges)
    return edges


def _collect(step: Step, component: NDArray[np.int32], n_jobs: int) -> Candidates:
    """Return the edges between components; each range of points first writes into its own row."""
    n_points = len(step.core)
    most = (step.above + 1) * min(_RANGE, n_points)
    room = min(most, (step.above - step.min_points + 3) * _RANGE)
    while True:
        shape = (-(-n_points // _RANGE), room)
        kinds = (np.int32, np.int32, np.float64, np.int64)
        candidates = Candidates._make(np.empty(shape, kind) for kind in kinds)

        def collect(begin: int, stop: int, candidates: Candidates = candidates) -> int:
            row = Candidates._make(part[begin // _RANGE] for part in candidates)
            return int(_collect_range(step, component, row, begin, stop))

        counts = np.array(for_ranges(collect, n_points, _RANGE, n_jobs), np.int64)
        if counts.max() <= room:
            flat = Candidates._make(part.ravel() for part in candidates)
            n_candidates = _close_gaps(flat, counts, room)
            return Candidates._make(part[:n_candidates] for part in flat)
        room = int(counts.max())


@kernel
def _sort_lists(nearest, distances, begin, stop):
    """Sort the neighbors of each point by distance (Shell's way; heaps are nearly sorted)."""
    size = nearest.shape[1]
    for i in range(begin, stop):
        for t in range(size // 2):
            other = size - 1 - t
            nearest[i, t], nearest[i, other] = nearest[i, other], nearest[i, t]
            distances[i, t], distances[i, other] = distances[i, other], distances[i, t]
        gap = 1
        while gap < size // 9:
            gap = 3 * gap + 1
        while gap > 0:
            for t in range(gap, size):
                neighbor = nearest[i, t]
                distance = distances[i, t]
                place = t
                while place >= gap and distances[i, place - gap] > distance:
                    distances[i, place] = distances[i, place - gap]
                    nearest[i, place] = nearest[i, place - gap]
                    place -= gap
                distances[i, place] = distance
                nearest[i, place] = neighbor
            gap //= 3


@kernel
def _measure_edges(lists, edges, measured):
    """Copy the edges of a tree, and tell how long they are.

    An edge that neither end lists is as long as it is high.
    """
    nearest, distances = lists.nearest, lists.distances
    for e in range(edges.heights.shape[0]):
        i = edges.first[e]
        j = edges.second[e]
        measured.first[e] = i
        measured.second[e] = j
        measured.heights[e] = edges.heights[e]
        measured.lengths[e] = edges.heights[e]
        for t in range(nearest.shape[1]):
            if nearest[i, t] == j:
                measured.lengths[e] = distances[i, t]
                break
            if nearest[j, t] == i:
                measured.lengths[e] = distances[j, t]
                break


@kernel
def _choose_partners(step, ranks, partner, begin, stop):
    """For each point a near one with a smaller core distance, and its rank; or itself, and -1."""
    nearest, core = step.lists.nearest, step.core
    for i in range(begin, stop):
        ranks[i] = -1
        partner[i] = i
        for t in range(step.min_points):
            j = nearest[i, t]
            if core[j] < core[i] or (core[j] == core[i] and j < i):
                ranks[i] = t
                partner[i] = j
                break


@kernel
def _join_partners(step, ranks, component, edges):
    """The free round: all partners become edges. Name components 0, 1, ...; return how many.

    `component` holds the partners at first.
    """
    n_points = component.shape[0]
    number = np.empty(n_points, np.int32)
    n_components = 0
    for i in range(n_points):
        if ranks[i] < 0:
            number[i] = n_components
            n_components += 1
        else:
            e = i - n_components
            edges.first[e] = i
            edges.second[e] = component[i]
            edges.heights[e] = step.core[i]
            edges.lengths[e] = step.lists.distances[i, ranks[i]]
    for i in range(n_points):
        component[i] = root(component, i)
    for i in range(n_points):
        component[i] = number[component[i]]
    return n_components


@kernel
def _collect_range(step, component, row, begin, stop):
    """Fill a row with edges between components that points begin to stop - 1 tell of.

    The edges of the tree above are shared out among the ranges as points are. Returns how many
    edges there are, also if the row does not hold them all.
    """
    nearest, distances = step.lists.nearest, step.lists.distances
    core, above, old = step.core, step.above, step.edges_above
    room = row.one.shape[0]
    outside = np.empty(above + 1, np.int64)
    n_found = 0
    for i in range(begin, stop):
        own = component[i]
        # Without a branch, which could not be foreseen.
        n_outside = 0
        for t in range(above):
            outside[n_outside] = t
            n_outside += component[nearest[i, t]] != own
        last = own
        before = own
        for place in range(n_outside):
            t = outside[place]
            j = nearest[i, t]
            other = component[j]
            if other in (last, before):
                continue
            if t >= step.min_points:
                height = max(core[j], distances[i, t])
            elif core[j] <= core[i]:
                height = core[i]
                before = last
                last = other
            else:
                continue
            if n_found < room:
                row.one[n_found] = own
                row.other[n_found] = other
                row.heights[n_found] = height
                row.source[n_found] = i * above + t
            n_found += 1
    for e in range(begin, min(stop, old.first.shape[0])):
        i = old.first[e]
        j = old.second[e]
        if component[i] != component[j]:
            if n_found < room:
                row.one[n_found] = component[i]
                row.other[n_found] = component[j]
                row.heights[n_found] = max(max(core[i], core[j]), old.lengths[e])
                row.source[n_found] = core.shape[0] * above + e
            n_found += 1
    return n_found


@kernel
def _close_gaps(candidates, counts, room):
    """Move the rows of candidates together; return how many there are."""
    place = counts[0]
    for row in range(1, counts.shape[0]):
        for e in range(row * room, row * room + counts[row]):
            candidates.one[place] = candidates.one[e]
            candidates.other[place] = candidates.other[e]
            candidates.heights[place] = candidates.heights[e]
            candidates.source[place] = candidates.source[e]
            place += 1
    return place


@kernel
def _join_candidates(step, candidates, n_components, edges):
    """Boruvka's rounds over the candidates, of which those within components are dropped."""
    one, other, heights, source = candidates
    parent = np.arange(n_components).astype(np.int32)
    winner = np.full(n_components, -1, np.int32)
    n_edges = step.core.shape[0] - n_components
    n_left = one.shape[0]
    while n_edges < step.core.shape[0] - 1:
        for e in range(n_left):
            if winner[one[e]] < 0 or heights[e] < heights[winner[one[e]]]:
                winner[one[e]] = e
            if winner[other[e]] < 0 or heights[e] < heights[winner[other[e]]]:
                winner[other[e]] = e
        for c in range(n_components):
            e = winner[c]
            winner[c] = -1
            if e < 0:
                continue
            a = root(parent, one[e])
            b = root(parent, other[e])
            if a != b:
                parent[max(a, b)] = min(a, b)
                _take(step, source[e], heights[e], edges, n_edges)
                n_edges += 1
        for c in range(n_components):
            parent[c] = parent[parent[c]]
        place = 0
        for e in range(n_left):
            a = parent[one[e]]
            b = parent[other[e]]
            if a != b:
                one[place] = a
                other[place] = b
                heights[place] = heights[e]
                source[place] = source[e]
                place += 1
        n_left = place


@kernel
def _take(step, source, height, edges, e):
    """Write a candidate as edge e of the tree."""
    n_listed = step.core.shape[0] * step.above
    edges.heights[e] = height
    if source < n_listed:
        i = source // step.above
        t = source % step.above
        edges.first[e] = i
        edges.second[e] = step.lists.nearest[i, t]
        edges.lengths[e] = step.lists.distances[i, t]
    else:
        old = step.edges_above
        edges.first[e] = old.first[source - n_listed]
        edges.second[e] = old.second[source - n_listed]
        edges.lengths[e] = old.lengths[source - n_listed]
