"""explain: facts worked out by hand, agreement with the definition, frames, JSON and words."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from definitions import disco as definition
from definitions import pair as pair_definition
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.disco import disco_samples, disco_score
from disco_cvi.indices.pair import pair_samples, pair_score
from disco_cvi.results.explanation import (
    ClusterFacts,
    Explanation,
    NoiseFacts,
    PointFacts,
    WorstPoint,
    _usual_neighbors,
    explain,
)

# On a line, with min_points = 2: core distances 1 1 1, 2 2 2, 1 1. Largest steps: 1 inside the
# first cluster, 2 inside the second, 8 between them, 16 to the two noise points.
LINE = np.array([[0.0], [1], [2], [10], [12], [14], [30], [31]])
LINE_LABELS = [0, 0, 0, 1, 1, 1, -1, -1]

# One cluster and one noise point, min_points = 2: core distances 1 1 1 2, noise 1. The noise point
# 3 sits between 2 and 5, so that it is one step of 1 away from the points 0, 1, 2.
CLAIMED = np.array([[0.0], [1], [2], [5], [3]])
CLAIMED_LABELS = [4, 4, 4, 4, -1]


@pytest.fixture(scope="module")
def line() -> Explanation:
    return explain(LINE, LINE_LABELS, min_points=2)


def columns(points: PointFacts) -> dict[str, Any]:
    return {field.name: getattr(points, field.name) for field in dataclasses.fields(points)}


# --- facts --------------------------------------------------------------------------------------


@pytest.mark.small
def test_points_on_a_line(line: Explanation) -> None:
    nan = np.nan
    points = line.points
    assert_array_equal(points.score, [0.875] * 3 + [0.75] * 3 + [-0.5] * 2)
    assert points.cluster.tolist() == [0, 0, 0, 1, 1, 1, None, None]
    assert_array_equal(points.is_noise, [False] * 6 + [True] * 2)
    assert_array_equal(points.compactness, [1, 1, 1, 2, 2, 2, nan, nan])
    assert_array_equal(points.separation, [8] * 6 + [nan] * 2)
    assert points.nearest_cluster.tolist() == [1, 1, 1, 0, 0, 0, None, None]
    assert_array_equal(points.rho_sparse, [nan] * 6 + [-0.5] * 2)
    assert_array_equal(points.rho_far, [nan] * 6 + [14 / 16] * 2)
    # 14/16 to cluster 1 is less than 15/16 to cluster 0.
    assert points.claimed_by.tolist() == [None] * 6 + [1, 1]


@pytest.mark.small
def test_clusters_and_noise_on_a_line(line: Explanation) -> None:
    assert line.score == 3.875 / 8
    assert (line.min_points, line.metric) == (2, "euclidean")
    assert line.clusters == (
        ClusterFacts(0, 3, 0.875, 0.0, 1.0, nearest_cluster=1, n_claimed=0, earned=9 / 64 * 0.875),
        ClusterFacts(1, 3, 0.75, 0.0, 2.0, nearest_cluster=0, n_claimed=0, earned=9 / 64 * 0.75),
    )
    assert (line.pair_score, line.told_apart) == (9 / 64 * 1.625, 18 / 64)
    assert line.flags == ()
    assert line.noise == NoiseFacts(2, -0.5, 1.0, -0.5, 0.875, n_claimed=0, n_dense_apart=2)


@pytest.mark.small
def test_one_cluster_is_compared_with_the_noise_that_it_claims() -> None:
    explanation = explain(CLAIMED, CLAIMED_LABELS, min_points=2)
    points = explanation.points
    assert_allclose(points.compactness, [4 / 3, 4 / 3, 4 / 3, 2, np.nan], rtol=1e-15)
    assert_array_equal(points.separation, [1, 1, 1, 2, np.nan])
    assert_allclose(points.score, [-0.25, -0.25, -0.25, 0, -0.5], rtol=1e-15)
    assert points.nearest_cluster.tolist() == [None] * 5
    assert points.claimed_by.tolist() == [None] * 4 + [4]
    (cluster,) = explanation.clusters
    assert (cluster.nearest_cluster, cluster.n_claimed, cluster.share_negative) == (None, 1, 0.75)
    assert (cluster.mean_score < 0, str(cluster.earned)) == (True, "0.0")
    assert explanation.noise == NoiseFacts(1, -0.5, 1.0, -0.5, -0.5, n_claimed=1, n_dense_apart=0)
    alone = explain(LINE, [0, 0, 0, 1, 1, 1, 2, 3], min_points=2)
    assert_array_equal(alone.points.score[6:], [0, 0])
    assert_array_equal(alone.points.compactness[6:], [np.nan] * 2)
    assert (alone.clusters[2].mean_score, alone.clusters[2].core_distance) == (0, 1)
    assert alone.noise.size == 0


LABEL_ONLY = {
    "all noise": ([-1, -1, -1], -1.0),
    "one cluster without noise": (["a", "a", "a"], 0.0),
    "one point": ([7], 0.0),
    "one noise point": ([-1], -1.0),
    "every point alone": ([3, 1, 2], 0.0),
}


@pytest.mark.small
@pytest.mark.parametrize(("labels", "score"), LABEL_ONLY.values(), ids=LABEL_ONLY)
def test_labelings_that_need_no_distances(labels: list[Any], score: float) -> None:
    # Fewer points than min_points: only the labels can have answered.
    explanation = explain(np.zeros((len(labels), 2)), labels)
    assert explanation.score == score
    assert (explanation.pair_score, [cluster.earned for cluster in explanation.clusters]) == (
        0,
        [0] * len(explanation.clusters),
    )
    assert_array_equal(explanation.points.score, [score] * len(labels))
    nothing = ("compactness", "separation", "rho_sparse", "rho_far")
    assert all(np.isnan(getattr(explanation.points, name)).all() for name in nothing)
    assert explanation.points.nearest_cluster.tolist() == [None] * len(labels)
    assert explanation.points.claimed_by.tolist() == [None] * len(labels)
    for cluster in explanation.clusters:
        assert (cluster.mean_score, cluster.core_distance) == (score, None)
    assert "by definition" in str(explanation)
    assert json.loads(json.dumps(explanation.to_dict(), allow_nan=False))["score"] == score


@pytest.mark.small
@pytest.mark.parametrize(
    ("nearest", "separation", "expected"),
    [
        ([2, 2, 1], [9.0, 9.0, 1.0], 2),
        ([2, 1, 2, 1], [3.0, 5.0, 4.0, 2.0], 1),
        ([2, 1], [3.0, 3.0], 1),
        ([-1, -1], [np.nan, np.nan], -1),
        ([-1, 0], [np.nan, 1.0], 0),
    ],
    ids=["most points", "tie: closest", "tie: first name", "none", "some have none"],
)
def test_nearest_cluster_of_a_cluster(
    nearest: list[int], separation: list[float], expected: int
) -> None:
    order = np.argsort(nearest, kind="stable")
    found = _usual_neighbors(
        np.zeros(len(nearest), np.int32),
        np.array(nearest, np.int32)[order],
        np.array(separation)[order],
    )
    assert found.tolist() == [expected]


# --- promises -----------------------------------------------------------------------------------


@st.composite
def labeled_grids(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Draw points on a small integer grid, full of ties and duplicates, with any labels."""
    n_points = draw(st.integers(2, 14))
    side = draw(st.integers(1, 12))
    points = draw(
        st.lists(
            st.tuples(st.integers(0, side), st.integers(0, side)),
            min_size=n_points,
            max_size=n_points,
        )
    )
    labels = draw(st.lists(st.integers(-1, 3), min_size=n_points, max_size=n_points))
    min_points = draw(st.integers(1, n_points))
    return np.array(points, dtype=np.float64), np.array(labels), min_points


@settings(max_examples=200, deadline=None)
@given(labeled_grids())
def test_facts_agree_with_the_definition(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    X, labels, min_points = case
    explanation = explain(X, labels, min_points=min_points)
    expected = definition.disco_pointwise(X, labels, min_points=min_points)
    for name, values in expected._asdict().items():
        assert_allclose(getattr(explanation.points, name), values, rtol=0, atol=1e-12, err_msg=name)
    noise = explanation.points.is_noise
    rho_sparse, rho_far = explanation.points.rho_sparse[noise], explanation.points.rho_far[noise]
    assert not (rho_far < rho_sparse).any()
    earned = {cluster.name: cluster.earned for cluster in explanation.clusters}
    by_pairs = pair_definition.earned(X, labels, min_points=min_points)
    assert earned == pytest.approx(by_pairs, rel=0, abs=1e-12)
    if not definition.needs_no_distances(labels.tolist(), -1):
        check_names(explanation, labels, *definition.dc_distances(X, min_points))


def check_names(
    explanation: Explanation, labels: np.ndarray, distances: np.ndarray, core: np.ndarray
) -> None:
    """Check that each named cluster attains the minimum, and kappa of each cluster."""
    points = explanation.points
    kappa = {cluster.name: cluster.core_distance for cluster in explanation.clusters}
    assert kappa == {name: core[labels == name].max() for name in kappa}
    for point, name in enumerate(points.nearest_cluster):
        assert (name is not None) == (len(kappa) > 1 and not points.is_noise[point])
        if name is not None and not np.isnan(points.separation[point]):
            assert name != labels[point]
            mean = distances[point, labels == name].mean()
            assert_allclose(mean, points.separation[point], rtol=0, atol=1e-12)
    for point, name in enumerate(points.claimed_by):
        assert (name is not None) == points.is_noise[point]
        if name is not None:
            near = float(distances[point, labels == name].min())
            far = definition.quotient(near, float(core[labels == name].max()))
            assert_allclose(far, points.rho_far[point], rtol=0, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(labeled_grids(), st.randoms(use_true_random=False))
def test_row_order_changes_nothing(case: tuple[np.ndarray, np.ndarray, int], random: Any) -> None:
    X, labels, min_points = case
    order = list(range(len(X)))
    random.shuffle(order)
    before = explain(X, labels, min_points=min_points)
    after = explain(X[order], labels[order], min_points=min_points)
    facts, shuffled = before.to_dict(points=False), after.to_dict(points=False)
    lowest = [[point["score"] for point in some.pop("worst")] for some in (facts, shuffled)]
    assert lowest[0] == lowest[1]
    assert facts == shuffled
    for name, column in columns(before.points).items():
        assert_array_equal(column[order], getattr(after.points, name), err_msg=name)


def test_score_is_that_of_disco_score_to_the_bit_and_a_tree_may_stand_for_the_points() -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(300, 2))
    labels = random.integers(-1, 4, size=300)
    tree = DensityTree(X, min_points=7)
    explanation = explain(tree, labels)
    assert explanation.score == disco_score(X, labels, min_points=7)
    assert explanation.pair_score == pair_score(X, labels, min_points=7)
    assert_array_equal(explanation.points.score, disco_samples(X, labels, min_points=7))
    assert explanation.min_points == 7
    assert explanation.to_dict() == explain(X, labels, min_points=7).to_dict()


def test_what_clusters_earn_adds_up_to_the_pair_score() -> None:
    random = np.random.default_rng(7)
    X, labels = random.normal(size=(400, 2)), random.integers(-1, 30, size=400)
    explanation, samples = explain(X, labels), pair_samples(X, labels)
    parts = [cluster.earned for cluster in explanation.clusters]
    # Each part is rounded three times.
    assert math.fsum(parts) == pytest.approx(explanation.pair_score, rel=0, abs=1e-16)
    for cluster in explanation.clusters:
        own = math.fsum(samples[labels == cluster.name]) / 400
        assert cluster.earned == pytest.approx(own, rel=1e-13)
        assert cluster.mean_score == exact_mean(explanation.points.score[labels == cluster.name])
    shares = np.bincount(labels + 1)[1:] / 400
    assert explanation.told_apart == pytest.approx(shares.sum() ** 2 - (shares**2).sum(), rel=1e-13)
    order = random.permutation(400)
    shuffled = explain(X[order], labels[order], n_jobs=2)
    assert [cluster.earned for cluster in shuffled.clusters] == parts
    backwards = np.array(["noise", *(f"c{99 - name}" for name in range(30))])[labels + 1]
    renamed = explain(X, backwards, noise_label="noise")
    assert [cluster.earned for cluster in renamed.clusters][::-1] == parts


@pytest.mark.small
def test_names_are_the_users_own(line: Explanation) -> None:
    labels = ["near", "near", "near", "far", "far", "far", "?", "?"]
    explanation = explain(LINE, labels, min_points=2, noise_label="?")
    assert [cluster.name for cluster in explanation.clusters] == ["far", "near"]
    assert explanation.clusters[1].nearest_cluster == "far"
    assert explanation.points.claimed_by.tolist()[-1] == "far"
    assert explanation.score == line.score
    assert explanation.noise == line.noise
    without = explain(LINE, LINE_LABELS, min_points=2, noise_label=None)
    assert [cluster.name for cluster in without.clusters] == [-1, 0, 1]
    assert without.noise == NoiseFacts(0, None, None, None, None, 0, 0)
    assert without.to_dict()["noise"]["mean_score"] is None


# --- the object ---------------------------------------------------------------------------------


@pytest.mark.small
def test_copies_and_pickles_and_arrays_that_cannot_be_changed(line: Explanation) -> None:
    for twin in (copy.deepcopy(line), pickle.loads(pickle.dumps(line))):
        assert twin.to_dict() == line.to_dict()
    for column in columns(line.points).values():
        with pytest.raises(ValueError, match="read-only"):
            column[0] = column[1]
    assert repr(line) == (
        "Explanation(score=0.4844, pair_score=0.2285, n_points=8, n_clusters=2, n_noise=2, "
        "min_points=2, metric='euclidean')"
    )
    assert repr(line.points).startswith("PointFacts(8 points: score, cluster, is_noise, ")


def test_no_more_than_twenty_worst_points_unless_asked() -> None:
    def steps(first: np.ndarray, second: np.ndarray) -> float:
        return float(abs(first - second).sum())

    X = np.concatenate([2 * np.arange(30.0), 59 + np.arange(30.0)]).reshape(-1, 1)
    explanation = explain(X, [0] * 30 + [-1] * 30, min_points=2, metric=steps)
    assert explanation.metric == "steps"
    assert len(explanation.worst()) == len(explanation.to_dict()["worst"]) == 20
    assert len(explanation.worst(50)) == 50
    table = str(explanation).split("Points with the lowest scores:\n")[1].split("\n\n")[0]
    assert len(table.splitlines()) == 21


# --- names of rows ------------------------------------------------------------------------------


@pytest.mark.small
def test_the_worst_points_come_first_and_equals_by_row(line: Explanation) -> None:
    assert [point.row for point in line.worst()] == [6, 7, 3, 4, 5, 0, 1, 2]
    assert line.worst(1) == (
        WorstPoint(
            row=6,
            name=None,
            cluster=None,
            is_noise=True,
            score=-0.5,
            compactness=None,
            separation=None,
            nearest_cluster=None,
            rho_sparse=-0.5,
            rho_far=0.875,
            claimed_by=1,
        ),
    )
    inside = line.worst(3)[2]
    assert (inside.cluster, inside.compactness, inside.separation) == (1, 2, 8)
    assert (inside.nearest_cluster, inside.rho_sparse, inside.claimed_by) == (0, None, None)
    assert line.to_dict()["worst"] == [dataclasses.asdict(point) for point in line.worst()]
    with pytest.raises(InvalidInputError, match="count of worst must be an integer of at least 1"):
        line.worst(0)


@pytest.mark.small
def test_names_of_rows_are_the_index_of_pandas(line: Explanation) -> None:
    pandas = pytest.importorskip("pandas")
    days = pandas.date_range("2026-01-01", periods=8, name="day")
    for X in (
        pandas.DataFrame(LINE, index=days),
        DensityTree(pandas.DataFrame(LINE, days), min_points=2),
    ):
        explanation = explain(X, LINE_LABELS, min_points=2)
        assert explanation.row_names is days
        assert explanation.worst(1)[0].name == days[6]
        frame = explanation.to_frame()
        pandas.testing.assert_frame_equal(frame, line.to_frame().set_axis(days))
        assert frame.index.name == "day"
        facts = explanation.to_dict()
        assert facts["worst"][0]["name"] == "2026-01-07 00:00:00"
        assert facts["points"]["name"][:2] == ["2026-01-01 00:00:00", "2026-01-02 00:00:00"]
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts
        assert "2026-01-07 00:00:00  -0.500  noise    dense, apart from cluster 1" in str(
            explanation
        )
    clusters = explanation.to_frame("clusters")
    pandas.testing.assert_frame_equal(clusters, line.to_frame("clusters"))


@pytest.mark.small
@pytest.mark.parametrize(
    "names", [list("abcdefgh"), np.array(list("abcdefgh")), tuple("abcdefgh"), iter("abcdefgh")]
)
def test_names_of_rows_may_be_given(names: Any) -> None:
    explanation = explain(LINE, LINE_LABELS, min_points=2, row_names=names)
    assert list(explanation.row_names) == list("abcdefgh")
    assert [point.name for point in explanation.worst(2)] == ["g", "h"]
    assert explanation.to_dict()["worst"][0]["name"] == "g"
    for twin in (copy.deepcopy(explanation), pickle.loads(pickle.dumps(explanation))):
        assert twin.to_dict() == explanation.to_dict()


@pytest.mark.parametrize("names", [list("abcdefgh"), [(i, "x") for i in range(8)], [1, "a"] * 4])
def test_names_of_rows_lead_a_frame_of_polars(line: Explanation, names: list[Any]) -> None:
    pytest.importorskip("polars")
    explanation = explain(LINE, LINE_LABELS, min_points=2, row_names=names)
    frame = explanation.to_frame(backend="polars")
    assert frame.columns == ["name", *line.to_frame(backend="polars").columns]
    assert frame["name"].to_list() == list(map(str, names))
    assert explanation.to_frame("clusters", backend="polars").columns[0] == "name"


@pytest.mark.small
@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (["a"], InvalidInputError, ": 8 points, 1 name."),
        ("abcdefgh", TypeError, r"; got 'abcdefgh' \(str\)"),
        (8, TypeError, r"; got 8 \(int\)"),
    ],
)
def test_names_that_do_not_fit(names: Any, error: type[Exception], message: str) -> None:
    rule = "row_names of explain must hold one name per point"
    with pytest.raises(error, match=rule + message):
        explain(LINE, LINE_LABELS, min_points=2, row_names=names)


def plain_types(value: Any) -> set[type]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(plain_types, value))
    return {type(value)}


@pytest.mark.small
def test_to_dict_is_ready_for_json(line: Explanation) -> None:
    facts = line.to_dict()
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert plain_types(facts) == {int, float, bool, str, type(None)}
    assert facts["points"]["compactness"] == [1, 1, 1, 2, 2, 2, None, None]
    assert facts["clusters"][1]["name"] == 1
    assert facts["noise"]["mean_rho_far"] == 0.875
    assert (facts["n_points"], facts["n_clusters"], facts["n_noise"]) == (8, 2, 2)
    del facts["points"]
    assert line.to_dict(points=False) == facts


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_frames_hold_the_columns_of_to_dict(line: Explanation, backend: str) -> None:
    pytest.importorskip(backend)
    facts = line.to_dict()
    clusters = {key: [row[key] for row in facts["clusters"]] for key in facts["clusters"][0]}
    for what, expected in (("points", facts["points"]), ("clusters", clusters)):
        frame = line.to_frame(what, backend=backend)  # type: ignore[arg-type]
        assert type(frame).__module__.split(".")[0] == backend
        assert list(frame.columns) == list(expected)
        for name, values in expected.items():
            missing = [value is None for value in values]
            column = frame[name]
            assert (column.isna() if backend == "pandas" else column.is_null()).to_list() == missing
            assert [v for v, gone in zip(column.to_list(), missing, strict=True) if not gone] == [
                v for v in values if v is not None
            ]


NAMES = {
    "integers": ([5, 7], "Int64", "Int64"),
    "text": (["a", "b"], "string", "String"),
    "booleans": ([False, True], "boolean", "Boolean"),
    "beyond 64 bits signed": ([5, 2**64 - 1], "object", "UInt64"),
}


@pytest.mark.parametrize("backend", ["pandas", "polars"])
@pytest.mark.parametrize(("names", "for_pandas", "for_polars"), NAMES.values(), ids=NAMES)
def test_frames_keep_the_type_of_names(
    names: list[Any], for_pandas: str, for_polars: str, backend: str
) -> None:
    pytest.importorskip(backend)
    kind = np.uint64 if names[1] == 2**64 - 1 else None
    labels = np.array([names[0]] * 3 + [names[1]] * 5, dtype=kind)
    frame = explain(LINE, labels, min_points=2).to_frame("points", backend=backend)  # type: ignore[arg-type]
    expected = for_pandas if backend == "pandas" else for_polars
    assert str(frame["cluster"].dtype) == expected
    assert frame["cluster"].to_list() == [names[0]] * 3 + [names[1]] * 5
    assert frame["nearest_cluster"].to_list() == [names[1]] * 3 + [names[0]] * 5


@pytest.mark.small
@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_a_missing_library_is_named(
    line: Explanation, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInputError, match="one of 'points', 'clusters'; got 'noise'"):
        line.to_frame("noise")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="'pandas' or 'polars'; got 'dask'"):
        line.to_frame(backend="dask")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, backend, None)
    with pytest.raises(ImportError, match=f"to_frame needs {backend}.*pip install {backend}"):
        line.to_frame(backend=backend)  # type: ignore[arg-type]
