"""Core distances by counting: the bits of lists, with copies, ties and sizes of any kind."""

from __future__ import annotations

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
from disco_cvi._neighbors.kd_tree import KDTree, build_kd_tree
from helpers import zoo


def assert_same_as_lists(points: zoo.Points, min_points: int) -> None:
    tree = build_kd_tree(points.copy())
    squares = square_pairs(tree.points)
    expected = neighbors_by_pairs(tree.multiplicity, squares, min_points, 0).core
    for n_jobs in (1, 2):
        assert count_neighbors(tree, min_points, n_jobs).tobytes() == expected.tobytes()


@pytest.mark.small
@pytest.mark.parametrize("name", zoo.POINTS)
def test_same_bits_as_lists(name: str) -> None:
    points = zoo.POINTS[name]
    for min_points in {1, 2, (len(points) + 1) // 2, len(points)}:
        assert_same_as_lists(points, min(min_points, len(points)))


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


def test_few_points_are_chosen_from_where_half_of_all_are_neighbors() -> None:
    tree, n_points = made(20_000), 300
    before, core = np.arange(len(tree.points) + 1), np.empty(len(tree.points))
    n_collected = counted_neighbors._count(tree, before, 10_000, 0, n_points, core)
    # The first looks at all; the others at about the root of that.
    assert n_collected - len(tree.points) < 15 * n_points * len(tree.points) ** 0.5
