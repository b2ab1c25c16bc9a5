"""S_Dbw against its edge-case table, its definition, and its promises."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from definitions import s_dbw as definition
from disco_cvi._input.clustering import open_clustering
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.s_dbw import _moments, evaluate_s_dbw, s_dbw_index
from disco_paper.datasets import two_rings
from helpers import zoo
from helpers.reference_values import table_2
from helpers.zoo import column

if TYPE_CHECKING:
    from pathlib import Path


# --- values of the reference --------------------------------------------------------------------


def test_reference_values(shared: Path) -> None:
    found = [s_dbw_index(*columns) for columns in table_2(shared).values()]
    expected = [1.71785341663, 1.80144662756, 0.46361761075, 0.291046668724]
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


def test_rings_have_empty_centers() -> None:
    rings = two_rings(build=1)
    assert s_dbw_index(rings.points, rings.good_labels) == math.inf
    absorbing = definition.s_dbw_index(rings.points, rings.bad_labels)
    assert s_dbw_index(rings.points, rings.bad_labels) == pytest.approx(absorbing, rel=1e-13)


# --- the edge-case table ------------------------------------------------------------------------

VALUES: dict[str, tuple[zoo.Points, list[int], float]] = {
    # Variances 1/4 and 1/4, together 26/4; radius sqrt(1/2) / 2 = 0.35: nobody is that near to a
    # center, and nobody to the middle: density 0.
    "nobody near centers or the middle": (column(0, 1, 5, 6), [0, 0, 1, 1], 1 / 26),
    # The second cluster is one point: variances 1/4 and 0, together 14/3; radius 1/4; the lone
    # point is near its own center, nobody is near the middle 2.75.
    "a cluster of one point": (column(0, 1, 5), [0, 0, 1], 3 / 112),
    # Clusters -3, 3 and -3, 3: one center 0, which nobody is near, in the middle either.
    "both centers and the middle empty": (column(-3, 3, -3, 3), [0, 0, 1, 1], 1.0),
    # Radius 0: closed balls hold the copies at their very center.
    "copies at two places": (column(0.1, 0.1, 0.1, 0.7, 0.7), [0, 0, 0, 1, 1], 0.0),
    # Centers and middle are all 0, where the two points of the second cluster are: 2 / 2.
    "one center": (column(-1, 1, 0, 0), [0, 0, 1, 1], 1.0 + 1.0),
    "noise": (column(0, 1, 2.75, 5, 6, 99), [0, 0, -1, 1, 1, -1], 1 / 26),
    "all alone": (column(0, 1, 5), [0, 1, 2], 0.0),
    # Means -3 and 3, variances 9 and 9 (of -6, 0 and 0, 6), together 18; radius sqrt(18) / 2 = 2.1;
    # nobody is near the centers, but two points are near the middle 0.
    "centers empty, the middle not": (column(-6, 0, 0, 6), [0, 0, 1, 1], math.inf),
}


@pytest.mark.small
@pytest.mark.parametrize("case", VALUES)
def test_edge_case(case: str) -> None:
    points, labels, expected = VALUES[case]
    found = s_dbw_index(points, labels)
    assert type(found) is float
    assert found == pytest.approx(expected, rel=1e-15)


UNDEFINED: dict[str, tuple[zoo.Points, list[int], str]] = {
    "one cluster, no noise": (column(0, 1, 2), [0, 0, 0], "2 clusters.*1 cluster and 0 noise"),
    "one cluster and noise": (column(0, 1, 2), [0, 0, -1], "2 clusters.*1 cluster and 1 noise"),
    "only noise": (column(0, 1, 2), [-1, -1, -1], "2 clusters.*0 clusters and 3 noise points"),
    "one point": (column(0), [0], "2 clusters.*1 cluster and 0 noise points"),
    "identical points": (np.full((3, 2), 0.1), [0, 0, 1], "differ; here all 3 cluster points"),
    "identical but for noise": (column(3, 3, 4), [0, 1, -1], "differ; here all 2 cluster points"),
}


@pytest.mark.small
@pytest.mark.parametrize("case", UNDEFINED)
def test_undefined(case: str) -> None:
    points, labels, message = UNDEFINED[case]
    with pytest.raises(UndefinedScoreError, match=f"S_Dbw needs .*{message}"):
        s_dbw_index(points, labels)


# --- the definition -----------------------------------------------------------------------------


def agree(points: zoo.Points, labels: zoo.Codes) -> None:
    try:
        expected = definition.s_dbw_index(points, labels)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            s_dbw_index(points, labels)
        return
    assert s_dbw_index(points, labels) == pytest.approx(expected, rel=1e-13, abs=0)


@pytest.mark.small
def test_means_of_thirds_are_the_nearest_numbers() -> None:
    """Some points are just at the radius, 2/3, of centers and middles: an ulp decides."""
    points = column(1, -3, 1, -1, 3, 0, 3, -1, 3, 3)
    labels = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 4])
    agree(points, labels)


@pytest.mark.small
@zoo.examples(200)
@given(st.lists(st.integers(-9, 9) | st.fractions(-9, 9), min_size=1, max_size=7))
def test_means_are_the_nearest_numbers(numbers: list[Fraction]) -> None:
    values = [float(number) for number in numbers]
    (mean,), _ = _moments(np.array(values)[:, None])
    assert mean == definition.mean(values)


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases())
def test_agrees_with_the_definition(case: zoo.Case) -> None:
    agree(case.points, case.labels)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str, seed: int) -> None:
    points = zoo.POINTS[name]
    agree(points, zoo.many_labels(len(points), seed))


def test_agrees_with_the_definition_with_many_clusters() -> None:
    random = np.random.default_rng(1)
    points = random.normal(size=(400, 2)) * [1.0, 3.0]
    for n_clusters in (2, 30, 150):
        agree(points, random.integers(-1, n_clusters, 400))


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_order_of_rows_names_and_threads(case: zoo.Case, seed: int) -> None:
    try:
        expected = s_dbw_index(case.points, case.labels)
    except UndefinedScoreError:
        assume(False)
    random = np.random.default_rng(seed)
    order = random.permutation(len(case.points))
    names = random.permutation(np.arange(3, 300))
    renamed = np.where(case.labels == -1, -1, names[case.labels])
    assert s_dbw_index(case.points[order], renamed[order], n_jobs=2) == expected
    assert expected >= 0


def test_same_bits_with_many_clusters() -> None:
    random = np.random.default_rng(5)
    points, labels = random.normal(size=(6000, 2)), random.integers(-1, 30, 6000)
    expected = s_dbw_index(points, labels)
    assert 1 < expected < math.inf
    for _ in range(20):
        order, names = random.permutation(6000), random.permutation(31)
        found = s_dbw_index(
            points[order], names[labels[order]], noise_label=int(names[-1]), n_jobs=3
        )
        assert found == expected


@pytest.mark.small
@pytest.mark.parametrize("size", [2.0**-1000, 2.0**-300, 2.0**300, 2.0**1000])
def test_the_size_of_the_data_does_not_matter(size: float) -> None:
    points, labels = zoo.POINTS["blobs"][:12], [0, 1, 2, -1] * 3
    assert s_dbw_index(points * size, labels) == s_dbw_index(points, labels)


@pytest.mark.small
def test_noise_is_left_out() -> None:
    points, labels = zoo.POINTS["blobs"][:20], np.array([0, 1, -1, 0, 2] * 4)
    kept = labels != -1
    assert s_dbw_index(points, labels) == s_dbw_index(points[kept], labels[kept])


@pytest.mark.small
def test_labels_of_all_kinds() -> None:
    points = column(0, 1, 5, 6, 9)
    expected = s_dbw_index(points, [0, 0, 1, 1, -1])
    named = ["a", "a", "b", "b", "none"]
    assert s_dbw_index(points, named, noise_label="none") == expected
    assert s_dbw_index(points.tolist(), [7, 7, 3, 3, -1]) == expected


@pytest.mark.small
def test_evaluation_in_a_clustering() -> None:
    points, labels = column(0, 1, 5, 6, 9), [0, 0, 1, 1, -1]
    work = open_clustering(points, labels, noise_label=-1, n_jobs=2, caller="evaluate")
    assert evaluate_s_dbw(work) == s_dbw_index(points, labels)


# --- wrong input --------------------------------------------------------------------------------


@pytest.mark.small
def test_messages_name_the_function() -> None:
    with pytest.raises(InvalidInputError, match=r"labels of s_dbw_index.*3 points, 2 labels"):
        s_dbw_index(column(0, 1, 5), [0, 1])
    with pytest.raises(InvalidInputError, match="n_jobs of s_dbw_index"):
        s_dbw_index(column(0, 1, 5), [0, 0, 1], n_jobs=0)
