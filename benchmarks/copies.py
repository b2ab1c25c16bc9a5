"""Benchmarks of data with copies: every index, against points that all differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.data import Data, blobs
from benchmarks.measure import Row, best_cpu_times, peak_memory
from disco_cvi import UndefinedScoreError, available_indices
from disco_cvi.indices.index_info import IndexInfo

N_POINTS = 8_000
# LCCV, which copies cost most, also of so many.
LCCV_POINTS = (2_000, 16_000)
# Which part of the points are one point; the others are groups.
PARTS = (0.004, 0.008, 0.015, 0.03, 0.07, 0.12, 0.25, 0.35, 0.5, 1)
SHARES = {f"{100 * part:g} % one point": part for part in PARTS}
KINDS = (*SHARES, "every point twice", "twenty points 60 times", "ten points")
DIMENSIONS = (2, 3, 5, 10)
LARGEST_BALLS = ("0.8 % one point", "3 % one point", "12 % one point", "50 % one point")


def copied(kind: str, dimension: int = 2, n_points: int = N_POINTS) -> Data:
    """Blobs, some points in the places of others."""
    points, labels = blobs(n_points, dimension)
    rows = np.arange(n_points)
    if kind in SHARES:
        chosen = np.where(rows < SHARES[kind] * n_points, 0, rows)
    else:
        chosen = {
            "every point twice": rows // 2,
            "twenty points 60 times": np.where(rows < 1200, rows % 20, rows),
            "ten points": rows % 10,
        }[kind]
    return Data(points[chosen], labels)


def copies_in_indices() -> Iterator[Row]:
    """The worst kind of copies for each index: CPU time, and peak memory of the process."""
    for dimension in DIMENSIONS:
        for info in available_indices():
            yield worst_kind(info, dimension, N_POINTS)
            for n_points in LCCV_POINTS if info.name == "lccv" else ():
                yield worst_kind(info, dimension, n_points)
    for info in available_indices():
        if info.name not in ("lccv", "cvdd", "cvnn"):
            continue
        code = (
            f"from benchmarks.copies import *; from disco_cvi import {info.function_name} as index"
        )
        theirs = peak_memory(f"{code}; index(*blobs(N_POINTS, 2))")
        measured = [
            (peak_memory(f"{code}; index(*copied({kind!r}))"), kind) for kind in LARGEST_BALLS
        ]
        ours, kind = max(measured)
        name = f"{info.title}, n = 8,000, 2-d, {kind} / all differ, memory of the process"
        yield Row(name, ours, theirs, 2, "GB")


def worst_kind(info: IndexInfo, dimension: int, n_points: int) -> Row:
    """The kind of copies that takes the most time against points that differ."""
    distinct = blobs(n_points, dimension)
    score(info, distinct)
    measured = []
    for kind in KINDS:
        data = copied(kind, dimension, n_points)
        score(info, data)
        ours, theirs = best_cpu_times(
            partial(score, info, data), partial(score, info, distinct), repeats=1
        )
        measured.append((ours / theirs, ours, theirs, kind))
    _, ours, theirs, kind = max(measured)
    name = f"{info.title}, n = {n_points:,}, {dimension}-d, {kind} / all differ, CPU"
    return Row(name, ours, theirs, 2)


def score(info: IndexInfo, data: Data) -> None:
    """Call the index, whether it has a value or not."""
    try:
        info.function(*data)
    except UndefinedScoreError:
        return
