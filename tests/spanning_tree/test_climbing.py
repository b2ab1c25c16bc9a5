"""Climbs between components, against one climb after the other, point by point."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree as scipy_spanning_tree
from scipy.spatial.distance import cdist

from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.products import make_blocks
from disco_cvi._neighbors.random_trees import random_number
from disco_cvi._spanning_tree import climbing
from disco_cvi._spanning_tree.boruvka import Edges
from disco_cvi._spanning_tree.climbing import climb
from helpers import zoo

SEED = 5


class Case(NamedTuple):
    points: zoo.Points
    core: zoo.Points
    lists: NeighborLists
    component: Any
    known: Edges


# Components, points, and how these lie.
SHAPES = {
    "few": (4, 90, "apart"),
    "few on a lattice": (4, 90, "lattice"),
    "few around one center": (4, 90, "one center"),
    "many": (12, 150, "apart"),
    "many on a lattice": (12, 150, "lattice"),
    "many around one center": (12, 150, "one center"),
    "large": (3, 420, "apart"),
    "one point alone": (3, 60, "alone"),
}


def place(random: np.random.Generator, shape: tuple[int, int, str]) -> tuple[zoo.Points, Any]:
    """Points, and the number of the component of each."""
    n_groups, n_points, how = shape
    component = np.arange(n_points) * n_groups // n_points
    centers = random.uniform(-9, 9, (n_groups, 3))
    points = centers[component] + 2 * random.normal(size=(n_points, 3))
    if how == "lattice":
        points = np.unique(np.rint(points), axis=0)
        component = random.integers(0, n_groups, len(points))
    if how == "alone":
        component = np.where(np.arange(n_points) > 0, 1 + component, 0)
    if how == "one center":
        # Each point with its image on the other side, and so often that no component is empty.
        points = np.stack([points, -points], axis=1)[: n_points // 2].reshape(-1, 3)
        points = np.rint(8 * points)
        component = np.arange(len(points)) // 2 % n_groups
    return points, component


def make_case(kind: str) -> Case:
    random = np.random.default_rng(len(kind))
    points, component = place(random, SHAPES[kind])
    # Named after their first points, as everywhere.
    first = {c: i for i, c in reversed(list(enumerate(component.tolist())))}
    component = np.array([first[c] for c in component.tolist()], np.int32)
    squares = literal_squares(points)
    core = np.sort(squares, axis=1)[:, 4] * random.uniform(0.5, 1.5, len(points))
    # Lists of one near point, and some of a random one: few edges lead to other components.
    others = np.stack([np.arange(len(points)), np.argsort(squares, axis=1)[:, 1]] * 2, axis=1)
    others[::9, 2] = random.integers(0, len(points), len(others[::9]))
    lists = NeighborLists(others.astype(np.int32), np.take_along_axis(squares, others, 1))
    ends = random.integers(0, len(points), (6, 2)).astype(np.int32)
    ends = ends[component[ends[:, 0]] != component[ends[:, 1]]]
    heights = cost(squares, core)[ends[:, 0], ends[:, 1]]
    return Case(points, core, lists, component, Edges(ends[:, 0], ends[:, 1], heights))


def literal_squares(points: zoo.Points) -> zoo.Points:
    squares = (points[:, None] - points) ** 2
    return np.asarray(squares[..., 0] + squares[..., 1] + squares[..., 2])


def cost(squares: zoo.Points, core: zoo.Points) -> zoo.Points:
    return np.maximum(squares, np.maximum.outer(core, core))


def literal_pairs(case: Case, members: list[Any]) -> dict[tuple[int, int], int]:
    """Pairs of components to climb between, smaller ones first, and where a known edge begins."""
    costs = cost(literal_squares(case.points), case.core)
    code = {i: c for c, group in enumerate(members) for i in group.tolist()}
    edges = [(i, j) for i, row in enumerate(case.lists.numbers.tolist()) for j in row]
    edges += list(zip(case.known.first.tolist(), case.known.second.tolist(), strict=True))
    edges = [edge for edge in edges if code[edge[0]] != code[edge[1]]]
    centers = np.array([case.points[group].mean(axis=0) for group in members])
    apart = cdist(centers, centers)
    pairs = set()
    for a in range(len(members)):
        others = sorted(set(range(len(members))) - {a}, key=lambda b: (apart[a, b], b))
        pairs |= {(a, b) for b in others[:6]}
    pairs |= set(zip(*scipy_spanning_tree(apart).nonzero(), strict=True))
    pairs |= {(code[i], code[j]) for i, j in edges}
    found = {}
    for pair in pairs:
        a, b = sorted((int(c) for c in pair), key=lambda c: (len(members[c]), c))
        between = [edge for edge in edges if {code[edge[0]], code[edge[1]]} == {a, b}]
        ends = [(costs[i, j], i if code[i] == a else j) for i, j in between]
        found[a, b] = int(min(ends, default=(0.0, -1))[1])
    return dict(sorted(found.items()))


def literal_starts(case: Case, members: list[Any], pair: tuple[int, int], number: int) -> list[int]:
    own, other = (case.points[members[c]] for c in pair)
    along = own @ (other.mean(axis=0) - own.mean(axis=0))
    n_random = min(climbing._RANDOM_STARTS, 1 + len(own) // 128)
    drawn = [random_of(SEED, number * 16 + t, len(own)) for t in range(1, n_random + 1)]
    return [int(members[pair[0]][place]) for place in [along.argmax(), *drawn]]


@kernel
def random_of(seed: int, counter: int, below: int) -> Any:
    return random_number(seed, counter, below)


def literal_climb(costs: zoo.Points, point: int, groups: tuple[Any, Any]) -> tuple[float, int, int]:
    """From a point of the first group to the cheapest in the second, and back, and so on."""
    height, ends, to = np.inf, (point, point), 1
    while True:
        group = groups[to]
        cheapest = group[costs[ends[0], group].argmin()]
        if costs[ends[0], cheapest] >= height:
            return height, *ends
        height, ends, to = float(costs[ends[0], cheapest]), (int(cheapest), ends[0]), 1 - to


def literal_edges(case: Case) -> list[float]:
    members = [np.flatnonzero(case.component == name) for name in np.unique(case.component)]
    costs = cost(literal_squares(case.points), case.core)
    first, second, heights = (part.tolist() for part in case.known)
    edges = list(zip(heights, first, second, strict=True))
    for number, (pair, begin) in enumerate(literal_pairs(case, members).items()):
        starts = literal_starts(case, members, pair, number) + [begin] * (begin >= 0)
        groups = members[pair[0]], members[pair[1]]
        edges += [literal_climb(costs, start, groups) for start in starts]
    name = case.component.tolist()
    taken = []
    for height, i, j in sorted(edges):
        if name[i] != name[j]:
            taken.append(height)
            name = [name[i] if each == name[j] else each for each in name]
    return taken


@pytest.mark.small
@pytest.mark.parametrize("kind", SHAPES)
def test_climbs_begin_at_the_farthest_point_and_at_random_ones(kind: str) -> None:
    case = make_case(kind)
    members = [np.flatnonzero(case.component == name) for name in np.unique(case.component)]
    groups = climbing._group(case.points, case.component)
    pairs, begin = climbing._choose_pairs(groups, case.core, case.lists, case.known, SEED)
    assert dict(zip(map(tuple, pairs.tolist()), begin, strict=True)) == literal_pairs(case, members)
    chosen = np.full((len(pairs), 9), -1, np.int32)
    climbing._choose_starts(case.points, groups, pairs, SEED, chosen)
    for number, pair in enumerate(pairs.tolist()):
        starts = literal_starts(case, members, tuple(pair), number)
        assert chosen[number].tolist() == starts + [-1] * (9 - len(starts))


@pytest.mark.small
@pytest.mark.parametrize("n_starts", [1, 8])
@pytest.mark.parametrize("kind", SHAPES)
def test_edges_are_those_of_one_climb_after_the_other(
    kind: str, n_starts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(climbing, "_RANDOM_STARTS", n_starts)
    case = make_case(kind)
    # Who asks is multiplied in parts.
    monkeypatch.setattr(climbing, "_BLOCK_ENTRIES", 200)
    blocks = make_blocks(case.points, 8)
    found = climb(blocks, case.core, case.lists, case.component, case.known, SEED, 1)
    costs = cost(literal_squares(case.points), case.core)
    assert found.heights.tolist() == costs[found.first, found.second].tolist()
    assert found.heights.tolist() == literal_edges(case)
