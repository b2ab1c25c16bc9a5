"""Sums of Euclidean distances from many points to many others, in an order that never changes."""

from __future__ import annotations

import math

from disco_cvi._compute.kernels import inline_kernel

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


@inline_kernel
def take_rows(points, begin, stop, rows):
    """Fill `rows` with points begin to stop - 1 by feature, and what is left with the last."""
    for i in range(SIDE_BY_SIDE):
        for c in range(points.shape[1]):
            rows[c, i] = points[min(begin + i, stop - 1), c]
