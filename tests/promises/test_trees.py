"""A tree in the place of points: indices that need the points say so, whatever the metric."""

from __future__ import annotations

import pytest

from disco_cvi import DensityTree, IndexInfo, available_indices
from disco_cvi.indices.index_info import options_of
from helpers import zoo

POINTS = zoo.POINTS["blobs"]
LABELS = zoo.many_labels(len(POINTS))


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("info", available_indices(), ids=lambda info: info.name)
def test_a_tree_is_taken_or_refused_as_declared(info: IndexInfo, metric: str) -> None:
    tree = DensityTree(POINTS, min_points=1, metric=metric)
    if info.needs == "points":
        message = f"X of {info.function_name} must be points, which it needs besides their density"
        with pytest.raises(TypeError, match=message):
            info.function(tree, LABELS)
    else:
        options = {"min_points": 1} if "min_points" in options_of(info) else {}
        assert info.function(tree, LABELS) == info.function(
            POINTS, LABELS, metric=metric, **options
        )
