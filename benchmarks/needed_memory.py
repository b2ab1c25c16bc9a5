"""Bytes per point that each index takes at its peak, the least of several cases.

``python -m benchmarks.needed_memory dunn cvnn`` measures some indices, without names all. `MEMORY`
of an index must not promise more than that, else somebody would be refused who has enough.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi import available_indices
from disco_cvi.indices.index_info import IndexInfo

SIZES = 4_000, 8_000
DIMENSIONS = 1, 2, 10, 50
# What needs least, where an option decides.
LEAST: dict[str, dict[str, Any]] = {
    "cvnn": {"n_neighbors": 1},
    "cvdd": {"n_neighbors": 1},
    "dcsi": {"min_points": 1},
    "cdbw": {"n_representatives": 1},
}


def clusters(n_points: int, dimension: int, n_clusters: int, copies: int) -> tuple[Any, Any]:
    """Round clusters in a row; each point as often as `copies`."""
    generator = np.random.default_rng(0)
    labels: NDArray[np.int64] = generator.integers(0, n_clusters, n_points // copies)
    points = generator.normal(size=(len(labels), dimension)) + 6.0 * labels[:, None]
    return np.repeat(points, copies, axis=0), np.repeat(labels, copies)


def peak(info: IndexInfo, n_points: int, *case: int) -> int:
    """Bytes that NumPy holds at most; what kernels take for themselves does not count."""
    X, labels = clusters(n_points, *case)
    info.function(X[:1000], labels[:1000], **LEAST.get(info.name, {}))
    gc.collect()
    tracemalloc.start()
    info.function(X, labels, **LEAST.get(info.name, {}))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def per_point(info: IndexInfo, dimension: int) -> float:
    """Bytes that each further point takes, in the case that takes least."""
    found = []
    for n_clusters, copies in ((2, 1), (50, 1), (500, 1), (2, 20), (50, 20)):
        few, many = (peak(info, size, dimension, n_clusters, copies) for size in SIZES)
        more = (many - few) / (SIZES[1] - SIZES[0])
        found.append(min(more, many / SIZES[1]) if more > 0 else many / SIZES[1])
    return min(found)


def main() -> None:
    """Print what is measured, and what is promised."""
    for info in available_indices():
        if not sys.argv[1:] or info.name in sys.argv[1:]:
            measured = {d: round(per_point(info, d)) for d in DIMENSIONS}
            memory = info.memory
            promised = {d: memory.per_point + d * memory.per_feature for d in DIMENSIONS}
            good = all(promised[d] <= measured[d] for d in DIMENSIONS)
            print(info.name, measured, promised, "" if good else "TOO MUCH", flush=True)


if __name__ == "__main__":
    main()
