"""Core distances: from every point to its min_points-th nearest point, itself counted as the first.

All distances here are squared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.counted_neighbors import count_neighbors
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    is_inside,
    squared_distance,
    squared_distance_to_box,
)

# Neighbors are kept to give the spanning tree its first edges for free; a few are enough.
_NEIGHBORS_KEPT = 16
# From so many min_points on, neighbors that nobody asks for are counted, not listed.
COUNTED = 200
# A kernel is called for so many coordinates: calls take time, and threads want their share.
_LEAST_PER_RANGE, _MOST_PER_RANGE = 1 << 14, 1 << 16


class Neighbors(NamedTuple):
    """Squared core distance of each point, and some of its nearest points (-1: none known)."""

    core: NDArray[np.float64]
    nearest: NDArray[np.int32]


def neighbors_by_kd_tree(
    tree: KDTree, min_points: int, n_jobs: int, n_kept: int | None = None
) -> Neighbors:
    """Search the tree once for every point; O(n log n) in low dimension.

    All `min_points` neighbors are kept or none (`n_kept` 0); None: those of a few.
    """
    neighbors = no_neighbors(len(tree.points), min_points, n_kept)
    if min_points >= COUNTED and neighbors.nearest.shape[1] == 0:
        return Neighbors(count_neighbors(tree, min_points, n_jobs), neighbors.nearest)

    def search(begin: int, stop: int) -> None:
        _search_neighbors(tree, min_points, begin, stop, *neighbors)

    size = range_size(tree, max(1, min_points // 5))
    for_ranges(search, len(tree.points), size, n_jobs, "Core distances")
    return neighbors


def neighbors_by_pairs(
    multiplicity: NDArray[np.int32],
    squares: NDArray[np.float64],
    min_points: int,
    n_kept: int | None = None,
) -> Neighbors:
    """Look at all squared distances; `n_kept` as in `neighbors_by_kd_tree`."""
    neighbors = no_neighbors(len(multiplicity), min_points, n_kept)
    room = np.empty(min_points), np.empty(min_points, np.int32)
    _choose_nearest(squares, multiplicity, *room, *neighbors)
    return neighbors


def square_pairs(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances of all pairs; O(n * n) time and memory, for few points."""
    squares = np.empty((len(points), len(points)))
    _fill_squares(points, squares)
    return squares


def range_size(tree: KDTree, effort: int) -> int:
    """How many points one call of a kernel searches: few enough to answer Ctrl-C quickly."""
    work = int(tree.points.shape[1]) * effort
    least, most = _LEAST_PER_RANGE // work, _MOST_PER_RANGE // work
    return max(64, min(max(len(tree.points) // 8, least), most))


def points_met(tree: KDTree, min_points: int, n_samples: int) -> float:
    """How many points one search in the tree meets, on average over some searches."""
    n_points = len(tree.points)
    neighbors = no_neighbors(n_points, min_points)
    sample = range(0, n_points, -(-n_points // n_samples))
    met = sum(_search_neighbors(tree, min_points, i, i + 1, *neighbors) for i in sample)
    return float(met) / len(sample)


def no_neighbors(n_points: int, min_points: int, n_kept: int | None = None) -> Neighbors:
    if n_kept is None:
        n_kept = min_points if min_points <= _NEIGHBORS_KEPT else 0
    return Neighbors(np.empty(n_points), np.empty((n_points, n_kept), np.int32))


@inline_kernel
def push(distances, neighbors, distance, neighbor):
    """Put a nearer neighbor in the place of the farthest, which a heap keeps at 0."""
    size = distances.shape[0]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and distances[child + 1] > distances[child]:
            child += 1
        if distances[child] <= distance:
            break
        distances[place] = distances[child]
        neighbors[place] = neighbors[child]
        place = child
    distances[place] = distance
    neighbors[place] = neighbor


@kernel
def _search_neighbors(tree, min_points, begin, stop, core, nearest):
    """Fill `core` and `nearest` for points begin to stop - 1; return how many points were met.

    From the leaf of the point upwards, as long as the ball of neighbors reaches out of the node;
    in the other child, depth first, the nearer child first. A node waits on the stack with its
    distance, and is left out if that has come to exceed the farthest neighbor kept.
    """
    points, starts, ends, rights = tree.points, tree.start, tree.end, tree.right
    lower, upper, parents = tree.lower, tree.upper, tree.parent
    distances = np.empty(min_points)
    neighbors = np.empty(min_points, np.int32)
    waiting = np.empty(STACK_SIZE, np.int32)
    waiting_distance = np.empty(STACK_SIZE)
    met = 0
    for i in range(begin, stop):
        for t in range(min_points):
            distances[t] = np.inf
            neighbors[t] = -1
        above = tree.leaf[i]
        waiting[0] = above
        waiting_distance[0] = 0.0
        n_waiting = 1
        while True:
            while n_waiting > 0:
                n_waiting -= 1
                if waiting_distance[n_waiting] >= distances[0]:
                    continue
                node = waiting[n_waiting]
                while rights[node] > 0:
                    near = node + 1
                    far = rights[node]
                    to_near = squared_distance_to_box(points, lower, upper, near, i)
                    to_far = squared_distance_to_box(points, lower, upper, far, i)
                    if to_far < to_near:
                        near, far = far, near
                        to_near, to_far = to_far, to_near
                    if to_far < distances[0]:
                        waiting[n_waiting] = far
                        waiting_distance[n_waiting] = to_far
                        n_waiting += 1
                    node = near
                    if to_near >= distances[0]:
                        break
                if rights[node] > 0:
                    continue
                met += ends[node] - starts[node]
                for j in range(starts[node], ends[node]):
                    distance = squared_distance(points, i, j)
                    if distance >= distances[0]:
                        continue
                    copies = min(tree.multiplicity[j], min_points)
                    while copies > 0 and distance < distances[0]:
                        push(distances, neighbors, distance, j)
                        copies -= 1
            if above == 0 or is_inside(points, lower, upper, above, i, distances[0]):
                break
            below = above
            above = parents[below]
            other = above + 1 if below != above + 1 else rights[above]
            waiting[0] = other
            waiting_distance[0] = squared_distance_to_box(points, lower, upper, other, i)
            n_waiting = 1
        core[i] = distances[0]
        for t in range(nearest.shape[1]):
            nearest[i, t] = neighbors[t]
    return met


@kernel
def _fill_squares(points, squares):
    for i in range(squares.shape[0]):
        squares[i, i] = 0.0
        for j in range(i):
            square = squared_distance(points, i, j)
            squares[i, j] = square
            squares[j, i] = square


@kernel
def _choose_nearest(squares, multiplicity, distances, neighbors, core, nearest):
    """Fill `core` and `nearest`; the nearest points so far are kept in a heap."""
    n_points, min_points = core.shape[0], distances.shape[0]
    for i in range(n_points):
        for t in range(min_points):
            distances[t] = np.inf
            neighbors[t] = -1
        for j in range(n_points):
            copies = multiplicity[j]
            while copies > 0 and squares[i, j] < distances[0]:
                push(distances, neighbors, squares[i, j], j)
                copies -= 1
        core[i] = distances[0]
        for t in range(nearest.shape[1]):
            nearest[i, t] = neighbors[t]
