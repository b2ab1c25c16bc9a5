"""What searches leave out: how many distances they look at, to points and to boxes, is frozen.

A bound that is left out or too weak changes no tree, only how long it takes. So these figures are
compared as they are: smaller ones are welcome, and greater ones need a reason. To freeze new ones,
run this test with the compiler off and copy what it says was found.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from disco_cvi._neighbors import core_distances
from disco_cvi._spanning_tree import leaving_edges, partners
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo

pytestmark = [
    pytest.mark.small,
    pytest.mark.skipif(not zoo.COMPILER_IS_OFF, reason="compiled kernels call nothing"),
]

COUNTED = {
    core_distances: ("squared_distance", "squared_distance_to_box", "is_inside"),
    partners: (
        "squared_distance",
        "squared_distance_to_box",
        "squared_distance_of_boxes",
        "core_outside",
        "is_inside",
        "is_box_inside",
    ),
    leaving_edges: ("squared_distance", "squared_distance_to_box", "squared_distance_of_boxes"),
}


def spread(n_points: int, dimension: int) -> zoo.Points:
    """Even in the unit cube, the same with every version of NumPy."""
    steps = np.array([0.7548776662466927, 0.5698402909980532, 0.4301597090019468])[:dimension]
    return (np.arange(1, n_points + 1)[:, None] * steps) % 1.0


def clumps(dimension: int) -> zoo.Points:
    centers = 40.0 * spread(7, dimension)
    return spread(150, dimension) + centers[np.arange(150) % 7]


def lattice(dimension: int) -> zoo.Points:
    """Many equal distances, in two parts of another density, and copies."""
    points = np.floor(12.0 * spread(200, dimension))
    points[::3] = 30.0 + 3.0 * points[::3]
    return points


def shell(dimension: int) -> zoo.Points:
    """Half of the points around the others, all about as far away."""
    points = spread(120, dimension) - 0.5
    points /= np.maximum(np.abs(points).max(axis=1), 1e-9)[:, None]
    points[::2] *= 1e-3
    return points


# By points and dimension, with how many leaves each point may meet by itself: the sums of figures
# of all min_points, module by module in the order of COUNTED.
FROZEN: dict[tuple[str, int, int], list[int]] = {
    ("clumps", 2, 64): [1709, 1607, 972, 2204, 4260, 4079, 9869, 1976, 1631, 0, 0, 0],
    ("clumps", 3, 1): [1722, 1650, 985, 10004, 4455, 2438, 7873, 1143, 962, 10796, 1576, 9774],
    ("clumps", 1, 0): [1350, 761, 675, 20131, 1535, 0, 1552, 0, 0, 16840, 1530, 19534],
    ("lattice", 2, 64): [1517, 1892, 1197, 859, 2183, 1784, 4918, 1631, 1147, 0, 0, 0],
    ("lattice", 1, 2): [48, 0, 48, 76, 290, 58, 462, 244, 80, 0, 0, 0],
    ("lattice", 3, 0): [1603, 2353, 1274, 7566, 2843, 0, 2856, 0, 0, 22036, 13542, 25376],
    ("shell", 2, 2): [1046, 1109, 812, 830, 2791, 1925, 5652, 1688, 954, 0, 0, 396],
    ("shell", 3, 0): [1060, 1122, 808, 6819, 1134, 0, 1134, 0, 0, 11294, 0, 10986],
}


def count_calls(patch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    calls: Counter[tuple[str, str]] = Counter()

    def counted(module: Any, name: str) -> Any:
        function = getattr(module, name)

        def call(*arguments: Any) -> Any:
            calls[module.__name__, name] += 1
            return function(*arguments)

        return call

    for module, names in COUNTED.items():
        for name in names:
            patch.setattr(module, name, counted(module, name))
    return calls


def figures(kind: str, dimension: int, allowed: int, patch: pytest.MonkeyPatch) -> list[int]:
    points = {"clumps": clumps, "lattice": lattice, "shell": shell}[kind](dimension)
    patch.setattr("disco_cvi._neighbors.kd_tree.LEAF_SIZE", 3)
    patch.setattr("disco_cvi._spanning_tree.boruvka._POINTS_PER_RANGE", 16)
    patch.setattr(leaving_edges, "_LEAVES_ALLOWED", allowed)
    calls = count_calls(patch)
    for min_points in (1, 4):
        minimum_spanning_tree(points.copy(), min_points, 1, "kd")
    return [calls[module.__name__, name] for module, names in COUNTED.items() for name in names]


@pytest.mark.parametrize(("kind", "dimension", "allowed"), FROZEN)
def test_no_search_looks_at_more_than_it_did(
    kind: str, dimension: int, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert figures(kind, dimension, allowed, monkeypatch) == FROZEN[kind, dimension, allowed]
