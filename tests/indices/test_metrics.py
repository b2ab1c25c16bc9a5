"""Indices under metrics other than their own, against their definitions on matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from disco_cvi import (
    DensityTree,
    UndefinedScoreError,
    cvnn_index,
    dcsi_score,
    mmj_sc_score,
    silhouette_samples,
    silhouette_score,
)
from helpers import zoo
from helpers.twins import INDICES, TWINS, drawn_options

pytestmark = pytest.mark.small

NAMES = ("silhouette", "mmj_sc", "dcsi", "cvnn")
METRICS = ("cityblock", "chebyshev", "sqeuclidean", "cosine", "precomputed")


class Labeled(NamedTuple):
    points: zoo.Points
    labels: zoo.Codes


@st.composite
def labeled(draw: st.DrawFn) -> Labeled:
    """Points on a small lattice that holds no zero row, so that the cosine is defined."""
    n_points, dimension = draw(st.integers(4, 30)), draw(st.integers(1, 3))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    points = random.integers(1, draw(st.sampled_from([3, 6, 100])), (n_points, dimension))
    return Labeled(points.astype(float), draw(zoo.labels_of(n_points)))


# By cosine, rounding of 1e-16 decides which points of one direction are near.
@pytest.mark.parametrize(
    ("name", "metric"),
    [(name, each) for name in NAMES for each in METRICS if (name, each) != ("cvnn", "cosine")],
)
@zoo.examples(80)
@given(data=st.data(), case=labeled())
def test_agrees_with_the_definition(
    name: str, metric: str, data: st.DataObject, case: Labeled
) -> None:
    info = INDICES[name]
    points, labels = case
    options = {**data.draw(drawn_options(name)), "metric": metric}
    given_points = cdist(points, points) if metric == "precomputed" else points
    try:
        expected = TWINS[name].definition(given_points, labels, **options)
    except ValueError:
        expected = None
    if expected is None:
        with pytest.raises(UndefinedScoreError):
            info.function(given_points, labels, **options)
        return
    score = info.function(given_points, labels, **options)
    if info.samples is not None:
        found = info.samples(given_points, labels, **options)
        tolerance = 1e-6 if metric == "cosine" else 1e-12
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
        assert score == pytest.approx(float(np.nanmean(found)), rel=0, abs=1e-12)
    elif metric == "cosine":
        assert 0 <= score <= 1
    else:
        assert score == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
@pytest.mark.parametrize("name", ["dcsi", "cvnn"])
def test_of_directions_that_differ(name: str, metric: str) -> None:
    points = np.random.default_rng(8).normal(size=(90, 3)) + 3.0
    labels = np.repeat([0, 1, 2], 30)
    points[30:60, 0] += 6.0
    points[60:, 1] += 9.0
    expected = TWINS[name].definition(points, labels, metric=metric)
    found = INDICES[name].function(points, labels, metric=metric)
    assert found == pytest.approx(expected, rel=1e-9, abs=0)


@pytest.mark.parametrize("metric", ["cityblock", "cosine", "sqeuclidean"])
@pytest.mark.parametrize("name", NAMES)
def test_order_of_rows(name: str, metric: str) -> None:
    info, points = INDICES[name], np.random.default_rng(9).normal(size=(200, 3)) + 1.0
    labels = np.arange(200) % 3
    expected = info.function(points, labels, metric=metric)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(points))
        assert info.function(points[order], labels[order], metric=metric) == expected


def test_a_function_and_its_parameters() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))

    def mean_power(x: zoo.Points, z: zoo.Points, power: int) -> float:
        return float((np.abs(x - z) ** power).sum() ** (1 / power))

    for function in (cvnn_index, silhouette_score, dcsi_score, mmj_sc_score):
        expected = function(points, labels, metric="minkowski", metric_params={"p": 3})
        found = function(points, labels, metric=mean_power, metric_params={"power": 3})
        assert found == pytest.approx(expected, rel=1e-12)


def test_silhouette_by_rows_is_the_fast_one() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    fast = silhouette_samples(points, labels)
    by_rows = silhouette_samples(points, labels, metric="minkowski", metric_params={"p": 2})
    np.testing.assert_allclose(by_rows, fast, rtol=0, atol=1e-12)


def test_mmj_sc_of_a_tree_has_the_metric_of_the_tree() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    tree = DensityTree(points, min_points=1, metric="cityblock")
    assert mmj_sc_score(tree, labels) == mmj_sc_score(points, labels, metric="cityblock")
    with pytest.raises(ValueError, match="metric of mmj_sc_score must be left out or be that of"):
        mmj_sc_score(tree, labels, metric="euclidean")
