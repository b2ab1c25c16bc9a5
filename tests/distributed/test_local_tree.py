"""Bounds and certified edges of one block, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._spanning_tree.boruvka import Edges
from disco_cvi.distributed.boxes import bucket_boxes, bucket_nodes
from disco_cvi.distributed.local_tree import certify
from disco_cvi.distributed.walk import View, least_outside

pytestmark = pytest.mark.small
Numbers = NDArray[np.float64]


def certify_by_definition(edges: Edges, out: Numbers) -> list[bool]:
    """Kruskal's algorithm with sets."""
    sets = [{point} for point in range(len(out))]
    is_sure = [False] * len(edges.heights)
    for e in np.argsort(edges.heights, kind="stable"):
        one, other = sets[edges.first[e]], sets[edges.second[e]]
        least = [min(out[point] for point in points) for points in (one, other)]
        is_sure[e] = bool(edges.heights[e] <= max(least))
        one |= other
        for point in other:
            sets[point] = one
    return is_sure


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.sampled_from([2, 4, 1000]))
def test_certified_edges_are_those_of_the_definition(seed: int, n: int, n_values: int) -> None:
    draw = np.random.default_rng(seed)
    names = draw.permutation(n).astype(np.int32)
    first = np.array([names[draw.integers(i)] for i in range(1, n)], np.int32)
    edges = Edges(first, names[1:], draw.integers(0, n_values, n - 1).astype(np.float64))
    out = draw.integers(0, n_values, n).astype(np.float64)
    is_sure, fragment = certify(edges, out)
    assert is_sure.tolist() == certify_by_definition(edges, out)
    assert len(np.unique(fragment)) == n - is_sure.sum()
    assert (fragment[edges.first] == fragment[edges.second])[is_sure].all()


def test_one_of_two_sets_is_enough() -> None:
    ends = np.array([0, 1, 2], np.int32), np.array([1, 2, 3], np.int32)
    is_sure, fragment = certify(
        Edges(*ends, np.array([0.5, 1.0, 0.2])), np.array([1.5, 3.0, 0.1, 0.05])
    )
    assert is_sure.tolist() == [True, True, False]
    assert fragment.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("ceiling", [0.0, 0.3, 1.0, 30.0])
def test_what_lies_outside_costs_no_less_than_said(ceiling: float) -> None:
    draw = np.random.default_rng(0)
    own = build_kd_tree(draw.random((80, 2)))
    other = build_kd_tree(draw.random((400, 2)) + [1.2, 0.0])
    core, others_core = draw.random(80) / 9, draw.random(len(other.points)) / 9
    buckets = bucket_nodes(other)
    boxes = bucket_boxes(other, buckets, others_core)
    parts = [slice(other.start[node], other.end[node]) for node in buckets]
    boxes = boxes._replace(least=np.array([others_core[part].min() for part in parts]))
    view = View(boxes, np.zeros(len(parts), np.int32), np.ones(len(parts), bool))
    found = least_outside(own, core, view, ceiling)
    squares = ((own.points[:, None] - other.points) ** 2).sum(axis=2)
    costs = np.maximum(np.maximum(squares, others_core), core[:, None]).min(axis=1)
    assert (found <= costs).all()
    assert (found >= core).all()


def test_boxes_hold_their_buckets() -> None:
    draw = np.random.default_rng(0)
    tree = build_kd_tree(draw.integers(0, 40, (1500, 2)).astype(np.float64))
    most = draw.random(len(tree.points))
    buckets = bucket_nodes(tree)
    assert len(buckets) > 3
    boxes = bucket_boxes(tree, buckets, most)
    parts = [slice(tree.start[node], tree.end[node]) for node in buckets]
    assert boxes.most.tolist() == [most[part].max() for part in parts]
    assert boxes.points.tolist() == [tree.multiplicity[part].sum() for part in parts]
    assert boxes.lower.tolist() == [tree.points[part].min(axis=0).tolist() for part in parts]
    assert sum(boxes.points) == 1500
