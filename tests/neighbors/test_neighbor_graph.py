"""Graphs of near neighbors: lists that are what they say, whoever is missing in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from disco_cvi._compute.progress import Progress
from disco_cvi._neighbors import neighbor_graph as graphs
from disco_cvi._neighbors.neighbor_graph import Lists, neighbor_graph
from disco_cvi._neighbors.products import _center, make_blocks
from disco_cvi._neighbors.random_trees import collapse_copies, grow_leaves


def some_points(n_points: int, dimension: int, seed: int, *, on_lattice: bool) -> Any:
    generator = np.random.default_rng(seed)
    points = 3.0 * generator.normal(size=(n_points, dimension))
    return collapse_copies(np.rint(points) if on_lattice else points).points


def squares_of(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances; of four features the very bits that searches compute."""
    squares = (points[:, None] - points[None]) ** 2
    if points.shape[1] != 4:
        return np.asarray(squares.sum(axis=2))
    return np.asarray((squares[..., 0] + squares[..., 1]) + (squares[..., 2] + squares[..., 3]))


@pytest.mark.small
@settings(max_examples=10, deadline=None)
@given(
    n_points=st.integers(1, 40),
    dimension=st.integers(1, 9),
    seed=st.integers(0, 99),
    on_lattice=st.booleans(),
    precision=st.sampled_from([np.float32, np.float64]),
)
def test_few_points_have_their_nearest(
    n_points: int, dimension: int, seed: int, on_lattice: bool, precision: Any
) -> None:
    points = some_points(n_points, dimension, seed, on_lattice=on_lattice)
    lists = neighbor_graph(_center(points, precision), 6, seed, 1)
    squares = squares_of(points)
    nearest = np.sort(squares, axis=1)[:, :6]
    assert (lists.numbers[:, 0] == np.arange(len(points))).all()
    assert np.take_along_axis(squares, lists.numbers, 1) == pytest.approx(lists.squares)
    assert lists.squares == pytest.approx(nearest)


def nearest_met(squares: NDArray[np.float64], met: list[set[int]], size: int) -> Any:
    """The nearest of all that each point has met, of equally near ones the smaller number."""
    rows = [sorted(others, key=lambda j: (squares[i, j], j)) for i, others in enumerate(met)]
    return np.array([row[:size] for row in rows], np.int32)


def literal_round(squares: NDArray[np.float64], numbers: Any, fresh: Any, width: int) -> Any:
    """Neighbors of neighbors as sets, who meet if one of them is fresh; the lists after it."""
    met = [set(row) for row in numbers.tolist()]
    back: list[list[tuple[int, int]]] = [[] for _ in met]
    for t in range(width):
        for i in range(len(met)):
            if len(back[numbers[i, t]]) < width:
                back[numbers[i, t]].append((i, int(fresh[i, t])))
    for i in range(len(met)):
        near = [(int(numbers[i, t]), int(fresh[i, t])) for t in range(width)] + back[i]
        is_fresh = {j for j, new in near if new}
        around = {j for j, _ in near} | {i}
        for a in around if is_fresh else set():
            met[a] |= {b for b in around - {a} if {a, b} & (is_fresh | {i})}
    return nearest_met(squares, met, numbers.shape[1])


def newly_listed(before: Any, after: Any) -> Any:
    rows = zip(before.tolist(), after.tolist(), strict=True)
    return np.array([[j not in old for j in new] for old, new in rows], np.uint8)


@pytest.mark.small
@pytest.mark.parametrize("on_lattice", [False, True])
def test_lists_are_the_nearest_of_all_whom_a_literal_round_meets(
    monkeypatch: pytest.MonkeyPatch, on_lattice: bool
) -> None:
    """One round on random lists, against sets of neighbors of neighbors."""
    monkeypatch.setattr(graphs, "_WIDTH", 4)
    # Centers are taken in parts, and again in parts of these.
    monkeypatch.setattr(graphs, "_CENTERS_AT_ONCE", 25)
    monkeypatch.setattr(graphs, "_CHUNK", 7)
    points = some_points(60, 4, 3, on_lattice=on_lattice)
    squares = squares_of(points)
    generator = np.random.default_rng(0)
    n_points = len(points)
    numbers = np.empty((n_points, 6), np.int32)
    for i in range(n_points):
        others = generator.permutation(np.delete(np.arange(n_points), i))[:6]
        numbers[i] = others[np.lexsort((others, squares[i, others]))]
    known = np.take_along_axis(squares, numbers, 1)
    fresh = generator.integers(0, 2, numbers.shape).astype(np.uint8)
    found = graphs._introduce(make_blocks(points, 7), Lists(numbers, known, fresh), 1)
    expected = literal_round(squares, numbers, fresh, 4)
    assert found.numbers.tolist() == expected.tolist()
    assert found.squares.tolist() == np.take_along_axis(squares, expected, 1).tolist()
    assert found.fresh.tolist() == newly_listed(numbers, expected).tolist()


def literal_trees(points: Any, squares: Any, numbers: tuple[int, ...], sizes: Any) -> Any:
    """Who is nearest among all that share a leaf of some trees; `sizes` of leaves and lists."""
    met: list[set[int]] = [set() for _ in points]
    for number in numbers:
        order = np.arange(len(points), dtype=np.int32)
        starts = np.empty(len(points) + 1, np.int32)
        rows = np.arange(len(points))
        n_leaves = grow_leaves(points, rows, number, sizes[0], order, starts)
        for leaf in range(n_leaves):
            members = set(order[starts[leaf] : starts[leaf + 1]].tolist())
            for i in members:
                met[i] |= members - {i}
    return nearest_met(squares, met, sizes[1])


@pytest.mark.small
# Halves of 96 and 104 points are leaves of 12, or are cut once more: those of 13.
@pytest.mark.parametrize("n_points", [96, 104])
@pytest.mark.parametrize("stops", ["never", "early", "at as many as in the first round"])
@pytest.mark.parametrize(("on_lattice", "size"), [(False, 1.0), (True, 2.0**-7), (True, 2.0**7)])
def test_graphs_are_those_of_literal_trees_and_rounds(
    monkeypatch: pytest.MonkeyPatch, n_points: int, stops: str, on_lattice: bool, size: float
) -> None:
    for name, value in (("N_TREES", 2), ("LEAF_SIZE", 11), ("N_ROUNDS", 3), ("WIDTH", 2)):
        monkeypatch.setattr(graphs, f"_{name}", value)
    points = np.ascontiguousarray(size * some_points(150, 4, 6, on_lattice=on_lattice)[:n_points])
    squares = squares_of(points)
    # Leaves are no smaller than four times the others that are listed.
    numbers = literal_trees(points, squares, (2 * 5, 2 * 5 + 1), (12, 3))
    fresh = np.ones(numbers.shape, np.uint8)
    share_new = {"never": 0.0, "early": 0.3}.get(stops)
    for _ in range(3):
        last, numbers = numbers, literal_round(squares, numbers, fresh, 2)
        fresh = newly_listed(last, numbers)
        if share_new is None:
            share_new = fresh.sum() / fresh.size
        if fresh.sum() < share_new * fresh.size:
            break
    monkeypatch.setattr(graphs, "_SHARE_NEW", share_new)
    found = neighbor_graph(make_blocks(points, 4), 4, 5, 1)
    assert found.numbers[:, 0].tolist() == list(range(n_points))
    assert not found.squares[:, 0].any()
    assert found.numbers[:, 1:].tolist() == numbers.tolist()
    assert found.squares[:, 1:].tolist() == np.take_along_axis(squares, numbers, 1).tolist()


@pytest.mark.small
@pytest.mark.parametrize(("leaf_size", "n_steps"), [(50, 1), (11, 2 + 3)])
def test_the_bar_tells_of_every_tree_and_every_round(
    monkeypatch: pytest.MonkeyPatch, leaf_size: int, n_steps: int
) -> None:
    settings_of = {"N_TREES": 2, "LEAF_SIZE": leaf_size, "N_ROUNDS": 3, "SHARE_NEW": 0.0}
    for name, value in settings_of.items():
        monkeypatch.setattr(graphs, f"_{name}", value)
    bars: list[Progress] = []

    @contextmanager
    def record(title: str, n_steps: float) -> Iterator[Progress]:
        bars.append(Progress(title, n_steps))
        yield bars[-1]

    monkeypatch.setattr(graphs, "progress", record)
    neighbor_graph(make_blocks(some_points(50, 4, 6, on_lattice=False), 4), 4, 5, 1)
    (bar,) = bars
    assert (bar.n_steps, bar.done) == (5, n_steps)


@pytest.mark.small
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_largest_of_the_smallest_values(size: int) -> None:
    random = np.random.default_rng(size)
    for own in range(12):
        values = random.integers(0, 9, 12).astype(np.float64)
        others = np.sort(np.delete(values, own))
        assert graphs._smallest(values, own, np.zeros(size)) == others[size - 1]
        # Fewer than are asked for.
        assert graphs._smallest(values[:1], 0, np.zeros(size)) == np.inf


def test_most_of_the_lists_are_right_and_seeds_differ() -> None:
    points = some_points(1500, 12, 1, on_lattice=False)
    blocks = make_blocks(points, 20)
    right = np.argsort(cdist(points, points), axis=1)[:, :20]
    one, other = (neighbor_graph(blocks, 20, seed, 1).numbers for seed in (0, 1))
    assert (one != other).any()
    for found in (one, other):
        hits = [len(set(a) & set(b)) for a, b in zip(found.tolist(), right.tolist(), strict=True)]
        assert sum(hits) / right.size > 0.95
