"""DISCO by its definition in extended precision: no tree, no shortcuts, every distance.

Points are taken as float64, as the package takes them; all that follows has a mantissa of 64 bits
and an exponent of 15, so that no square leaves it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Extended = NDArray[np.longdouble]

# A distance of d features is wrong by (d + 3) / 2 units of 1.1e-16 at most, a quotient of two means
# by a few more; d is at most 40 here.
TOLERANCE = 1e-13
# Where the largest coordinate is so many times another, squares of the smallest distances lose
# digits, or all of them.
WIDEST = 1e280
MOST_POINTS = 60


def can_tell(X: Any) -> bool:
    """Whether there are few points, and of sizes that one scale of squares can hold."""
    sizes = np.abs(np.asarray(X, dtype=np.float64))
    with np.errstate(over="ignore"):
        spread = sizes.max(initial=1.0) / sizes[sizes > 0].min(initial=1.0)
    return len(sizes) <= MOST_POINTS and bool(spread < WIDEST)


def disco_samples(X: Any, codes: NDArray[np.int64], min_points: int) -> Extended:
    """Return the score of each point; noise has the code -1."""
    names = np.unique(codes[codes >= 0])
    if len(names) == 0:
        return np.full(len(codes), np.longdouble(-1))
    if not (codes < 0).any() and len(names) in (1, len(codes)):
        return np.zeros(len(codes), dtype=np.longdouble)
    distances = _distances(np.asarray(X, dtype=np.float64).astype(np.longdouble))
    core = np.sort(distances, axis=1)[:, min_points - 1]
    reach = np.maximum(distances, np.maximum(core[:, np.newaxis], core))
    np.fill_diagonal(reach, 0)
    for middle in range(len(reach)):
        through = np.maximum(reach[:, middle, np.newaxis], reach[middle])
        reach = np.minimum(reach, through)
    members = [np.flatnonzero(codes == name) for name in names]
    noise = np.flatnonzero(codes < 0)
    scores = np.zeros(len(codes), dtype=np.longdouble)
    for point, code in enumerate(codes):
        if code < 0:
            scores[point] = _noise(point, reach, core, members)
        else:
            scores[point] = _clustered(
                point, reach, members, int(np.searchsorted(names, code)), noise
            )
    return scores


def _distances(points: Extended) -> Extended:
    differences = points[:, np.newaxis] - points[np.newaxis]
    distances: Extended = np.sqrt((differences * differences).sum(axis=2))
    return distances


def _quotient(first: np.longdouble, second: np.longdouble) -> np.longdouble:
    larger = max(first, second)
    return (first - second) / larger if larger > 0 else np.longdouble(0)


def _noise(
    point: int, reach: Extended, core: Extended, members: list[NDArray[np.int64]]
) -> np.longdouble:
    """How sparse it is where a noise point lies, or how far from clusters: the lesser."""
    sparse = min(_quotient(core[point], core[rows].max()) for rows in members)
    far = min(_quotient(reach[point, rows].min(), core[rows].max()) for rows in members)
    return min(sparse, far)


def _clustered(
    point: int,
    reach: Extended,
    members: list[NDArray[np.int64]],
    own: int,
    noise: NDArray[np.int64],
) -> np.longdouble:
    """How much farther the nearest other cluster is than the own one; 0 for a point alone."""
    if len(members[own]) == 1:
        return np.longdouble(0)
    inside = reach[point, members[own]].sum() / (len(members[own]) - 1)
    others = [
        reach[point, rows].sum() / len(rows) for name, rows in enumerate(members) if name != own
    ]
    if not others and not len(noise):
        return np.longdouble(0)
    return _quotient(min(others) if others else reach[point, noise].min(), inside)
