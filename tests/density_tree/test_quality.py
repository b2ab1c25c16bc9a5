"""What an approximate tree says of itself: the audit, against slow literal twins."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from disco_cvi import DensityTree, InvalidInputError

pytestmark = pytest.mark.small


def poor_tree() -> tuple[Any, DensityTree]:
    """Points, and a tree from lists that miss many near points."""
    generator = np.random.default_rng(4)
    X = generator.normal(size=(150, 5)) + 4 * generator.integers(0, 2, (150, 1))
    X[-3:] = X[0]
    graph = np.argsort(cdist(X, X), axis=1)[:, [0, 1, 3, 4, 6, 7, 9, 12, 15, 20, 30]]
    return X, DensityTree(X, algorithm="approximate", graph=graph)


def test_an_exact_tree_says_so() -> None:
    quality = DensityTree(poor_tree()[0]).quality
    assert str(quality) == "exact"


def test_the_audit_of_all_rows_is_what_a_matrix_of_distances_says() -> None:
    X, tree = poor_tree()
    distances = cdist(X, X)
    core = np.sort(distances, axis=1)[:, 4]
    wrong = tree.core_distances > core * (1 + 1e-12)
    costs = np.maximum(distances, np.maximum.outer(tree.core_distances, tree.core_distances))
    heights = tree.distance_matrix()
    np.fill_diagonal(costs, np.inf)
    shorter = costs < heights * (1 - 1e-12)
    quality = tree.quality
    assert quality.n_audited == 150
    assert 0 < quality.wrong_core == wrong.mean()
    share = wrong.mean()
    assert quality.wrong_core_error == pytest.approx(np.sqrt(share * (1 - share) / 150))
    assert quality.core_excess == pytest.approx((tree.core_distances / core - 1).mean())
    assert quality.shorter_ways == shorter.any(axis=1).mean()
    gap = np.where(shorter, (heights - costs) / np.where(shorter, heights, 1.0), 0.0).max()
    assert quality.largest_gap == pytest.approx(gap)


def test_shorter_ways_are_seen() -> None:
    """Two lines of points whose lists are blind for all but their line."""
    line = np.arange(40.0)[:, None]
    X = np.concatenate([np.hstack([line, 0 * line]), np.hstack([line, 0 * line + 1.5])])
    tree = DensityTree(X, min_points=2, algorithm="approximate")
    assert tree.quality.shorter_ways == 0.0
    parts = tree.parts
    joins = parts.line.joins.copy()
    joins[1:] *= 0.5
    joins[joins.argmax()] = 1.0
    worse = tree.__reduce__()[0](
        parts._replace(line=parts.line._replace(joins=joins)), tree._neighborhoods, None
    )
    assert worse.quality.shorter_ways > 0.0
    assert 0.0 < worse.quality.largest_gap <= 1.0


def test_a_tree_from_a_file_cannot_be_audited(tmp_path: Path) -> None:
    _, tree = poor_tree()
    assert pickle.loads(pickle.dumps(tree)).quality == tree.quality
    tree.save(tmp_path / "tree.npz")
    with pytest.raises(InvalidInputError, match="a tree from a file knows no points"):
        str(DensityTree.load(tmp_path / "tree.npz").quality)


def test_it_is_shown_in_words() -> None:
    _, tree = poor_tree()
    words = str(tree.quality)
    assert "None of this is a bound" in words
    assert "150 random rows" in words
    assert "random rows" in tree.quality._repr_html_()


def test_what_a_tree_says_of_itself_can_be_pickled() -> None:
    _, tree = poor_tree()
    assert pickle.loads(pickle.dumps(tree.quality)) == tree.quality
