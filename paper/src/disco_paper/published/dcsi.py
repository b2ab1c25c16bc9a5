"""DCSI as the DISCO paper's program computes it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.points import open_points
from disco_cvi._neighbors.distances import row_blocks, squared_distances
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.dcsi import longest_steps, squared_gaps

_MIN_POINTS = 5
_FIRST_NEIGHBORS = 15

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "squares": "squares all distances",
    "ranks": "counts equal distances as one when it ranks neighbors",
}


def evaluate_published_dcsi(clustering: Clustering, *, raw_labels: bool = False) -> float:
    """DCSI as the paper's program computes it.

    With `raw_labels`, a mistake of the program is copied that loses pairs of clusters unless the
    labels are 0 to k - 1: it compares positions of clusters with labels. NaN if a core of identical
    points has a gap to another one.
    """
    names = np.array(clustering.labels.names)
    if len(names) < 2:
        raise UndefinedScoreError("The published DCSI needs two clusters or more.")
    cores = [_core_points(clustering.array[rows]) for rows in clustering.members]
    filled = [position for position, core in enumerate(cores) if len(core)]
    kept = [position for position in filled if not raw_labels or position in names[filled]]
    if raw_labels:
        _refuse_empty_cores(names, filled)
    chosen = [cores[position] for position in kept]
    steps = longest_steps(chosen, 1)
    scores = [
        _pair_score(float(gaps[row, other]), max(steps[block.start + row], steps[other]))
        for block, gaps in squared_gaps(chosen, 1)
        for row in range(len(gaps))
        for other in range(block.start + row + 1, len(chosen))
    ]
    return math.fsum(scores) / (len(names) * (len(names) - 1) // 2)


def _refuse_empty_cores(names: NDArray[np.integer], filled: list[int]) -> None:
    passing = [position for position in range(len(names)) if position in names[filled]]
    if len(passing) > 1 and not set(passing) <= set(filled):
        raise UndefinedScoreError("The published DCSI meets a cluster without core points.")


def _pair_score(gap: float, step: float) -> float:
    if gap == 0:
        return 0.0
    return gap / (gap + step) if step > 0 else math.nan


def _core_points(points: FloatArray) -> FloatArray:
    """Points with enough others within the median of the distinct distances of that rank."""
    if len(points) <= _MIN_POINTS:
        return points[:0]
    reach, near, is_done = _reach(_nearest_squares(points))
    waiting = np.flatnonzero(~is_done)
    for block in row_blocks(len(waiting), len(points)):
        rows = waiting[block]
        squares = np.sort(squared_distances(points[rows], points), axis=1)
        reach[rows], near[rows], _ = _reach(squares)
    return np.ascontiguousarray(points[near <= np.median(reach)])


def _reach(squares: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Of ascending squares: that of the rank asked for, that of min_points, and whether to trust.

    Ranks count distinct squares; the last distinct one stands for those that are missing.
    """
    distinct = np.cumsum(np.diff(squares, axis=1, prepend=squares[:, :1]) > 0, axis=1)
    rank = np.minimum(2 * _MIN_POINTS, distinct[:, -1])
    place = (distinct >= rank[:, None]).argmax(axis=1)
    reach = squares[np.arange(len(squares)), place]
    return reach, squares[:, _MIN_POINTS].copy(), distinct[:, -1] > 2 * _MIN_POINTS


def _nearest_squares(points: FloatArray) -> FloatArray:
    """Some of the smallest squared distances of each point, ascending, its own 0 first."""
    checked = open_points(points, "published_dcsi", n_jobs=None)
    rows = nearest_points(checked, _FIRST_NEIGHBORS).rows
    squares = np.zeros((len(points), rows.shape[1] + 1))
    for column in points.T:
        difference = column[:, None] - column[rows]
        squares[:, 1:] += difference * difference
    return np.sort(squares, axis=1)
