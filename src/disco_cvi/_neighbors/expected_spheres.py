"""What core distances are expected in a node, and which points that leaves open.

Where a point moves, the sphere around it that holds its neighbors moves with it: points ahead come
nearer, those behind go away. On average over the sphere the core distance changes by a slope. So
from one point that is solved the slope tells the core distances in a node, up to a doubt. Nodes
that are nearer than that to all points of the node are counted as a whole, those that are farther
left out; leaves in between are listed, and the list is narrowed for fewer and fewer points. What
is counted is right wherever the core distance lies between the bounds of all levels (`bounds`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel
from disco_cvi._compute.ranked_squares import (
    Chosen,
    Others,
    fill_squares,
    room_for_others,
    room_to_choose,
)
from disco_cvi._neighbors.kd_tree import STACK_SIZE, KDTree

# More lists than are ever narrowed: one for at most a third of the points, and one for a leaf.
_LEVELS = 12
_LEAVES_FOR_SLOPE = 256


class Levels(NamedTuple):
    """A node, one of its descendants, one of that, and so on: what is expected in each.

    Row by row: middle and half width of its box, the slope of core distances that was taken for
    granted, and the one that its list tells; `expected`: the core distance in the middle, and how
    far off it may be; `leaves`: first and last place of its list of leaves, how many rows are
    nearer, how many points it was made for.
    """

    middle: FloatArray
    half: FloatArray
    slope: FloatArray
    told: FloatArray
    expected: FloatArray
    leaves: NDArray[np.int64]


class Room(NamedTuple):
    """What a call works with; `waiting`: nodes with their level, `rounding`: of a distance."""

    leaves: NDArray[np.int32]
    nodes: NDArray[np.int32]
    waiting: NDArray[np.int32]
    boxes: FloatArray
    levels: Levels
    others: Others
    chosen: Chosen
    rounding: float


def middles_and_halves(tree: KDTree) -> FloatArray:
    """Return of each box the middle, and half of its width."""
    return np.stack([0.5 * (tree.lower + tree.upper), 0.5 * (tree.upper - tree.lower)], axis=1)


def make_room(tree: KDTree, boxes: FloatArray) -> Room:
    """Return arrays for all that may come; memory that nothing is written to is never used."""
    n_points, dimension = tree.points.shape
    middle, half, slope, told = np.empty((4, _LEVELS, dimension))
    expected, lists = np.empty((_LEVELS, 2)), np.empty((_LEVELS, 4), np.int64)
    largest = np.abs([tree.lower[0], tree.upper[0]]).max(axis=0).sum()
    return Room(
        np.empty(_LEVELS * (len(tree.start) // 2 + 1), np.int32),
        np.empty(STACK_SIZE, np.int32),
        np.empty((STACK_SIZE, 2), np.int32),
        boxes,
        Levels(middle, half, slope, told, expected, lists),
        room_for_others(n_points, dimension),
        room_to_choose(n_points),
        # Squares of less than that are not exact.
        float(1e-13 * largest + 1e-150),
    )


@inline_kernel
def expect(tree, node, solved, core, doubt, room, level):
    """Say what core distances are expected in a node, by that of a point; return how far it is."""
    middle, half, slope = room.levels.middle, room.levels.half, room.levels.slope
    expected = np.sqrt(core[solved])
    reach = 0.0
    for c in range(middle.shape[1]):
        x, low, high = tree.points[solved, c], tree.lower[node, c], tree.upper[node, c]
        middle[level, c] = 0.5 * low + 0.5 * high
        half[level, c] = 0.5 * (high - low)
        expected += slope[level, c] * (middle[level, c] - x)
        far = max(x - low, high - x)
        reach += far * far
    reach = np.sqrt(reach) + room.rounding
    room.levels.expected[level, 0] = expected
    room.levels.expected[level, 1] = doubt * reach
    return reach


@inline_kernel
def _judge(other, room, level):
    """Whether a node is nearer (-1) or farther (1) than expected, for all points of the level.

    A distance is linear in where the two points are, from the distance of the middles on, up to a
    square that only adds to it. (If the middles are the same up to rounding, so is this.)
    """
    levels = room.levels
    middle, half = levels.middle, levels.half
    square = 0.0
    for c in range(middle.shape[1]):
        x = middle[level, c] - room.boxes[other, 0, c]
        square += x * x
    distance = np.sqrt(square)
    inverse = 1.0 / max(distance, room.rounding)
    spread = 0.0
    bend = 0.0
    for c in range(middle.shape[1]):
        way = (middle[level, c] - room.boxes[other, 0, c]) * inverse
        half_other = room.boxes[other, 1, c]
        spread += abs(way - levels.slope[level, c]) * half[level, c] + abs(way) * half_other
        bend += (half[level, c] + half_other) * (half[level, c] + half_other)
    off = distance - levels.expected[level, 0]
    allowed = levels.expected[level, 1] + room.rounding
    if off - spread > allowed:
        return 1
    if off + spread + 0.5 * bend * inverse < -allowed:
        return -1
    return 0


@inline_kernel
def list_leaves(tree, before, room):
    """Make the list of level 0: leaves that are neither nearer nor farther."""
    nodes = room.nodes
    n_listed = 0
    n_nearer = 0
    nodes[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = nodes[n_waiting]
        side = _judge(node, room, 0)
        if side < 0:
            n_nearer += before[tree.end[node]] - before[tree.start[node]]
        elif side == 0 and tree.right[node] > 0:
            nodes[n_waiting] = tree.right[node]
            nodes[n_waiting + 1] = node + 1
            n_waiting += 2
        elif side == 0:
            room.leaves[n_listed] = node
            n_listed += 1
    room.levels.leaves[0, 0] = 0
    room.levels.leaves[0, 1] = n_listed
    room.levels.leaves[0, 2] = n_nearer


@inline_kernel
def narrow(tree, before, room, level):
    """Make the list of a level from the one above, behind it."""
    lists = room.levels.leaves
    first, last, n_nearer = lists[level - 1, 0], lists[level - 1, 1], lists[level - 1, 2]
    stop = last
    for t in range(first, last):
        leaf = room.leaves[t]
        side = _judge(leaf, room, level)
        if side < 0:
            n_nearer += before[tree.end[leaf]] - before[tree.start[leaf]]
        elif side == 0:
            room.leaves[stop] = leaf
            stop += 1
    lists[level, 0] = last
    lists[level, 1] = stop
    lists[level, 2] = n_nearer


@inline_kernel
def find_slope(tree, before, room, level):
    """By how much core distances grow along each coordinate: the mean of the ways from leaves."""
    middle, told = room.levels.middle, room.levels.told
    first, last = room.levels.leaves[level, 0], room.levels.leaves[level, 1]
    for c in range(middle.shape[1]):
        told[level, c] = 0.0
    n_rows = 0
    for t in range(first, last, (last - first) // _LEAVES_FOR_SLOPE + 1):
        leaf = room.leaves[t]
        square = 0.0
        for c in range(middle.shape[1]):
            way = middle[level, c] - 0.5 * (tree.lower[leaf, c] + tree.upper[leaf, c])
            square += way * way
        weight = before[tree.end[leaf]] - before[tree.start[leaf]]
        n_rows += weight
        for c in range(middle.shape[1]):
            way = middle[level, c] - 0.5 * (tree.lower[leaf, c] + tree.upper[leaf, c])
            told[level, c] += weight * way / max(np.sqrt(square), room.rounding)
    for c in range(middle.shape[1]):
        told[level, c] /= max(n_rows, 1)


@inline_kernel
def gather(tree, room, level):
    """Put the points of listed leaves side by side, but for those that are nearer or farther."""
    others, levels = room.others, room.levels
    coordinates = others.coordinate
    n_others = 0
    for t in range(levels.leaves[level, 0], levels.leaves[level, 1]):
        begin = tree.start[room.leaves[t]]
        size = tree.end[room.leaves[t]] - begin
        for c in range(coordinates.shape[0]):
            for s in range(size):
                coordinates[c, n_others + s] = tree.points[begin + s, c]
        for s in range(size):
            others.weight[n_others + s] = tree.multiplicity[begin + s]
        n_others += size
    fill_squares(others, 0, n_others, levels.middle, level, others.square[:n_others])
    _find_spread(room, n_others, level)
    bend = 0.0
    for c in range(coordinates.shape[0]):
        bend += 0.5 * levels.half[level, c] * levels.half[level, c]
    allowed = levels.expected[level, 1] + room.rounding
    n_nearer = levels.leaves[level, 2]
    n_kept = 0
    for t in range(n_others):
        off = others.square[t] - levels.expected[level, 0]
        spread = others.spread[t]
        is_farther = off - spread > allowed
        is_nearer = off + spread + bend * others.inverse[t] < -allowed
        weight = others.weight[t]
        n_nearer += weight if is_nearer else 0
        others.weight[n_kept] = weight
        others.kept[n_kept] = t
        n_kept += 0 if is_nearer or is_farther else 1
    for c in range(coordinates.shape[0]):
        for t in range(n_kept):
            coordinates[c, t] = coordinates[c, others.kept[t]]
    return n_kept, n_nearer


@inline_kernel
def _find_spread(room, n_others, level):
    """As in `_judge`, for points: roots of the squares, their inverses, how far roots may vary."""
    others, levels, least = room.others, room.levels, room.rounding
    for t in range(n_others):
        distance = np.sqrt(others.square[t])
        others.square[t] = distance
        others.inverse[t] = 1.0 / max(distance, least)
        others.spread[t] = 0.0
    for c in range(levels.middle.shape[1]):
        middle, half = levels.middle[level, c], levels.half[level, c]
        slope = levels.slope[level, c]
        for t in range(n_others):
            way = (middle - others.coordinate[c, t]) * others.inverse[t]
            others.spread[t] += abs(way - slope) * half


@inline_kernel
def bounds(tree, i, room, level):
    """Between what a core distance must lie, for all levels; and what is expected in the last."""
    levels = room.levels
    low = 0.0
    high = np.inf
    expected = 0.0
    for above in range(level + 1):
        expected = levels.expected[above, 0]
        for c in range(levels.middle.shape[1]):
            expected += levels.slope[above, c] * (tree.points[i, c] - levels.middle[above, c])
        low = max(low, expected - levels.expected[above, 1])
        high = min(high, expected + levels.expected[above, 1])
    return low, max(high, 0.0), expected
