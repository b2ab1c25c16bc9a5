"""The spanning tree by k-d tree, blocks and all pairs: SciPy's weights, one another's bits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_spanning_tree

from definitions import disco as definition
from disco_cvi._compute.progress import Progress
from disco_cvi._neighbors.search_choice import are_few
from disco_cvi._spanning_tree import mutual_reachability
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo
from helpers.spanning_trees import (
    MANY_SEARCHES,
    SEARCHES,
    assert_right,
    assert_same_bits,
    solve,
)

every_search = pytest.mark.parametrize("search", SEARCHES)
every_search_of_many = pytest.mark.parametrize("search", MANY_SEARCHES)


# --- right --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "min_points",
    [pytest.param(1, marks=pytest.mark.small), 2, pytest.param(5, marks=pytest.mark.small), 20],
)
def test_agrees_with_matrices_and_all_searches_give_the_same_bits(min_points: int) -> None:
    for points in zoo.POINTS.values():
        assert_all_agree(points, min(min_points, len(points)))


def assert_all_agree(points: zoo.Points, min_points: int) -> None:
    """Compare one search with matrices, and the others with it, to the last bit."""
    expected = solve(points, min_points, "kd")
    assert_right(expected, points, min_points)
    for search in (*SEARCHES[1:], None):
        assert_same_bits(solve(points, min_points, search), expected)


@pytest.mark.small
@zoo.examples(400)
@given(case=zoo.cases())
def test_agrees_with_matrices_on_random_points(case: zoo.Case) -> None:
    assert_all_agree(case.points, case.min_points)


@pytest.mark.parametrize("dimension", [1, 2, 3, 8, 30])
@pytest.mark.parametrize("min_points", [1, 5, 30])
def test_has_the_weight_of_scipy_spanning_tree(dimension: int, min_points: int) -> None:
    # Enough points for several levels of nodes and several rounds.
    points = np.random.default_rng(dimension).normal(size=(700, dimension))
    distances = definition.pairwise_distances(points)
    core = definition.core_distances(distances, min_points)
    expected = np.sort(scipy_spanning_tree(definition.mutual_reachability(distances, core)).data)
    tolerance = 0.0 if dimension <= 3 else 1e-13
    for search in SEARCHES:
        found = solve(points, min_points, search)
        np.testing.assert_allclose(np.sqrt(found.heights), expected, rtol=tolerance, atol=0)


@pytest.mark.parametrize("dimension", [2, 64])
def test_is_right_far_from_zero(dimension: int) -> None:
    # At offset 1000 and spread 1e-3, distances from products are wrong in their fourth digit.
    assert_all_agree(1000 + 1e-3 * np.random.default_rng(0).normal(size=(400, dimension)), 5)


def test_is_right_where_clusters_are_far_apart() -> None:
    # Centering does not help here: every cluster is far from the common mean.
    random = np.random.default_rng(1)
    centers = 1e6 * random.normal(size=(5, 40))
    points = centers[random.integers(0, 5, 300)] + 1e-4 * random.normal(size=(300, 40))
    assert_all_agree(points, 5)


# --- the same bits ------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_points", "dimension"), [(400, 2), (401, 2), (400, 64), (400, 65)])
def test_few_points_need_no_search(
    monkeypatch: pytest.MonkeyPatch, n_points: int, dimension: int
) -> None:
    points = np.round(np.random.default_rng(0).normal(size=(n_points, dimension)), 1)
    expected = solve(points, 5, "kd")
    asked: list[int] = []

    def remember(*given: Any) -> Any:
        asked.append(len(given[0]))
        return span_few_points(*given)

    monkeypatch.setattr(mutual_reachability, "span_few_points", remember)
    assert_same_bits(solve(points, 5), expected)
    is_few = n_points <= 400 and dimension <= 64
    assert are_few(n_points, dimension) == is_few
    assert asked == [n_points] * is_few


@pytest.mark.small
@pytest.mark.parametrize("n_kept", [0, None, 3])
def test_few_points_know_their_neighbors(n_kept: int | None) -> None:
    points = np.array([[0.0], [5.0], [0.0], [1.0]])
    _, neighbors = span_few_points(points, 3, n_kept)
    assert neighbors.core.tolist() == [1.0, 25.0, 1.0, 1.0]
    near = [sorted(numbers) for numbers in neighbors.nearest.tolist()]
    assert near == ([[]] * 4 if n_kept == 0 else [[0, 2, 3], [0, 1, 3], [0, 2, 3], [0, 2, 3]])


@pytest.mark.parametrize("dimension", [4, 5, 7, 8, 13, 64, 150])
@pytest.mark.parametrize("kind", ["normal", "far", "grid", "tenths", "copies", "sizes"])
def test_all_searches_give_the_same_bits_in_high_dimension(dimension: int, kind: str) -> None:
    random = np.random.default_rng(dimension)
    points = random.normal(size=(600, dimension))
    if kind == "far":
        points = 1000 + 1e-3 * points
    elif kind == "grid":
        points = np.round(points)
    elif kind == "tenths":  # equal distances whose sums round differently
        points = random.integers(0, 4, points.shape) / 10
    elif kind == "copies":
        points = points[random.integers(0, 150, 600)]
    elif kind == "sizes":
        points *= 10.0 ** random.uniform(-9, 9, (600, 1))
    expected = solve(points, 5, "kd")
    for search in ("blocks", "pairs", None):
        assert_same_bits(solve(points, 5, search), expected)
    assert_same_bits(solve(points, 5, "blocks", n_jobs=2), expected)


@every_search_of_many
@pytest.mark.parametrize("dimension", [2, 6])
def test_threads_and_order_give_the_same_bits(search: str, dimension: int) -> None:
    random = np.random.default_rng(7)
    points = np.round(3 * random.normal(size=(9000, dimension)), 2)
    tree = minimum_spanning_tree(points.copy(), 5, 1, search)
    expected = np.sort(tree.edges.heights).tobytes(), np.sort(tree.core).tobytes()
    order = random.permutation(len(points))
    tree = minimum_spanning_tree(points[order], 5, 2, search)
    assert (np.sort(tree.edges.heights).tobytes(), np.sort(tree.core).tobytes()) == expected


KINDS = {
    "blobs": lambda random: random.normal(size=(900, 2)) + 9.0 * random.integers(0, 5, (900, 1)),
    "uniform": lambda random: random.random((900, 3)),
    "skewed": lambda random: np.exp(3.0 * random.normal(size=(900, 2))),
    "lattice": lambda random: random.integers(0, 40, (900, 2)) / 10,
    "copies": lambda random: random.random((30, 5))[random.integers(0, 30, 900)],
    "two far parts": lambda random: (
        random.random((900, 1)) + 99.0 * random.integers(0, 2, (900, 1))
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("min_points", [1, 5, 20])
def test_any_number_of_threads_gives_the_same_bits(
    monkeypatch: pytest.MonkeyPatch, kind: str, min_points: int
) -> None:
    points = KINDS[kind](np.random.default_rng(9))
    expected = solve(points, min_points, "kd")
    assert_right(expected, points, min_points)
    # So small ranges that components reach over many of them.
    monkeypatch.setattr("disco_cvi._spanning_tree.boruvka._POINTS_PER_RANGE", 50)
    monkeypatch.setattr("disco_cvi._neighbors.kd_tree._RANGE_SIZE", 60)
    monkeypatch.setattr("disco_cvi._neighbors.kd_tree._SAMPLES_PER_RANGE", 8)
    for n_jobs in (1, 2, 3, 8):
        assert_same_bits(solve(points, min_points, "kd", n_jobs), expected)
    assert_same_bits(solve(points, min_points, "blocks", 2), expected)


@pytest.mark.small
@zoo.examples(100)
@given(zoo.cases())
def test_small_ranges_give_the_same_bits_on_random_points(case: zoo.Case) -> None:
    expected = solve(case.points, case.min_points, "kd")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("disco_cvi._spanning_tree.boruvka._POINTS_PER_RANGE", 3)
        patch.setattr("disco_cvi._neighbors.kd_tree._RANGE_SIZE", 2)
        patch.setattr("disco_cvi._neighbors.kd_tree._FEW_RANGES", 2)
        patch.setattr("disco_cvi._neighbors.kd_tree._SAMPLES_PER_RANGE", 1)
        patch.setattr("disco_cvi._neighbors.kd_tree._POINTS_PER_CALL", 5)
        assert_same_bits(solve(case.points, case.min_points, "kd"), expected)


@pytest.mark.small
def test_many_nodes_and_many_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    # Small ranges, so that few points are enough for threads to share.
    for module in ("_neighbors.neighbor_lists", "_spanning_tree.by_products"):
        monkeypatch.setattr(f"disco_cvi.{module}.BLOCK_RANGE", 16)
    monkeypatch.setattr("disco_cvi._neighbors.products._BLOCK_ENTRIES", 50 * 250)
    random = np.random.default_rng(8)
    centers = random.uniform(-50, 50, (12, 2))
    points = centers[random.integers(0, 12, 250)] + random.normal(size=(250, 2))
    expected = solve(points, 5, "kd")
    assert_right(expected, points, 5)
    assert_same_bits(solve(points, 5, "kd", n_jobs=2), expected)
    assert_same_bits(solve(points, 5, "blocks", n_jobs=2), expected)


# --- copies, shapes that are hard for a k-d tree ------------------------------------------------


@pytest.mark.small
@every_search
@pytest.mark.parametrize("dimension", [1, 5])
def test_identical_points_have_height_zero(search: str, dimension: int) -> None:
    for n_points in (1, 2, 3, 11, 12, 13, 14, 100):
        found = solve(np.full((n_points, dimension), 0.1), min(3, n_points), search)
        assert not found.core.any()
        assert not found.heights.any()


@pytest.mark.small
@every_search
def test_fewer_copies_than_min_points_meet_at_their_core_distance(search: str) -> None:
    for n_copies in (3, 4, 5, 6):
        # Copies of 0 and of 3, and one point at 10.
        points = zoo.column(*[0.0] * n_copies, *[3.0] * n_copies, 10.0)
        found = solve(points, 5, search)
        own = 0.0 if n_copies >= 5 else 9.0
        # The point at 10 has itself and copies of 3; the fifth nearest is one of 3 or one of 0.
        last = 49.0 if n_copies >= 4 else 100.0
        assert found.core.tolist() == [own] * (2 * n_copies) + [last]
        assert found.heights.tolist() == [own] * (2 * n_copies - 2) + sorted([9.0, last])


@every_search_of_many
def test_many_copies_are_collapsed(search: str) -> None:
    random = np.random.default_rng(3)
    points = np.repeat(random.normal(size=(50, 3)), 1000, axis=0)
    tree = minimum_spanning_tree(points[random.permutation(len(points))], 5, 1, search)
    assert tree.multiplicity.tolist() == [1000] * 50
    assert len(tree.edges.heights) == 49
    assert not tree.core.any()


@pytest.mark.parametrize("shape", ["powers", "line", "cross", "spike"])
def test_shapes_that_unbalance_a_tree(shape: str) -> None:
    random = np.random.default_rng(4)
    steps = np.arange(400.0)
    points = {
        "powers": np.column_stack([2.0 ** (steps - 300), np.zeros(400)]),
        "line": np.column_stack([steps, steps]),
        "cross": np.vstack(
            [np.column_stack([steps, 0 * steps]), np.column_stack([0 * steps, steps])]
        ),
        "spike": np.vstack([1e-12 * random.normal(size=(350, 2)), random.normal(size=(50, 2))]),
    }[shape]
    assert_all_agree(points, 4)


def test_one_bar_tells_of_all_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[Progress] = []

    @contextmanager
    def record(title: str, n_steps: float) -> Iterator[Progress]:
        bars.append(Progress(title, n_steps))
        yield bars[-1]

    monkeypatch.setattr(mutual_reachability, "progress", record)
    solve(np.random.default_rng(0).normal(size=(2000, 3)), 5, "kd")
    (bar,) = bars
    assert bar.n_steps / 2 < bar.done < bar.n_steps
