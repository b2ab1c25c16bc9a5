"""VIASCKDE as the DISCO paper's program computes it: log-densities, and totals never reset."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from disco_cvi._labels import check_labels
from disco_cvi.indices._workspace import Workspace
from disco_cvi.indices.viasckde import parts

FloatArray = NDArray[np.float64]

_BANDWIDTH = 0.05
_FLAT = 1e-14


def published_viasckde(X: FloatArray, labels: NDArray[np.integer]) -> float:
    """Return what the paper's program computes.

    Noise is a cluster like any other, weights come from log-densities, and the sums over clusters
    go on from one cluster to the next, so that clusters with small labels count more. NaN where it
    divides 0 by 0: in a cluster of one point or of one density, for a point with copies both in
    its cluster and outside, and for one label.
    """
    points = np.ascontiguousarray(X, np.float64)
    caller = "published_viasckde"
    work = Workspace(points, check_labels(labels, len(points), None, caller), 1, caller)
    if work.labels.n_clusters < 2:
        return math.nan
    inside, outside, density = parts(work, _BANDWIDTH)
    larger = np.maximum(inside, outside)
    if (work.labels.sizes == 1).any() or (larger == 0).any():
        return math.nan
    scores = (outside - inside) / larger
    logarithms = np.log(density)
    score, n_scored = 0.0, 0
    scores_so_far, points_so_far = 0.0, 0
    for rows in work.members:
        heights = logarithms[rows] - logarithms[rows].min()
        if heights.max() <= _FLAT:
            return math.nan
        scores_so_far += float((heights / heights.max() * scores[rows]).sum())
        points_so_far += len(rows)
        score += scores_so_far
        n_scored += points_so_far
    return score / n_scored
