"""The ring pictures that open the DISCO paper, drawn again from their seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_count
from disco_cvi.datasets.labeled_points import LabeledPoints

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

_NOISE = -1

# The paper drew its rings from NumPy's legacy generator with seed 0, after other data had used up
# this many uniform numbers.
_DRAWN_BEFORE_THREE_RINGS = 16_422
_DRAWN_BEFORE_TWO_RINGS = 7

_TWO_CENTERS = np.array([[-25.0, 20.0], [25.0, -20.0]])


@dataclass(frozen=True, eq=False, repr=False)
class Rings(LabeledPoints):
    """Points in the plane with a labeling that sees the rings and one that does not.

    Attributes
    ----------
    points : ndarray of shape (n_points, 2)
    labels : ndarray of shape (n_points,)
        One cluster per ring, -1 for the noise between them.
    bad_labels : ndarray of shape (n_points,)
        The labeling that the paper sets against it.
    """

    bad_labels: Labels

    @property
    def good_labels(self) -> Labels:
        """The labels: one cluster per ring."""
        return self.labels


def three_rings() -> Rings:
    """Return three rings around one center, in noise: 550 points, 100 of them noise.

    Good labels name the rings and leave the noise out. Bad labels are those of k-means with three
    clusters: it cuts the plane into three sectors and knows no noise. Many indices prefer them.

    Returns
    -------
    Rings
        Figure 1 of the paper, panels a (good) and b (bad).

    Examples
    --------
    >>> from disco_cvi.datasets import three_rings
    >>> rings = three_rings()
    >>> rings.points.shape
    (550, 2)
    >>> [int((rings.good_labels == label).sum()) for label in (-1, 0, 1, 2)]
    [100, 50, 150, 250]
    """
    generator = _legacy_generator(_DRAWN_BEFORE_THREE_RINGS)
    center = np.zeros(2)
    sizes = ((5, 50), (15, 150), (25, 250))
    rings = [_ring(generator, center, radius, size, jitter=0.3) for radius, size in sizes]
    on_rings = np.concatenate(rings)
    box = (on_rings.min(axis=0), on_rings.max(axis=0))
    noise = _rejection_noise(_legacy_generator(0), on_rings, 100, box, (1.6, 0.6))
    points = np.concatenate([on_rings, noise])
    return Rings(points, _ring_labels(rings, len(noise)), _k_means_labels(points))


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
    >>> from disco_cvi.datasets import two_rings
    >>> rings = two_rings()
    >>> int((rings.good_labels == -1).sum()), int((rings.bad_labels == -1).sum())
    (200, 122)
    """
    check_count(build, "build", "two_rings", most=2)
    generator = _legacy_generator(_DRAWN_BEFORE_TWO_RINGS)
    box = (np.full(2, -50.0), np.full(2, 50.0))
    for _ in range(build):
        rings = [_ring(generator, center, 20, 90, jitter=0.6) for center in _TWO_CENTERS]
        on_rings = np.concatenate(rings)
        noise = _rejection_noise(generator, on_rings, 200, box, (2.0, 0.5))
    points = np.concatenate([on_rings, noise])
    good = _ring_labels(rings, len(noise))
    return Rings(points, good, _absorb_noise(points, good))


def _legacy_generator(drawn_before: int) -> np.random.RandomState:
    generator = np.random.RandomState(0)
    generator.random_sample(drawn_before)
    return generator


def _ring(
    generator: np.random.RandomState, center: Points, radius: float, size: int, jitter: float
) -> Points:
    angles = np.linspace(0, 2 * np.pi, size, endpoint=False)
    radii = radius + (generator.uniform(0, 2 * jitter, (size, 2)) - jitter)
    return center + np.column_stack([np.sin(angles), np.cos(angles)]) * radii


def _rejection_noise(
    generator: np.random.RandomState,
    points: Points,
    size: int,
    box: tuple[Points, Points],
    gaps: tuple[float, float],
) -> Points:
    """Draw points of the box until all keep a gap from the points and a gap from each other."""
    gap_to_points, gap_to_noise = gaps
    noise: Points = generator.uniform(*box, (size, 2))
    while True:
        near_points = (_distances(noise, points) < gap_to_points).any(axis=1)
        # Every point lies at distance 0 from itself: one neighbor is always there.
        near_noise = (_distances(noise, noise) < gap_to_noise).sum(axis=1) > 1
        rejected = near_points | near_noise
        if not rejected.any():
            return noise
        noise[rejected] = generator.uniform(*box, (int(rejected.sum()), 2))


def _distances(left: Points, right: Points) -> Points:
    difference = left[:, None, :] - right[None, :, :]
    distances: Points = np.hypot(difference[..., 0], difference[..., 1])
    return distances


def _ring_labels(rings: list[Points], n_noise: int) -> Labels:
    sizes = [len(ring) for ring in rings]
    return np.repeat([*range(len(rings)), _NOISE], [*sizes, n_noise]).astype(np.int64)


def _absorb_noise(points: Points, labels: Labels) -> Labels:
    """Give noise within the band around a ring to that ring; the later ring wins."""
    absorbed = labels.copy()
    for ring, center in enumerate(_TWO_CENTERS):
        distance = _distances(points, center[None, :])[:, 0]
        absorbed[(labels == _NOISE) & (distance >= 10) & (distance <= 30)] = ring
    return absorbed


def _k_means_labels(points: Points) -> Labels:
    """Return the labels of k-means with three clusters.

    On rings k-means can end in many ways, one for each rotation of the three sectors. The paper
    shows where scikit-learn's ``KMeans(n_clusters=3, random_state=0, n_init=1)`` ended; Lloyd's
    steps from centers near that end reach it with every version of scikit-learn, or without any.
    """
    centers: Points = np.array([[1.0, -16.0], [-14.0, 7.0], [13.0, 9.0]])
    while True:
        labels: Labels = _distances(points, centers).argmin(axis=1).astype(np.int64)
        moved: Points = np.array([points[labels == label].mean(axis=0) for label in range(3)])
        if np.array_equal(moved, centers):
            return labels
        centers = moved
