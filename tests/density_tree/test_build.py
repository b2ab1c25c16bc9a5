"""From edges to a tree: the contract that every builder keeps, and trees of other programs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_spanning_tree
from scipy.spatial.distance import cdist

from disco_cvi import DensityTree, InvalidInputError, disco_samples, disco_score
from disco_cvi._input.points import open_points
from disco_cvi._neighbors.distances import distance_rows
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree
from disco_cvi._spanning_tree.density_involved import density_involved_tree
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.mutual_reachability import (
    minimum_spanning_tree,
    spanning_tree_by_rows,
    spanning_tree_of,
)
from disco_cvi.density_tree.build import broken_rule
from helpers import zoo

pytestmark = pytest.mark.small


def built(points: zoo.Points, min_points: int) -> dict[str, SpanningTree]:
    """What every builder makes of the points."""
    checked = open_points(points, "test", n_jobs=None)
    rows = distance_rows(checked.array, checked.metric, "test")
    found = {
        "k-d tree": minimum_spanning_tree(points.copy(), min_points, 1, "kd"),
        "blocks": minimum_spanning_tree(points.copy(), min_points, 1, "blocks"),
        "all pairs": span_few_points(points, min_points)[0],
        "rows": spanning_tree_by_rows(rows, min_points),
        "points": spanning_tree_of(checked, min_points)[0],
    }
    for metric in ("sqeuclidean", "cityblock"):
        other = open_points(points, "test", n_jobs=None, metric=metric)
        found[metric] = spanning_tree_of(other, min_points)[0]
    if len(points) > 1:
        found["density involved"] = density_involved_tree(checked, 3).spanning
    return found


@zoo.examples(150)
@given(zoo.cases())
def test_every_builder_keeps_the_contract(case: zoo.Case) -> None:
    points = case.points / max(1.0, float(np.abs(case.points).max()))
    for name, spanning in built(points, case.min_points).items():
        assert broken_rule(spanning) is None, name


LINE = SpanningTree(
    np.arange(4, dtype=np.int32),
    np.ones(4, np.int32),
    np.array([1.0, 1.0, 2.0, 1.0]),
    Edges(np.array([0, 1, 2], np.int32), np.array([1, 2, 3], np.int32), np.array([1.0, 2.0, 7.0])),
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"heights": [1.0, 1.5, 7.0]}, "edge 1, from 1 to 2, has the height 1.5, below the core"),
        ({"heights": [1.0, np.nan, 7.0]}, "height 1 is nan; it must be finite, and 0 or more"),
        ({"heights": [1.0, np.inf, 7.0]}, "height 1 is inf"),
        ({"core": [1.0, 1.0, -2.0, 1.0]}, "core distance 2 is -2.0; it must be finite"),
        ({"second": [1, 2, 4]}, "edge 2 leads to a point that is not there"),
        ({"first": [0, -1, 2]}, "edge 1 leads to a point that is not there"),
        ({"second": [1, 0, 3]}, "edge 1 joins two points that other edges join; so not all are"),
        ({"first": [0, 1, 3]}, "edge 2 joins two points that other edges join"),
        ({"core": [1.0, 1.0, 2.0]}, "3 points need 2 edges; there are 3 and 3 ends, 3 heights"),
        ({"first": [0, 1]}, "4 points need 3 edges; there are 2 and 3 ends, 3 heights"),
    ],
)
def test_what_is_no_spanning_tree(change: dict[str, list[Any]], reason: str) -> None:
    parts: dict[str, Any] = {
        "first": LINE.edges.first,
        "second": LINE.edges.second,
        "heights": LINE.edges.heights,
        "core": LINE.core,
        **{name: np.array(values) for name, values in change.items()},
    }
    with pytest.raises(InvalidInputError, match=re.escape(reason)) as caught:
        DensityTree.from_spanning_tree(
            parts["first"], parts["second"], parts["heights"], parts["core"], min_points=2
        )
    assert str(caught.value).startswith(
        "first, second and heights of from_spanning_tree must be a spanning tree under mutual "
        "reachability: "
    )


def test_rows_must_stand_for_one_point_each() -> None:
    twice = LINE._replace(rows=np.array([0, 1, 1, 3], np.int32))
    assert broken_rule(twice) == "every row must stand for one point"
    assert broken_rule(LINE) is None


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("first", [0.0, 1.5, 2.0], "row numbers; got"),
        ("first", [0.0, float("nan"), 2.0], "row numbers; got"),
        ("second", [[1, 2, 3]], "row numbers; got"),
        ("heights", ["1", "2", "7"], "numbers; got"),
        ("core_distances", None, "numbers; got None"),
    ],
)
def test_wrong_types(name: str, value: Any, rule: str) -> None:
    arguments: dict[str, Any] = {
        "first": [0, 1, 2],
        "second": [1, 2, 3],
        "heights": [1, 2, 7],
        "core_distances": [1, 1, 2, 1],
        name: value,
    }
    with pytest.raises(TypeError, match=f"{name} of from_spanning_tree must be .*{rule}"):
        DensityTree.from_spanning_tree(**arguments, min_points=2)


def test_min_points_and_metric_are_checked_and_kept() -> None:
    edges: Any = ([0, 1, 2], [1, 2, 3], [1, 2, 7], [1, 1, 2, 1])
    tree = DensityTree.from_spanning_tree(*edges, min_points=2, metric="cityblock")
    assert (tree.min_points, tree.metric, tree.n_points) == (2, "cityblock", 4)
    with pytest.raises(InvalidInputError, match="min_points of from_spanning_tree must be"):
        DensityTree.from_spanning_tree(*edges, min_points=5)
    with pytest.raises(InvalidInputError, match="metric of from_spanning_tree must be"):
        DensityTree.from_spanning_tree(*edges, min_points=2, metric="euclid")


def test_one_array_of_floats_as_other_programs_write_it() -> None:
    edges = np.array([[0, 1, 1.0], [1, 2, 2.0], [2, 3, 7.0]])
    first, second, heights = edges.T
    tree = DensityTree.from_spanning_tree(first, second, heights, [1, 1, 2, 1], min_points=2)
    assert tree.heights.tolist() == [1, 2, 7]


def test_no_points_and_one_point() -> None:
    with pytest.raises(InvalidInputError, match=r"core_distances of .* there are no points"):
        DensityTree.from_spanning_tree([], [], [], [], min_points=1)
    tree = DensityTree.from_spanning_tree([], [], [], [0.0], min_points=1)
    assert (tree.n_points, len(tree.heights)) == (1, 0)
    assert disco_score(tree, [0]) == 0.0


@zoo.examples(150)
@given(zoo.cases(least=2))
def test_the_tree_of_another_program_scores_the_same(case: zoo.Case) -> None:
    """Edges as SciPy finds them: whichever minimum spanning tree it is, the scores are the same."""
    points = case.points / max(1.0, float(np.abs(case.points).max()))
    own = DensityTree(points, min_points=case.min_points)
    distances = cdist(points, points)
    core = np.sort(distances, axis=1)[:, case.min_points - 1]
    reach = np.maximum(np.maximum(distances, core[:, None]), core[None, :])
    # SciPy takes 0 for no edge, so all heights are raised by 1 while it searches.
    found = scipy_spanning_tree(np.triu(reach + 1.0, 1)).tocoo()
    tree = DensityTree.from_spanning_tree(
        found.row, found.col, reach[found.row, found.col], core, min_points=case.min_points
    )
    np.testing.assert_allclose(tree.heights, own.heights, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        disco_samples(tree, case.labels), disco_samples(own, case.labels), rtol=0, atol=1e-6
    )


def test_edges_in_any_order_and_direction_give_the_same_bits() -> None:
    points = zoo.POINTS["blobs"]
    tree = DensityTree(points, min_points=4)
    spanning, exponent, _ = spanning_tree_of(open_points(points, "test", n_jobs=None), 4)
    heights = np.ldexp(spanning.edges.heights, exponent)
    core = np.empty(len(points))
    core[spanning.rows] = np.ldexp(spanning.core, exponent)
    first, second = spanning.rows[spanning.edges.first], spanning.rows[spanning.edges.second]
    labels = zoo.many_labels(len(points))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(heights))
        again = DensityTree.from_spanning_tree(
            second[order], first[order], heights[order], core, min_points=4
        )
        assert again.heights.tobytes() == tree.heights.tobytes()
        assert disco_samples(again, labels).tobytes() == disco_samples(tree, labels).tobytes()
