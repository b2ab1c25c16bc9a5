"""Points, what they remember, and points with labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, InvalidInputError
from disco_cvi._input.clustering import Clustering, open_clustering, put_side_by_side
from disco_cvi._input.labels import check_labels
from disco_cvi._input.points import Points, open_points
from disco_cvi.density_tree.tree import density_tree_of

pytestmark = pytest.mark.small

X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0], [20.0, 0.0]])


def opened(data: object = X, **options: Any) -> Points:
    return open_points(data, "test", n_jobs=None, takes_tree=True, **options)


def test_once_keeps_by_function_and_arguments() -> None:
    calls: list[tuple[int, str]] = []

    def compute(points: Points, number: int, word: str = "") -> int:
        calls.append((number, word))
        return points.n_points * number

    points = opened()
    assert [points.once(compute, 2), points.once(compute, 3), points.once(compute, 2)] == [
        10,
        15,
        10,
    ]
    assert calls == [(2, ""), (3, "")]
    assert opened().once(compute, 2) == 10
    assert len(calls) == 3


def test_a_part_is_kept_until_another_is_asked_for() -> None:
    points = opened()
    first, second = np.array([1, 1, 1, 1, 0], bool), np.array([1, 1, 0, 0, 0], bool)
    part = points.part(first)
    assert part.array.tolist() == X[:4].tolist()
    assert points.part(first.copy()) is part
    assert points.part(second).n_points == 2
    assert points.part(first) is not part


def test_a_part_of_distances_is_a_matrix() -> None:
    distances = np.abs(X[:, :1] - X[:, :1].T)
    part = opened(distances, metric="precomputed").part(np.array([1, 0, 1, 0, 1], bool))
    assert part.array.tolist() == distances[np.ix_([0, 2, 4], [0, 2, 4])].tolist()
    assert part.array.flags.c_contiguous


def test_a_tree_stands_for_its_points() -> None:
    tree = DensityTree(X, min_points=2)
    points = opened(tree)
    assert points.n_points == 5
    assert density_tree_of(points) is tree
    assert density_tree_of(points, 2) is tree
    with pytest.raises(InvalidInputError, match="min_points of test must be left out or be that"):
        density_tree_of(points, 3)
    with pytest.raises(TypeError, match="X of test must be points, which it needs besides their"):
        _ = points.array


def test_trees_of_points_are_kept_by_min_points() -> None:
    points = opened()
    assert density_tree_of(points, 2) is density_tree_of(points, 2)
    assert density_tree_of(points, 3).min_points == 3
    assert density_tree_of(points).min_points == 5


def test_metric_of_points() -> None:
    assert opened().metric.name == "euclidean"
    assert not opened().has_own_metric
    assert opened(metric="euclidean").has_own_metric
    assert opened(DensityTree(X, metric="cityblock")).metric.name == "cityblock"


def test_without_noise_shares_the_points_of_labelings_with_the_same_noise() -> None:
    points = opened()
    one = Clustering(points, check_labels([0, 0, 1, 1, -1], 5, -1, "test"))
    two = one.relabeled(check_labels([1, 0, 1, 0, -1], 5, -1, "test"))
    assert one.without_noise.points is two.without_noise.points
    assert one.without_noise.labels.n_noise == 0
    assert [rows.tolist() for rows in two.without_noise.members] == [[1, 3], [0, 2]]
    clean = one.relabeled(check_labels([0, 0, 1, 1, 1], 5, -1, "test"))
    assert clean.without_noise is clean


def test_side_by_side() -> None:
    clustering = open_clustering(X, [1, 0, -1, 0, 1], "test", noise_label=-1, n_jobs=None)
    labels = clustering.labels
    plain = put_side_by_side(X, labels.codes, labels.sizes, by_coordinates=False)
    assert plain.rows.tolist() == [1, 3, 0, 4]
    assert plain.starts.tolist() == [0, 2, 4]
    assert plain.codes.tolist() == [0, 0, 1, 1]
    assert plain.points.tolist() == X[plain.rows].tolist()
    order = np.array([4, 2, 0, 1, 3])
    ordered = put_side_by_side(X, labels.codes, labels.sizes)
    shuffled = put_side_by_side(X[order], labels.codes[order], labels.sizes)
    assert shuffled.points.tolist() == ordered.points.tolist()
