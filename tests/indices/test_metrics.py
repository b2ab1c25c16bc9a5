"""Indices under metrics other than their own, against their definitions on matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from definitions import dcsi, mmj_sc, silhouette
from disco_cvi import (
    DensityTree,
    UndefinedScoreError,
    dcsi_score,
    mmj_sc_samples,
    mmj_sc_score,
    silhouette_samples,
    silhouette_score,
)
from helpers import zoo

pytestmark = pytest.mark.small

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


def data_of(case: Labeled, metric: str) -> zoo.Points:
    return cdist(case.points, case.points) if metric == "precomputed" else case.points


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("noise", ["cluster", "filter", "singletons"])
@zoo.examples(60)
@given(case=labeled())
def test_silhouette(metric: str, noise: str, case: Labeled) -> None:
    data = data_of(case, metric)
    options: dict[str, Any] = {"noise": noise, "metric": metric}
    try:
        expected = silhouette.silhouette_samples(data, case.labels, **options)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            silhouette_score(data, case.labels, **options)
        return
    found = silhouette_samples(data, case.labels, **options)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7 if metric == "cosine" else 1e-12)
    assert silhouette_score(data, case.labels, **options) == pytest.approx(
        float(np.nanmean(found)), rel=0, abs=1e-12
    )


def test_silhouette_by_rows_is_the_fast_one_and_order_proof() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    fast = silhouette_score(points, labels)
    by_rows = silhouette_score(points, labels, metric="minkowski", metric_params={"p": 2})
    assert by_rows == pytest.approx(fast, rel=0, abs=1e-12)
    points = np.random.default_rng(9).normal(size=(200, 3))
    labels = np.arange(200) % 3
    expected = silhouette_samples(points, labels, metric="cityblock")
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(points))
        again = silhouette_samples(points[order], labels[order], metric="cityblock")
        assert again.tobytes() == expected[order].tobytes()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("noise", ["cluster", "filter", "singletons"])
@zoo.examples(60)
@given(case=labeled())
def test_mmj_sc(metric: str, noise: str, case: Labeled) -> None:
    data = data_of(case, metric)
    options: dict[str, Any] = {"noise": noise, "metric": metric}
    expected = mmj_sc.mmj_sc_samples(data, case.labels, **options)
    if expected is None:
        with pytest.raises(UndefinedScoreError):
            mmj_sc_score(data, case.labels, **options)
        return
    found = mmj_sc_samples(data, case.labels, **options)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 if metric == "cosine" else 1e-12)


def test_mmj_sc_of_a_tree_has_the_metric_of_the_tree() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    tree = DensityTree(points, min_points=1, metric="cityblock")
    assert mmj_sc_score(tree, labels) == mmj_sc_score(points, labels, metric="cityblock")
    with pytest.raises(ValueError, match="metric of mmj_sc_score must be left out or be that of"):
        mmj_sc_score(tree, labels, metric="euclidean")


@pytest.mark.parametrize("metric", [*METRICS, "euclidean"])
@pytest.mark.parametrize("min_points", [1, 2, 5])
@zoo.examples(60)
@given(case=labeled())
def test_dcsi(metric: str, min_points: int, case: Labeled) -> None:
    data = data_of(case, metric)
    options: dict[str, Any] = {"min_points": min_points, "metric": metric}
    try:
        expected = dcsi.dcsi_score(data, case.labels, **options)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            dcsi_score(data, case.labels, **options)
        return
    found = dcsi_score(data, case.labels, **options)
    if metric == "cosine":
        # Rounding of 1e-16 decides which points of one direction are core points.
        assert 0 <= found <= 1
    else:
        assert found == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_dcsi_of_metrics_in_the_order_of_the_euclidean(metric: str) -> None:
    points = np.random.default_rng(8).normal(size=(90, 3)) + 3.0
    labels = np.repeat([0, 1, 2], 30)
    points[30:60, 0] += 6.0
    points[60:, 1] += 9.0
    expected = dcsi.dcsi_score(points, labels, metric=metric)
    assert dcsi_score(points, labels, metric=metric) == pytest.approx(expected, rel=1e-9, abs=0)
