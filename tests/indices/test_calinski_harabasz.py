"""Calinski-Harabasz against its edge-case table, its definition, scikit-learn, and its promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions.calinski_harabasz import calinski_harabasz_score as definition
from disco_cvi import calinski_harabasz_score
from disco_cvi.exceptions import UndefinedScoreError
from helpers import zoo
from helpers.index_checks import (
    TOO_FEW_CLUSTERS,
    assert_equals_definition,
    assert_noise_does_not_count,
    assert_noise_is_checked,
    assert_same_bits,
    assert_size_does_not_matter,
    blobs,
)
from helpers.zoo import column

NOISE = ("filter", "cluster")

# --- the edge-case table ------------------------------------------------------------------------

VALUES: dict[str, tuple[zoo.Points, list[int], float]] = {
    # Means 1/2, 11/2 and 3: B = 4 * (5/2)^2 = 25; W = 4 * (1/2)^2 = 1: 25 / (1 / 2).
    "two clusters": (column(0, 1, 5, 6), [0, 0, 1, 1], 50.0),
    # Means 1/2, 5 and 2: B = 2 * 9/4 + 9 = 27/2; W = 1/2: (27/2) / (1/2 / 1).
    "a cluster of one point": (column(0, 1, 5), [0, 0, 1], 27.0),
    "one center": (column(-1, 1, -2, 2), [0, 0, 1, 1], 0.0),
    "clusters without width": (column(0.1, 0.1, 0.1, 0.7, 0.7), [0, 0, 0, 1, 1], math.inf),
    "noise": (column(0, 1, 3, 5, 6, 99), [0, 0, -1, 1, 1, -1], 50.0),
}


@pytest.mark.small
@pytest.mark.parametrize("case", VALUES)
def test_edge_case(case: str) -> None:
    points, labels, expected = VALUES[case]
    found = calinski_harabasz_score(points, labels)
    assert type(found) is float
    assert found == pytest.approx(expected, rel=1e-15)


@pytest.mark.small
def test_noise_as_a_cluster() -> None:
    points = column(0, 1, 5, 6)
    expected = calinski_harabasz_score(points, [0, 0, 1, 1])
    assert calinski_harabasz_score(points, [0, 0, -1, -1], noise="cluster") == expected


@pytest.mark.small
@pytest.mark.parametrize("case", TOO_FEW_CLUSTERS)
def test_too_few_clusters(case: str) -> None:
    with pytest.raises(UndefinedScoreError, match="Calinski-Harabasz needs 2 clusters or more"):
        calinski_harabasz_score(column(0, 1, 5, 6), TOO_FEW_CLUSTERS[case])


UNDEFINED: dict[str, tuple[zoo.Points, list[int], str]] = {
    "every point alone": (column(0, 1, 5), [0, 1, 2], "a cluster of 2 points.*3 clusters"),
    "all alone but for noise": (column(0, 1, 5), [0, 1, -1], "a cluster of 2 points.*1 noise"),
    "all points identical": (np.full((4, 2), 0.1), [0, 0, 1, 1], "points that differ"),
}


@pytest.mark.small
@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined(case: str) -> None:
    points, labels, message = UNDEFINED[case]
    with pytest.raises(UndefinedScoreError, match=f"^Calinski-Harabasz needs {message}"):
        calinski_harabasz_score(points, labels)


# --- the definition -----------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(), st.sampled_from(NOISE))
def test_agrees_with_the_definition(case: zoo.Case, noise: str) -> None:
    assert_equals_definition(calinski_harabasz_score, definition, case.points, case.labels, noise)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str, noise: str) -> None:
    points = zoo.POINTS[name]
    labels = zoo.many_labels(len(points))
    assert_equals_definition(calinski_harabasz_score, definition, points, labels, noise)


@pytest.mark.parametrize("dimension", [1, 2, 30])
@pytest.mark.parametrize("seed", range(5))
def test_equals_scikit_learn(dimension: int, seed: int) -> None:
    from sklearn.metrics import calinski_harabasz_score as peer

    points, labels = blobs(400, dimension, seed)
    inside = labels >= 0
    expected = peer(points[inside], labels[inside])
    assert calinski_harabasz_score(points, labels) == pytest.approx(expected, rel=1e-12)
    # To scikit-learn, -1 is a cluster like any other.
    found = calinski_harabasz_score(points, labels, noise="cluster")
    assert found == pytest.approx(peer(points, labels), rel=1e-12)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.sampled_from(NOISE), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_order_of_rows_names_and_threads(
    case: zoo.Case, noise: str, seed: int
) -> None:
    assert_same_bits(calinski_harabasz_score, case.points, case.labels, noise, seed)


@pytest.mark.parametrize("n_clusters", [2, 7, 300])
@pytest.mark.parametrize("seed", range(5))
def test_same_bits_over_several_blocks(n_clusters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    points, labels = random.normal(size=(700, 3)), random.integers(-1, n_clusters, 700)
    assert_same_bits(calinski_harabasz_score, points, labels, "filter", seed)


def test_the_size_of_the_data_does_not_matter() -> None:
    assert_size_does_not_matter(calinski_harabasz_score)


@pytest.mark.small
def test_noise_is_left_out() -> None:
    assert_noise_does_not_count(calinski_harabasz_score)


@pytest.mark.small
def test_wrong_input() -> None:
    assert_noise_is_checked(calinski_harabasz_score, "calinski_harabasz_score")
