"""Trees for many min_points at once: the same bits as each tree built alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree, InvalidInputError, disco_score
from disco_cvi._spanning_tree import every_min_points
from disco_cvi._spanning_tree.mutual_reachability import spanning_tree_of
from helpers import zoo

METRICS = ["euclidean", "sqeuclidean", "cosine", "manhattan", "precomputed"]


@st.composite
def hard_points(draw: st.DrawFn) -> zoo.Points:
    """Points with ties, copies or few distinct places; on any scale, in 1 to 7 dimensions or 40."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (draw(st.integers(1, 60)), draw(st.sampled_from([1, 2, 3, 5, 7, 40])))
    kind = draw(st.sampled_from(["plain", "lattice", "copies", "tails", "few", "one place"]))
    if kind == "plain":
        points = generator.random(shape)
    elif kind == "lattice":
        points = generator.integers(0, 4, shape).astype(np.float64)
    elif kind == "copies":
        points = generator.random(shape)[generator.integers(0, 1 + shape[0] // 6, shape[0])]
    elif kind == "tails":
        points = generator.standard_t(1, shape)
    elif kind == "few":
        points = np.round(generator.normal(size=shape), 0)
    else:
        points = np.zeros(shape)
    return points * draw(st.sampled_from([1.0, 1.0, 1e150, 1e-150, 1e-160]))


def assert_same_bits(found: DensityTree, points: zoo.Points, metric: str = "euclidean") -> None:
    alone = DensityTree(points, min_points=found.min_points, metric=metric)
    assert found.heights.tobytes() == alone.heights.tobytes()
    assert found.core_distances.tobytes() == alone.core_distances.tobytes()
    labels = zoo.many_labels(found.n_points)
    assert disco_score(found, labels) == disco_score(alone, labels)


@pytest.mark.small
@zoo.examples(150)
@given(hard_points(), st.sampled_from(METRICS), st.data())
def test_same_bits_as_each_tree_alone(points: zoo.Points, metric: str, data: st.DataObject) -> None:
    largest = data.draw(st.integers(1, len(points)))
    every = st.just(list(range(1, largest + 1)))
    some = st.lists(st.integers(1, largest), min_size=1, max_size=4)
    values = data.draw(every | some)
    if metric == "cosine":
        points = points + 2 * np.abs(points).max() + (not points.any())
    if metric == "precomputed":
        points = np.abs(points[:, None] - points[None]).max(axis=2)
    trees = DensityTree.for_min_points(points, values, metric=metric, n_jobs=2)
    assert list(trees) == sorted(set(values))
    for value, tree in trees.items():
        assert (tree.min_points, tree.metric) == (value, metric)
        assert_same_bits(tree, points, metric)


def test_same_bits_for_every_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_min_points, "_RANGE", 100)  # so that there are many ranges
    generator = np.random.default_rng(0)
    points = np.round(generator.normal(size=(1_500, 2)), 1)
    for n_jobs in (1, 3):
        for tree in DensityTree.for_min_points(points, [2, 9, 10], n_jobs=n_jobs).values():
            assert_same_bits(tree, points)


@pytest.mark.small
def test_more_candidates_than_room_are_collected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a lattice whose points all have one core distance, every neighbor is a candidate."""
    monkeypatch.setattr(every_min_points, "_RANGE", 16)
    generator = np.random.default_rng(0)
    points = generator.permutation(np.indices((7, 7)).reshape(2, -1).T).astype(np.float64)
    for tree in DensityTree.for_min_points(points, range(1, 20)).values():
        assert_same_bits(tree, points)


@pytest.mark.small
@pytest.mark.parametrize("n_listed", [0, 1, 2, 4, 100])
def test_values_whose_lists_take_too_much_memory_are_built_alone(
    n_listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = zoo.POINTS["blobs"]
    per_value = every_min_points._BYTES_PER_NEIGHBOR * len(points)
    monkeypatch.setattr(every_min_points, "_MOST_BYTES", n_listed * per_value)
    kept = []

    def remember(points: Any, min_points: int, n_kept: int | None = None) -> Any:
        kept.append(n_kept)
        return spanning_tree_of(points, min_points, n_kept)

    monkeypatch.setattr(every_min_points, "spanning_tree_of", remember)
    trees = DensityTree.for_min_points(points, range(1, 7))
    largest = min(n_listed, 6)
    assert kept == ([None] * (6 - largest) + [largest] if largest > 1 else [None] * 6)
    for tree in trees.values():
        assert_same_bits(tree, points)


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_border_points_are_found_as_by_a_tree_alone(metric: str) -> None:
    points = zoo.POINTS["blobs"]
    for value, tree in DensityTree.for_min_points(points, [2, 5, 7], metric=metric).items():
        alone = DensityTree(points, min_points=value, metric=metric)
        eps = float(np.median(alone.core_distances))
        assert tree.dbscan(eps).tolist() == alone.dbscan(eps).tolist()


@pytest.mark.small
def test_wrong_values() -> None:
    points = zoo.POINTS["blobs"]
    build: Any = DensityTree.for_min_points
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([1, 0], InvalidInputError, "from 1 to the number of points"),
        ([1, len(points) + 1], InvalidInputError, "Lower it or give more points"),
        ([], InvalidInputError, "min_points of for_min_points must be one integer or more.*none"),
        ([2, 2.0], TypeError, "must be an integer.*2.0"),
        ([True], TypeError, "must be an integer"),
        (5, TypeError, r"must be one integer or more.*5 \(int\).*Pass \[5\] for one"),
        ("12", TypeError, "must be one integer or more"),
        (None, TypeError, "must be one integer or more"),
    ]
    for values, error, message in wrong:
        with pytest.raises(error, match=message):
            build(points, values)
    with pytest.raises(TypeError, match="X of for_min_points must be points; got a DensityTree"):
        build(DensityTree(points), [1])
    assert list(build(points, np.array([2, 1]))) == list(build(points, iter([1, 2]))) == [1, 2]
