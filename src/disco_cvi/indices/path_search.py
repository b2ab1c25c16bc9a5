"""What searches for shortest paths share: steps, paths, and the heap of points that wait."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel


class Graph(NamedTuple):
    """Steps from each point to its nearest others: which these are, nearest first, and how far.

    Points near each other stand near each other here: searches take less than half the time.
    `places` are their places by row.
    """

    neighbors: NDArray[np.int32]
    lengths: FloatArray
    places: NDArray[np.int32]


class Paths(NamedTuple):
    """Shortest paths from some of the chosen points to all of them, one row each, shortest first.

    `targets` are numbers of chosen points, then -1 where fewer can be reached than there is room
    for: one column for each point that may be reached from any of them, and one more.
    """

    targets: NDArray[np.int32]
    lengths: FloatArray


class Search(NamedTuple):
    """How far points are, as far as is known, and those that wait: a heap, four below each.

    It is ordered by `key`; `place` is where a point stands in it, -1 if it does not wait.
    """

    length: FloatArray
    key: FloatArray
    place: NDArray[np.int32]
    heap: NDArray[np.int32]


@kernel
def make_search(n_points):
    """Room for a search among so many points."""
    numbers = np.empty((2, n_points), np.int32)
    return Search(np.empty(n_points), np.empty(n_points), numbers[0], numbers[1])


@inline_kernel
def begin_at(search, source):
    """Forget what was met but for the source; return how many points wait."""
    for p in range(search.place.shape[0]):
        search.place[p] = -1
        search.length[p] = np.inf
    return meet(search, source, 0.0, 0.0, 0)


@inline_kernel
def take_nearest(search, size):
    """Take the nearest of those that wait out of the heap."""
    p = search.heap[0]
    search.place[p] = -1
    if size > 1:
        _sink(search.heap, search.place, search.key, size - 1)
    return p


@inline_kernel
def meet(search, q, through, key, size):
    """Let a point wait, or rise to where a shorter path takes it; return how many wait."""
    hole = search.place[q]
    if hole < 0:
        hole = size
        size += 1
    search.length[q] = through
    search.key[q] = key
    rise(search.heap, search.place, search.key, hole, q)
    return size


@inline_kernel
def rise(heap, place, key, hole, p):
    """Put a point into a hole of the heap, or above it."""
    while hole > 0 and key[p] < key[heap[(hole - 1) >> 2]]:
        heap[hole] = heap[(hole - 1) >> 2]
        place[heap[hole]] = hole
        hole = (hole - 1) >> 2
    heap[hole] = p
    place[p] = hole


@inline_kernel
def _sink(heap, place, key, size):
    """Fill the hole at the top of the heap with its last point, or what is smaller."""
    p = heap[size]
    hole = 0
    while 4 * hole + 1 < size:
        child = 4 * hole + 1
        for other in range(child + 1, min(child + 4, size)):
            if key[heap[other]] < key[heap[child]]:
                child = other
        if key[heap[child]] >= key[p]:
            break
        heap[hole] = heap[child]
        place[heap[hole]] = hole
        hole = child
    heap[hole] = p
    place[p] = hole
