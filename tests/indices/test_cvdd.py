"""CVDD against its edge-case table, its definition, reference values, and its promises."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions import cvdd as definition
from disco_cvi import DensityTree, InvalidInputError, UndefinedScoreError
from disco_cvi._input.clustering import open_clustering
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.indices.cvdd import cvdd_score, evaluate_cvdd
from helpers import zoo
from helpers.reference_values import load, table_2, table_3

if TYPE_CHECKING:
    from pathlib import Path

# Both sides round each distance, density and mean a few times; a wrong partner, count or height
# shows in the first digits.
TOLERANCE = 1e-12


def assert_same(X: Any, labels: Any, n_neighbors: int = 7) -> None:
    expected = definition.cvdd_score(X, labels, n_neighbors=n_neighbors)
    if expected is None:
        with pytest.raises(UndefinedScoreError):
            cvdd_score(X, labels, n_neighbors=n_neighbors)
        return
    found = cvdd_score(X, labels, n_neighbors=n_neighbors)
    assert found == pytest.approx(expected, rel=TOLERANCE, abs=0)
    assert type(found) is float


# --- the edge-case table ------------------------------------------------------------------------

# Den 1 1 2 2, so f 1/2 1/2 1 1. Cheapest way across: from 1 to 10, 9 + 3 (1 - exp(-1/2)).
# Path distances inside: 1 and 2. Mean 1/2 and 1; squares around it 4/4 and 4, over 3.
ACROSS = math.sqrt(1 / 2) * (9 + 3 * (1 - math.exp(-1 / 2)))
COMPACTNESS = math.sqrt(1 / 3) / 2 / 2 + math.sqrt(4 / 3) / 2

# Name: points on a line, labels, n_neighbors, value.
EDGE_CASES: dict[str, tuple[list[float], list[int], int, float]] = {
    "two clusters": ([0, 1, 10, 12], [0, 0, 1, 1], 1, 2 * ACROSS / COMPACTNESS),
    "noise is left out": ([5, 0, 1, 10, 12], [-1, 0, 0, 1, 1], 1, 2 * ACROSS / COMPACTNESS),
    # Den 1 1 9: sep 9 + 10 (1 - exp(-(9 + 1/9 - 2))), times sqrt(1/9), for both clusters.
    "alone in its cluster": (
        [0, 1, 10],
        [0, 0, 5],
        1,
        2 * math.sqrt(1 / 9) * (9 + 10 * (1 - math.exp(-64 / 9))) / (math.sqrt(1 / 3) / 4),
    ),
    "all alone": ([0, 1, 5], [2, 1, 0], 7, math.inf),
    "two points": ([0, 1], [2, 1], 7, math.inf),
    "pairs of copies": ([0, 0, 5, 5], [0, 0, 1, 1], 7, math.inf),
    "copies apart and alone": ([0, 0, 5], [0, 1, 2], 1, 0.0),
    "more copies than neighbors": ([0, 0, 5, 9], [0, 0, 1, 1], 1, 0.0),
    "every point has enough copies": ([0, 0, 5, 5], [0, 0, 1, 1], 1, 0.0),
    "copies in two clusters": ([0, 0, 5, 9], [0, 1, 1, 0], 7, 0.0),
    "identical points": ([3, 3, 3, 3], [0, 0, 1, 1], 7, 0.0),
    "identical points, all alone": ([3, 3, 3], [0, 1, 2], 7, 0.0),
}

UNDEFINED = {
    "one cluster": [4, 4, 4],
    "one cluster and noise": [4, 4, -1],
    "only noise": [-1, -1, -1],
}


@pytest.mark.small
@pytest.mark.parametrize("name", EDGE_CASES)
def test_edge_case(name: str) -> None:
    line, labels, n_neighbors, expected = EDGE_CASES[name]
    X = np.array(line, dtype=float).reshape(-1, 1)
    assert cvdd_score(X, labels, n_neighbors=n_neighbors) == pytest.approx(expected, rel=1e-14)
    assert definition.cvdd_score(X, labels, n_neighbors=n_neighbors) == pytest.approx(
        expected, rel=1e-14
    )


@pytest.mark.small
@pytest.mark.parametrize("labels", UNDEFINED.values(), ids=UNDEFINED)
def test_undefined(labels: list[int]) -> None:
    with pytest.raises(UndefinedScoreError, match="CVDD needs 2 clusters or more"):
        cvdd_score([[0], [1], [5]], labels)


@pytest.mark.small
def test_fewer_neighbors_than_asked_for_are_divided_by_their_wanted_number() -> None:
    # Den is 2/7 of what it is for two neighbors, in one scale for all: f stays, tolls shrink.
    assert_same([[0], [1], [3]], [0, 0, 1], 7)
    X = [[0], [1], [10], [12]]
    assert cvdd_score(X, [0, 0, 1, 1], n_neighbors=3) != cvdd_score(X, [0, 0, 1, 1], n_neighbors=9)


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-1060, -700, -301, 301, 700, 1019])
def test_points_of_any_size(exponent: int) -> None:
    X, labels = np.array([[0.0], [1], [3], [10], [11], [13]]), [0, 0, 0, 1, 1, 1]
    expected = cvdd_score(X, labels)
    with np.errstate(over="ignore", under="ignore"):
        expected = float(np.ldexp(expected, -exponent))
    assert cvdd_score(np.ldexp(X, exponent), labels) == expected


# --- the definition -----------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(most=30), st.sampled_from([7, 1, 2, 40]))
def test_agrees_with_the_definition(case: zoo.Case, n_neighbors: int) -> None:
    assert_same(case.points, case.labels, n_neighbors)


@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str) -> None:
    X = zoo.POINTS[name]
    for seed in range(3):
        assert_same(X, zoo.many_labels(len(X), seed), [7, 1, 3][seed])


@pytest.mark.parametrize("dimension", [1, 2, 6, 20])
def test_agrees_with_the_definition_where_densities_differ(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    sizes = np.repeat([1e-3, 0.1, 1.0, 30.0], 60)
    X = random.normal(size=(240, dimension)) * sizes[:, np.newaxis]
    X += 2 * random.integers(0, 2, (240, 1))
    assert_same(X, random.integers(0, 80, 240))
    # Clusters of more than 200 points are spanned in another way.
    assert_same(X, np.arange(240) > 210)


# --- reference values ---------------------------------------------------------------------------

TABLE_2 = [1940.53198733, 5.89962037895, 8771.23570887, 474.42503244]
TABLE_3 = [19028.013627396, 26300.019436831, 4990.5462439662, 69.285751199316]


def test_reference_values(shared: Path) -> None:
    found = [cvdd_score(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=1e-9)


def test_reference_values_with_noise(shared: Path) -> None:
    found = [cvdd_score(*column, n_jobs=2) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=1e-9)


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=2), st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::disco_cvi.exceptions.NoiseLabelWarning")  # without noise
def test_the_order_of_rows_and_the_names_of_clusters_do_not_matter(
    case: zoo.Case, seed: int
) -> None:
    clusters = case.labels[case.labels != -1]
    if len(np.unique(clusters)) < 2:
        return
    order = np.random.default_rng(seed).permutation(len(case.points))
    score = cvdd_score(case.points, case.labels)
    assert score >= 0
    assert cvdd_score(case.points[order], case.labels[order]) == score
    names = {label: f"{(label * 7919 + 13) % 101} {label}" for label in clusters.tolist()}
    renamed = [names.get(label, "noise") for label in case.labels.tolist()]
    assert cvdd_score(case.points, renamed, noise_label="noise") == score


def test_order_of_rows_and_number_of_threads_on_real_data(shared: Path) -> None:
    X, labels = load(shared, "cluto-t8-8k")
    random = np.random.default_rng(0)
    scores = {cvdd_score(X, labels), cvdd_score(X, labels, n_jobs=2)}
    for _ in range(10):
        order = random.permutation(len(X))
        scores.add(cvdd_score(X[order], labels[order], n_jobs=2))
    assert len(scores) == 1


@pytest.mark.small
def test_input_is_not_modified() -> None:
    X, labels = zoo.POINTS["copies"].copy(), zoo.many_labels(60)
    before = X.copy(), labels.copy()
    cvdd_score(X, labels)
    assert (before[0] == X).all()
    assert (before[1] == labels).all()


@pytest.mark.small
def test_a_shared_clustering_gives_the_same_score() -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(60)
    work = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller="evaluate")
    nearest_points(work.without_noise.points, 12)
    assert evaluate_cvdd(work) == cvdd_score(X, labels)
    assert evaluate_cvdd(work, n_neighbors=3) == cvdd_score(X, labels, n_neighbors=3)


@pytest.mark.small
@pytest.mark.parametrize(
    ("n_neighbors", "error"),
    [(0, InvalidInputError), (-3, InvalidInputError)]
    + [(wrong, TypeError) for wrong in (True, 7.0, "7", None)],
)
def test_bad_number_of_neighbors(n_neighbors: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"n_neighbors of cvdd_score must be an integer from 1 to "):
        cvdd_score([[0], [1], [5]], [0, 0, 1], n_neighbors=n_neighbors)


@pytest.mark.small
def test_a_tree_is_not_enough() -> None:
    with pytest.raises(TypeError, match="X of cvdd_score must be points"):
        cvdd_score(DensityTree([[0], [1], [5]], min_points=1), [0, 0, 1])  # type: ignore[arg-type]
