"""Two moons that reach into each other, with wrong labels or fuzzy borders."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_count, check_number, check_seed
from disco_paper.datasets.labeled_points import LabeledPoints

_MOON_SIZE = 250


def two_moons(*, seed: int, jitter: float = 0.0, swaps: int = 0) -> LabeledPoints:
    """Return two half circles of 250 points each, which reach into each other.

    The points are those of scikit-learn's ``make_moons(500, noise=jitter, random_state=seed)``, but
    do not change with its version.

    Parameters
    ----------
    seed : int
        Decides the order of the rows, the jitter, and which labels are swapped.
    jitter : float, default 0.0
        Standard deviation of what is added to each coordinate; the circles have radius 1.
    swaps : int, default 0
        How many points of each moon get the label of the other one, up to 250.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    InvalidInputError
        If `jitter` is negative or `swaps` is not between 0 and 250.

    Examples
    --------
    >>> from disco_paper.datasets import two_moons
    >>> truth, swapped = two_moons(seed=0), two_moons(seed=0, swaps=5)
    >>> int((truth.labels != swapped.labels).sum())
    10
    """
    seed = check_seed(seed, "two_moons")
    jitter = abs(check_number(jitter, "jitter", "two_moons", least=0))  # -0.0 is 0 too
    swaps = check_count(swaps, "swaps", "two_moons", least=0, most=_MOON_SIZE)
    angles = np.linspace(0, np.pi, _MOON_SIZE)
    upper = np.column_stack([np.cos(angles), np.sin(angles)])
    lower = np.column_stack([1 - np.cos(angles), 1 - np.sin(angles) - 0.5])
    generator = np.random.RandomState(seed)
    order = np.arange(2 * _MOON_SIZE)
    generator.shuffle(order)
    points = np.concatenate([upper, lower])[order]
    points += generator.normal(scale=jitter, size=points.shape)
    labels = np.repeat(np.arange(2, dtype=np.int64), _MOON_SIZE)[order]
    return LabeledPoints(points, _swap(labels, swaps, np.random.RandomState(seed)))


def _swap(
    labels: NDArray[np.int64], swaps: int, generator: np.random.RandomState
) -> NDArray[np.int64]:
    """Exchange so many labels between the two clusters."""
    swapped = labels.copy()
    for cluster in (0, 1):
        members = np.flatnonzero(labels == cluster)
        swapped[generator.choice(members, swaps, replace=False)] = 1 - cluster
    return swapped
