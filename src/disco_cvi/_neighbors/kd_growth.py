"""How nodes of a k-d tree grow, and how points are dealt into ranges that grow side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel

LEAF_SIZE = 16
# A node this deep stays a leaf, however large: only adversarial data get there.
DEPTH_LIMIT = 120
# So many coordinates are looked at to split many points in the middle.
_SAMPLE_SIZE = 65
# A split that leaves less than this part of the points on one side is made again, by all points:
# otherwise an order of rows could make every sample a bad one.
_UNEVEN = 16
_ALL_BUT_SIGN = 0x7FFFFFFFFFFFFFFF


def room_for_sample() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Room for coordinates, and the same as bits."""
    numbers = np.empty(_SAMPLE_SIZE)
    return numbers, numbers.view(np.int64)


@kernel
def grow(tree, waiting, sample, state, leaf_size, work_allowed):
    """Make nodes from the waiting ranges until none waits or the allowed work is done.

    A row of `waiting`: start, end, parent, depth. `sample`: as `room_for_sample` makes it.
    `state`: number of the next node, number of waiting ranges. Identical points always fall on the
    same side of a split, so they end in one leaf.
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
        widest = _bound(points, tree.lower, tree.upper, node, begin, stop)
        work += (stop - begin) * (dimension + 4)
        low = tree.lower[node, widest]
        high = tree.upper[node, widest]
        if stop - begin > leaf_size and low < high and depth < DEPTH_LIMIT:
            pivot = _pivot(points, sample[0], begin, stop, widest, low, high)
            middle = _partition(points, tree.rows, begin, stop, widest, pivot)
            if min(middle - begin, stop - middle) * _UNEVEN < stop - begin:
                pivot = _even_pivot(points, sample, begin, stop, widest, low, high)
                middle = _partition(points, tree.rows, begin, stop, widest, pivot)
                work += 16 * (stop - begin)
            _wait(waiting, n_waiting, middle, stop, node, depth + 1)
            _wait(waiting, n_waiting + 1, begin, middle, node, depth + 1)
            n_waiting += 2
        node += 1
    state[0] = node
    state[1] = n_waiting


@inline_kernel
def _wait(waiting, place, begin, stop, parent, depth):
    waiting[place, 0] = begin
    waiting[place, 1] = stop
    waiting[place, 2] = parent
    waiting[place, 3] = depth


@inline_kernel
def _bound(points, lower, upper, node, begin, stop):
    """Set the node's bounding box and return its widest coordinate."""
    widest = 0
    width = -1.0
    for c in range(points.shape[1]):
        low = points[begin, c]
        high = low
        for i in range(begin + 1, stop):
            low = min(low, points[i, c])
            high = max(high, points[i, c])
        lower[node, c] = low
        upper[node, c] = high
        if high - low > width:
            width = high - low
            widest = c
    return widest


@inline_kernel
def _pivot(points, sample, begin, stop, c, low, high):
    """A value with low < value <= high: the median of a sample, or the lowest but one."""
    size = 9 if stop - begin < 4096 else _SAMPLE_SIZE
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


@inline_kernel
def _even_pivot(points, sample, begin, stop, c, low, high):
    """A value with low < value <= high and a quarter of the points on either side, if there is one.

    Otherwise half of the points have one value, which is parted from greater or lesser ones. The
    interval is halved as long as there are numbers in it, which are counted by their bits: so that
    takes 64 steps at most, whatever the order of the points.
    """
    numbers, bits = sample
    numbers[0] = low
    numbers[1] = high
    least = bits[0] ^ ((bits[0] >> 63) & _ALL_BUT_SIGN)
    most = bits[1] ^ ((bits[1] >> 63) & _ALL_BUT_SIGN)
    while most - 1 > least:
        middle = (least >> 1) + (most >> 1) + (least & most & 1)
        bits[0] = middle ^ ((middle >> 63) & _ALL_BUT_SIGN)
        value = numbers[0]
        n_below = 0
        for i in range(begin, stop):
            n_below += points[i, c] < value
        if 4 * n_below < stop - begin:
            least = middle
        elif 4 * n_below > 3 * (stop - begin):
            most = middle
        else:
            return value
    bits[0] = most ^ ((most >> 63) & _ALL_BUT_SIGN)
    return numbers[0]


@inline_kernel
def _partition(points, rows, begin, stop, c, pivot):
    """Move points with coordinate c below the pivot to the front; return where the rest begins."""
    i = begin
    j = stop - 1
    while True:
        while i <= j and points[i, c] < pivot:
            i += 1
        while i <= j and points[j, c] >= pivot:
            j -= 1
        if i >= j:
            return i
        _swap(points, rows, i, j)
        i += 1
        j -= 1


@inline_kernel
def _swap(points, rows, i, j):
    for c in range(points.shape[1]):
        x = points[i, c]
        points[i, c] = points[j, c]
        points[j, c] = x
    row = rows[i]
    rows[i] = rows[j]
    rows[j] = row


@kernel
def collapse_copies(tree, first, n_nodes):
    """Keep one of identical points and count the others; return how many points are left.

    Copies share a leaf, so each leaf is compared with itself. A leaf of one repeated point, of
    any size, takes one pass. (A leaf that is too large for another reason is left as it is:
    copies that are not collapsed cost time, not correctness.)
    """
    points = tree.points
    kept = tree.start[first]
    before = kept
    for node in range(first, first + n_nodes):
        if tree.right[node] > 0:
            continue
        begin = tree.start[node]
        stop = tree.end[node]
        comparable = stop - begin <= LEAF_SIZE or _is_point(tree.lower, tree.upper, node)
        tree.start[node] = kept
        i = begin
        while i < stop:
            after = i + 1
            if comparable:
                for j in range(i + 1, stop):
                    if _are_equal(points, i, j):
                        if j > after:
                            _swap(points, tree.rows, after, j)
                        after += 1
            if kept < i:
                for c in range(points.shape[1]):
                    points[kept, c] = points[i, c]
            tree.multiplicity[kept] = after - i
            tree.leaf[kept] = node
            kept += 1
            i = after
        tree.end[node] = kept
    for node in range(first + n_nodes - 1, first - 1, -1):
        if tree.right[node] > 0:
            tree.start[node] = tree.start[node + 1]
            tree.end[node] = tree.end[tree.right[node]]
    return kept - before


@inline_kernel
def _is_point(lower, upper, node):
    for c in range(lower.shape[1]):
        if lower[node, c] < upper[node, c]:
            return False
    return True


@inline_kernel
def _are_equal(points, i, j):
    for c in range(points.shape[1]):
        if points[i, c] != points[j, c]:
            return False
    return True


@kernel
def find_ranges(points, splits, n_steps, begin, stop, counts):
    """Let points walk down a small tree to the ranges that they belong to, and count them there.

    A step of one point needs the one before; so some points take their steps side by side, which
    a processor does at once. A leaf is its own child, so that all walks are equally long.
    """
    axes, values, children, numbers, ranges = splits
    for first in range(begin, stop, 256):
        last = min(first + 256, stop)
        for i in range(first, last):
            ranges[i] = 0
        for _ in range(n_steps):
            for i in range(first, last):
                node = ranges[i]
                ranges[i] = children[node, int(points[i, axes[node]] >= values[node])]
        for i in range(first, last):
            ranges[i] = numbers[ranges[i]]
            counts[ranges[i]] += 1


@kernel
def deal(points, ranges, places, begin, stop, dealt, rows):
    """Put points of all ranges into the next places of these."""
    for i in range(begin, stop):
        place = places[ranges[i]]
        places[ranges[i]] = place + 1
        rows[place] = i
        for c in range(points.shape[1]):
            dealt[place, c] = points[i, c]
