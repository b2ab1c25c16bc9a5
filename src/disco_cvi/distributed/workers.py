"""What a cluster's workers can hold: how much a block needs, and into how many blocks points go.

Bytes per point of a block were measured: what a worker holds of it between two tasks, and what it
needs beside that while it spans the block. Both grow with the number of columns or `min_points`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from disco_cvi._output.words import count, megabytes
from disco_cvi.exceptions import InvalidInputError

# A worker that has loaded this package and its kernels holds so many bytes before any point.
BASE_BYTES = 300_000_000
# Larger blocks save little, smaller ones cost more in messages than they save in time.
_MOST_POINTS, _FEWEST_POINTS = 1_000_000, 15_000
# So many blocks for each thread, so that threads end at about the same time.
_BLOCKS_PER_THREAD = 4


class Workers(NamedTuple):
    """The workers of a cluster; memory is that of the smallest, 0 if it has no limit."""

    number: int
    n_threads: int
    memory: int
    threads_of_smallest: int


def held_bytes(width: int, min_points: int) -> int:
    """Bytes per point that a worker holds of a block between two tasks."""
    return 70 + 10 * width + 4 * min_points


def peak_bytes(width: int, min_points: int) -> int:
    """Bytes per point while a block is spanned."""
    return held_bytes(width, min_points) + 60 + 4 * min_points


def choose_blocks(n_points: int, width: int, min_points: int, workers: Workers) -> int:
    """Return a number of blocks that keeps all threads busy, and half of the memory free."""
    most = min(_MOST_POINTS, math.ceil(n_points / (_BLOCKS_PER_THREAD * max(1, workers.n_threads))))
    most = max(most, _FEWEST_POINTS)
    if workers.memory:
        held = n_points / workers.number * held_bytes(width, min_points)
        # What does not fit beside the blocks is kept on disk by Dask; then less is left for work.
        room = max(workers.memory / 2 - BASE_BYTES - held, workers.memory / 8)
        per_thread = room / workers.threads_of_smallest
        most = min(most, int(per_thread / peak_bytes(width, min_points)))
    return math.ceil(n_points / max(1, most))


def check_blocks(
    n_blocks: int, n_points: int, width: int, min_points: int, workers: Workers, caller: str
) -> int:
    """Return a number of blocks that the user chose, if each of them fits into a worker."""
    points = math.ceil(n_points / n_blocks)
    needed = points * peak_bytes(width, min_points) * workers.threads_of_smallest
    if not workers.memory or BASE_BYTES + needed <= workers.memory:
        return n_blocks
    fitting = choose_blocks(n_points, width, min_points, workers)
    raise InvalidInputError(
        argument="n_blocks",
        caller=caller,
        rule=f"be at least {fitting} for workers of {megabytes(workers.memory)} with "
        f"{count(workers.threads_of_smallest, 'thread')} each",
        got=f"{n_blocks}: blocks of {points:,} points need about "
        f"{megabytes(needed + BASE_BYTES)} in each worker",
        remedy=f"Take {fitting} blocks, or larger workers.",
    )
