"""S_Dbw as the DISCO paper's program computes it."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.clustering import Clustering
from disco_cvi.exceptions import UndefinedScoreError

Points = NDArray[np.float64]

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "deviations": "takes standard deviations for variances",
    "members": "takes members for centers",
    "own": "counts around a center its own cluster only",
}


def evaluate_published_s_dbw(clustering: Clustering) -> float:
    """S_Dbw as the paper's program computes it: noise is left out first.

    A ZeroDivisionError tells of identical points.
    """
    n_labels = clustering.labels.n_clusters + (clustering.labels.n_noise > 0)
    if not 2 <= n_labels <= clustering.n_points - 1:
        message = f"S_Dbw needs 2 to {clustering.n_points - 1} different labels; got {n_labels}."
        raise UndefinedScoreError(message)
    points = clustering.without_noise.array
    clusters = [clustering.array[rows] for rows in clustering.members]
    if len(clusters) < 2:
        message = f"S_Dbw needs 2 clusters or more besides noise; got {len(clusters)}."
        raise UndefinedScoreError(message)
    spreads = [_spread(cluster) for cluster in clusters]
    scatter = sum(spreads) / len(clusters) / _spread(points)
    radius = math.sqrt(sum(spreads)) / len(clusters)
    centers = [_central_member(cluster) for cluster in clusters]
    own = [_density(*pair, radius) for pair in zip(clusters, centers, strict=True)]
    terms = []
    for one, other in combinations(range(len(clusters)), 2):
        middle = (centers[one] + centers[other]) / 2
        between = sum(_density(clusters[c], middle, radius) for c in (one, other))
        terms.append(between / max(own[one], own[other]))
    return scatter + sum(terms) / len(terms)


def _spread(points: Points) -> float:
    """Length of the vector of standard deviations."""
    return float(np.linalg.norm(points.std(axis=0)))


def _central_member(points: Points) -> Points:
    """The point nearest to the mean; of equally near ones the first."""
    member: Points = points[np.linalg.norm(points - points.mean(axis=0), axis=1).argmin()]
    return member


def _density(points: Points, place: Points, radius: float) -> int:
    return int((np.linalg.norm(points - place, axis=1) <= radius).sum())
