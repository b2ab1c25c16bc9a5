"""The same bits for any order of rows, any names of clusters, any threads, any memory layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree, disco_samples, disco_score, explain
from helpers import zoo
from helpers.reference_values import load

if TYPE_CHECKING:
    from pathlib import Path


def blobs(n_points: int, dimension: int) -> tuple[zoo.Points, zoo.Codes]:
    """Return overlapping blobs on a coarse grid (so that ties abound) with labels and noise."""
    random = np.random.default_rng(dimension)
    centers = random.uniform(-10, 10, (20, dimension))
    labels = random.integers(0, 20, n_points)
    points = np.round(centers[labels] + random.normal(size=(n_points, dimension)), 1)
    labels[random.random(n_points) < 0.3] = random.integers(-1, 20)
    labels[random.random(n_points) < 0.05] = -1
    return points, labels


# --- order of rows ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["complex8", "cluto-t8-8k"])
def test_many_shuffles_give_one_single_float(shared: Path, name: str) -> None:
    X, labels = load(shared, name)
    random = np.random.default_rng(0)
    orders = (random.permutation(len(X)) for _ in range(200))
    scores = {disco_score(X[order], labels[order], n_jobs=2) for order in orders}
    assert scores == {disco_score(X, labels)}


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(), st.integers(0, 2**32 - 1))
def test_every_sample_keeps_its_bits_when_rows_are_shuffled(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    options: dict[str, Any] = {"min_points": case.min_points}
    samples = disco_samples(case.points, case.labels, **options)
    shuffled = disco_samples(case.points[order], case.labels[order], **options)
    assert shuffled.tobytes() == samples[order].tobytes()
    score = disco_score(case.points, case.labels, **options)
    assert disco_score(case.points[order], case.labels[order], **options) == score


@pytest.mark.small
@pytest.mark.parametrize("metric", ["sqeuclidean", "manhattan", "precomputed", "cosine"])
@zoo.examples(80)
@given(case=zoo.directions(), seed=st.integers(0, 2**32 - 1))
def test_every_metric_is_blind_to_the_order(metric: str, case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    X, shuffled = case.points, case.points[order]
    if metric == "precomputed":
        X = np.abs(X[:, :1] - X[:, :1].T)
        shuffled = X[np.ix_(order, order)]
    options: dict[str, Any] = {"min_points": case.min_points, "metric": metric}
    expected = disco_samples(X, case.labels, **options)[order]
    assert disco_samples(shuffled, case.labels[order], **options).tobytes() == expected.tobytes()


@pytest.mark.small
@pytest.mark.parametrize(
    "metric",
    [
        "braycurtis",
        "canberra",
        "chebyshev",
        "correlation",
        "haversine",
        "mahalanobis",
        "minkowski",
        "nan_euclidean",
        "seuclidean",
    ],
)
def test_metrics_of_scikit_learn_are_blind_to_the_order(metric: str) -> None:
    X = zoo.POINTS["three dimensions"]
    if metric == "haversine":
        X = np.arctan(zoo.POINTS["blobs"])  # no latitude beyond the poles
    labels = zoo.many_labels(len(X))
    expected = disco_samples(X, labels, metric=metric)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(X))
        found = disco_samples(X[order], labels[order], metric=metric)
        assert found.tobytes() == expected[order].tobytes()


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=2), st.integers(0, 2**32 - 1))
def test_the_tree_is_blind_to_the_order(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    tree = DensityTree(case.points, min_points=case.min_points)
    shuffled = DensityTree(case.points[order], min_points=case.min_points)
    assert shuffled.heights.tobytes() == tree.heights.tobytes()
    assert shuffled.core_distances.tobytes() == tree.core_distances[order].tobytes()
    matrix = tree.distance_matrix()[np.ix_(order, order)]
    assert shuffled.distance_matrix().tobytes() == matrix.tobytes()


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=2), st.integers(0, 2**32 - 1))
def test_every_part_of_an_explanation_is_blind_to_the_order(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    facts = explain(case.points, case.labels, min_points=case.min_points).points
    shuffled = explain(case.points[order], case.labels[order], min_points=case.min_points).points
    for name in ("score", "compactness", "separation", "rho_sparse", "rho_far"):
        expected = getattr(facts, name)[order]
        assert np.array_equal(getattr(shuffled, name), expected, equal_nan=True), name


@pytest.mark.parametrize("dimension", [1, 2, 3, 5, 10, 40, 150])
def test_large_data_of_any_dimension_are_blind_to_the_order(dimension: int) -> None:
    X, labels = blobs(3000, dimension)
    expected = disco_samples(X, labels)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        assert disco_samples(X[order], labels[order]).tobytes() == expected[order].tobytes()


# --- threads, memory, files ---------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [2, 3, 40])
def test_threads_do_not_matter(dimension: int) -> None:
    # More points than one thread takes at a time, so that there is something to share.
    X, labels = blobs(30_000 if dimension < 10 else 3000, dimension)
    expected = disco_samples(X, labels, n_jobs=1)
    for n_jobs in (2, 3, -1):
        assert disco_samples(X, labels, n_jobs=n_jobs).tobytes() == expected.tobytes()


@pytest.mark.small
def test_memory_layout_does_not_matter() -> None:
    X = zoo.POINTS["three dimensions"]
    labels = zoo.many_labels(len(X))
    expected = disco_samples(X, labels).tobytes()
    wide = np.repeat(X, 2, axis=1)
    read_only = X.copy()
    read_only.setflags(write=False)
    for same in (
        np.asfortranarray(X),
        wide[:, ::2],
        np.vstack([X[::-1], X])[len(X) :],
        X[::-1].copy()[::-1],
        read_only,
        X.astype(">f8"),
        X.tolist(),
    ):
        assert disco_samples(same, labels).tobytes() == expected


@pytest.mark.small
def test_half_precision_and_whole_numbers_are_read_as_the_numbers_they_are() -> None:
    X = zoo.POINTS["three dimensions"].astype(np.float32)
    labels = zoo.many_labels(len(X))
    expected = disco_samples(X.astype(np.float64), labels)
    assert disco_samples(X, labels).tobytes() == expected.tobytes()
    grid = zoo.POINTS["grid"]
    labels = zoo.many_labels(len(grid))
    expected = disco_samples(grid, labels)
    for kind in (np.int8, np.uint16, np.int64, np.float16, np.float32):
        assert disco_samples(grid.astype(kind), labels).tobytes() == expected.tobytes()


@pytest.mark.small
def test_saving_does_not_matter(tmp_path: Path) -> None:
    for X in zoo.POINTS.values():
        labels = zoo.many_labels(len(X))
        tree = DensityTree(X)
        tree.save(tmp_path / "tree.npz")
        loaded = DensityTree.load(tmp_path / "tree.npz")
        expected = disco_samples(X, labels)
        assert disco_samples(tree, labels).tobytes() == expected.tobytes()
        assert disco_samples(loaded, labels).tobytes() == expected.tobytes()


@pytest.mark.small
@zoo.examples(60)
@given(zoo.cases())
def test_asking_twice_does_not_matter(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    other_labels = zoo.many_labels(len(case.labels))
    first = disco_samples(tree, case.labels)
    disco_samples(tree, other_labels)
    assert disco_samples(tree, case.labels).tobytes() == first.tobytes()


# --- shift and scale, where arithmetic is exact -------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(), st.integers(-900, 900))
def test_a_power_of_two_does_not_matter(case: zoo.Case, exponent: int) -> None:
    scaled = np.ldexp(case.points, exponent)
    expected = disco_samples(case.points, case.labels, min_points=case.min_points)
    found = disco_samples(scaled, case.labels, min_points=case.min_points)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.small
@zoo.examples(200)
@given(zoo.drawn_points(), st.integers(-(2**20), 2**20), st.data())
def test_a_shift_of_whole_numbers_does_not_matter(
    points: zoo.Points, shift: int, data: st.DataObject
) -> None:
    labels = data.draw(zoo.labels_of(len(points)))
    expected = disco_samples(points, labels, min_points=1)
    assert disco_samples(points + shift, labels, min_points=1).tobytes() == expected.tobytes()
    mirrored = disco_samples(-points[:, ::-1], labels, min_points=1)
    # Turning the order of features may round sums otherwise, but not sums of whole numbers.
    assert mirrored.tobytes() == expected.tobytes()
