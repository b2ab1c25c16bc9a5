"""Every index against its literal twin, scikit-learn, and plain matrices.

DISCO, pair score and DBCV are compared with theirs in files of their own.
"""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import dunn_score, generalized_dunn_score
from helpers import zoo
from helpers.twins import (
    INDICES,
    OPTIONS,
    TWINS,
    assert_agrees,
    blobs,
    drawn_options,
    nth_options,
)

every_twin = pytest.mark.parametrize("name", TWINS)
# Twins of exact fractions are slow; these indices are compared with others below.
EXACT = {"calinski_harabasz", "davies_bouldin", "dunn", "generalized_dunn"}


@pytest.mark.small
@every_twin
@zoo.examples(150)
@given(data=st.data(), case=zoo.cases(most=30))
def test_agrees_with_the_definition(name: str, data: st.DataObject, case: zoo.Case) -> None:
    assert_agrees(name, case.points, case.labels, **data.draw(drawn_options(name)))


@every_twin
def test_agrees_with_the_definition_on_named_points(name: str) -> None:
    n_options = max([len(values) for values in OPTIONS.get(name, {}).values()], default=1)
    for points in zoo.POINTS.values():
        for number in range(2 if name in EXACT else max(3, n_options)):
            options = nth_options(name, number)
            assert_agrees(name, points, zoo.many_labels(len(points), number), **options)
            assert_agrees(name, points, np.arange(len(points)) % 2, **options)


@pytest.mark.parametrize("dimension", [1, 2, 8, 40])
@pytest.mark.parametrize("name", [name for name in TWINS if name not in EXACT])
def test_agrees_with_the_definition_on_larger_clusters(name: str, dimension: int) -> None:
    # More points than a block or a leaf holds.
    random = np.random.default_rng(dimension)
    labels = random.integers(-1, 30, 260)
    labels = np.where(labels < 26, labels % 4 - 1, labels)
    points = random.normal(size=(260, dimension)) + 3 * labels[:, None] / np.sqrt(dimension)
    assert_agrees(name, points, labels, **nth_options(name, 0))
    assert_agrees(name, np.round(points), labels, **nth_options(name, 1))


@pytest.mark.parametrize("dimension", [1, 2, 30])
@pytest.mark.parametrize("name", ["silhouette", "calinski_harabasz", "davies_bouldin"])
def test_equals_scikit_learn(name: str, dimension: int) -> None:
    info = INDICES[name]
    # There, a lower Davies-Bouldin is a score, too.
    peer = getattr(sklearn.metrics, info.function_name.replace("_index", "_score"))
    for seed in range(3):
        points, labels = blobs(400, dimension, seed)
        inside = labels >= 0
        expected = peer(points[inside], labels[inside])
        assert info.function(points, labels, noise="filter") == pytest.approx(expected, rel=1e-9)
        # To scikit-learn, -1 is a cluster like any other.
        found = info.function(points, labels, noise="cluster")
        assert found == pytest.approx(peer(points, labels), rel=1e-9)


@pytest.mark.parametrize("dimension", [1, 2, 70])
@pytest.mark.parametrize("n_clusters", [2, 5, 90])
def test_dunn_and_generalized_dunn_equal_those_of_a_matrix(n_clusters: int, dimension: int) -> None:
    random = np.random.default_rng(n_clusters)
    labels = random.integers(0, n_clusters, 600)
    # Of sizes that make groups end within, at and after the borders of blocks and portions.
    labels[:256] = np.repeat([0, 1], 128)
    points = 0.3 * random.normal(size=(600, dimension))
    points += random.normal(size=dimension) * labels[:, None]
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    same = labels[:, None] == labels
    expected = distances[~same].min() / distances[same].max()
    assert dunn_score(points, labels, n_jobs=2) == pytest.approx(expected, rel=1e-12)
    member = labels == np.unique(labels)[:, None]
    gaps = member @ distances @ member.T / np.outer(member.sum(axis=1), member.sum(axis=1))
    gap = gaps[~np.eye(len(gaps), dtype=bool)].min()
    radii = [
        np.linalg.norm(points[inside] - points[inside].mean(axis=0), axis=1).mean()
        for inside in member
    ]
    found = generalized_dunn_score(points, labels, n_jobs=2)
    assert found == pytest.approx(gap / (2 * max(radii)), rel=1e-12)
