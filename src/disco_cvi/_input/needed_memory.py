"""How much memory a tree takes while it is built, measured, and said before the work."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from disco_cvi._compute.free_memory import enough_memory
from disco_cvi._input.points import Points

# Beside the points, less than was measured at the peak (145 bytes in the plane, 272 in five
# dimensions, 515 in ten, 4,000 in fifty): nobody is refused who may have enough.
_PER_POINT, _PER_FEATURE = 60, 40
# Of lists for many min_points; beyond `most` they are built one by one.
_PER_NEIGHBOR, _MOST_OF_LISTS = 12, 1 << 31
_REMEDY = (
    "Score a random sample of the rows, or use disco_cvi.distributed, which spreads them over the "
    "workers of a Dask cluster."
)
_REMEDY_OF_LISTS = "Ask for smaller min_points, or for one at a time."


def tree_memory(points: Points, min_points: Sequence[int] = ()) -> AbstractContextManager[None]:
    """Raise before the block if a tree certainly needs more memory than is free.

    With several `min_points`, lists of so many neighbors are kept.
    """
    n_points, width = points.n_points, 0
    if points.metric.is_euclidean and points.raw is not None:
        width = points.raw.shape[1]
    needed = n_points * (_PER_POINT + _PER_FEATURE * width)
    remedy = _REMEDY
    if len(min_points) > 1:
        needed += min(_MOST_OF_LISTS, _PER_NEIGHBOR * n_points * max(min_points))
        remedy = f"{_REMEDY_OF_LISTS} {_REMEDY}"
    return enough_memory(needed, argument="X", caller=points.caller, remedy=remedy)
