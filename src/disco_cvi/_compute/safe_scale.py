"""Points times a power of two, which rounds nothing: squares neither overflow nor vanish."""

from __future__ import annotations

import numpy as np

from disco_cvi._compute.arrays import FloatArray, RawArray


def scale_points(points: RawArray, top: int) -> tuple[FloatArray, int]:
    """Return a copy of the points, in doubles, times a power of two, and its exponent.

    The largest coordinate comes to lie just below ``2**top``: half of the largest exponent, 511,
    less what sums need. The same points at any size that is a power of two become the same bits.
    """
    exponent = exponent_for(max(float(points.max()), -float(points.min())), top)
    return scale_by(points, exponent), exponent


def exponent_for(largest: float, top: int) -> int:
    """The exponent of the power of two that brings the largest coordinate just below 2**top."""
    return top - int(np.frexp(largest)[1]) if largest > 0 else 0


def scale_by(points: RawArray, exponent: int) -> FloatArray:
    """Return a copy of the points times 2**exponent."""
    if abs(exponent) < 1000:
        return np.multiply(points, 2.0**exponent, dtype=np.float64)
    with np.errstate(under="ignore"):
        return np.ldexp(points, exponent, dtype=np.float64)


def top_for_squares(dimension: int) -> int:
    """The top at which squares of so many differences still have a finite sum.

    Coordinates up to 10**300 times smaller than the largest still count.
    """
    return 500 - (dimension.bit_length() + 1) // 2
