"""Which modules are changed, and which tests must notice."""

from __future__ import annotations

from typing import NamedTuple

_EFFORT = "tests/house/test_effort.py"
_NEIGHBORS = ("tests/neighbors", "tests/spanning_tree/test_mutual_reachability.py", _EFFORT)
_SPANNING = (
    _EFFORT,
    "tests/spanning_tree",
    "tests/density_tree/test_build.py",
    "tests/density_tree/test_tree.py",
    "tests/density_tree/test_trees.py",
)
_APPROXIMATE = (
    _EFFORT,
    "tests/neighbors/test_neighbor_graph.py",
    "tests/neighbors/test_random_trees.py",
    "tests/spanning_tree/test_approximate.py",
    "tests/spanning_tree/test_climbing.py",
    "tests/spanning_tree/test_quality_parts.py",
    "tests/density_tree/test_approximate.py",
    "tests/density_tree/test_quality.py",
)
_TREE = (
    "tests/density_tree/test_condensing.py",
    "tests/density_tree/test_cuts.py",
    "tests/density_tree/test_leaf_order.py",
    "tests/density_tree/test_nearest_cluster.py",
    "tests/density_tree/test_nodes.py",
    "tests/density_tree/test_paths.py",
    "tests/density_tree/test_tournament.py",
    "tests/density_tree/test_tree.py",
    "tests/density_tree/test_trees.py",
)
_SCORES = ("tests/indices/test_disco.py", "tests/indices/test_pair.py")

# Folder of the package, names of modules, tests.
_TABLE: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "exact": (
        ("_neighbors", "core_distances kd_growth kd_tree", _NEIGHBORS),
        ("_spanning_tree", "boruvka every_min_points few_points mutual_reachability", _SPANNING),
        ("_spanning_tree", "leaving_edges node_cores node_slabs partners", _SPANNING),
        (
            "density_tree",
            "clusterings condensing cuts distances eps_scores leaf_order nodes paths size_scores",
            _TREE,
        ),
        ("density_tree", "nearest_cluster tournament walks", (*_TREE, *_SCORES)),
        ("indices", "disco pair", _SCORES),
    ),
    "approximate": (
        ("_neighbors", "neighbor_graph random_trees", _APPROXIMATE),
        ("_spanning_tree", "approximate climbing quality", _APPROXIMATE),
    ),
}


class Subject(NamedTuple):
    """A module by its import name, and files or folders of tests."""

    module: str
    tests: tuple[str, ...]


GROUPS: dict[str, tuple[Subject, ...]] = {
    group: tuple(
        Subject(f"disco_cvi.{folder}.{name}", tests)
        for folder, names, tests in rows
        for name in names.split()
    )
    for group, rows in _TABLE.items()
}
