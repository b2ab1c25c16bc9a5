"""What nodes tell of core distances outside of a component: by looking at all of their points."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._spanning_tree.node_cores import find_node_cores, no_node_cores


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
