"""What a block does in a round: it asks other blocks for cheaper edges, and answers them.

**A component's cheapest edge.** The limit of a component is the cost of the cheapest edge that is
known to leave it, or just above that of an edge that must exist: between two boxes of different
components every edge costs at most what their farthest corners and largest core distances say. A
point x of the component asks every block that has a box, of another component, in which an edge
from x may cost less than the limit; a point whose edges to other blocks all cost as much or more
asks nobody. Whoever is asked answers with the cheapest edges below the limit. So the cheapest edge
known after that is the cheapest: within the block of x it is an edge of the block's own tree, which
is known. A block that lowers a limit by boxes of its own finds an edge below it, as the points in
these boxes ask for it.

Rounds remember nothing: a task depends on the block, the names of components and their limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._spanning_tree.node_cores import node_components, smallest_cores
from disco_cvi.distributed.block import Block, owners, with_points
from disco_cvi.distributed.boxes import Boxes, joined, reach
from disco_cvi.distributed.local_tree import Fragments, Local
from disco_cvi.distributed.walk import NOWHERE, Asked, Search, View, whom_to_ask

# If more than this share of the points would ask, limits are lowered by boxes first.
_MANY_QUESTIONS = 0.02
_FEW_QUESTIONS = 1000


class Questions(NamedTuple):
    """Points that ask a block for edges below a limit, the most promising first."""

    number: NDArray[np.int32]
    fragment: NDArray[np.int32]
    points: FloatArray
    core: FloatArray
    component: NDArray[np.int32]
    limit: FloatArray


class Found(NamedTuple):
    """Edges from points and fragments of one block (`asker`) to those of the one that answers."""

    asker: NDArray[np.int32]
    number: NDArray[np.int32]
    fragment: NDArray[np.int32]
    partner: NDArray[np.int32]
    partner_fragment: NDArray[np.int32]
    heights: FloatArray


class Seen(NamedTuple):
    """Components as one block sees them: of its own fragments, and of those of blocks nearby.

    They are numbered anew; ``names[c]`` is what component c is called everywhere, ``limits[c]`` its
    limit, NOWHERE for one that sits out.
    """

    own: NDArray[np.int32]
    others: NDArray[np.int32]
    names: NDArray[np.int32]
    limits: FloatArray


def ask_edges(
    block: Block,
    core: FloatArray,
    local: Local,
    fragments: Fragments,
    near: Sequence[int],
    others: Sequence[Fragments],
    seen: Seen,
) -> dict[int, Questions]:
    """What to ask each of the blocks `near`, whose fragments come after those of the block."""
    boxes = joined([other.boxes for other in others])
    first = np.cumsum([0, *(len(other.out) for other in others)])
    owner = owners([other.boxes for other in others])
    boxes = boxes._replace(group=seen.others[boxes.group + first[owner]])
    own = fragments.boxes._replace(group=seen.own[fragments.boxes.group])
    component, limits = seen.own[local.fragment], seen.limits.copy()
    view = View(boxes, owner, np.zeros(len(owner), bool))
    asked = _ask(block, core, local, component, limits, view)
    if len(asked.point) > _FEW_QUESTIONS + _MANY_QUESTIONS * len(core):
        lower_limits(own, boxes, limits)
        asked = _ask(block, core, local, component, limits, view)
    questions = {}
    by_promise = np.lexsort((asked.least, asked.owner))
    point, owner = asked.point[by_promise], asked.owner[by_promise]
    for place in np.unique(owner).tolist():
        i = point[owner == place]
        c = component[i]
        questions[near[place]] = Questions(
            i, local.fragment[i], block.tree.points[i], core[i], seen.names[c], limits[c]
        )
    return questions


def _ask(
    block: Block,
    core: FloatArray,
    local: Local,
    component: NDArray[np.int32],
    limits: FloatArray,
    view: View,
) -> Asked:
    limit = limits[component]
    limit[local.out >= limit] = NOWHERE
    common = np.empty(len(block.tree.start), np.int32)
    node_components(block.tree, component, common)
    return whom_to_ask(block.tree, Search(limit, core, component), common, view)


def answer_edges(
    block: Block,
    core: FloatArray,
    local: Local,
    me: int,
    names: NDArray[np.int32],
    askers: Sequence[int],
    questions: Sequence[Mapping[int, Questions]],
) -> Found:
    """The cheapest edge below its limit for each component that asks."""
    mine = [asked[me] for asked in questions]
    asked = Questions(*(np.concatenate(values) for values in zip(*mine, strict=True)))
    asker = np.repeat(np.array(askers, np.int32), [len(part.number) for part in mine])
    component = names[local.fragment]
    _, code = np.unique(asked.component, return_inverse=True)
    limits = np.full(int(code.max()) + 1, np.inf)
    np.minimum.at(limits, code, asked.limit)
    least, common = np.empty(len(block.tree.start)), np.empty(len(block.tree.start), np.int32)
    smallest_cores(block.tree, core, least)
    node_components(block.tree, component, common)
    heights, partner = np.empty(len(asker)), np.empty(len(asker), np.int32)
    tree = with_points(block.tree, asked.points)
    place = Answering(least, common, core, component, code, limits, heights, partner)
    search_foreign(tree, place, asked)
    chosen = (partner >= 0) & (heights <= limits[code])
    partner = partner[chosen]
    return Found(
        asker[chosen],
        asked.number[chosen],
        asked.fragment[chosen],
        partner,
        local.fragment[partner],
        heights[chosen],
    )


class Answering(NamedTuple):
    """What a search for others' edges reads of the block, and where it writes.

    ``limits[code[q]]``: the limit of the component of question q, lowered to what was found.
    """

    least: FloatArray
    common: NDArray[np.int32]
    core: FloatArray
    component: NDArray[np.int32]
    code: NDArray[np.intp]
    limits: FloatArray
    heights: FloatArray
    partner: NDArray[np.int32]


def lower_limits(own: Boxes, others: Boxes, limits: FloatArray) -> None:
    """Lower the limits of components to just above an edge between two boxes that must exist."""
    _lower_limits(own, others, limits)


@kernel
def _lower_limits(own, others, limits):
    for a in range(own.group.shape[0]):
        c = own.group[a]
        if c < 0 or own.most[a] >= limits[c]:
            continue
        for b in range(others.group.shape[0]):
            if others.group[b] == c or others.most[b] >= limits[c]:
                continue
            cost = reach(own.lower, own.upper, a, others.lower, others.upper, b)
            cost = max(max(cost, own.most[a]), others.most[b])
            if cost < limits[c]:
                limits[c] = np.nextafter(cost, np.inf)


@kernel
def search_foreign(tree, place, asked):
    """For each question the cheapest edge to another component, if it is below the limit.

    The points that ask stand behind those of the tree. Later ones of a component look only for what
    is cheaper than the earlier ones found.
    """
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    lower, upper, common, least = tree.lower, tree.upper, place.common, place.least
    waiting = np.empty(STACK_SIZE, np.int32)
    waiting_bound = np.empty(STACK_SIZE)
    n_questions = asked.core.shape[0]
    for question in range(n_questions):
        i = points.shape[0] - n_questions + question
        own = asked.component[question]
        limit = place.limits[place.code[question]]
        found = -1
        waiting[0] = 0
        waiting_bound[0] = asked.core[question]
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            node = waiting[n_waiting]
            if waiting_bound[n_waiting] >= limit or common[node] == own:
                continue
            while rights[node] > 0:
                near = node + 1
                far = rights[node]
                to_near = np.inf
                to_far = np.inf
                if common[near] != own:
                    to_near = squared_distance_to_box(points, lower, upper, near, i)
                    to_near = max(to_near, least[near])
                if common[far] != own:
                    to_far = squared_distance_to_box(points, lower, upper, far, i)
                    to_far = max(to_far, least[far])
                if to_far < to_near:
                    near, far = far, near
                    to_near, to_far = to_far, to_near
                if to_far < limit:
                    waiting[n_waiting] = far
                    waiting_bound[n_waiting] = to_far
                    n_waiting += 1
                node = near
                if to_near >= limit:
                    break
            if rights[node] > 0:
                continue
            for j in range(starts[node], ends[node]):
                if place.component[j] != own and place.core[j] < limit:
                    height = max(squared_distance(points, i, j), place.core[j])
                    height = max(height, asked.core[question])
                    if height < limit:
                        limit = height
                        found = j
        place.heights[question] = limit
        place.partner[question] = found
        place.limits[place.code[question]] = limit
