"""The tree of parts: the same bits as the tree of all points at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from disco_cvi import DensityTree, disco_score
from disco_cvi._input.metric import check_metric
from disco_cvi.density_tree.build import broken_rule, tree_from_edges
from disco_cvi.density_tree.tree import _assemble
from disco_cvi.distributed.runner import ImmediateRunner
from disco_cvi.distributed.spanning_tree import span
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


def parts_of(points: NDArray[Any], n_parts: int, runner: ImmediateRunner) -> list[Any]:
    return [runner.submit(np.asarray, part) for part in np.array_split(points, n_parts)]


def tree_of_parts(
    points: NDArray[Any],
    min_points: int,
    n_blocks: int,
    n_parts: int = 3,
    metric: str = "euclidean",
) -> DensityTree:
    runner = ImmediateRunner()
    parts = parts_of(points, 3, runner)
    checked = check_metric(metric, None, "test")
    spanning, exponent = span(parts, min_points, n_blocks, runner, checked, "test")
    assert broken_rule(spanning) is None
    return _assemble(tree_from_edges(spanning, exponent, min_points, checked))


def assert_same_bits(one: DensityTree, other: DensityTree) -> None:
    assert np.array_equal(one.heights, other.heights)
    assert np.array_equal(one.core_distances, other.core_distances)
    labels = np.arange(one.n_points) * 7 % 4 - 1
    assert disco_score(one, labels) == disco_score(other, labels)


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
def test_metrics(metric: str) -> None:
    points = np.random.default_rng(0).standard_normal((60, 3))
    tree = DensityTree(points, min_points=4, metric=metric)
    assert_same_bits(tree_of_parts(points, 4, 4, metric=metric), tree)


def message_of(parts: list[ArrayLike], min_points: int = 1, metric: str = "euclidean") -> str:
    runner = ImmediateRunner()
    futures = [runner.submit(np.asarray, part) for part in parts]
    with pytest.raises((InvalidInputError, InvalidTypeError)) as raised:
        span(futures, min_points, 2, runner, check_metric(metric, None, "f"), "f")
    return str(raised.value)


@pytest.mark.small
def test_messages_name_rows_of_all_parts() -> None:
    good, bad = [[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [np.nan, 1.0], [1.0, np.inf]]
    assert message_of([good, bad, bad]) == (
        "X of f holds NaN or infinity in 4 rows (first: row 3). "
        "Drop or fill them; density is not defined with missing values."
    )
    assert "holds infinity in 1 row (first: row 1)" in message_of([[[1.0], [np.inf]]])
    assert "row 2 is one" in message_of([good, [[0.0, 0.0]]], metric="cosine")
    assert "got parts of 2 and of 1 columns" in message_of([good, [[1.0]]])
    assert "at least one point and one column" in message_of([np.empty((0, 2))])
    assert "from 1 to the number of points (2); got 3" in message_of([good], 3)
    assert "a part of shape (2,) of <U1" in message_of([["a", "b"]])


@pytest.mark.small
def test_empty_parts_are_allowed() -> None:
    runner = ImmediateRunner()
    parts = [np.empty((0, 2)), np.eye(2), np.empty((0, 5)), np.eye(2) + 1]
    futures = [runner.submit(np.asarray, part) for part in parts]
    spanning, _ = span(futures, 2, 2, runner, check_metric("euclidean", None, "f"), "f")
    assert len(spanning.rows) == 4
