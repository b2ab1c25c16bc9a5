"""MMJ-SC by its definition: n-by-n matrices, one function per sentence, nothing clever.

The package must agree with this file on every data set of the zoo. It therefore imports nothing
from the package, and it is written to be compared with the text of the definition, not to be fast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from definitions.distances import distances_of, part_of

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


def min_max_jumps(distances: Matrix) -> Matrix:
    """Return the smallest possible longest jump between all pairs: Floyd and Warshall's loop."""
    jumps = distances.copy()
    for middle in range(len(distances)):
        through = np.maximum(jumps[:, middle, np.newaxis], jumps[np.newaxis, middle, :])
        np.minimum(jumps, through, out=jumps)
    np.fill_diagonal(jumps, 0.0)
    return jumps


def groups_of(labels: list[Any], noise: str, noise_label: Any) -> list[Any]:
    """Return the group of each point: noise is one group, none (None), or one for each point."""
    groups: list[Any] = []
    for point, label in enumerate(labels):
        if label != noise_label:
            groups.append(("cluster", label))
        elif noise == "filter":
            groups.append(None)
        else:
            groups.append(("noise", point if noise == "singletons" else 0))
    return groups


def silhouette(point: int, jumps: Matrix, groups: list[Any]) -> float:
    """Return (b - a) / max(a, b) of one point; 0 where it is alone or both are 0."""
    sums: dict[Any, list[float]] = {}
    for other, group in enumerate(groups):
        sums.setdefault(group, []).append(float(jumps[point, other]))
    own = sums.pop(groups[point])
    if len(own) == 1:
        return 0.0
    a = math.fsum(own) / (len(own) - 1)
    b = min(math.fsum(values) / len(values) for values in sums.values())
    return (b - a) / max(a, b) if max(a, b) > 0 else 0.0


def samples_from(jumps: Matrix, groups: list[Any]) -> Vector | None:
    """Return one value per point, or None where there is one group or as many as points."""
    if not 2 <= len(set(groups)) < len(groups):
        return None
    return np.array([silhouette(point, jumps, groups) for point in range(len(groups))])


def mmj_sc_samples(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise: str = "cluster",
    noise_label: Any = -1,
    metric: str = "euclidean",
) -> Vector | None:
    """Return one value per point, NaN for those left out; None where there is no score."""
    groups = groups_of(np.asarray(labels).tolist(), noise, noise_label)
    kept = np.array([group is not None for group in groups])
    jumps = min_max_jumps(distances_of(part_of(X, kept, metric), metric))
    found = samples_from(jumps, [group for group in groups if group is not None])
    if found is None:
        return None
    samples = np.full(len(groups), np.nan)
    samples[kept] = found
    return samples


def mmj_sc_score(X: ArrayLike, labels: ArrayLike, **options: Any) -> float | None:
    """Return the mean over the points that are not left out."""
    samples = mmj_sc_samples(X, labels, **options)
    if samples is None:
        return None
    kept = samples[~np.isnan(samples)].tolist()
    return math.fsum(kept) / len(kept)
