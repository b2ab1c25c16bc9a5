"""How many distances searches look at, of some named points: figures that are frozen.

A bound that is left out or too weak changes no tree and no graph, only how long they take. So what
is looked at is counted, by kernels that are not compiled, and compared with what it was.
``NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python -m helpers.effort`` writes tests/house/effort.json
anew: smaller figures are welcome, greater ones need a reason.
"""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi._neighbors import counted_neighbors
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.products import make_blocks
from disco_cvi._neighbors.random_trees import collapse_copies
from disco_cvi._spanning_tree.approximate import span_by_graph
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo

FROZEN = Path(__file__).resolve().parents[1] / "house" / "effort.json"
COUNTED = {
    "_neighbors.core_distances": "squared_distance squared_distance_to_box is_inside",
    "_neighbors.counted_neighbors": "squared_distance squared_distance_to_box",
    "_neighbors.neighbor_graph": "squared_distance offer _is_listed _note_near least_difference"
    " at_least",
    "_spanning_tree.partners": "squared_distance squared_distance_to_box core_outside is_inside"
    " squared_distance_of_boxes is_box_inside",
    "_spanning_tree.leaving_edges": "squared_distance squared_distance_to_box"
    " squared_distance_of_boxes",
    "_spanning_tree.climbing": "squared_distance at_least _find_partners",
}


def _spread(n_points: int, dimension: int, parts: int = 64) -> zoo.Points:
    """Even in the unit cube, at 64ths or so: the same figures with any NumPy and any BLAS."""
    steps = np.array([0.7548776662466927, 0.5698402909980532, 0.4301597090019468])[:dimension]
    places = np.arange(1, n_points + 1)[:, None] * steps % 1.0
    return np.asarray(np.floor(parts * places) / parts)


def _clumps(dimension: int) -> zoo.Points:
    centers = 40.0 * _spread(7, dimension)
    return _spread(150, dimension) + centers[np.arange(150) % 7]


def _lattice(dimension: int) -> zoo.Points:
    """Many equal distances, in two parts of another density, and copies."""
    points = np.floor(12.0 * _spread(200, dimension))
    points[::3] = 30.0 + 3.0 * points[::3]
    return points


def _shell(dimension: int) -> zoo.Points:
    """Half of the points around the others, all about as far away."""
    points = _spread(120, dimension) - 0.5
    points /= np.maximum(np.abs(points).max(axis=1), 2.0**-9)[:, None]
    points[::2] *= 2.0**-9
    return points


def _even(dimension: int) -> zoo.Points:
    return _spread(200, dimension, 4096)


def _cantor_dust(dimension: int) -> zoo.Points:
    """Gaps of every size: bits of even numbers taken for digits to the base of 3."""
    numbers = (4096 * _even(dimension)).astype(np.int64)
    return np.asarray(sum(2.0 * 3.0**place * (numbers >> place & 1) for place in range(12)))


def _tilted_planes(dimension: int) -> zoo.Points:
    """Two parallel planes that no axis is square to, turned without rounding."""
    points = _even(dimension)
    points[:, 0] = np.arange(200) % 2
    turned = {2: [[3, 4], [-4, 3]], 3: [[1, 2, 2], [2, 1, -2], [2, -2, 1]]}[dimension]
    # Sums one by one: no BLAS.
    return np.asarray(sum(points[:, [i]] * np.array(turned[i], float) for i in range(dimension)))


# A few trees, and rounds until nobody is new.
_GRAPH = {"N_TREES": 2, "LEAF_SIZE": 16, "WIDTH": 3, "N_ROUNDS": 5, "SHARE_NEW": 0.0}
POINTS = {
    "clumps": _clumps,
    "lattice": _lattice,
    "shell": _shell,
    "even": _even,
    "Cantor-dust": _cantor_dust,
    "tilted-planes": _tilted_planes,
}
WORST = ("Cantor-dust", "tilted-planes")
# Points, dimension, and how many leaves each point may meet by itself.
_TREES = [
    ("clumps", 2, 64),
    ("clumps", 3, 1),
    ("clumps", 1, 0),
    ("lattice", 2, 64),
    ("lattice", 1, 2),
    ("lattice", 3, 0),
    ("shell", 2, 2),
    ("shell", 3, 0),
]
# The same searches where points are worst, and where they are best.
_TREES += [(name, d, allowed) for name in ("even", *WORST) for d in (2, 3) for allowed in (64, 1)]
# Points, dimension, and min_points: half of all, and many.
_CORES = [(name, d, k) for name in ("even", *WORST) for d in (2, 3) for k in (100, 40)]
_GRAPHS = [("clumps", 2), ("clumps", 3), ("lattice", 2), ("lattice", 3)]
CASES = [f"tree of {name} {d} {allowed}" for name, d, allowed in _TREES]
CASES += [f"cores of {name} {d} {min_points}" for name, d, min_points in _CORES]
CASES += [f"graph of {name} {d}" for name, d in _GRAPHS]


def figures(case: str, patch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often each of the counted functions is called."""
    what, _, name, dimension, *further = case.split()
    points = POINTS[name](int(dimension))
    calls: Counter[str] = Counter()
    for module, names in COUNTED.items():
        for function in names.split():
            _count(calls, module, function, patch)
    if what == "tree":
        _span(points, int(further[0]), patch)
    elif what == "cores":
        calls["looks"] = _count_neighbors(points, int(further[0]), patch)
    else:
        _join_neighbors(points, patch)
    return dict(sorted(calls.items()))


def _count(calls: Counter[str], module: str, name: str, patch: pytest.MonkeyPatch) -> None:
    inside = import_module(f"disco_cvi.{module}")
    function = getattr(inside, name)

    def call(*arguments: Any) -> Any:
        calls[f"{module}.{name}"] += 1
        return function(*arguments)

    patch.setattr(inside, name, call)


def _span(points: zoo.Points, allowed: int, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("disco_cvi._neighbors.kd_tree.LEAF_SIZE", 3)
    patch.setattr("disco_cvi._spanning_tree.boruvka._POINTS_PER_RANGE", 16)
    patch.setattr("disco_cvi._spanning_tree.leaving_edges._LEAVES_ALLOWED", allowed)
    for min_points in (1, 4):
        minimum_spanning_tree(points.copy(), min_points, 1, "kd")


def _count_neighbors(points: zoo.Points, min_points: int, patch: pytest.MonkeyPatch) -> int:
    """Core distances for so many min_points that neighbors are counted; how many were looked at."""
    patch.setattr("disco_cvi._neighbors.kd_tree.LEAF_SIZE", 3)
    patch.setattr("disco_cvi._neighbors.core_distances.COUNTED", 30)
    looks = []
    count_node: Any = counted_neighbors.count_node

    def count(*arguments: Any) -> None:
        looks.append(count_node(*arguments)[0])

    patch.setattr(counted_neighbors, "count_node", count)
    neighbors_by_kd_tree(build_kd_tree(points.copy()), min_points, 1)
    return int(sum(looks))


def _join_neighbors(points: zoo.Points, patch: pytest.MonkeyPatch) -> None:
    """A graph of trees and rounds, and a spanning tree of its shorter lists, which has to climb."""
    for name, value in _GRAPH.items():
        patch.setattr(f"disco_cvi._neighbors.neighbor_graph._{name}", value)
    patch.setattr("disco_cvi._spanning_tree.approximate._MOST_ASKING", 10)
    distinct = collapse_copies(points)
    blocks = make_blocks(distinct.points, 5)
    lists = neighbor_graph(blocks, 5, 1, 1)
    kept = [0, 1, 2, 4]
    short = NeighborLists(lists.numbers[:, kept].copy(), lists.squares[:, kept].copy())
    span_by_graph(distinct, blocks, short, 3, 1, 1)


def frozen() -> dict[str, dict[str, int]]:
    """The figures of all cases as they were."""
    found: dict[str, dict[str, int]] = json.loads(FROZEN.read_text(encoding="utf-8"))
    return found


def freeze() -> None:
    """Write the figures anew."""
    assert zoo.COMPILER_IS_OFF, "kernels that are compiled call nothing that could be counted"
    found = {}
    for case in CASES:
        with pytest.MonkeyPatch.context() as patch:
            found[case] = figures(case, patch)
    FROZEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    freeze()
