"""Bring features to one scale."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from disco_cvi._exact import exact_mean


def standardize(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points with mean 0 and standard deviation 1 in each feature.

    The deviation is that of the points themselves (divided by n). A constant feature becomes 0.
    The result of a point does not depend on the order of the points, to the last bit.

    Examples
    --------
    >>> standardize(np.array([[1.0, 7.0], [3.0, 7.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    result = np.zeros(points.shape)
    for j, feature in enumerate(points.T):
        if feature.min() == feature.max():
            continue  # rounding of the mean must not become a feature
        # Sizes are brought to 1 by powers of two, which is exact: neither sums nor squares
        # overflow, and the exact means see all digits. The size itself cancels out.
        scaled = _to_unit_size(feature) / 2
        deviations = _to_unit_size(scaled - exact_mean(scaled))
        result[:, j] = deviations / math.sqrt(exact_mean(deviations * deviations))
    return result


def _to_unit_size(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply by a power of two, so that the largest value lies between 1/2 and 1."""
    _, exponent = np.frexp(np.abs(values).max())
    scaled: NDArray[np.float64] = np.ldexp(values, -int(exponent))
    return scaled
