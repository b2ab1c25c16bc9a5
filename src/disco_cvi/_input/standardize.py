"""Bring features to one scale."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.exact_sums import exact_mean


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
        result[:, j] = _standardized(feature)
    return result


def standardize_whole(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points with mean 0 and standard deviation 1 over all features together.

    This suits images: every feature is a gray value on the same scale, and a pixel that hardly
    changes should stay one that hardly changes. The result of a point does not depend on the order
    of the points, to the last bit; points that all have one value become 0.

    Examples
    --------
    >>> standardize_whole(np.array([[1.0, 3.0], [3.0, 1.0]]))
    array([[-1.,  1.],
           [ 1., -1.]])
    """
    return _standardized(points.reshape(-1)).reshape(points.shape)


def _standardized(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if values.min() == values.max():
        return np.zeros(values.shape)  # rounding of the mean must not become a feature
    # Sizes are brought to 1 by powers of two, which is exact: neither sums nor squares overflow,
    # and the exact means see all digits. The size itself cancels out. Arrays are written over, as
    # all the pixels of all images are many.
    scaled = _to_unit_size(values)
    scaled /= 2
    scaled -= exact_mean(scaled)
    deviations = _to_unit_size(scaled)
    squares = np.square(deviations, out=scaled)
    deviations /= math.sqrt(exact_mean(squares))
    return deviations


def _to_unit_size(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply by a power of two, so that the largest value lies between 1/2 and 1."""
    _, exponent = np.frexp(max(values.max(), -values.min()))
    scaled: NDArray[np.float64] = np.ldexp(values, -int(exponent))
    return scaled
