"""What loaders and generators return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class LabeledPoints:
    """Points with their true labels; `points, labels = ...` takes them apart.

    `Dataset` and `Rings` are labeled points that say more.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        The cluster of each point; -1 is noise.

    Examples
    --------
    >>> from disco_cvi.datasets import noise_group
    >>> made = noise_group(seed=0, size=50)
    >>> made.n_clusters, made.n_noise
    (1, 50)
    >>> points, labels = made
    """

    points: NDArray[np.float64]
    labels: NDArray[np.int64]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield points, then labels."""
        yield self.points
        yield self.labels

    @property
    def n_noise(self) -> int:
        """The number of noise points."""
        return int((self.labels == -1).sum())

    @property
    def n_clusters(self) -> int:
        """The number of clusters; noise is none."""
        return len(set(self.labels.tolist()) - {-1})
