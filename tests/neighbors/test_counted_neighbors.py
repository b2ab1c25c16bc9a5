"""Core distances by counting: the bits of lists, with copies, ties and sizes of any kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from disco_cvi._neighbors import core_distances, counted_neighbors
from disco_cvi._neighbors.core_distances import (
    neighbors_by_kd_tree,
    neighbors_by_pairs,
    square_pairs,
)
from disco_cvi._neighbors.counted_neighbors import count_neighbors
from disco_cvi._neighbors.expected_spheres import make_room, middles_and_halves
from disco_cvi._neighbors.kd_tree import KDTree, build_kd_tree
from helpers import zoo


def assert_same_as_lists(points: zoo.Points, min_points: int) -> None:
    tree = build_kd_tree(points.copy())
    squares = square_pairs(tree.points)
    expected = neighbors_by_pairs(tree.multiplicity, squares, min_points, 0).core
    for n_jobs in (1,) if zoo.COMPILER_IS_OFF else (1, 2):
        assert count_neighbors(tree, min_points, n_jobs).tobytes() == expected.tobytes()


@pytest.mark.small
def test_same_bits_as_lists() -> None:
    for points in zoo.POINTS.values():
        for min_points in {1, 2, (len(points) + 1) // 2, len(points)}:
            assert_same_as_lists(points, min_points)


@pytest.mark.small
@zoo.examples(60)
@given(case=zoo.cases())
def test_same_bits_as_lists_on_random_points(case: zoo.Case) -> None:
    assert_same_as_lists(case.points, case.min_points)


@pytest.mark.small
@pytest.mark.parametrize("size", [1e-160, 1e-155, 1.0, 1e140])
@pytest.mark.parametrize("dimension", [1, 2, 3, 6])
def test_same_bits_for_points_of_any_size(size: float, dimension: int) -> None:
    points = np.random.default_rng(dimension).normal(size=(150, dimension)) * size
    assert_same_as_lists(points, 60)


def made(n_points: int) -> KDTree:
    return build_kd_tree(np.random.default_rng(0).random((n_points, 2)))


def test_many_neighbors_are_counted_unless_somebody_asks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []

    def count(tree: KDTree, min_points: int, n_jobs: int) -> object:
        calls.append(min_points)
        return count_neighbors(tree, min_points, n_jobs)

    monkeypatch.setattr(core_distances, "count_neighbors", count)
    tree, many = made(1000), core_distances.COUNTED
    neighbors_by_kd_tree(tree, many - 1, 1)
    listed = neighbors_by_kd_tree(tree, many, 1, many)
    assert calls == []
    counted = neighbors_by_kd_tree(tree, many, 1)
    assert calls == [many]
    assert counted.core.tobytes() == listed.core.tobytes()


def looks_and_misses(tree: KDTree, min_points: int) -> tuple[float, int]:
    """How many points each looks at, on average, and how many are not where they were expected."""
    n_points = len(tree.points)
    before, core = np.zeros(n_points + 1, np.int64), np.empty(n_points)
    np.cumsum(tree.multiplicity, out=before[1:])
    room = make_room(tree, middles_and_halves(tree))
    found = [
        counted_neighbors.count_node(tree, before, min_points, node, room, core)
        for node in counted_neighbors.nodes_up_to(tree, 512)
    ]
    assert core.tobytes() == count_neighbors(tree, min_points, 1).tobytes()
    n_looked, n_missed = np.sum(found, axis=0)
    return n_looked / n_points, int(n_missed)


def test_few_points_are_looked_at_where_half_of_all_are_neighbors() -> None:
    tree = made(20_000)
    n_looked, n_missed = looks_and_misses(tree, 10_000)
    # As many as there are along a few circles.
    assert n_looked < 8 * len(tree.points) ** 0.5
    assert n_missed < 0.02 * len(tree.points)


@pytest.mark.parametrize("min_points", [500, 5_000])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("make", [zoo.cantor_dust, zoo.tilted_planes])
def test_not_many_more_are_looked_at_than_where_points_are_spread_evenly(
    make: Callable[[int, int], zoo.Points], dimension: int, min_points: int
) -> None:
    even = np.random.default_rng(0).random((10_000, dimension))
    usual, _ = looks_and_misses(build_kd_tree(even), min_points)
    looked, _ = looks_and_misses(build_kd_tree(make(10_000, dimension)), min_points)
    assert looked < 2 * usual


def copied_lattice(n_points: int, dimension: int) -> zoo.Points:
    """Points of a coarse lattice, one of which stands for a fifth of all."""
    generator = np.random.default_rng(dimension)
    points = generator.integers(0, 12, (n_points, dimension)).astype(float)
    points[::5] = points[0]
    return points


def far_halves(n_points: int, dimension: int) -> zoo.Points:
    """Two groups so far apart that core distances of the one leap where the other is reached."""
    points = np.random.default_rng(dimension).random((n_points, dimension))
    points[::2, 0] += 1e4
    return points


def hub(n_points: int, dimension: int) -> zoo.Points:
    """Half of the points on a sphere, the others almost in the middle of it."""
    points = np.random.default_rng(dimension).normal(size=(n_points, dimension))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points[::2] *= 1e-9
    return points


@pytest.mark.parametrize(
    "dimension",
    [
        1,
        pytest.param(2, marks=pytest.mark.small),
        3,
        4,
        pytest.param(5, marks=pytest.mark.small),
        9,
    ],
)
@pytest.mark.parametrize("make", [copied_lattice, far_halves, hub])
def test_same_bits_with_ties_copies_and_leaps(
    make: Callable[[int, int], zoo.Points], dimension: int
) -> None:
    for min_points in (12, 60, 61, 108):
        assert_same_as_lists(make(120, dimension), min_points)


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
@pytest.mark.parametrize("make", [copied_lattice, far_halves, hub])
def test_same_bits_where_lists_are_narrowed_often(
    make: Callable[[int, int], zoo.Points], dimension: int
) -> None:
    for min_points in (200, 901):
        assert_same_as_lists(make(1800, dimension), min_points)


def test_what_is_not_where_it_was_expected_is_searched_again() -> None:
    tree = build_kd_tree(far_halves(3000, 2))
    _, n_missed = looks_and_misses(tree, 1200)
    assert n_missed > 0
    expected = neighbors_by_pairs(tree.multiplicity, square_pairs(tree.points), 1200, 0).core
    assert count_neighbors(tree, 1200, 1).tobytes() == expected.tobytes()
