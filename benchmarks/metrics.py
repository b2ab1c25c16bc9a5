"""Benchmarks of metrics besides the Euclidean distance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import pairwise_distances

from benchmarks.measure import JOBS, Row, best_times
from disco_cvi import DensityTree


def places() -> Iterator[Row]:
    """Latitudes and longitudes against the same places as points in space."""
    angles = np.random.default_rng(0).uniform(-1, 1, (100_000, 2)) * [1.5, 3]
    latitude, longitude = angles.T
    ring = np.cos(latitude)
    space = np.stack([ring * np.cos(longitude), ring * np.sin(longitude), np.sin(latitude)], axis=1)
    ours, theirs = best_times(
        lambda: DensityTree(angles, metric="haversine", n_jobs=JOBS),
        lambda: DensityTree(space, n_jobs=JOBS),
    )
    yield Row("tree of 100,000 places, haversine / Euclidean in space", ours, theirs, 1.5)


def metrics_by_rows() -> Iterator[Row]:
    """A metric that gives its distances row by row, against all distances at once."""
    points = np.random.default_rng(0).normal(size=(5_000, 10))
    for metric in ("manhattan", "canberra"):
        ours, theirs = best_times(
            lambda metric=metric: DensityTree(points, metric=metric),  # type: ignore[misc]
            lambda metric=metric: pairwise_distances(points, metric=metric),  # type: ignore[misc]
        )
        yield Row(f"tree, 5,000 x 10, {metric} / pairwise_distances", ours, theirs, 3)
