"""Generalized Dunn against its edge-case table, its definition, and its promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions.generalized_dunn import generalized_dunn_score as definition
from disco_cvi import generalized_dunn_score
from disco_cvi.exceptions import UndefinedScoreError
from helpers import zoo
from helpers.index_checks import (
    TOO_FEW_CLUSTERS,
    assert_equals_definition,
    assert_noise_does_not_count,
    assert_noise_is_checked,
    assert_same_bits,
    assert_size_does_not_matter,
)
from helpers.zoo import column

NOISE = ("filter", "cluster")

# --- the edge-case table ------------------------------------------------------------------------

VALUES: dict[str, tuple[zoo.Points, list[int], float]] = {
    # Distances 5, 6, 4, 5 between, means 1/2 away from all points: 5 / (2 * 1/2).
    "two clusters": (column(0, 1, 5, 6), [0, 0, 1, 1], 5.0),
    # Distances 5 and 4; diameters 1 and 0.
    "a cluster of one point": (column(0, 1, 5), [0, 0, 1], 9 / 2),
    # The second and the third are the same place: gap 0.
    "two clusters in one place": (column(0, 1, 5, 5, 5), [0, 0, 1, 2, 2], 0.0),
    "clusters without width": (column(0.1, 0.1, 0.1, 0.7, 0.7), [0, 0, 0, 1, 1], math.inf),
    "noise": (column(0, 1, 3, 5, 6, 99), [0, 0, -1, 1, 1, -1], 5.0),
}


@pytest.mark.small
@pytest.mark.parametrize("case", VALUES)
def test_edge_case(case: str) -> None:
    points, labels, expected = VALUES[case]
    found = generalized_dunn_score(points, labels)
    assert type(found) is float
    assert found == pytest.approx(expected, rel=1e-15)


@pytest.mark.small
def test_noise_as_a_cluster() -> None:
    points = column(0, 1, 5, 6)
    expected = generalized_dunn_score(points, [0, 0, 1, 1])
    assert generalized_dunn_score(points, [0, 0, -1, -1], noise="cluster") == expected


@pytest.mark.small
@pytest.mark.parametrize("case", TOO_FEW_CLUSTERS)
def test_too_few_clusters(case: str) -> None:
    with pytest.raises(UndefinedScoreError, match="Generalized Dunn needs 2 clusters or more"):
        generalized_dunn_score(column(0, 1, 5, 6), TOO_FEW_CLUSTERS[case])


UNDEFINED: dict[str, tuple[zoo.Points, list[int], str]] = {
    "every point alone": (column(0, 1, 5), [0, 1, 2], "a cluster of 2 points.*3 clusters"),
    "all alone but for noise": (column(0, 1, 5), [0, 1, -1], "a cluster of 2 points.*1 noise"),
    "all points identical": (np.full((4, 2), 0.1), [0, 0, 1, 1], "clusters that differ"),
    "two identical clusters": (column(3, 3, 3, 7, 7), [0, 0, 1, 2, 2], "clusters that differ"),
}


@pytest.mark.small
@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined(case: str) -> None:
    points, labels, message = UNDEFINED[case]
    with pytest.raises(UndefinedScoreError, match=f"^Generalized Dunn needs {message}"):
        generalized_dunn_score(points, labels)


# --- the definition -----------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(), st.sampled_from(NOISE))
def test_agrees_with_the_definition(case: zoo.Case, noise: str) -> None:
    assert_equals_definition(generalized_dunn_score, definition, case.points, case.labels, noise)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str, noise: str) -> None:
    points = zoo.POINTS[name]
    labels = zoo.many_labels(len(points))
    assert_equals_definition(generalized_dunn_score, definition, points, labels, noise)


@pytest.mark.parametrize("dimension", [1, 2, 70])
@pytest.mark.parametrize("n_clusters", [2, 5, 90])
def test_agrees_with_a_matrix_of_distances(n_clusters: int, dimension: int) -> None:
    random = np.random.default_rng(n_clusters)
    labels = random.integers(0, n_clusters, 600)
    # Of sizes that make groups end within, at and after the borders of blocks and portions.
    labels[:256] = np.repeat([0, 1], 128)
    points = (
        0.3 * random.normal(size=(600, dimension)) + random.normal(size=dimension) * labels[:, None]
    )
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    member = labels == np.unique(labels)[:, None]
    gaps = member @ distances @ member.T / np.outer(member.sum(axis=1), member.sum(axis=1))
    means = np.array([points[inside].mean(axis=0) for inside in member])
    radii = [
        np.sqrt(((points[inside] - mean) ** 2).sum(axis=1)).mean()
        for inside, mean in zip(member, means, strict=True)
    ]
    gap = gaps[~np.eye(len(gaps), dtype=bool)].min()
    found = generalized_dunn_score(points, labels, n_jobs=2)
    assert found == pytest.approx(gap / (2 * max(radii)), rel=1e-12)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.sampled_from(NOISE), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_order_of_rows_names_and_threads(
    case: zoo.Case, noise: str, seed: int
) -> None:
    assert_same_bits(generalized_dunn_score, case.points, case.labels, noise, seed)


@pytest.mark.parametrize("n_clusters", [2, 7, 300])
@pytest.mark.parametrize("seed", range(5))
def test_same_bits_over_several_blocks(n_clusters: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    points, labels = random.normal(size=(700, 3)), random.integers(-1, n_clusters, 700)
    assert_same_bits(generalized_dunn_score, points, labels, "filter", seed)


def test_the_size_of_the_data_does_not_matter() -> None:
    assert_size_does_not_matter(generalized_dunn_score)


@pytest.mark.small
def test_noise_is_left_out() -> None:
    assert_noise_does_not_count(generalized_dunn_score)


@pytest.mark.small
def test_wrong_input() -> None:
    assert_noise_is_checked(generalized_dunn_score, "generalized_dunn_score")
