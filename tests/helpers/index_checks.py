"""Checks that several indices have in common: of scores that leave noise out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
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
    wide = np.where(kept[:, None], points, 9 * points)
    assert score_of(wide, labels, noise_label=None) != score


def assert_equals_definition(
    score_of: Score, definition: Score, points: Points, labels: Codes, noise: str
) -> None:
    """Assert that both give the same value up to rounding, or that neither gives one."""
    try:
        expected = definition(points, labels, noise)
    except ValueError:
        with pytest.raises(UndefinedScoreError):
            score_of(points, labels, noise=noise)
        return
    assert score_of(points, labels, noise=noise) == pytest.approx(expected, rel=1e-12, abs=0)


def assert_same_bits(score_of: Score, points: Points, labels: Codes, noise: str, seed: int) -> None:
    """Assert that order of rows, names of clusters and threads do not change a bit."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(points))
    names = random.permutation(np.arange(3, 300 + len(points)))
    renamed = np.where(labels == -1, -1, names[labels])
    try:
        expected: float | str = score_of(points, labels, noise=noise)
    except UndefinedScoreError as reason:
        expected = str(reason)
    try:
        found: float | str = score_of(points[order], renamed[order], noise=noise, n_jobs=2)
    except UndefinedScoreError as reason:
        found = str(reason)
    assert found == expected


def assert_size_does_not_matter(score_of: Score) -> None:
    """Assert that points times a power of two, however large or small, have the same score."""
    points, labels = blobs(60)
    for exponent in (-1000, -300, 300, 1000):
        assert score_of(np.ldexp(points, exponent), labels) == score_of(points, labels)


def assert_noise_is_checked(score_of: Score, name: str) -> None:
    """Assert that a wrong word for what noise is, and other wrong input, is refused by name."""
    points, labels = blobs(20)
    message = f"^noise of {name} must be one of 'filter', 'cluster'; got 'singletons'"
    with pytest.raises(InvalidInputError, match=message):
        score_of(points, labels, noise="singletons")
    with pytest.raises(InvalidInputError, match=f"labels of {name}.*20 points, 2 labels"):
        score_of(points, [0, 1])
    with pytest.raises(InvalidInputError, match=f"n_jobs of {name}"):
        score_of(points, labels, n_jobs=0)
