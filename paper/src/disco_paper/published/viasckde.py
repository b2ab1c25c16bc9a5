"""VIASCKDE as the DISCO paper's program computes it."""

from __future__ import annotations

import math

import numpy as np

from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels
from disco_cvi.indices.viasckde import nearest_and_density

_BANDWIDTH = 0.05
_FLAT = 1e-14

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "logarithms": "weighs points by logarithms of densities",
    "totals": "never resets its totals between clusters",
    "noise": "takes noise for a cluster",
}


def evaluate_published_viasckde(given: Clustering) -> float:
    """VIASCKDE as the paper's program computes it: clusters with small labels count more.

    NaN where it divides 0 by 0: in a cluster of one point or of one density, for a point with
    copies both in its cluster and outside, and for one label.
    """
    clustering = given.relabeled(_with_noise_as_cluster(given.labels))
    if clustering.labels.n_clusters < 2:
        return math.nan
    inside, outside, density = nearest_and_density(clustering, _BANDWIDTH)
    larger = np.maximum(inside, outside)
    if (clustering.labels.sizes == 1).any() or (larger == 0).any():
        return math.nan
    scores = (outside - inside) / larger
    logarithms = np.log(density)
    score, n_scored = 0.0, 0
    scores_so_far, points_so_far = 0.0, 0
    for rows in clustering.members:
        heights = logarithms[rows] - logarithms[rows].min()
        if heights.max() <= _FLAT:
            return math.nan
        scores_so_far += float((heights / heights.max() * scores[rows]).sum())
        points_so_far += len(rows)
        score += scores_so_far
        n_scored += points_so_far
    return score / n_scored


def _with_noise_as_cluster(labels: Labels) -> Labels:
    """Number the noise among the clusters by its label -1, which is mostly the smallest."""
    if labels.n_noise == 0:
        return labels
    place = sum(int(name) < -1 for name in labels.names)
    codes = np.where(labels.codes >= place, labels.codes + 1, labels.codes)
    codes[labels.codes < 0] = place
    sizes = np.insert(labels.sizes, place, labels.n_noise)
    names = (*labels.names[:place], -1, *labels.names[place:])
    return Labels(codes.astype(np.int32), names, sizes)
