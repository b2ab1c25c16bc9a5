"""Fragments of all blocks and how they are joined: what is left to the client.

In each round every component of fragments, but for the heaviest, chooses **one** cheapest edge that
leaves it. A chosen edge is added where it joins two components that are not joined yet. What
results lies in a minimum spanning tree: suppose that one, M, holds all edges added so far, and that
component C chose e, which is not in M. Follow the way that M has between the ends of e, from C on.
It leaves C by an edge that costs no less than e. If that was not added in this round, it can be
exchanged for e. If it was, then the component D that it enters chose it (C chose e), so leaving D
again costs no less, and so on: as the ends of e are not joined yet, there is at last an edge that
was not added. It is essential that a component chooses one: if C also added another of its cheapest
edges, which enters D, then what leaves D might cost less than e.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._spanning_tree.boruvka import Edges, root
from disco_cvi.distributed.boxes import Boxes, gap, joined, merge_boxes, reach
from disco_cvi.distributed.local_tree import Fragments
from disco_cvi.distributed.rounds import Found, Seen, lower_limits
from disco_cvi.distributed.walk import NOWHERE

# A block whose points are of more components than this is one box of several to others.
_BOXES_PER_BLOCK = 4


class Known(NamedTuple):
    """Edges between fragments, and between points, as numbered over all blocks."""

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    edges: Edges


class Joining:
    """All fragments, their components, and the edges that are known between them.

    Attributes
    ----------
    first_point, first_fragment : ndarray of shape (n_blocks + 1,)
        Where the numbers of each block's points and fragments begin.
    n_components : int
        How many components are left.
    edges : list of Edges
        The edges that were added in each round.
    component : ndarray of shape (n_fragments,)
        The name of each fragment's component, from 0 to n_components - 1.
    """

    def __init__(self, fragments: Sequence[Fragments]) -> None:
        numbers = [len(part.out) for part in fragments]
        points = [part.n_points for part in fragments]
        self.first_point = np.cumsum([0, *points], dtype=np.int32)
        self.first_fragment = np.cumsum([0, *numbers], dtype=np.int32)
        self.n_components = int(self.first_fragment[-1])
        self.component = np.arange(self.n_components, dtype=np.int32)
        self._block = np.repeat(np.arange(len(numbers)), numbers)
        self._boxes = joined([merge_boxes(f.boxes, f.boxes.group, len(f.out)) for f in fragments])
        self._blocks = merge_boxes(self._boxes, self._block, len(numbers))
        self._out = np.concatenate([part.out for part in fragments])
        self._known = _joined_known(
            [
                self._numbered(block, block, part.first, part.second, part.edges)
                for block, part in enumerate(fragments)
            ]
        )
        self.edges: list[Edges] = []

    def _numbered(
        self,
        block: int | NDArray[np.int32],
        other: int,
        first: NDArray[np.int32],
        second: NDArray[np.int32],
        edges: Edges,
    ) -> Known:
        """Edges of blocks, numbered over all blocks."""
        return Known(
            first + self.first_fragment[block],
            second + self.first_fragment[other],
            Edges(
                edges.first + self.first_point[block],
                edges.second + self.first_point[other],
                edges.heights,
            ),
        )

    def limits(self) -> FloatArray:
        """The cheapest edge that is known to leave each component, or just above one that must."""
        first, second = self.component[self._known.first], self.component[self._known.second]
        self._known = _chosen_edges(self._known, first != second)
        limits = np.full(self.n_components, np.inf)
        for ends in (self._known.first, self._known.second):
            np.minimum.at(limits, self.component[ends], self._known.edges.heights)
        weight = np.bincount(self.component, self._boxes.points)
        limits[int(weight.argmax())] = NOWHERE
        coarse = self._coarse_boxes()
        lower_limits(coarse, coarse, limits)
        return limits

    def _coarse_boxes(self) -> Boxes:
        """For each block a box for each of its components; if these are many, one for all."""
        name = self._block * self.n_components + self.component
        present = np.unique(name) // self.n_components
        is_many = np.bincount(present)[self._block] > _BOXES_PER_BLOCK
        name[is_many] = -1 - self._block[is_many]
        names, code = np.unique(name, return_inverse=True)
        component = np.where(names < 0, -1, names % self.n_components).astype(np.int32)
        return merge_boxes(self._boxes, code, len(names))._replace(group=component)

    def near(self, limits: FloatArray) -> list[NDArray[np.int32]]:
        """For each block, which others may hold what its components look for."""
        n_blocks = len(self.first_fragment) - 1
        is_near = np.zeros((n_blocks, n_blocks), bool)
        state = (self.component, self._out, limits, self.first_fragment)
        _find_near(self._boxes, self._blocks, state, is_near)
        return [np.flatnonzero(row).astype(np.int32) for row in is_near]

    def names(self, block: int) -> NDArray[np.int32]:
        """The components of a block's fragments."""
        return self.component[self.first_fragment[block] : self.first_fragment[block + 1]]

    def seen(self, block: int, near: NDArray[np.int32], limits: FloatArray) -> Seen:
        """The components as a block sees them."""
        own = self.names(block)
        parts = [own, *map(self.names, near.tolist())]
        names, places = np.unique(np.concatenate(parts), return_inverse=True)
        code = places.astype(np.int32)
        return Seen(code[: len(own)], code[len(own) :], names, limits[names])

    def join(self, limits: FloatArray, found: Sequence[tuple[int, Found]]) -> int:
        """Add what blocks answered and join components; return how many edges were added."""
        more = [
            self._numbered(
                answer.asker,
                block,
                answer.fragment,
                answer.partner_fragment,
                Edges(answer.number, answer.partner, answer.heights),
            )
            for block, answer in found
        ]
        self._known = _joined_known([self._known, *more])
        is_chosen = np.zeros(len(self._known.first), bool)
        parent = np.arange(self.n_components, dtype=np.int32)
        ends = self.component[self._known.first], self.component[self._known.second]
        _choose(Edges(*ends, self._known.edges.heights), limits, parent, is_chosen)
        self.edges.append(_chosen_edges(self._known, is_chosen).edges)
        names, code = np.unique(parent, return_inverse=True)
        self.component = code.astype(np.int32)[self.component]
        self.n_components = len(names)
        return int(is_chosen.sum())


def joined_edges(parts: Sequence[Edges]) -> Edges:
    """All edges, one part after the other."""
    return Edges._make(np.concatenate(values) for values in zip(*parts, strict=True))


def _joined_known(parts: Sequence[Known]) -> Known:
    first, second, edges = zip(*parts, strict=True)
    return Known(np.concatenate(first), np.concatenate(second), joined_edges(edges))


def _chosen_edges(known: Known, chosen: NDArray[np.bool_]) -> Known:
    edges = Edges._make(values[chosen] for values in known.edges)
    return Known(known.first[chosen], known.second[chosen], edges)


def near_blocks(blocks: Boxes, limit: FloatArray, at_least: int = 0) -> list[NDArray[np.int32]]:
    """For each block, those no farther than its limit, and at least so many of the nearest."""
    gaps = np.empty((len(limit), len(limit)))
    box_gaps(blocks, gaps)
    np.fill_diagonal(gaps, np.inf)
    near = []
    for block, row in enumerate(gaps):
        is_near = row <= limit[block]
        is_near[np.argsort(row, kind="stable")[:at_least]] = True
        is_near[block] = False
        near.append(np.flatnonzero(is_near).astype(np.int32))
    return near


def farthest_corners(blocks: Boxes, n_points: int) -> FloatArray:
    """For each block, how far its points are at most from `n_points` points of another block."""
    limit = np.full(len(blocks.group), np.inf)
    _find_corners(blocks, n_points, limit)
    return limit


@kernel
def box_gaps(boxes, gaps):
    """Squared distances of all boxes to all boxes."""
    lower, upper = boxes.lower, boxes.upper
    for a in range(gaps.shape[0]):
        for b in range(gaps.shape[1]):
            gaps[a, b] = gap(lower, upper, a, lower, upper, b)


@kernel
def _find_corners(boxes, n_points, limit):
    lower, upper = boxes.lower, boxes.upper
    for a in range(limit.shape[0]):
        for b in range(limit.shape[0]):
            if a != b and boxes.points[b] >= n_points:
                limit[a] = min(limit[a], reach(lower, upper, a, lower, upper, b))


@kernel
def _find_near(boxes, blocks, state, is_near):
    """A block is near if some fragment there, of another component, may have an edge below a limit.

    Fragments whose edges to other blocks all cost as much as their limit look nowhere.
    """
    component, out, limits, first = state
    n_blocks = is_near.shape[0]
    for a in range(n_blocks):
        farthest = -1.0
        for f in range(first[a], first[a + 1]):
            if out[f] < limits[component[f]]:
                farthest = max(farthest, limits[component[f]])
        for b in range(n_blocks):
            nearest = gap(blocks.lower, blocks.upper, a, blocks.lower, blocks.upper, b)
            if a == b or max(nearest, blocks.least[b]) >= farthest:
                continue
            for f in range(first[a], first[a + 1]):
                limit = limits[component[f]]
                if is_near[a, b] or out[f] >= limit:
                    continue
                nearest = gap(boxes.lower, boxes.upper, f, blocks.lower, blocks.upper, b)
                if nearest >= limit:
                    continue
                for g in range(first[b], first[b + 1]):
                    if component[g] == component[f] or boxes.least[g] >= limit:
                        continue
                    if gap(boxes.lower, boxes.upper, f, boxes.lower, boxes.upper, g) < limit:
                        is_near[a, b] = True
                        break


@kernel
def _choose(edges, limits, parent, is_chosen):
    """One cheapest edge for each component that searched; it is added where it joins two."""
    winner = np.full(limits.shape[0], -1)
    for edge in range(edges.heights.shape[0]):
        for c in (edges.first[edge], edges.second[edge]):
            best = winner[c]
            if limits[c] >= 0.0 and (best < 0 or edges.heights[edge] < edges.heights[best]):
                winner[c] = edge
    for c in range(limits.shape[0]):
        edge = winner[c]
        if edge < 0:
            continue
        a = root(parent, edges.first[edge])
        b = root(parent, edges.second[edge])
        if a != b:
            parent[max(a, b)] = min(a, b)
            is_chosen[edge] = True
    for c in range(limits.shape[0]):
        parent[c] = root(parent, c)
