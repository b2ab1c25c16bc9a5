"""How far a labeling agrees with the truth, and what noise counts as."""

from __future__ import annotations

from typing import Literal

import numpy as np

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
