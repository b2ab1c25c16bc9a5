"""The candidates: which values of eps, min_cluster_size and k are tried."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi import DensityTree
from disco_paper.cells.cell import Scope, spec
from disco_paper.cells.labelings import make_labels
from disco_paper.cells.source import Source
from disco_paper.choosing.candidates import (
    ARENAS,
    LABELINGS,
    N_EPS,
    cluster_sizes,
    eps_grid,
)
from disco_paper.choosing.made import SHAPES


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(spec("nested", seed=0), *SHAPES["nested"](seed=0))


def test_eps_lie_between_the_changes_of_the_tree(source: Source) -> None:
    tree = source.density_tree(5)
    grid = eps_grid(tree)
    assert grid.shape == (N_EPS,)
    assert (np.diff(grid) <= 0).all()
    changes = np.unique(np.concatenate([tree.heights, tree.core_distances]))
    assert not np.isin(grid, changes).any()
    # All points are core points at the greatest; two clusters or more are left.
    assert tree.heights.max() > grid[0] > np.sort(tree.heights)[-2]
    assert (tree.core_distances <= grid[-1]).mean() < 0.05


def test_eps_depend_on_neither_order_nor_call(source: Source) -> None:
    shuffled = np.random.default_rng(0).permutation(len(source.points))
    other = eps_grid(DensityTree(source.points[shuffled], min_points=5))
    np.testing.assert_array_equal(eps_grid(source.density_tree(5)), other)


def test_identical_points_have_one_eps() -> None:
    assert set(eps_grid(DensityTree(np.zeros((6, 1)), min_points=5)).tolist()) == {0.0}


def test_sizes_of_clusters() -> None:
    sizes = cluster_sizes(2000)
    assert (sizes[0], sizes[-1], len(sizes)) == (5, 200, 10)
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", ARENAS)
def test_candidates_of_an_arena(name: str, source: Source) -> None:
    arena = ARENAS[name]
    quick = arena.candidates(Scope(quick=True))
    assert set(quick) < set(arena.candidates(Scope()))
    for labeling in (quick[0], quick[-1]):
        labels = make_labels(labeling, source, LABELINGS)
        again = make_labels(labeling, Source(source.data, source.points, source.truth), LABELINGS)
        np.testing.assert_array_equal(labels, again)


@pytest.mark.parametrize("k", [2, 8, 20])
def test_ward_has_so_many_clusters(k: int, source: Source) -> None:
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.metrics import adjusted_rand_score

    labels = make_labels(spec("ward of one tree", k=k), source, LABELINGS)
    assert sorted(set(labels.tolist())) == list(range(k))
    theirs = AgglomerativeClustering(k, linkage="ward").fit_predict(source.points)
    assert adjusted_rand_score(labels, theirs) == 1.0
