"""The paper's two rings; its three rings are `disco_cvi.datasets.three_rings`."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi.datasets import Rings

Points = NDArray[np.float64]

# The paper drew its rings from NumPy's legacy generator with seed 0, after other data had used up
# this many uniform numbers.
_DRAWN_BEFORE = 7
_CENTERS = np.array([[-25.0, 20.0], [25.0, -20.0]])


def two_rings(*, build: Literal[1, 2] = 2) -> Rings:
    """Return two rings side by side, in noise: 380 points, 200 of them noise.

    Good labels name the rings and leave the noise out. Bad labels add to each ring the noise in
    the wide band around it, up to half a radius inwards and outwards.

    Parameters
    ----------
    build : {1, 2}, default 2
        The paper drew this data twice in a row from one random stream: 2 is Figure 1, panels c
        (good) and d (bad); 1 is the right half of its table on good and bad noise.

    Returns
    -------
    Rings

    Examples
    --------
    >>> from disco_paper.datasets import two_rings
    >>> rings = two_rings()
    >>> int((rings.good_labels == -1).sum()), int((rings.bad_labels == -1).sum())
    (200, 122)
    """
    generator = np.random.RandomState(0)
    generator.random_sample(_DRAWN_BEFORE)
    for _ in range(build):
        on_rings = np.concatenate([_ring(generator, center) for center in _CENTERS])
        noise = _noise(generator, on_rings)
    points = np.concatenate([on_rings, noise])
    good = np.repeat([0, 1, -1], [90, 90, 200]).astype(np.int64)
    bad = good.copy()
    for ring, center in enumerate(_CENTERS):  # the later ring wins
        distance = np.hypot(*(points - center).T)
        bad[(good == -1) & (distance >= 10) & (distance <= 30)] = ring
    return Rings(points, good, bad)


def _ring(generator: np.random.RandomState, center: Points) -> Points:
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    radii = 20 + (generator.uniform(0, 1.2, (90, 2)) - 0.6)
    ring: Points = center + np.column_stack([np.sin(angles), np.cos(angles)]) * radii
    return ring


def _noise(generator: np.random.RandomState, points: Points) -> Points:
    """Draw points of the box until all keep a gap from the points and a gap from each other."""
    noise: Points = generator.uniform(-50.0, 50.0, (200, 2))
    while True:
        near_points = (_distances(noise, points) < 2.0).any(axis=1)
        # Every point lies at distance 0 from itself: one neighbor is always there.
        near_noise = (_distances(noise, noise) < 0.5).sum(axis=1) > 1
        rejected = near_points | near_noise
        if not rejected.any():
            return noise
        noise[rejected] = generator.uniform(-50.0, 50.0, (int(rejected.sum()), 2))


def _distances(left: Points, right: Points) -> Points:
    difference = left[:, None, :] - right[None, :, :]
    distances: Points = np.hypot(difference[..., 0], difference[..., 1])
    return distances
