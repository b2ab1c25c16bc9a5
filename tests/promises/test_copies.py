"""Copies of points make no index larger: arrays are as large as for points that all differ."""

from __future__ import annotations

import tracemalloc

import numpy as np

from disco_cvi import IndexInfo
from helpers import zoo
from helpers.twins import every_index, value_or_reason

N_POINTS = 2000
# What does not grow with the number of points: all pairs of a few of them.
ROOM = 2_000_000


def copied() -> dict[str, zoo.Points]:
    random = np.random.default_rng(0)
    points = random.normal(size=(N_POINTS, 2))
    rows = np.arange(N_POINTS)
    chosen = {
        "half are one point": np.where(rows % 2, rows, 0),
        "a tenth is one point": np.where(rows % 10, rows, 0),
        "all are one point": np.zeros(N_POINTS, int),
        "every point twice": rows // 2,
        "ten points": random.integers(0, 10, N_POINTS),
    }
    return {kind: np.asarray(points[row]) for kind, row in chosen.items()}


def peak(info: IndexInfo, points: zoo.Points, labels: zoo.Codes) -> int:
    """The largest sum of the sizes of arrays that there are at one time."""
    value_or_reason(info, points, labels)  # what is loaded at the first call does not count
    tracemalloc.start()
    try:
        value_or_reason(info, points, labels)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@every_index
def test_copies_make_no_larger_arrays(info: IndexInfo) -> None:
    labels = np.random.default_rng(1).integers(-1, 4, N_POINTS)
    distinct = np.random.default_rng(2).normal(size=(N_POINTS, 2))
    most = 2 * peak(info, distinct, labels) + ROOM
    for kind, points in copied().items():
        assert peak(info, points, labels) <= most, kind
