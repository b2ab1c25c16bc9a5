"""Sums of a Gaussian kernel over all points: kernel density estimates up to a factor."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_exactly
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

    most = _RUN + 2 * int((tree.end - tree.start)[leaves].max())

    def add(begin: int, stop: int) -> None:
        squares, terms, powers = np.empty((3, most))
        waiting = np.empty(STACK_SIZE, np.int32)
        room = _Room(waiting, squares, terms, powers, powers.view(np.int64))
        _add_kernels(tree, leaves[begin:stop], width, reach, room, sums)

    for_ranges(add, len(leaves), _LEAVES_PER_RANGE, n_jobs, title)
    return sums[:, 0] + sums[:, 1]


class _Room(NamedTuple):
    """Where one thread works: nodes that wait, and what is known of the points of a run.

    `bits` are those of `powers`.
    """

    waiting: NDArray[np.int32]
    squares: FloatArray
    terms: FloatArray
    powers: FloatArray
    bits: NDArray[np.int64]


@kernel
def _add_kernels(tree, leaves, width, reach, room, sums):
    """Fill the densities of all points of some leaves, in two columns to be added.

    Leaves within reach follow one another in long runs of points.
    """
    starts, ends, rights, waiting = tree.start, tree.end, tree.right, room.waiting
    for leaf in leaves:
        begin = 0
        stop = 0
        waiting[0] = 0
        n_waiting = 1
        while n_waiting >= 0:
            n_waiting -= 1
            # One round more than there are nodes adds the last run.
            start, end = -1, -1
            if n_waiting >= 0:
                node = waiting[n_waiting]
                apart = squared_distance_of_boxes(tree.lower, tree.upper, leaf, node) * _BELOW
                if apart >= reach and apart > 0.0:
                    continue
                if rights[node] > 0:
                    waiting[n_waiting] = rights[node]
                    waiting[n_waiting + 1] = node + 1
                    n_waiting += 2
                    continue
                start, end = starts[node], ends[node]
            if start < 0 or start > stop or stop - begin > _RUN:
                for i in range(starts[leaf], ends[leaf]):
                    _square_distances(tree.points, begin, stop, i, room.squares)
                    _find_exponentials(tree.multiplicity, begin, stop, width, reach, room)
                    _add_terms(room.terms, stop - begin, sums, i)
                begin = start
            stop = end


# The loops below are kept simple, so that they are compiled to vector instructions.


@inline_kernel
def _square_distances(points, begin, stop, i, squares):
    """Squared distances from point i to points begin to stop - 1."""
    for t in range(stop - begin):
        squares[t] = 0.0
    for c in range(points.shape[1]):
        column = points[begin:stop, c]
        center = points[i, c]
        for t in range(stop - begin):
            x = column[t] - center
            squares[t] += x * x


@inline_kernel
def _find_exponentials(copies, begin, stop, width, reach, room):
    """Terms by two factors of exp(-y) for y = square / width: 2**-k and exp(k ln 2 - y)."""
    squares, terms, powers, bits = room.squares, room.terms, room.powers, room.bits
    copies = copies[begin:stop]
    for t in range(stop - begin):
        y = min(reach, squares[t]) / width
        k = np.floor(y * _LOG2_E + 0.5)
        # The last bits of this sum are the exponent of the power, which then move to its place.
        powers[t] = _LAST_BITS + (1023.0 - k)
        terms[t] = _small_exponential((k * _LN2_HIGH - y) + k * _LN2_LOW)
    for t in range(stop - begin):
        bits[t] = bits[t] << 52
    for t in range(stop - begin):
        term = terms[t] * powers[t] if squares[t] < reach else 0.0
        terms[t] = copies[t] * (1.0 if squares[t] == 0.0 else term)


@inline_kernel
def _add_terms(terms, n_terms, sums, i):
    """Add in twice the precision: the order of the points, which is the tree's, does not show.

    Two sums go side by side, because each addition waits for the one before.
    """
    half = n_terms // 2
    second = terms[half : 2 * half]
    high, low = sums[i, 0], sums[i, 1]
    other_high, other_low = 0.0, 0.0
    for t in range(half):
        high, low = add_exactly(high, low, terms[t])
        other_high, other_low = add_exactly(other_high, other_low, second[t])
    high, low = add_exactly(high, low + other_low, other_high)
    if n_terms > 2 * half:
        high, low = add_exactly(high, low, terms[n_terms - 1])
    sums[i, 0] = high
    sums[i, 1] = low


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
