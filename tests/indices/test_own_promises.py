"""What single indices promise beside what all of them do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions import cvnn as cvnn_definition
from definitions import s_dbw as s_dbw_definition
from disco_cvi import (
    DensityTree,
    InvalidInputError,
    UndefinedScoreError,
    cdbw_score,
    cvdd_score,
    cvnn_index,
    disco_samples,
    disco_score,
    mmj_sc_samples,
    mmj_sc_score,
    silhouette_samples,
    viasckde_samples,
    viasckde_score,
)
from disco_cvi._input.clustering import open_clustering
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.indices.cvdd import evaluate_cvdd
from disco_cvi.indices.cvnn import compactness_of, cvnn_indices
from disco_cvi.indices.s_dbw import _moments
from helpers import zoo
from helpers.twins import INDICES, assert_agrees, blobs
from helpers.zoo import column

COMPACTNESS = ("summed", "pooled")


# --- CDbw ---------------------------------------------------------------------------------------


@pytest.mark.small
def test_cdbw_is_lower_for_density_between_clusters() -> None:
    # Two bars that almost touch: the points 2 and 3 lie within sqrt(2), the deviation, of 2.5.
    points = np.arange(-2.0, 8.0).reshape(-1, 1)
    labels = np.repeat([0, 1], 5)
    assert_agrees("cdbw", points, labels)
    apart = points + 100 * labels.reshape(-1, 1)
    assert cdbw_score(apart, labels) > 100 * cdbw_score(points, labels)


@pytest.mark.small
def test_cdbw_takes_the_first_of_equally_far_members() -> None:
    # The ends -2 and 2 tie for the only representative; the other cluster is to the right.
    first = cdbw_score(column(-2, 0, 2, 9, 9.5), [0, 0, 0, 1, 1], n_representatives=1)
    second = cdbw_score(column(2, 0, -2, 9, 9.5), [0, 0, 0, 1, 1], n_representatives=1)
    assert first > second


@pytest.mark.small
def test_cdbw_of_tiny_and_huge_points_is_finite() -> None:
    for size in (1e-320, 1e-300, 1e-100, 1e100, 1e300, 1.7e308):
        points = size * column(-1, 0.25, 1, 0.5, 0.75, 0.8)
        assert 0 <= cdbw_score(points, [0, 0, 0, 1, 1, 1]) < np.inf


# --- CVDD ---------------------------------------------------------------------------------------


@pytest.mark.small
def test_cvdd_divides_fewer_neighbors_than_asked_for_by_their_wanted_number() -> None:
    # Den is 2/7 of what it is for two neighbors, in one scale for all: f stays, tolls shrink.
    assert_agrees("cvdd", column(0, 1, 3), np.array([0, 0, 1]), n_neighbors=7)
    points, labels = column(0, 1, 10, 12), [0, 0, 1, 1]
    assert cvdd_score(points, labels, n_neighbors=3) != cvdd_score(points, labels, n_neighbors=9)


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-1060, -700, -301, 301, 700, 1019])
def test_cvdd_of_points_of_any_size(exponent: int) -> None:
    points, labels = column(0, 1, 3, 10, 11, 13), [0, 0, 0, 1, 1, 1]
    with np.errstate(over="ignore", under="ignore"):
        expected = float(np.ldexp(cvdd_score(points, labels), -exponent))
    assert cvdd_score(np.ldexp(points, exponent), labels) == expected


@pytest.mark.parametrize("dimension", [1, 2, 6, 20])
def test_cvdd_agrees_with_the_definition_where_densities_differ(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    sizes = np.repeat([1e-3, 0.1, 1.0, 30.0], 60)
    points = random.normal(size=(240, dimension)) * sizes[:, np.newaxis]
    points += 2 * random.integers(0, 2, (240, 1))
    assert_agrees("cvdd", points, random.integers(0, 80, 240))
    # Clusters of more than 200 points are spanned in another way.
    assert_agrees("cvdd", points, (np.arange(240) > 210).astype(int))


@pytest.mark.small
def test_cvdd_takes_the_first_of_longer_lists_of_neighbors() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(60)
    work = open_clustering(points, labels, noise_label=-1, n_jobs=None, caller="evaluate")
    nearest_points(work.without_noise.points, 12)
    assert evaluate_cvdd(work, n_neighbors=3) == cvdd_score(points, labels, n_neighbors=3)


# --- CVNN ---------------------------------------------------------------------------------------


@pytest.mark.small
def test_cvnn_divides_each_part_by_its_largest() -> None:
    points = column(0, 1, 2, 10, 11, 12)
    labelings = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, -1]]
    for metric in ("euclidean", "cityblock"):
        parts = [cvnn_definition.cvnn_parts(points, each, 2, metric=metric) for each in labelings]
        expected = (np.array(parts) / np.array(parts).max(axis=0)).sum(axis=1)
        found = cvnn_indices(points, labelings, n_neighbors=2, metric=metric)
        np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.small
def test_a_part_of_cvnn_that_is_zero_everywhere_stays_zero() -> None:
    points = column(0, 1, 9, 11)
    # Separation 0 in both; compactness 3 and the mean of 1, 9, 11, 8, 10, 2.
    separated = cvnn_indices(points, [[0, 0, 1, 1], [0, 0, 0, 0]], n_neighbors=1)
    assert separated.tolist() == pytest.approx([18 / 41, 1.0], rel=1e-15)
    assert cvnn_indices(points, [[0, 1, 2, 3]]).tolist() == [1.0]
    assert cvnn_indices(column(7), [[0], [1]]).tolist() == [0.0, 0.0]


@pytest.mark.small
def test_wrong_labelings_of_cvnn() -> None:
    with pytest.raises(InvalidInputError, match=r"labelings of cvnn_indices.*got none"):
        cvnn_indices(column(0, 1), [])
    with pytest.raises(InvalidInputError, match=r"labelings\[1\] of cvnn_indices.*2 points, 3 l"):
        cvnn_indices(column(0, 1), [[0, 0], [0, 0, 1]])
    with pytest.raises(UndefinedScoreError, match="CVNN needs"):
        cvnn_indices(column(0, 1), [[0, 0], [-1, -1]])


@pytest.mark.small
@zoo.examples(100)
@given(zoo.cases(least=3), st.sampled_from(["neighbors", "filter"]), st.integers(0, 2**32 - 1))
def test_cvnn_of_any_order_of_rows_where_no_ties_matter(
    case: zoo.Case, noise: str, seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    labels = np.where(case.labels == case.labels.max(), 3, case.labels)
    # With all others as neighbors, no tie decides who is one.
    options: dict[str, Any] = {"noise": noise, "n_neighbors": len(case.points)}
    found = cvnn_index(case.points[order], labels[order], **options)
    assert found == cvnn_index(case.points, labels, **options)


@pytest.mark.small
def test_cvnn_without_separation_grows_with_the_data() -> None:
    points = zoo.POINTS["blobs"][:12]
    for size in (2.0**-400, 2.0**-100, 2.0**100, 2.0**400):
        assert cvnn_index(points * size, [0] * 12) == cvnn_index(points, [0] * 12) * size


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-900, 900])
def test_compactness_of_cvnn_for_other_metrics_grows_with_the_data(exponent: int) -> None:
    points, labels = column(0, 1, 2, 10, 11, 12), [0, 0, 0, 1, 1, 1]
    for metric in ("cityblock", "euclidean"):
        small, large = (
            compactness_of(
                open_clustering(data, labels, "test", noise_label=-1, n_jobs=None, metric=metric)
            )
            for data in (points, np.ldexp(points, exponent))
        )
        assert large == np.ldexp(small, exponent)


@pytest.mark.small
@pytest.mark.parametrize("compactness", COMPACTNESS)
def test_cvnn_of_distances_near_the_largest_float_stays_finite(compactness: str) -> None:
    """The mean of such distances is a float where their sum is none."""
    near = np.abs(np.subtract.outer(*[np.array([0.0, 1, 2, 5, 6, 9])] * 2))

    def value(distances: zoo.Points, labels: list[int]) -> float:
        return cvnn_index(distances, labels, metric="precomputed", compactness=compactness)

    alone = [0] * 6  # compactness is all there is
    assert value(near * 2.0**1020, alone) == 2.0**1020 * value(near, alone)
    if compactness == "summed":
        largest = np.where(np.eye(6), 0.0, 1.7e308)
        with pytest.raises(UndefinedScoreError, match="beyond the range of floating-point numb"):
            value(largest, [0, 0, 1, 1, 2, 2])


@pytest.mark.small
def test_cvnn_of_distances_beyond_all_numbers_is_undefined() -> None:
    points = column(-1.7e308, 1.7e308)
    work = open_clustering(points, [0, 0], noise_label=-1, n_jobs=None, caller="cvnn_index")
    with pytest.raises(UndefinedScoreError, match="beyond the range"):
        compactness_of(work)


# --- DCSI and VIASCKDE --------------------------------------------------------------------------


@pytest.mark.parametrize("many", [10, 10**9])
@pytest.mark.parametrize(
    ("name", "limit"), [("dcsi", "_MANY_POINTS"), ("viasckde", "_MANY_MEMBERS")]
)
def test_threads_do_not_matter_for_many_and_few_points(
    name: str, limit: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"disco_cvi.indices.{name}.{limit}", many)
    points, labels = blobs(3000)
    scores = {INDICES[name].function(points, labels, n_jobs=n_jobs) for n_jobs in (None, 1, 2, 3)}
    assert len(scores) == 1


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-1060, -600, 600, 1010])
def test_unit_of_points_and_bandwidth_does_not_matter(exponent: int) -> None:
    points, labels = column(0, 1, 2, 4, 13, 14, 15, 19), [0, 0, 0, 0, 1, 1, 1, 1]
    score = viasckde_score(points, labels, bandwidth=1.0)
    assert score > 0
    bandwidth = float(np.ldexp(1.0, exponent))
    assert viasckde_score(np.ldexp(points, exponent), labels, bandwidth=bandwidth) == score


@pytest.mark.small
@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("bandwidth", [5e-324, 1e-300, 1e300])
def test_bandwidth_far_from_the_size_of_the_points(size: float, bandwidth: float) -> None:
    # All densities are equal, or only copies count.
    points, labels = size * column(0, 0, 1, 10, 11, 12), [0, 0, 0, 1, 1, 1]
    samples = viasckde_samples(points, labels, bandwidth=bandwidth)
    if size == bandwidth:
        assert samples[1] > 0
    else:
        narrow = bandwidth < size
        assert samples.tolist() == [narrow, narrow, 0, 0, 0, 0]


# --- S_Dbw --------------------------------------------------------------------------------------


@pytest.mark.small
def test_means_of_thirds_are_the_nearest_numbers() -> None:
    """Some points are just at the radius, 2/3, of centers and middles: an ulp decides."""
    points = column(1, -3, 1, -1, 3, 0, 3, -1, 3, 3)
    assert_agrees("s_dbw", points, np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 4]))


@pytest.mark.small
@zoo.examples(200)
@given(st.lists(st.integers(-9, 9) | st.fractions(-9, 9), min_size=1, max_size=7))
def test_means_are_the_nearest_numbers(numbers: list[Fraction]) -> None:
    values = [float(number) for number in numbers]
    (mean,), _ = _moments(np.array(values)[:, None])
    assert mean == s_dbw_definition.mean(values)


# --- silhouette and MMJ-SC ----------------------------------------------------------------------


@pytest.mark.small
def test_silhouette_of_distances_near_the_largest_float() -> None:
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
@zoo.examples(150)
@given(zoo.cases(least=3))
def test_mmj_sc_without_noise_is_disco_at_one_point(case: zoo.Case) -> None:
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


@pytest.mark.small
@pytest.mark.parametrize("name", ["blobs", "copies", "high dimension"])
def test_mmj_sc_takes_a_tree_in_the_place_of_points(name: str) -> None:
    points = zoo.POINTS[name]
    labels = zoo.many_labels(len(points))
    tree = DensityTree(points, min_points=1)
    for noise in ("cluster", "singletons"):
        samples = mmj_sc_samples(points, labels, noise=noise)
        assert mmj_sc_samples(tree, labels, noise=noise).tobytes() == samples.tobytes()
        assert mmj_sc_score(tree, labels, noise=noise) == mmj_sc_score(points, labels, noise=noise)
    without_noise = np.maximum(labels, 0)
    score = mmj_sc_score(points, without_noise)
    assert mmj_sc_score(tree, without_noise, noise="filter") == score


@pytest.mark.small
def test_mmj_sc_refuses_trees_of_another_kind() -> None:
    points = column(0, 1, 5, 6)
    with pytest.raises(InvalidInputError, match=r"DensityTree with min_points=1.*min_points=2"):
        mmj_sc_score(DensityTree(points, min_points=2), [0, 0, 1, 1])
    with pytest.raises(InvalidInputError, match=r"must be points for noise='filter'.*1 noise"):
        mmj_sc_score(DensityTree(points, min_points=1), [0, 0, 1, -1], noise="filter")
