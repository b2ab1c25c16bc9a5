"""DBSCAN from the tree: against its definition, against scikit-learn, for any order of rows."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN

from definitions import dbscan as definition
from definitions.disco import pairwise_distances
from disco_cvi import DensityTree, InvalidInputError
from helpers import zoo
from helpers.partitions import assert_same_partition
from helpers.reference_values import GOLDEN_SETS, load

if TYPE_CHECKING:
    from pathlib import Path

BORDERS = ("nearest", "first", "noise")


def middle_distances(points: zoo.Points, most: int = 12, **metric: Any) -> list[float]:
    """Some eps in the middle between two distances, so that rounding plays no part.

    Most of them are small, as at greater ones all points are core points of one cluster.
    """
    found = np.unique(pairwise_distances(points, **metric))
    found = found[np.concatenate([[True], np.diff(found) > 1e-9 * found[1:]])]
    middles = (found[:-1] + found[1:]) / 2 if len(found) > 1 else np.array([1.0])
    chosen = np.unique((np.linspace(0, 1, most) ** 3 * (len(middles) - 1)).astype(int))
    return [float(eps) for eps in middles[chosen] if np.isfinite(eps)]


@pytest.mark.small
@zoo.examples(250)
@given(zoo.cases(most=30), st.sampled_from(BORDERS))
def test_labels_are_those_of_the_definition(case: zoo.Case, border: str) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    distances = pairwise_distances(case.points)
    for eps in middle_distances(case.points):
        expected = definition.dbscan(distances, eps, case.min_points, border, case.points)
        assert tree.dbscan(eps, border=border).tolist() == expected


@pytest.mark.small
@zoo.examples(150)
@given(zoo.cases(most=25), st.sampled_from(BORDERS))
def test_an_eps_that_is_a_distance_counts(case: zoo.Case, border: str) -> None:
    """Up to three features our distances have the bits of the definition, ties included."""
    points = case.points[:, :3]
    tree = DensityTree(points, min_points=case.min_points)
    distances = pairwise_distances(points)
    for eps in np.unique(distances)[:8].tolist():
        expected = definition.dbscan(distances, eps, case.min_points, border, points)
        assert tree.dbscan(eps, border=border).tolist() == expected


def test_first_is_scikit_learn_to_the_last_label() -> None:
    for seed in range(30):
        random = np.random.default_rng(seed)
        n_points, dimension = int(random.integers(20, 120)), int(random.integers(1, 5))
        points = random.normal(size=(n_points, dimension))
        if seed % 3 == 1:
            points = np.round(points, 1)
        if seed % 3 == 2:
            points = points[random.integers(n_points, size=n_points)]
        for min_points in (1, 2, 3, 5, 8):
            tree = DensityTree(points, min_points=min_points)
            for eps in middle_distances(points, 6):
                theirs = DBSCAN(eps=eps, min_samples=min_points).fit_predict(points)
                assert tree.dbscan(eps, border="first").tolist() == theirs.tolist()


def test_first_is_scikit_learn_on_known_sets(shared: Path) -> None:
    for name in GOLDEN_SETS:
        points = load(shared, name)[0][:2000]
        tree = DensityTree(points, min_points=5)
        path = tree.eps_path()
        for share in (0.02, 0.3, 0.8):
            chosen = path[int(share * len(path))]
            theirs = DBSCAN(eps=chosen.eps, min_samples=5).fit_predict(points)
            assert tree.dbscan(chosen.eps, border="first").tolist() == theirs.tolist(), name


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(), st.integers(0, 2**32 - 1))
def test_nearest_is_blind_to_the_order_of_rows(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    tree = DensityTree(case.points, min_points=case.min_points)
    shuffled = DensityTree(case.points[order], min_points=case.min_points)
    for eps in np.unique(tree.heights)[::3].tolist():
        assert_same_partition(shuffled.dbscan(eps), tree.dbscan(eps)[order])


def between_two_groups(direction: list[float], steps: list[float]) -> zoo.Points:
    """Return the origin and two groups that begin equally far from it on opposite sides.

    The first goes on in the direction in steps of 0.1, the second one in those given.
    """
    first = [1.0, 1.1, 1.2, 1.3]
    reach = zoo.column(0.0, *first, -1.0, *(-1.0 - step for step in steps))
    return np.asarray(reach * np.array(direction))


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize(
    ("direction", "steps", "expected"),
    [
        ([1.0], [0.2, 0.4, 0.6], 0),  # smaller core distances
        ([-1.0], [0.2, 0.4, 0.6], 0),
        ([1.0], [0.01, 0.02, 0.03], 1),
        ([1.0], [0.1, 0.2, 0.3], 1),  # as large ones, but smaller coordinates
        ([-1.0], [0.1, 0.2, 0.3], 0),
        ([1.0, -1.0], [0.1, 0.2, 0.3], 1),  # the first feature counts before the second
        ([-1.0, 1.0], [0.1, 0.2, 0.3], 0),
        ([0.0, 1.0], [0.1, 0.2, 0.3], 1),
    ],
)
def test_equally_near_core_points(
    direction: list[float], steps: list[float], expected: int, metric: str
) -> None:
    points = between_two_groups(direction, steps)
    tree = DensityTree(points, min_points=4, metric=metric)
    # So far are the two groups from the origin, which is no core point.
    eps = float(np.linalg.norm(direction, 2 if metric == "euclidean" else 1))
    assert tree.dbscan(eps, border="noise").tolist() == [-1] + [0] * 4 + [1] * 4
    assert tree.dbscan(eps).tolist() == [expected] + [0] * 4 + [1] * 4
    backwards = DensityTree(points[::-1], min_points=4, metric=metric)
    assert_same_partition(backwards.dbscan(eps)[::-1], tree.dbscan(eps))
    assert tree.dbscan(eps, border="first")[0] == 0
    assert backwards.dbscan(eps, border="first").tolist() == [0] * 4 + [1] * 4 + [0]


# --- metrics ------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    "metric", ["sqeuclidean", "manhattan", "cosine", "chebyshev", "precomputed"]
)
def test_other_metrics(metric: str) -> None:
    points = zoo.POINTS["blobs"][:60] + 3.0
    is_matrix = metric == "precomputed"
    options: dict[str, Any] = {"metric": "euclidean" if is_matrix else metric}
    distances = pairwise_distances(points, **options)
    tree = DensityTree(distances if is_matrix else points, min_points=4, metric=metric)
    for border in BORDERS:
        for eps in middle_distances(points, **options):
            given = () if is_matrix else (points,)
            expected = definition.dbscan(distances, eps, 4, border, *given)
            assert tree.dbscan(eps, border=border).tolist() == expected


@pytest.mark.small
@zoo.examples(60)
@given(zoo.cases(), st.integers(0, 2**32 - 1))
def test_manhattan_is_blind_to_the_order_of_rows(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    options: dict[str, Any] = {"min_points": case.min_points, "metric": "manhattan"}
    tree, shuffled = DensityTree(case.points, **options), DensityTree(case.points[order], **options)
    for eps in np.unique(tree.heights)[::3].tolist():
        assert_same_partition(shuffled.dbscan(eps), tree.dbscan(eps)[order])


# --- who is near whom ---------------------------------------------------------------------------


def blobs(n_points: int = 400) -> NDArray[np.float64]:
    random = np.random.default_rng(0)
    return random.normal(size=(n_points, 2)) + 6 * random.integers(3, size=(n_points, 1))


@pytest.mark.parametrize("min_points", [17, 40])
def test_many_neighbors_are_searched_when_they_are_needed(min_points: int) -> None:
    points = blobs()
    tree = DensityTree(points, min_points=min_points)
    for eps in (0.7, 1.1):
        theirs = DBSCAN(eps=eps, min_samples=min_points).fit_predict(points)
        assert tree.dbscan(eps, border="first").tolist() == theirs.tolist()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_a_loaded_tree_takes_the_points(tmp_path: Path, metric: str) -> None:
    points = blobs()
    tree = DensityTree(points, min_points=5, metric=metric)
    tree.save(tmp_path / "tree.npz")
    loaded = DensityTree.load(tmp_path / "tree.npz")
    expected = tree.dbscan(0.5).tolist()
    assert loaded.dbscan(0.5, border="noise").tolist() == tree.dbscan(0.5, border="noise").tolist()
    with pytest.raises(InvalidInputError, match=r"X of dbscan must be given: .* border='noise'"):
        loaded.dbscan(0.5)
    with pytest.raises(InvalidInputError, match="be the 400 points of the tree; got 399 points"):
        loaded.dbscan(0.5, X=points[1:])
    with pytest.raises(InvalidInputError, match="got points with other core distances"):
        loaded.dbscan(0.5, X=points[::-1])
    assert loaded.dbscan(0.5, X=points).tolist() == expected
    assert loaded.dbscan(0.5).tolist() == expected


def test_the_file_of_a_tree_holds_no_function(tmp_path: Path) -> None:
    def city_block(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
        return float(np.abs(x - y).sum())

    points = blobs(20)
    DensityTree(points, metric=city_block).save(tmp_path / "tree.npz")
    loaded = DensityTree.load(tmp_path / "tree.npz")
    assert loaded.dbscan(9.0, border="noise").max() == 0
    words = (
        r"border of dbscan must be 'noise' .* metric, 'function city_block'\. Build the tree again"
    )
    with pytest.raises(InvalidInputError, match=words):
        loaded.dbscan(9.0, X=points)


@pytest.mark.parametrize("scale", [1 - 1e-13, 1 + 1e-7])
def test_core_distances_of_other_programs_may_be_rounded(scale: float) -> None:
    points = blobs()
    tree = DensityTree(points)
    line, core = tree.parts.line, tree.core_distances * scale
    heights = tree.parts.in_units(line.joins[1:]) * scale
    edges = (line.leaves[:-1], line.leaves[1:], heights, core)
    other = DensityTree.from_spanning_tree(*edges, min_points=5)
    with pytest.raises(InvalidInputError, match="got points with other core distances"):
        other.dbscan(0.5, X=points * (1 + 1e-4))
    for eps in (0.2, 0.5):
        assert other.dbscan(eps, X=points).tolist() == tree.dbscan(eps).tolist()


def test_a_pickled_tree_knows_its_neighbors() -> None:
    tree = DensityTree(blobs())
    copied: DensityTree = pickle.loads(pickle.dumps(tree))
    assert copied.dbscan(0.5).tolist() == tree.dbscan(0.5).tolist()


@pytest.mark.parametrize("min_points", [256, 257])
def test_a_row_metric_with_very_many_neighbors_takes_the_points(min_points: int) -> None:
    points = blobs()
    tree = DensityTree(points, min_points=min_points, metric="manhattan")
    theirs = DBSCAN(eps=12.0, min_samples=min_points, metric="manhattan").fit_predict(points)
    assert (theirs >= 0).any()
    given = {} if min_points == 256 else {"X": points}
    if given:
        with pytest.raises(InvalidInputError, match="X of dbscan must be given"):
            tree.dbscan(12.0)
    assert tree.dbscan(12.0, border="first", **given).tolist() == theirs.tolist()


def test_where_all_points_are_core_points_nobody_asks_for_neighbors(tmp_path: Path) -> None:
    tree = DensityTree(blobs(), min_points=1)
    tree.save(tmp_path / "tree.npz")
    loaded = DensityTree.load(tmp_path / "tree.npz")
    assert loaded.dbscan(0.5).tolist() == tree.dbscan(0.5).tolist()


# --- edges and errors ---------------------------------------------------------------------------


@pytest.mark.small
def test_edges() -> None:
    assert DensityTree([[1.0]], min_points=1).dbscan(0).tolist() == [0]
    same = DensityTree([[1.0]] * 4, min_points=3)
    assert same.dbscan(0).tolist() == [0] * 4
    far = DensityTree([[0.0], [1e300], [2e300]], min_points=2)
    assert far.dbscan(1e308).tolist() == [0, 0, 0]
    assert far.dbscan(1.0).tolist() == [-1, -1, -1]
    near = DensityTree([[0.0], [1e-300], [3e-300]], min_points=2)
    assert near.dbscan(1.5e-300).tolist() == [0, 0, -1]


@pytest.mark.small
@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"eps": -1.0}, ValueError, "eps of dbscan must be a finite number of at least 0; got -1"),
        ({"eps": float("nan")}, ValueError, "eps of dbscan must be a finite number"),
        ({"eps": "0.5"}, TypeError, "eps of dbscan must be a finite number"),
        ({"eps": 1.0, "border": "none"}, ValueError, "border of dbscan must be one of 'nearest'"),
    ],
)
def test_errors(options: dict[str, Any], kind: type[Exception], words: str) -> None:
    tree = DensityTree(zoo.column(0.0, 1, 2), min_points=2)
    with pytest.raises(kind, match=words):
        tree.dbscan(**options)


@pytest.mark.small
@zoo.examples(100)
@given(zoo.cases(least=2))
def test_eps_for_clusters_gives_that_many(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    path = tree.eps_path()
    for k in np.unique(path.n_clusters[path.n_clusters > 0]).tolist():
        eps = tree.eps_for_clusters(k)
        assert tree.dbscan(eps).max() + 1 == k
        assert path.score[path.eps <= eps][0] == path.score[path.n_clusters == k].max()


@pytest.mark.small
def test_eps_for_clusters_takes_the_better_of_two_stretches() -> None:
    """Two groups together and a pair far off, or the two groups alone: both are two clusters."""
    tree = DensityTree(zoo.column(0, 1, 2, 3, 8, 9, 10, 11, 40, 60), min_points=2)
    assert [row.low for row in tree.eps_path() if row.n_clusters == 2] == [20, 1]
    assert tree.eps_for_clusters(2) == 3


@pytest.mark.small
def test_eps_for_clusters_says_which_numbers_there_are() -> None:
    tree = DensityTree(zoo.column(0.0, 1, 10, 11), min_points=2)
    with pytest.raises(
        InvalidInputError, match=r"k of eps_for_clusters .*at some eps: 1, 2; got 3"
    ):
        tree.eps_for_clusters(3)
    many = DensityTree(np.arange(30.0).reshape(-1, 1) ** 2, min_points=1)
    with pytest.raises(
        InvalidInputError, match=r"1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\. 30; got 31"
    ):
        many.eps_for_clusters(31)
