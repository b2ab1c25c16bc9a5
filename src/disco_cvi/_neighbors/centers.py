"""Centers of groups of points, and how far points lie from them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_product, mean_of
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.safe_scale import scale_points, top_for_squares
from disco_cvi._input.clustering import Groups, SideBySide, put_side_by_side


class Centers(NamedTuple):
    """The mean of each group as a sum of two numbers, which has more digits than one number.

    With one alone, rounding could move the center of a small group far from the origin by as much
    as the group is wide.
    """

    high: FloatArray
    low: FloatArray


def gather_groups(groups: Groups) -> SideBySide:
    """Return the points group after group, at a size that keeps sums of all squares finite."""
    array = groups.clustering.array
    safe, _ = scale_points(array, top_for_squares(array.size))
    return put_side_by_side(safe, groups.codes, groups.sizes)


def find_centers(groups: SideBySide) -> Centers:
    """Return the means; points in an order of their own make them the same bits for any order."""
    shape = (len(groups.starts) - 1, groups.points.shape[1])
    centers = Centers(np.empty(shape), np.empty(shape))
    _average(groups.points, groups.starts, centers)
    return centers


def square_to_centers(groups: SideBySide, centers: Centers) -> FloatArray:
    """Return the squared distance of every point to the center of its group."""
    squares, sizes = np.zeros(len(groups.points)), np.diff(groups.starts)
    for column, high, low in zip(groups.points.T, centers.high.T, centers.low.T, strict=True):
        differences = column - np.repeat(high, sizes)
        differences -= np.repeat(low, sizes)
        differences *= differences
        squares += differences
    return squares


def sum_by_group(values: FloatArray, groups: SideBySide) -> FloatArray:
    """Return the sum of the values of each group, rounded once."""
    parts = np.split(values, groups.starts[1:-1])
    return np.array([math.fsum(part.tolist()) for part in parts])


@kernel
def _average(points, starts, centers):
    """Fill in the mean of each group."""
    high, low = centers
    for group in range(len(starts) - 1):
        size = float(starts[group + 1] - starts[group])
        for c in range(points.shape[1]):
            total, rest = 0.0, 0.0
            for i in range(starts[group], starts[group + 1]):
                total, rest = add_product(total, rest, points[i, c], 1.0)
            mean = mean_of(total, rest, 0.0, 0.0, size)
            total, rest = add_product(total, rest, mean, -size)
            high[group, c] = mean
            low[group, c] = (total + rest) / size
