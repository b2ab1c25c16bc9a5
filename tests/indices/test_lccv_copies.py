"""What LCCV computes of points with many copies, part by part, against plain sums and sorts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from definitions.distances import squares_of
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.ranked_squares import Others, choose_two, room_for_others, room_to_choose
from disco_cvi._input.clustering import open_clustering
from disco_cvi._input.points import Points
from disco_cvi._neighbors.kd_tree import kd_tree_of
from disco_cvi._neighbors.nearest_points import list_copies
from disco_cvi.indices import lccv_copies, lccv_peaks
from disco_cvi.indices.lccv_sums import Asked, find_densities, no_sums
from disco_cvi.indices.row_balls import find_balls
from helpers import zoo


def opened(points: zoo.Points) -> Points:
    labels = np.zeros(len(points), int)
    return open_clustering(points, labels, noise_label=-1, n_jobs=None, caller="test").points


def repeated(points: zoo.Points, seed: int) -> zoo.Points:
    """A part of the points in the place of one."""
    random = np.random.default_rng(seed)
    moved = random.random(len(points)) < random.choice([0.05, 0.3, 0.6])
    return np.asarray(points[np.where(moved, 0, np.arange(len(points)))])


def ask(points: zoo.Points, n_known: int, size: int, n_rows: int) -> Asked:
    tree, _ = kd_tree_of(opened(points))
    listed = list_copies(tree)
    balls, _ = find_balls(tree, listed, n_known, 1)
    return Asked(tree, listed, balls, n_known, np.full(len(tree.points), size), n_rows)


def sorted_rows(asked: Asked) -> list[list[tuple[float, int]]]:
    """For each distinct point the squares and numbers of all rows, nearest first."""
    tree, listed = asked.tree, asked.listed
    squares = squares_of(tree.points)
    found = []
    for i in range(len(tree.points)):
        rows = [
            (float(squares[i, j]), int(row))
            for j in range(len(tree.points))
            for row in listed.rows[listed.starts[j] : listed.starts[j + 1]]
        ]
        found.append(sorted(rows))
    return found


@pytest.mark.small
@zoo.examples(60)
@given(
    points=zoo.seeded_points(least=4, most=60),
    seed=st.integers(0, 2**32 - 1),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
)
def test_sums_and_balls_are_those_of_sorted_rows(
    points: zoo.Points, seed: int, shares: tuple[float, float, float]
) -> None:
    points = repeated(points, seed)
    n_known, size, n_rows = (2 + int(share * (len(points) - 2)) for share in shares)
    asked = ask(points, min(n_known, n_rows), size, max(n_rows, size))
    sums = no_sums(len(asked.tree.points))
    density = find_densities(asked, sums, 1)
    for i, rows in enumerate(sorted_rows(asked)):
        total = sum(np.sqrt(square) for square, _ in rows[: asked.n_rows])
        assert sums.low[i] == pytest.approx(total, rel=1e-13)
        assert sums.high[i] == pytest.approx(total, rel=1e-13)
        assert sums.low[i] == 0 or density[i] == (asked.n_rows - 1) / sums.low[i]
        last, last_row = rows[size - 1]
        assert (sums.balls.squares[i], sums.balls.rows[i]) == (last, last_row)
        assert sums.balls.n_nearer[i] == sum(square < last for square, _ in rows)
        assert sums.last[i] == rows[asked.n_rows - 1][0]


@pytest.mark.small
@pytest.mark.parametrize("cell_size", [2, 16])
@zoo.examples(60)
@given(
    points=zoo.any_points(least=3, most=60),
    seed=st.integers(0, 2**32 - 1),
    share=st.floats(0, 1),
)
def test_bounds_hold_the_sums(cell_size: int, points: zoo.Points, seed: int, share: float) -> None:
    points = repeated(points, seed)
    n_rows = 1 + int(share * (len(points) - 1))
    asked = ask(points, 1, 1, n_rows)
    sums = no_sums(len(asked.tree.points))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(lccv_peaks, "_CELL_SIZE", cell_size)
        lccv_peaks._bound_sums(asked, sums, 1)
    for i, rows in enumerate(sorted_rows(asked)):
        total = float(np.sqrt([square for square, _ in rows[:n_rows]]).sum())
        assert sums.low[i] <= total <= sums.high[i]


def test_bounds_are_close() -> None:
    """Close enough to tell most points from the densest of a ball."""
    points = np.random.default_rng(0).normal(size=(2000, 2))
    asked = ask(points, 100, 100, 1500)
    sums = no_sums(2000)
    lccv_peaks._bound_sums(asked, sums, 1)
    assert np.median(sums.high / sums.low) < 1.05


@pytest.mark.small
@zoo.examples(150)
@given(points=zoo.any_points(least=3, most=70), seed=st.integers(0, 2**32 - 1))
def test_few_peaks_are_found_by_bounds_as_by_densities(points: zoo.Points, seed: int) -> None:
    points = repeated(points, seed)
    found = []
    for few_balls in (0, 10**9):
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(lccv_copies, "_FEW_BALLS", few_balls)
            monkeypatch.setattr(lccv_peaks, "_CELL_SIZE", 4)
            if lccv_copies._has_lost_distances(kd_tree_of(opened(points)).tree):
                return
            found.append(lccv_copies.choose_cores(opened(points)))
    by_densities, by_bounds = found
    assert by_bounds.cores.tolist() == by_densities.cores.tolist()
    assert by_bounds.representatives.tolist() == by_densities.representatives.tolist()


@pytest.mark.parametrize("dimension", [2, 3, 5])
@pytest.mark.parametrize("share", [0.08, 0.2, 0.5])
def test_many_points_have_the_peaks_that_densities_tell(
    monkeypatch: pytest.MonkeyPatch, dimension: int, share: float
) -> None:
    random = np.random.default_rng(dimension)
    points = random.normal(size=(1500, dimension)) + 6 * random.integers(0, 3, (1500, 1))
    points[: int(share * 1500)] = points[0]
    by_bounds = lccv_copies.choose_cores(opened(points))
    monkeypatch.setattr(lccv_copies, "_FEW_BALLS", 0)
    by_densities = lccv_copies.choose_cores(opened(points))
    assert by_bounds.cores.tolist() == by_densities.cores.tolist()
    assert by_bounds.representatives.tolist() == by_densities.representatives.tolist()


def test_few_peaks_need_few_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter of the points are one: hardly any other point can be a core."""
    points = np.random.default_rng(1).normal(size=(3000, 3))
    points[:750] = points[0]
    asked: list[Asked] = []

    def few_peaks(given: Asked, *others: object) -> object:
        asked.append(given)
        sums = others[0]
        found = lccv_peaks.find_few_peaks(given, *others)  # type: ignore[arg-type]
        assert np.mean(sums.low == sums.high) < 0.2  # type: ignore[attr-defined]
        return found

    monkeypatch.setattr(lccv_copies, "find_few_peaks", few_peaks)
    monkeypatch.setattr(lccv_copies, "find_densities", None)
    cores = lccv_copies.choose_cores(opened(points)).cores
    assert len(asked) == 1
    assert len(cores) < lccv_copies.LEAST_CORES


@kernel
def _choose_two(others: Any, n_given: Any, first: Any, second: Any, chosen: Any) -> Any:
    return choose_two(others, n_given, first, second, chosen)


@pytest.mark.small
@zoo.examples(200)
@given(
    squares=st.lists(st.integers(0, 30), min_size=1, max_size=120),
    seed=st.integers(0, 2**32 - 1),
)
def test_two_ranks_are_chosen_as_from_sorted_rows(squares: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = random.choice([1, 1, 1, 2, 500], len(squares))
    rows = np.sort(np.repeat(np.array(squares, float), weights))
    ranks = random.integers(0, len(rows), 2).tolist()
    others: Others = room_for_others(len(squares), 1)
    others.square[:] = squares
    others.weight[:] = weights
    first, second = [(rank, 0.0, 31.0, 0, len(rows)) for rank in ranks]
    found = _choose_two(others, len(squares), first, second, room_to_choose(len(squares)))
    for rank, (square, n_less) in zip(ranks, found, strict=True):
        assert square == rows[rank]
        assert n_less == np.sum(rows < square)
