"""Copies of points make no index larger: arrays are as large as for points that all differ."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from disco_cvi import UndefinedScoreError, available_indices
from disco_cvi.indices.index_info import IndexInfo
from helpers import zoo

N_POINTS = 3000
# What does not grow with the number of points: all pairs of a few of them.
ROOM = 3_000_000


def copied(kind: str) -> zoo.Points:
    random = np.random.default_rng(0)
    points = random.normal(size=(N_POINTS, 2))
    chosen = {
        "half are one point": np.where(np.arange(N_POINTS) % 2, np.arange(N_POINTS), 0),
        "a tenth is one point": np.where(np.arange(N_POINTS) % 10, np.arange(N_POINTS), 0),
        "all are one point": np.zeros(N_POINTS, int),
        "every point twice": np.arange(N_POINTS) // 2,
        "ten points": random.integers(0, 10, N_POINTS),
    }
    return np.asarray(points[chosen[kind]])


def peak(info: IndexInfo, points: zoo.Points, labels: zoo.Codes) -> int:
    """The largest sum of the sizes of arrays that there are at one time."""

    def score() -> None:
        try:
            info.function(points, labels)
        except UndefinedScoreError:
            return

    score()  # what is loaded at the first call does not count
    tracemalloc.start()
    try:
        score()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "kind",
    [
        "half are one point",
        "a tenth is one point",
        "all are one point",
        "every point twice",
        "ten points",
    ],
)
@pytest.mark.parametrize("info", available_indices(), ids=lambda info: info.name)
def test_copies_make_no_larger_arrays(info: IndexInfo, kind: str) -> None:
    labels = np.random.default_rng(1).integers(-1, 4, N_POINTS)
    distinct = np.random.default_rng(2).normal(size=(N_POINTS, 2))
    assert peak(info, copied(kind), labels) <= 2 * peak(info, distinct, labels) + ROOM
