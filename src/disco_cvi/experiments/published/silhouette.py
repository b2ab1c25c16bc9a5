"""The Silhouette of the DISCO paper's tables."""

from __future__ import annotations

from numpy.typing import ArrayLike

from disco_cvi.indices.silhouette import silhouette_score


def published_silhouette(X: ArrayLike, labels: ArrayLike) -> float:
    """Return the Silhouette with the noise label -1 as an ordinary cluster.

    It does not deviate from the definition. A ValueError tells of one label alone or of as many
    labels as points.
    """
    return silhouette_score(X, labels, noise_label=None)
