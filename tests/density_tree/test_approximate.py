"""Approximate density trees, as users ask for them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from disco_cvi import DensityTree, InvalidInputError, disco_score
from disco_cvi._neighbors.neighbor_graph import neighbor_graph
from disco_cvi._spanning_tree import approximate

pytestmark = pytest.mark.small


def some_points(n_points: int = 200, seed: int = 3) -> Any:
    generator = np.random.default_rng(seed)
    points = generator.normal(size=(n_points, 6)) + 5 * generator.integers(0, 3, (n_points, 1))
    points[-5:] = points[0]
    return points


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
def test_few_points_have_the_exact_tree(metric: str) -> None:
    X = some_points()
    exact = DensityTree(X, metric=metric)
    found = DensityTree(X, metric=metric, algorithm="approximate")
    assert (found.core_distances == exact.core_distances).all()
    assert (found.heights == exact.heights).all()


def test_copies_of_one_point_have_a_flat_tree() -> None:
    tree = DensityTree(np.full((6, 2), 0.1), algorithm="approximate")
    assert not tree.core_distances.any()
    assert tree.heights.tolist() == [0.0] * 5


@pytest.mark.parametrize(("min_points", "length"), [(2, 20), (4, 20), (5, 21), (30, 46)])
def test_lists_are_longer_than_core_distances_need(
    min_points: int, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def remember(blocks: Any, n_neighbors: int, *how: int) -> Any:
        asked.append(n_neighbors)
        return neighbor_graph(blocks, n_neighbors, *how)

    monkeypatch.setattr(approximate, "neighbor_graph", remember)
    _ = DensityTree(some_points(60), min_points=min_points, algorithm="approximate").heights
    assert asked == [length]


def test_all_forms_of_a_graph_give_one_tree() -> None:
    X = some_points()
    distances, indices = NearestNeighbors(n_neighbors=15).fit(X).kneighbors(X)
    missing = np.concatenate([indices, np.full((len(X), 2), -1)], axis=1)
    forms = [
        indices,
        (indices, distances),
        missing.astype(np.int64),
        kneighbors_graph(X, 15, include_self=True),
        csr_matrix(kneighbors_graph(X, 15, include_self=True, mode="distance")),
    ]
    trees = [DensityTree(X, algorithm="approximate", graph=graph) for graph in forms]
    exact = DensityTree(X)
    for tree in trees:
        assert (tree.core_distances == exact.core_distances).all()
        assert (tree.heights == trees[0].heights).all()
        assert (tree.heights >= exact.heights).all()


def test_a_short_list_repeats_its_last_entry() -> None:
    X = some_points(60)
    indices = NearestNeighbors(n_neighbors=20).fit(X).kneighbors(X, return_distance=False)
    indices[::3, 8:] = -1
    tree = DensityTree(X, algorithm="approximate", graph=indices)
    exact = DensityTree(X)
    assert (tree.core_distances == exact.core_distances).all()
    assert (tree.heights >= exact.heights).all()


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (np.zeros((3, 5), int), "one list for each of the 60 rows"),
        (np.full((60, 5), 60), "row numbers from 0 to 59, or -1 for nobody; got 60 in the list"),
        (np.full((60, 5), -2), "row numbers from 0 to 59"),
        (np.full((60, 5), -1), r"at least min_points \(5\) rows for each row.*got 1 for row 1"),
    ],
)
def test_wrong_graphs_are_refused(graph: Any, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        DensityTree(some_points(60), algorithm="approximate", graph=graph)


def test_a_graph_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match="graph of DensityTree"):
        DensityTree(some_points(60), algorithm="approximate", graph=np.zeros((60, 5)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "fast"}, "'exact', 'approximate'"),
        ({"graph": np.zeros((60, 5), int)}, "graph of DensityTree must be left out"),
        ({"algorithm": "approximate", "metric": "manhattan"}, "got 'manhattan'"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: Any, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        DensityTree(some_points(60), **options)


def test_the_tree_says_that_it_is_approximate(tmp_path: Path) -> None:
    X = some_points(60)
    tree = DensityTree(X, algorithm="approximate")
    tree.save(tmp_path / "tree.npz")
    for same in (tree, DensityTree.load(tmp_path / "tree.npz"), pickle.loads(pickle.dumps(tree))):
        assert same.algorithm == "approximate"
        assert "algorithm='approximate'" in repr(same)
        assert "approximate" in same._repr_html_()
        assert disco_score(same, X[:, 0] > 0) == disco_score(tree, X[:, 0] > 0)
        assert (same.dbscan(2.0, X=X) == tree.dbscan(2.0)).all()
    assert "algorithm" not in repr(DensityTree(X))
