"""Sums of a Gaussian kernel over all points: kernel density estimates up to a factor."""

from __future__ import annotations

import math

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.kd_tree import STACK_SIZE, KDTree, squared_distance_of_boxes

# What is left out of a sum weighs less than this, where the point itself weighs 1.
_LEFT_OUT = 1e-17
# A bound from boxes is lowered by more than rounding may have raised it.
_BELOW = 1 - 2.0**-40
_LEAVES_PER_RANGE = 64
# Up to about so many points are added to a sum at once.
_RUN = 480
# ln(2) in two parts, the first short enough that small multiples of it are exact.
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_LOG2_E = 1.4426950408889634
_LAST_BITS = 1.5 * 2.0**52


def gaussian_sums(
    tree: KDTree, bandwidth: float, n_jobs: int, title: str | None = None
) -> FloatArray:
    """Sum over all rows z of exp(-d(x, z)² / (2 bandwidth²)), for each distinct point x.

    The bandwidth must be below 2**500. Time O(n log n + m) in low dimension, where m counts the
    pairs within ten or so bandwidths; memory O(n). The sums do not depend on the order of the rows
    to the last bit, but for freak cases. With a `title`, long work shows a progress bar.
    """
    width = 2.0 * bandwidth * bandwidth
    if width == 0:
        return tree.multiplicity.astype(np.float64)
    reach = width * math.log(len(tree.rows) / _LEFT_OUT)
    sums = np.zeros((len(tree.points), 2))
    leaves = np.flatnonzero(tree.right == 0)

    def add(begin: int, stop: int) -> None:
        _add_kernels(tree, leaves[begin:stop], width, reach, sums)

    for_ranges(add, len(leaves), _LEAVES_PER_RANGE, n_jobs, title)
    return sums[:, 0] + sums[:, 1]


@kernel
def _add_kernels(tree, leaves, width, reach, sums):
    """Fill the densities of all points of some leaves, in two columns to be added.

    Leaves within reach follow one another in long runs of points.
    """
    starts, ends, rights = tree.start, tree.end, tree.right
    waiting = np.empty(STACK_SIZE, np.int32)
    for leaf in leaves:
        begin = 0
        stop = 0
        waiting[0] = 0
        n_waiting = 1
        while n_waiting > 0:
            n_waiting -= 1
            node = waiting[n_waiting]
            apart = squared_distance_of_boxes(tree.lower, tree.upper, leaf, node) * _BELOW
            if apart >= reach and apart > 0.0:
                continue
            if rights[node] > 0:
                waiting[n_waiting] = rights[node]
                waiting[n_waiting + 1] = node + 1
                n_waiting += 2
                continue
            if starts[node] > stop or stop - begin > _RUN:
                _add_run(tree, leaf, begin, stop, width, reach, sums)
                begin = starts[node]
            stop = ends[node]
        _add_run(tree, leaf, begin, stop, width, reach, sums)


@kernel
def _add_run(tree, leaf, begin, stop, width, reach, sums):
    """Add the kernels of the points begin to stop - 1 to the densities of a leaf."""
    points = tree.points
    copies = tree.multiplicity[begin:stop]
    squares = np.empty(stop - begin)
    terms = np.empty(stop - begin)
    powers = np.empty(stop - begin)
    for i in range(tree.start[leaf], tree.end[leaf]):
        squares[:] = 0.0
        for c in range(points.shape[1]):
            _add_squares(points[begin:stop, c], points[i, c], squares)
        _exponentials(squares, width, reach, powers, terms)
        _finish_terms(squares, copies, reach, powers, terms)
        _add_terms(terms, sums, i)


# The loops below are kept apart and simple, so that they are compiled to vector instructions.


@kernel
def _add_squares(column, center, squares):
    for t in range(column.shape[0]):
        x = column[t] - center
        squares[t] += x * x


@kernel
def _exponentials(squares, width, reach, powers, terms):
    """Two factors of exp(-y) for y = square / width: 2**-k and exp(k ln 2 - y)."""
    bits = powers.view(np.int64)
    for t in range(squares.shape[0]):
        square = min(reach, squares[t])
        y = square / width
        k = np.floor(y * _LOG2_E + 0.5)
        # The last bits of this sum are the exponent of the power, which then move to its place.
        powers[t] = _LAST_BITS + (1023.0 - k)
        terms[t] = _small_exponential((k * _LN2_HIGH - y) + k * _LN2_LOW)
    for t in range(bits.shape[0]):
        bits[t] = bits[t] << 52


@kernel
def _finish_terms(squares, copies, reach, powers, terms):
    for t in range(squares.shape[0]):
        term = terms[t] * powers[t] if squares[t] < reach else 0.0
        terms[t] = copies[t] * (1.0 if squares[t] == 0.0 else term)


@kernel
def _add_terms(terms, sums, i):
    """Add in twice the precision: the order of the points, which is the tree's, does not show.

    Two sums go side by side, because each addition waits for the one before.
    """
    half = terms.shape[0] // 2
    first = terms[:half]
    second = terms[half : 2 * half]
    high, low = sums[i, 0], sums[i, 1]
    other_high, other_low = 0.0, 0.0
    for t in range(half):
        high, low = _add_exactly(high, low, first[t])
        other_high, other_low = _add_exactly(other_high, other_low, second[t])
    high, low = _add_exactly(high, low + other_low, other_high)
    if terms.shape[0] > 2 * half:
        high, low = _add_exactly(high, low, terms[-1])
    sums[i, 0] = high
    sums[i, 1] = low


@inline_kernel
def _add_exactly(high, low, term):
    total = high + term
    part = total - high
    return total, low + ((high - (total - part)) + (term - part))


@inline_kernel
def _small_exponential(x):
    """exp(x) for abs(x) <= ln(2) / 2, by its series up to the last bit that counts."""
    value = 1.0 + x * (1 / 13)
    value = 1.0 + x * (1 / 12) * value
    value = 1.0 + x * (1 / 11) * value
    value = 1.0 + x * (1 / 10) * value
    value = 1.0 + x * (1 / 9) * value
    value = 1.0 + x * (1 / 8) * value
    value = 1.0 + x * (1 / 7) * value
    value = 1.0 + x * (1 / 6) * value
    value = 1.0 + x * (1 / 5) * value
    value = 1.0 + x * (1 / 4) * value
    value = 1.0 + x * (1 / 3) * value
    value = 1.0 + x * 0.5 * value
    return 1.0 + x * value
