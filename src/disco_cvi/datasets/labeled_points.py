"""What readers and generators return."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class LabeledPoints(NamedTuple):
    """Points with their true labels.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        The cluster of each point; -1 is noise.
    """

    points: NDArray[np.float64]
    labels: NDArray[np.int64]
