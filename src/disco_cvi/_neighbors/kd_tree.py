"""A k-d tree whose points lie in tree order, with identical points collapsed into one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import euclidean_points

LEAF_SIZE = 16
# A node this deep stays a leaf, however large: only adversarial data get there.
_DEPTH_LIMIT = 120
STACK_SIZE = _DEPTH_LIMIT + 8
_WORK_PER_CALL = 20_000_000


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
    return ScaledTree(build_kd_tree(array), exponent)


def build_kd_tree(points: NDArray[np.float64]) -> KDTree:
    """Build the tree over `points`, which are moved into tree order in place.

    Time O(n log n), memory O(n).
    """
    n_points, dimension = points.shape
    rows = np.arange(n_points, dtype=np.int32)
    # Memory that no node touches is never used, so the bound of 2 n - 1 nodes costs nothing.
    start, end, right, parent = (np.empty(2 * n_points, np.int32) for _ in range(4))
    lower, upper = (np.empty((2 * n_points, dimension)) for _ in range(2))
    waiting = np.empty((STACK_SIZE, 4), np.int32)
    waiting[0] = (0, n_points, 0, 0)
    state = np.array([0, 1], np.int64)
    multiplicity, leaf = (np.empty(n_points, np.int32) for _ in range(2))
    nodes = (start, end, right, parent, lower, upper)
    tree = KDTree(points, rows, multiplicity, leaf, *nodes)
    while state[1] > 0:
        _grow(tree, waiting, state, _WORK_PER_CALL)
    n_nodes = int(state[0])
    n_distinct = _collapse_copies(tree, n_nodes)
    return KDTree(
        points[:n_distinct],
        rows,
        multiplicity[:n_distinct],
        leaf[:n_distinct],
        *(values[:n_nodes].copy() for values in nodes),
    )


@inline_kernel
def squared_distance(points, i, j):
    """Squared Euclidean distance from differences.

    Four partial sums, always added in the same order: the same bits for (i, j) and (j, i) and on
    every path that computes distances. (The plane, where most searches are made, has a way of its
    own to the same sum.)
    """
    dimension = points.shape[1]
    if dimension == 2:
        x = points[i, 0] - points[j, 0]
        y = points[i, 1] - points[j, 1]
        return x * x + y * y
    whole = dimension - dimension % 4
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    for c in range(0, whole, 4):
        x = points[i, c] - points[j, c]
        first += x * x
        x = points[i, c + 1] - points[j, c + 1]
        second += x * x
        x = points[i, c + 2] - points[j, c + 2]
        third += x * x
        x = points[i, c + 3] - points[j, c + 3]
        fourth += x * x
    for c in range(whole, dimension):
        x = points[i, c] - points[j, c]
        first += x * x
    return (first + second) + (third + fourth)


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
    whole = dimension - dimension % 4
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    for c in range(0, whole, 4):
        x = max(max(lower[node, c] - points[i, c], points[i, c] - upper[node, c]), 0.0)
        first += x * x
        x = max(
            max(lower[node, c + 1] - points[i, c + 1], points[i, c + 1] - upper[node, c + 1]), 0.0
        )
        second += x * x
        x = max(
            max(lower[node, c + 2] - points[i, c + 2], points[i, c + 2] - upper[node, c + 2]), 0.0
        )
        third += x * x
        x = max(
            max(lower[node, c + 3] - points[i, c + 3], points[i, c + 3] - upper[node, c + 3]), 0.0
        )
        fourth += x * x
    for c in range(whole, dimension):
        x = max(max(lower[node, c] - points[i, c], points[i, c] - upper[node, c]), 0.0)
        first += x * x
    return (first + second) + (third + fourth)


@inline_kernel
def squared_distance_of_boxes(lower, upper, a, b):
    """Squared distance between the boxes of two nodes, up to rounding."""
    total = 0.0
    for c in range(lower.shape[1]):
        x = max(max(lower[a, c] - upper[b, c], lower[b, c] - upper[a, c]), 0.0)
        total += x * x
    return total


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


@kernel
def _grow(tree, waiting, state, work_allowed):
    """Make nodes from the waiting ranges until none waits or the allowed work is done.

    A row of `waiting`: start, end, parent, depth.
    `state`: number of nodes, number of waiting ranges. Identical points always fall on the same
    side of a split, so they end in one leaf.
    """
    points = tree.points
    dimension = points.shape[1]
    node = state[0]
    n_waiting = state[1]
    work = 0
    while n_waiting > 0 and work < work_allowed:
        n_waiting -= 1
        begin = waiting[n_waiting, 0]
        stop = waiting[n_waiting, 1]
        parent = waiting[n_waiting, 2]
        depth = waiting[n_waiting, 3]
        if node > parent + 1:
            tree.right[parent] = node
        tree.parent[node] = parent
        tree.start[node] = begin
        tree.end[node] = stop
        tree.right[node] = 0
        widest = _bound(tree, node, begin, stop)
        work += (stop - begin) * (dimension + 4)
        low = tree.lower[node, widest]
        high = tree.upper[node, widest]
        if stop - begin > LEAF_SIZE and low < high and depth < _DEPTH_LIMIT:
            pivot = _pivot(points, begin, stop, widest, low, high)
            middle = _partition(tree, begin, stop, widest, pivot)
            _wait(waiting, n_waiting, middle, stop, node, depth + 1)
            _wait(waiting, n_waiting + 1, begin, middle, node, depth + 1)
            n_waiting += 2
        node += 1
    state[0] = node
    state[1] = n_waiting


@kernel
def _wait(waiting, place, begin, stop, parent, depth):
    waiting[place, 0] = begin
    waiting[place, 1] = stop
    waiting[place, 2] = parent
    waiting[place, 3] = depth


@kernel
def _bound(tree, node, begin, stop):
    """Set the node's bounding box and return its widest coordinate."""
    points = tree.points
    widest = 0
    width = -1.0
    for c in range(points.shape[1]):
        low = points[begin, c]
        high = low
        for i in range(begin + 1, stop):
            low = min(low, points[i, c])
            high = max(high, points[i, c])
        tree.lower[node, c] = low
        tree.upper[node, c] = high
        if high - low > width:
            width = high - low
            widest = c
    return widest


@kernel
def _pivot(points, begin, stop, c, low, high):
    """A value with low < value <= high: the median of a sample, or the lowest but one."""
    sample = np.empty(65)
    size = 9 if stop - begin < 4096 else 65
    step = (stop - begin) // size
    if step == 0:
        size = stop - begin
        step = 1
    for t in range(size):
        x = points[begin + t * step, c]
        place = t
        while place > 0 and sample[place - 1] > x:
            sample[place] = sample[place - 1]
            place -= 1
        sample[place] = x
    value = sample[size // 2]
    if value <= low:
        # About half of the points have the lowest value: they become one side. (Halving the box
        # would peel off far points one by one.)
        value = high
        for i in range(begin, stop):
            if low < points[i, c] < value:
                value = points[i, c]
    return value


@kernel
def _partition(tree, begin, stop, c, pivot):
    """Move points with coordinate c below the pivot to the front; return where the rest begins."""
    points = tree.points
    i = begin
    j = stop - 1
    while True:
        while i <= j and points[i, c] < pivot:
            i += 1
        while i <= j and points[j, c] >= pivot:
            j -= 1
        if i >= j:
            return i
        _swap(tree, i, j)
        i += 1
        j -= 1


@kernel
def _swap(tree, i, j):
    for c in range(tree.points.shape[1]):
        x = tree.points[i, c]
        tree.points[i, c] = tree.points[j, c]
        tree.points[j, c] = x
    row = tree.rows[i]
    tree.rows[i] = tree.rows[j]
    tree.rows[j] = row


@kernel
def _collapse_copies(tree, n_nodes):
    """Keep one of identical points and count the others; return how many points are left.

    Copies share a leaf, so each leaf is compared with itself. A leaf of one repeated point, of
    any size, takes one pass. (A leaf that is too large for another reason is left as it is:
    copies that are not collapsed cost time, not correctness.)
    """
    points = tree.points
    kept = 0
    for node in range(n_nodes):
        if tree.right[node] > 0:
            continue
        begin = tree.start[node]
        stop = tree.end[node]
        comparable = stop - begin <= LEAF_SIZE or _is_point(tree, node)
        tree.start[node] = kept
        i = begin
        while i < stop:
            after = i + 1
            if comparable:
                for j in range(i + 1, stop):
                    if _are_equal(points, i, j):
                        if j > after:
                            _swap(tree, after, j)
                        after += 1
            if kept < i:
                for c in range(points.shape[1]):
                    points[kept, c] = points[i, c]
            tree.multiplicity[kept] = after - i
            tree.leaf[kept] = node
            kept += 1
            i = after
        tree.end[node] = kept
    for node in range(n_nodes - 1, -1, -1):
        if tree.right[node] > 0:
            tree.start[node] = tree.start[node + 1]
            tree.end[node] = tree.end[tree.right[node]]
    return kept


@kernel
def _is_point(tree, node):
    for c in range(tree.points.shape[1]):
        if tree.lower[node, c] < tree.upper[node, c]:
            return False
    return True


@kernel
def _are_equal(points, i, j):
    for c in range(points.shape[1]):
        if points[i, c] != points[j, c]:
            return False
    return True
