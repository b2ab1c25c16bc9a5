"""The Silhouette of the DISCO paper's tables."""

from __future__ import annotations

from numpy.typing import ArrayLike

from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi.indices.silhouette import evaluate_silhouette


def published_silhouette(X: ArrayLike, labels: ArrayLike) -> float:
    """Return the Silhouette with the noise label -1 as an ordinary cluster.

    It does not deviate from the definition. A ValueError tells of one label alone or of as many
    labels as points.
    """
    caller = "published_silhouette"
    clustering = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller=caller)
    return evaluate_published_silhouette(clustering)


def evaluate_published_silhouette(clustering: Clustering) -> float:
    """`published_silhouette` of a clustering."""
    return evaluate_silhouette(clustering, noise="cluster")
