"""A graph of near neighbors, without looking at all pairs: trees of random cuts, then rounds.

Each tree cuts the points in two at the median of a projection on the line through two of them, and
so on until leaves are small; within a leaf every pair is looked at. Then, in rounds, the neighbors
of one point are introduced to each other: who is near the same point is often near each other.

One seed gives one graph, for any number of threads, any order of rows and on any machine:

- the lists of a round are the nearest of all that a point has met, by (square, number): a set, in
  whatever order the points are met. Whom it meets depends on the lists of the last round alone;
- products of matrices, whose sums have no fixed order, only filter. Their error has a bound, and
  whoever may be near enough within it is computed again by `squared_distance`, as everywhere;
- projections are added up in a fixed order, and random numbers are made from a counter here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.progress import progress
from disco_cvi._compute.threads import for_ranges, limit_blas
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.products import Blocks, at_least, at_most, least_difference
from disco_cvi._neighbors.random_trees import grow_leaves

_N_TREES = 6
_LEAF_SIZE = 512
_N_ROUNDS = 6
# So many of the nearest, and as many of those who count a point among their nearest, are introduced
# to each other in a round.
_WIDTH = 12
# Rounds end when fewer than this share of all neighbors are new.
_SHARE_NEW = 0.1
_CHUNK = 64
_CENTERS_AT_ONCE = 1 << 16
_RANGES = 16

# Pairs of points, and their squared distances.
Met = tuple[NDArray[np.int32], NDArray[np.float64]]


class Lists(NamedTuple):
    """The nearest others met so far, nearest first; -1 and infinity where there are too few.

    ``fresh``: whether an entry is new since the last round.
    """

    numbers: NDArray[np.int32]
    squares: NDArray[np.float64]
    fresh: NDArray[np.uint8]


def neighbor_graph(blocks: Blocks, n_neighbors: int, seed: int, n_jobs: int) -> NeighborLists:
    """List near points of every point, which most often are the nearest, itself first.

    The points are distinct. There are no more neighbors than points. Few points are all compared
    with each other.
    """
    n_points = len(blocks.points)
    n_others = min(n_neighbors, n_points) - 1
    lists = Lists(
        np.full((n_points, n_others), -1, np.int32),
        np.full((n_points, n_others), np.inf),
        np.ones((n_points, n_others), np.uint8),
    )
    if n_others > 0:
        with np.errstate(under="ignore"), limit_blas(1):  # threads of ours multiply
            lists = _search(blocks, lists, seed, n_jobs)
    own = np.arange(n_points, dtype=np.int32)[:, None]
    numbers = np.concatenate([own, lists.numbers], axis=1)
    return NeighborLists(numbers, np.concatenate([np.zeros((n_points, 1)), lists.squares], axis=1))


def _search(blocks: Blocks, lists: Lists, seed: int, n_jobs: int) -> Lists:
    n_points, n_others = lists.numbers.shape
    leaf_size = max(_LEAF_SIZE, 4 * n_others)
    is_whole = n_points <= leaf_size
    with progress("Neighbor graph", _N_TREES + _N_ROUNDS) as bar:
        for tree in range(1 if is_whole else _N_TREES):
            _search_tree(blocks, lists, seed * _N_TREES + tree, leaf_size, n_jobs)
            bar.step()
        for _ in range(0 if is_whole else _N_ROUNDS):
            lists = _introduce(blocks, lists, n_jobs)
            bar.step()
            if lists.fresh.sum() < _SHARE_NEW * lists.fresh.size:
                break
    return lists


def _search_tree(blocks: Blocks, lists: Lists, number: int, leaf_size: int, n_jobs: int) -> None:
    """Grow one tree, and let all points of a leaf meet."""
    n_points = len(blocks.points)
    order = np.arange(n_points, dtype=np.int32)
    starts = np.empty(n_points + 1, np.int32)
    rows = np.arange(n_points)
    n_leaves = grow_leaves(blocks.points, rows, number, leaf_size, order, starts)

    def search(begin: int, stop: int) -> None:
        for leaf in range(begin, stop):
            members = order[starts[leaf] : starts[leaf + 1]]
            near = blocks.centered[members]
            _meet_in_leaf(blocks, near @ near.T, members, lists)

    for_ranges(search, n_leaves, 4, n_jobs)


def _introduce(blocks: Blocks, last: Lists, n_jobs: int) -> Lists:
    """Let the neighbors of every point meet: one round."""
    n_points = len(blocks.points)
    width = min(_WIDTH, last.numbers.shape[1])
    back = Lists(
        np.full((n_points, width), -1, np.int32),
        np.empty((n_points, 0)),
        np.zeros((n_points, width), np.uint8),
    )
    _list_backwards(last, back)
    lists = Lists(last.numbers.copy(), last.squares.copy(), np.zeros_like(last.fresh))

    def meet(begin: int, stop: int) -> Met:
        members = np.zeros((stop - begin, 2 * width + 1), np.int32)
        n_fresh, n_members = np.empty((2, stop - begin), np.int32)
        _gather_members(last, back, begin, members, n_fresh, n_members)
        # A center without fresh members introduces nobody.
        some = n_fresh > 1
        members, n_fresh, n_members = members[some], n_fresh[some], n_members[some]
        near = blocks.centered[members]
        block = near[:, : n_fresh.max(initial=0)] @ near.transpose(0, 2, 1)
        around = (members, n_fresh, n_members)
        pairs = np.empty((block.size, 2), np.int32)
        squares = np.empty(block.size)
        found = _meet_around(blocks, block, around, lists, pairs, squares)
        return pairs[:found].copy(), squares[:found].copy()

    for first in range(0, n_points, _CENTERS_AT_ONCE):
        here = min(_CENTERS_AT_ONCE, n_points - first)
        met = for_ranges(partial(_shifted, meet, first), here, _CHUNK, n_jobs)
        pairs = np.concatenate([pair for pair, _ in met])
        squares = np.concatenate([square for _, square in met])
        take = partial(_take_range, pairs, squares, lists)
        for_ranges(take, n_points, -(-n_points // _RANGES), n_jobs)
    return lists


def _shifted(work: Callable[[int, int], Met], first: int, begin: int, stop: int) -> Met:
    return work(first + begin, first + stop)


def _take_range(
    pairs: NDArray[np.int32], squares: NDArray[np.float64], lists: Lists, begin: int, stop: int
) -> None:
    _take(pairs, squares, begin, stop, lists)


@inline_kernel
def offer(lists, i, j, square):
    """Put point j into the list of point i, if it is among the nearest and not yet there."""
    numbers, squares = lists.numbers, lists.squares
    place = numbers.shape[1] - 1
    if square > squares[i, place] or (square == squares[i, place] and j >= numbers[i, place]):
        return
    while place > 0 and (
        squares[i, place - 1] > square
        or (squares[i, place - 1] == square and numbers[i, place - 1] > j)
    ):
        place -= 1
    if place > 0 and squares[i, place - 1] == square and numbers[i, place - 1] == j:
        return
    for t in range(numbers.shape[1] - 1, place, -1):
        numbers[i, t] = numbers[i, t - 1]
        squares[i, t] = squares[i, t - 1]
        lists.fresh[i, t] = lists.fresh[i, t - 1]
    numbers[i, place] = j
    squares[i, place] = square
    lists.fresh[i, place] = 1


@inline_kernel
def _is_listed(numbers, i, j):
    for t in range(numbers.shape[1]):
        if numbers[i, t] == j:
            return True
    return False


@kernel
def _meet_in_leaf(blocks, block, members, lists):
    """Every point of a leaf meets all others of it."""
    n_members = members.shape[0]
    last = lists.numbers.shape[1] - 1
    norms, half_norms = blocks.norms[members], blocks.half_norms[members]
    unit = blocks.unit * blocks.unit
    limits = lists.squares[members, last] * unit
    least = np.empty_like(half_norms)
    heap = np.empty(last + 1)
    upper = np.empty(n_members)
    noted = np.empty(n_members, np.int32)
    for a in range(n_members):
        if limits[a] == np.inf:
            for b in range(n_members):
                upper[b] = at_most(blocks, norms[a] + norms[b], block[a, b])
            limits[a] = _smallest(upper, a, heap)
        least[a] = least_difference(blocks, members[a], limits[a])
    for a in range(n_members):
        i = members[a]
        for t in range(_note_near(block[a], half_norms, least, a, n_members, noted)):
            b = noted[t]
            j = members[b]
            lower = at_least(blocks, norms[a] + norms[b], block[a, b])
            is_near = lower <= limits[a] and not _is_listed(lists.numbers, i, j)
            has_near = lower <= limits[b] and not _is_listed(lists.numbers, j, i)
            if is_near or has_near:
                square = squared_distance(blocks.points, i, j)
                if is_near:
                    offer(lists, i, j, square)
                    limits[a] = min(limits[a], lists.squares[i, last] * unit)
                if has_near:
                    offer(lists, j, i, square)
                    limits[b] = min(limits[b], lists.squares[j, last] * unit)
                    least[b] = least_difference(blocks, j, limits[b])


@inline_kernel
def _note_near(products, half_norms, least, a, n_members, noted):
    """Note the members after a that may be near it, or it near them; return how many.

    Most are not. So nothing branches here, and all is in the precision of the products.
    """
    found = 0
    for b in range(a + 1, n_members):
        noted[found] = b
        is_near = products[b] - half_norms[b] >= least[a]
        found += is_near | (products[b] - half_norms[a] >= least[b])
    return found


@kernel
def _smallest(values, own, heap):
    """The largest of the smallest values, as many as the heap holds, that of `own` left out."""
    size = heap.shape[0]
    heap[:] = np.inf
    for b in range(values.shape[0]):
        value = values[b]
        if value >= heap[0] or b == own:
            continue
        place = 0
        while True:
            child = 2 * place + 1
            if child >= size:
                break
            if child + 1 < size and heap[child + 1] > heap[child]:
                child += 1
            if heap[child] <= value:
                break
            heap[place] = heap[child]
            place = child
        heap[place] = value
    return heap[0]


@kernel
def _list_backwards(lists, back):
    """For each point the first of those that count it among their nearest."""
    width = back.numbers.shape[1]
    filled = np.zeros(back.numbers.shape[0], np.int32)
    for t in range(width):
        for i in range(filled.shape[0]):
            j = lists.numbers[i, t]
            if j >= 0 and filled[j] < width:
                back.numbers[j, filled[j]] = i
                back.fresh[j, filled[j]] = lists.fresh[i, t]
                filled[j] += 1


@kernel
def _gather_members(lists, back, first, members, n_fresh, n_members):
    """Around each center: the center, its nearest and those it is near to; fresh ones first."""
    width = back.numbers.shape[1]
    for row in range(members.shape[0]):
        i = first + row
        members[row, 0] = i
        size = 1
        fresh = 1
        for turn in range(2):
            for t in range(2 * width):
                if t < width:
                    j = lists.numbers[i, t]
                    is_fresh = lists.fresh[i, t]
                else:
                    j = back.numbers[i, t - width]
                    is_fresh = back.fresh[i, t - width]
                if j < 0 or is_fresh == turn or _is_among(members, row, size, j):
                    continue
                members[row, size] = j
                size += 1
                fresh += 1 - turn
        n_fresh[row] = fresh
        n_members[row] = size


@inline_kernel
def _is_among(members, row, size, j):
    for t in range(size):
        if members[row, t] == j:
            return True
    return False


@kernel
def _meet_around(blocks, block, around, lists, pairs, squares):
    """The members of each row meet, if one of them is fresh; return how many pairs are near."""
    members, n_fresh, n_members = around
    last = lists.numbers.shape[1] - 1
    numbers, norms = lists.numbers, blocks.norms
    unit = blocks.unit * blocks.unit
    radius = np.empty(members.shape[1])
    half_norms = np.empty(members.shape[1], blocks.half_norms.dtype)
    least = np.empty_like(half_norms)
    noted = np.empty(members.shape[1], np.int32)
    found = 0
    for row in range(members.shape[0]):
        for a in range(n_members[row]):
            i = members[row, a]
            radius[a] = lists.squares[i, last]
            half_norms[a] = blocks.half_norms[i]
            least[a] = least_difference(blocks, i, radius[a] * unit)
        for a in range(n_fresh[row]):
            i = members[row, a]
            of_row = block[row, a]
            for t in range(_note_near(of_row, half_norms, least, a, n_members[row], noted)):
                b = noted[t]
                j = members[row, b]
                lower = at_least(blocks, norms[i] + norms[j], of_row[b])
                is_near = lower <= radius[a] * unit and not _is_listed(numbers, i, j)
                has_near = lower <= radius[b] * unit and not _is_listed(numbers, j, i)
                if not (is_near or has_near):
                    continue
                square = squared_distance(blocks.points, i, j)
                if (is_near and square <= radius[a]) or (has_near and square <= radius[b]):
                    pairs[found, 0] = i
                    pairs[found, 1] = j
                    squares[found] = square
                    found += 1
    return found


@kernel
def _take(pairs, squares, begin, stop, lists):
    """Put the pairs into the lists of points begin to stop - 1."""
    for p in range(pairs.shape[0]):
        i = pairs[p, 0]
        j = pairs[p, 1]
        if begin <= i < stop:
            offer(lists, i, j, squares[p])
        if begin <= j < stop:
            offer(lists, j, i, squares[p])
