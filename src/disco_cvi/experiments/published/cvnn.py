"""The CVNN of the DISCO paper's tables."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._input.clustering import Workspace, open_workspace
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cvnn import compactness_of

_NEIGHBORS = 10


def published_cvnn(X: ArrayLike, labels: ArrayLike) -> float:
    """Return CVNN as the paper's program computes it; it deviates from the definition.

    Separation adds the distances to neighbors inside of the cluster instead of counting those
    outside: it is the largest mean distance to a neighbor of the own cluster, where neighbors of
    other clusters count as 0. NaN if a cluster has a single point. A ValueError tells of no cluster
    at all, or of no more points than the 10 neighbors.
    """
    caller = "published_cvnn"
    work = open_workspace(X, labels, noise_label=-1, n_jobs=None, caller=caller)
    return evaluate_published_cvnn(work)


def evaluate_published_cvnn(work: Workspace) -> float:
    """`published_cvnn` of a workspace."""
    work.need_clusters("CVNN", least=1)
    if work.n_points <= _NEIGHBORS:
        message = f"CVNN needs more than {_NEIGHBORS} points; got {work.n_points}."
        raise UndefinedScoreError(message)
    if (work.labels.sizes == 1).any():
        return math.nan
    return compactness_of(work) + _separation(work)


def _separation(work: Workspace) -> float:
    distances, rows = work.nearest_others(_NEIGHBORS)
    codes, sizes = work.labels.codes, work.labels.sizes
    inside = codes >= 0
    is_own = codes[rows[inside]] == codes[inside][:, None]
    sums = np.where(is_own, distances[inside], 0.0).sum(axis=1)
    totals = np.bincount(codes[inside], weights=sums, minlength=len(sizes))
    return float((totals / (sizes * _NEIGHBORS)).max())
