"""Benchmarks of peak memory: of whole processes, imports and data included."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import JOBS, Row, peak_memory
from disco_cvi import available_indices


def memory() -> Iterator[Row]:
    """DISCO at a million points."""
    code = (
        "from benchmarks.data import blobs\n"
        "from disco_cvi import disco_score\n"
        f"disco_score(*blobs(1_000_000, 2), n_jobs={JOBS})"
    )
    name = "peak memory of the process, n = 1,000,000, 2-d / 1 GB"
    yield Row(name, peak_memory(code), 1, 1, "GB")


def indices_memory() -> Iterator[Row]:
    """Each index at 100,000 points."""
    for info in available_indices():
        code = (
            "from benchmarks.data import blobs_in_noise\n"
            f"from disco_cvi import {info.function_name} as index\n"
            f"index(*blobs_in_noise(), n_jobs={JOBS})"
        )
        name = f"{info.title}, n = 100,000, peak memory of the process / 2 GB"
        yield Row(name, peak_memory(code), 2, 1, "GB")
