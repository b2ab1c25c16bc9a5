"""The pair score by its definition: a loop over all pairs of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from definitions import disco


def pair_score(X: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Return the mean over all pairs of the first point's score, where it counts."""
    n_pairs = np.size(labels) ** 2
    return math.fsum(math.fsum(terms) for terms in _terms(X, labels, **options).values()) / n_pairs


def earned(X: ArrayLike, labels: ArrayLike, **options: Any) -> dict[Any, float]:
    """Return the part of that mean by the cluster of the first point."""
    n_pairs = np.size(labels) ** 2
    return {n: math.fsum(terms) / n_pairs for n, terms in _terms(X, labels, **options).items()}


def _terms(X: ArrayLike, labels: ArrayLike, **options: Any) -> dict[Any, list[float]]:
    names = np.asarray(labels).tolist()
    scores = disco.disco_samples(X, labels, **options)
    terms: dict[Any, list[float]] = {name: [] for name in names if name != -1}
    for name, score in zip(names, scores, strict=True):
        for other in names:
            if name != -1 and other not in (-1, name):
                terms[name].append(float(score))
    return terms
