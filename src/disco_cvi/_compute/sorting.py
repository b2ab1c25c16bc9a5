"""Sorting in threads: NumPy sorts each part, and parts depend on the values alone.

So the order of equal values is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.threads import for_ranges

# Fewer values are sorted at once: dividing them costs as much as it saves.
_MANY_VALUES = 1 << 16
_LEAST_RANGE = 1 << 15
_MOST_RANGES = 256
_SAMPLES_PER_GROUP = 32


def group_by(
    key: Callable[[int, int], NDArray[Any]], n_items: int, n_groups: int, n_jobs: int
) -> list[NDArray[np.int32]]:
    """Return the items of each group, ascending; ``key(begin, stop)`` gives the groups of a range.

    There are at most 65,536 groups, numbered from 0.
    """

    def divide(begin: int, stop: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        groups = key(begin, stop).astype(np.uint16)
        # NumPy sorts 16 bits by counting.
        items = np.argsort(groups, kind="stable").astype(np.int32)
        items += np.int32(begin)
        cuts = np.zeros(n_groups + 1, np.int64)
        np.cumsum(np.bincount(groups, minlength=n_groups), out=cuts[1:])
        return items, cuts

    size = max(_LEAST_RANGE, -(-n_items // _MOST_RANGES))
    ranges = for_ranges(divide, n_items, size, n_jobs)

    def collect(group: int, _stop: int) -> NDArray[np.int32]:
        return np.concatenate([items[cuts[group] : cuts[group + 1]] for items, cuts in ranges])

    return for_ranges(collect, n_groups, 1, n_jobs)


def sorted_order(values: NDArray[np.float64], n_jobs: int) -> NDArray[np.int32]:
    """Return the places of the values from the smallest to the largest, as `argsort` does.

    Many values are first divided at values of a sample.
    """
    if len(values) < _MANY_VALUES:
        return np.argsort(values).astype(np.int32)
    n_groups = min(_MOST_RANGES, len(values) // _LEAST_RANGE + 1)
    sample = np.sort(values[:: max(1, len(values) // (_SAMPLES_PER_GROUP * n_groups))])
    cuts = sample[len(sample) // n_groups :: len(sample) // n_groups][: n_groups - 1]
    groups = group_by(
        lambda begin, stop: np.searchsorted(cuts, values[begin:stop], "right"),
        len(values),
        n_groups,
        n_jobs,
    )

    def sort_group(group: int, _stop: int) -> NDArray[np.int32]:
        places = groups[group]
        return places[np.argsort(values[places])]

    return np.concatenate(for_ranges(sort_group, n_groups, 1, n_jobs))
