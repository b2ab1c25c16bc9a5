"""What keeps an index from being computed: too little is known of the points."""

from __future__ import annotations

from disco_cvi._input.points import Points
from disco_cvi.indices.index_info import IndexInfo


def obstacle(points: Points, info: IndexInfo) -> str | None:
    """Say why an index cannot be computed from what is known of the points, or return None."""
    if info.metric == "euclidean" and not points.metric.is_plain:
        return (
            f"{info.title} is defined by Euclidean distances; the metric is {points.metric.shown}."
        )
    if points.tree is None or info.needs == "tree":
        return None
    if info.needs == "points":
        return f"{info.title} needs the points; their density tree is not enough."
    if points.tree.min_points == 1:
        return None
    return (
        f"{info.title} needs the points, or their density tree with min_points=1; this tree has "
        f"min_points={points.tree.min_points}."
    )
