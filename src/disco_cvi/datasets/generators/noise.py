"""Noise drawn from a distribution, in place of the noise of a data set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_choice
from disco_cvi.datasets.labeled_points import LabeledPoints

_NOISE = -1
_POISSON_RATE = 5
DISTRIBUTIONS = ("gaussian", "uniform", "poisson")


def replace_noise(
    points: NDArray[np.float64], labels: NDArray[np.int64], *, distribution: str, seed: int = 0
) -> LabeledPoints:
    """Return the cluster points of a data set and as many new noise points as it has.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        -1 is noise.
    distribution : {"gaussian", "uniform", "poisson"}
        Every feature of the new noise is drawn on its own: with the mean and the deviation of the
        cluster points, evenly between their smallest and largest value, or from the Poisson
        distribution of rate 5, whatever the cluster points are.
    seed : int, default 0

    Returns
    -------
    LabeledPoints
        The cluster points in their order, then the new noise.

    Raises
    ------
    InvalidInputError
        If `distribution` is none of the three.

    Examples
    --------
    >>> import numpy as np
    >>> from disco_cvi.datasets import replace_noise
    >>> points, labels = np.array([[1.0], [99.0], [3.0]]), np.array([0, -1, 0])
    >>> made = replace_noise(points, labels, distribution="uniform")
    >>> made.labels
    array([ 0,  0, -1])
    >>> bool(1 <= made.points[2, 0] <= 3)
    True
    """
    check_choice(distribution, DISTRIBUTIONS, "distribution", "replace_noise")
    generator = np.random.RandomState(seed)
    is_noise = labels == _NOISE
    clusters = points[~is_noise]
    shape = (int(is_noise.sum()), points.shape[1])
    noise: NDArray[np.float64]
    if distribution == "gaussian":
        noise = generator.normal(clusters.mean(axis=0), clusters.std(axis=0), shape)
    elif distribution == "uniform":
        noise = generator.uniform(clusters.min(axis=0), clusters.max(axis=0), shape)
    else:
        noise = generator.poisson(_POISSON_RATE, shape).astype(np.float64)
    codes = np.concatenate([labels[~is_noise], np.full(len(noise), _NOISE, np.int64)])
    return LabeledPoints(np.concatenate([clusters, noise]), codes)
