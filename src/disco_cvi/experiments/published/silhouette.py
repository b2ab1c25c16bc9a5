"""The Silhouette of the DISCO paper's tables."""

from __future__ import annotations

from numpy.typing import ArrayLike

from disco_cvi._input.clustering import Workspace, open_workspace
from disco_cvi.indices.silhouette import evaluate_silhouette


def published_silhouette(X: ArrayLike, labels: ArrayLike) -> float:
    """Return the Silhouette with the noise label -1 as an ordinary cluster.

    It does not deviate from the definition. A ValueError tells of one label alone or of as many
    labels as points.
    """
    caller = "published_silhouette"
    work = open_workspace(X, labels, noise_label=-1, n_jobs=None, caller=caller)
    return evaluate_published_silhouette(work)


def evaluate_published_silhouette(work: Workspace) -> float:
    """`published_silhouette` of a workspace."""
    return evaluate_silhouette(work, noise="cluster")
