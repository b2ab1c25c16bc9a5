"""Which points a map shows where there are too many: a fixed sample, the same in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._compute.arrays import FloatArray

MOST = 100_000
_WORST = 1_000
_OF_EACH = 200


def choose_rows(score: FloatArray, codes: NDArray[np.int32], most: int = MOST) -> NDArray[np.intp]:
    """Choose the rows that a map shows, in ascending order.

    Parameters
    ----------
    score : ndarray of shape (n,)
        The score of each point.
    codes : ndarray of shape (n,)
        The cluster of each point, -1 for noise.
    most : int, default 100,000
        How many rows at most; all of them if there are no more.

    Returns
    -------
    ndarray of int
        Among them the 1,000 lowest scores, and 200 of each cluster and of the noise, or all of a
        smaller one; the rest is spread evenly over the rows. Very many clusters share what there
        is.

    Examples
    --------
    >>> choose_rows(np.array([0.1, 0.9, 0.5, 0.3]), np.array([0, 0, 1, 1]), most=2).tolist()
    [0, 1]
    """
    n_points = len(score)
    if n_points <= most:
        return np.arange(n_points)
    chosen = np.zeros(n_points, dtype=np.bool_)
    # Of equal scores the first rows, as in the table of the worst points.
    chosen[np.argsort(score, kind="stable")[: min(_WORST, most // 2)]] = True
    room = most - int(chosen.sum())
    chosen[_some_of_each(codes, room)] = True
    _fill_evenly(chosen, most - int(chosen.sum()))
    return np.flatnonzero(chosen)


def _some_of_each(codes: NDArray[np.int32], room: int) -> NDArray[np.intp]:
    """As many rows of each group, evenly spread in it; no more than there is room for."""
    rows = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes + 1)
    sizes = sizes[sizes > 0]
    wanted = np.minimum(sizes, min(_OF_EACH, room // len(sizes)))
    begins = np.repeat(np.cumsum(sizes) - sizes, wanted)
    place = np.arange(wanted.sum()) - np.repeat(np.cumsum(wanted) - wanted, wanted)
    chosen: NDArray[np.intp] = rows[
        begins + place * np.repeat(sizes, wanted) // np.repeat(wanted, wanted)
    ]
    return chosen


def _fill_evenly(chosen: NDArray[np.bool_], room: int) -> None:
    free = np.flatnonzero(~chosen)
    chosen[free[np.arange(room) * len(free) // max(room, 1)]] = True
