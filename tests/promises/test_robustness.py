"""Bad input gets one clear error; extreme but good input gets a score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from disco_cvi import (
    DensityTree,
    InvalidInputError,
    UndefinedScoreError,
    disco_samples,
    disco_score,
    explain,
)
from helpers import zoo

X = zoo.POINTS["blobs"]
LABELS = zoo.many_labels(len(X))


def build(points: Any, labels: Any, **options: Any) -> DensityTree:
    return DensityTree(points, **options)


build.__name__ = "DensityTree"

FUNCTIONS = [disco_score, disco_samples, explain]
EVERY_FUNCTION: list[Any] = [*FUNCTIONS, build]
every_function = pytest.mark.parametrize("function", EVERY_FUNCTION, ids=lambda f: f.__name__)


def put_value(value: float, *rows: int) -> zoo.Points:
    points = X.copy()
    points[list(rows), 1] = value
    return points


# --- wrong input: all forms of it are in tests/input --------------------------------------------

BAD_POINTS: list[tuple[Any, str]] = [
    (put_value(np.nan, 17, 20, 30), r"NaN in 3 rows \(first: row 17\)"),
    (put_value(np.inf, 5, 9), r"infinity in 2 rows \(first: row 5\)"),
    (np.empty((5, 0)), r"column|feature"),
    (np.arange(60.0), r"reshape\(-1, 1\)"),
    ([["a", "b"]] * 60, r"number"),
    (sparse.csr_array(X), "toarray"),
]
BAD_LABELS: list[tuple[Any, str]] = [
    (LABELS[:-1], r"60 points, 59 labels"),
    (LABELS.reshape(-1, 1), r"ravel"),
    (np.where(LABELS == 0, np.nan, LABELS), r"missing"),
    (LABELS + 0.5, r"\.5"),
    (["a", *LABELS[1:].tolist()], r"'a'"),
]
BAD_OPTIONS: dict[str, list[Any]] = {
    "min_points": [0, -3, 2.5, 5.0, True, "5", [5], float("nan")],
    "n_jobs": [0, 1.5, "2", True],
    "noise_label": [[-1], np.array([-1, 2]), float("nan"), 1.5, object()],
}


@pytest.mark.small
@every_function
def test_bad_input_is_refused_by_name(function: Any) -> None:
    name, errors = function.__name__, (TypeError, InvalidInputError)
    for points, words in BAD_POINTS:
        with pytest.raises(errors, match=rf"X of {name}.*({words})"):
            function(points, LABELS)
    for option in ("min_points", "n_jobs"):
        for value in BAD_OPTIONS[option]:
            with pytest.raises(errors, match=f"{option} of {name}"):
                function(X, LABELS, **{option: value})
    if function is build:
        with pytest.raises(
            InvalidInputError, match=r"from 1 to the number of points \(60\); got 61"
        ):
            function(X, LABELS, min_points=61)
        return
    for value in (61, 2**70):
        with pytest.raises(UndefinedScoreError, match=r"needs .* points or more; there are 60"):
            function(X, LABELS, min_points=value)
    for labels, words in BAD_LABELS:
        with pytest.raises(errors, match=rf"labels of {name}.*({words})"):
            function(X, labels)
    for value in BAD_OPTIONS["noise_label"]:
        with pytest.raises(errors, match=f"noise_label of {name}"):
            function(X, LABELS, noise_label=value)
    # Even where labels alone decide.
    for points, words in BAD_POINTS[:-1]:
        with pytest.raises(errors, match=words):
            function(points, [-1] * len(points))
    for value in (0, -1, 2.5, True, "5"):
        with pytest.raises(errors, match=f"min_points of {name}"):
            function(X, [0] * len(X), min_points=value)


@pytest.mark.small
def test_min_points_may_be_any_integer_type() -> None:
    expected = disco_score(X, LABELS, min_points=7)
    for value in (np.int8(7), np.uint64(7), np.int64(7)):
        assert disco_score(X, LABELS, min_points=value) == expected  # type: ignore[arg-type]


@pytest.mark.small
def test_only_data_are_positional() -> None:
    for function in (disco_score, disco_samples, explain):
        with pytest.raises(TypeError, match="positional"):
            function(X, LABELS, 5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        DensityTree(X, 5)  # type: ignore[call-arg]


# --- sizes --------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "chebyshev"])
def test_size_does_not_matter(metric: str) -> None:
    high = zoo.POINTS["high dimension"]
    for points in (X, high) if metric == "euclidean" else (X,):
        labels = zoo.many_labels(len(points))
        expected = disco_samples(points, labels, metric=metric)
        for size in (1e-300, 1e-150, 1e-20, 1e20, 1e160, 1e300):
            found = disco_samples(points * size, labels, metric=metric)
            # The product is rounded, which moves distances by 1e-15 of the largest coordinate.
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
@pytest.mark.parametrize("name", ["blobs", "copies", "high dimension"])
def test_a_power_of_two_gives_the_same_bits(name: str, metric: str) -> None:
    points = zoo.POINTS[name]
    labels = zoo.many_labels(len(points))
    expected = disco_samples(points, labels, metric=metric)
    for exponent in (-950, -500, -30, 30, 500, 1000):
        found = disco_samples(np.ldexp(points, exponent), labels, metric=metric)
        assert found.tobytes() == expected.tobytes(), exponent


@pytest.mark.small
def test_precomputed_distances_of_any_size() -> None:
    distances = np.abs(X[:, :1] - X[:, :1].T)
    expected = disco_samples(distances, LABELS, metric="precomputed")
    for exponent in (-1000, 1015):
        scaled = np.ldexp(distances, exponent)
        found = disco_samples(scaled, LABELS, metric="precomputed")
        assert found.tobytes() == expected.tobytes()


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
def test_points_near_the_largest_float(metric: str) -> None:
    largest = float(np.finfo(np.float64).max)
    unit = X / np.abs(X).max()  # distances between such points exceed the largest float
    found = disco_samples(unit * largest, LABELS, metric=metric)
    expected = disco_samples(unit * largest * 2.0**-900, LABELS, metric=metric)
    assert found.tobytes() == expected.tobytes()


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "manhattan"])
@zoo.examples(100)
@given(data=st.data(), case=zoo.cases())
def test_mixed_sizes_stay_finite_and_in_range(
    data: st.DataObject, metric: str, case: zoo.Case
) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    exponents = random.choice([-320, -300, -160, -8, 0, 8, 160, 300], case.points.shape)
    if metric == "manhattan":  # sums of features may exceed the largest float: not this metric's
        exponents = np.minimum(exponents, 160)
    with np.errstate(all="ignore"):
        points = np.clip(case.points, -1e3, 1e3) * 10.0**exponents
    if metric == "cosine":
        points[~points.any(axis=1), 0] = 5e-324
    samples = disco_samples(points, case.labels, min_points=case.min_points, metric=metric)
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1


@pytest.mark.small
def test_smallest_floats_count_as_distances() -> None:
    # Multiples of the smallest float: squares of differences must not vanish.
    example = zoo.EXAMPLES["two clusters"]
    points = example.points * 5e-324
    found = disco_samples(points, example.labels, min_points=2)
    assert found.tolist() == disco_samples(example.points, example.labels, min_points=2).tolist()


@pytest.mark.small
def test_a_far_outlier_does_not_make_near_points_equal() -> None:
    # Measured in the outlier's size, squares of the distances among the others are 1e-300.
    example = zoo.EXAMPLES["two clusters"]
    points = np.vstack([example.points, [[1e150]]])
    samples = disco_samples(points, [*example.labels, -1], min_points=2)
    assert samples[:6].tolist() == example.samples


# --- extremes of shape --------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("dimension", [1, 2, 300])
def test_one_and_two_points(dimension: int) -> None:
    for metric in ("euclidean", "sqeuclidean", "cosine", "manhattan"):
        point = np.ones((1, dimension))
        assert disco_samples(point, [0], metric=metric).tolist() == [0]
        assert disco_samples(point, [-1], metric=metric).tolist() == [-1]
        pair = np.vstack([point, -2 * point])
        # Both core distances are 0 for min_points = 1, and equal for 2.
        assert disco_samples(pair, [0, 1], metric=metric).tolist() == [0, 0]
        for min_points in (1, 2):  # rho_sparse = q(0, 0) decides
            found = disco_samples(pair, [0, -1], min_points=min_points, metric=metric)
            assert found.tolist() == [0, 0]


@pytest.mark.small
@pytest.mark.parametrize("n_points", [2, 5, 13, 100])
@pytest.mark.parametrize("dimension", [1, 3, 64])
def test_identical_points(n_points: int, dimension: int) -> None:
    points = np.full((n_points, dimension), 1 / 3)
    labels = zoo.many_labels(n_points)
    for min_points in (1, 2, n_points):
        samples = disco_samples(points, labels, min_points=min_points, noise_label=None)
        assert samples.tolist() == [0.0] * n_points
    points[::2] = 7
    # Inside each half all distances are 0 (min_points 1), to the other half they are not.
    expected = [1.0] * n_points if n_points > 3 else [0.0] * n_points
    assert disco_samples(points, np.arange(n_points) % 2, min_points=1).tolist() == expected


@pytest.mark.parametrize("n_points", [30, 500])
def test_min_points_of_all_points(n_points: int) -> None:
    # Core distance = distance to the farthest point; nothing is farther than that.
    line = np.arange(n_points, dtype=float).reshape(-1, 1)
    tree = DensityTree(line, min_points=n_points)
    farthest = np.maximum(line[:, 0], n_points - 1 - line[:, 0])
    assert tree.core_distances.tolist() == farthest.tolist()
    assert tree.heights.tolist() == np.sort(np.delete(farthest, n_points // 2)).tolist()


def test_half_of_many_points_are_one_point() -> None:
    random = np.random.default_rng(0)
    points = random.normal(size=(40_000, 2))
    points[random.permutation(40_000)[:20_000]] = 0.25
    labels = (points[:, 0] > 0).astype(int)
    tree = DensityTree(points)
    assert (tree.core_distances == 0).sum() == 20_000
    assert (tree.heights == 0).sum() == 19_999
    assert np.abs(disco_samples(tree, labels)).max() <= 1


# --- input is never modified --------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    "metric", ["euclidean", "sqeuclidean", "cosine", "precomputed", "manhattan", "seuclidean"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_input_is_never_modified(metric: str, order: Any) -> None:
    points = np.array(np.abs(X[:, :1] - X[:, :1].T) if metric == "precomputed" else X, order=order)
    labels = LABELS.copy()
    before = points.tobytes(), labels.tobytes()
    for function in EVERY_FUNCTION:
        function(points, labels, metric=metric)
        assert (points.tobytes(), labels.tobytes()) == before
    points.setflags(write=False)
    labels.setflags(write=False)
    expected = disco_samples(points.copy(), labels.copy(), metric=metric)
    assert disco_samples(points, labels, metric=metric).tobytes() == expected.tobytes()
