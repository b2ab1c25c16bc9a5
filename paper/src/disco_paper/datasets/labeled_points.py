"""What loaders and generators return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.tables import Card, RichDisplay, facts_table
from disco_cvi._output.words import count


@dataclass(frozen=True, eq=False, repr=False)
class LabeledPoints(RichDisplay):
    """Points with their true labels; `points, labels = ...` takes them apart.

    `Dataset` and `Rings` are labeled points that say more.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        The cluster of each point; -1 is noise.

    Examples
    --------
    >>> from disco_paper.datasets import noise_group
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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown_size()})"

    def _shown_size(self) -> str:
        n_points, n_features = self.points.shape
        return (
            f"{count(n_points, 'point')} with {count(n_features, 'feature')}, "
            f"{count(self.n_clusters, 'cluster')}, {count(self.n_noise, 'noise point')}"
        )

    def _card(self) -> Card:
        names = [field.name for field in fields(self)]
        facts = [(name, getattr(self, name)) for name in names]
        shown = [
            (name, f"array of shape {value.shape}" if isinstance(value, np.ndarray) else value)
            for name, value in facts
        ]
        return Card(type(self).__name__, [self._shown_size()], [facts_table(shown)])

    @property
    def n_noise(self) -> int:
        """The number of noise points."""
        return int((self.labels == -1).sum())

    @property
    def n_clusters(self) -> int:
        """The number of clusters; noise is none."""
        return len(set(self.labels.tolist()) - {-1})
