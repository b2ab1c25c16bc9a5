"""How much memory work takes beside the points, measured, and said before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from disco_cvi._compute.free_memory import enough_memory
from disco_cvi._input.points import Points


class NeededMemory(NamedTuple):
    """Bytes for each point, and for each feature of it.

    They are less than was measured at the peak (`python -m benchmarks.needed_memory` measures
    anew), for any option and many copies: nobody is refused who may have enough.

    `metrics`: for these, too, the points are taken as for the Euclidean one; for others rows of
    distances are, no matter how many features there are.
    """

    per_point: int
    per_feature: int
    metrics: tuple[str, ...] = ()

    def of_points(self, points: Points, n_points: int) -> int:
        """Bytes for so many of the points."""
        by_features = points.metric.is_plain or points.metric.name in self.metrics
        width = points.raw.shape[1] if by_features and points.raw is not None else 0
        return n_points * (self.per_point + self.per_feature * width)


# 145 bytes in the plane, 272 in five dimensions, 515 in ten, 4,000 in fifty.
TREE = NeededMemory(60, 40, ("sqeuclidean", "cosine", "haversine"))
# Of lists for many min_points; beyond `most` they are built one by one.
_PER_NEIGHBOR, _MOST_OF_LISTS = 12, 1 << 31
FEWER_ROWS = "Score a random sample of the rows"
_REMEDY = (
    f"{FEWER_ROWS}, or use disco_cvi.distributed, which spreads them over the workers of a Dask "
    "cluster."
)
_REMEDY_OF_LISTS = "Ask for smaller min_points, or for one at a time."


def tree_memory(points: Points, min_points: Sequence[int] = ()) -> AbstractContextManager[None]:
    """Raise before the block if a tree certainly needs more memory than is free.

    With several `min_points`, lists of so many neighbors are kept.
    """
    needed = TREE.of_points(points, points.n_points)
    remedy = _REMEDY
    if len(min_points) > 1:
        needed += min(_MOST_OF_LISTS, _PER_NEIGHBOR * points.n_points * max(min_points))
        remedy = f"{_REMEDY_OF_LISTS} {_REMEDY}"
    return enough_memory(needed, argument="X", caller=points.caller, remedy=remedy)
