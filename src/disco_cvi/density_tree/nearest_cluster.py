"""For every cluster point, its mean dc-distance to its own cluster and to the nearest other one.

Once a path is walked (see `path_walk`), its parts have been handed all that lies outside them, so
each of them may be walked by another thread: a walk writes to the leaves of its own path only,
besides a table of clusters that is empty before and after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.threads import for_tasks
from disco_cvi.density_tree.path_walk import Nearest, Scratch, Sums, Walk, walk_paths
from disco_cvi.density_tree.tournament import make_tournament
from disco_cvi.density_tree.walks import Leaves, label_leaves, quotients

# So many leaves are walked in one call, and above so many their parts are tasks of their own.
_MANY_LEAVES = 1 << 17
_LEAST_TASK = 1 << 14
_MOST_TASKS = 512


def _sums(length: int) -> Sums:
    return Sums(
        np.zeros(length),
        np.zeros(length),
        np.zeros(length),
        np.zeros(length, np.int32),
        np.zeros(length, np.int32),
    )


def nearest_clusters(
    codes: NDArray[np.int32],
    joins: NDArray[np.float64],
    ends: NDArray[np.int32],
    sizes: NDArray[np.int64],
    n_jobs: int = 1,
) -> Nearest:
    """Walk the tree; entries of noise points, and compactness of lone points, mean nothing.

    `codes`, `joins` and `ends` are in leaf order. Where several clusters are equally near, the one
    with the smallest code is named. Memory O(n + k), and O(k) for each thread.
    """
    n_leaves, n_clusters = len(codes), len(sizes)
    leaves = label_leaves(codes, joins, ends)
    nearest = Nearest(
        np.zeros(n_leaves), np.full(n_leaves, np.inf), np.full(n_leaves, -1, np.int32)
    )
    saved, entries = _sums(n_leaves), _sums(n_leaves)
    # Tables of as many clusters as points take more memory than all else.
    n_threads = min(n_jobs, 1 + n_leaves // n_clusters) if n_leaves > _MANY_LEAVES else 1
    walks = [
        Walk(
            sizes,
            _sums(n_clusters),
            saved,
            entries,
            make_tournament(n_clusters),
            nearest,
            _scratch(n_leaves, n_clusters),
        )
        for _ in range(n_threads)
    ]
    if n_leaves > _MANY_LEAVES:
        _walk_in_tasks(leaves, walks)
    else:
        walk_paths(leaves, walks[0], 0, n_leaves)
    return nearest


def _scratch(n_leaves: int, n_clusters: int) -> Scratch:
    return Scratch(
        np.empty(n_leaves, np.int32),
        np.empty(n_leaves),
        np.empty(n_leaves, np.int32),
        np.zeros(n_clusters, np.int32),
        np.empty(128, np.int32),
    )


def _walk_in_tasks(leaves: Leaves, walks: list[Walk]) -> None:
    """Walk long paths one by one; when one is walked, its parts are tasks, short ones together.

    A task is a range of leaves: a part, or parts of one path side by side.
    """
    n_leaves = len(leaves.codes)
    size = max(_LEAST_TASK, n_leaves // _MOST_TASKS)
    free = list(walks)

    def work(task: tuple[int, int]) -> list[tuple[int, int]]:
        begin, stop = task
        walk = free.pop()
        try:
            if stop - begin <= size or leaves.ends[begin] < stop:
                walk_paths(leaves, walk, begin, stop)
                return []
            n_parts = walk_paths(leaves, walk, begin, begin + 1)
            return _tasks(walk.scratch.parts[:n_parts], leaves.ends, size)
        finally:
            free.append(walk)

    for_tasks(work, [(0, n_leaves)], len(walks))


def _tasks(parts: NDArray[np.int32], ends: NDArray[np.int32], size: int) -> list[tuple[int, int]]:
    """Put the parts of a path together to ranges of about so many leaves, the longest first.

    A longer part is a range of its own.
    """
    if len(parts) == 0:
        return []
    stops = ends[parts]
    is_long = stops - parts > size
    is_first = parts // size != np.roll(parts, 1) // size
    is_first |= is_long | np.roll(is_long, 1)
    is_first[0] = True
    begins = parts[is_first].tolist()
    ranges = zip(begins, [*begins[1:], int(stops[-1])], strict=True)
    return sorted(ranges, key=lambda task: task[0] - task[1])


def silhouettes(
    nearest: Nearest, codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Score each leaf, 0 where it is alone in its cluster; entries of noise points mean nothing."""
    scores = quotients(nearest.separation, nearest.compactness)
    scores[are_alone(codes, sizes)] = 0.0
    return scores


def are_alone(codes: NDArray[np.int32], sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which points are the only one of their cluster; noise points are not."""
    if not (sizes == 1).any():
        return np.zeros(len(codes), bool)
    return np.asarray((codes >= 0) & (sizes[codes] == 1))
