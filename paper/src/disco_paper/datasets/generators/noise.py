"""Noise drawn from a distribution, in place of the noise of a data set."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.arrays import as_array
from disco_cvi._input.options import check_choice, check_seed
from disco_cvi._output.words import count
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_paper.datasets.labeled_points import LabeledPoints

_NOISE = -1
_POISSON_RATE = 5
_LARGEST = 1e150
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
        If `distribution` is none of the three, a number is above 1e150 in size, or there is not one
        label per point.
    TypeError
        If points or labels are of the wrong type.

    Examples
    --------
    >>> import numpy as np
    >>> from disco_paper.datasets import replace_noise
    >>> points, labels = np.array([[1.0], [99.0], [3.0]]), np.array([0, -1, 0])
    >>> made = replace_noise(points, labels, distribution="uniform")
    >>> made.labels
    array([ 0,  0, -1])
    >>> bool(1 <= made.points[2, 0] <= 3)
    True
    """
    check_choice(distribution, DISTRIBUTIONS, "distribution", "replace_noise")
    generator = np.random.RandomState(check_seed(seed, "replace_noise"))
    points = _check(points, "points", "fiu", 2).astype(np.float64)
    if np.abs(points).max(initial=0) > _LARGEST:
        rule = f"hold numbers of at most {_LARGEST:g} in size, whose variance is a number"
        raise InvalidInputError(argument="points", caller="replace_noise", rule=rule)
    labels = _check(labels, "labels", "i", 1)
    if len(points) != len(labels) or (labels == _NOISE).all():
        raise InvalidInputError(
            argument="labels",
            caller="replace_noise",
            rule=f"hold one label for each of the {len(points)} points, one or more not noise",
            got=f"{len(labels)} labels, {int((labels == _NOISE).sum())} of them noise",
        )
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


def _check(values: object, argument: str, kinds: str, ndim: int) -> NDArray[Any]:
    """Return an array of some kinds of numbers and so many dimensions."""
    array = as_array(values, argument, "replace_noise")
    if array.dtype.kind not in kinds or array.ndim != ndim:
        rule = "be an array of whole numbers" if kinds == "i" else "be an array of numbers"
        raise InvalidTypeError(
            argument=argument,
            caller="replace_noise",
            rule=f"{rule} of {count(ndim, 'dimension')}",
            got=f"{array.dtype} of shape {array.shape}",
        )
    if not np.isfinite(array).all():
        rule = "hold finite numbers"
        raise InvalidInputError(argument=argument, caller="replace_noise", rule=rule)
    return array
