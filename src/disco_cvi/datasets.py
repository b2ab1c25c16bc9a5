"""The rings that open the DISCO paper; its other data sets are those of `disco_paper.datasets`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.tables import Card, RichDisplay, facts_table

__all__ = ["Rings", "three_rings"]

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

# The paper drew its rings from NumPy's legacy generator with seed 0, after other data had used up
# this many uniform numbers.
_DRAWN_BEFORE = 16_422


@dataclass(frozen=True, eq=False, repr=False)
class Rings(RichDisplay):
    """Points in the plane with a labeling that sees the rings and one that does not.

    ``points, labels = rings`` takes the first two apart.

    Attributes
    ----------
    points : ndarray of shape (n_points, 2)
    labels : ndarray of shape (n_points,)
        One cluster per ring, -1 for the noise between them.
    bad_labels : ndarray of shape (n_points,)
        The labeling that the paper sets against it.
    """

    points: Points
    labels: Labels
    bad_labels: Labels

    @property
    def good_labels(self) -> Labels:
        """The labels: one cluster per ring."""
        return self.labels

    @property
    def n_noise(self) -> int:
        """The number of noise points."""
        return int((self.labels == -1).sum())

    @property
    def n_clusters(self) -> int:
        """The number of clusters; noise is none."""
        return int(self.labels.max()) + 1

    def __iter__(self) -> Iterator[Points | Labels]:
        """Yield points, then labels."""
        yield self.points
        yield self.labels

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size()})"

    def _size(self) -> str:
        return f"{len(self.points)} points, {self.n_clusters} rings, {self.n_noise} noise points"

    def _card(self) -> Card:
        shown = [(name, f"array of shape {value.shape}") for name, value in vars(self).items()]
        return Card(type(self).__name__, [self._size()], [facts_table(shown)])


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
    generator = np.random.RandomState(0)
    generator.random_sample(_DRAWN_BEFORE)
    rings = []
    for radius, size in ((5, 50), (15, 150), (25, 250)):
        angles = np.linspace(0, 2 * np.pi, size, endpoint=False)
        radii = radius + (generator.uniform(0, 0.6, (size, 2)) - 0.3)
        rings.append(np.column_stack([np.sin(angles), np.cos(angles)]) * radii)
    on_rings = np.concatenate(rings)
    points = np.concatenate([on_rings, _noise(on_rings)])
    labels = np.repeat([0, 1, 2, -1], [50, 150, 250, 100]).astype(np.int64)
    return Rings(points, labels, _k_means_labels(points))


def _noise(points: Points) -> Points:
    """Draw 100 points of the box until all keep a gap from the points and a gap from each other."""
    generator = np.random.RandomState(0)
    box = (points.min(axis=0), points.max(axis=0))
    noise: Points = generator.uniform(*box, (100, 2))
    while True:
        near_points = (_distances(noise, points) < 1.6).any(axis=1)
        # Every point lies at distance 0 from itself: one neighbor is always there.
        near_noise = (_distances(noise, noise) < 0.6).sum(axis=1) > 1
        rejected = near_points | near_noise
        if not rejected.any():
            return noise
        noise[rejected] = generator.uniform(*box, (int(rejected.sum()), 2))


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


def _distances(left: Points, right: Points) -> Points:
    difference = left[:, None, :] - right[None, :, :]
    distances: Points = np.hypot(difference[..., 0], difference[..., 1])
    return distances
