"""DBCV against its edge-case table, its definition, the authors' values and its promises."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.distance import cdist

from definitions import dbcv as definition
from disco_cvi import evaluate
from disco_cvi._input.clustering import open_clustering
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices import dbcv_trees
from disco_cvi.indices.dbcv import dbcv_score, evaluate_dbcv
from helpers import zoo
from helpers.reference_values import GOLDEN_SETS, load, table_2

if TYPE_CHECKING:
    from pathlib import Path

# Both sides round each core distance a few times; a wrong edge shows in the first digits.
TOLERANCE = 1e-12
# Weights nearer to each other than this are told apart by rounding.
NEAR = 1e-12
TIES = ["coordinates", "rows", "distances"]
SIZES_OF_BLOBS = (40, 30, 30)
SMALL_NUMBERS = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 5.0])
SMALL_SETS = [name for name in GOLDEN_SETS if not name.startswith(("cluto", "Synth"))]
# On aggregation and diamond9, sorted rows give less than any of 40 shuffles.
AMONG_SHUFFLES = ["3-spiral", "chainlink", "complex8", "complex9", "compound", "smile1"]


def blobs(dimension: int = 2, seed: int = 0) -> tuple[zoo.Points, zoo.Codes]:
    """Return three clusters of points and some noise."""
    random = np.random.default_rng(seed)
    labels = np.append(np.repeat([0, 1, 2], SIZES_OF_BLOBS), [-1] * 10)
    centers = np.vstack([np.eye(3, dimension) * 6, np.zeros(dimension)])
    return centers[labels] + random.normal(size=(len(labels), dimension)), labels


def score_of(X: Any, labels: Any, ties: str = "coordinates", **options: Any) -> float:
    """Return DBCV; also by the tree that takes shorter edges first, which has no public option."""
    if ties != "distances":
        return dbcv_score(X, labels, ties=ties, **options)
    n_features = options.pop("n_features", None)
    given = {"n_jobs": None, "metric": "sqeuclidean"} | options
    clustering = open_clustering(X, labels, "test", noise_label=-1, **given)
    return evaluate_dbcv(clustering, ties=ties, n_features=n_features)


# --- the edge-case table ------------------------------------------------------------------------

# On a line, d = 1. Two points: core = s = their squared distance, which is also sparse.
# 0, 1, 3: core(0) = 2 / (1 + 1/9) = 9/5, core(1) = 2 / (1 + 1/4) = 8/5, core(3) = 2 / (1/4 + 1/9)
# = 72/13; edges 0-1 (9/5) and 1-3 (72/13); 1 is the only inner point, so sparse = 72/13.
PAIRS = 1 - 1 / 81
TRIPLES = 1 - 72 / 13 / 100

EDGE_CASES: dict[str, tuple[list[float], list[Any], float]] = {
    "one point": ([0], [0], 0.0),
    "one noise point": ([0], [-1], 0.0),
    "only noise": ([0, 1, 2, 3], [-1] * 4, 0.0),
    "one cluster": ([0, 1, 2, 3], [5] * 4, 0.0),
    "one cluster and noise": ([0, 1, 2, 3], [5, 5, 5, -1], 0.0),
    "only points alone in their clusters": ([0, 1, 2, 3], [0, 1, 2, 3], 0.0),
    "one cluster and points alone in theirs": ([0, 1, 2, 3], [0, 0, 1, 2], 0.0),
    "clusters of two points": ([0, 1, 10, 11], [0, 0, 1, 1], PAIRS),
    "clusters of three points": ([0, 1, 3, 10, 11, 13], [0] * 3 + [1] * 3, TRIPLES),
    "noise scales down": ([0, 1, 10, 11, 5], [0, 0, 1, 1, -1], 0.8 * PAIRS),
    "a point alone counts as noise": ([0, 1, 10, 11, 5], [0, 0, 1, 1, 2], 0.8 * PAIRS),
    "worst": ([0, 10, 0, 10], [0, 0, 1, 1], -0.0),
    "all points identical": ([7] * 6, [0, 0, 0, 1, 1, 1], 0.0),
    "two pairs of identical points": ([7] * 4, [0, 0, 1, 1], 0.0),
    "clusters of identical points": ([0, 0, 0, 5, 5], [0, 0, 0, 1, 1], 1.0),
    # The pair 5, 6: 1 - 1/25; the identical points score 1.
    "one cluster of identical points": ([0, 0, 0, 5, 6], [0, 0, 0, 1, 1], (3 + 2 * 24 / 25) / 5),
    # 0, 0, 1: core = 2 / 1 at each 0 (the copy is left out, but counted), 2 / 2 at 1; edges 0-0
    # (2) and 0-1 (2); 0 is the inner point. The same at 10, 10, 11, from 0 to 10: 100.
    "copies in clusters": ([0, 0, 1, 10, 10, 11], [0] * 3 + [1] * 3, 1 - 2 / 100),
    "labels with gaps": ([0, 1, 10, 11], [-7, -7, 2**62, 2**62], PAIRS),
    "labels as text": ([0, 1, 10, 11], ["b", "b", "-2", "-2"], PAIRS),
    "labels as booleans": ([0, 1, 10, 11], [True, True, False, False], PAIRS),
}


@pytest.mark.small
@pytest.mark.parametrize("case", EDGE_CASES)
def test_edge_cases(case: str) -> None:
    line, labels, expected = EDGE_CASES[case]
    for ties in TIES:
        score = score_of(zoo.column(*line), labels, ties=ties)
        assert type(score) is float
        assert score == pytest.approx(expected, rel=0, abs=5e-16), ties


@pytest.mark.small
def test_noise_label() -> None:
    X = [[0], [1], [10], [11], [5]]
    assert dbcv_score(X, list("aabbx"), noise_label="x") == pytest.approx(0.8 * PAIRS)
    assert dbcv_score([[0], [1], [10], [11]], [0, 0, -1, -1], noise_label=None) == PAIRS


# --- the definition -----------------------------------------------------------------------------


def is_decided(points: zoo.Points, labels: zoo.Codes) -> bool:
    """Whether no two weights in a cluster lie so near that rounding decides which is smaller.

    Equal weights are fine where both sides must find them equal: on a lattice, whose squared
    distances are exact, and for equal sets of distances.
    """
    on_lattice = bool((np.round(2 * points) == 2 * points).all() and np.abs(points).max() < 1e6)
    squares = definition.squared_distances(points)
    return are_decided(squares, labels, points.shape[1], exact=on_lattice)


def are_decided(distances: zoo.Points, labels: zoo.Codes, dimension: int, *, exact: bool) -> bool:
    """The same for any distances; exact: both sides have the same bits."""
    for name in set(labels.tolist()) - {-1}:
        inside = distances[np.ix_(labels == name, labels == name)]
        # Copies have the same distances; one of them is looked at.
        places = np.unique(inside, axis=0, return_index=True)[1]
        if len(places) <= 2:
            continue
        between = np.sort(inside[np.ix_(places, places)][np.triu_indices(len(places), 1)])
        if not exact and (np.diff(between) <= NEAR * between[1:]).any():
            return False
        rows = list(range(len(inside)))
        core = [definition.core_distance(int(i), rows, inside, dimension) for i in places]
        sets = [tuple(sorted(inside[i].tolist())) for i in places]
        by_size = sorted(zip(core, sets, strict=True))
        for (low, one), (high, other) in pairwise(by_size):
            if high - low <= NEAR * high and one != other:
                return False
        gaps = np.abs(between[:, np.newaxis] - np.array(core))
        if (gaps <= NEAR * between[:, np.newaxis]).any():
            return False
    return True


def assert_agrees(points: zoo.Points, labels: Any, ties: str) -> None:
    found = score_of(points, labels, ties=ties)
    expected = definition.dbcv_score(points, labels, ties=ties)
    assert found == pytest.approx(expected, rel=0, abs=TOLERANCE)
    assert -1 <= found <= 1


some_ties = st.sampled_from(TIES)


@pytest.mark.small
@zoo.examples(500)
@given(zoo.cases(most=30), some_ties)
def test_agrees_with_the_definition(case: zoo.Case, ties: str) -> None:
    assume(is_decided(case.points, case.labels))
    assert_agrees(case.points, case.labels, ties)


@pytest.mark.parametrize("ties", TIES)
def test_agrees_with_the_definition_in_the_zoo(ties: str) -> None:
    for points in zoo.POINTS.values():
        assert_agrees(points, zoo.many_labels(len(points)), ties)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("dimension", [1, 3, 17, 500])
def test_agrees_with_the_definition_in_any_dimension(dimension: int, ties: str) -> None:
    X, labels = blobs(dimension=dimension)
    assert_agrees(X[::2], labels[::2], ties)


@pytest.mark.parametrize(("size", "plain_power"), [(1.0, 0.0), (2.0**-20, math.inf)])
def test_no_overflow_in_high_dimension(size: float, plain_power: float) -> None:
    X, labels = blobs(dimension=500)
    with np.errstate(over="ignore", under="ignore"):
        assert definition.squared_distances(size * X[:2])[0, 1] ** np.float64(-500) == plain_power
    score = dbcv_score(size * X, labels)
    assert score == dbcv_score(X, labels)
    assert 0 < abs(score) < 1


def test_clusters_that_share_their_places() -> None:
    """Identical points of two clusters are two points: 0 apart, but each with its own core."""
    random = np.random.default_rng(3)
    places = random.integers(0, 5, (40, 2)).astype(float)
    X, labels = np.vstack([places, places, places + 9]), np.repeat([0, 1, 2], 40)
    assert is_decided(X, labels)
    assert_agrees(X, labels, "coordinates")


# --- other metrics ------------------------------------------------------------------------------


def largest_difference(x: zoo.Points, z: zoo.Points) -> float:
    """Return the Chebyshev distance, as a function of the user's own."""
    return float(np.abs(x - z).max())


# Names in SciPy of the metrics whose distances both sides compute alike, to the last bit.
METRICS: dict[str, Any] = {"cityblock": "cityblock", "chebyshev": largest_difference}


def assert_of_distances(
    X: zoo.Points, case: zoo.Case, distances: zoo.Points, **options: Any
) -> None:
    """Assert that a metric, or distances, give what the definition makes of the distances."""
    n_features = options["n_features"] if "n_features" in options else case.points.shape[1]
    assume(are_decided(distances, case.labels, n_features, exact=True))
    found = score_of(X, case.labels, **options)
    del options["metric"]
    points = None if "n_features" in options else case.points
    expected = definition.dbcv_score(points, case.labels, distances=distances, **options)
    assert found == pytest.approx(expected, rel=0, abs=TOLERANCE)


@pytest.mark.small
@pytest.mark.parametrize("name", METRICS)
@zoo.examples(120)
@given(case=zoo.cases(least=2, most=25), ties=some_ties)
def test_other_metrics_agree_with_the_definition(name: str, ties: str, case: zoo.Case) -> None:
    distances = cdist(case.points, case.points, name)
    assert_of_distances(case.points, case, distances, ties=ties, metric=METRICS[name])


@pytest.mark.small
@zoo.examples(200)
@given(case=zoo.cases(least=2, most=25), ties=some_ties, n_features=st.integers(1, 5))
def test_distances_without_points(ties: str, case: zoo.Case, n_features: int) -> None:
    distances = cdist(case.points, case.points, "cityblock")
    options = {"ties": ties, "n_features": n_features, "metric": "precomputed"}
    assert_of_distances(distances, case, distances, **options)


@pytest.mark.small
@zoo.examples(200)
@given(case=zoo.cases(least=2, most=25), ties=some_ties)
def test_plain_distances_agree_with_the_definition(ties: str, case: zoo.Case) -> None:
    assume(is_decided(case.points, case.labels))
    distances = np.sqrt(definition.squared_distances(case.points))
    assert_of_distances(case.points, case, distances, ties=ties, metric="euclidean")


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("dimension", [2, 3, 8])
def test_cosine_agrees_with_the_definition(dimension: int, ties: str) -> None:
    X, labels = blobs(dimension)
    X, labels = X[::2] + 3.0, labels[::2]
    unit = X / np.sqrt((X * X).sum(axis=1, keepdims=True))
    distances = definition.squared_distances(unit) / 2
    found = score_of(X, labels, ties=ties, metric="cosine")
    expected = definition.dbcv_score(X, labels, ties=ties, distances=distances)
    assert found == pytest.approx(expected, rel=0, abs=1e-10)


@pytest.mark.small
def test_cosine_takes_equal_directions_for_copies() -> None:
    angles = np.array([0.1, 0.1, 0.2, 0.3, 1.1, 1.1, 1.2, 1.3])
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    sizes = np.array([1.0, 3.0, 7.0, 0.1, 1.0, 5.0, 9.0, 0.3])[:, np.newaxis]
    labels = [0, 0, 0, 0, 1, 1, 1, 1]
    found = dbcv_score(sizes * directions, labels, metric="cosine")
    assert found == pytest.approx(dbcv_score(directions, labels, metric="cosine"), abs=TOLERANCE)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "cosine", "canberra", "seuclidean"])
def test_order_of_rows_for_other_metrics(metric: str) -> None:
    X, labels = blobs()
    X = np.round(X, 1) + 0.5
    for ties in ("coordinates", "distances"):
        assert shuffles_agree(X, labels, 4, ties=ties, metric=metric)


def test_order_of_rows_of_distances_without_ties() -> None:
    X, labels = blobs()
    options: dict[str, Any] = {"metric": "precomputed", "n_features": 2}
    expected = dbcv_score(cdist(X, X), labels, **options)
    order = np.random.default_rng(3).permutation(len(X))
    assert dbcv_score(cdist(X[order], X[order]), labels[order], **options) == expected


@pytest.mark.parametrize("ties", TIES)
def test_rows_of_distances_give_what_points_give(ties: str) -> None:
    """Both ways to compute DBCV, on data full of copies and ties."""
    random = np.random.default_rng(2)
    X = random.integers(0, 6, (80, 2)).astype(float)
    labels = random.integers(-1, 3, len(X))
    by_rows = {
        "euclidean": score_of(X, labels, ties=ties, metric="minkowski", metric_params={"p": 2.0}),
        "sqeuclidean": score_of(
            X, labels, ties=ties, metric=lambda x, z: float(((x - z) ** 2).sum())
        ),
    }
    for metric, found in by_rows.items():
        expected = score_of(X, labels, ties=ties, metric=metric)
        assert found == pytest.approx(expected, rel=0, abs=TOLERANCE)


@pytest.mark.small
def test_number_of_features() -> None:
    X, labels = zoo.POINTS["grid"], zoo.many_labels(42)
    flat = np.column_stack([X, np.zeros(len(X))])
    assert dbcv_score(flat, labels) != dbcv_score(X, labels)
    assert dbcv_score(flat, labels, n_features=2) == dbcv_score(X, labels)
    expected = definition.dbcv_score(X, labels, n_features=5)
    assert dbcv_score(X, labels, n_features=5) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.small
def test_distances_do_not_tell_the_number_of_features() -> None:
    distances, labels = np.ones((4, 4)) - np.eye(4), [0, 0, 1, 1]
    message = "n_features of dbcv_score must be given for the metric 'precomputed'"
    with pytest.raises(InvalidInputError, match=message):
        dbcv_score(distances, labels, metric="precomputed")
    evaluation = evaluate(distances, labels, ["disco", "dbcv"], min_points=2, metric="precomputed")
    assert evaluation["disco"] is not None
    assert "number of features" in str(evaluation.values[1].reason)
    own = {"dbcv": {"n_features": 2}}
    found = evaluate(distances, labels, "dbcv", metric="precomputed", parameters=own)["dbcv"]
    assert found == dbcv_score(distances, labels, metric="precomputed", n_features=2)


@pytest.mark.small
def test_a_wrong_distance_is_named_by_its_rows() -> None:
    def no_distance(x: zoo.Points, z: zoo.Points) -> float:
        return -1.0 if {float(x[0]), float(z[0])} == {3.0, 5.0} else abs(float(x[0] - z[0]))

    X, labels = np.arange(6.0).reshape(-1, 1), [0, 1, 0, 1, 0, 1]
    with pytest.raises(InvalidInputError, match=r"between rows 3 and 5 it gave -1\.0"):
        dbcv_score(X, labels, metric=no_distance)


@pytest.mark.small
def test_evaluate_takes_the_definition_unless_told_otherwise() -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    assert evaluate(X, labels, "dbcv")["dbcv"] == dbcv_score(X, labels)
    for metric in ("euclidean", "cityblock"):
        found = evaluate(X, labels, "dbcv", metric=metric)["dbcv"]
        assert found == dbcv_score(X, labels, metric=metric)


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, 0.857574140050071),
        (2, 0.810334358909311),
        (3, 0.631879697008377),
        (4, 0.868775827633395),
    ],
)
def test_the_authors_values(shared: Path, number: int, expected: float) -> None:
    table = np.loadtxt(shared / "data" / "dbcv_authors" / f"dataset_{number}.txt")
    score = dbcv_score(table[:, :-1], table[:, -1], ties="rows")
    assert score == pytest.approx(expected, rel=0, abs=1e-12)


# 3-spiral by truth and k-means, complex9 by truth and k-means.
KNOWN = {
    "rows": [0.538503263463, -0.935825677746, 0.314850462314, -0.865505824106],
    "coordinates": [0.573821809094, -0.946593282121, 0.321088719042, -0.857912811269],
    "distances": [0.5385032635, -0.9668432117, -0.1413816357, -0.8851865923],
}


@pytest.mark.parametrize("ties", TIES)
def test_known_values(shared: Path, ties: str) -> None:
    found = [score_of(*column, ties=ties) for column in table_2(shared).values()]
    assert found == pytest.approx(KNOWN[ties], rel=0, abs=1e-9)


# --- promises -----------------------------------------------------------------------------------


def shuffles_agree(X: zoo.Points, labels: Any, n_shuffles: int, **options: Any) -> bool:
    expected = score_of(X, labels, **options)
    random = np.random.default_rng(5)
    orders = (random.permutation(len(X)) for _ in range(n_shuffles))
    return all(
        score_of(X[order], np.asarray(labels)[order], **options) == expected for order in orders
    )


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_order_of_rows(case: zoo.Case) -> None:
    assert shuffles_agree(case.points, case.labels, 2)


def test_order_of_rows_in_the_zoo() -> None:
    for name, X in zoo.POINTS.items():
        assert shuffles_agree(X, zoo.many_labels(len(X)), 10), name


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_order_of_rows_of_symmetric_data(dimension: int) -> None:
    """Mirrored points have equal core distances only if sums do not depend on the order."""
    random = np.random.default_rng(dimension)
    half = random.normal(size=(60, dimension))
    mirrored = np.vstack([half, -half])
    X = np.vstack([mirrored, mirrored + 8.0, mirrored[:30]])
    labels = np.repeat([0, 1, 0], [120, 120, 30])
    assert shuffles_agree(X, labels, 30)


def test_order_of_rows_of_published_data(shared: Path) -> None:
    for kind in ("truth", "k-means"):
        X, labels = table_2(shared)[f"complex9, {kind}"]
        assert shuffles_agree(X, labels, 4)


def in_sorted_order(X: zoo.Points, labels: zoo.Codes) -> tuple[zoo.Points, zoo.Codes]:
    """Return the rows by their first feature, then by the second, and so on."""
    order = sorted(range(len(X)), key=lambda row: (X[row] + 0.0).tolist())
    return X[order], labels[order]


@pytest.mark.small
@zoo.examples(300)
@given(case=zoo.cases(), seed=st.integers(0, 2**32 - 1))
def test_any_order_gives_the_authors_value_of_the_sorted_rows(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    expected = dbcv_score(*in_sorted_order(case.points, case.labels), ties="rows")
    assert dbcv_score(case.points[order], case.labels[order]) == expected


@pytest.mark.small
@zoo.examples(200)
@given(
    hnp.arrays(
        np.float64, st.tuples(st.integers(4, 24), st.integers(1, 3)), elements=SMALL_NUMBERS
    ),
    st.integers(0, 2**32 - 1),
)
def test_signs_of_zeros_have_no_influence(points: zoo.Points, seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(-1, 3, len(points))
    signs = np.where(random.random(points.shape) < 0.5, -1.0, 1.0)
    signed = np.where(points == 0, np.copysign(0.0, signs), points)
    for ties in TIES:
        assert score_of(signed, labels, ties=ties) == score_of(points, labels, ties=ties)
    assert dbcv_score(signed, labels) == dbcv_score(*in_sorted_order(signed, labels), ties="rows")


# Rows of few different values: copies, and many edges of equal weight.
@pytest.mark.small
@zoo.examples(400)
@given(
    points=hnp.arrays(
        np.float64, st.tuples(st.integers(4, 24), st.integers(1, 2)), elements=SMALL_NUMBERS
    ),
    labels=st.lists(st.sampled_from([-7, -1, 0, 2**40]), min_size=24, max_size=24),
    ties=some_ties,
)
def test_copies_are_rows_of_their_own(ties: str, points: zoo.Points, labels: list[int]) -> None:
    codes = np.array(labels[: len(points)])
    assume(is_decided(points, codes))
    assert_agrees(points, codes, ties)


@pytest.mark.parametrize("name", SMALL_SETS)
def test_shuffles_of_data_sets_give_the_authors_value_of_the_sorted_rows(
    shared: Path, name: str
) -> None:
    X, labels = load(shared, name)
    order = np.random.default_rng(1).permutation(len(X))
    sorted_rows = np.lexsort(X.T[::-1])
    expected = dbcv_score(X[sorted_rows], labels[sorted_rows], ties="rows")
    assert dbcv_score(X[order], labels[order]) == expected


@pytest.mark.parametrize("name", AMONG_SHUFFLES)
def test_the_value_lies_among_those_of_the_authors_over_shuffles(shared: Path, name: str) -> None:
    X, labels = load(shared, name)
    random = np.random.default_rng(0)
    orders = [random.permutation(len(X)) for _ in range(40)]
    over_shuffles = [dbcv_score(X[order], labels[order], ties="rows") for order in orders]
    assert min(over_shuffles) <= dbcv_score(X, labels) <= max(over_shuffles)


def test_the_authors_tree_depends_on_the_order(shared: Path) -> None:
    X, labels = table_2(shared)["complex9, truth"]
    found = dbcv_score(X[::-1], labels[::-1], ties="rows")
    assert abs(found - dbcv_score(X, labels, ties="rows")) > 0.01


@pytest.mark.parametrize("ties", TIES)
def test_number_of_threads(ties: str) -> None:
    random = np.random.default_rng(1)
    X = np.round(random.normal(size=(3000, 2)), 1)
    labels = random.integers(-1, 9, len(X))
    assert len({score_of(X, labels, ties=ties, n_jobs=n_jobs) for n_jobs in (None, 2, 3)}) == 1


@pytest.mark.parametrize("ties", TIES)
def test_size_of_coordinates(ties: str) -> None:
    X, labels = zoo.POINTS["grid"], zoo.many_labels(42)
    expected = score_of(X, labels, ties=ties)
    for exponent in (-1060, -900, -300, 5, 300, 900, 1019):
        assert score_of(np.ldexp(X, exponent), labels, ties=ties) == expected, exponent


def test_long_work_goes_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    X, labels = blobs()
    expected = dbcv_score(X, labels)
    monkeypatch.setattr(dbcv_trees, "_WORK_PER_CALL", 0)
    assert dbcv_score(X, labels) == expected


@pytest.mark.parametrize(
    ("metric", "n_points", "limit"),
    # For other metrics a block of rows, a few times, but no matrix of all 72 MB.
    [("sqeuclidean", 5000, 2.5e6), ("cityblock", 3000, 40e6)],
)
def test_memory_is_linear(metric: str, n_points: int, limit: float) -> None:
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(n_points, 2)), random.integers(0, 2, n_points)
    dbcv_score(X[:100], labels[:100], metric=metric)
    tracemalloc.start()
    dbcv_score(X, labels, metric=metric)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < limit


@pytest.mark.small
@pytest.mark.parametrize("ties", ["Rows", "", "distances", None, True])
@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [-1] * 4])
def test_unknown_ties(ties: Any, labels: list[int]) -> None:
    with pytest.raises(InvalidInputError, match="ties of dbcv_score must be one of 'coordinates'"):
        dbcv_score([[0], [1], [5], [6]], labels, ties=ties)
    with pytest.raises(InvalidInputError, match="ties of dbcv in evaluate must be one of"):
        evaluate([[0], [1], [5], [6]], labels, "dbcv", parameters={"dbcv": {"ties": ties}})


@pytest.mark.parametrize("n_features", [0, -1, 2**31, 2**63, 10**400])
def test_numbers_of_features_that_no_array_has_are_refused(n_features: int) -> None:
    X = np.random.default_rng(0).normal(size=(24, 2))
    labels = np.arange(24) % 2
    rule = r"must be an integer from 1 to 2147483647; got"
    with pytest.raises(InvalidInputError, match=f"n_features of dbcv_score {rule}"):
        dbcv_score(X, labels, n_features=n_features)
    with pytest.raises(InvalidInputError, match=f"n_features of dbcv in evaluate {rule}"):
        evaluate(X, labels, "dbcv", parameters={"dbcv": {"n_features": n_features}})


def test_as_many_features_as_an_array_can_have() -> None:
    X = np.random.default_rng(0).normal(size=(24, 2))
    assert -1 <= dbcv_score(X, np.arange(24) % 2, n_features=2**31 - 1) <= 1
