"""Local cores of LCCV where a point has very many copies: what labels play no part in.

Natural neighborhoods are at least as large as the number of copies of a point, so lists of
neighbors would take memory as the square of it. Here neighborhoods are balls that are looked at
one by one, and copies are counted: a point is looked at once for all of them. That is the same to
the last bit, because

- copies are among each other's nearest, as many as there are at most: so all of them see the same
  rows, those of the ball, and differ only in leaving out themselves;
- the sum of distances that tells the density is the same for all copies;
- a smaller row is in every ball that holds a larger copy of it, so it has as many votes and offers
  as that or more. The first copy comes first, has the largest ball, and hands its representative to
  all others: only a first copy can be a local core.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.kd_tree import KDTree, kd_tree_of, squared_distance
from disco_cvi._neighbors.nearest_points import Copies, list_copies
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    Balls,
    find_balls,
    find_last,
    find_last_row,
    gather,
    make_room,
    n_rows_up_to,
)
from disco_cvi.indices.shortest_paths import BallGraph

# Of fewer cores no cluster has two beside another cluster: the score is 0, whoever they stand for.
LEAST_CORES = 3
# With more copies of a point than this, lists of its neighbors are not made.
_MANY_COPIES = 48
_POINTS_AT_ONCE = 16


class ChosenCores(NamedTuple):
    """Rows of local cores, ascending; the row that stands for each row; steps between points.

    If there are fewer cores than LEAST_CORES, any of them may stand for a row.
    """

    cores: NDArray[np.intp]
    representatives: NDArray[np.int64]
    graph: BallGraph


def have_many_copies(points: Points) -> bool:
    """Whether to choose cores by balls.

    Not if points that differ have no distance, because it is too small for floating-point numbers:
    they would be copies that are not counted as such.
    """
    tree, _ = kd_tree_of(points)
    return int(tree.multiplicity.max()) > _MANY_COPIES and not _has_lost_distances(tree)


def _has_lost_distances(tree: KDTree) -> bool:
    """Whether a point lies in a ball of radius 0 around another one."""
    alone = tree._replace(multiplicity=np.ones_like(tree.multiplicity))
    listed = Copies(np.arange(len(tree.points), dtype=np.int32), np.arange(len(tree.points) + 1))
    balls = find_balls(alone, listed, min(2, len(tree.points)), 1)
    return len(tree.points) > 1 and bool((balls.squares == 0).any())


def choose_cores(points: Points) -> ChosenCores:
    """Choose the local cores as `lccv.local_cores` does by lists."""
    tree, _ = kd_tree_of(points)
    listed = list_copies(tree)
    votes, reach, balls = _natural_neighbors(tree, listed, points.n_jobs)
    largest = int(votes.max())
    density, limits = _densities(tree, balls, largest, points.n_jobs)
    owners = np.repeat(np.arange(len(tree.points), dtype=np.int32), tree.multiplicity)
    # From dense to sparse; of equally dense rows the smaller first.
    order = np.lexsort((listed.rows, -density[owners]))
    chosen = np.full(points.n_points, -1, np.int32)
    around = (tree, listed, owners, reach, balls.squares, limits)
    _choose_representatives(around, order, votes, density, chosen, make_room(len(tree.points)))
    representatives = np.empty(points.n_points, np.int64)
    representatives[listed.rows] = listed.rows[chosen]
    cores = np.flatnonzero(representatives == np.arange(points.n_points))
    places = np.empty(points.n_points, np.int32)
    places[listed.rows] = owners
    return ChosenCores(cores, representatives, BallGraph(tree, listed, balls, places))


def _natural_neighbors(
    tree: KDTree, listed: Copies, n_jobs: int
) -> tuple[NDArray[np.int64], int, Balls]:
    """Votes of rows, point after point; lambda; balls of a row and the lambda nearest others.

    While a point has copies without a vote, every round gives one to another of them: so lambda
    is less than the number of copies by one, or more. From there on it grows while a row gets its
    first vote in each round.
    """
    most = int(tree.multiplicity.max())
    balls = find_balls(tree, listed, most, n_jobs)
    votes = _count_votes(tree, listed, balls)
    without = np.flatnonzero(votes == 0)
    if len(without) == 0:
        return votes, most - 1, balls
    n_rows = min(most + len(without), len(votes))
    rounds = _first_rounds(tree, listed, find_balls(tree, listed, n_rows, n_jobs), without)
    reach = most
    while reach in rounds:
        reach += 1
    if max(rounds) < reach:
        reach -= 1
    balls = find_balls(tree, listed, reach + 1, n_jobs)
    return _count_votes(tree, listed, balls), reach, balls


def _count_votes(tree: KDTree, listed: Copies, balls: Balls) -> NDArray[np.int64]:
    """In how many balls of other rows each row is."""
    whole = np.zeros(len(tree.points), np.int64)
    changes = np.zeros(len(listed.rows) + 1, np.int64)
    room = make_room(len(tree.points))

    def count(begin: int, stop: int) -> None:
        _add_votes(tree, listed, balls, (begin, stop), whole, changes, room)

    for_ranges(count, len(tree.points), POINTS_PER_CALL, 1)
    return np.repeat(whole, tree.multiplicity) + np.cumsum(changes[:-1]) - 1


def _first_rounds(
    tree: KDTree, listed: Copies, balls: Balls, without: NDArray[np.intp]
) -> set[int]:
    """The rounds in which rows, none of which has a copy, get their first vote."""
    owners = np.repeat(np.arange(len(tree.points), dtype=np.int32), tree.multiplicity)
    first = np.full(len(tree.points), -1, np.int64)
    first[owners[without]] = len(listed.rows)
    room = make_room(len(tree.points))

    def find(begin: int, stop: int) -> None:
        _find_first_rounds(tree, listed, balls, (begin, stop), first, room)

    for_ranges(find, len(tree.points), POINTS_PER_CALL, 1)
    return set(first[first >= 0].tolist())


def _densities(
    tree: KDTree, balls: Balls, n_neighbors: int, n_jobs: int
) -> tuple[FloatArray, FloatArray]:
    """How many nearest other rows there are per unit of distance to them, point by point.

    Distances are added from the smallest to the largest. Also return the square of the last one.
    """
    n_points = len(tree.points)
    density, limits = np.empty(n_points), np.empty(n_points)
    # Its copies are not listed.
    heaviest = int(tree.multiplicity.argmax())

    def add(begin: int, stop: int) -> None:
        squares, room = np.empty((_POINTS_AT_ONCE, len(tree.rows) + 1)), make_room(n_points)
        ratio = 1.0
        for first in range(begin, stop, _POINTS_AT_ONCE):
            place = (first, min(first + _POINTS_AT_ONCE, stop))
            sizes, numbers = np.zeros((2, _POINTS_AT_ONCE), np.int64)
            copies = Copied(heaviest, np.full(_POINTS_AT_ONCE, np.inf), numbers)
            _list_squares((tree, balls, ratio, n_neighbors), copies, place, squares, sizes, room)
            for listed, size in zip(squares, sizes.tolist(), strict=True):
                listed[:size].sort()
                listed[size : size + 1] = np.inf
            _add_lengths(squares, copies, n_neighbors, place, density, limits)
            reached = balls.squares[place[1] - 1]
            ratio = 1.1 * limits[place[1] - 1] / reached if reached > 0 else 1.0

    for_ranges(add, n_points, POINTS_PER_CALL, n_jobs, "Densities")
    return density, limits


class Copied(NamedTuple):
    """How far a point is from others, squared, and how many of its rows are near: all, or 0."""

    point: int
    squares: FloatArray
    numbers: NDArray[np.int64]


@kernel
def _add_votes(tree, listed, balls, place, whole, changes, room):
    """Let the rows of points vote for those in their balls.

    `whole` are votes for all rows of a point, `changes` from row to row, in the order of the list.
    """
    begin, stop = place
    for i in range(begin, stop):
        square = balls.squares[i]
        weight = tree.multiplicity[i]
        for t in range(gather(tree, i, square, room)):
            j = room.found[t]
            if room.squares[t] < square:
                whole[j] += weight
            else:
                changes[listed.starts[j]] += weight
                n_inside = n_rows_up_to(listed, j, balls.rows[i])
                changes[listed.starts[j] + n_inside] -= weight


@kernel
def _find_first_rounds(tree, listed, balls, place, first, room):
    """Lower `first`, of points that have it, to the place that their row has for another point."""
    begin, stop = place
    for i in range(begin, stop):
        n_found = gather(tree, i, balls.squares[i], room)
        for t in range(n_found):
            j = room.found[t]
            if first[j] < 0 or i == j:
                continue
            # The row of point i itself is counted, too: so the next after it has place 1.
            n_before = 0
            for s in range(n_found):
                if room.squares[s] < room.squares[t]:
                    n_before += tree.multiplicity[room.found[s]]
                elif room.squares[s] == room.squares[t] and s != t:
                    n_before += n_rows_up_to(listed, room.found[s], listed.rows[listed.starts[j]])
            first[j] = min(first[j], n_before)


@kernel
def _list_squares(around, copies, place, squares, sizes, room):
    """List the squared distances to the nearest other rows and some more, but for the copies.

    A ball that holds so many rows is guessed by what was found beside it, and widened if need be.
    """
    tree, balls, ratio, n_neighbors = around
    begin, stop = place
    for i in range(begin, stop):
        limit = balls.squares[i] * ratio
        if limit == 0.0:
            limit = np.inf
        n_rows = 0
        while n_rows <= n_neighbors:
            n_found = gather(tree, i, limit, room)
            n_rows = 0
            for t in range(n_found):
                n_rows += tree.multiplicity[room.found[t]]
            limit *= 1.5
        size = 0
        for t in range(n_found):
            square, j = room.squares[t], room.found[t]
            n_copies = tree.multiplicity[j] - (1 if i == j else 0)
            if j == copies.point:
                copies.squares[i - begin] = square
                copies.numbers[i - begin] = n_copies
                continue
            for _ in range(n_copies):
                squares[i - begin, size] = square
                size += 1
        sizes[i - begin] = size


@kernel
def _add_lengths(squares, copies, n_neighbors, place, density, limits):
    """Add up the lengths of the nearest, of which the copies' are put in their place."""
    begin, stop = place
    for i in range(begin, stop):
        total = 0.0
        last = 0.0
        next_listed = 0
        square, n_left = copies.squares[i - begin], copies.numbers[i - begin]
        for _ in range(n_neighbors):
            if n_left > 0 and square <= squares[i - begin, next_listed]:
                last = square
                n_left -= 1
            else:
                last = squares[i - begin, next_listed]
                next_listed += 1
            total += math.sqrt(last)
        density[i] = n_neighbors / total if total > 0.0 else np.inf
        limits[i] = last


@kernel
def _choose_representatives(around, order, votes, density, chosen, room):
    """As `lccv._choose_representatives`, for rows in the order of the list.

    For each point is kept what its last row did: a later row has the same ball or a smaller one,
    and where it has the same offer nothing is left to do. Of the rows of a point, the first ones
    have the nearest representatives: so offers are made from the last row in the ball to the first,
    until one has a better one. Few cores are told as soon as there can be no other.
    """
    tree, listed, owners, reach, near_limits, far_limits = around
    points, starts = tree.points, listed.starts
    squares = np.full(order.shape[0], np.inf)
    sizes = np.zeros(points.shape[0], np.int64)
    offers = np.full(points.shape[0], -1, np.int32)
    densest_points = np.full(points.shape[0], -1, np.int32)
    n_cores = 0
    n_without = order.shape[0]
    for p in order:
        if n_without == 0 and n_cores < LEAST_CORES:
            break
        i = owners[p]
        n_rows = votes[p] + 1
        densest = densest_points[i]
        is_known = n_rows == sizes[i] or (densest < 0 and n_rows < sizes[i])
        if is_known and chosen[p if densest < 0 else starts[densest]] == offers[i]:
            continue
        limit = near_limits[i] if votes[p] <= reach else far_limits[i]
        n_found = gather(tree, i, limit, room)
        last, n_before = find_last(tree.multiplicity, n_found, n_rows, room)
        last_row = find_last_row(listed, n_found, last, n_rows - n_before, room)
        densest = -1
        nearness = 0.0
        most = density[i]
        n_inside = 0
        for t in range(n_found):
            j = room.found[t]
            square = room.squares[t]
            if square > last or (square == last and listed.rows[starts[j]] > last_row):
                continue
            room.found[n_inside] = j
            room.squares[n_inside] = square
            n_inside += 1
            if density[j] > most or (
                density[j] == most
                and densest >= 0
                and (
                    square < nearness
                    or (
                        square == nearness and listed.rows[starts[j]] < listed.rows[starts[densest]]
                    )
                )
            ):
                densest = j
                nearness = square
                most = density[j]
        top = p if densest < 0 else starts[densest]
        if chosen[top] < 0:
            chosen[top] = top
            squares[top] = 0.0
            n_cores += 1
            n_without -= 1
        offer = chosen[top]
        sizes[i] = n_rows
        offers[i] = offer
        densest_points[i] = densest
        for t in range(n_inside):
            j = room.found[t]
            q = starts[j + 1] - 1
            if room.squares[t] == last:
                q = starts[j] + n_rows_up_to(listed, j, last_row) - 1
            square = squared_distance(points, j, owners[offer])
            while (
                q >= starts[j] and square < squares[q] and math.sqrt(square) < math.sqrt(squares[q])
            ):
                n_without -= chosen[q] < 0
                chosen[q] = offer
                squares[q] = square
                q -= 1
