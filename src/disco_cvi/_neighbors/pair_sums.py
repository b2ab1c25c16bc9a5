"""Sums of Euclidean distances from many points to many others, in an order that never changes."""

from __future__ import annotations

import math

import numpy as np

from disco_cvi._compute.kernels import inline_kernel, kernel

# Rows whose distances are summed side by side, points they are compared with in one go, features
# added in one go: what the innermost loops touch stays in the nearest caches of a processor.
SIDE_BY_SIDE = 128
PORTION = 32
_FEATURES = 64


@inline_kernel
def square_distances(points, begin, stop, rows, squares):
    """Fill `squares` with the squared distances from each row to points begin to stop - 1.

    `rows` holds SIDE_BY_SIDE points by feature, and there are at most PORTION points to compare
    them with.
    """
    dimension = points.shape[1]
    squares[: stop - begin] = 0.0
    for feature in range(0, dimension, _FEATURES):
        for j in range(stop - begin):
            for c in range(feature, min(feature + _FEATURES, dimension)):
                x = points[begin + j, c]
                for i in range(SIDE_BY_SIDE):
                    difference = rows[c, i] - x
                    squares[j, i] += difference * difference


@inline_kernel
def sum_distances(points, begin, stop, rows, squares, portion):
    """Fill `portion` with the sum of the distances from each row to points begin to stop - 1.

    Each row is added up in the order of the points, and the compiler may still use vectors.
    `squares` is room to work in, see `square_distances`.
    """
    square_distances(points, begin, stop, rows, squares)
    portion[:] = 0.0
    for j in range(stop - begin):
        for i in range(SIDE_BY_SIDE):
            portion[i] += math.sqrt(squares[j, i])


@kernel
def sum_to_groups(points, starts, begin, stop, skipped, sums):
    """Fill `sums`, for each group, with the distances from points `begin` to ``stop - 1`` to it.

    Group g holds the points ``starts[g]`` to ``starts[g + 1] - 1``, and one may be skipped. A sum
    runs over the points of a group one after the other, always in the same portions, for many rows
    side by side; so each row is added up in the order of the points, and the compiler may still
    use vectors, the better as it sees that arrays made here do not overlap.
    """
    rows = np.empty((points.shape[1], SIDE_BY_SIDE))
    squares = np.empty((PORTION, SIDE_BY_SIDE))
    portion = np.empty(SIDE_BY_SIDE)
    total = np.empty(SIDE_BY_SIDE)
    take_rows(points, begin, stop, rows)
    for group in range(len(starts) - 1):
        if group == skipped:
            continue
        end = starts[group + 1]
        total[:] = 0.0
        for first in range(starts[group], end, PORTION):
            sum_distances(points, first, min(first + PORTION, end), rows, squares, portion)
            for i in range(SIDE_BY_SIDE):
                total[i] += portion[i]
        for i in range(stop - begin):
            sums[group, i] = total[i]


@inline_kernel
def take_rows(points, begin, stop, rows):
    """Fill `rows` with points begin to stop - 1 by feature, and what is left with the last."""
    for i in range(SIDE_BY_SIDE):
        for c in range(points.shape[1]):
            rows[c, i] = points[min(begin + i, stop - 1), c]
