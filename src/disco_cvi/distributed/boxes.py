"""Boxes around runs of points: what a block tells other blocks of its points.

No bound here lies on the wrong side of what it bounds, not even by rounding: distances of boxes add
their squares in the order of `squared_distance`, and rounding is monotone. So the gap between two
boxes never exceeds, and their span never falls below, what that function returns for a point of the
one and a point of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.kd_tree import KDTree

# A bucket is a node of the k-d tree with at most so many points: one box in a message.
_BUCKET_SIZE = 256


class Boxes(NamedTuple):
    """Boxes of groups of points, one after the other.

    ``least`` and ``most``: the smallest and the largest core distance in each box. ``points``: how
    many points it holds, copies counted. ``group``: to which fragment or component all of its
    points belong; -1: to several.
    """

    lower: FloatArray
    upper: FloatArray
    least: FloatArray
    most: FloatArray
    points: NDArray[np.int64]
    group: NDArray[np.int32]


def joined(parts: Sequence[Boxes]) -> Boxes:
    """All boxes of several blocks."""
    return Boxes._make(np.concatenate(values) for values in zip(*parts, strict=True))


def chosen(boxes: Boxes, which: slice | NDArray[np.intp]) -> Boxes:
    """Some of the boxes."""
    return Boxes._make(values[which] for values in boxes)


def bucket_nodes(tree: KDTree) -> NDArray[np.int32]:
    """The nodes that are buckets, in the order of their points."""
    found = np.empty(len(tree.start), np.int32)
    return found[: _find_buckets(tree, found)].copy()


def bucket_boxes(tree: KDTree, buckets: NDArray[np.int32], most: FloatArray) -> Boxes:
    """The boxes of buckets whose least core distances are not known yet; `most`: the largest."""
    copies = np.concatenate([[0], np.cumsum(tree.multiplicity, dtype=np.int64)])
    return Boxes(
        tree.lower[buckets],
        tree.upper[buckets],
        np.zeros(len(buckets)),
        np.maximum.reduceat(most, tree.start[buckets]),
        copies[tree.end[buckets]] - copies[tree.start[buckets]],
        np.zeros(len(buckets), np.int32),
    )


def fragment_boxes(
    tree: KDTree, buckets: NDArray[np.int32], core: FloatArray, fragment: NDArray[np.int32]
) -> Boxes:
    """Buckets cut into their fragments: each box holds points of one fragment only."""
    n_points, dimension = tree.points.shape
    # Memory that no box touches is never used.
    boxes = Boxes(
        np.empty((n_points, dimension)),
        np.empty((n_points, dimension)),
        np.empty(n_points),
        np.empty(n_points),
        np.empty(n_points, np.int64),
        np.empty(n_points, np.int32),
    )
    n_boxes = _cut_buckets(tree, buckets, core, fragment, boxes)
    return Boxes._make(values[:n_boxes].copy() for values in boxes)


def merge_boxes(boxes: Boxes, group: NDArray[np.integer], n_groups: int) -> Boxes:
    """One box around all boxes of each group, from 0 to n_groups - 1; none may be empty."""
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], np.arange(n_groups))
    return Boxes(
        np.minimum.reduceat(boxes.lower[order], begins),
        np.maximum.reduceat(boxes.upper[order], begins),
        np.minimum.reduceat(boxes.least[order], begins),
        np.maximum.reduceat(boxes.most[order], begins),
        np.add.reduceat(boxes.points[order], begins),
        np.arange(n_groups, dtype=np.int32),
    )


@inline_kernel
def _square(one, other, farthest):
    """Squared distance along a coordinate, from both differences of an upper and a lower side."""
    x = max(one, other) if farthest else max(-min(one, other), 0.0)
    return x * x


@inline_kernel
def _added(lower, upper, a, other_lower, other_upper, b, farthest):
    """All coordinates, in the order of `squared_distance`."""
    dimension = lower.shape[1]
    whole = dimension - dimension % 4
    first = 0.0
    second = 0.0
    third = 0.0
    fourth = 0.0
    for c in range(dimension):
        one = other_upper[b, c] - lower[a, c]
        other = upper[a, c] - other_lower[b, c]
        square = _square(one, other, farthest)
        if c >= whole or c % 4 == 0:
            first += square
        elif c % 4 == 1:
            second += square
        elif c % 4 == 2:
            third += square
        else:
            fourth += square
    return (first + second) + (third + fourth)


@inline_kernel
def gap(lower, upper, a, other_lower, other_upper, b):
    """Squared distance of box a and box b of another array."""
    return _added(lower, upper, a, other_lower, other_upper, b, False)  # noqa: FBT003


@inline_kernel
def reach(lower, upper, a, other_lower, other_upper, b):
    """The largest squared distance of a point in box a and a point in box b of another array."""
    return _added(lower, upper, a, other_lower, other_upper, b, True)  # noqa: FBT003


@kernel
def _find_buckets(tree, found):
    """Nodes stand in preorder, so whatever follows a bucket's subtree begins where it ends."""
    number = 0
    done = 0
    for node in range(tree.start.shape[0]):
        is_small = tree.right[node] == 0 or tree.end[node] - tree.start[node] <= _BUCKET_SIZE
        if is_small and tree.start[node] >= done:
            found[number] = node
            number += 1
            done = tree.end[node]
    return number


@kernel
def _cut_buckets(tree, buckets, core, fragment, boxes):
    points = tree.points
    number = 0
    for place in range(buckets.shape[0]):
        bucket = buckets[place]
        first = number
        for i in range(tree.start[bucket], tree.end[bucket]):
            box = first
            while box < number and boxes.group[box] != fragment[i]:
                box += 1
            if box == number:
                number += 1
                boxes.group[box] = fragment[i]
                boxes.points[box] = 0
                boxes.least[box] = core[i]
                boxes.most[box] = core[i]
                boxes.lower[box, :] = points[i]
                boxes.upper[box, :] = points[i]
            boxes.points[box] += tree.multiplicity[i]
            boxes.least[box] = min(boxes.least[box], core[i])
            boxes.most[box] = max(boxes.most[box], core[i])
            for c in range(points.shape[1]):
                boxes.lower[box, c] = min(boxes.lower[box, c], points[i, c])
                boxes.upper[box, c] = max(boxes.upper[box, c], points[i, c])
    return number
