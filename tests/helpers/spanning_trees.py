"""Spanning trees in every way of searching, and SciPy's single linkage to compare them with."""

from __future__ import annotations

from typing import NamedTuple
from unittest import mock

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from definitions import disco as definition
from disco_cvi._spanning_tree import leaving_edges
from disco_cvi._spanning_tree.boruvka import SpanningTree
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo

MANY_SEARCHES = ["kd", "node pairs", "blocks"]
# Few points are also joined without a search.
SEARCHES = [*MANY_SEARCHES, "pairs"]


class Solved(NamedTuple):
    """Squared core distance of each row, and the squared heights of n - 1 merges, rising."""

    core: zoo.Points
    heights: zoo.Points


def span(points: zoo.Points, min_points: int, search: str | None, n_jobs: int) -> SpanningTree:
    if search == "pairs":
        return span_few_points(points, min_points)[0]
    if search == "node pairs":
        # No point may search by itself.
        with mock.patch.object(leaving_edges, "_LEAVES_ALLOWED", 0):
            return minimum_spanning_tree(points.copy(), min_points, n_jobs, "kd")
    return minimum_spanning_tree(points.copy(), min_points, n_jobs, search)


def solve(
    points: zoo.Points, min_points: int, search: str | None = None, n_jobs: int = 1
) -> Solved:
    tree = span(points, min_points, search, n_jobs)
    n_distinct = len(tree.multiplicity)
    assert sorted(tree.rows.tolist()) == list(range(len(points)))
    assert tree.multiplicity.sum() == len(points)
    core = np.empty(len(points))
    core[tree.rows] = np.repeat(tree.core, tree.multiplicity)
    assert_spans(tree.edges.first, tree.edges.second, n_distinct)
    assert_heights_belong_to_ends(tree, points)
    # Copies of a point meet at its core distance: 0 if they are many, the next neighbor if few.
    among_copies = np.repeat(tree.core, tree.multiplicity - 1)
    return Solved(core, np.sort(np.concatenate([tree.edges.heights, among_copies])))


def assert_spans(first: zoo.Indices, second: zoo.Indices, n_points: int) -> None:
    """Check that n - 1 edges join all points."""
    component = list(range(n_points))
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        one, other = component[a], component[b]
        assert one != other
        component = [one if name == other else name for name in component]
    assert len(set(component)) == 1


def assert_heights_belong_to_ends(tree: SpanningTree, points: zoo.Points) -> None:
    first, second, heights = tree.edges
    distinct = points[tree.rows[np.cumsum(tree.multiplicity) - tree.multiplicity]]
    squares = ((distinct[first] - distinct[second]) ** 2).sum(axis=1)
    reach = np.maximum(squares, np.maximum(tree.core[first], tree.core[second]))
    # Features may be added in another order.
    np.testing.assert_allclose(heights, reach, rtol=1e-13, atol=0)


def assert_same_bits(found: Solved, expected: Solved) -> None:
    assert found.core.tobytes() == expected.core.tobytes()
    assert found.heights.tobytes() == expected.heights.tobytes()


def assert_right(found: Solved, points: zoo.Points, min_points: int) -> None:
    """Compare with n-by-n matrices and SciPy's single linkage."""
    distances = definition.pairwise_distances(points)
    core = definition.core_distances(distances, min_points)
    reachability = definition.mutual_reachability(distances, core)
    heights = np.empty(0)
    if len(points) > 1:
        heights = hierarchy.linkage(squareform(reachability, checks=False), "single")[:, 2]
    # Up to three features are added in one order only, so bits agree; more may be added in
    # another order, which moves a distance by a few units in the last place.
    tolerance = 0.0 if points.shape[1] <= 3 else 1e-13
    np.testing.assert_allclose(np.sqrt(found.core), core, rtol=tolerance, atol=0)
    np.testing.assert_allclose(np.sqrt(found.heights), np.sort(heights), rtol=tolerance, atol=0)
