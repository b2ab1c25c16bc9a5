"""Silhouette against its edge-case table, its definition, scikit-learn, and its promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from definitions import silhouette as definition
from disco_cvi._input.clustering import open_clustering
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.silhouette import (
    evaluate_silhouette,
    silhouette_samples,
    silhouette_score,
)
from helpers import zoo
from helpers.reference_values import load, table_2
from helpers.zoo import column

if TYPE_CHECKING:
    from pathlib import Path

NOISE = ("cluster", "filter", "singletons")

# Both sides round distances and means; a wrong group or count shows in the first digits.
TOLERANCE = 1e-12


# --- values of the reference --------------------------------------------------------------------


def test_reference_values(shared: Path) -> None:
    found = [silhouette_score(*columns) for columns in table_2(shared).values()]
    expected = [0.00139300722684, 0.359607896016, -0.0117356455026, 0.403420451524]
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("name", ["aggregation", "cluto-t8-8k", "chainlink"])
def test_equals_scikit_learn(shared: Path, name: str) -> None:
    from sklearn.metrics import silhouette_samples as peer

    points, labels = load(shared, name)
    # scikit-learn adds up distances that cancellation has left with nine digits.
    np.testing.assert_allclose(
        silhouette_samples(points, labels), peer(points, labels), rtol=0, atol=1e-9
    )


# --- the edge-case table ------------------------------------------------------------------------

EDGE_CASES: dict[str, tuple[zoo.Points, list[int], str, list[float]]] = {
    # 0: a = 1, b = 11/2 (to 5 and 6): 9/11. 1: a = 1, b = 9/2: 7/9. The others alike.
    "two clusters": (column(0, 1, 5, 6), [0, 0, 1, 1], "cluster", [9 / 11, 7 / 9, 7 / 9, 9 / 11]),
    "a point alone in its cluster": (column(0, 1, 5), [0, 0, 1], "cluster", [4 / 5, 3 / 4, 0]),
    "identical points": (np.full((4, 2), 0.1), [0, 0, 1, 1], "cluster", [0, 0, 0, 0]),
    # The copies 0 and 0: a = 0, b = 1 and so 1; of 0 and 1 in one cluster: a = 1, b = 0: -1 for
    # the copy, and a = b = 1: 0 for the other.
    "copies in two clusters": (column(0, 0, 0, 1), [0, 0, 1, 1], "cluster", [1, 1, -1, 0]),
    "one cluster and noise as a cluster": (
        column(0, 1, 5, 6),
        [0, 0, -1, -1],
        "cluster",
        [9 / 11, 7 / 9, 7 / 9, 9 / 11],
    ),
    # b is the distance to the nearest noise point: 5 and 4.
    "one cluster and noise as singletons": (
        column(0, 1, 5, 6),
        [0, 0, -1, -1],
        "singletons",
        [4 / 5, 3 / 4, 0, 0],
    ),
    "noise left out": (
        column(0, 1, 3, 5, 6),
        [0, 0, -1, 1, 1],
        "filter",
        [9 / 11, 7 / 9, np.nan, 7 / 9, 9 / 11],
    ),
    # The noise at 3 is nearer than any cluster: b = 3, 2, 2, 3.
    "noise as a rival": (
        column(0, 1, 3, 5, 6),
        [0, 0, -1, 1, 1],
        "singletons",
        [2 / 3, 1 / 2, 0, 1 / 2, 2 / 3],
    ),
}


@pytest.mark.small
@pytest.mark.parametrize("case", EDGE_CASES)
def test_edge_case(case: str) -> None:
    points, labels, noise, expected = EDGE_CASES[case]
    samples = silhouette_samples(points, labels, noise=noise)
    np.testing.assert_allclose(samples, expected, rtol=0, atol=2.3e-16)
    score = silhouette_score(points, labels, noise=noise)
    assert type(score) is float
    assert score == pytest.approx(np.nanmean(expected), rel=0, abs=2.3e-16)


UNDEFINED: dict[str, tuple[list[int], str, str]] = {
    "one cluster, no noise": ([0, 0, 0], "cluster", "2 clusters.*1 cluster and 0 noise points"),
    "every point alone": ([0, 1, 2], "cluster", "2 points or more.*3 clusters and 0 noise"),
    "only noise": ([-1, -1, -1], "cluster", "2 clusters.*0 clusters and 3 noise points"),
    "only noise left out": ([-1, -1, -1], "filter", "2 clusters.*0 clusters and 3 noise points"),
    "only noise as singletons": ([-1, -1, -1], "singletons", "2 points or more.*3 noise points"),
    "one cluster, noise left out": ([0, 0, -1], "filter", "2 clusters.*1 cluster and 1 noise"),
    "all left are alone": ([0, 1, -1], "filter", "2 points or more.*2 clusters and 1 noise point"),
}


@pytest.mark.small
@pytest.mark.parametrize("function", [silhouette_score, silhouette_samples])
@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined(case: str, function: Any) -> None:
    labels, noise, message = UNDEFINED[case]
    with pytest.raises(UndefinedScoreError, match=f"Silhouette needs .*{message}"):
        function(column(0, 1, 2), labels, noise=noise)


@pytest.mark.small
def test_one_point_is_undefined() -> None:
    with pytest.raises(UndefinedScoreError):
        silhouette_score([[1.0, 2.0]], [0])


# --- the definition -----------------------------------------------------------------------------


def agree(points: zoo.Points, labels: zoo.Codes, noise: str) -> None:
    try:
        expected = definition.silhouette_samples(points, labels, noise)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            silhouette_score(points, labels, noise=noise)
        return
    found = silhouette_samples(points, labels, noise=noise)
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
    score = silhouette_score(points, labels, noise=noise)
    expected_score = definition.silhouette_score(points, labels, noise)
    assert score == pytest.approx(expected_score, rel=0, abs=TOLERANCE)
    assert -1 <= score <= 1


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(), st.sampled_from(NOISE))
def test_agrees_with_the_definition(case: zoo.Case, noise: str) -> None:
    agree(case.points, case.labels, noise)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str, noise: str) -> None:
    points = zoo.POINTS[name]
    agree(points, zoo.many_labels(len(points)), noise)


@pytest.mark.parametrize("n_points", [127, 128, 129, 300])
def test_agrees_with_the_definition_over_several_blocks(n_points: int) -> None:
    random = np.random.default_rng(n_points)
    points = random.normal(size=(n_points, 70))
    agree(points, random.integers(-1, 3, n_points), "cluster")


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.sampled_from(NOISE), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_order_of_rows_names_and_threads(
    case: zoo.Case, noise: str, seed: int
) -> None:
    try:
        expected = silhouette_samples(case.points, case.labels, noise=noise)
    except UndefinedScoreError:
        assume(False)
    random = np.random.default_rng(seed)
    order = random.permutation(len(case.points))
    names = random.permutation(np.arange(3, 300))
    renamed = np.where(case.labels == -1, -1, names[case.labels])
    options: dict[str, Any] = {"noise": noise, "n_jobs": 2}
    found = silhouette_samples(case.points[order], renamed[order], **options)
    assert found.tobytes() == expected[order].tobytes()
    score = silhouette_score(case.points[order], renamed[order], **options)
    assert score == silhouette_score(case.points, case.labels, noise=noise)


def test_same_bits_over_several_blocks() -> None:
    random = np.random.default_rng(5)
    points, labels = random.normal(size=(700, 3)), random.integers(-1, 6, 700)
    expected = silhouette_samples(points, labels)
    order = random.permutation(700)
    found = silhouette_samples(points[order], 10 - labels[order], noise_label=11, n_jobs=3)
    assert found.tobytes() == expected[order].tobytes()


@pytest.mark.small
@pytest.mark.parametrize("size", [2.0**-1000, 2.0**-300, 2.0**300, 2.0**1000])
def test_the_size_of_the_data_does_not_matter(size: float) -> None:
    points, labels = zoo.POINTS["blobs"][:12], [0, 1, 2, -1] * 3
    assert silhouette_score(points * size, labels) == silhouette_score(points, labels)


@pytest.mark.small
def test_sums_of_distances_near_the_largest_float_stay_finite() -> None:
    """The mean of such distances is a float where their sum is none; the score was 0."""
    near = np.abs(np.subtract.outer(*[np.array([0.0, 1, 2, 5, 6, 8, 9, 15])] * 2))
    far = near * 2.0**1020
    labels = [0, 0, 0, 1, 1, 2, 2, -1]
    expected = silhouette_samples(near, labels, metric="precomputed")
    assert silhouette_samples(far, labels, metric="precomputed").tobytes() == expected.tobytes()
    # Of every point, the sum of distances to the only other cluster is beyond all floats.
    apart = np.abs(np.subtract.outer(*[np.array([0.0, 1, 2, 12, 13, 14, 15])] * 2))
    halves = [0, 0, 0, 1, 1, 1, 1]
    expected_apart = silhouette_samples(apart, halves, metric="precomputed")
    found = silhouette_samples(apart * 2.0**1020, halves, metric="precomputed")
    assert found.tobytes() == expected_apart.tobytes()
    # A point whose distances to all but one are huge, too, beside others.
    far[:7, :7] = near[:7, :7]
    found = silhouette_samples(far, labels, metric="precomputed")
    assert found[:5] == pytest.approx(expected[:5])


@pytest.mark.small
def test_input_is_not_changed() -> None:
    points, labels = column(0, 1, 5, 6), np.array([0, 0, 1, -1])
    kept = points.copy(), labels.copy()
    silhouette_score(points, labels, noise="singletons")
    assert points.tolist() == kept[0].tolist()
    assert labels.tolist() == kept[1].tolist()


@pytest.mark.small
def test_labels_of_all_kinds() -> None:
    points = column(0, 1, 5, 6, 9)
    expected = silhouette_score(points, [0, 0, 1, 1, -1], noise="filter")
    named = ["a", "a", "b", "b", "none"]
    assert silhouette_score(points, named, noise="filter", noise_label="none") == expected
    assert silhouette_score(points.tolist(), [7, 7, 3, 3, -1], noise="filter") == expected


@pytest.mark.small
def test_evaluation_in_a_clustering() -> None:
    points, labels = column(0, 1, 5, 6, 9), [0, 0, 1, 1, -1]
    work = open_clustering(points, labels, noise_label=-1, n_jobs=2, caller="evaluate")
    for noise in NOISE:
        expected = silhouette_score(points, labels, noise=noise)
        assert evaluate_silhouette(work, noise=noise) == expected


# --- wrong input --------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("function", [silhouette_score, silhouette_samples])
@pytest.mark.parametrize("noise", ["ignore", None, 1, ["cluster"]])
def test_wrong_noise(function: Any, noise: Any) -> None:
    message = f"noise of {function.__name__} must be one of 'cluster', 'filter', 'singletons'; got"
    with pytest.raises(InvalidInputError, match=message):
        function(column(0, 1, 5), [0, 0, 1], noise=noise)


@pytest.mark.small
@pytest.mark.parametrize("function", [silhouette_score, silhouette_samples])
def test_messages_name_the_function(function: Any) -> None:
    with pytest.raises(InvalidInputError, match=f"labels of {function.__name__}.*3 points, 2 lab"):
        function(column(0, 1, 5), [0, 1])
    with pytest.raises(InvalidInputError, match=f"n_jobs of {function.__name__}"):
        function(column(0, 1, 5), [0, 0, 1], n_jobs=0)
