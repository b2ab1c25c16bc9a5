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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.points import Points
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_tree import KDTree, kd_tree_of
from disco_cvi._neighbors.nearest_points import Copies, list_copies
from disco_cvi.indices.ball_paths import BallGraph
from disco_cvi.indices.lccv_peaks import find_few_peaks
from disco_cvi.indices.lccv_representatives import choose_representatives, find_peaks, look_around
from disco_cvi.indices.lccv_sums import Asked, find_densities, no_sums
from disco_cvi.indices.row_balls import (
    POINTS_PER_CALL,
    Balls,
    by_columns,
    find_balls,
    gather,
    make_room,
    n_rows_up_to,
)

# Of fewer cores no cluster has two beside another cluster: the score is 0, whoever they stand for.
LEAST_CORES = 3
# Where so few balls would hold all rows, there may be fewer peaks than that.
_FEW_BALLS = 12
# With more copies of a point than so many times the cube root of n, lists of its neighbors take
# longer: balls take the longer the more points there are, which natural neighborhoods hardly do.
_MANY_COPIES = 1.9


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
    many = _MANY_COPIES * float(np.cbrt(points.n_points))
    return int(tree.multiplicity.max()) > many and not _has_lost_distances(tree)


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
    owners = np.repeat(np.arange(len(tree.points), dtype=np.int32), tree.multiplicity)
    places = np.empty(points.n_points, np.int32)
    places[listed.rows] = owners
    graph = BallGraph(tree, listed, balls, places, reach + 1)
    sizes = votes[listed.starts[:-1]] + 1
    asked = Asked(tree, listed, balls, reach + 1, sizes, int(votes.max()) + 1)
    sums = no_sums(len(tree.points))
    peaks = None
    if _FEW_BALLS * asked.n_known >= points.n_points:
        peaks = find_few_peaks(asked, sums, LEAST_CORES, points.n_jobs)
    if peaks is None:
        density = find_densities(asked, sums, points.n_jobs)
        around = look_around(tree, listed, owners, votes, sums.balls, density)
        peaks = find_peaks(around, LEAST_CORES)
    if len(peaks) < LEAST_CORES:
        cores = np.sort(listed.rows[listed.starts[peaks]]).astype(np.intp)
        return ChosenCores(cores, np.full(points.n_points, cores[0]), graph)
    chosen = choose_representatives(around, make_room(by_columns(tree)))
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


@kernel
def _find_first_rounds(tree, listed, balls, place, first, room):
    """Lower `first`, of points that have it, to the place that their row has for another point."""
    begin, stop = place
    for i in range(begin, stop):
        n_found = gather(tree, i, balls.squares[i], room)
        for t in range(n_found):
            j = room.found[t]
            if first[j] < 0 or i == j or room.square[t] > balls.squares[i]:
                continue
            # The row of point i itself is counted, too: so the next after it has place 1.
            n_before = 0
            for s in range(n_found):
                if room.square[s] < room.square[t]:
                    n_before += tree.multiplicity[room.found[s]]
                elif room.square[s] == room.square[t] and s != t:
                    n_before += n_rows_up_to(listed, room.found[s], listed.rows[listed.starts[j]])
            first[j] = min(first[j], n_before)
