"""DISCO against its edge-case table, its definition, and the promises that its users rely on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import disco_cvi
from definitions import disco as definition
from disco_cvi import (
    DensityTree,
    InvalidInputError,
    UndefinedScoreError,
    disco_samples,
    disco_score,
)
from disco_cvi.exceptions import NoiseLabelWarning
from helpers import zoo

# What is promised. Both sides round each mean and each quotient a few times, so that differences
# stay near 1e-15; a wrong neighbor, count or height shows in the first digits.
TOLERANCE = 1e-12


def assert_same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)


def two_groups() -> tuple[zoo.Points, list[int]]:
    example = zoo.EXAMPLES["two clusters and noise"]
    return example.points, example.labels


# --- the edge-case table ------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("example", zoo.EXAMPLES.values(), ids=zoo.EXAMPLES)
def test_hand_worked(example: zoo.Example) -> None:
    samples = disco_samples(
        example.points,
        example.labels,
        min_points=example.min_points,
        noise_label=example.noise_label,
    )
    assert samples.shape == (len(example.labels),)
    # Each value is one division of short numbers: two roundings at most.
    np.testing.assert_allclose(samples, example.samples, rtol=0, atol=2.3e-16)
    score = disco_score(example.points, example.labels, min_points=example.min_points)
    assert score == pytest.approx(np.mean(example.samples), rel=0, abs=2.3e-16)


@pytest.mark.small
@pytest.mark.parametrize("name", zoo.DISTANCE_FREE)
def test_labels_alone_decide_where_points_are_few(name: str) -> None:
    make_labels, expected = zoo.DISTANCE_FREE[name]
    for n_points in (1, 2, 4):
        X, labels = zoo.column(*range(n_points)), make_labels(n_points)
        for min_points in (None, 5, 1000):
            samples = disco_samples(X, labels, min_points=min_points)
            assert samples.tolist() == [expected] * n_points
            assert disco_score(X, labels, min_points=min_points) == expected


@pytest.mark.small
@pytest.mark.parametrize("function", [disco_score, disco_samples, disco_cvi.explain])
@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [0, 0, 0, -1], [0, 1, 2, -1], [0, 1, 1, 2]])
def test_too_few_points_are_refused_where_distances_are_needed(
    function: Any, labels: list[int]
) -> None:
    with pytest.raises(
        UndefinedScoreError, match="min_points=5 needs 5 points or more; there are 4"
    ):
        function([[0], [1], [2], [3]], labels)


def test_as_many_points_as_min_points_are_enough() -> None:
    # All core distances and so all dc-distances are 1: q(1, 1) = 0.
    assert disco_score(np.eye(5) / np.sqrt(2), [0, 0, 1, 1, -1], min_points=5) == 0.0


# --- the definition -----------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(800)
@given(zoo.cases())
def test_agrees_with_the_definition(case: zoo.Case) -> None:
    found = disco_samples(case.points, case.labels, min_points=case.min_points)
    expected = definition.disco_samples(case.points, case.labels, min_points=case.min_points)
    assert_same(found, expected)
    assert np.abs(found).max() <= 1


def test_agrees_with_the_definition_on_many_random_labelings() -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        n_points, dimension = int(random.integers(20, 80)), int(random.integers(1, 6))
        spread = float(random.choice([0.3, 1.0, 5.0]))
        X = random.normal(size=(n_points, dimension)) * spread
        X += random.integers(-3, 4, (n_points, dimension))
        min_points = int(random.integers(1, 8))
        tree = DensityTree(X, min_points=min_points)
        distances, core = definition.dc_distances(X, min_points)
        for n_clusters in (2, 3, 8, n_points // 3):
            labels = random.integers(-1, n_clusters, n_points)
            expected = definition.disco_from_distances(distances, core, labels)
            assert_same(disco_samples(tree, labels), expected.score)


@pytest.mark.parametrize("n_clusters", [2, 5, 40, 150, 299])
def test_agrees_with_the_definition_with_many_clusters(n_clusters: int) -> None:
    random = np.random.default_rng(n_clusters)
    for X in (
        np.vstack([random.normal(size=(200, 2)), random.integers(-4, 4, (100, 2))]),
        1.1 ** np.arange(300).reshape(-1, 1),
        random.integers(0, 25, (300, 1)) ** 2,
    ):
        tree = DensityTree(X)
        distances, core = definition.dc_distances(X, 5)
        for noise_share in (0.0, 0.3):
            labels = random.integers(0, n_clusters, len(X))
            labels[random.random(len(X)) < noise_share] = -1
            expected = definition.disco_from_distances(distances, core, labels)
            assert_same(disco_samples(tree, labels), expected.score)


@pytest.mark.parametrize("min_points", [1, 2, 5, 17])
def test_agrees_with_the_definition_on_named_points(min_points: int) -> None:
    for X in zoo.POINTS.values():
        k = min(min_points, len(X))
        tree = DensityTree(X, min_points=k)
        distances, core = definition.dc_distances(X, k)
        for seed in range(5):
            labels = zoo.many_labels(len(X), seed)
            expected = definition.disco_from_distances(distances, core, labels)
            assert_same(disco_samples(tree, labels), expected.score)


def longest_step(first: Any, second: Any, weight: float = 1.0) -> float:
    return float(weight * np.abs(first - second).max())


METRICS: dict[str, tuple[Any, dict[str, Any] | None]] = {
    "sqeuclidean": ("sqeuclidean", None),
    "manhattan": ("manhattan", None),
    "chebyshev": ("chebyshev", None),
    "canberra": ("canberra", None),
    "minkowski": ("minkowski", {"p": 3}),
    "function": (longest_step, None),
    "function with parameters": (longest_step, {"weight": 2.5}),
}


@pytest.mark.small
@pytest.mark.parametrize("name", METRICS)
@zoo.examples(60)
@given(case=zoo.cases(most=25))
def test_agrees_with_the_definition_in_every_metric(name: str, case: zoo.Case) -> None:
    metric, metric_params = METRICS[name]
    options = {"metric": metric, "metric_params": metric_params, "min_points": case.min_points}
    found = disco_samples(case.points, case.labels, **options)
    assert_same(found, definition.disco_samples(case.points, case.labels, **options))


@pytest.mark.small
@zoo.examples(300)
@given(zoo.directions())
def test_agrees_with_the_definition_in_cosine_distance(case: zoo.Case) -> None:
    options: dict[str, Any] = {"metric": "cosine", "min_points": case.min_points}
    found = disco_samples(case.points, case.labels, **options)
    assert_same(found, definition.disco_samples(case.points, case.labels, **options))


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(), st.sampled_from([0.0, 1e-11]))
def test_agrees_with_the_definition_for_precomputed_distances(
    case: zoo.Case, asymmetry: float
) -> None:
    random = np.random.default_rng(len(case.points))
    shape = (len(case.points), len(case.points))
    # Any symmetric matrix is a valid graph: small whole numbers are rich in ties and in zeros,
    # and keep no triangle inequality.
    distances = np.triu(random.integers(0, 6, shape), 1).astype(float)
    distances += distances.T
    distances *= 1 + asymmetry * random.random(shape)
    options: dict[str, Any] = {"metric": "precomputed", "min_points": case.min_points}
    found = disco_samples(distances, case.labels, **options)
    assert_same(found, definition.disco_samples(distances, case.labels, **options))


@zoo.examples(300)
@given(zoo.cases(least=3))
def test_without_noise_it_is_the_silhouette_of_dc_distances(case: zoo.Case) -> None:
    from sklearn.metrics import silhouette_samples

    n_clusters = len(set(case.labels.tolist()))
    assume(2 <= n_clusters < len(case.labels))
    found = disco_samples(case.points, case.labels, min_points=case.min_points, noise_label=None)
    distances, _ = definition.dc_distances(case.points, case.min_points)
    expected = silhouette_samples(distances, case.labels, metric="precomputed")
    assert_same(found, expected)


@pytest.mark.parametrize("shuffled", [False, True])
def test_means_are_rounded_once(shuffled: bool) -> None:
    for seed in range(60):
        distances = zoo.near_ties(seed)
        random = np.random.default_rng(seed)
        labels = random.integers(0, random.integers(2, 8), len(distances))
        if shuffled:
            order = random.permutation(len(distances))
            distances, labels = distances[np.ix_(order, order)], labels[order]
        facts = disco_cvi.explain(distances, labels, min_points=1, metric="precomputed").points
        for point, own in enumerate(labels):
            means = {
                name: Fraction(sum(map(Fraction, distances[point, labels == name])))
                / max(1, int((labels == name).sum()) - int(name == own))
                for name in np.unique(labels)
            }
            compactness = means.pop(own)
            if (labels == own).sum() > 1:
                assert facts.compactness[point] == float(compactness)
                assert facts.separation[point] == float(min(means.values()))


# --- noise --------------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_parts_agree_with_the_definition(case: zoo.Case) -> None:
    facts = disco_cvi.explain(case.points, case.labels, min_points=case.min_points).points
    expected = definition.disco_pointwise(case.points, case.labels, min_points=case.min_points)
    for name, values in expected._asdict().items():
        found = getattr(facts, name)
        # Means of up to 40 distances, each rounded a few times; NaN must stand in the same places.
        atol = TOLERANCE if name in ("score", "rho_sparse", "rho_far") else 0.0
        np.testing.assert_allclose(found, values, rtol=1e-14, atol=atol, err_msg=name)


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=2))
def test_far_is_never_below_sparse_to_the_last_bit(case: zoo.Case) -> None:
    noise = case.labels == -1
    assume(noise.any() and not noise.all())
    facts = disco_cvi.explain(case.points, case.labels, min_points=case.min_points).points
    assert (facts.rho_far[noise] >= facts.rho_sparse[noise]).all()
    assert facts.score[noise].tolist() == facts.rho_sparse[noise].tolist()


@pytest.mark.small
def test_dense_noise_is_far_from_clusters_and_still_scored_by_density() -> None:
    example = zoo.EXAMPLES["dense noise"]
    facts = disco_cvi.explain(example.points, example.labels, min_points=2).points
    noise = facts.is_noise
    assert facts.rho_sparse[noise].tolist() == [-1 / 2, -1 / 2]
    # q(3.5, 1): the path from either noise point to the second cluster has largest step 3.5.
    assert facts.rho_far[noise].tolist() == [2.5 / 3.5, 2.5 / 3.5]


# --- the mean -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_score_is_the_exactly_rounded_mean_of_the_samples(case: zoo.Case) -> None:
    samples = disco_samples(case.points, case.labels, min_points=case.min_points)
    score = disco_score(case.points, case.labels, min_points=case.min_points)
    exact = sum(map(Fraction, samples.tolist())) / len(samples)
    assert score == float(exact)
    assert -1 <= score <= 1


@pytest.mark.small
def test_results_are_plain_and_belong_to_the_caller() -> None:
    X, labels = two_groups()
    tree = DensityTree(X, min_points=2)
    assert type(disco_score(tree, labels)) is float
    samples = disco_samples(tree, labels)
    assert samples.dtype == np.float64
    samples[:] = 9
    assert disco_samples(tree, labels).max() <= 1


# --- labels -------------------------------------------------------------------------------------

LABEL_FORMS: dict[str, tuple[Any, Any]] = {
    "list": ([0, 0, 0, -1, 1, 1, 1], -1),
    "tuple": ((0, 0, 0, -1, 1, 1, 1), -1),
    "small integers": (np.array([0, 0, 0, -1, 1, 1, 1], dtype=np.int8), -1),
    "floats": ([0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 1.0], -1),
    "unsigned, noise 9": (np.array([0, 0, 0, 9, 1, 1, 1], dtype=np.uint8), 9),
    "gaps and big numbers": ([2**62, 2**62, 2**62, -1, -(2**62), -(2**62), -(2**62)], -1),
    "strings": (["b", "b", "b", "noise", "a", "a", "a"], "noise"),
    "text of numbers": (["0", "0", "0", "-1", "1", "1", "1"], "-1"),
    "not contiguous": (np.repeat([0, 0, 0, -1, 1, 1, 1], 3)[::3], -1),
}


@pytest.mark.small
def test_every_form_of_labels_gives_the_same_bits() -> None:
    X, plain = two_groups()
    expected = disco_samples(X, plain, min_points=2)
    for form, (labels, noise_label) in LABEL_FORMS.items():
        found = disco_samples(X, labels, min_points=2, noise_label=noise_label)
        assert found.tobytes() == expected.tobytes(), form


def test_data_frame_columns_are_labels() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    X, plain = two_groups()
    expected = disco_score(X, plain, min_points=2)
    named = ["b", "b", "b", "noise", "a", "a", "a"]
    rows = range(7, 0, -1)
    for labels in (
        pandas.Series(named, index=rows),
        pandas.Series(named, index=rows, dtype="category"),
        pandas.Categorical(named),
        polars.Series(named),
        polars.Series(named, dtype=polars.Categorical),
    ):
        frame = pandas.DataFrame(X, index=rows)
        assert disco_score(frame, labels, min_points=2, noise_label="noise") == expected
        assert (
            disco_score(polars.DataFrame(X), labels, min_points=2, noise_label="noise") == expected
        )


@pytest.mark.small
def test_booleans_are_two_clusters() -> None:
    example = zoo.EXAMPLES["two clusters"]
    labels = [name == 1 for name in example.labels]
    assert disco_score(example.points, labels, min_points=2) == disco_score(
        example.points, example.labels, min_points=2
    )


@pytest.mark.small
def test_without_noise_label_minus_one_is_a_cluster() -> None:
    X, labels = two_groups()
    found = disco_samples(X, labels, min_points=2, noise_label=None)
    renamed = [5 if label == -1 else label for label in labels]
    assert found.tolist() == disco_samples(X, renamed, min_points=2).tolist()
    assert found[3] == 0  # alone in its cluster


@pytest.mark.small
def test_labels_are_compared_as_given() -> None:
    X, labels = two_groups()
    text = [str(label) for label in labels]
    with pytest.warns(NoiseLabelWarning, match="'-1' counts as a cluster"):
        as_cluster = disco_samples(X, text, min_points=2)
    assert as_cluster[3] == 0  # "-1" is not -1: a cluster of one point
    assert disco_samples(X, text, min_points=2, noise_label="-1")[3] == 3 / 4


# --- a tree in place of points ------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_a_tree_in_place_of_points_gives_the_same_bits(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    expected = disco_samples(case.points, case.labels, min_points=case.min_points)
    assert disco_samples(tree, case.labels).tobytes() == expected.tobytes()
    score = disco_score(case.points, case.labels, min_points=case.min_points)
    assert disco_score(tree, case.labels) == score
    assert disco_cvi.explain(tree, case.labels).score == score


@pytest.mark.small
def test_values_that_agree_with_the_tree_are_welcome() -> None:
    X, labels = two_groups()
    tree = DensityTree(X, min_points=2)
    expected = disco_score(X, labels, min_points=2)
    assert disco_score(tree, labels, min_points=2, metric="euclidean", n_jobs=2) == expected


@pytest.mark.small
@pytest.mark.parametrize("function", [disco_score, disco_samples, disco_cvi.explain])
@pytest.mark.parametrize(
    ("contradiction", "words"),
    [
        ({"min_points": 5}, r"min_points.*\b5\b.*\b2\b|min_points.*\b2\b.*\b5\b"),
        ({"metric": "cosine"}, r"metric.*cosine"),
        ({"metric": "precomputed"}, r"metric.*precomputed"),
        ({"metric": longest_step}, r"metric"),
        ({"metric_params": {"p": 3}}, r"metric_params"),
    ],
)
def test_values_that_contradict_the_tree_are_refused(
    function: Any, contradiction: dict[str, Any], words: str
) -> None:
    X, labels = two_groups()
    tree = DensityTree(X, min_points=2)
    with pytest.raises(InvalidInputError, match=words):
        function(tree, labels, **contradiction)


@pytest.mark.small
def test_a_contradiction_is_refused_even_where_labels_alone_decide() -> None:
    X, _ = two_groups()
    with pytest.raises(InvalidInputError, match="min_points"):
        disco_score(DensityTree(X, min_points=2), [-1] * 7, min_points=3)
    with pytest.raises(InvalidInputError, match=r"labels of disco_score.*7 points.*6"):
        disco_score(DensityTree(X, min_points=2), [-1] * 6)
