"""MMJ-SC against its edge-case table, its definition, reference values, and its promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions import mmj_sc as definition
from disco_cvi import (
    DensityTree,
    InvalidInputError,
    UndefinedScoreError,
    disco_samples,
    disco_score,
)
from disco_cvi._input.clustering import open_clustering
from disco_cvi.indices.mmj_sc import evaluate_mmj_sc, mmj_sc_samples, mmj_sc_score
from helpers import zoo
from helpers.reference_values import load, table_2, table_3

if TYPE_CHECKING:
    from pathlib import Path

TREATMENTS = ("cluster", "filter", "singletons")
# Both sides round each mean and each quotient a few times.
TOLERANCE = 1e-12


def assert_same(X: Any, labels: Any, noise: str) -> None:
    expected = definition.mmj_sc_samples(X, labels, noise=noise)
    if expected is None:
        for function in (mmj_sc_score, mmj_sc_samples):
            with pytest.raises(UndefinedScoreError, match="MMJ-SC needs two groups or more"):
                function(X, labels, noise=noise)
        return
    found = mmj_sc_samples(X, labels, noise=noise)
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
    score = mmj_sc_score(X, labels, noise=noise)
    assert score == pytest.approx(
        definition.mmj_sc_score(X, labels, noise=noise), rel=0, abs=TOLERANCE
    )
    assert -1 <= score <= 1
    assert type(score) is float


# --- the edge-case table ------------------------------------------------------------------------

# Name: points on a line, labels, treatment of noise, the score of each point (None: undefined).
EDGE_CASES: dict[str, tuple[list[float], list[int], str, list[float] | None]] = {
    # Jumps inside: 1, 2, 2; across 7. 0 and 1: a = 3/2, b = 7; 3: a = 2, b = 7.
    "two clusters": (
        [0, 1, 3, 10, 11, 13],
        [0, 0, 0, 1, 1, 1],
        "cluster",
        [11 / 14, 11 / 14, 5 / 7] * 2,
    ),
    # 0 and 1: a = 1, b = 1 to the lone point; 9 and 10: a = 1, b = 7.
    "alone in its cluster": ([0, 1, 2, 9, 10], [0, 0, 5, 1, 1], "cluster", [0, 0, 0, 6 / 7, 6 / 7]),
    "identical points": ([3, 3, 3, 3], [0, 0, 1, 1], "cluster", [0.0] * 4),
    # 0, 0: a = 0, b = 5; 5: alone.
    "copies": ([0, 0, 5], [0, 0, 1], "cluster", [1, 1, 0]),
    "copies in two clusters": ([0, 0, 5, 5], [0, 1, 0, 1], "cluster", [-1 / 2] * 4),
    "one cluster": ([0, 1, 5], [7, 7, 7], "cluster", None),
    "all alone": ([0, 1, 5], [0, 1, 2], "cluster", None),
    "one point": ([0], [0], "cluster", None),
    "only noise": ([0, 1, 5], [-1, -1, -1], "cluster", None),
    "only noise, left out": ([0, 1, 5], [-1, -1, -1], "filter", None),
    "only noise, each alone": ([0, 1, 5], [-1, -1, -1], "singletons", None),
    # 0 and 1: a = 1, b = 4; 5: the noise, a group of one point.
    "one cluster and noise": ([0, 1, 5], [0, 0, -1], "cluster", [3 / 4, 3 / 4, 0]),
    "one cluster and noise, left out": ([0, 1, 5], [0, 0, -1], "filter", None),
    "one cluster and noise, each alone": ([0, 1, 5], [0, 0, -1], "singletons", [3 / 4, 3 / 4, 0]),
    # Noise at 6 and 7: jumps 4, 1, 3 from left to right. Clusters: a = 1, b = 4 and 3.
    # Noise: a = 1, b = 3.
    "noise is a group": (
        [0, 1, 2, 6, 7, 10, 11],
        [0, 0, 0, -1, -1, 1, 1],
        "cluster",
        [3 / 4, 3 / 4, 3 / 4, 2 / 3, 2 / 3, 2 / 3, 2 / 3],
    ),
    # Without it the gap is 8.
    "noise is left out": (
        [0, 1, 2, 6, 7, 10, 11],
        [0, 0, 0, -1, -1, 1, 1],
        "filter",
        [7 / 8, 7 / 8, 7 / 8, np.nan, np.nan, 7 / 8, 7 / 8],
    ),
    "noise is one group each": (
        [0, 1, 2, 6, 7, 10, 11],
        [0, 0, 0, -1, -1, 1, 1],
        "singletons",
        [3 / 4, 3 / 4, 3 / 4, 0, 0, 2 / 3, 2 / 3],
    ),
}


@pytest.mark.small
@pytest.mark.parametrize("name", EDGE_CASES)
def test_edge_case(name: str) -> None:
    line, labels, noise, expected = EDGE_CASES[name]
    X = np.array(line, dtype=float).reshape(-1, 1)
    assert_same(X, labels, noise)
    if expected is not None:
        samples = mmj_sc_samples(X, labels, noise=noise)
        np.testing.assert_allclose(samples, expected, rtol=0, atol=2.3e-16)


# --- the definition -----------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(500)
@given(zoo.cases(most=30), st.sampled_from(TREATMENTS))
def test_agrees_with_the_definition(case: zoo.Case, noise: str) -> None:
    assert_same(case.points, case.labels, noise)


@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str) -> None:
    X = zoo.POINTS[name]
    for seed, noise in enumerate(TREATMENTS):
        assert_same(X, zoo.many_labels(len(X), seed), noise)


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=3))
def test_without_noise_it_is_disco_at_one_point(case: zoo.Case) -> None:
    n_groups = len(np.unique(case.labels))
    if not 2 <= n_groups < len(case.labels):
        return
    samples = mmj_sc_samples(case.points, case.labels, noise_label=None)
    expected = disco_samples(case.points, case.labels, min_points=1, noise_label=None)
    assert samples.tobytes() == expected.tobytes()
    score = mmj_sc_score(case.points, case.labels, noise_label=None)
    assert score == disco_score(case.points, case.labels, min_points=1, noise_label=None)
    # Noise as a cluster is the same groups under other numbers.
    assert mmj_sc_score(case.points, case.labels) == score


# --- reference values ---------------------------------------------------------------------------

TABLE_2 = [0.789484201001, -0.00567043450653, 0.442363771432, 0.0285732545301]
TABLE_3 = [0.3091607233, 0.0143126091, 0.2447415995, 0.3234472925]


def test_reference_values(shared: Path) -> None:
    found = [mmj_sc_score(*column) for column in table_2(shared).values()]
    assert found == pytest.approx(TABLE_2, rel=0, abs=1e-9)


def test_reference_values_with_noise(shared: Path) -> None:
    found = [mmj_sc_score(*column, n_jobs=2) for column in table_3(shared).values()]
    assert found == pytest.approx(TABLE_3, rel=0, abs=1e-9)


# --- trees --------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("name", ["blobs", "copies", "high dimension"])
def test_a_tree_takes_the_place_of_points(name: str) -> None:
    X = zoo.POINTS[name]
    labels = zoo.many_labels(len(X))
    tree = DensityTree(X, min_points=1)
    for noise in ("cluster", "singletons"):
        samples = mmj_sc_samples(X, labels, noise=noise)
        assert mmj_sc_samples(tree, labels, noise=noise).tobytes() == samples.tobytes()
        assert mmj_sc_score(tree, labels, noise=noise) == mmj_sc_score(X, labels, noise=noise)
    without_noise = np.maximum(labels, 0)
    score = mmj_sc_score(X, without_noise)
    assert mmj_sc_score(tree, without_noise, noise="filter") == score


@pytest.mark.small
def test_a_tree_of_another_kind_is_refused() -> None:
    X = [[0], [1], [5], [6]]
    with pytest.raises(InvalidInputError, match=r"DensityTree with min_points=1.*min_points=2"):
        mmj_sc_score(DensityTree(X, min_points=2), [0, 0, 1, 1])
    with pytest.raises(InvalidInputError, match=r"must be points for noise='filter'.*1 noise"):
        mmj_sc_score(DensityTree(X, min_points=1), [0, 0, 1, -1], noise="filter")


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=3), st.sampled_from(TREATMENTS), st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::disco_cvi.exceptions.NoiseLabelWarning")  # without noise
def test_the_order_of_rows_and_the_names_of_clusters_do_not_matter(
    case: zoo.Case, noise: str, seed: int
) -> None:
    try:
        samples = mmj_sc_samples(case.points, case.labels, noise=noise)
    except UndefinedScoreError:
        return
    order = np.random.default_rng(seed).permutation(len(case.points))
    X, labels = case.points[order], case.labels[order]
    assert mmj_sc_samples(X, labels, noise=noise).tobytes() == samples[order].tobytes()
    score = mmj_sc_score(case.points, case.labels, noise=noise)
    assert mmj_sc_score(X, labels, noise=noise) == score
    names = {label: f"{(label * 7919 + 13) % 101} {label}" for label in labels.tolist()}
    renamed = ["noise" if label == -1 else names[label] for label in labels.tolist()]
    assert mmj_sc_score(X, renamed, noise=noise, noise_label="noise") == score


@pytest.mark.parametrize("noise", TREATMENTS)
def test_order_of_rows_and_number_of_threads_on_real_data(shared: Path, noise: str) -> None:
    X, labels = load(shared, "cluto-t8-8k")
    random = np.random.default_rng(0)
    scores = {mmj_sc_score(X, labels, noise=noise)}
    for _ in range(10):
        order = random.permutation(len(X))
        scores.add(mmj_sc_score(X[order], labels[order], noise=noise, n_jobs=2))
    assert len(scores) == 1


@pytest.mark.small
@pytest.mark.parametrize("noise", TREATMENTS)
def test_a_shared_clustering_gives_the_same_score(noise: str) -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(60)
    work = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller="evaluate")
    score = mmj_sc_score(X, labels, noise=noise)
    assert evaluate_mmj_sc(work, noise=noise) == score
    assert (labels == zoo.many_labels(60)).all()


@pytest.mark.small
@pytest.mark.parametrize("noise", ["ignore", None, 1, ""])
def test_bad_treatment_of_noise(noise: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"noise of mmj_sc_score must be one of 'cluster'"):
        mmj_sc_score([[0], [1], [5]], [0, 0, 1], noise=noise)
    with pytest.raises(InvalidInputError, match=r"noise of mmj_sc_samples must be one of"):
        mmj_sc_samples(DensityTree([[0], [1], [5]], min_points=1), [0, 0, 1], noise=noise)
