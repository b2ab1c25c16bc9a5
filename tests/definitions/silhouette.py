"""Silhouette by its definition: one loop over points, one over groups.

It imports nothing from the package, and it is written to be compared with the text of the
definition, not to be fast.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import distances_of


def groups_of(labels: ArrayLike, noise: str = "cluster") -> list[list[int]]:
    """Return the rows of each group; noise is -1."""
    names = np.asarray(labels).tolist()
    groups = [
        [row for row, other in enumerate(names) if other == name]
        for name in sorted(set(names) - {-1})
    ]
    noisy = [row for row, name in enumerate(names) if name == -1]
    if noise == "cluster" and noisy:
        groups.append(noisy)
    if noise == "singletons":
        groups += [[row] for row in noisy]
    return groups


def silhouette_samples(
    X: ArrayLike, labels: ArrayLike, noise: str = "cluster", metric: str = "euclidean"
) -> NDArray[np.float64]:
    """Return the score of each point; NaN for points that are left out."""
    distances = distances_of(X, metric)
    groups = groups_of(labels, noise)
    n_judged = sum(len(group) for group in groups)
    if len(groups) < 2 or len(groups) == n_judged:
        raise ValueError("one group, or every point a group of its own")
    scores = np.full(len(distances), np.nan)
    for own in groups:
        for i in own:
            if len(own) == 1:
                scores[i] = 0.0
                continue
            a = math.fsum(distances[i, j] for j in own if j != i) / (len(own) - 1)
            b = min(
                math.fsum(distances[i, j] for j in group) / len(group)
                for group in groups
                if group is not own
            )
            scores[i] = (b - a) / max(a, b) if max(a, b) > 0 else 0.0
    return scores


def silhouette_score(
    X: ArrayLike, labels: ArrayLike, noise: str = "cluster", metric: str = "euclidean"
) -> float:
    """Return the mean score of all points that are judged."""
    samples = silhouette_samples(X, labels, noise, metric)
    judged = [score for score in samples if not math.isnan(score)]
    return math.fsum(judged) / len(judged)
