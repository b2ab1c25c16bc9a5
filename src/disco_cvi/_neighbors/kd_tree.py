"""A k-d tree whose points lie in tree order, with identical points collapsed into one.

Many points are dealt into ranges first, and each range grows by itself, in threads. A small tree
over a sample of the points says where to divide: its leaves are the ranges, every point walks down
to one, and identical points to the same. A range grows in its own part of all arrays, its nodes
numbered from twice its first point, which is room enough. Last, the nodes of the sample and those
of the ranges are put into preorder. The ranges depend on the points alone, so the tree is the same
for any number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel
from disco_cvi._compute.lanes import sum_squares, sum_squares_of_boxes, sum_squares_to_box
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import euclidean_points
from disco_cvi._neighbors.kd_growth import (
    DEPTH_LIMIT,
    LEAF_SIZE,
    collapse_copies,
    deal,
    find_ranges,
    grow,
    room_for_sample,
)

STACK_SIZE = DEPTH_LIMIT + 8
_WORK_PER_CALL = 20_000_000
# Points of one range, on average; with fewer points than some of these, dealing does not pay.
_RANGE_SIZE = 4096
_FEW_RANGES = 8
_MANY_RANGES = 256
# In more dimensions searching takes so long that growing does not matter, and a copy is large.
_MANY_DIMENSIONS = 16
_SAMPLES_PER_RANGE = 64
_POINTS_PER_CALL = 1 << 15


class KDTree(NamedTuple):
    """Nodes in preorder: the left child of node v is v + 1, the right child is ``right[v]``.

    Node v holds the points ``start[v]`` to ``end[v] - 1``; ``right[v]`` is 0 for a leaf;
    ``parent[v]`` is the node above v, of the root itself. ``leaf[i]`` is the leaf of point i.
    Identical points stand once, with their number in `multiplicity`; `rows` lists the rows of the
    input in the order of the points, copies of one point side by side.
    """

    points: NDArray[np.float64]
    rows: NDArray[np.int32]
    multiplicity: NDArray[np.int32]
    leaf: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    right: NDArray[np.int32]
    parent: NDArray[np.int32]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


class ScaledTree(NamedTuple):
    """The tree of points times ``2**exponent``, whose squares are safe."""

    tree: KDTree
    exponent: int


def kd_tree_of(points: Points) -> ScaledTree:
    """Return the k-d tree of points under a Euclidean metric; it is built once."""
    return points.once(build_scaled_tree)


def build_scaled_tree(points: Points) -> ScaledTree:
    """Build the tree anew."""
    array, exponent = euclidean_points(points.raw_array, points.metric, points.caller)
    return ScaledTree(build_kd_tree(array, points.n_jobs), exponent)


def build_kd_tree(points: NDArray[np.float64], n_jobs: int = 1) -> KDTree:
    """Build the tree over `points`; time O(n log n), memory O(n).

    Few points are moved into tree order in place, many into an array of their own.
    """
    n_points, dimension = points.shape
    n_ranges = min(_MANY_RANGES, n_points // _RANGE_SIZE)
    if n_ranges >= _FEW_RANGES and dimension <= _MANY_DIMENSIONS:
        return _build_in_ranges(points, n_ranges, n_jobs)
    tree = _room_for(points, np.arange(n_points, dtype=np.int32))
    n_nodes = _grow_range(tree, 0, n_points, 0, LEAF_SIZE)
    n_distinct = collapse_copies(tree, 0, n_nodes)
    multiplicity, leaf = tree.multiplicity[:n_distinct], tree.leaf[:n_distinct]
    nodes = (values[:n_nodes].copy() for values in tree[4:])
    return KDTree._make([points[:n_distinct], tree.rows, multiplicity, leaf, *nodes])


def _room_for(points: NDArray[np.float64], rows: NDArray[np.int32]) -> KDTree:
    """A tree whose nodes are still to grow."""
    n_points, dimension = points.shape
    multiplicity, leaf = (np.empty(n_points, np.int32) for _ in range(2))
    # Memory that no node touches is never used, so the bound of 2 n - 1 nodes costs nothing.
    numbers = (np.empty(2 * n_points, np.int32) for _ in range(4))
    boxes = (np.empty((2 * n_points, dimension)) for _ in range(2))
    return KDTree(points, rows, multiplicity, leaf, *numbers, *boxes)


def _grow_range(tree: KDTree, begin: int, stop: int, depth: int, leaf_size: int) -> int:
    """Grow the nodes over some points, from number 2 * begin on; return how many there are."""
    waiting = np.empty((STACK_SIZE, 4), np.int32)
    waiting[0] = (begin, stop, 2 * begin, depth)
    sample, state = room_for_sample(), np.array([2 * begin, 1], np.int64)
    while state[1] > 0:
        grow(tree, waiting, sample, state, leaf_size, _WORK_PER_CALL)
    return int(state[0]) - 2 * begin


def _build_in_ranges(points: NDArray[np.float64], n_ranges: int, n_jobs: int) -> KDTree:
    sample = points[:: len(points) // (n_ranges * _SAMPLES_PER_RANGE)].copy()
    top = _room_for(sample, np.arange(len(sample), dtype=np.int32))
    n_top = _grow_range(top, 0, len(sample), 0, _SAMPLES_PER_RANGE)
    top = top._replace(**{name: getattr(top, name)[:n_top] for name in KDTree._fields[4:]})
    depths = np.zeros(n_top, np.int64)
    for node in range(1, n_top):
        depths[node] = depths[top.parent[node]] + 1
    dealt, rows, begins = _deal_points(points, top, int(depths.max()), n_jobs)
    tree = _room_for(dealt, rows)
    tops = np.flatnonzero(top.right == 0)

    def grow_ranges(first: int, last: int) -> list[tuple[int, int]]:
        found = []
        for number in range(first, last):
            begin, stop = int(begins[number]), int(begins[number + 1])
            n_nodes = _grow_range(tree, begin, stop, int(depths[tops[number]]), LEAF_SIZE)
            found.append((n_nodes, collapse_copies(tree, 2 * begin, n_nodes)))
        return found

    grown = for_ranges(grow_ranges, len(tops), 1, n_jobs)
    sizes = np.array([size for sizes in grown for size in sizes])
    return _join_ranges(tree, top, begins, sizes, n_jobs)


def _deal_points(
    points: NDArray[np.float64], top: KDTree, n_steps: int, n_jobs: int
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
    """Put the points of each range side by side; also return their rows, and where ranges begin."""
    n_points, nodes, is_range = len(points), np.arange(len(top.right)), top.right == 0
    # The widest coordinate is the one that a node was split in; right begins at its lowest there.
    axes = (top.upper - top.lower).argmax(axis=1)
    values = top.lower[top.right, axes]
    below = np.column_stack([nodes + 1, top.right])
    children = np.where(is_range[:, None], nodes[:, None], below)
    ranges = np.empty(n_points, np.int32)
    splits = (axes, values, children, np.cumsum(is_range) - 1, ranges)

    def count(begin: int, stop: int) -> NDArray[np.int64]:
        counts = np.zeros(int(is_range.sum()), np.int64)
        find_ranges(points, splits, n_steps, begin, stop, counts)
        return counts

    counts = np.array(for_ranges(count, n_points, _POINTS_PER_CALL, n_jobs))
    begins = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    places = begins[:-1] + np.cumsum(counts, axis=0) - counts
    dealt, rows = np.empty_like(points), np.empty(n_points, np.int32)

    def deal_range(begin: int, stop: int) -> None:
        deal(points, ranges, places[begin // _POINTS_PER_CALL], begin, stop, dealt, rows)

    for_ranges(deal_range, n_points, _POINTS_PER_CALL, n_jobs)
    return dealt, rows, begins


def _join_ranges(
    tree: KDTree,
    top: KDTree,
    begins: NDArray[np.int64],
    sizes: NDArray[np.int64],
    n_jobs: int,
) -> KDTree:
    """Put the nodes of ranges in the places of the top's leaves; `sizes`: their nodes, points."""
    is_range = top.right == 0
    extra = np.zeros(len(is_range), np.int64)
    extra[is_range] = sizes[:, 0] - 1
    places = np.arange(len(extra)) + np.cumsum(extra) - extra
    firsts = np.cumsum(sizes[:, 1]) - sizes[:, 1]
    n_nodes, n_distinct = len(extra) + int(extra.sum()), int(sizes[:, 1].sum())
    is_smaller = n_distinct < len(tree.points)
    held = _room_for(tree.points[:n_distinct], tree.rows) if is_smaller else tree
    points = np.empty_like(held.points) if is_smaller else tree.points
    nodes = (np.empty((n_nodes, *values.shape[1:]), values.dtype) for values in tree[4:])
    joined = KDTree._make([points, tree.rows, held.multiplicity, held.leaf, *nodes])

    def move(number: int, _: int) -> None:
        begin, n_kept = int(begins[number]), int(sizes[number, 1])
        node, first = int(places[is_range][number]), int(firsts[number])
        old, new = slice(begin, begin + n_kept), slice(first, first + n_kept)
        joined.leaf[new] = tree.leaf[old] + (node - 2 * begin)
        if is_smaller:
            joined.points[new] = tree.points[old]
            joined.multiplicity[new] = tree.multiplicity[old]
        _move_nodes(tree, joined, 2 * begin, node, int(sizes[number, 0]), first - begin)

    for_ranges(move, len(sizes), 1, n_jobs)
    joined.parent[places] = places[top.parent]
    inner = np.flatnonzero(~is_range)
    joined.right[places[inner]] = places[top.right[inner]]
    _cover(joined, places[inner])
    return joined


def _move_nodes(tree: KDTree, joined: KDTree, old: int, new: int, n_nodes: int, step: int) -> None:
    """Copy the nodes of a range, whose points have moved by `step`."""
    source, target = slice(old, old + n_nodes), slice(new, new + n_nodes)
    joined.start[target] = tree.start[source] + step
    joined.end[target] = tree.end[source] + step
    joined.parent[target] = tree.parent[source] + (new - old)
    right = tree.right[source]
    joined.right[target] = np.where(right > 0, right + (new - old), 0)
    joined.lower[target] = tree.lower[source]
    joined.upper[target] = tree.upper[source]


def _cover(tree: KDTree, nodes: NDArray[np.int64]) -> None:
    """Make nodes hold what their children hold."""
    for node in nodes[::-1].tolist():
        left, right = node + 1, tree.right[node]
        tree.start[node] = tree.start[left]
        tree.end[node] = tree.end[right]
        np.minimum(tree.lower[left], tree.lower[right], out=tree.lower[node])
        np.maximum(tree.upper[left], tree.upper[right], out=tree.upper[node])


@inline_kernel
def squared_distance(points, i, j):
    """Squared Euclidean distance from differences.

    Four partial sums, always added in the same order: the same bits for (i, j) and (j, i) and on
    every path that computes distances. (Up to five dimensions, where most searches are made,
    there are ways without loops to the same sum.)
    """
    dimension = points.shape[1]
    if dimension == 2:
        x = points[i, 0] - points[j, 0]
        y = points[i, 1] - points[j, 1]
        return x * x + y * y
    if dimension == 3:
        x = points[i, 0] - points[j, 0]
        y = points[i, 1] - points[j, 1]
        z = points[i, 2] - points[j, 2]
        return x * x + y * y + z * z
    return sum_squares(points, i, j)


@inline_kernel
def squared_distance_to_box(points, lower, upper, node, i):
    """Squared distance from point i to the box of a node.

    Added in the order of `squared_distance`: rounding is monotone, so the result never exceeds
    what that function returns for a point in the box.
    """
    dimension = points.shape[1]
    if dimension == 2:
        x = max(max(lower[node, 0] - points[i, 0], points[i, 0] - upper[node, 0]), 0.0)
        y = max(max(lower[node, 1] - points[i, 1], points[i, 1] - upper[node, 1]), 0.0)
        return x * x + y * y
    if dimension == 3:
        x = max(max(lower[node, 0] - points[i, 0], points[i, 0] - upper[node, 0]), 0.0)
        y = max(max(lower[node, 1] - points[i, 1], points[i, 1] - upper[node, 1]), 0.0)
        z = max(max(lower[node, 2] - points[i, 2], points[i, 2] - upper[node, 2]), 0.0)
        return x * x + y * y + z * z
    return sum_squares_to_box(points, lower, upper, node, i)


@inline_kernel
def squared_distance_of_boxes(lower, upper, a, b):
    """Squared distance between the boxes of two nodes.

    Added in the order of `squared_distance`, so that it never exceeds that of two points in them.
    """
    dimension = lower.shape[1]
    if dimension == 2:
        x = max(max(lower[a, 0] - upper[b, 0], lower[b, 0] - upper[a, 0]), 0.0)
        y = max(max(lower[a, 1] - upper[b, 1], lower[b, 1] - upper[a, 1]), 0.0)
        return x * x + y * y
    if dimension == 3:
        x = max(max(lower[a, 0] - upper[b, 0], lower[b, 0] - upper[a, 0]), 0.0)
        y = max(max(lower[a, 1] - upper[b, 1], lower[b, 1] - upper[a, 1]), 0.0)
        z = max(max(lower[a, 2] - upper[b, 2], lower[b, 2] - upper[a, 2]), 0.0)
        return x * x + y * y + z * z
    return sum_squares_of_boxes(lower, upper, a, b)


@inline_kernel
def is_inside(points, lower, upper, node, i, squared_radius):
    """Whether the ball around point i lies in the box of the node that holds the point.

    Then no point elsewhere is nearer than the radius: the boxes of nodes do not overlap.
    """
    for c in range(points.shape[1]):
        x = points[i, c] - lower[node, c]
        y = upper[node, c] - points[i, c]
        if x * x < squared_radius or y * y < squared_radius:
            return False
    return True


@inline_kernel
def is_box_inside(lower, upper, above, node, squared_radius):
    """Whether all balls around points of a node lie in the box of a node above it."""
    for c in range(lower.shape[1]):
        x = lower[node, c] - lower[above, c]
        y = upper[above, c] - upper[node, c]
        if x * x < squared_radius or y * y < squared_radius:
            return False
    return True
