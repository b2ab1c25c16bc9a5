"""What nodes tell of core distances outside of a component: by looking at all of their points."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._spanning_tree.node_cores import (
    find_node_cores,
    no_node_cores,
    node_components,
    smallest_cores,
)


@pytest.mark.small
@pytest.mark.parametrize("n_components", [1, 2, 3, 40])
def test_the_smallest_core_outside_of_every_component(n_components: int) -> None:
    generator = np.random.default_rng(n_components)
    tree = build_kd_tree(generator.normal(size=(150, 2)))
    n_points = len(tree.points)
    # Few values, so that many core distances are equal.
    core = generator.integers(0, 12, n_points).astype(float)
    component = generator.integers(0, n_components, n_points).astype(np.int32)
    nodes = no_node_cores(len(tree.start))
    find_node_cores(tree, core, component, nodes)
    for node, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        for own in range(n_components):
            outside = core[start:end][component[start:end] != own]
            is_main = nodes.component[node] == own
            found = nodes.elsewhere[node] if is_main else nodes.smallest[node]
            assert found == min(outside, default=np.inf)


@pytest.mark.small
@pytest.mark.parametrize("n_components", [1, 2, 40])
def test_the_smallest_core_and_the_component_of_all_points_of_a_node(n_components: int) -> None:
    generator = np.random.default_rng(n_components)
    tree = build_kd_tree(generator.normal(size=(150, 2)))
    core = generator.random(len(tree.points))
    # Neighbors in the tree are of one component, so that there are nodes of one, of every depth.
    component = np.sort(generator.integers(0, n_components, len(core))).astype(np.int32)
    smallest, common = np.empty(len(tree.start)), np.empty(len(tree.start), np.int32)
    smallest_cores(tree, core, smallest)
    node_components(tree, component, common)
    for node, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        assert smallest[node] == core[start:end].min()
        own = set(component[start:end].tolist())
        assert common[node] == (own.pop() if len(own) == 1 else -1)
