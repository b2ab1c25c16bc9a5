"""Who stands for whom in LCCV, where a point has very many copies.

A ball there holds hundreds of points and more, but next to nothing has to be done in most of them:
the densest point of a ball is among those of a few nodes, and the points of most nodes were offered
the same representative before. So balls are looked at node by node, and nodes remember both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.kd_tree import (
    STACK_SIZE,
    KDTree,
    squared_distance,
    squared_distance_to_box,
)
from disco_cvi._neighbors.nearest_points import Copies
from disco_cvi.indices.lccv_sums import least_of_nodes
from disco_cvi.indices.row_balls import Balls, Room, find_ball, n_rows_up_to

# So many rows are looked at before Ctrl-C is answered.
_ROWS_PER_CALL = 1024


class Around(NamedTuple):
    """What representatives are chosen by.

    `owners` are the points of rows, `votes` those of rows, both in the order of `listed`; `balls`
    hold the rows that voted for the first row of a point, and it. `greatest` is the density of the
    densest point of each node.
    """

    tree: KDTree
    listed: Copies
    owners: NDArray[np.int32]
    votes: NDArray[np.int64]
    balls: Balls
    density: FloatArray
    greatest: FloatArray
    waiting: NDArray[np.int32]


class State(NamedTuple):
    """Representatives of rows as numbers in the list, -1 before there is one, and how far they are.

    `offered`: who was offered last to all rows of a node. And what the last row of a point did: the
    `sizes` of balls, `densest` points in them and `offers`.
    """

    chosen: NDArray[np.int32]
    squares: FloatArray
    offered: NDArray[np.int32]
    sizes: NDArray[np.int64]
    densest: NDArray[np.int32]
    offers: NDArray[np.int32]


def look_around(
    tree: KDTree,
    listed: Copies,
    owners: NDArray[np.int32],
    votes: NDArray[np.int64],
    balls: Balls,
    density: FloatArray,
) -> Around:
    """Let nodes know how dense their points are."""
    greatest = -least_of_nodes(tree, -density)
    waiting = np.empty(STACK_SIZE, np.int32)
    return Around(tree, listed, owners, votes, balls, density, greatest, waiting)


def find_peaks(around: Around, most: int) -> NDArray[np.int64]:
    """Find up to so many points whose first row has no denser one in its ball.

    All denser rows come before a row, and whoever has come has a representative: so only a peak
    can be a local core.
    """
    n_points = len(around.density)
    peaks, n_peaks = np.empty(most, np.int64), 0
    for begin in range(0, n_points, _ROWS_PER_CALL):
        which = begin, min(begin + _ROWS_PER_CALL, n_points)
        n_peaks = _find_peaks(around, which, peaks, n_peaks)
    return peaks[:n_peaks]


def choose_representatives(around: Around, room: Room) -> NDArray[np.int32]:
    """Choose as `lccv.local_cores` does; rows and representatives by their numbers in the list."""
    # From dense to sparse; of equally dense rows the smaller first.
    rows, density = around.listed.rows, around.density
    order = np.lexsort((rows, -density[around.owners]))
    state = State(
        np.full(len(rows), -1, np.int32),
        np.full(len(rows), np.inf),
        np.full(len(around.greatest), -1, np.int32),
        np.zeros(len(density), np.int64),
        *np.full((2, len(density)), -1, np.int32),
    )
    for begin in range(0, len(order), _ROWS_PER_CALL):
        _choose(around, order[begin : begin + _ROWS_PER_CALL], state, room)
    return state.chosen


@kernel
def _find_peaks(around, which, peaks, n_peaks):
    """Add the peaks among some points, as many as there is room for; return how many there are."""
    begin, stop = which
    balls = around.balls
    for i in range(begin, stop):
        if n_peaks == peaks.shape[0]:
            break
        if _find_densest(around, i, balls.squares[i], balls.rows[i]) < 0:
            peaks[n_peaks] = i
            n_peaks += 1
    return n_peaks


@inline_kernel
def _find_densest(around, i, last, last_row):
    """The densest point of a ball; -1 if none is denser than point i.

    Of equally dense ones the nearest, of equally near ones that of the smaller row.
    """
    tree, listed, density, waiting = around.tree, around.listed, around.density, around.waiting
    densest = -1
    most = density[i]
    nearness = 0.0
    waiting[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if around.greatest[node] < most or (around.greatest[node] == most and densest < 0):
            continue
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) > last:
            continue
        if tree.right[node] > 0:
            # The denser side is looked at first.
            left, right = node + 1, tree.right[node]
            is_left = around.greatest[left] > around.greatest[right]
            waiting[n_waiting] = right if is_left else left
            waiting[n_waiting + 1] = left if is_left else right
            n_waiting += 2
            continue
        for j in range(tree.start[node], tree.end[node]):
            if density[j] < most or (density[j] == most and densest < 0):
                continue
            square = squared_distance(tree.points, i, j)
            row = listed.rows[listed.starts[j]]
            if square > last or (square == last and row > last_row):
                continue
            if (
                density[j] > most
                or square < nearness
                or (square == nearness and row < listed.rows[listed.starts[densest]])
            ):
                densest = j
                most = density[j]
                nearness = square
    return densest


@kernel
def _choose(around, order, state, room):
    """Let each row, in the given order, offer the representative of its densest neighbor.

    For each point is kept what its last row did: a later row has the same ball or a smaller one,
    and where it has the same offer nothing is left to do.
    """
    tree, listed, balls, votes = around.tree, around.listed, around.balls, around.votes
    starts, chosen = listed.starts, state.chosen
    sizes, offers = state.sizes, state.offers
    for p in order:
        i = around.owners[p]
        n_rows = votes[p] + 1
        densest = state.densest[i]
        is_known = n_rows == sizes[i] or (densest < 0 and n_rows < sizes[i])
        if is_known and chosen[p if densest < 0 else starts[densest]] == offers[i]:
            continue
        last, last_row = balls.squares[i], balls.rows[i]
        if votes[p] != votes[starts[i]]:
            last, last_row = find_ball(tree, listed, i, last, n_rows, room)
        densest = _find_densest(around, i, last, last_row)
        top = p if densest < 0 else starts[densest]
        if chosen[top] < 0:
            chosen[top] = top
            state.squares[top] = 0.0
        sizes[i] = n_rows
        offers[i] = chosen[top]
        state.densest[i] = densest
        _offer(around, state, chosen[top], i, last, last_row)


@inline_kernel
def _offer(around, state, offer, i, last, last_row):
    """Offer a representative to all rows of a ball; nodes to which it was offered are left out."""
    tree, waiting, offered = around.tree, around.waiting, state.offered
    waiting[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if offered[node] == offer:
            continue
        if squared_distance_to_box(tree.points, tree.lower, tree.upper, node, i) > last:
            continue
        if tree.right[node] > 0:
            waiting[n_waiting] = tree.right[node]
            waiting[n_waiting + 1] = node + 1
            n_waiting += 2
            continue
        if _offer_to_leaf(around, state, offer, node, i, last, last_row):
            offered[node] = offer
            while node > 0:
                node = tree.parent[node]
                if offered[node + 1] != offer or offered[tree.right[node]] != offer:
                    break
                offered[node] = offer


@inline_kernel
def _offer_to_leaf(around, state, offer, leaf, i, last, last_row):
    """Offer it to those rows of a leaf that are in the ball; return whether all rows had it by now.

    Of the rows of a point, the first ones are in every ball that holds a later one, and have the
    nearest representatives: so offers are made from the last row in the ball to the first, until
    one has a better one.
    """
    tree, starts = around.tree, around.listed.starts
    chosen, squares = state.chosen, state.squares
    had_all = True
    for j in range(tree.start[leaf], tree.end[leaf]):
        q = starts[j + 1] - 1
        if chosen[q] == offer:
            continue
        square = squared_distance(tree.points, i, j)
        if square > last:
            had_all = False
            continue
        if square == last:
            q = starts[j] + n_rows_up_to(around.listed, j, last_row) - 1
            had_all = had_all and q == starts[j + 1] - 1
        square = squared_distance(tree.points, j, around.owners[offer])
        while q >= starts[j] and square < squares[q] and math.sqrt(square) < math.sqrt(squares[q]):
            chosen[q] = offer
            squares[q] = square
            q -= 1
    return had_all
