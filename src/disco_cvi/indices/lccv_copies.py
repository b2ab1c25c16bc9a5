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
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_tree import KDTree, kd_tree_of, squared_distance
from disco_cvi._neighbors.nearest_points import Copies, list_copies
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    Balls,
    bounds_beside,
    by_columns,
    count_rows,
    find_balls,
    find_last,
    find_last_row,
    gather,
    gather_rows,
    make_room,
    n_rows_up_to,
)
from disco_cvi.indices.shortest_paths import BallGraph

# Of fewer cores no cluster has two beside another cluster: the score is 0, whoever they stand for.
LEAST_CORES = 3
# With more copies of a point than this, lists of its neighbors are not made.
_MANY_COPIES = 48


class ChosenCores(NamedTuple):
    """Rows of local cores, ascending; the row that stands for each row; steps between points.

    Fewer cores than LEAST_CORES may be too many, and any of them may stand for a row.
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
    two = min(2, len(tree.points))
    nearest = neighbors_by_kd_tree(alone, two, 1, 0).core
    return two > 1 and bool((nearest == 0).any())


def choose_cores(points: Points) -> ChosenCores:
    """Choose the local cores as `lccv.local_cores` does by lists."""
    tree, _ = kd_tree_of(points)
    listed = list_copies(tree)
    votes, reach, balls = _natural_neighbors(tree, listed, points.n_jobs)
    largest = int(votes.max())
    density, limits = _densities(tree, balls, largest, points.n_jobs)
    owners = np.repeat(np.arange(len(tree.points), dtype=np.int32), tree.multiplicity)
    places = np.empty(points.n_points, np.int32)
    places[listed.rows] = owners
    graph = BallGraph(tree, listed, balls, places, reach + 1)
    around, room = (tree, listed, owners, reach, balls.squares, limits), make_room(by_columns(tree))
    peaks = np.empty(LEAST_CORES, np.int64)
    n_peaks = _find_peaks(around, votes, density, peaks, room)
    if n_peaks < LEAST_CORES:
        cores = np.sort(listed.rows[listed.starts[peaks[:n_peaks]]]).astype(np.intp)
        return ChosenCores(cores, np.full(points.n_points, cores[0]), graph)
    # From dense to sparse; of equally dense rows the smaller first.
    order = np.lexsort((listed.rows, -density[owners]))
    chosen = np.full(points.n_points, -1, np.int32)
    _choose_representatives(around, order, votes, density, chosen, room)
    representatives = np.empty(points.n_points, np.int64)
    representatives[listed.rows] = listed.rows[chosen]
    cores = np.flatnonzero(representatives == np.arange(points.n_points))
    return ChosenCores(cores, representatives, graph)


def _natural_neighbors(
    tree: KDTree, listed: Copies, n_jobs: int
) -> tuple[NDArray[np.int64], int, Balls]:
    """Votes of rows, point after point; lambda; balls of a row and the lambda nearest others.

    While a point has copies without a vote, every round gives one to another of them: so lambda
    is less than the number of copies by one, or more. From there on it grows while a row gets its
    first vote in each round.
    """
    most = int(tree.multiplicity.max())
    balls, votes = find_balls(tree, listed, most, n_jobs)
    without = np.flatnonzero(votes == 0)
    if len(without) == 0:
        return votes, most - 1, balls
    n_rows = min(most + len(without), len(votes))
    balls, votes = find_balls(tree, listed, n_rows, n_jobs, balls)
    rounds = _first_rounds(tree, listed, balls, without)
    reach = most
    while reach in rounds:
        reach += 1
    if max(rounds) < reach:
        reach -= 1
    if n_rows != reach + 1:
        balls, votes = find_balls(tree, listed, reach + 1, n_jobs, balls)
    return votes, reach, balls


def _first_rounds(
    tree: KDTree, listed: Copies, balls: Balls, without: NDArray[np.intp]
) -> set[int]:
    """The rounds in which rows, none of which has a copy, get their first vote."""
    owners = np.repeat(np.arange(len(tree.points), dtype=np.int32), tree.multiplicity)
    first = np.full(len(tree.points), -1, np.int64)
    first[owners[without]] = len(listed.rows)
    room = make_room(by_columns(tree))

    def find(begin: int, stop: int) -> None:
        _find_first_rounds(tree, listed, balls, (begin, stop), first, room)

    for_ranges(find, len(tree.points), POINTS_PER_CALL, 1)
    return set(first[first >= 0].tolist())


def _densities(
    tree: KDTree, balls: Balls, n_neighbors: int, n_jobs: int
) -> tuple[FloatArray, FloatArray]:
    """How many nearest other rows there are per unit of distance to them, point by point.

    Only their order is asked for. So sums are made in any order, and only where two are as good as
    equal in that of the definition: from the smallest to the largest. Also return the square of
    the last one.
    """
    n_points = len(tree.points)
    density, limits, columns = np.empty(n_points), np.empty(n_points), by_columns(tree)
    around = tree, balls, n_neighbors

    def add(begin: int, stop: int) -> None:
        _add_roots(around, (begin, stop), density, limits, make_room(columns))

    for_ranges(add, n_points, POINTS_PER_CALL, n_jobs, "Densities")
    order = np.argsort(density, kind="stable")
    ascending = density[order]
    # More than two sums can differ by rounding.
    doubt = 8 * (n_neighbors + 8) * np.finfo(np.float64).eps
    with np.errstate(invalid="ignore"):
        is_near = np.diff(ascending) <= doubt * ascending[1:]
    is_near &= np.isfinite(ascending[1:])
    doubtful = np.flatnonzero(np.append(is_near, False) | np.append(False, is_near))
    doubtful = order[doubtful]

    def add_in_order(begin: int, stop: int) -> None:
        room = make_room(columns)
        for i in doubtful[begin:stop].tolist():
            n_found = _list_ball(tree, i, limits[i], room)
            nearest_first = np.argsort(room.square[:n_found])
            density[i] = _add_ascending(room, nearest_first, n_neighbors)

    for_ranges(add_in_order, len(doubtful), POINTS_PER_CALL, n_jobs)
    return density, limits


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
                if room.square[s] < room.square[t]:
                    n_before += tree.multiplicity[room.found[s]]
                elif room.square[s] == room.square[t] and s != t:
                    n_before += n_rows_up_to(listed, room.found[s], listed.rows[listed.starts[j]])
            first[j] = min(first[j], n_before)


@kernel
def _add_roots(around, place, density, limits, room):
    """Add up the distances to the nearest other rows, in any order."""
    tree, balls, n_neighbors = around
    begin, stop = place
    bounds = 0.0, np.inf, np.inf
    for i in range(begin, stop):
        if i > begin:
            bounds = bounds_beside(tree, i, balls.squares, limits)
        # The row itself is the first.
        n_found, last, n_nearer = gather_rows(tree, i, bounds, n_neighbors + 1, room)
        lengths = room.all_points.spread
        for t in range(n_found):
            length = room.weight[t] * math.sqrt(room.square[t])
            lengths[t] = length if room.square[t] < last else 0.0
        total = _add_up(lengths, n_found)
        total += (n_neighbors + 1 - n_nearer) * math.sqrt(last)
        density[i] = n_neighbors / total if total > 0.0 else np.inf
        limits[i] = last


@inline_kernel
def _add_up(lengths, n_lengths):
    """Add by fours: none of the four sums waits for the others."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = n_lengths - n_lengths % 4
    for t in range(0, whole, 4):
        first += lengths[t]
        second += lengths[t + 1]
        third += lengths[t + 2]
        fourth += lengths[t + 3]
    for t in range(whole, n_lengths):
        first += lengths[t]
    return first + second + third + fourth


@kernel
def _list_ball(tree, i, limit, room):
    return gather(tree, i, limit, room)


@kernel
def _add_ascending(room, nearest_first, n_neighbors):
    """The density of a point whose nearest are listed, by the sum in the order of distances."""
    total = 0.0
    n_left = n_neighbors + 1
    for t in nearest_first:
        for _ in range(min(n_left, room.weight[t])):
            total += math.sqrt(room.square[t])
        n_left = max(n_left - room.weight[t], 0)
    return n_neighbors / total if total > 0.0 else np.inf


@kernel
def _find_peaks(around, votes, density, peaks, room):
    """Find points whose first row has no denser one in its ball; stop when there is no room left.

    All denser rows come before a row, and whoever has come has a representative: so only a peak
    can be a local core.
    """
    tree, listed, _, reach, near_limits, far_limits = around
    n_peaks = 0
    for i in range(tree.points.shape[0]):
        n_rows = votes[listed.starts[i]] + 1
        limit = near_limits[i] if n_rows <= reach + 1 else far_limits[i]
        if _is_below_another(tree, i, n_rows, density, room):
            continue
        n_found = gather(tree, i, limit, room)
        last, n_before = find_last(n_found, n_rows, 0.0, limit, room)
        last_row = find_last_row(listed, n_found, last, n_rows - n_before, room)
        is_peak = True
        for t in range(n_found):
            j, square = room.found[t], room.square[t]
            if density[j] > density[i] and (
                square < last or (square == last and listed.rows[listed.starts[j]] <= last_row)
            ):
                is_peak = False
        if is_peak:
            peaks[n_peaks] = i
            n_peaks += 1
            if n_peaks == peaks.shape[0]:
                break
    return n_peaks


@inline_kernel
def _is_below_another(tree, i, n_rows, density, room):
    """Whether a denser point of the same leaf is near enough: true of most, and seen at once."""
    nearest = np.inf
    leaf = tree.leaf[i]
    for j in range(tree.start[leaf], tree.end[leaf]):
        if density[j] > density[i]:
            nearest = min(nearest, squared_distance(tree.points, i, j))
    return nearest < np.inf and count_rows(gather(tree, i, nearest, room), room) <= n_rows


@kernel
def _choose_representatives(around, order, votes, density, chosen, room):
    """As `lccv._choose_representatives`, for rows in the order of the list.

    For each point is kept what its last row did: a later row has the same ball or a smaller one,
    and where it has the same offer nothing is left to do. Of the rows of a point, the first ones
    have the nearest representatives: so offers are made from the last row in the ball to the first,
    until one has a better one.
    """
    tree, listed, owners, reach, near_limits, far_limits = around
    points, starts = tree.points, listed.starts
    squares = np.full(order.shape[0], np.inf)
    sizes = np.zeros(points.shape[0], np.int64)
    offers = np.full(points.shape[0], -1, np.int32)
    densest_points = np.full(points.shape[0], -1, np.int32)
    for p in order:
        i = owners[p]
        n_rows = votes[p] + 1
        densest = densest_points[i]
        is_known = n_rows == sizes[i] or (densest < 0 and n_rows < sizes[i])
        if is_known and chosen[p if densest < 0 else starts[densest]] == offers[i]:
            continue
        limit = near_limits[i] if votes[p] <= reach else far_limits[i]
        n_found = gather(tree, i, limit, room)
        least = 0.0 if votes[p] <= reach else near_limits[i]
        last, n_before = find_last(n_found, n_rows, least, limit, room)
        last_row = find_last_row(listed, n_found, last, n_rows - n_before, room)
        densest = -1
        nearness = 0.0
        most = density[i]
        n_inside = 0
        for t in range(n_found):
            j = room.found[t]
            square = room.square[t]
            if square > last or (square == last and listed.rows[starts[j]] > last_row):
                continue
            room.found[n_inside] = j
            room.square[n_inside] = square
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
        offer = chosen[top]
        sizes[i] = n_rows
        offers[i] = offer
        densest_points[i] = densest
        for t in range(n_inside):
            j = room.found[t]
            q = starts[j + 1] - 1
            if room.square[t] == last:
                q = starts[j] + n_rows_up_to(listed, j, last_row) - 1
            if chosen[q] == offer:
                continue
            square = squared_distance(points, j, owners[offer])
            while (
                q >= starts[j] and square < squares[q] and math.sqrt(square) < math.sqrt(squares[q])
            ):
                chosen[q] = offer
                squares[q] = square
                q -= 1
