"""CVNN as the DISCO paper's program computes it."""

from __future__ import annotations

import math

import numpy as np

from disco_cvi._input.clustering import Clustering
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cvnn import compactness_of

_NEIGHBORS = 10

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "neighbors": "adds up the distances to neighbors inside a cluster instead of counting those "
    "outside",
}


def evaluate_published_cvnn(clustering: Clustering) -> float:
    """CVNN as the paper's program computes it.

    Its separation is the largest mean distance to a neighbor of the own cluster, where neighbors of
    other clusters count as 0. NaN if a cluster has a single point.
    """
    clustering.need_clusters("CVNN", least=1)
    if clustering.n_points <= _NEIGHBORS:
        message = f"CVNN needs more than {_NEIGHBORS} points; got {clustering.n_points}."
        raise UndefinedScoreError(message)
    if (clustering.labels.sizes == 1).any():
        return math.nan
    return compactness_of(clustering) + _separation(clustering)


def _separation(clustering: Clustering) -> float:
    nearest = nearest_points(clustering.points, _NEIGHBORS)
    distances, rows = nearest.in_units(), nearest.rows
    codes, sizes = clustering.labels.codes, clustering.labels.sizes
    inside = codes >= 0
    is_own = codes[rows[inside]] == codes[inside][:, None]
    sums = np.where(is_own, distances[inside], 0.0).sum(axis=1)
    totals = np.bincount(codes[inside], weights=sums, minlength=len(sizes))
    return float((totals / (sizes * _NEIGHBORS)).max())
