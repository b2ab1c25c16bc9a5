"""CDbw against its edge-case table, its definition, and the values of its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions import cdbw as definition
from disco_cvi import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.cdbw import cdbw_score
from helpers import zoo
from helpers.index_checks import (
    TOO_FEW_CLUSTERS,
    assert_noise_does_not_count,
    assert_order_and_names_do_not_matter,
    blobs,
)
from helpers.reference_values import table_2, table_3

if TYPE_CHECKING:
    from pathlib import Path

# Both sides round each mean and each quotient a few times.
TOLERANCE = 1e-12

# The specification's values, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.0605257772353,
    "3-spiral, k-means": 0.0546424181291,
    "complex9, truth": 0.407678667754,
    "complex9, k-means": 0.140284427724,
    "cluto-t8-8k, truth": 0.25078027037768,
    "cluto-t8-8k, cut": 0.60159728616385,
    "rings, good noise": 0.0093278152485462,
    "rings, bad noise": 0.0083037693359839,
}


@pytest.mark.parametrize("column", TABLE)
def test_values_of_the_tables(shared: Path, column: str) -> None:
    points, labels = (table_2(shared) | table_3(shared))[column]
    score = cdbw_score(points, labels, n_jobs=2)
    assert score == pytest.approx(TABLE[column], rel=0, abs=1e-9)


# --- the edge-case table ------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("case", TOO_FEW_CLUSTERS)
def test_undefined(case: str) -> None:
    with pytest.raises(UndefinedScoreError, match=r"^CDbw needs 2 clusters or more; .*\.$"):
        cdbw_score([[0], [1], [2], [3]], TOO_FEW_CLUSTERS[case])


# Worked by hand: the deviation of -1 and 1 is 1. Both ends are representatives; moved by t towards
# the center, one lies t from its own end and 2 - t from the other, so that one of two points is
# near: Intra is 1/2 throughout, Comp 1/2, Change 0. The facing ends 1 and 9 are 8 apart, and no
# point is within 1 of the middle: Sep is 8.
TWO = [-1, 1, 9, 11]
EDGES: dict[str, tuple[list[Any], list[int], float]] = {
    "two clusters": (TWO, [0, 0, 1, 1], 8 / 4),
    "noise is left out": ([*TWO, 5], [0, 0, 1, 1, -1], 8 / 4),
    # S is 1/2: the ends -1 and 1, moved by 0.1 to 0.4, have one of two points near, farther moved
    # ones none. The lone point is always near itself. Intra is 2 * 3/4 four times, then
    # 2 * 1/2: Comp 5/4, Change 1/14. S(c, e) is 1/2, nothing is near 5: Sep is 8.
    "a point alone in its cluster": ([-1, 1, 9], [0, 0, 1], 8 * (5 / 4) ** 2 / (1 + 1 / 14)),
    "copies are one representative": (
        [-1, 1, 9, 9, 9],
        [0, 0, 1, 1, 1],
        8 * (5 / 4) ** 2 / (1 + 1 / 14),
    ),
    "all points alone": ([0, 1, 2], [0, 1, 2], 0.0),
    "all clusters are copies": ([0.1] * 3 + [0.7] * 3, [0, 0, 0, 1, 1, 1], 0.0),
    "all points identical": ([0.1] * 6, [0, 0, 0, 1, 1, 1], 0.0),
    "clusters on top of each other": ([0, 1, 0, 1], [0, 0, 1, 1], 0.0),
}


@pytest.mark.small
@pytest.mark.parametrize("case", EDGES)
def test_edge_cases(case: str) -> None:
    line, labels, expected = EDGES[case]
    points = np.array(line, dtype=float).reshape(-1, 1)
    assert cdbw_score(points, labels) == pytest.approx(expected, rel=1e-14)
    assert definition.cdbw_score(points, labels) == pytest.approx(expected, rel=1e-14)


@pytest.mark.small
def test_density_between_clusters_lowers_the_score() -> None:
    # Two bars that almost touch: the points 2 and 3 lie within sqrt(2), the deviation, of 2.5.
    points = np.arange(-2.0, 8.0).reshape(-1, 1)
    labels = [0] * 5 + [1] * 5
    assert cdbw_score(points, labels) == pytest.approx(definition.cdbw_score(points, labels))
    apart = points + 100 * np.array(labels).reshape(-1, 1)
    assert cdbw_score(apart, labels) > 100 * cdbw_score(points, labels)


# --- the definition -----------------------------------------------------------------------------


def assert_agrees(points: zoo.Points, labels: Any, n_representatives: int) -> None:
    options = {"n_representatives": n_representatives}
    try:
        expected = definition.cdbw_score(points, labels, **options)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            cdbw_score(points, labels, **options)
        return
    found = cdbw_score(points, labels, **options)
    assert found == pytest.approx(expected, rel=TOLERANCE, abs=0)
    assert 0 <= found < np.inf


@pytest.mark.small
@zoo.examples(150)
@given(zoo.cases(), st.sampled_from([10, 1, 2, 5]))
def test_agrees_with_the_definition(case: zoo.Case, n_representatives: int) -> None:
    assert_agrees(case.points, case.labels, n_representatives)


@pytest.mark.parametrize("name", zoo.POINTS)
@pytest.mark.parametrize("n_representatives", [1, 3, 10])
def test_agrees_with_the_definition_on_named_points(name: str, n_representatives: int) -> None:
    points = zoo.POINTS[name]
    assert_agrees(points, zoo.many_labels(len(points)), n_representatives)
    assert_agrees(points, np.arange(len(points)) % 2, n_representatives)


@pytest.mark.parametrize("dimension", [1, 2, 3, 8, 40])
def test_agrees_with_the_definition_on_larger_clusters(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    labels = random.integers(0, 40, 300)
    labels = np.where(labels < 36, labels % 4, labels)
    points = random.normal(size=(300, dimension)) + 3 * labels[:, None] / np.sqrt(dimension)
    assert_agrees(points, labels, 10)
    assert_agrees(np.round(points), labels, 10)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_and_names_of_clusters_do_not_matter(dimension: int, seed: int) -> None:
    assert_order_and_names_do_not_matter(cdbw_score, dimension, seed, n_representatives=7)


def test_number_of_threads_does_not_matter() -> None:
    points, labels = blobs(5000)
    scores = {cdbw_score(points, labels, n_jobs=n_jobs) for n_jobs in (None, 1, 2, 3)}
    assert len(scores) == 1


@pytest.mark.small
def test_points_are_not_modified_and_noise_does_not_count() -> None:
    assert_noise_does_not_count(cdbw_score)


@pytest.mark.small
@zoo.examples(200)
@given(case=zoo.cases(least=4))
def test_names_of_clusters_do_not_matter_with_ties(case: zoo.Case) -> None:
    labels = np.where(case.labels == -1, -1, case.labels % 4)
    labels[:2] = 0, 1
    score = cdbw_score(case.points, labels)
    assert cdbw_score(case.points, np.where(labels == -1, -1, 9 - labels)) == score


@pytest.mark.small
def test_of_equally_far_members_the_first_is_chosen() -> None:
    # The ends -2 and 2 tie for the only representative; the other cluster is to the right.
    first = cdbw_score([[-2.0], [0.0], [2.0], [9.0], [9.5]], [0, 0, 0, 1, 1], n_representatives=1)
    second = cdbw_score([[2.0], [0.0], [-2.0], [9.0], [9.5]], [0, 0, 0, 1, 1], n_representatives=1)
    assert first > second


@pytest.mark.small
@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e-100, 1e100, 1e300, 1.7e308])
def test_scores_of_tiny_and_huge_points_are_finite(size: float) -> None:
    points = np.array([-1, 0.25, 1, 0.5, 0.75, 0.8]).reshape(-1, 1) * size
    score = cdbw_score(points, [0, 0, 0, 1, 1, 1])
    assert 0 <= score < np.inf


@pytest.mark.small
@pytest.mark.parametrize(
    ("number", "error", "words"),
    [
        (0, InvalidInputError, "an integer of at least 1; got 0"),
        (-1, InvalidInputError, "an integer of at least 1; got -1"),
        (10.0, TypeError, "an integer of at least 1; got 10.0"),
        (True, TypeError, "an integer of at least 1; got True"),
        (None, TypeError, "an integer of at least 1; got None"),
    ],
)
def test_bad_n_representatives(number: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=rf"n_representatives of cdbw_score must be {words}"):
        cdbw_score([[0], [1]], [0, 1], n_representatives=number)
