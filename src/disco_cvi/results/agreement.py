"""How far labelings agree, with the truth or with each other, and what noise counts as."""

from __future__ import annotations

import hashlib
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.labels import Labels, group_noise
from disco_cvi.exceptions import UndefinedScoreError

FoundNoise = Literal["alone", "one class", "left out"]


def adjusted_rand(truth: Labels, labels: Labels, noise: FoundNoise = "alone") -> float:
    """Return the adjusted Rand index (ARI); the noise of the truth is one class.

    Noise that was found is many classes of one point each ("alone"), "one class", or is "left out"
    together with its points.
    """
    from sklearn.metrics import adjusted_rand_score

    true = truth.codes
    if noise == "left out":
        inside = labels.codes >= 0
        if not inside.any():
            message = "All points are noise, and noise is left out: the ARI has nothing to compare."
            raise UndefinedScoreError(message)
        return float(adjusted_rand_score(true[inside], labels.codes[inside]))
    found, _ = group_noise(labels, alone=noise == "alone")
    return float(adjusted_rand_score(true, found))


def agreement(truth: Labels, labels: Labels) -> dict[str, float]:
    """Return ARI and AMI; each point that was found to be noise is a class of its own."""
    from sklearn.metrics import adjusted_mutual_info_score

    found, _ = group_noise(labels, alone=True)
    information = adjusted_mutual_info_score(np.asarray(truth.codes), found)
    return {"ari": adjusted_rand(truth, labels), "ami": float(information)}


def mutual_agreement(one: Labels, other: Labels) -> float:
    """Return the adjusted Rand index of two labelings; the noise of both is alone, in linear time.

    A point that is alone makes no pair, so that only clusters need to be counted. Whole numbers
    until the last division: the same bits for any order.
    """
    inside = (one.codes >= 0) & (other.codes >= 0)
    pairs = one.codes[inside].astype(np.int64) * max(other.n_clusters, 1) + other.codes[inside]
    cells = one.n_clusters * other.n_clusters
    shared = (
        np.bincount(pairs) if cells <= 4 * one.n_points else np.unique(pairs, return_counts=True)[1]
    )
    both, first, second = (_pairs_within(sizes) for sizes in (shared, one.sizes, other.sizes))
    everything = one.n_points * (one.n_points - 1) // 2
    most = (first + second) * everything - 2 * first * second
    return 2 * (both * everything - first * second) / most if most else 1.0


def _pairs_within(sizes: NDArray[np.int64]) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def partition_key(labels: Labels) -> bytes:
    """The same for labelings that differ in the names of their clusters alone."""
    codes = labels.codes
    first = np.zeros(labels.n_clusters + 1, np.int64)
    # Of several values for one place the last is kept: backwards, that of the first row.
    first[codes[::-1]] = np.arange(len(codes), 0, -1)
    renamed = np.empty(labels.n_clusters + 1, np.int32)
    renamed[np.argsort(first[:-1], kind="stable")] = np.arange(labels.n_clusters, dtype=np.int32)
    renamed[-1] = -1
    return hashlib.blake2b(renamed[codes].tobytes(), digest_size=16).digest()
