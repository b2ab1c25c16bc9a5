"""What nodes tell of core distances outside of a component: by looking at all of their points."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._neighbors.kd_tree import KDTree, build_kd_tree
from disco_cvi._spanning_tree.node_cores import (
    find_node_cores,
    no_node_cores,
    node_components,
    parts_of_nodes,
    smallest_cores,
)


@pytest.mark.small
@pytest.mark.parametrize("size", [1, 7, 4096])
@pytest.mark.parametrize("n_components", [1, 2, 3, 40])
def test_the_smallest_core_outside_of_every_component(
    n_components: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi._spanning_tree.node_cores._NODES_PER_PART", size)
    generator = np.random.default_rng(n_components)
    tree = build_kd_tree(generator.normal(size=(150, 2)))
    n_points = len(tree.points)
    # Few values, so that many core distances are equal.
    core = generator.integers(0, 12, n_points).astype(float)
    component = generator.integers(0, n_components, n_points).astype(np.int32)
    nodes = no_node_cores(len(tree.start))
    for part in parts_of_nodes(tree):
        find_node_cores(tree, core, component, nodes, part)
    for node, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        for own in range(n_components):
            outside = core[start:end][component[start:end] != own]
            is_main = nodes.component[node] == own
            found = nodes.elsewhere[node] if is_main else nodes.smallest[node]
            assert found == min(outside, default=np.inf)


@pytest.mark.small
@pytest.mark.parametrize("n_points", [1, 40, 300])
def test_parts_of_nodes_need_nothing_of_each_other(
    n_points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build_kd_tree(np.random.default_rng(0).normal(size=(n_points, 2)))
    n_nodes = len(tree.right)
    for size in range(1, n_nodes + 1):
        monkeypatch.setattr("disco_cvi._spanning_tree.node_cores._NODES_PER_PART", size)
        *parts, last = (part.tolist() for part in parts_of_nodes(tree))
        assert sorted(sum(parts, last)) == list(range(n_nodes))
        for part in parts:
            for place, node in enumerate(part):
                if tree.right[node] > 0:
                    assert {node + 1, tree.right[node]} <= set(part[:place])
        # No more than must be are left to one thread: those with nodes below them in two parts.
        crossing = [
            node for node in range(n_nodes) if node // size != last_below(tree, node) // size
        ]
        assert last == crossing[::-1]


def last_below(tree: KDTree, node: int) -> int:
    while tree.right[node] > 0:
        node = int(tree.right[node])
    return node


@pytest.mark.small
@pytest.mark.parametrize("n_components", [1, 2, 40])
def test_the_smallest_core_and_the_component_of_all_points_of_a_node(n_components: int) -> None:
    generator = np.random.default_rng(n_components)
    tree = build_kd_tree(generator.normal(size=(150, 2)))
    core = generator.random(len(tree.points))
    # Neighbors in the tree are of one component, so that there are nodes of one, of every depth.
    component = np.sort(generator.integers(0, n_components, len(core))).astype(np.int32)
    component[tree.start[-1] + 1] = 0  # among others the second of a leaf
    smallest, common = np.empty(len(tree.start)), np.empty(len(tree.start), np.int32)
    smallest_cores(tree, core, smallest)
    node_components(tree, component, common)
    for node, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        assert smallest[node] == core[start:end].min()
        own = set(component[start:end].tolist())
        assert common[node] == (own.pop() if len(own) == 1 else -1)
