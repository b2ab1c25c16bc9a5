"""LCCV against its edge-case table, its definition, reference values and its promises."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from definitions import lccv as definition
from definitions.distances import squares_of
from disco_cvi._compute.kernels import kernel
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.points import Points
from disco_cvi._neighbors import distances
from disco_cvi._neighbors.kd_tree import kd_tree_of
from disco_cvi._neighbors.nearest_points import NearestPoints, list_copies, nearest_points
from disco_cvi.indices import ball_paths, lccv, lccv_copies, path_search, shortest_paths
from disco_cvi.indices.ball_paths import _is_in_ball
from disco_cvi.indices.lccv import (
    LocalCores,
    evaluate_lccv,
    judge_cores,
    lccv_score,
    local_cores,
)
from disco_cvi.indices.lccv_sums import Asked, find_densities, no_sums
from disco_cvi.indices.row_balls import find_balls
from disco_paper.datasets import two_rings
from helpers import zoo
from helpers.reference_values import load, table_2
from helpers.twins import assert_agrees

if TYPE_CHECKING:
    from pathlib import Path

# Both sides add and divide a few lengths; a wrong core, path or weight shows in the first digits.
TOLERANCE = 1e-12


def workspace(points: Any, labels: Any, n_jobs: int = 1) -> Clustering:
    return open_clustering(points, labels, noise_label=-1, n_jobs=n_jobs, caller="test")


def lccv_one_way(points: Any, labels: Any) -> float:
    return evaluate_lccv(workspace(points, labels), one_way=True)


def assert_agrees_one_way(points: zoo.Points, labels: Any) -> None:
    expected = definition.lccv_score(points, labels, paths="one way")
    assert lccv_one_way(points, labels) == pytest.approx(expected, rel=0, abs=TOLERANCE)


def labels_by_place(points: zoo.Points, n_clusters: int, noise: float, seed: int) -> zoo.Codes:
    """Return clusters that are neighborhoods of some points, with noise anywhere."""
    random = np.random.default_rng(seed)
    centers = points[random.integers(0, len(points), n_clusters)]
    nearest = ((points[:, np.newaxis] - centers) ** 2).sum(axis=2).argmin(axis=1)
    return np.where(random.random(len(points)) < noise, -1, nearest)


def steps_of(cores: LocalCores) -> NDArray[np.int32]:
    """The listed neighbors of every row."""
    assert isinstance(cores.graph, path_search.Graph)
    return cores.graph.neighbors


def longest_path(cores: LocalCores, points: Points) -> float:
    """In the units of the points; local cores have those of the search for neighbors."""
    return math.ldexp(cores.longest, nearest_points(points, 1).exponent)


@pytest.mark.small
def test_hand_worked_cores() -> None:
    points = workspace(zoo.column(2, 6, 11, 15, 20, 23, 40), [0] * 7).points
    cores = local_cores(points)
    assert cores.rows.tolist() == [1, 3, 6]
    assert cores.representatives.tolist() == [0, 0, 1, 1, 1, 1, 2]
    assert longest_path(cores, points) == 34
    assert steps_of(cores).shape == (7, 2)


@pytest.mark.small
def test_hand_worked_values_one_way() -> None:
    """As in the hand-worked values; all paths to and from the last core are as long as 6 to 15."""
    line = [2, 6, 11, 15, 20, 23, 40]
    # 6 and 15: a = 9, b = 9; 40 is alone: 0.
    assert lccv_one_way(zoo.column(*line), [0, 0, 0, 0, 0, 1, 1]) == 0
    # 6 and 40 are one cluster, 15 is alone: a = 9, b = 9.
    assert lccv_one_way(zoo.column(*line), [0, 0, 1, 1, 1, 1, 0]) == 0
    # 40 comes first: from it to 15 it is 25, to 6 34, and from 6 to 15 9, also the other way.
    # 6: a = 9, b = 34, 15: a = 9, b = 25, weights 2 and 4; 40 is alone: 0.
    found = lccv_one_way(zoo.column(40, *line[:6]), [1, 0, 0, 0, 0, 0, 1])
    assert found == pytest.approx((2 * 25 / 34 + 4 * 16 / 25) / 7, rel=2e-15)


@pytest.mark.small
def test_pairs_of_copies_are_cores() -> None:
    pairs = zoo.column(0, 0, 5, 5, 9, 9)
    assert local_cores(workspace(pairs, [0] * 6).points).rows.tolist() == [0, 2, 4]


# --- the definition -----------------------------------------------------------------------------


@zoo.examples(100)
@given(
    points=zoo.seeded_points(least=80, most=140),
    n_clusters=st.integers(2, 3),
    noise=st.sampled_from([0, 0, 0.2]),
)
def test_agrees_with_the_definition_where_clusters_have_many_cores(
    points: zoo.Points, n_clusters: int, noise: float
) -> None:
    labels = labels_by_place(points, n_clusters, noise, seed=len(points))
    assert_agrees("lccv", points, labels)
    assert_agrees_one_way(points, labels)


@zoo.examples(120)
@given(zoo.any_points(least=3, most=80))
def test_local_cores_are_those_of_the_definition(points: zoo.Points) -> None:
    checked = workspace(points, np.zeros(len(points), int)).points
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(lccv_copies, "_MANY_COPIES", len(points))
        cores = local_cores(checked)
    squares = squares_of(points)
    distances, nearest = np.sqrt(squares), definition.others_by_distance(squares)
    votes, reach = definition.natural_neighbors(nearest)
    rho = definition.densities(distances, nearest, max(votes))
    around = [[p, *nearest[p][: votes[p]]] for p in range(len(points))]
    expected = definition.representatives(distances, around, rho)
    assert cores.rows[cores.representatives].tolist() == expected
    assert steps_of(cores).shape == (len(points), reach)
    lengths = definition.path_lengths(distances, nearest, reach)[np.ix_(cores.rows, cores.rows)]
    finite = lengths[np.isfinite(lengths)]
    assert longest_path(cores, checked) == pytest.approx(finite.max(), rel=1e-14, abs=0)


def test_agrees_with_the_definition_on_named_points() -> None:
    for points in zoo.POINTS.values():
        for seed in range(4):
            labels = labels_by_place(points, 2 + seed, 0.1 * (seed % 2), seed)
            assert_agrees("lccv", points, labels)
            assert_agrees_one_way(points, labels)


def test_generated_cases_have_scores_other_than_zero() -> None:
    values = []
    for seed in range(40):
        points = np.random.default_rng(seed).normal(size=(120, 2))
        values.append(lccv_score(points, labels_by_place(points, 3, 0.1, seed)))
    assert np.mean(np.array(values) != 0) > 0.5


# --- copies -------------------------------------------------------------------------------------


def cores_of(points: zoo.Points, monkeypatch: pytest.MonkeyPatch, many: int) -> LocalCores:
    """By balls of rows if a point has more copies than `many`, by lists otherwise."""
    monkeypatch.setattr(lccv_copies, "_MANY_COPIES", many / np.cbrt(len(points)))
    return local_cores(workspace(points, np.zeros(len(points), int)).points)


def assert_same_cores(balls: LocalCores, lists: LocalCores) -> None:
    """Few cores make no difference to a score, however few they are."""
    if len(balls.rows) < lccv_copies.LEAST_CORES:
        assert set(lists.rows.tolist()) <= set(balls.rows.tolist())
        return
    assert balls.rows.tolist() == lists.rows.tolist()
    if len(lists.rows) >= lccv_copies.LEAST_CORES:
        assert balls.longest == lists.longest
        assert balls.representatives.tolist() == lists.representatives.tolist()


def repeated(points: zoo.Points, seed: int) -> zoo.Points:
    """Some points in the places of others: a few of them have many copies."""
    random = np.random.default_rng(seed)
    chosen = np.arange(len(points))
    for _ in range(int(random.integers(1, 4))):
        moved = random.random(len(points)) < random.choice([0.1, 0.3, 0.6])
        chosen[moved] = random.integers(len(points))
    return points[chosen]


@zoo.examples(200)
@given(points=zoo.any_points(least=3, most=80), seed=st.integers(0, 2**32 - 1))
def test_balls_of_rows_choose_the_cores_that_lists_choose(points: zoo.Points, seed: int) -> None:
    points = repeated(points, seed)
    labels = labels_by_place(points, 3, 0.1, seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        lists = cores_of(points, monkeypatch, len(points))
        expected = [lccv_score(points, labels), lccv_one_way(points, labels)]
        balls = cores_of(points, monkeypatch, 0)
        found = [lccv_score(points, labels), lccv_one_way(points, labels)]
    assert_same_cores(balls, lists)
    assert found == expected


@pytest.mark.small
@zoo.examples(100)
@given(case=zoo.cases(least=3))
def test_balls_of_rows_agree_with_the_definition(case: zoo.Case) -> None:
    points = repeated(case.points, len(case.points))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(lccv_copies, "_MANY_COPIES", 0)
        assert_agrees("lccv", points, case.labels)
        assert_agrees_one_way(points, case.labels)


def lattice_with_copies(n_points: int, dimension: int) -> zoo.Points:
    """Many points are equally dense, and many equally near."""
    points = np.random.default_rng(dimension).integers(0, 6, (n_points, dimension)).astype(float)
    points[::4] = points[0]
    return points


def cloud_with_copies(n_points: int, dimension: int) -> zoo.Points:
    """Balls of as many rows as one point has hold a small part of all points."""
    points = np.random.default_rng(dimension).normal(size=(n_points, dimension))
    points[: n_points // 25] = points[0]
    return points


@pytest.mark.parametrize("make", [lattice_with_copies, cloud_with_copies])
@pytest.mark.parametrize("dimension", [1, 2, 3, 5, 9])
def test_balls_of_rows_choose_the_cores_that_lists_choose_among_many_points(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[int, int], zoo.Points], dimension: int
) -> None:
    points = make(1500, dimension)
    lists = cores_of(points, monkeypatch, len(points))
    balls = cores_of(points, monkeypatch, 48)
    assert_same_cores(balls, lists)


def crowded_lattice(seed: int) -> zoo.Points:
    """Few places, so that balls end among the rows of a point."""
    random = np.random.default_rng(seed)
    points = random.integers(0, 6, (int(random.integers(60, 160)), 2)).astype(float)
    points[: random.integers(3, len(points) // 2)] = points[0]
    return random.permutation(points)


def mirrored_lattice(seed: int) -> zoo.Points:
    """Every place has another one that is as dense."""
    random = np.random.default_rng(seed)
    half = random.integers(1, 9, (40, 2)).astype(float)
    half[: random.integers(2, 20)] = half[0]
    return random.permutation(np.vstack([half, half * [-1, 1]]))


@pytest.mark.parametrize("make", [crowded_lattice, mirrored_lattice])
def test_balls_of_rows_choose_the_cores_that_lists_choose_among_ties(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[int], zoo.Points]
) -> None:
    for seed in range(150):
        points = make(seed)
        lists = cores_of(points, monkeypatch, len(points))
        assert_same_cores(cores_of(points, monkeypatch, 0), lists)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_searches_find_the_way_to_every_goal(
    monkeypatch: pytest.MonkeyPatch, dimension: int
) -> None:
    """Cores lie on all sides, so that the way to one is not the way to the next."""
    random = np.random.default_rng(dimension)
    points = random.uniform(0, 20, (1200, dimension))
    points[:30] = points[0]
    listed = cores_of(points, monkeypatch, len(points))
    monkeypatch.setattr(lccv_copies, "_FEW_BALLS", 0)
    looked_for = cores_of(points, monkeypatch, 0)
    assert len(listed.rows) > 5
    assert isinstance(looked_for.graph, ball_paths.BallGraph)
    (_, near), (_, far) = (next(iter(cores.paths(1))) for cores in (listed, looked_for))
    assert near.targets.tolist() == far.targets.tolist()
    assert near.lengths.tobytes() == far.lengths.tobytes()


@pytest.mark.small
def test_equal_densities_are_equal_whatever_the_order_of_their_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Mirrored points have the same distances, met in another order."""
    right = np.random.default_rng(4).random((12, 2)) + [1.0, 0.0]
    points = np.vstack([right, right * [-1.0, 1.0], np.zeros((6, 2))])
    lists = cores_of(points, monkeypatch, len(points))
    balls = cores_of(points, monkeypatch, 0)
    assert balls.rows.tolist() == lists.rows.tolist()
    tree, _ = kd_tree_of(workspace(points, np.zeros(30, int)).points)
    listed = list_copies(tree)
    around, _ = find_balls(tree, listed, 6, 1)
    asked = Asked(tree, listed, around, 6, np.full(25, 8), 21)
    density = find_densities(asked, no_sums(25), 1)
    assert len(np.unique(density)) == 13


@pytest.mark.small
@pytest.mark.parametrize("most_goals", [1, 3, 32])
def test_steps_that_are_listed_lead_as_far_as_balls_do(
    monkeypatch: pytest.MonkeyPatch, most_goals: int
) -> None:
    monkeypatch.setattr(ball_paths, "_MOST_GOALS", most_goals)
    points = np.random.default_rng(5).normal(size=(80, 2))
    points[:5] = points[0]
    listed = cores_of(points, monkeypatch, len(points))
    looked_for = cores_of(points, monkeypatch, 0)
    assert isinstance(listed.graph, path_search.Graph)
    assert isinstance(looked_for.graph, ball_paths.BallGraph)
    assert len(listed.rows) >= lccv_copies.LEAST_CORES
    (_, near), (_, far) = (next(iter(cores.paths(1))) for cores in (listed, looked_for))
    assert near.targets.tolist() == far.targets.tolist()
    assert near.lengths.tobytes() == far.lengths.tobytes()


@kernel
def is_in_ball(graph: ball_paths.BallGraph, p: int, q: int, square: float) -> Any:
    return _is_in_ball(graph, p, q, square)


@pytest.mark.small
def test_steps_lead_to_the_points_of_the_nearest_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equally near rows those that come first."""
    points = lattice_with_copies(80, 2)
    monkeypatch.setattr(lccv_copies, "_MANY_COPIES", 0)
    graph = lccv_copies.choose_cores(workspace(points, np.zeros(80, int)).points).graph
    # In the units of the search.
    squares = squares_of(graph.tree.points)
    for row, others in enumerate(definition.others_by_distance(squares_of(points))):
        p, near = int(graph.places[row]), set(graph.places[others[: graph.n_rows - 1]].tolist())
        found = [q for q in range(len(squares)) if is_in_ball(graph, p, q, squares[p, q])]
        assert set(found) - {p} == near - {p}


def test_points_without_a_distance_are_no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Squares of their differences vanish: neighborhoods are listed as ever."""
    points = np.zeros((40, 2))
    points[:20, 0] = 1e-320
    points[39] = 1.0
    asked = spy_on_lists(monkeypatch)
    cores_of(points, monkeypatch, 0)
    assert asked


def spy_on_lists(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many neighbors of every row are asked for."""
    asked: list[int] = []

    def listed(points: Points, n_neighbors: int) -> NearestPoints:
        asked.append(n_neighbors)
        return nearest_points(points, n_neighbors)

    monkeypatch.setattr(lccv, "nearest_points", listed)
    monkeypatch.setattr(shortest_paths, "nearest_points", listed)
    return asked


@pytest.mark.parametrize("n_copies", [49, 500, 1500])
def test_many_copies_make_no_lists_of_neighbors(
    monkeypatch: pytest.MonkeyPatch, n_copies: int
) -> None:
    points = np.random.default_rng(2).normal(size=(1500, 2))
    points[:n_copies] = points[0]
    asked = spy_on_lists(monkeypatch)
    lccv_score(points, np.arange(1500) % 2)
    assert asked == []


def test_cores_that_reach_no_other_make_no_paths() -> None:
    """Every point twice: each is a core, and nothing leads from one to another."""
    points = np.repeat(np.random.default_rng(3).normal(size=(600, 2)), 2, axis=0)
    cores = local_cores(workspace(points, np.zeros(1200, int)).points)
    assert len(cores.rows) == 600
    assert [paths.targets.shape for _, paths in cores.paths(1)] == [(600, 1)]


# --- reference values ---------------------------------------------------------------------------


def test_one_way(shared: Path) -> None:
    columns = list(table_2(shared).values())[2:]
    found = [lccv_one_way(*column) for column in columns]
    assert found == pytest.approx([0.5236, 0.1012], rel=0, abs=5e-5)


def test_number_of_cores_and_weights(shared: Path) -> None:
    points, labels = load(shared, "complex9")
    cores = local_cores(workspace(points, labels).points)
    assert len(cores.rows) == 138
    assert steps_of(cores).shape[1] == 7
    rings = two_rings(build=1)
    cores = local_cores(workspace(rings.points, rings.good_labels).points)
    names = rings.good_labels
    by_core = names[cores.rows[cores.representatives]]
    assert ((names != -1) & (by_core != -1)).sum() == 161


# --- promises -----------------------------------------------------------------------------------


@pytest.mark.small
@zoo.examples(100)
@given(st.integers(0, 2**32 - 1))
def test_without_ties_the_order_of_rows_has_no_influence(seed: int) -> None:
    random = np.random.default_rng(seed)
    # Not on a line: there, two points with as many neighbors on both sides are equally dense.
    points = random.normal(size=(int(random.integers(20, 100)), int(random.integers(2, 4))))
    labels = labels_by_place(points, 3, 0.1, seed)
    order = random.permutation(len(points))
    assert lccv_score(points[order], labels[order]) == lccv_score(points, labels)


def test_number_of_threads_has_no_influence() -> None:
    points = np.random.default_rng(0).normal(size=(1500, 2))
    labels = labels_by_place(points, 5, 0.1, seed=0)
    assert len({lccv_score(points, labels, n_jobs=n_jobs) for n_jobs in (None, 2, 3, -1)}) == 1


@pytest.mark.parametrize("entries", [1, 1000])
def test_blocks_have_no_influence(monkeypatch: pytest.MonkeyPatch, entries: int) -> None:
    points = np.random.default_rng(1).normal(size=(3000, 2))
    labels = labels_by_place(points, 5, 0.1, seed=1)
    work = workspace(points, labels)
    whole = local_cores(work.points)
    monkeypatch.setattr(shortest_paths, "_PAIRS_PER_POINT", 0)
    monkeypatch.setattr(distances, "_BLOCK_ENTRIES", entries)
    blocks = local_cores(work.points)
    assert whole.kept is not None
    assert blocks.kept is None
    assert blocks.longest == whole.longest
    for one_way in (False, True):
        found = judge_cores(blocks, work.labels, 1, one_way=one_way)
        assert found == judge_cores(whole, work.labels, 1, one_way=one_way)


@pytest.mark.small
def test_labelings_share_local_cores() -> None:
    points = zoo.POINTS["blobs"]
    first = workspace(points, labels_by_place(points, 3, 0.0, seed=1))
    cores = local_cores(first.points)
    other = labels_by_place(points, 2, 0.2, seed=2)
    assert judge_cores(cores, workspace(points, other).labels, 1) == lccv_score(points, other)
    assert evaluate_lccv(first) == judge_cores(cores, first.labels, 1)
