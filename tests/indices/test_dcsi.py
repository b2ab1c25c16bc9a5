"""DCSI against its edge-case table, its definition, and the values of its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given

from definitions import dcsi as definition
from disco_cvi import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.dcsi import dcsi_score
from helpers import zoo
from helpers.index_checks import (
    TOO_FEW_CLUSTERS,
    assert_noise_does_not_count,
    assert_order_and_names_do_not_matter,
    blobs,
)
from helpers.reference_values import table_2

if TYPE_CHECKING:
    from pathlib import Path

# Both sides round each distance and each quotient once or twice.
TOLERANCE = 1e-12

# The specification's values, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.787913272899,
    "3-spiral, k-means": 0.071389157524,
    "complex9, truth": 0.869909323875,
    "complex9, k-means": 0.65405351189,
}


@pytest.mark.parametrize("column", TABLE)
def test_values_of_the_tables(shared: Path, column: str) -> None:
    points, labels = table_2(shared)[column]
    score = dcsi_score(points, labels, n_jobs=2)
    assert score == pytest.approx(TABLE[column], rel=0, abs=1e-9)


# --- the edge-case table ------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("case", TOO_FEW_CLUSTERS)
def test_undefined(case: str) -> None:
    with pytest.raises(UndefinedScoreError, match=r"^DCSI needs 2 clusters or more; .*\.$"):
        dcsi_score([[0], [1], [2], [3]], TOO_FEW_CLUSTERS[case])


LINE = [0, 1, 2, 3, 13, 14, 15, 16]
TWO = [0, 0, 0, 0, 1, 1, 1, 1]
# min_points is 2. In LINE all points are core points: of each cluster, two lie within 2.5, the
# median of 3, 2, 2, 3. The longest step is 1, the gap 10.
EDGES: dict[str, tuple[list[Any], list[int], float]] = {
    "two clusters": (LINE, TWO, 10 / 11),
    "noise is left out": ([*LINE, 8], [*TWO, -1], 10 / 11),
    "a cluster of min_points points": ([*LINE, 30, 31], [*TWO, 2, 2], 10 / 11 / 3),
    "a point alone in its cluster": ([*LINE, 30], [*TWO, 7], 10 / 11 / 3),
    "all points alone": ([0, 1, 2], [0, 1, 2], 0.0),
    "clusters that share a core point": ([*LINE[:4], 3, 4, 5, 6], TWO, 0.0),
    "the same points twice": (LINE[:4] * 2, TWO, 0.0),
    "all points identical": ([5] * 8, TWO, 0.0),
    "copies of two points": ([5] * 4 + [6] * 4, TWO, 1.0),
    "one core is a point": ([0, 0, 0, 0, 3, 4, 5, 6], TWO, 3 / 4),
    # Reaches 4, 3, 2, 2, 3, 4 and 48: the median is 3, so that 50 is no core point.
    "an outlier": ([0, 1, 2, 3, 4, 5, 50, 61, 62, 63, 64], [0] * 7 + [1] * 4, 56 / 57),
}


@pytest.mark.small
@pytest.mark.parametrize("case", EDGES)
def test_edge_cases(case: str) -> None:
    line, labels, expected = EDGES[case]
    points = np.array(line, dtype=float).reshape(-1, 1)
    assert dcsi_score(points, labels, min_points=2) == pytest.approx(expected, abs=1e-15)
    assert definition.dcsi_score(points, labels, min_points=2) == pytest.approx(expected, abs=1e-15)


# --- the definition -----------------------------------------------------------------------------


def assert_agrees(points: zoo.Points, labels: Any, min_points: int) -> None:
    try:
        expected = definition.dcsi_score(points, labels, min_points=min_points)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            dcsi_score(points, labels, min_points=min_points)
        return
    found = dcsi_score(points, labels, min_points=min_points)
    assert found == pytest.approx(expected, rel=0, abs=TOLERANCE)
    assert 0 <= found <= 1


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases())
def test_agrees_with_the_definition(case: zoo.Case) -> None:
    assert_agrees(case.points, case.labels, case.min_points)


@pytest.mark.parametrize("name", zoo.POINTS)
@pytest.mark.parametrize("min_points", [1, 3, 5])
def test_agrees_with_the_definition_on_named_points(name: str, min_points: int) -> None:
    points = zoo.POINTS[name]
    assert_agrees(points, zoo.many_labels(len(points)), min_points)
    assert_agrees(points, np.arange(len(points)) % 2, min_points)


@pytest.mark.parametrize("dimension", [1, 2, 3, 8, 16, 40])
def test_agrees_with_the_definition_on_larger_clusters(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    labels = random.integers(0, 3, 300)
    points = random.normal(size=(300, dimension)) + 3 * labels[:, None] / np.sqrt(dimension)
    assert_agrees(points, labels, 5)
    assert_agrees(np.round(points), labels, 5)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_and_names_of_clusters_do_not_matter(dimension: int, seed: int) -> None:
    assert_order_and_names_do_not_matter(dcsi_score, dimension, seed, min_points=4)


@pytest.mark.parametrize("many", [10, 10**9])
def test_number_of_threads_does_not_matter(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("disco_cvi.indices.dcsi._MANY_POINTS", many)
    points, labels = blobs(5000)
    scores = {dcsi_score(points, labels, n_jobs=n_jobs) for n_jobs in (None, 1, 2, 3)}
    assert len(scores) == 1


@pytest.mark.small
def test_points_are_not_modified_and_noise_does_not_count() -> None:
    assert_noise_does_not_count(dcsi_score)


@pytest.mark.small
@zoo.examples(200)
@given(case=zoo.cases(least=4))
def test_order_of_rows_does_not_matter_with_ties(case: zoo.Case) -> None:
    labels = np.where(case.labels == -1, -1, case.labels % 3)
    labels[:2] = 0, 1
    score = dcsi_score(case.points, labels, min_points=case.min_points)
    backwards = dcsi_score(case.points[::-1], labels[::-1], min_points=case.min_points)
    assert backwards == score


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-1060, -600, 600, 1018])
def test_unit_does_not_matter(exponent: int) -> None:
    points = np.array(LINE, dtype=float).reshape(-1, 1)
    score = dcsi_score(points, TWO, min_points=2)
    assert dcsi_score(np.ldexp(points, exponent), TWO, min_points=2) == score


@pytest.mark.small
@pytest.mark.parametrize(
    ("min_points", "error", "words"),
    [
        (0, InvalidInputError, "min_points of dcsi_score .* at least 1; got 0"),
        (-3, InvalidInputError, "at least 1; got -3"),
        (2.0, TypeError, "min_points of dcsi_score must be an integer"),
        (True, TypeError, "got True"),
        ("5", TypeError, "got '5'"),
    ],
)
def test_bad_min_points(min_points: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        dcsi_score([[0], [1]], [0, 1], min_points=min_points)


@pytest.mark.small
def test_more_min_points_than_points_leave_no_core_point() -> None:
    assert dcsi_score([[0], [1], [2], [3]], [0, 0, 1, 1], min_points=1000) == 0.0
