"""The paths: against labels and scores one by one, for any order of rows; best and stretch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree, InvalidInputError, disco_score, pair_score
from disco_cvi.density_tree.eps_scores import sum_noise_lack
from disco_cvi.density_tree.paths import EpsPath, SizePath
from helpers import zoo
from helpers.partitions import assert_same_partition
from helpers.reference_values import load

if TYPE_CHECKING:
    from pathlib import Path

# Scores are sums of about n numbers of at most 1, in another order than those of the indices.
TOLERANCE = 1e-12


def assert_scores(tree: DensityTree, labels: zoo.Codes, path: EpsPath | SizePath, row: int) -> None:
    assert path.n_clusters[row] == labels.max() + 1
    assert path.noise_share[row] == (labels < 0).mean()
    assert path.disco[row] == pytest.approx(disco_score(tree, labels), abs=TOLERANCE)
    assert path.score[row] == pytest.approx(pair_score(tree, labels), abs=TOLERANCE)


# --- eps ----------------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(250)
@given(zoo.cases())
def test_every_eps_has_the_scores_of_its_labels(case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    path = tree.eps_path()
    assert (np.diff(path.eps) < 0).all()
    assert path.eps[-1] == 0
    assert (path.score[path.n_clusters < 2] == 0).all()
    for row, eps in enumerate(path.eps.tolist()):
        assert_scores(tree, tree.dbscan(eps, border="noise"), path, row)


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_no_change_of_the_clusters_is_missed(case: zoo.Case) -> None:
    """The clusters are those of the row up to the eps of the row before."""
    tree = DensityTree(case.points, min_points=case.min_points)
    path = tree.eps_path()
    for row, choice in enumerate(path):
        at = tree.dbscan(choice.low, border="noise")
        assert tree.dbscan(choice.eps, border="noise").tolist() == at.tolist()
        if row > 0:
            below = float(np.nextafter(choice.high, 0))
            assert tree.dbscan(below, border="noise").tolist() == at.tolist()
            above = tree.dbscan(choice.high, border="noise")
            assert above.tolist() != at.tolist()


def assert_same_bits(first: EpsPath | SizePath, second: EpsPath | SizePath) -> None:
    for name in ("score", "disco", "n_clusters", "noise_share"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    assert first.best == second.best
    assert first.steady == second.steady
    assert first.stretch() == second.stretch()


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases(), st.integers(0, 2**32 - 1))
def test_paths_keep_their_bits_when_rows_are_shuffled(case: zoo.Case, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    tree = DensityTree(case.points, min_points=case.min_points)
    shuffled = DensityTree(case.points[order], min_points=case.min_points)
    assert_same_bits(tree.eps_path(), shuffled.eps_path())
    for method in ("eom", "leaf"):
        assert_same_bits(tree.size_path(method=method), shuffled.size_path(method=method))


@pytest.mark.parametrize("name", ["complex8", "cluto-t8-8k"])
def test_paths_of_known_sets_keep_their_bits(shared: Path, name: str) -> None:
    X, _ = load(shared, name)
    random = np.random.default_rng(0)
    tree = DensityTree(X)
    for _ in range(4):
        shuffled = DensityTree(X[random.permutation(len(X))])
        assert_same_bits(tree.eps_path(), shuffled.eps_path())
        assert_same_bits(tree.size_path(), shuffled.size_path())


@pytest.mark.small
@pytest.mark.parametrize("seed", range(5))
def test_distances_as_small_as_numbers_go(seed: int) -> None:
    """Beside a distance of 1, inverses of the others are at the end of what numbers can hold."""
    random = np.random.default_rng(seed)
    small = np.sort(random.integers(1, 90, 40)) * 1e-307
    tree = DensityTree(np.append(small, 1.0).reshape(-1, 1), min_points=3, metric="manhattan")
    path = tree.eps_path()
    for row in range(len(path)):
        assert_scores(tree, tree.dbscan(path[row].low, border="noise"), path, row)
    sizes = tree.size_path()
    for row in range(len(sizes)):
        assert_scores(tree, tree.hdbscan(sizes[row].low), sizes, row)


@pytest.mark.small
def test_what_noise_lacks_beside_core_distances_far_smaller_than_its_own() -> None:
    rising = np.array([0.0, 2.0**-1000, 2.0**-601, 0.5, 1.0])
    expected = [rising[i - 1] * (1 / rising[i:]).sum() for i in range(2, 6)]
    assert sum_noise_lack(rising).tolist() == [0.0, 0.0, *expected]


def test_a_large_path_has_the_scores_of_its_labels() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(8000, 2)) + 5 * random.integers(4, size=(8000, 1))
    tree = DensityTree(np.round(X, 3))
    path = tree.eps_path()
    for row in range(0, len(path), len(path) // 40):
        assert_scores(tree, tree.dbscan(path[row].eps, border="noise"), path, row)
    sizes = tree.size_path()
    for row in range(len(sizes)):
        assert_scores(tree, tree.hdbscan(sizes[row].high), sizes, row)


# --- min_cluster_size ---------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("method", ["eom", "leaf"])
@zoo.examples(120)
@given(case=zoo.cases())
def test_every_size_has_the_scores_of_its_labels(method: str, case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    path = tree.size_path(method=method)
    assert path.min_cluster_size[0] == 2
    row = 0
    before = None
    for size in range(2, tree.n_points + 2):
        labels = tree.hdbscan(size, method=method)
        if row + 1 < len(path) and path.min_cluster_size[row + 1] == size:
            row += 1
            assert before is not None
            assert before.tolist() != labels.tolist()
        elif before is not None:
            assert_same_partition(labels, before)
        assert_scores(tree, labels, path, row)
        before = labels
    assert row == len(path) - 1


@pytest.mark.small
@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_a_third_group_of_one_height_begins_at_its_own_size(method: str) -> None:
    """Groups of 6, 5 and 3 points meet at one height: no new node parts where the third begins."""
    X = zoo.column(0, 1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 29, 30, 31)
    path = DensityTree(X, min_points=1).size_path(method)
    assert [(row.low, row.high, row.n_clusters) for row in path] == [
        (2, 3, 3),
        (4, 5, 2),
        (6, 14, 0),
    ]


# --- best, stretch, frames ----------------------------------------------------------------------


def make_path(scores: list[float], clusters: list[int], noise: list[float]) -> EpsPath:
    return EpsPath(
        eps=np.arange(len(scores), 0, -1.0) - 1,
        score=np.array(scores),
        disco=np.zeros(len(scores)),
        n_clusters=np.array(clusters),
        noise_share=np.array(noise),
    )


@pytest.mark.small
def test_ties_go_to_fewer_clusters_then_to_less_noise_then_to_the_greater_eps() -> None:
    path = make_path([0, 0.5, 0.5, 0.5, 0.5, 0], [1, 3, 2, 2, 2, 0], [0, 0, 0.2, 0.1, 0.1, 1])
    assert path.best == path[3]
    nothing = make_path([0, 0, 0], [1, 1, 0], [0, 0.5, 1])
    assert nothing.best == nothing[0]
    assert nothing.stretch() == (2.0, np.inf)


@pytest.mark.small
def test_the_stretch_ends_where_the_score_falls_below_its_share() -> None:
    path = make_path([0, 0.96, 0.94, 0.96, 1, 0.95, 0.94, 1], [1] + [2] * 6 + [3], [0] * 8)
    assert path.best == path[4]
    assert path.stretch(0.95) == (2.0, 5.0)
    assert path.stretch(0.5) == (0.0, 7.0)
    assert path.stretch(1) == (3.0, 4.0)
    assert (path.best.low, path.best.eps, path.best.high) == (3.0, 3.5, 4.0)
    with pytest.raises(InvalidInputError, match="share of stretch must be a finite number above 0"):
        path.stretch(0)


@pytest.mark.small
def test_the_steady_row_has_the_number_of_clusters_that_holds_longest() -> None:
    path = make_path([0, 1, 0.96, 0.97, 0.96, 0.5, 0.98], [1, 4, 3, 3, 2, 3, 3], [0] * 7)
    assert path.best == path[1]
    assert path.steady == path[3]
    tie = make_path([0, 1, 0.96, 0.5, 0], [1, 4, 3, 3, 0], [0] * 5)
    assert tie.steady == tie[2]
    nothing = make_path([0, 0, 0], [1, 1, 0], [0, 0.5, 1])
    assert nothing.steady == nothing.best
    sizes = SizePath(
        min_cluster_size=np.array([2, 3, 9, 12]),
        score=np.array([1, 0.96, 0.97, 0]),
        disco=np.zeros(4),
        n_clusters=np.array([5, 4, 3, 0]),
        noise_share=np.zeros(4),
        n_points=20,
        method="eom",
    )
    assert sizes.steady == sizes[1]


@pytest.mark.small
def test_the_last_row_of_sizes_holds_up_to_all_points() -> None:
    sizes = SizePath(
        min_cluster_size=np.array([2, 5, 9]),
        score=np.array([1, 0.96, 0.97]),
        disco=np.zeros(3),
        n_clusters=np.array([5, 4, 3]),
        noise_share=np.zeros(3),
        n_points=13,
        method="eom",
    )
    assert (sizes[2].low, sizes[2].high) == (9, 13)
    assert sizes.steady == sizes[2]


@pytest.mark.small
def test_middles_of_stretches_that_rounding_leaves_none() -> None:
    low = 1.0
    path = EpsPath(
        eps=np.array([np.nextafter(low, 2), low]),
        score=np.zeros(2),
        disco=np.zeros(2),
        n_clusters=np.array([1, 1]),
        noise_share=np.zeros(2),
    )
    assert path[1].eps == low
    assert path[0].eps == path[0].low
    assert path[0].high == np.inf
    assert path[-2] == path[0]
    assert path[-1] == path[1]


@pytest.mark.small
def test_sizes_of_a_row() -> None:
    X = zoo.column(0.0, 1, 2, 10, 11, 13, 14.5, 50)
    path = DensityTree(X, min_points=2).size_path()
    assert [(row.low, row.high, row.n_clusters) for row in path] == [(2, 3, 2), (4, 8, 0)]
    assert path[-1] == path[1]
    assert path.stretch() == (2, 3)
    with pytest.raises(IndexError):
        path[2]


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_frames(backend: str) -> None:
    tree = DensityTree(zoo.column(0.0, 1, 2, 10, 11, 12, 40, 41), min_points=2)
    names = ["score", "disco", "n_clusters", "noise_share"]
    path = tree.eps_path()
    frame = path.to_frame(backend)
    assert list(frame.columns) == ["eps", *names]
    assert frame["eps"].to_list() == path.eps.tolist()
    assert list(tree.size_path().to_frame(backend).columns) == ["min_cluster_size", *names]


@pytest.mark.small
def test_paths_cannot_be_changed() -> None:
    path = DensityTree(zoo.column(0.0, 1, 5), min_points=2).eps_path()
    with pytest.raises(ValueError, match="read-only"):
        path.score[0] = 1


@pytest.mark.small
@pytest.mark.parametrize(("points", "min_points"), [([[1.0]], 1), ([[1.0]] * 5, 3)])
def test_one_place(points: list[list[float]], min_points: int) -> None:
    path = DensityTree(points, min_points=min_points).eps_path()
    assert path.eps.tolist() == [0]
    assert path.n_clusters.tolist() == [1]
    assert path.disco.tolist() == [0]
    sizes = DensityTree(points, min_points=min_points).size_path()
    assert sizes.n_clusters.tolist() == [0]
    assert sizes.disco.tolist() == [-1]
    assert (sizes[0].low, sizes[0].high) == (2, max(2, len(points)))


@pytest.mark.small
def test_a_card_sets_all_numbers_flush_right() -> None:
    path = DensityTree(zoo.POINTS["blobs"], min_points=2).eps_path()
    (table,) = path._card().tables
    names = list(vars(path.best))
    assert table.rows[0] == ["", *names]
    assert [row[0] for row in table.rows[1:]] == ["best", "steady"]
    assert table.right == set(range(1, 1 + len(names)))


@pytest.mark.small
def test_other_clusters_of_the_same_number_are_another_row() -> None:
    # Two groups of 6 that are near each other, and one of 5 far away: at 6 these are the clusters,
    # at 5 the third is one, too, and the others are more stable together than apart.
    places = [*range(6), *(6.5 + np.arange(6)), *(200.0 + np.arange(5))]
    tree = DensityTree(np.array(places).reshape(-1, 1), min_points=2)
    path = tree.size_path()
    assert path.min_cluster_size.tolist() == [2, 6, 7]
    assert path.n_clusters.tolist() == [2, 2, 0]
    assert path.noise_share.tolist() == [0.0, 5 / 17, 1.0]
