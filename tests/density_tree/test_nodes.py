"""Nodes of the tree: against their definition, and sums that do not show the order of children."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi.density_tree.nodes import Nodes, find_nodes
from helpers import zoo


def line_of(heights: list[float]) -> NDArray[np.float64]:
    """Return a line of leaves by the heights between them."""
    return np.array([0.0, *heights])


def literal_nodes(joins: list[float], begin: int, stop: int) -> list[tuple[int, int]]:
    """All nodes of the leaves begin to stop - 1 as (begin, stop), each before its children."""
    if stop - begin < 2:
        return []
    height = max(joins[begin + 1 : stop])
    cuts = [begin, *(p for p in range(begin + 1, stop) if joins[p] == height), stop]
    return [(begin, stop), *(v for part in pairwise(cuts) for v in literal_nodes(joins, *part))]


def children_of(nodes: Nodes, v: int) -> list[int]:
    found: list[int] = nodes.children[nodes.first_child[v] : nodes.first_child[v + 1]].tolist()
    return found


@pytest.mark.small
@zoo.examples(300)
@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.5, 7.0]), max_size=30))
def test_nodes_are_those_of_the_definition(heights: list[float]) -> None:
    joins = line_of(heights)
    nodes = find_nodes(joins)
    found = list(zip(nodes.begin.tolist(), nodes.stop.tolist(), strict=True))
    assert sorted(found) == sorted(literal_nodes(joins.tolist(), 0, len(joins)))
    for v, (begin, stop) in enumerate(found):
        inside = joins[begin + 1 : stop]
        assert nodes.height[v] == inside.max()
        assert nodes.parent[v] < v
        children = children_of(nodes, v)
        assert all(nodes.parent[child] == v for child in children)
        sizes = [int(nodes.stop[child] - nodes.begin[child]) for child in children]
        assert sizes == sorted(sizes, reverse=True)
        assert nodes.second[v] == (sizes[1] if len(sizes) > 1 else 1)
        end = v
        while children_of(nodes, end):
            assert children_of(nodes, end)[0] == end + 1
            end += 1
        assert nodes.path_end[v] == end
        pairs = [max(inside[i:j]) for i in range(len(inside)) for j in range(i + 1, stop - begin)]
        exact = sum(map(Fraction, pairs), Fraction(0)) / len(pairs)
        assert nodes.mean[v] == pytest.approx(float(exact), rel=1e-15)
    for leaf in range(len(joins) if found else 0):
        around = [v for v, (begin, stop) in enumerate(found) if begin <= leaf < stop]
        assert nodes.around[leaf] == max(around)


def shuffled_line(heights: NDArray[np.float64], random: np.random.Generator) -> list[float]:
    """Return the joins in three parts and between them, the parts in any order at all levels.

    The first of the heights is that of the joins between the parts, the others are those of the
    first part, the second and the third; a part with one height has six leaves. One leaf more
    joins a little higher, so that a sum of the parts shows as it is.
    """
    if len(heights) == 1:
        return [float(heights[0])] * 5
    below = [shuffled_line(part, random) for part in np.split(heights[1:], 3)]
    first, second, third = (below[t] for t in random.permutation(3))
    height = float(heights[0])
    return [*first, height, *second, height, *third, 1.01 * height]


@pytest.mark.small
@pytest.mark.parametrize("seed", range(5))
def test_means_do_not_show_the_order_of_children(seed: int) -> None:
    random = np.random.default_rng(seed)
    heights = np.zeros(0)
    for level in range(5):
        own = 2 * level + 1 + random.random(3 ** (4 - level))
        parts = np.split(heights, len(own))
        heights = np.concatenate([[x, *part] for x, part in zip(own, parts, strict=True)])
    found = set()
    for _ in range(5):
        nodes = find_nodes(line_of(shuffled_line(heights, random)))
        assert len(nodes.mean) == len(heights) + 40
        found.add(np.sort(nodes.mean).tobytes())
    assert len(found) == 1
