"""Whether to search a round in the k-d tree or by matrix products.

Neighbors may be easy to find in a k-d tree where other components are not: clusters that lie far
apart in many dimensions are far from each other's boxes, too, but hardly farther than these are
wide, so a search meets all of them. Both ways find the same edges, so each round is free to choose.
"""

from __future__ import annotations

import numpy as np

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import Progress
from disco_cvi._compute.threads import limit_blas
from disco_cvi._neighbors.kd_tree import STACK_SIZE, KDTree, squared_distance_to_box
from disco_cvi._neighbors.products import Blocks, make_blocks, n_at_once
from disco_cvi._neighbors.search_choice import ALWAYS_KD, is_hard_to_leave
from disco_cvi._spanning_tree.boruvka import Forest
from disco_cvi._spanning_tree.by_lists import searching
from disco_cvi._spanning_tree.by_products import ask_products
from disco_cvi._spanning_tree.node_cores import NodeCores, core_outside
from disco_cvi._spanning_tree.partners import search_partners

_SAMPLES = 16
# Of fewer coordinates, or where one point in more than so many searches, a choice is not worth its
# cost.
_FEW_COORDINATES = 8000
_SEARCHING_SHARE = 50


class RoundChoice:
    """Looks at each round of a search in a k-d tree, and takes over what costs too much there."""

    def __init__(self, tree: KDTree, nodes: NodeCores, n_jobs: int) -> None:
        self._tree = tree
        self._nodes = nodes
        self._n_jobs = n_jobs
        self._blocks: Blocks | None = None

    def takes_over(self, forest: Forest, bar: Progress) -> bool:
        """Search this round by products, if that costs less; return whether it did.

        A sample of the points that search does so in the tree, and keeps what it finds.
        """
        n_points, dimension = self._tree.points.shape
        if dimension <= ALWAYS_KD or n_points * dimension < _FEW_COORDINATES:
            return False
        asking = searching(forest)
        if len(asking) * _SEARCHING_SHARE < n_points:
            return False
        n_samples = min(_SAMPLES, 1 + len(asking) // _SEARCHING_SHARE)
        sample = asking[:: -(-len(asking) // n_samples)]
        met = 0
        for i in sample.tolist():
            search_partners(self._tree, self._nodes, forest, i, i + 1, n_points)
            # Nothing beats an edge as cheap as the core distance: no search goes on from there.
            if forest.bound[i] > forest.core[i]:
                met += _points_within(self._tree, self._nodes, forest, i)
        n_to_make = n_at_once(n_points) if self._blocks is None else 0
        if not is_hard_to_leave(n_points, dimension, met / len(sample), n_to_make / len(asking)):
            return False
        with limit_blas(self._n_jobs):
            if self._blocks is None:
                self._blocks = make_blocks(self._tree.points, _SAMPLES)
            ask_products(self._blocks, forest, searching(forest), self._n_jobs, bar)
        return True


@kernel
def _points_within(tree, nodes, forest, i):
    """How many points a search for an edge below the bound of point i must meet."""
    own, limit = forest.component[i], forest.bound[i]
    waiting = np.empty(STACK_SIZE, np.int32)
    waiting[0] = 0
    n_waiting = 1
    met = 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if core_outside(nodes, node, own) >= limit:
            continue
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) >= limit:
            continue
        if tree.right[node] == 0:
            met += tree.end[node] - tree.start[node]
            continue
        waiting[n_waiting] = tree.right[node]
        waiting[n_waiting + 1] = node + 1
        n_waiting += 2
    return met
