"""Discs filled evenly: two that move apart, and one with a group or a point of noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_count, check_number, check_seed
from disco_paper.datasets.labeled_points import LabeledPoints

_NOISE = -1
_RADIUS = 2.0
_CLUSTER_SIZE = 500
# So far away that the group is no part of the cluster, however large it grows.
_GROUP_CENTER = (15.0, 15.0)
_MOST = 10**6


def separated_discs(*, seed: int, half_distance: float) -> LabeledPoints:
    """Return two discs of radius 2 with 250 points each, their centers on the first axis.

    Parameters
    ----------
    seed : int
    half_distance : float
        How far each center lies from the origin: from 2 on, the discs do not overlap.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    InvalidInputError
        If `half_distance` is not finite.

    Examples
    --------
    >>> from disco_paper.datasets import separated_discs
    >>> discs = separated_discs(seed=0, half_distance=3.0)
    >>> bool((discs.points[discs.labels == 0, 0] < -1).all())
    True
    """
    half_distance = check_number(half_distance, "half_distance", "separated_discs")
    generator = np.random.RandomState(check_seed(seed, "separated_discs"))
    left = _disc(generator, (-half_distance, 0.0), _CLUSTER_SIZE // 2)
    right = _disc(generator, (half_distance, 0.0), _CLUSTER_SIZE // 2)
    labels = np.repeat(np.arange(2, dtype=np.int64), _CLUSTER_SIZE // 2)
    return LabeledPoints(np.concatenate([left, right]), labels)


def noise_group(*, seed: int, size: int) -> LabeledPoints:
    """Return a disc of 500 points and, far from it, a disc of points that are called noise.

    The more points the group has, the denser it is, and the less noise should it be called.

    Parameters
    ----------
    seed : int
    size : int
        How many points the group has, at least 1.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    InvalidInputError
        If `size` is below 1.

    Examples
    --------
    >>> from disco_paper.datasets import noise_group
    >>> int((noise_group(seed=0, size=50).labels == -1).sum())
    50
    """
    size = check_count(size, "size", "noise_group", most=_MOST)
    generator = np.random.RandomState(check_seed(seed, "noise_group"))
    cluster = _disc(generator, (0.0, 0.0), _CLUSTER_SIZE)
    return _with_noise(cluster, _disc(generator, _GROUP_CENTER, size))


def noise_point(*, seed: int, offset: float) -> LabeledPoints:
    """Return a disc of 500 points around the origin and one noise point.

    Parameters
    ----------
    seed : int
    offset : float
        Both coordinates of the noise point, which leaves the disc of radius 2 at the square root
        of 2.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    InvalidInputError
        If `offset` is not finite.

    Examples
    --------
    >>> from disco_paper.datasets import noise_point
    >>> points, labels = noise_point(seed=0, offset=2.5)
    >>> points[labels == -1]
    array([[2.5, 2.5]])
    """
    place = check_number(offset, "offset", "noise_point")
    generator = np.random.RandomState(check_seed(seed, "noise_point"))
    cluster = _disc(generator, (0.0, 0.0), _CLUSTER_SIZE)
    return _with_noise(cluster, np.full((1, 2), place))


def _with_noise(cluster: NDArray[np.float64], noise: NDArray[np.float64]) -> LabeledPoints:
    labels = np.repeat([0, _NOISE], [len(cluster), len(noise)]).astype(np.int64)
    return LabeledPoints(np.concatenate([cluster, noise]), labels)


def _disc(
    generator: np.random.RandomState, center: tuple[float, float], size: int
) -> NDArray[np.float64]:
    """Draw points of the square around a disc, and keep the first ones that lie in the disc."""
    low, high = np.array(center) - _RADIUS, np.array(center) + _RADIUS
    while True:
        drawn: NDArray[np.float64] = generator.uniform(low, high, (10 * size, 2))
        distances = np.hypot(drawn[:, 0] - center[0], drawn[:, 1] - center[1])
        inside: NDArray[np.float64] = drawn[distances <= _RADIUS]
        if len(inside) >= size:
            return inside[:size]
