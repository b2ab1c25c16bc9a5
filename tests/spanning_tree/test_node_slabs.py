"""Bounds by slabs: never above the distance of two points, and close to it where nodes are flat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.kd_tree import KDTree, build_kd_tree
from disco_cvi._spanning_tree.node_slabs import NodeSlabs, find_slabs, squared_distance_of_slabs
from helpers import zoo


@kernel
def slab_bound(slabs: NodeSlabs, a: int, b: int) -> Any:
    return squared_distance_of_slabs(slabs, a, b)


def nearest(tree: KDTree, a: int, b: int) -> float:
    """The smallest squared distance between points of two nodes."""
    one, other = (tree.points[tree.start[node] : tree.end[node]] for node in (a, b))
    return float(((one[:, None] - other) ** 2).sum(axis=2).min())


def assert_bounds(tree: KDTree, slabs: NodeSlabs) -> None:
    for a in range(len(tree.start)):
        for b in range(len(tree.start)):
            assert slab_bound(slabs, a, b) <= nearest(tree, a, b)


@pytest.mark.small
def test_no_bound_is_too_large() -> None:
    for points in zoo.POINTS.values():
        tree = build_kd_tree(points.copy())
        assert_bounds(tree, find_slabs(tree, 1))


@pytest.mark.small
@zoo.examples(30)
@given(case=zoo.cases())
def test_no_bound_is_too_large_on_random_points(case: zoo.Case) -> None:
    tree = build_kd_tree(case.points.copy())
    assert_bounds(tree, find_slabs(tree, 1))


@pytest.mark.small
@pytest.mark.parametrize("dimension", [2, 3, 5])
@pytest.mark.parametrize("size", [1e-100, 1.0, 2.0**498])
def test_pieces_of_tilted_planes_are_seen_to_be_flat(dimension: int, size: float) -> None:
    generator = np.random.default_rng(dimension)
    points = generator.uniform(size=(200, dimension))
    points[:, 0] = np.arange(200) % 2
    turned, _ = np.linalg.qr(generator.normal(size=(dimension, dimension)))
    tree = build_kd_tree(points @ turned * size)
    slabs = find_slabs(tree, 1)
    assert_bounds(tree, slabs)
    pure = [
        node
        for node, (start, end) in enumerate(zip(tree.start, tree.end, strict=True))
        if np.ptp(tree.points[start:end] @ turned[0]) < 1e-9 * size
    ]
    assert len(pure) > 10
    assert (slabs.thickness[pure] < 1e-9 * size).all()
    # One plane is as far from the other as any two points of them.
    sides = [round(float(tree.points[tree.start[node]] @ turned[0] / size)) for node in pure]
    below, above = (
        [node for node, side in zip(pure, sides, strict=True) if side == which] for which in (0, 1)
    )
    close = 0
    for a in below:
        for b in above:
            close += slab_bound(slabs, a, b) > 0.2 * size**2
    assert close > len(below) * len(above) / 2
