"""The pair score by its definition: a loop over all pairs of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from definitions import disco


def pair_score(X: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Return the mean over all pairs of the first point's score, where it counts."""
    names = np.asarray(labels).tolist()
    scores = disco.disco_samples(X, labels, **options)
    terms = [
        float(score)
        for name, score in zip(names, scores, strict=True)
        for other in names
        if name != -1 and other not in (-1, name)
    ]
    return math.fsum(terms) / len(names) ** 2
