"""Searches by pairs of nodes: few are looked at where points alone would look at all others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from disco_cvi._spanning_tree import leaving_edges
from disco_cvi._spanning_tree.few_points import span_few_points
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo

PAIRS_PER_CALL = 1000


def count_calls(monkeypatch: pytest.MonkeyPatch, pairs_per_call: int = PAIRS_PER_CALL) -> list[int]:
    """Let calls of the kernel look at so many pairs; return how many still wait after each."""
    search_pairs: Any = leaving_edges._search_pairs
    waiting: list[int] = []

    def count(*arguments: object) -> int:
        waiting.append(search_pairs(*arguments))
        return waiting[-1]

    monkeypatch.setattr(leaving_edges, "_search_pairs", count)
    monkeypatch.setattr(leaving_edges, "_PAIRS_PER_CALL", pairs_per_call)
    return waiting


def hub(n_points: int, dimension: int) -> zoo.Points:
    """55 % of the points on a sphere, the others in a tiny ball around its center."""
    generator = np.random.default_rng(dimension)
    points = generator.normal(size=(n_points, dimension))
    points /= np.linalg.norm(points, axis=1)[:, None]
    inside = generator.random(n_points) < 0.45
    size = 1e-9 * generator.random(inside.sum()) ** (1 / dimension)
    points[inside] *= size[:, None]
    return points


def far_planes(n_points: int, dimension: int) -> zoo.Points:
    return zoo.tilted_planes(n_points, dimension, 50.0)


def spheres(n_points: int, dimension: int) -> zoo.Points:
    """One around the other, ten times as large."""
    points = np.random.default_rng(dimension).normal(size=(n_points, dimension))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points[::2] *= 10
    return points


FAR = [hub, far_planes, spheres, zoo.tilted_planes]


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("make", FAR)
def test_points_that_are_all_as_far_away_are_not_looked_at_one_by_one(
    make: Callable[[int, int], zoo.Points], dimension: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_points = 20_000
    calls = count_calls(monkeypatch)
    monkeypatch.setattr(leaving_edges, "_LEAVES_ALLOWED", 4)
    # As large as points are made for their squares to be safe.
    minimum_spanning_tree(make(n_points, dimension) * 2.0**490, 5, 1, "kd")
    # All pairs of leaves alone would be hundreds for every point.
    assert 0 < len(calls) * PAIRS_PER_CALL < 40 * n_points


@pytest.mark.parametrize("make", [*FAR, zoo.cantor_dust])
def test_same_bits_as_searches_by_points(
    make: Callable[[int, int], zoo.Points], monkeypatch: pytest.MonkeyPatch
) -> None:
    points = make(1_500, 3)
    monkeypatch.setattr(leaving_edges, "_search_nodes", None)
    monkeypatch.setattr(leaving_edges, "_LEAVES_ALLOWED", len(points))
    by_points = minimum_spanning_tree(points.copy(), 5, 1, "kd")
    monkeypatch.undo()
    monkeypatch.setattr(leaving_edges, "_LEAVES_ALLOWED", 0)
    by_nodes = [minimum_spanning_tree(points.copy(), 5, n_jobs, "kd") for n_jobs in (1, 2, 3)]
    by_pairs, _ = span_few_points(points.copy(), 5)
    trees = by_points, *by_nodes, by_pairs
    assert len({np.sort(tree.edges.heights).tobytes() for tree in trees}) == 1


@pytest.mark.small
def test_points_that_find_their_edges_need_no_pairs_of_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leaving_edges, "_search_nodes", None)
    minimum_spanning_tree(zoo.POINTS["blobs"].copy(), 5, 1, "kd")


def crossed_circles(n_points: int) -> zoo.Points:
    """Two circles in planes that are perpendicular: each point is as far from all of the other."""
    angles = 2 * np.pi * np.random.default_rng(0).random(n_points)
    points = np.zeros((n_points, 4))
    points[::2, :2] = np.stack([np.cos(angles), np.sin(angles)], 1)[::2]
    points[1::2, 2:] = np.stack([np.cos(angles), np.sin(angles)], 1)[1::2]
    return points


def test_each_call_ends_after_about_so_many_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is answered between two calls, and a point may meet every leaf of a large node."""
    n_points = 10_000
    calls = count_calls(monkeypatch)
    minimum_spanning_tree(crossed_circles(n_points), 5, 1, "kd")
    # Half of the points ask, and each of them meets nearly all points of the other half in leaves.
    assert len(calls) * PAIRS_PER_CALL > 0.12 * (n_points / 2) ** 2


@pytest.mark.small
def test_points_that_ask_and_leaves_that_they_meet_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both sides of a pair are searched: as many calls as there were when this was written.

    More ask the clock in vain, fewer answer Ctrl-C late.
    """
    calls = count_calls(monkeypatch, 20)
    monkeypatch.setattr(leaving_edges, "_LEAVES_ALLOWED", 1)
    minimum_spanning_tree(hub(500, 2), 2, 1, "kd")
    assert len(calls) == pytest.approx(1221, rel=0.02)


def test_at_ctrl_c_other_threads_end_after_the_call_that_they_are_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not after all pairs of a node: those of a circle meet all points of the other one."""
    stopped, n_late = False, 0
    search_pairs: Any = leaving_edges._search_pairs

    def interrupt(*arguments: object) -> object:
        nonlocal stopped, n_late
        if threading.current_thread() is threading.main_thread():
            stopped = True
            raise KeyboardInterrupt
        n_late += stopped
        return search_pairs(*arguments)

    monkeypatch.setattr(leaving_edges, "_search_pairs", interrupt)
    monkeypatch.setattr(leaving_edges, "_PAIRS_PER_CALL", PAIRS_PER_CALL)
    with pytest.raises(KeyboardInterrupt):
        minimum_spanning_tree(crossed_circles(10_000), 5, 2, "kd")
    assert n_late <= 2
