"""CVNN against its edge-case table, its definition, and its promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from definitions import cvnn as definition
from disco_cvi._input.clustering import open_clustering
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.cvnn import compactness_of, cvnn_index, cvnn_indices, evaluate_cvnn
from helpers import zoo
from helpers.reference_values import table_2
from helpers.zoo import column

if TYPE_CHECKING:
    from pathlib import Path

NOISE = ("neighbors", "filter")
COMPACTNESS = ("summed", "pooled")


# --- values of the reference --------------------------------------------------------------------


def test_reference_values(shared: Path) -> None:
    found = [cvnn_index(*columns) for columns in table_2(shared).values()]
    expected = [5.31437073519, 3.49688831181, 5.05209263827, 4.77405573716]
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


# --- the edge-case table ------------------------------------------------------------------------

VALUES: dict[str, tuple[zoo.Points, list[int], dict[str, Any], float]] = {
    # Nearest of each: its partner. Distances 1 and 2.
    "separated": (column(0, 1, 9, 11), [0, 0, 1, 1], {"n_neighbors": 1}, 3.0),
    "separated, pooled": (
        column(0, 1, 9, 11),
        [0, 0, 1, 1],
        {"n_neighbors": 1, "compactness": "pooled"},
        1.5,
    ),
    # Of two neighbors one is always the other cluster's: 1/2.
    "half of the neighbors": (column(0, 1, 9, 11), [0, 0, 1, 1], {"n_neighbors": 2}, 3.5),
    # All three others, of which two are foreign: 2/3.
    "n_neighbors is n or more": (column(0, 1, 9, 11), [0, 0, 1, 1], {}, 3 + 2 / 3),
    "a cluster of one point": (column(0, 1, 9), [0, 0, 1], {"n_neighbors": 1}, 1 + 1),
    "all alone": (column(0, 1, 9), [0, 1, 2], {}, 1.0),
    "all alone, pooled": (column(0, 1, 9), [0, 1, 2], {"compactness": "pooled"}, 1.0),
    # Distances 1, 8, 9.
    "one cluster, no noise": (column(0, 1, 9), [0, 0, 0], {}, 6.0),
    # The nearest of 9 is noise, those of 0 and 1 are not: 1/3.
    "one cluster and noise": (
        column(0, 1, 9, 10),
        [0, 0, 0, -1],
        {"n_neighbors": 1},
        6 + 1 / 3,
    ),
    "one cluster, noise left out": (
        column(0, 1, 9, 10),
        [0, 0, 0, -1],
        {"n_neighbors": 1, "noise": "filter"},
        6.0,
    ),
    "one point": (column(7), [0], {}, 0.0),
    "one point but for noise": (column(7, 8), [0, -1], {"noise": "filter"}, 0.0),
    "one point and noise": (column(7, 8), [0, -1], {}, 1.0),
    # Copies are neighbors at distance 0. The first neighbor by row of 0: row 1, of all others row
    # 0. So foreign: 0 of 2 and 2 of 2.
    "identical points": (np.full((4, 2), 0.1), [0, 0, 1, 1], {"n_neighbors": 1}, 1.0),
    # 1 lies between 0 and 2; the smaller row is nearest: in its cluster.
    "a tie": (column(0, 1, 2, 3), [0, 0, 1, 1], {"n_neighbors": 1}, 2 + 1 / 2),
}


@pytest.mark.small
@pytest.mark.parametrize("case", VALUES)
def test_edge_case(case: str) -> None:
    points, labels, options, expected = VALUES[case]
    found = cvnn_index(points, labels, **options)
    assert type(found) is float
    assert found == pytest.approx(expected, rel=1e-15)


@pytest.mark.small
@pytest.mark.parametrize("noise", NOISE)
def test_only_noise_is_undefined(noise: str) -> None:
    message = "CVNN needs 1 cluster or more.*0 clusters and 3 noise points"
    with pytest.raises(UndefinedScoreError, match=message):
        cvnn_index(column(0, 1, 2), [-1, -1, -1], noise=noise)


# --- the definition -----------------------------------------------------------------------------


def agree(
    points: zoo.Points,
    labels: zoo.Codes,
    n_neighbors: int,
    compactness: str,
    noise: str,
    metric: str = "euclidean",
) -> None:
    options: dict[str, Any] = {"n_neighbors": n_neighbors, "noise": noise, "metric": metric}
    try:
        expected = definition.cvnn_index(points, labels, compactness_of=compactness, **options)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            cvnn_index(points, labels, compactness=compactness, **options)
        return
    found = cvnn_index(points, labels, compactness=compactness, **options)
    assert found == pytest.approx(expected, rel=1e-13, abs=0)


@pytest.mark.small
@zoo.examples(250)
@given(
    zoo.cases(most=25),
    st.sampled_from([1, 2, 3, 5, 10, 1000]),
    st.sampled_from(COMPACTNESS),
    st.sampled_from(NOISE),
)
def test_agrees_with_the_definition(
    case: zoo.Case, n_neighbors: int, compactness: str, noise: str
) -> None:
    agree(case.points, case.labels, n_neighbors, compactness, noise)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", zoo.POINTS)
def test_agrees_with_the_definition_on_named_points(name: str, noise: str) -> None:
    points = zoo.POINTS[name]
    agree(points, zoo.many_labels(len(points)), 5, "summed", noise)


@pytest.mark.parametrize("n_points", [127, 128, 129, 300])
def test_agrees_with_the_definition_over_several_blocks(n_points: int) -> None:
    random = np.random.default_rng(n_points)
    points = random.normal(size=(n_points, 70))
    agree(points, np.zeros(n_points, np.int64), 1, "summed", "neighbors")
    agree(points, random.integers(-1, 2, n_points), 3, "pooled", "filter")


# --- other metrics ------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("metric", ["cityblock", "sqeuclidean", "precomputed"])
@zoo.examples(80)
@given(
    case=zoo.cases(most=25),
    n_neighbors=st.sampled_from([1, 3, 1000]),
    compactness=st.sampled_from(COMPACTNESS),
    noise=st.sampled_from(NOISE),
)
def test_other_metrics_agree_with_the_definition(
    metric: str, case: zoo.Case, n_neighbors: int, compactness: str, noise: str
) -> None:
    points = case.points
    data = np.abs(points[:, :1] - points[:, 0]) if metric == "precomputed" else points
    agree(data, case.labels, n_neighbors, compactness, noise, metric)


@pytest.mark.parametrize("noise", NOISE)
def test_cosine_agrees_with_the_definition(noise: str) -> None:
    points = np.random.default_rng(5).normal(size=(60, 3)) + 1.0
    labels = zoo.many_labels(len(points))
    options: dict[str, Any] = {"n_neighbors": 4, "noise": noise, "metric": "cosine"}
    expected = definition.cvnn_index(points, labels, **options)
    assert cvnn_index(points, labels, **options) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.small
def test_a_function_and_its_parameters() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    expected = cvnn_index(points, labels, metric="minkowski", metric_params={"p": 3})

    def mean_power(x: zoo.Points, z: zoo.Points, power: int) -> float:
        return float((np.abs(x - z) ** power).sum() ** (1 / power))

    found = cvnn_index(points, labels, metric=mean_power, metric_params={"power": 3})
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", ["cityblock", "cosine", "sqeuclidean"])
def test_order_of_rows_for_other_metrics(metric: str) -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    expected = cvnn_index(points, labels, metric=metric)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(points))
        assert cvnn_index(points[order], labels[order], metric=metric) == expected


@pytest.mark.small
@pytest.mark.parametrize("exponent", [-900, 900])
def test_size_of_coordinates_for_other_metrics(exponent: int) -> None:
    points, labels = column(0, 1, 2, 10, 11, 12), [0, 0, 0, 1, 1, 1]
    for metric in ("cityblock", "euclidean"):
        parts = [
            compactness_of(
                open_clustering(data, labels, "test", noise_label=-1, n_jobs=None, metric=metric)
            )
            for data in (points, np.ldexp(points, exponent))
        ]
        assert parts[1] == np.ldexp(parts[0], exponent)


@pytest.mark.small
def test_many_clusterings_under_another_metric() -> None:
    points = zoo.POINTS["blobs"]
    labelings = [zoo.many_labels(len(points), seed) for seed in range(3)]
    parts = [definition.cvnn_parts(points, labels, 4, metric="cityblock") for labels in labelings]
    largest = np.array(parts).max(axis=0)
    expected = (np.array(parts) / largest).sum(axis=1)
    found = cvnn_indices(points, labelings, n_neighbors=4, metric="cityblock")
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# --- many clusterings ---------------------------------------------------------------------------


@pytest.mark.small
def test_each_part_is_divided_by_its_largest() -> None:
    points = column(0, 1, 2, 10, 11, 12)
    labelings = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, -1]]
    parts = [definition.cvnn_parts(points, labels, 2) for labels in labelings]
    largest = [max(part[i] for part in parts) for i in (0, 1)]
    expected = [part[0] / largest[0] + part[1] / largest[1] for part in parts]
    found = cvnn_indices(points, labelings, n_neighbors=2)
    assert found.tolist() == pytest.approx(expected, rel=1e-15)


@pytest.mark.small
def test_a_part_that_is_zero_everywhere_stays_zero() -> None:
    points = column(0, 1, 9, 11)
    # Separation 0 in both; compactness 3 and the mean of 1, 9, 11, 8, 10, 2.
    separated = cvnn_indices(points, [[0, 0, 1, 1], [0, 0, 0, 0]], n_neighbors=1)
    assert separated.tolist() == pytest.approx([18 / 41, 1.0], rel=1e-15)
    assert cvnn_indices(points, [[0, 1, 2, 3]]).tolist() == [1.0]
    assert cvnn_indices(column(7), [[0], [1]]).tolist() == [0.0, 0.0]


@pytest.mark.small
def test_many_clusterings_wrong_input() -> None:
    with pytest.raises(InvalidInputError, match=r"labelings of cvnn_indices.*got none"):
        cvnn_indices(column(0, 1), [])
    with pytest.raises(InvalidInputError, match=r"labelings\[1\] of cvnn_indices.*2 points, 3 l"):
        cvnn_indices(column(0, 1), [[0, 0], [0, 0, 1]])
    with pytest.raises(UndefinedScoreError, match="CVNN needs"):
        cvnn_indices(column(0, 1), [[0, 0], [-1, -1]])


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.sampled_from(NOISE), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_names_and_threads(case: zoo.Case, noise: str, seed: int) -> None:
    assume((case.labels != -1).any())
    names = np.random.default_rng(seed).permutation(np.arange(3, 300))
    renamed = np.where(case.labels == -1, -1, names[case.labels])
    expected = cvnn_index(case.points, case.labels, noise=noise)
    assert cvnn_index(case.points, renamed, noise=noise, n_jobs=2) == expected
    assert expected >= 0


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(least=3), st.sampled_from(NOISE), st.integers(0, 2**32 - 1))
def test_same_bits_for_any_order_of_rows_where_no_ties_matter(
    case: zoo.Case, noise: str, seed: int
) -> None:
    assume((case.labels != -1).any())
    order = np.random.default_rng(seed).permutation(len(case.points))
    # With all others as neighbors, no tie decides who is one.
    options: dict[str, Any] = {"noise": noise, "n_neighbors": len(case.points)}
    found = cvnn_index(case.points[order], case.labels[order], **options)
    assert found == cvnn_index(case.points, case.labels, **options)


def test_same_bits_over_several_blocks() -> None:
    random = np.random.default_rng(5)
    points, labels = random.normal(size=(1500, 3)), random.integers(-1, 6, 1500)
    expected = cvnn_index(points, labels)
    order = random.permutation(1500)
    found = cvnn_index(points[order], 10 - labels[order], noise_label=11, n_jobs=3)
    assert found == expected


@pytest.mark.small
@pytest.mark.parametrize("size", [2.0**-400, 2.0**-100, 2.0**100, 2.0**400])
def test_without_separation_it_grows_with_the_data(size: float) -> None:
    points = zoo.POINTS["blobs"][:12]
    found = cvnn_index(points * size, [0] * 12)
    assert found == cvnn_index(points, [0] * 12) * size


@pytest.mark.small
@pytest.mark.parametrize("compactness", COMPACTNESS)
def test_sums_of_distances_near_the_largest_float_stay_finite(compactness: str) -> None:
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
def test_labels_of_all_kinds() -> None:
    points = column(0, 1, 5, 6, 9)
    expected = cvnn_index(points, [0, 0, 1, 1, -1])
    named = ["a", "a", "b", "b", "none"]
    assert cvnn_index(points, named, noise_label="none") == expected
    assert cvnn_index(points.tolist(), [7, 7, 3, 3, -1], n_neighbors=10) == expected


@pytest.mark.small
def test_evaluation_in_a_clustering() -> None:
    points, labels = column(0, 1, 5, 6, 9), [0, 0, 1, 1, -1]
    work = open_clustering(points, labels, noise_label=-1, n_jobs=2, caller="evaluate")
    for noise in NOISE:
        assert evaluate_cvnn(work, noise=noise) == cvnn_index(points, labels, noise=noise)


# --- wrong input --------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("value", [True, 5.0, "5", None])
def test_n_neighbors_of_a_wrong_type(value: Any) -> None:
    with pytest.raises(TypeError, match="n_neighbors of cvnn_index must be an integer"):
        cvnn_index(column(0, 1, 5), [0, 0, 1], n_neighbors=value)


@pytest.mark.small
@pytest.mark.parametrize("value", [0, -3])
def test_n_neighbors_too_small(value: int) -> None:
    with pytest.raises(InvalidInputError, match=f"n_neighbors of cvnn_index.*least 1; got {value}"):
        cvnn_index(column(0, 1, 5), [0, 0, 1], n_neighbors=value)


@pytest.mark.small
@pytest.mark.parametrize("argument", ["noise", "compactness"])
@pytest.mark.parametrize("value", ["ignore", None, 1])
def test_wrong_choice(argument: str, value: Any) -> None:
    wrong: dict[str, Any] = {argument: value}
    with pytest.raises(InvalidInputError, match=f"{argument} of cvnn_index must be one of"):
        cvnn_index(column(0, 1, 5), [0, 0, 1], **wrong)


@pytest.mark.small
def test_messages_name_the_function() -> None:
    with pytest.raises(InvalidInputError, match=r"labels of cvnn_index.*3 points, 2 labels"):
        cvnn_index(column(0, 1, 5), [0, 1])
    with pytest.raises(InvalidInputError, match="n_jobs of cvnn_index"):
        cvnn_index(column(0, 1, 5), [0, 0, 1], n_jobs=0)


@pytest.mark.small
def test_distances_beyond_all_numbers_are_undefined() -> None:
    points = column(-1.7e308, 1.7e308)
    work = open_clustering(points, [0, 0], noise_label=-1, n_jobs=None, caller="cvnn_index")
    with pytest.raises(UndefinedScoreError, match="beyond the range"):
        compactness_of(work)
