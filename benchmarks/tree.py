"""Benchmarks of DISCO and its density tree: against scikit-learn, SciPy, and itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import pairwise_distances, silhouette_score

from benchmarks.data import blobs
from benchmarks.measure import JOBS, Row, best_times
from disco_cvi import DensityTree, disco_score


def against_silhouette() -> Iterator[Row]:
    """The everyday size against the index that everybody uses."""
    points, labels = blobs(10_000, 2)
    ours, theirs = best_times(
        lambda: disco_score(points, labels, n_jobs=JOBS),
        lambda: silhouette_score(points, labels),
    )
    yield Row("disco_score, n = 10,000, 2-d / silhouette_score", ours, theirs, 0.05)


def against_scipy() -> Iterator[Row]:
    """The whole score against building SciPy's k-d tree and asking for 5 neighbors."""
    for n_points, dimension, floor in (
        (1_000_000, 2, 1.2),
        (100_000, 2, 1.5),
        (100_000, 5, 2.0),
        (100_000, 10, 2.0),
    ):
        points, labels = blobs(n_points, dimension)
        ours, theirs = best_times(
            lambda points=points, labels=labels: disco_score(points, labels, n_jobs=JOBS),  # type: ignore[misc]
            lambda points=points: cKDTree(points).query(points, k=5, workers=JOBS),  # type: ignore[misc]
        )
        name = f"disco_score, n = {n_points:,}, {dimension}-d / SciPy build and query"
        yield Row(name, ours, theirs, floor)


def growth() -> Iterator[Row]:
    """Ten times the points."""
    small, large = blobs(100_000, 2), blobs(1_000_000, 2)
    ours, theirs = best_times(
        lambda: disco_score(*large, n_jobs=JOBS), lambda: disco_score(*small, n_jobs=JOBS)
    )
    yield Row("disco_score, n = 1,000,000 / n = 100,000, 2-d", ours, theirs, 16)


def more_labelings() -> Iterator[Row]:
    """What the second labeling costs."""
    points, labels = blobs(1_000_000, 2)
    tree = DensityTree(points, n_jobs=JOBS)
    ours, theirs = best_times(
        lambda: disco_score(tree, labels), lambda: DensityTree(points, n_jobs=JOBS)
    )
    yield Row("one more labeling / building the tree, n = 1,000,000", ours, theirs, 0.3)


def more_clusters() -> Iterator[Row]:
    """Clusters that overlap everywhere, so that no part of the tree is pure."""
    points, _ = blobs(200_000, 2, n_blobs=5, deviation=4.0)
    tree = DensityTree(points, n_jobs=JOBS)
    many, few = (
        MiniBatchKMeans(k, n_init=1, random_state=0).fit_predict(points) for k in (2_000, 20)
    )
    ours, theirs = best_times(
        lambda: disco_score(tree, many), lambda: disco_score(tree, few), repeats=5
    )
    yield Row("scoring 2,000 clusters / 20 clusters, n = 200,000", ours, theirs, 4)


def copies() -> Iterator[Row]:
    """Half of the points are one and the same."""
    points, labels = blobs(500_000, 2)
    half = points.copy()
    half[::2] = half[0]
    ours, theirs = best_times(
        lambda: disco_score(half, labels, n_jobs=JOBS),
        lambda: disco_score(points, labels, n_jobs=JOBS),
    )
    yield Row("n = 500,000, half of them one point / all distinct", ours, theirs, 1.2)


def many_dimensions() -> Iterator[Row]:
    """Gaussian points where a k-d tree is of no use."""
    generator = np.random.default_rng(0)
    for shape in ((5_620, 64), (1_440, 16_384)):
        points = generator.normal(size=shape)
        labels = generator.integers(0, 10, shape[0])
        ours, theirs = best_times(
            lambda points=points, labels=labels: disco_score(points, labels, n_jobs=JOBS),  # type: ignore[misc]
            lambda points=points: pairwise_distances(points),  # type: ignore[misc]
        )
        name = f"disco_score, {shape[0]:,} x {shape[1]:,} Gaussian / pairwise_distances"
        yield Row(name, ours, theirs, 4)
