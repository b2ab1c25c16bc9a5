"""Exactly rounded, order-proof means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 30
_LIMBS = 4
_BLOCK = 1 << 16


def exact_mean(values: NDArray[np.float64]) -> float:
    """Mean of values in [-1, 1], the same bits for any order of them.

    Each value is cut into four whole numbers of 30 bits, which add up without rounding; the one
    rounding happens in the last division. Bits below 2**-120 are dropped from each value alone,
    so that what is lost does not depend on the order.
    """
    total = 0
    for begin in range(0, len(values), _BLOCK):
        rest = values[begin : begin + _BLOCK].astype(np.float64)
        for limb in range(_LIMBS):
            rest *= float(1 << _BITS)
            whole = np.trunc(rest)
            rest -= whole
            total += int(whole.astype(np.int64).sum()) << (_BITS * (_LIMBS - 1 - limb))
    return total / (len(values) << (_BITS * _LIMBS))
