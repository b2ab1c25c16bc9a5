"""VIASCKDE against its edge-case table, its definition, and the values of its specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from definitions import viasckde as definition
from disco_cvi import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.viasckde import viasckde_samples, viasckde_score
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

# Both sides round each distance and each quotient once or twice.
TOLERANCE = 1e-12

# The specification's values, to 1e-9.
TABLE = {
    "3-spiral, truth": 0.210017106149,
    "3-spiral, k-means": 0.18160384885,
    "complex9, truth": 0.484625741882,
    "complex9, k-means": 0.469575867547,
    "cluto-t8-8k, truth": 0.54821335261687,
    "cluto-t8-8k, cut": 0.55599623780507,
    "rings, good noise": 0.0,
    "rings, bad noise": 0.0,
}


@pytest.mark.parametrize("column", TABLE)
def test_values_of_the_tables(shared: Path, column: str) -> None:
    points, labels = (table_2(shared) | table_3(shared))[column]
    score = viasckde_score(points, labels, n_jobs=2)
    assert score == pytest.approx(TABLE[column], rel=0, abs=1e-9)


# --- the edge-case table ------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("case", TOO_FEW_CLUSTERS)
def test_undefined(case: str) -> None:
    with pytest.raises(UndefinedScoreError, match=r"^VIASCKDE needs 2 clusters or more; .*\.$"):
        viasckde_score([[0], [1], [2], [3]], TOO_FEW_CLUSTERS[case])


@pytest.mark.small
def test_samples_of_an_undefined_score_are_undefined() -> None:
    with pytest.raises(UndefinedScoreError, match="VIASCKDE needs 2 clusters"):
        viasckde_samples([[0], [1]], [0, 0])


# The bandwidth is 1. Of three points in a row the middle one has the largest density, the ends have
# equal ones, and nothing comes from beyond: only the middle one has a weight.
FAR = [0, 1, 2, 100, 101, 102]
EDGES: dict[str, tuple[list[Any], list[int], list[float]]] = {
    "two clusters": (FAR, [0, 0, 0, 1, 1, 1], [0, 98 / 99, 0, 0, 98 / 99, 0]),
    "noise has no score": ([*FAR, 50], [0, 0, 0, 1, 1, 1, -1], [0, 98 / 99, 0] * 2 + [np.nan]),
    "a point alone in its cluster": ([0, 1, 2, 100], [0, 0, 0, 1], [0, 98 / 99, 0, 0]),
    "all points alone": ([0, 1, 2], [0, 1, 2], [0, 0, 0]),
    "a cluster of copies": ([0, 1, 2, 90, 90], [0, 0, 0, 1, 1], [0, 88 / 89, 0, 0, 0]),
    "equal densities": ([0, 1, 100, 101], [0, 0, 1, 1], [0, 0, 0, 0]),
    "all points identical": ([3, 3, 3, 3], [0, 0, 1, 1], [0, 0, 0, 0]),
    # 0 and 0 have copies inside and outside: a = b = 0.
    "copies inside and outside": ([0, 0, 9, 0, 0, 9], [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0]),
    # Densities 2 and 2 at 0 and 9, 1 at 50: 0 has its copy outside, its nearest member is 9.
    "copies outside": ([0, 9, 50, 0, 9], [0, 0, 0, 1, 1], [-1, -1, 0, 0, 0]),
}


@pytest.mark.small
@pytest.mark.parametrize("case", EDGES)
def test_edge_cases(case: str) -> None:
    line, labels, expected = EDGES[case]
    points = np.array(line, dtype=float).reshape(-1, 1)
    for samples in (viasckde_samples, definition.viasckde_samples):
        found = samples(points, labels, bandwidth=1.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
    score = viasckde_score(points, labels, bandwidth=1.0)
    assert score == pytest.approx(np.nanmean(expected), abs=1e-15)


# --- the definition -----------------------------------------------------------------------------


def assert_agrees(points: zoo.Points, labels: Any, bandwidth: float) -> None:
    try:
        expected = definition.viasckde_samples(points, labels, bandwidth=bandwidth)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            viasckde_score(points, labels, bandwidth=bandwidth)
        return
    found = viasckde_samples(points, labels, bandwidth=bandwidth)
    tolerance = tolerances(points, labels, bandwidth)
    assert (np.isnan(found) == (labels == -1)).all()
    kept = labels != -1
    assert (np.abs(found - expected)[kept] <= tolerance[kept]).all()
    score = viasckde_score(points, labels, bandwidth=bandwidth)
    assert score == pytest.approx(found[kept].mean(), rel=0, abs=1e-15)
    assert -1 <= score <= 1


def tolerances(points: zoo.Points, labels: Any, bandwidth: float) -> zoo.Points:
    """Return how far scores may be apart: nearly equal densities lose digits when stretched."""
    kept = labels != -1
    density = np.ones(len(points))
    squares = cdist(points[kept], points[kept], "sqeuclidean")
    density[kept] = definition.densities(squares, bandwidth)
    tolerance = np.full(len(points), TOLERANCE)
    for name in set(labels.tolist()):
        own = density[labels == name]
        spread = own.max() - own.min()
        if spread > 1e-12 * own.max():
            tolerance[labels == name] += 8 * np.finfo(float).eps * own.max() / spread
    return tolerance


@pytest.mark.small
@zoo.examples(250)
@given(zoo.cases(), st.sampled_from([0.05, 0.5, 3.0, 1e-3, 1e3]))
def test_agrees_with_the_definition(case: zoo.Case, bandwidth: float) -> None:
    assert_agrees(case.points, case.labels, bandwidth)


@pytest.mark.parametrize("name", zoo.POINTS)
@pytest.mark.parametrize("bandwidth", [0.05, 1.0])
def test_agrees_with_the_definition_on_named_points(name: str, bandwidth: float) -> None:
    points = zoo.POINTS[name]
    assert_agrees(points, zoo.many_labels(len(points)), bandwidth)
    assert_agrees(points, np.arange(len(points)) % 2, bandwidth)


@pytest.mark.parametrize("dimension", [1, 2, 3, 8, 16, 40])
@pytest.mark.parametrize("bandwidth", [0.05, 0.3, 2.0])
def test_agrees_with_the_definition_on_larger_clusters(dimension: int, bandwidth: float) -> None:
    random = np.random.default_rng(dimension)
    labels = random.integers(0, 3, 200)
    points = random.normal(size=(200, dimension)) + 3 * labels[:, None] / np.sqrt(dimension)
    assert_agrees(points, labels, bandwidth)
    assert_agrees(np.round(points), labels, bandwidth)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_and_names_of_clusters_do_not_matter(dimension: int, seed: int) -> None:
    assert_order_and_names_do_not_matter(viasckde_score, dimension, seed, bandwidth=0.4)


@pytest.mark.parametrize("many", [10, 10**9])
def test_number_of_threads_does_not_matter(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("disco_cvi.indices.viasckde._MANY_MEMBERS", many)
    points, labels = blobs(5000)
    scores = {viasckde_score(points, labels, n_jobs=n_jobs) for n_jobs in (None, 1, 2, 3)}
    assert len(scores) == 1


@pytest.mark.small
def test_points_are_not_modified_and_noise_does_not_count() -> None:
    assert_noise_does_not_count(viasckde_score)


@pytest.mark.small
@zoo.examples(200)
@given(case=zoo.cases(least=4))
def test_order_of_rows_does_not_matter_with_ties(case: zoo.Case) -> None:
    labels = np.where(case.labels == -1, -1, case.labels % 3)
    labels[:2] = 0, 1
    samples = viasckde_samples(case.points, labels, bandwidth=0.5)
    backwards = viasckde_samples(case.points[::-1], labels[::-1], bandwidth=0.5)
    np.testing.assert_array_equal(backwards[::-1], samples)


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-1060, -600, 600, 1010])
def test_unit_of_points_and_bandwidth_does_not_matter(exponent: int) -> None:
    points = np.array([0, 1, 2, 4, 13, 14, 15, 19], dtype=float).reshape(-1, 1)
    labels = [0, 0, 0, 0, 1, 1, 1, 1]
    score = viasckde_score(points, labels, bandwidth=1.0)
    assert score > 0
    bandwidth = float(np.ldexp(1.0, exponent))
    assert viasckde_score(np.ldexp(points, exponent), labels, bandwidth=bandwidth) == score


@pytest.mark.small
@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("bandwidth", [5e-324, 1e-300, 1e300])
def test_bandwidth_far_from_the_size_of_the_points(size: float, bandwidth: float) -> None:
    # All densities are equal, or only copies count.
    points = size * np.array([0, 0, 1, 10, 11, 12], dtype=float).reshape(-1, 1)
    labels = [0, 0, 0, 1, 1, 1]
    samples = viasckde_samples(points, labels, bandwidth=bandwidth)
    if size == bandwidth:
        assert samples[1] > 0
    else:
        narrow = bandwidth < size
        assert samples.tolist() == [narrow, narrow, 0, 0, 0, 0]


@pytest.mark.small
@pytest.mark.parametrize("function", [viasckde_score, viasckde_samples])
@pytest.mark.parametrize(
    ("bandwidth", "error", "words"),
    [
        (0, InvalidInputError, "must be a finite number above 0; got 0"),
        (-0.5, InvalidInputError, "got -0.5"),
        (float("inf"), InvalidInputError, "got inf"),
        (float("nan"), InvalidInputError, "got nan"),
        (True, TypeError, "must be a finite number above 0; got True"),
        ("wide", TypeError, "got 'wide'"),
        (None, TypeError, "got None"),
    ],
)
def test_bad_bandwidth(function: Any, bandwidth: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=rf"bandwidth of {function.__name__} .*{words}"):
        function([[0], [1]], [0, 1], bandwidth=bandwidth)
