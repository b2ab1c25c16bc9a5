"""Rounds with lists of neighbors, complete or not; rounds that products take over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi._compute.progress import progress
from disco_cvi._neighbors import search_choice
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._spanning_tree import by_products, round_choice
from disco_cvi._spanning_tree.boruvka import Forest
from disco_cvi._spanning_tree.by_lists import grow_by_lists
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo
from helpers.blas import blas_threads


def complete_lists(points: zoo.Points, length: int) -> tuple[NeighborLists, zoo.Points]:
    squares = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    numbers = np.argsort(squares, axis=1, kind="stable")[:, :length]
    listed = NeighborLists(numbers.astype(np.int32), np.take_along_axis(squares, numbers, 1))
    return listed, squares


@pytest.mark.small
@zoo.examples(100)
@given(st.integers(2, 40), st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans())
def test_what_lists_join_is_right_whoever_must_sit_out(
    n_points: int, seed: int, length: int, lattice: bool
) -> None:
    """Components with a point that searches choose nothing: every edge is one of the whole tree."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(n_points, 2))
    if lattice:
        points = np.unique(random.integers(0, 7, (n_points, 2)).astype(float), axis=0)
    length = min(length, len(points))
    lists, squares = complete_lists(points, length)
    core = lists.squares[:, min(2, length) - 1].copy()
    nearest = lists.numbers[:, : min(2, length)].copy()

    def sit_out(forest: Forest, asking: NDArray[np.int32]) -> None:
        forest.cheapest[forest.component[asking]] = -1.0

    edges = grow_by_lists(lists, Neighbors(core, nearest), sit_out)
    heights = np.maximum(np.maximum(core[:, None], core[None, :]), squares)
    whole = minimum_spanning_tree(points.copy(), min(2, len(points)), 1, "kd").edges.heights
    found = sorted(edges.heights.tolist())
    assert [heights[a, b] for a, b in zip(edges.first, edges.second, strict=True)] == (
        edges.heights.tolist()
    )
    left = sorted(whole.tolist())
    for height in found:  # all of them occur in the whole tree, as often
        left.remove(height)
    if length == len(points) and len(points) > 1 and core.max() <= lists.squares[:, -1].min():
        assert not left


@pytest.mark.small
def test_a_listed_edge_above_the_radius_is_not_taken() -> None:
    # All near points of the first and the third know only the second, whose core distance is large.
    lists, _ = complete_lists(np.array([[-1.7], [-1.0], [0.0], [2.0], [2.1]]), 2)
    core = np.array([0.0, 100.0, 0.0, 0.0, 0.0])

    def sit_out(forest: Forest, asking: NDArray[np.int32]) -> None:
        forest.cheapest[forest.component[asking]] = -1.0

    edges = grow_by_lists(lists, Neighbors(core, lists.numbers), sit_out)
    found = {frozenset(edge) for edge in zip(edges.first, edges.second, strict=True)}
    assert found == {frozenset((0, 1)), frozenset((3, 4))}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("dimension", [5, 12, 40])
def test_rounds_taken_over_give_the_same_bits(
    monkeypatch: pytest.MonkeyPatch, dimension: int, n_jobs: int
) -> None:
    monkeypatch.setattr(round_choice, "is_hard_to_leave", lambda *_: True)
    monkeypatch.setattr(round_choice, "_FEW_COORDINATES", 0)
    monkeypatch.setattr(search_choice, "is_hard_to_search", lambda *_: False)
    asked: list[int] = []
    before = blas_threads()

    def ask(*given: Any) -> None:
        asked.append(blas_threads())
        by_products.ask_products(*given)

    monkeypatch.setattr(round_choice, "ask_products", ask)
    random = np.random.default_rng(dimension)
    centers = 10 * random.normal(size=(9, dimension))
    points = np.round(centers[random.integers(0, 9, 900)] + random.normal(size=(900, dimension)), 1)
    points[::5] = points[0]
    monkeypatch.setattr(
        "disco_cvi._spanning_tree.mutual_reachability.is_hard_to_search", lambda *_: False
    )
    monkeypatch.setattr(
        "disco_cvi._spanning_tree.mutual_reachability.is_worth_a_tree", lambda *_: True
    )
    found = minimum_spanning_tree(points.copy(), 5, n_jobs)
    assert set(asked) == {min(n_jobs, before)}
    expected = minimum_spanning_tree(points.copy(), 5, 1, "kd")
    assert found.core.tobytes() == expected.core.tobytes()
    heights = np.sort(found.edges.heights)
    assert heights.tobytes() == np.sort(expected.edges.heights).tobytes()


def test_easy_points_are_searched_in_the_tree_and_hard_ones_by_products() -> None:
    random = np.random.default_rng(0)
    easy, hard = random.normal(size=(3000, 5)), random.normal(size=(3000, 60))
    from disco_cvi._neighbors.kd_tree import build_kd_tree

    assert not search_choice.is_hard_to_search(build_kd_tree(easy), 5)
    assert search_choice.is_hard_to_search(build_kd_tree(hard), 5)
    assert not search_choice.is_hard_to_leave(3000, 5, 100, 0)
    assert search_choice.is_hard_to_leave(3000, 60, 2900, 0)
    assert not search_choice.is_hard_to_leave(3000, 60, 2900, 1e6)


def test_of_work_by_products_the_bar_names_the_approximate_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remedies = []

    def watched(title: str, n_steps: float, remedy: str) -> Any:
        remedies.append(remedy)
        return progress(title, n_steps, remedy=remedy)

    monkeypatch.setattr(by_products, "progress", watched)
    points = np.random.default_rng(0).normal(size=(500, 40))
    by_products.span_by_products(points, np.ones(len(points), np.int32), 5, 1)
    assert ['algorithm="approximate"' in remedy for remedy in remedies] == [True]
