"""Benchmarks of the eleven indices: against scikit-learn's silhouette, SciPy, and each other."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from sklearn.metrics import silhouette_score

from benchmarks.measure import JOBS, Row, best_times, blobs, peak_memory
from disco_cvi import available_indices, evaluate

FLOORS = {
    **dict.fromkeys(("disco", "mmj_sc", "dcsi", "s_dbw"), 0.2),
    **dict.fromkeys(("viasckde", "cdbw", "cvnn", "dbcv", "silhouette"), 1.0),
    **dict.fromkeys(("cvdd", "lccv"), 4.0),
}
NEAR_LINEAR = ("disco", "mmj_sc", "dcsi", "s_dbw", "viasckde", "cdbw")


def cluto_t8() -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
    """The data set cluto-t8-8k, standardized, from the folder of reference data if it is there."""
    shared = Path(os.environ.get("DISCO_SHARED") or Path(__file__).parents[2] / "shared")
    path = shared / "data" / "deric" / "cluto-t8-8k.arff"
    if not path.exists():
        print(
            f"no {path.name}: put the folder of reference data beside the project", file=sys.stderr
        )
        return None
    lines = path.read_text().split("@DATA", 1)[-1].split("@data", 1)[-1].split()
    rows = [line.split(",") for line in lines if line]
    points = np.array([row[:2] for row in rows], float)
    labels = np.array([-1 if row[2] == "noise" else int(row[2]) for row in rows])
    return (points - points.mean(axis=0)) / points.std(axis=0), labels


def blobs_in_noise() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """20 blobs of deviation 0.6 and 10 % uniform noise labeled -1, 100,000 points in all."""
    points, labels = blobs(100_000, 2, deviation=0.6)
    noise = np.random.default_rng(1).random(100_000) < 0.1
    points[noise] = np.random.default_rng(2).uniform(-10, 10, (int(noise.sum()), 2))
    return points, np.where(noise, -1, labels)


def indices_against_silhouette() -> Iterator[Row]:
    """Every index on 8,000 points, against scikit-learn's silhouette on the same."""
    data = cluto_t8()
    if data is None:
        return
    for info in available_indices():
        info.function(data[0][:300], data[1][:300])
        ours, theirs = best_times(
            lambda info=info: info.function(*data, n_jobs=JOBS),  # type: ignore[misc]
            lambda: silhouette_score(*data),
        )
        name = f"{info.title}, cluto-t8-8k / scikit-learn silhouette_score"
        yield Row(name, ours, theirs, FLOORS[info.name])


def indices_at_scale() -> Iterator[Row]:
    """The near-linear indices at 100,000 points."""
    points, labels = blobs_in_noise()
    for info in available_indices():
        if info.name in NEAR_LINEAR:
            ours, theirs = best_times(
                lambda info=info: info.function(points, labels, n_jobs=JOBS),  # type: ignore[misc]
                lambda: cKDTree(points).query(points, k=5, workers=JOBS),
                repeats=2,
            )
            yield Row(f"{info.title}, n = 100,000 / SciPy build and query", ours, theirs, 20)


def indices_memory() -> Iterator[Row]:
    """Peak memory of a process that computes one index at 100,000 points."""
    for info in available_indices():
        code = (
            "from benchmarks.indices import blobs_in_noise\n"
            f"from disco_cvi import {info.function.__name__} as index\n"
            f"index(*blobs_in_noise(), n_jobs={JOBS})"
        )
        name = f"{info.title}, n = 100,000, peak memory of the process / 2 GB"
        yield Row(name, peak_memory(code), 2, 1, "GB")


def all_at_once() -> Iterator[Row]:
    """All indices with shared work against one call after the other."""
    data = cluto_t8()
    if data is None:
        return
    evaluate(*data, n_jobs=JOBS)
    single = 0.0
    for info in available_indices():
        begin = time.perf_counter()
        info.function(*data, n_jobs=JOBS)
        single += time.perf_counter() - begin
    (shared,) = best_times(lambda: evaluate(*data, n_jobs=JOBS), repeats=2)
    yield Row("evaluate with all indices / the sum of single calls, cluto-t8-8k", shared, single, 1)


INDEX_BENCHMARKS = (indices_against_silhouette, indices_at_scale, indices_memory, all_at_once)
