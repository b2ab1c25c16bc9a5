"""Every form of metric through the public functions."""

from __future__ import annotations

import math
import time
import tracemalloc
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import pairwise_distances

from definitions import disco as definition
from disco_cvi import DensityTree, InvalidInputError, disco_samples, disco_score, explain
from disco_cvi._input.metric import check_metric
from disco_cvi._neighbors.distances import distance_rows
from helpers import zoo
from helpers.messages import says

X = zoo.POINTS["three dimensions"]
LABELS = zoo.many_labels(len(X))
FLAGS = X > 0  # points for metrics of booleans

EPSILON = float(np.finfo(np.float64).eps)


def assert_same(found: Any, expected: Any, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


def ordinary(first: Any, second: Any) -> float:
    """Compute the Euclidean distance as a user would write it."""
    return math.dist(first, second)


# --- names --------------------------------------------------------------------------------------

NAMES: dict[str, dict[str, Any]] = {
    "l2": {},
    "sqeuclidean": {},
    "cosine": {},
    "manhattan": {},
    "cityblock": {},
    "l1": {},
    "chebyshev": {},
    "canberra": {},
    "braycurtis": {},
    "correlation": {},
    "minkowski": {"p": 1.5},
    "seuclidean": {},
    "mahalanobis": {},
    "nan_euclidean": {},
}


@pytest.mark.small
@pytest.mark.parametrize("name", NAMES)
def test_names_of_scikit_learn(name: str) -> None:
    points = np.abs(X) if name == "braycurtis" else X
    # scikit-learn takes some distances from products, which costs half of their digits.
    by_differences = {"l2": "euclidean", "nan_euclidean": "euclidean", "cosine": "cosine"}
    if name in by_differences:
        distances = definition.pairwise_distances(points, by_differences[name])
    else:
        distances = pairwise_distances(points, metric=name, **NAMES[name])
    expected = definition.disco_samples(distances, LABELS, metric="precomputed")
    params = NAMES[name] or None
    assert_same(disco_samples(points, LABELS, metric=name, metric_params=params), expected)


@pytest.mark.small
@pytest.mark.parametrize(
    "name", ["hamming", "jaccard", "dice", "russellrao", "rogerstanimoto", "sokalsneath", "yule"]
)
def test_names_for_booleans(name: str) -> None:
    # Copies of few rows, as booleans have: many distances are 0, and many equal.
    flags = np.hstack([FLAGS, X > 3, X < -3])
    distances = pairwise_distances(flags, metric=name)
    if name == "russellrao":  # not 0 from a row to itself; the definition never asks that
        np.fill_diagonal(distances, 0)
    expected = definition.disco_samples(distances, LABELS, metric="precomputed")
    for kind in (bool, float):
        assert_same(disco_samples(flags.astype(kind), LABELS, metric=name), expected)


@pytest.mark.small
def test_haversine_takes_latitude_and_longitude() -> None:
    places = np.random.default_rng(0).uniform(-1.5, 1.5, (40, 2))
    labels = zoo.many_labels(40)
    distances = pairwise_distances(places, metric="haversine")
    np.fill_diagonal(distances, 0)
    expected = definition.disco_samples(distances, labels, metric="precomputed")
    assert_same(disco_samples(places, labels, metric="haversine"), expected)


def test_haversine_refuses_degrees() -> None:
    for places, where in (
        (
            [[0.5, 3.0], [np.pi / 2, -9.0], [-48.1, 11.6]],
            "latitudes from -pi/2 to pi/2 in its first",
        ),
        ([[0.5, 3.0], [1.2, -6.2], [0.3, 103.8]], "longitudes from -2 pi to 2 pi in its second"),
    ):
        wrong = -48.1 if "lat" in where else 103.8
        message = (
            f"X of disco_score must hold {where} column for the metric 'haversine'; got {wrong} in "
            "row 2. Pass np.radians(X) if they are degrees, X[:, ::-1] if the longitude comes "
            "first."
        )
        with pytest.raises(InvalidInputError, match=says(message)):
            disco_score(places, [0, 0, 1], metric="haversine", min_points=2)
    poles = np.array([[np.pi / 2, 0.0], [-np.pi / 2, 1.0], [0.0, 2 * np.pi]])
    for exact in (poles, poles.astype(np.float32), np.radians(np.degrees(poles))):
        assert disco_score(exact, [0, 0, 1], metric="haversine", min_points=2) <= 1


@pytest.mark.small
@pytest.mark.parametrize("spread", [1.0, 1e-2, 1e-6, 1e-12])
def test_haversine_is_right_to_a_few_nanometers_on_earth(spread: float) -> None:
    places = np.array([0.8, 0.2]) + np.random.default_rng(3).uniform(-0.2, 0.5, (60, 2)) * spread
    distances = pairwise_distances(places, metric="haversine")
    tree = DensityTree(places, min_points=3, metric="haversine")
    expected = DensityTree(distances, min_points=3, metric="precomputed")
    # Half of it is what rounding does to the angles themselves.
    assert np.abs(tree.heights - expected.heights).max() < 2e-15
    assert np.abs(tree.core_distances - expected.core_distances).max() < 2e-15


@pytest.mark.small
def test_one_place_by_other_names_is_one_place() -> None:
    pole, meridian = np.pi / 2, np.pi
    places = [[pole, 0.0], [pole, 1.0], [pole, -3.0], [0.5, meridian], [0.5, -meridian], [0.5, 0.0]]
    tree = DensityTree(places, min_points=2, metric="haversine")
    assert tree.core_distances[:5].tolist() == [0.0] * 5
    assert tree.distance(0, 1) == tree.distance(3, 4) == 0.0
    assert tree.distance(3, 5) == pytest.approx(np.pi / 2 - 0.5, rel=1e-15)


@pytest.mark.small
def test_opposite_places_are_half_a_circle_apart() -> None:
    tree = DensityTree([[0.3, 0.1], [-0.3, 0.1 - np.pi]], min_points=1, metric="haversine")
    assert float(tree.distance(0, 1)) == pytest.approx(np.pi, abs=3e-8)


@pytest.mark.small
def test_a_function_is_not_taken_for_a_metric_of_its_name() -> None:
    def jaccard(x: Any, y: Any) -> float:
        return float(np.abs(x - y).sum())

    found = disco_samples(X, LABELS, metric=jaccard)
    assert_same(found, disco_samples(X, LABELS, metric="manhattan"))


@pytest.mark.small
def test_haversine_takes_two_columns_only() -> None:
    with pytest.raises(InvalidInputError, match=r"X of disco_score.*2 columns.*3"):
        disco_score(X, LABELS, metric="haversine")


@pytest.mark.small
@pytest.mark.parametrize("function", [disco_score, disco_samples, explain])
def test_wrong_metrics_are_refused(function: Any) -> None:
    for name in ("unheard-of", "", "Euclidean", "distance"):
        for labels in (LABELS, [-1] * len(X)):  # even where labels alone decide
            with pytest.raises(
                InvalidInputError, match=rf"metric of {function.__name__}.*{name!r}"
            ):
                function(X, labels, metric=name)
    for metric in (3, ["euclidean"], b"euclidean", True):
        with pytest.raises((TypeError, InvalidInputError), match="metric of DensityTree"):
            DensityTree(X, metric=metric)  # type: ignore[arg-type]
    points = X.copy()
    points[17], points[40] = 0.0, -0.0
    with pytest.raises(InvalidInputError, match=rf"{function.__name__}.*row 17"):
        function(points, LABELS, metric="cosine")
    with pytest.raises(InvalidInputError, match=rf"X of {function.__name__}.*symmetric.*77"):
        function(
            np.where(np.eye(60), 0, np.triu(np.full((60, 60), 77.0))), LABELS, metric="precomputed"
        )


@pytest.mark.small
def test_parameters_that_do_not_fit_are_refused() -> None:
    both = (TypeError, InvalidInputError)
    for params in ({"p": 3}, {"unheard_of": 1}):
        for metric in ("euclidean", "sqeuclidean", "cosine", "manhattan"):
            with pytest.raises(both, match=next(iter(params))):
                disco_score(X, LABELS, metric=metric, metric_params=params)
    # SciPy reads them without a check, and beyond their end if they are too few.
    for size in (1, 2, 4):
        for metric, name, value in (
            ("mahalanobis", "VI", np.eye(size)),
            ("mahalanobis", "VI", np.ones(9)),
            ("seuclidean", "V", np.ones(size)),
            ("seuclidean", "V", np.eye(3)),
        ):
            with pytest.raises(InvalidInputError, match=rf"{metric}|{name}"):
                disco_score(X, LABELS, metric=metric, metric_params={name: value})
    wrong: list[Any] = [{"p": "a"}, {"p": None}, {"unheard_of": 1}, {1: 2}, 3]
    for params in wrong:
        with pytest.raises(both, match=r"disco_score") as caught:
            disco_score(X, LABELS, metric="minkowski", metric_params=params)
        assert "\n" not in str(caught.value)
    assert disco_score(X, LABELS, metric_params={}) == disco_score(X, LABELS)


@pytest.mark.small
@pytest.mark.parametrize("name", ["X", "Y", "metric", "n_jobs", "first", "size"])
def test_a_function_may_call_its_parameters_as_it_likes(name: str) -> None:
    def named(one: Any, other: Any, **parameters: float) -> float:
        return parameters[name] * math.dist(one, other)

    found = disco_samples(X, LABELS, metric=named, metric_params={name: 3.0})
    assert_same(found, disco_samples(X, LABELS))


# --- squared and cosine: transforms of the Euclidean tree ---------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_sqeuclidean_squares_core_distances_and_heights(case: zoo.Case) -> None:
    plain = DensityTree(case.points, min_points=case.min_points)
    squared = DensityTree(case.points, min_points=case.min_points, metric="sqeuclidean")
    # The root that the plain tree took is rounded, and its square again.
    rounding: dict[str, Any] = {"rtol": 4 * EPSILON, "atol": 0}
    np.testing.assert_allclose(squared.heights, plain.heights**2, **rounding)
    np.testing.assert_allclose(squared.core_distances, plain.core_distances**2, **rounding)
    assert squared.metric == "sqeuclidean"


@pytest.mark.small
def test_squaring_comes_before_averaging() -> None:
    # "two clusters" of the zoo: a = (1 + 4) / 2, b = 49; and a = 4, b = 49.
    example = zoo.EXAMPLES["two clusters"]
    samples = disco_samples(example.points, example.labels, min_points=2, metric="sqeuclidean")
    assert samples.tolist() == [46.5 / 49, 46.5 / 49, 45 / 49] * 2


@pytest.mark.small
def test_cosine_is_one_minus_the_cosine() -> None:
    # Directions 0, 60 and 90 degrees: cosine distances 1/2, 1 - sqrt(3)/2, 1.
    points = [[5.0, 0.0], [0.5, math.sqrt(3) / 2], [0.0, 0.01]]
    tree = DensityTree(points, metric="cosine", min_points=1)
    # Rounding of 60 degrees and of unit rows: a few units in the last place.
    expected = [1 - math.sqrt(3) / 2, 1 / 2]
    np.testing.assert_allclose(tree.heights, expected, rtol=8 * EPSILON, atol=0)


@pytest.mark.small
def test_parallel_rows_have_cosine_distance_zero() -> None:
    for dimension in (1, 2, 3, 7, 64, 300):
        random = np.random.default_rng(dimension)
        direction = random.normal(size=dimension)
        points = direction * random.uniform(0.001, 1000, (30, 1))
        tree = DensityTree(points, metric="cosine", min_points=3)
        assert not tree.heights.any()
        assert not tree.core_distances.any()
        assert disco_samples(tree, zoo.many_labels(30)).tolist() == [0.0] * 30


@pytest.mark.small
@pytest.mark.parametrize("size", [1e-300, 1e-3, 1e3, 1e300, 1.7e308 / 12])
def test_cosine_is_blind_to_lengths(size: float) -> None:
    points = zoo.POINTS["blobs"] / np.abs(zoo.POINTS["blobs"]).max()
    labels = zoo.many_labels(len(points))
    expected = disco_samples(points, labels, metric="cosine")
    # Multiplying rounds each entry, which turns a row by 1e-16; neighbors are 1e-3 apart.
    assert_same(disco_samples(points * size, labels, metric="cosine"), expected, 1e-9)
    longer = points * 2.0 ** np.random.default_rng(1).integers(-300, 300, (len(points), 1))
    assert disco_samples(longer, labels, metric="cosine").tobytes() == expected.tobytes()


# --- precomputed --------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_precomputed_euclidean_distances_score_like_the_points(case: zoo.Case) -> None:
    distances = definition.pairwise_distances(case.points)
    found = disco_samples(distances, case.labels, min_points=case.min_points, metric="precomputed")
    expected = disco_samples(case.points, case.labels, min_points=case.min_points)
    if case.points.shape[1] <= 3:  # distances have the same bits, and so has all that follows
        assert found.tobytes() == expected.tobytes()
    assert_same(found, expected)


@pytest.mark.small
def test_precomputed_takes_every_form_of_matrix() -> None:
    distances = definition.pairwise_distances(X)
    expected = disco_samples(distances, LABELS, metric="precomputed").tobytes()
    read_only = distances.copy()
    read_only.setflags(write=False)
    for same in (
        np.asfortranarray(distances),
        distances.tolist(),
        np.repeat(distances, 2, axis=1)[:, ::2],
        read_only,
    ):
        assert disco_samples(same, LABELS, metric="precomputed").tobytes() == expected


@pytest.mark.small
def test_precomputed_tolerates_rounding() -> None:
    distances = definition.pairwise_distances(X)
    expected = disco_samples(distances, LABELS, metric="precomputed")
    uneven = distances * (1 + 4e-11 * np.random.default_rng(0).random(distances.shape))
    before = uneven.copy()
    found = disco_samples(uneven, LABELS, metric="precomputed")
    # A relative change of at most 4e-11 in each distance moves a quotient by twice that.
    assert_same(found, expected, 1e-10)
    assert uneven.tobytes() == before.tobytes()
    flipped = disco_samples(uneven.T, LABELS, metric="precomputed")
    assert flipped.tobytes() == found.tobytes()


@pytest.mark.small
def test_points_are_not_taken_for_distances() -> None:
    with pytest.raises(InvalidInputError, match=r"X of DensityTree.*square"):
        DensityTree(X, metric="precomputed")


# --- functions ----------------------------------------------------------------------------------


@pytest.mark.small
def test_a_function_is_a_metric() -> None:
    expected = disco_samples(X, LABELS)
    assert_same(disco_samples(X, LABELS, metric=ordinary), expected)
    assert_same(disco_samples(X, LABELS, metric=lambda a, b: abs(a - b).sum()), manhattan())


def manhattan() -> zoo.Points:
    return definition.disco_samples(X, LABELS, metric="cityblock")


@pytest.mark.small
def test_a_function_takes_parameters() -> None:
    def weighted(first: Any, second: Any, weights: Any) -> float:
        return float((weights * np.abs(first - second)).sum())

    weights = np.array([0.0, 2.0, 3.0])
    found = disco_samples(X, LABELS, metric=weighted, metric_params={"weights": weights})
    expected = definition.disco_samples(X * weights, LABELS, metric="cityblock")
    assert_same(found, expected)


@pytest.mark.small
def test_a_function_is_never_given_a_chance_to_change_the_points() -> None:
    def careless(first: Any, second: Any) -> float:
        distance = float(np.abs(first - second).sum())
        for row in (first, second):
            if row.flags.writeable:
                row[:] = 0
        return distance

    points = X.copy()
    found = disco_samples(points, LABELS, metric=careless)
    assert points.tobytes() == X.tobytes()
    assert_same(found, manhattan())


@pytest.mark.small
def test_distances_that_cannot_be_are_refused() -> None:
    assert (X[:, 0] < -5).any()
    assert (X[:, 0] > -5).any()
    for value in (math.nan, math.inf, -1.0, -math.inf, "far", None, [1.0, 2.0]):

        def strange(first: Any, second: Any, value: Any = value) -> Any:
            return value if first[0] < -5 < second[0] or second[0] < -5 < first[0] else 1.0

        shown = value if isinstance(value, float) else ""
        with pytest.raises(
            (TypeError, InvalidInputError), match=rf"metric .*of disco_score.*{shown}"
        ):
            disco_score(X, LABELS, metric=strange)


@pytest.mark.small
def test_an_error_of_the_function_reaches_the_user() -> None:
    def broken(first: Any, second: Any) -> float:
        raise KeyError("my own mistake")

    with pytest.raises(KeyError, match="my own mistake"):
        disco_score(X, LABELS, metric=broken)


@pytest.mark.small
def test_a_tree_of_a_function_is_shown_with_its_name() -> None:
    assert "ordinary" in repr(DensityTree(X, metric=ordinary))


@pytest.mark.small
def test_a_tree_of_a_function_knows_its_function() -> None:
    tree = DensityTree(X, metric=ordinary)
    assert tree.metric is ordinary
    assert disco_score(tree, LABELS, metric=ordinary) == disco_score(tree, LABELS)
    with pytest.raises(InvalidInputError, match="metric"):
        disco_score(tree, LABELS, metric=math.dist)


@pytest.mark.small
def test_other_parameters_than_those_of_the_tree_are_refused() -> None:
    random = np.random.default_rng(0)
    points = random.normal(size=(30, 2000))
    variances = random.uniform(1, 2, 2000)
    tree = DensityTree(points, metric="seuclidean", metric_params={"V": variances})
    labels = zoo.many_labels(30)
    same = {"V": variances.copy()}
    assert disco_score(tree, labels, metric_params=same) == disco_score(tree, labels)
    others = {"V": variances.copy()}
    others["V"][1000] = 5.0  # amid so many numbers that NumPy would not print it
    with pytest.raises(InvalidInputError, match="metric_params"):
        disco_score(tree, labels, metric_params=others)


# --- parameters that are estimated from the data ------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("n_points", [30, 60])
def test_seuclidean_estimates_once_from_all_points(n_points: int) -> None:
    points, labels = X[:n_points] * [1, 10, 100], LABELS[:n_points]
    variances = points.var(axis=0, ddof=1)
    expected = disco_samples(points / np.sqrt(variances), labels)
    assert_same(disco_samples(points, labels, metric="seuclidean"), expected)
    given = disco_samples(points, labels, metric="seuclidean", metric_params={"V": variances})
    assert_same(given, expected)


@pytest.mark.small
@pytest.mark.parametrize(
    "masked", [np.ma.masked, np.ma.array(1.0, mask=True)], ids=["name", "array"]
)
def test_a_distance_that_is_masked_is_refused_with_its_metric(masked: Any) -> None:
    """NumPy makes it NaN and warns; a warning is an error here."""

    def half_known(x: Any, y: Any) -> Any:
        return masked

    message = (
        r"metric of disco_score, half_known, must give finite distances of 0 or more; between rows "
        r"0 and 1 it gave nan"
    )
    with pytest.raises(InvalidInputError, match=message):
        disco_score(X, LABELS, metric=half_known)


@pytest.mark.small
def test_mahalanobis_estimates_once_from_all_points() -> None:
    inverse = np.linalg.inv(np.cov(X.T))
    expected = disco_samples(X @ np.linalg.cholesky(inverse), LABELS)
    assert_same(disco_samples(X, LABELS, metric="mahalanobis"), expected)
    given = disco_samples(X, LABELS, metric="mahalanobis", metric_params={"VI": inverse})
    assert_same(given, expected)


@pytest.mark.small
def test_mahalanobis_needs_columns_that_are_independent() -> None:
    flat = np.column_stack([X, X[:, 0] + X[:, 1]])
    for points in (flat, X[:3]):
        with pytest.raises(InvalidInputError, match=r"X of disco_score.*columns"):
            disco_score(points, [0, 0, 1] * (len(points) // 3), metric="mahalanobis", min_points=2)


@pytest.mark.small
def test_mahalanobis_refuses_a_rank_that_is_full_by_a_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: object) -> NoReturn:
        raise np.linalg.LinAlgError("Matrix is not positive definite")

    monkeypatch.setattr("numpy.linalg.cholesky", fail)
    with pytest.raises(InvalidInputError, match=r"X of disco_score.*columns"):
        disco_score(X, LABELS, metric="mahalanobis")


@pytest.mark.parametrize("kind", ["few distinct rows", "dependent columns", "full rank"])
def test_mahalanobis_of_many_columns_takes_one_decomposition(kind: str) -> None:
    """Sums of all pairs of columns, and forms of all pairs of rows, took 20 seconds; it is 0.3."""
    points = np.random.default_rng(0).normal(size=(500, 400))
    labels = np.arange(len(points)) % 3
    disco_score(points[:, :2], labels, metric="mahalanobis")  # compiled
    begin = time.process_time()
    if kind == "full rank":
        assert np.isfinite(disco_score(points, labels, metric="mahalanobis"))
    else:
        points = points[labels] if kind == "few distinct rows" else points
        points[:, 7] = points[:, 3] + points[:, 4]
        with pytest.raises(InvalidInputError, match="linearly independent columns"):
            disco_score(points, labels, metric="mahalanobis")
    assert time.process_time() - begin < 2.5


def test_mahalanobis_of_copies_does_not_depend_on_the_order_of_rows() -> None:
    random = np.random.default_rng(4)
    points = (random.normal(size=(300, 37)) @ random.normal(size=(37, 37)))[np.arange(700) % 300]
    labels = random.integers(-1, 4, len(points))
    order = random.permutation(len(points))
    found = disco_samples(points, labels, metric="mahalanobis")
    again = disco_samples(points[order], labels[order], metric="mahalanobis")
    assert found[order].tobytes() == again.tobytes()
    tree = DensityTree(points, min_points=2, metric="mahalanobis")
    assert np.count_nonzero(tree.core_distances) == 0


@pytest.mark.small
def test_seuclidean_leaves_a_constant_column_out() -> None:
    with_constant = np.column_stack([X, np.full(len(X), 3.3)])
    found = disco_samples(with_constant, LABELS, metric="seuclidean")
    assert_same(found, disco_samples(X, LABELS, metric="seuclidean"))


@pytest.mark.small
@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis", "correlation", "jaccard"])
def test_one_point_has_nothing_to_estimate(metric: str) -> None:
    tree = DensityTree([[1.0, 2.0, 5.0]], min_points=1, metric=metric)
    assert tree.core_distances.tolist() == [0.0]


def test_estimates_do_not_depend_on_how_points_are_divided() -> None:
    # Enough points for several blocks of rows.
    random = np.random.default_rng(3)
    points = random.normal(size=(1500, 3)) * [1, 5, 30]
    labels = random.integers(-1, 4, 1500)
    expected = disco_samples(points / points.std(axis=0, ddof=1), labels)
    assert_same(disco_samples(points, labels, metric="seuclidean", n_jobs=2), expected)


def test_memory_stays_far_below_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    # Blocks are small against this many points, as they are against a million.
    monkeypatch.setattr("disco_cvi._neighbors.neighborhoods._ROW_ENTRIES", 1 << 16)
    points = np.random.default_rng(0).normal(size=(2000, 2))
    DensityTree(points[:10], metric="manhattan")  # compiles and imports what is needed
    tracemalloc.start()
    try:
        DensityTree(points, metric="manhattan")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    matrix = 2000 * 2000 * 8
    assert peak < 0.2 * matrix


# --- rows of distances --------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("size", [1.0, 1e-200, 1e200])
def test_rows_of_squares_and_angles_do_not_cancel(size: float) -> None:
    far = np.array([[1e6, 1.0], [1e6, 1.0 + 2.0**-20], [1e6, 3.0]])
    for name, power in (("euclidean", 1), ("sqeuclidean", 2)):
        source = distance_rows(far * size, check_metric(name, None, "test"), "test")
        differences = np.abs(far[:, 1:] - far[:, 1]) ** power
        ratio = source.rows(0, 3) / source.rows(0, 1)[0, 2]
        np.testing.assert_allclose(ratio, differences / differences[0, 2], rtol=1e-9)
    angles = np.array([0.3, 0.3 + 2.0**-30, 0.4])
    directions = size * np.column_stack([np.cos(angles), np.sin(angles)])
    source = distance_rows(directions, check_metric("cosine", None, "test"), "test")
    expected = 2 * np.sin((angles[:, np.newaxis] - angles) / 2) ** 2
    np.testing.assert_allclose(source.rows(0, 3), expected, rtol=1e-6)
