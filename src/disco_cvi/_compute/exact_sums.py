"""Exactly rounded, order-proof sums and means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel
from disco_cvi._compute.threads import for_ranges

_BITS = 30
_LIMBS = 4
_BLOCK = 1 << 16


def exact_mean(values: NDArray[np.float64], n_jobs: int = 1) -> float:
    """Mean of values in [-1, 1], the same bits for any order of them.

    Each value is cut into four whole numbers of 30 bits, which add up without rounding; the one
    rounding happens in the last division. Bits below 2**-120 are dropped from each value alone,
    so that what is lost does not depend on the order.
    """

    def add(begin: int, stop: int) -> int:
        return sum(int(limb.whole.sum()) << limb.shift for limb in _limbs(values[begin:stop]))

    total = sum(for_ranges(add, len(values), _BLOCK, n_jobs))
    return total / (len(values) << (_BITS * _LIMBS))


def exact_means(values: NDArray[np.float64], begins: NDArray[np.int64]) -> list[float]:
    """Return the mean of each stretch of values, the same bits as `exact_mean` gives.

    Each stretch goes from one of the rising `begins` to the next; none is empty.
    """
    sizes = np.diff(begins, append=len(values)).tolist()
    totals = [0] * len(sizes)
    for limb in _limbs(values):
        sums = np.add.reduceat(limb.whole, begins).tolist()
        totals = [total + (part << limb.shift) for total, part in zip(totals, sums, strict=True)]
    return [total / (size << (_BITS * _LIMBS)) for total, size in zip(totals, sizes, strict=True)]


class _Limb(NamedTuple):
    """A part of each value: a whole number, to be shifted to its place."""

    whole: NDArray[np.int64]
    shift: int


def _limbs(values: NDArray[np.float64]) -> Iterator[_Limb]:
    rest = values.astype(np.float64)
    for limb in range(_LIMBS):
        rest *= float(1 << _BITS)
        whole = np.trunc(rest)
        rest -= whole
        yield _Limb(whole.astype(np.int64), _BITS * (_LIMBS - 1 - limb))


@inline_kernel
def upper_half(x):
    """The upper 26 bits of a number; what is left has as many: products of halves are exact."""
    high = 134217729.0 * x
    return high - (high - x)


@inline_kernel
def add_exactly(high, low, value):
    """high + low + value in twice the precision: the rounding of the sum is kept in `low`."""
    total = high + value
    part = total - high
    return total, low + ((high - (total - part)) + (value - part))


@inline_kernel
def add_product(high, low, height, count):
    """high + low + height * count in twice the precision: both roundings are kept in `low`."""
    upper = upper_half(height)
    product = height * count
    rounded = (upper * count - product) + (height - upper) * count
    total = high + product
    part = total - high
    return total, low + (((high - (total - part)) + (product - part)) + rounded)


@inline_kernel
def mean_of(high, low, height, count, divisor):
    """(high + low + height * count) / divisor, rounded once but for freak cases."""
    high, low = add_product(high, low, height, count)
    total = high + low
    rest = (high - total) + low
    mean = total / divisor
    upper, lower = add_product(0.0, 0.0, mean, divisor)
    return mean + (((total - upper) - lower) + rest) / divisor
