"""Few points in trees of small nodes: every level, range and bound that many points would need."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from helpers import zoo
from helpers.spanning_trees import assert_right, solve

pytestmark = pytest.mark.small


def clumps(random: np.random.Generator, dimension: int) -> zoo.Points:
    """Clumps far apart: late rounds meet nodes within one component that nothing cheap leaves."""
    centers = random.uniform(-60, 60, (9, dimension))
    return centers[random.integers(0, 9, 90)] + random.normal(size=(90, dimension))


def lattice(random: np.random.Generator, dimension: int) -> zoo.Points:
    """Many equal distances, some copies, and gaps between the parts."""
    return random.integers(0, 5, (90, dimension)) + 9.0 * random.integers(0, 3, (90, 1))


def sizes(random: np.random.Generator, dimension: int) -> zoo.Points:
    """Dense points within sparse ones."""
    return random.normal(size=(90, dimension)) * 10.0 ** random.uniform(-3, 2, (90, 1))


@pytest.fixture(params=[1, 7])
def small_nodes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("disco_cvi._neighbors.kd_tree.LEAF_SIZE", 2)
    monkeypatch.setattr("disco_cvi._spanning_tree.boruvka._POINTS_PER_RANGE", request.param)


@pytest.mark.usefixtures("small_nodes")
@pytest.mark.parametrize("search", ["kd", "node pairs"])
@pytest.mark.parametrize("make", [clumps, lattice, sizes])
@pytest.mark.parametrize(("dimension", "min_points"), [(1, 1), (2, 1), (2, 4), (3, 2), (5, 3)])
def test_agrees_with_matrices(
    make: Callable[[np.random.Generator, int], zoo.Points],
    dimension: int,
    min_points: int,
    search: str,
) -> None:
    points = make(np.random.default_rng(dimension), dimension)
    assert_right(solve(points, min_points, search), points, min_points)
