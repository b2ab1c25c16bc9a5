"""The plan by which space is cut into blocks of about equally many points, and the cutting.

A cut compares one coordinate with one value, so all copies of a point come to lie in one block.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.safe_scale import scale_by
from disco_cvi._compute.sorting import group_by
from disco_cvi._input.metric import Metric
from disco_cvi._neighbors.distances import euclidean_points
from disco_cvi.distributed.parts import as_rows

# Metrics that put points onto the unit sphere, whatever the largest coordinate.
ON_SPHERE = ("cosine", "haversine")
# Blocks are numbered by 16 bits where rows are sorted by them.
MOST_BLOCKS = 1 << 16


class Scale(NamedTuple):
    """How rows become points whose squared distances are safe: the same in every block."""

    metric: Metric
    exponent: int
    caller: str


class Splits(NamedTuple):
    """Cut v sends a point to ``below[v]`` if its coordinate axis[v] is below value[v].

    Otherwise to ``above[v]``; what is not negative is another cut, and -1 - b is block b.
    """

    axis: NDArray[np.int32]
    value: FloatArray
    below: NDArray[np.int32]
    above: NDArray[np.int32]


class Piece(NamedTuple):
    """Points of one part in one block, and their rows, ascending."""

    points: FloatArray
    rows: NDArray[np.int32]


def scale_rows(rows: NDArray[Any], scale: Scale) -> FloatArray:
    """Return rows as points; each row on its own, so that pieces may be scaled one by one."""
    if scale.metric.name in ON_SPHERE:
        return euclidean_points(rows, scale.metric, scale.caller)[0]
    return scale_by(rows, scale.exponent)


def plan_splits(sample: FloatArray, n_blocks: int) -> Splits:
    """Cut a sample along its widest coordinate, and its sides again, until there are blocks."""
    cuts: list[tuple[int, float]] = []
    sides: list[list[int]] = []
    waiting = [(sample, 0, n_blocks, -1, 0)]
    while waiting:
        points, first, number, above, side = waiting.pop()
        if above >= 0:
            sides[above][side] = len(cuts) if number > 1 else -1 - first
        if number == 1:
            continue
        left = number // 2
        axis, value = _cut(points, left / number)
        is_left = points[:, axis] < value
        place = len(cuts)
        cuts.append((axis, value))
        sides.append([0, 0])
        waiting.append((points[~is_left], first + left, number - left, place, 1))
        waiting.append((points[is_left], first, left, place, 0))
    return Splits(
        np.array([axis for axis, _ in cuts], np.int32),
        np.array([value for _, value in cuts], np.float64),
        np.array([below for below, _ in sides], np.int32),
        np.array([above for _, above in sides], np.int32),
    )


def _cut(points: FloatArray, share: float) -> tuple[int, float]:
    """A coordinate and a value below which about that share of the points lies; some, if any."""
    if len(points) < 2:
        return 0, np.inf
    axis = int((points.max(axis=0) - points.min(axis=0)).argmax())
    values = np.sort(points[:, axis])
    value = values[int(len(values) * share)]
    if value == values[0]:
        larger = values[values > value]
        value = larger[0] if len(larger) else np.inf
    return axis, float(value)


def cut(part: object, first_row: int, splits: Splits, scale: Scale) -> tuple[Piece, ...]:
    """Cut a part into its pieces, one for each block: a task.

    Only rows on their way are scaled, never the whole part at once.
    """
    array = as_rows(part, scale.caller)

    def find(begin: int, stop: int) -> NDArray[np.int32]:
        block = np.zeros(stop - begin, np.int32)
        find_blocks(scale_rows(array[begin:stop], scale), splits, block)
        return block

    pieces = group_by(find, len(array), len(splits.axis) + 1, 1)
    return tuple(
        Piece(scale_rows(array[rows], scale), rows + np.int32(first_row)) for rows in pieces
    )


@kernel
def find_blocks(points, splits, block):
    """The block of every point."""
    if splits.axis.shape[0] == 0:
        return
    for i in range(points.shape[0]):
        place = 0
        while place >= 0:
            if points[i, splits.axis[place]] < splits.value[place]:
                place = splits.below[place]
            else:
                place = splits.above[place]
        block[i] = -1 - place
