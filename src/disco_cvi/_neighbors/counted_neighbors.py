"""Core distances with many min_points: neighbors are counted by nodes, not listed one by one.

Points of one leaf have almost the same neighbors, so these are counted once for all of them: those
that are nearer to each than its core distance can be, from what is known of a point nearby. Only
points in between are looked at by each, and one of them is the neighbor that was asked for. What
was expected need not be true: a core distance that does not lie between the bounds that were taken
for granted is searched again, without them.

With k neighbors in d dimensions about k^(1 - 1/d) points are looked at, where a list would hold k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.ranked_squares import choose_between, fill_squares, select
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.expected_spheres import (
    bounds,
    expect,
    find_slope,
    gather,
    list_leaves,
    make_room,
    middles_and_halves,
    narrow,
)
from disco_cvi._neighbors.kd_tree import (
    KDTree,
    squared_distance,
    squared_distance_to_box,
)

# What is compared with a bound is enlarged by more than rounding can do.
_MORE = 1.0 + 1e-12
# Points of one call, and so of one list; few enough to answer Ctrl-C if each looks at all others.
_MOST_PER_CALL, _FEWEST_PER_CALL = 1024, 64
_LOOKS_PER_CALL = 200_000_000
# A list is narrowed for such a part of its points, and tells a new slope for so many points.
_PART = 3
_POINTS_FOR_SLOPE = 32
# So many points give a first idea of a core distance.
_SAMPLE = 2048
# How far a core distance may be from what the slope says, in parts of the distance to the point
# that is known. It follows what was seen; core distances of two points differ by no more than their
# distance, and no slope is steeper, which makes 2. In nodes above leaves there is more to hold.
_FIRST_DOUBT, _GREATEST_DOUBT = 0.5, 2.0
_LESS_DOUBT, _MORE_THAN_SEEN = 0.85, 2.0
_DOUBT_ABOVE, _LEAST_DOUBT_ABOVE = 2.0, 0.3


def count_neighbors(tree: KDTree, min_points: int, n_jobs: int) -> FloatArray:
    """Return the squared core distance of every point, which needs no list of its neighbors."""
    n_points = len(tree.points)
    core = np.empty(n_points)
    before = np.zeros(n_points + 1, np.int64)
    np.cumsum(tree.multiplicity, out=before[1:])
    size = min(_MOST_PER_CALL, max(_FEWEST_PER_CALL, _LOOKS_PER_CALL // n_points))
    nodes, boxes = nodes_up_to(tree, size), middles_and_halves(tree)

    def count(begin: int, _: int) -> None:
        count_node(tree, before, min_points, nodes[begin], make_room(tree, boxes), core)

    for_ranges(count, len(nodes), 1, n_jobs, "Core distances")
    return core


def nodes_up_to(tree: KDTree, size: int) -> NDArray[np.intp]:
    """Return the largest nodes with up to so many points; together they hold all."""
    is_small = (tree.end - tree.start <= size) | (tree.right == 0)
    is_below = is_small[tree.parent]
    is_below[0] = False
    return np.flatnonzero(is_small & ~is_below)


@kernel
def count_node(tree, before, min_points, top, room, core):
    """Fill `core` for the points of a node, leaf by leaf, in tree order.

    `before` counts the rows before each point. Returns how many squares were chosen from, and how
    many core distances were not where they were expected.
    """
    waiting, levels = room.waiting, room.levels
    first_point = tree.start[top]
    core[first_point] = _search(tree, before, min_points, first_point, room)
    for c in range(levels.slope.shape[1]):
        levels.slope[0, c] = 0.0
    expect(tree, top, first_point, core, 1.0, room, 0)
    list_leaves(tree, before, room)
    levels.leaves[0, 3] = tree.end[top] - first_point
    find_slope(tree, before, room, 0)
    waiting[0, 0] = top
    waiting[0, 1] = 0
    n_waiting = 1
    doubt = _FIRST_DOUBT
    n_looked = 0
    n_missed = 0
    while n_waiting > 0:
        n_waiting -= 1
        node, level = waiting[n_waiting, 0], waiting[n_waiting, 1]
        n_own = tree.end[node] - tree.start[node]
        solved = max(tree.start[node] - 1, first_point)
        if tree.right[node] == 0:
            reach = _go_down(tree, before, (node, solved), core, doubt, room, level + 1)
            n_others, n_nearer = gather(tree, room, level + 1)
            asked = min_points, n_nearer, n_others
            missed, wrong = _count_leaf(tree, before, node, asked, room, level + 1, core)
            n_looked += n_own * n_others
            n_missed += missed
            doubt = max(_LESS_DOUBT * doubt, _MORE_THAN_SEEN * wrong / reach)
            doubt = min(doubt, _GREATEST_DOUBT)
            continue
        if _PART * n_own <= levels.leaves[level, 3]:
            level += 1
            more = max(_DOUBT_ABOVE * doubt, _LEAST_DOUBT_ABOVE)
            _go_down(tree, before, (node, solved), core, more, room, level)
            if n_own >= _POINTS_FOR_SLOPE:
                find_slope(tree, before, room, level)
        waiting[n_waiting, 0] = tree.right[node]
        waiting[n_waiting, 1] = level
        waiting[n_waiting + 1, 0] = node + 1
        waiting[n_waiting + 1, 1] = level
        n_waiting += 2
    return n_looked, n_missed


@inline_kernel
def _go_down(tree, before, which, core, doubt, room, level):
    """Fill a level for a node below that of the level before; return how far `solved` is."""
    node, solved = which
    levels = room.levels
    for c in range(levels.slope.shape[1]):
        levels.slope[level, c] = levels.told[level - 1, c]
        levels.told[level, c] = levels.told[level - 1, c]
    reach = expect(tree, node, solved, core, doubt, room, level)
    narrow(tree, before, room, level)
    levels.leaves[level, 3] = tree.end[node] - tree.start[node]
    return reach


@inline_kernel
def _count_leaf(tree, before, node, asked, room, level, core):
    """Fill `core` for the points of a leaf; return how many were missed, and the largest error."""
    min_points, n_nearer, n_others = asked
    n_missed = 0
    wrong = 0.0
    for i in range(tree.start[node], tree.end[node]):
        low, high, expected = bounds(tree, i, room, level)
        fill_squares(room.others, 0, n_others, tree.points, i, room.others.square[:n_others])
        rank = min_points - 1 - n_nearer
        found, _ = choose_between(room.others, n_others, rank, low * low, high * high, room.chosen)
        if found < 0.0:
            n_missed += 1
            found = _search(tree, before, min_points, i, room)
        core[i] = found
        wrong = max(wrong, abs(np.sqrt(found) - expected))
    return n_missed, wrong


@inline_kernel
def _search(tree, before, min_points, i, room):
    """The squared core distance of one point, of which nothing is known.

    Points of the sample stand for those that follow them, so they are spread evenly, and ranks
    among them are better than those among random ones.
    """
    chosen = room.chosen
    n_points = tree.points.shape[0]
    n_rows = before[n_points]
    step = n_points // _SAMPLE + 1
    margin = 2.0 * n_rows * (step / n_points) ** 0.75
    while True:
        n_sampled = 0
        for j in range(0, n_points, step):
            chosen.square[n_sampled] = squared_distance(tree.points, i, j)
            chosen.weight[n_sampled] = before[min(j + step, n_points)] - before[j]
            n_sampled += 1
        low = 0.0
        high = np.inf
        if min_points - margin >= 1.0:
            low = select(chosen.square, chosen.weight, n_sampled, int(min_points - margin) - 1)
        if min_points + margin < n_rows:
            high = select(chosen.square, chosen.weight, n_sampled, int(min_points + margin))
        n_between, rank = _look_around(tree, before, i, (low, high, min_points - 1), room)
        if n_between > 0:
            return select(chosen.square, chosen.weight, n_between, rank)
        margin *= 8.0


@inline_kernel
def _look_around(tree, before, i, asked, room):
    """Collect points that are no nearer than `low` and no farther than `high`.

    Returns how many they are, 0 if the rank that was asked for is not among them, and that rank
    among them.
    """
    low, high, rank = asked
    points, lower, upper = tree.points, tree.lower, tree.upper
    nodes, chosen = room.nodes, room.chosen
    n_between = 0
    n_rows = 0
    nodes[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = nodes[n_waiting]
        if squared_distance_to_box(points, lower, upper, node, i) > high:
            continue
        if squared_distance_across(points, lower, upper, node, i) * _MORE < low:
            rank -= before[tree.end[node]] - before[tree.start[node]]
            continue
        if tree.right[node] > 0:
            nodes[n_waiting] = tree.right[node]
            nodes[n_waiting + 1] = node + 1
            n_waiting += 2
            continue
        for j in range(tree.start[node], tree.end[node]):
            square = squared_distance(points, i, j)
            if square < low:
                rank -= tree.multiplicity[j]
            elif square <= high:
                chosen.square[n_between] = square
                chosen.weight[n_between] = tree.multiplicity[j]
                n_between += 1
                n_rows += tree.multiplicity[j]
    return (n_between if 0 <= rank < n_rows else 0), rank


@inline_kernel
def squared_distance_across(points, lower, upper, node, i):
    """Squared distance to the farthest corner of a box."""
    square = 0.0
    for c in range(points.shape[1]):
        x = max(points[i, c] - lower[node, c], upper[node, c] - points[i, c])
        square += x * x
    return square
