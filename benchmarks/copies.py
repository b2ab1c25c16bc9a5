"""Benchmarks of data with copies: every index, against points that all differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.data import Data, blobs
from benchmarks.measure import Row, best_cpu_times, peak_memory
from disco_cvi import UndefinedScoreError, available_indices
from disco_cvi.indices.index_info import IndexInfo

N_POINTS = 8_000
KINDS = ("half one point", "a tenth one point", "one point", "every point twice", "ten points")


def copied(kind: str) -> Data:
    """Blobs, some points in the places of others."""
    points, labels = blobs(N_POINTS, 2)
    rows = np.arange(N_POINTS)
    chosen = {
        "half one point": np.where(rows % 2, rows, 0),
        "a tenth one point": np.where(rows % 10, rows, 0),
        "one point": 0 * rows,
        "every point twice": rows // 2,
        "ten points": rows % 10,
    }
    return Data(points[chosen[kind]], labels)


def copies_in_indices() -> Iterator[Row]:
    """The worst kind of copies for each index: CPU time, and peak memory of the process."""
    distinct = blobs(N_POINTS, 2)
    for info in available_indices():
        score(info, distinct)
        measured = []
        for kind in KINDS:
            data = copied(kind)
            ours, theirs = best_cpu_times(
                lambda info=info, data=data: score(info, data),  # type: ignore[misc]
                lambda info=info: score(info, distinct),  # type: ignore[misc]
                repeats=2,
            )
            measured.append((ours / theirs, ours, theirs, kind))
        _, ours, theirs, kind = max(measured)
        yield Row(f"{info.title}, n = 8,000, {kind} / all differ, CPU", ours, theirs, 2)
    for info in available_indices():
        if info.name not in ("lccv", "cvdd", "cvnn"):
            continue
        code = (
            f"from benchmarks.copies import *; from disco_cvi import {info.function_name} as index"
        )
        ours = peak_memory(f"{code}; index(*copied(KINDS[0]))")
        theirs = peak_memory(f"{code}; index(*blobs(N_POINTS, 2))")
        name = f"{info.title}, n = 8,000, {KINDS[0]} / all differ, memory of the process"
        yield Row(name, ours, theirs, 2, "GB")


def score(info: IndexInfo, data: Data) -> None:
    """Call the index, whether it has a value or not."""
    try:
        info.function(*data)
    except UndefinedScoreError:
        return
