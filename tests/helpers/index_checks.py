"""Checks that several indices have in common: of scores that leave noise out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.zoo import Codes, Points

Score = Callable[..., float]

# Labels of four points.
TOO_FEW_CLUSTERS = {
    "one cluster": [0, 0, 0, 0],
    "one cluster and noise": [0, 0, -1, -1],
    "only noise": [-1, -1, -1, -1],
}


def blobs(n_points: int = 400, dimension: int = 2, seed: int = 0) -> tuple[Points, Codes]:
    """Return four clusters that overlap, and noise."""
    random = np.random.default_rng(seed)
    labels = random.integers(-1, 4, n_points)
    centers = random.uniform(-2, 2, (5, dimension))
    return centers[labels] + 0.5 * random.normal(size=(n_points, dimension)), labels


def assert_order_and_names_do_not_matter(
    score_of: Score, dimension: int, seed: int, **options: Any
) -> None:
    """Assert that neither the order of rows nor the names of clusters change a bit."""
    points, labels = blobs(400, dimension, seed)
    score = score_of(points, labels, **options)
    order = np.random.default_rng(seed).permutation(len(points))
    assert score_of(points[order], labels[order], **options) == score
    renamed = np.array(["d", "b", "a", "c", "noise"])[labels]
    assert score_of(points, renamed, noise_label="noise", **options) == score


def assert_noise_does_not_count(score_of: Score) -> None:
    """Assert that noise can be anywhere or be left out, and that points are not modified."""
    points, labels = blobs(60)
    points.setflags(write=False)
    score = score_of(points, labels)
    assert type(score) is float
    kept = labels >= 0
    assert score_of(points[kept], labels[kept]) == score
    moved = np.where(kept[:, None], points, 1e6)
    assert score_of(moved, labels) == score
    assert score_of(points, labels, noise_label=None) != score
