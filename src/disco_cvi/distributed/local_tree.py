"""The spanning tree of one block, and which of its edges are edges of the whole tree.

An edge costs the largest of its length and of the core distances of its ends, over all blocks. Let
all edges be ordered by cost, among equal ones those inside a block first, among these those of the
blocks' own trees first, and at last by some number. This order is strict, so it has one minimum
spanning tree T, which is a minimum spanning tree by cost as well.

**The blocks' own trees suffice.** An edge inside a block that is not in the block's own tree comes
after all edges of the path between its ends in that tree, so it is not in T. And for any set D of
points, the cheapest edge between D and the rest within a block is an edge of the block's own tree.
So whoever looks for edges that leave a set looks at the own trees and at other blocks only.

**Certified edges.** Let ``out[x]`` be no more than any edge from x to another block costs.
Kruskal's algorithm goes through the block's own tree by rising cost. Say it joins the sets C and D
by an edge e of cost w. If w is no more than ``out`` of every point of C, or of every point of D,
then e is an edge of T: inside the block no edge that leaves C comes before e, or Kruskal's
algorithm would have taken it; and edges to other blocks cost no less than w, and come later where
they cost the same. So e is the first of all edges that leave C (or D). The set C itself may have
been joined by edges that are not certified: a cut needs a set, nothing else. All certified edges
lie in T together, so they can be contracted. What they join is a *fragment*.

**Leaves first.** Most edges need no place in the order. Say x is a leaf of the block's own tree, at
the end of an edge of cost w to p, and ``out[x]`` is neither below w nor below ``out[p]``. The edge
is certified by the set of x alone. Whatever set holds x and more holds p too, so x does not lower
what its points have outside, and can be taken off the tree; then p may be a leaf. If so, the set is
that of p and of some points that were taken off before, none of which has less outside than p.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._spanning_tree.boruvka import Edges, root
from disco_cvi._spanning_tree.mutual_reachability import span_kd_tree
from disco_cvi._spanning_tree.node_cores import smallest_cores
from disco_cvi.distributed.block import Block, owners
from disco_cvi.distributed.boxes import Boxes, fragment_boxes, joined
from disco_cvi.distributed.walk import View, least_outside


class Local(NamedTuple):
    """What a block knows of its own tree.

    ``sure`` and ``unsure``: its edges, certified and not, between points of the block. ``out``:
    what an edge to another block costs at least, for each point.
    """

    sure: Edges
    unsure: Edges
    out: FloatArray
    fragment: NDArray[np.int32]


class Fragments(NamedTuple):
    """What others need to know of a block's fragments.

    ``n_points``: how many distinct points the block has. ``out``: the least that an edge to another
    block costs, for each fragment. ``edges``: the edges of the block's own tree that are not
    certified, between points of the block; ``first`` and ``second``: the fragments that they join.
    """

    n_points: int
    boxes: Boxes
    out: FloatArray
    edges: Edges
    first: NDArray[np.int32]
    second: NDArray[np.int32]


def least_cores(block: Block, core: FloatArray) -> FloatArray:
    """The least core distance over all blocks in each bucket, to go with the block's outline."""
    least = np.empty(len(block.tree.start))
    smallest_cores(block.tree, core, least)
    return least[block.buckets]


def span_block(
    block: Block,
    core: FloatArray,
    boxes: Sequence[Boxes],
    least: Sequence[FloatArray],
    elsewhere: Boxes,
) -> Local:
    """Span a block, and certify edges by what it sees of others.

    `boxes` and `least` are the outlines of blocks nearby and their least core distances;
    `elsewhere` are coarse boxes of all the others.
    """
    tree = block.tree
    nearest = block.own.nearest.copy()
    _forget_farther(tree, core, nearest)
    edges = span_kd_tree(tree, Neighbors(core, nearest), 1)
    near = [part._replace(least=values) for part, values in zip(boxes, least, strict=True)]
    seen = joined([*near, elsewhere])
    view = View(seen, owners([*near, elsewhere]), np.ones(len(seen.group), bool))
    # What costs more than every edge of this tree makes no difference to any of them.
    out = least_outside(tree, core, view, edges.heights.max(initial=0.0))
    is_sure, fragment = certify(edges, out)
    sure, unsure = (Edges._make(values[w] for values in edges) for w in (is_sure, ~is_sure))
    return Local(sure, unsure, out, fragment)


def certify(edges: Edges, out: FloatArray) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Tell which edges of a block's tree are edges of the whole, and the fragment of each point."""
    is_sure = np.zeros(len(edges.heights), bool)
    fragment = np.empty(len(out), np.int32)
    _certify_leaves(edges, out, is_sure)
    left = np.flatnonzero(~is_sure)
    # Stable: on any machine the same fragments.
    by_height = left[np.argsort(edges.heights[left], kind="stable")]
    _certify_sets(edges, by_height, out.copy(), is_sure)
    _join_fragments(edges, is_sure, fragment)
    return is_sure, fragment


def list_fragments(block: Block, core: FloatArray, local: Local) -> Fragments:
    """Tell others what the fragments of a block are."""
    boxes = fragment_boxes(block.tree, block.buckets, core, local.fragment)
    out = np.full(int(local.fragment.max()) + 1, np.inf)
    np.minimum.at(out, local.fragment, local.out)
    ends = (local.fragment[end] for end in local.unsure[:2])
    return Fragments(len(core), boxes, out, local.unsure, *ends)


def surrender(
    block: Block, core: FloatArray, local: Local
) -> tuple[NDArray[np.int32], NDArray[np.int32], FloatArray, Edges]:
    """Give away what makes the tree: rows, copies, core distances, certified edges."""
    return block.tree.rows, block.tree.multiplicity, core, local.sure


@kernel
def _forget_farther(tree, core, nearest):
    """Forget neighbors that are farther than the core distance over all blocks.

    Those that are left have edges that nothing can beat, as the first round supposes.
    """
    for i in range(nearest.shape[0]):
        for t in range(nearest.shape[1]):
            j = nearest[i, t]
            if j >= 0 and squared_distance(tree.points, i, j) > core[i]:
                nearest[i, t] = -1


@kernel
def _certify_leaves(edges, out, is_sure):
    """Take leaves off the tree as long as their edges can be certified by them alone.

    ``degree``: how many edges a point still has; ``edge``: the numbers of these, by exclusive or.
    """
    n_points = out.shape[0]
    degree = np.zeros(n_points, np.int32)
    edge = np.zeros(n_points, np.int32)
    for e in range(is_sure.shape[0]):
        for x in (edges.first[e], edges.second[e]):
            degree[x] += 1
            edge[x] ^= e
    for i in range(n_points):
        x = i
        # A point behind i is looked at when i comes to it.
        while x <= i and degree[x] == 1:
            e = edge[x]
            p = edges.second[e] if edges.first[e] == x else edges.first[e]
            if out[x] < edges.heights[e] or out[x] < out[p]:
                break
            is_sure[e] = True
            degree[x] = 0
            degree[p] -= 1
            edge[p] ^= e
            x = p


@kernel
def _certify_sets(edges, by_height, least, is_sure):
    """Join sets of points by rising height.

    `least` begins with what an edge to another block costs for each point, and is kept for the
    roots of the sets.
    """
    parent = np.arange(least.shape[0], dtype=np.int32)
    for e in by_height:
        a = root(parent, edges.first[e])
        b = root(parent, edges.second[e])
        is_sure[e] = edges.heights[e] <= max(least[a], least[b])
        parent[b] = a
        least[a] = min(least[a], least[b])


@kernel
def _join_fragments(edges, is_sure, fragment):
    """Number what the certified edges join, in the order of the first points."""
    parent = np.arange(fragment.shape[0], dtype=np.int32)
    for e in range(is_sure.shape[0]):
        if is_sure[e]:
            a = root(parent, edges.first[e])
            b = root(parent, edges.second[e])
            parent[max(a, b)] = min(a, b)
    n_fragments = 0
    for i in range(fragment.shape[0]):
        first = root(parent, i)
        if first == i:
            fragment[i] = n_fragments
            n_fragments += 1
        else:
            fragment[i] = fragment[first]
