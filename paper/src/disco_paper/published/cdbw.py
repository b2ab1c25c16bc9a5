"""CDbw as the DISCO paper's program computes it."""

from __future__ import annotations

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._input.clustering import Clustering
from disco_cvi._neighbors.kd_tree import STACK_SIZE, build_kd_tree
from disco_cvi._neighbors.search_choice import is_hard_to_search
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cdbw import count_near, is_near, squared_distance_to, sure_squares

_SHRINKING = np.arange(10) / 10
# Above so many dimensions a ball meets nearly every node of a tree.
# So many points are compared faster than nodes that hold them.
_SIDE_BY_SIDE = 64

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "all": "takes all points for representatives",
    "radius": "takes the radius of the last cluster for all",
    "shrinking": "shrinks by other factors",
    "sums": "takes sums for means of densities between clusters",
    "largest": "takes the largest density between clusters for the mean",
    "smaller": "compares a cluster with those of smaller labels only",
}


def evaluate_published_cdbw(clustering: Clustering, *, n_features: int | None = None) -> float:
    """CDbw as the paper's program computes it; it changes when clusters are renumbered.

    0 if a cluster is a single point or the radius is 0. The radius is a mean over features:
    `n_features` says how many there were where the points have been turned into fewer.
    """
    clusters = [clustering.array[rows] for rows in clustering.members]
    if len(clusters) < 2:
        raise UndefinedScoreError("The published CDbw needs two clusters or more.")
    n_features = clustering.array.shape[1] if n_features is None else n_features
    radius = float(np.sqrt(clusters[-1].var(axis=0).sum() / n_features))
    if radius == 0 or min(map(len, clusters)) == 1:
        return 0.0
    within = np.mean([_shares(members, radius) for members in clusters], axis=0) / radius
    compactness = float(within.mean())
    change = float(np.abs(np.diff(within)).sum()) / (len(within) - 1)
    cohesion = compactness / (1 + change)
    return cohesion * compactness * _separation(clusters, radius)


def _shares(members: FloatArray, radius: float) -> FloatArray:
    """For each shrinking factor, the mean share of the cluster near its moved members."""
    counts = np.zeros(len(_SHRINKING), np.int64)
    center = members.mean(axis=0)
    tree = build_kd_tree(members.copy())
    if is_hard_to_search(tree, 2):
        _count_moved(members, center, _SHRINKING, radius, counts)
    else:
        before = np.concatenate([[0], np.cumsum(tree.multiplicity, dtype=np.int64)])
        columns = np.ascontiguousarray(tree.points.T)
        _count_moved_by_tree(tree, columns, before, center, _SHRINKING, radius, counts)
    return counts / len(members) ** 2


def _separation(clusters: list[FloatArray], radius: float) -> float:
    densest, gaps = 0.0, 0.0
    for c, one in enumerate(clusters):
        nearest = np.inf
        for other in clusters[:c]:
            density, distance = _compare(other, one, radius)
            size = len(one) + len(other)
            densest = max(densest, density / (radius * size))
            nearest = min(nearest, distance)
        gaps += nearest if c else 0.0
    return gaps / len(clusters) / (1 + densest / len(clusters))


@inline_kernel
def _move(members, p, center, share, place):
    """Move a member some of the way towards the center."""
    for c in range(place.shape[0]):
        place[c] = members[p, c] + share * (center[c] - members[p, c])


@kernel
def _count_moved(members, center, shrinking, radius, counts):
    """Count the members near all members that are moved towards the center."""
    place = np.empty(members.shape[1])
    for t in range(shrinking.shape[0]):
        for p in range(members.shape[0]):
            _move(members, p, center, shrinking[t], place)
            counts[t] += count_near(members, 0, members.shape[0], place, radius)


@kernel
def _count_moved_by_tree(tree, columns, before, center, shrinking, radius, counts):
    """The same counts; nodes whose points all are near, or all are not, are counted as a whole.

    Squares are added in the order of `squared_distance_to`: rounding is monotone, so no member of a
    node lies, to the last bit, nearer than the nearest place of its box or farther than the
    farthest. ``before[p]`` counts the copies of the points before p; `columns` are the points by
    feature: a leaf is compared as a whole, and the compiler may use vectors.
    """
    points, multiplicity = tree.points, tree.multiplicity
    squares = np.empty(points.shape[0])
    surely, hardly = sure_squares(radius)
    place = np.empty(points.shape[1])
    waiting = np.empty(STACK_SIZE, np.int32)
    for t in range(shrinking.shape[0]):
        for p in range(points.shape[0]):
            _move(points, p, center, shrinking[t], place)
            count = 0
            waiting[0] = 0
            n_waiting = 1
            while n_waiting > 0:
                n_waiting -= 1
                node = waiting[n_waiting]
                begin, stop = tree.start[node], tree.end[node]
                nearest, farthest = _squares_to_box(tree.lower, tree.upper, node, place)
                if nearest >= hardly:
                    continue
                if farthest < surely:
                    count += before[stop] - before[begin]
                elif tree.right[node] > 0 and stop - begin > _SIDE_BY_SIDE:
                    waiting[n_waiting] = node + 1
                    waiting[n_waiting + 1] = tree.right[node]
                    n_waiting += 2
                else:
                    _compare_leaf(columns[:, begin:stop], place, squares)
                    copies = multiplicity[begin:stop]
                    for q in range(copies.shape[0]):
                        if is_near(squares[q], surely, hardly, radius):
                            count += copies[q]
            counts[t] += count * multiplicity[p]


@inline_kernel
def _compare_leaf(columns, place, squares):
    """Squared distances from a place to points that are given by feature."""
    squares[: columns.shape[1]] = 0.0
    for c in range(columns.shape[0]):
        column = columns[c]
        there = place[c]
        for q in range(column.shape[0]):
            x = column[q] - there
            squares[q] += x * x


@inline_kernel
def _squares_to_box(lower, upper, node, place):
    """Squared distances from a place to the nearest and to the farthest place of a box."""
    nearest = 0.0
    farthest = 0.0
    for c in range(place.shape[0]):
        below = lower[node, c] - place[c]
        above = place[c] - upper[node, c]
        x = max(max(below, above), 0.0)
        nearest += x * x
        x = max(-below, -above)
        farthest += x * x
    return nearest, farthest


@kernel
def _compare(one, other, radius):
    """The density summed, and the distance averaged, over the mutually nearest members."""
    there = np.empty(one.shape[0], np.int64)
    back = np.empty(other.shape[0], np.int64)
    nearest = np.full(other.shape[0], np.inf)
    squares = np.full(one.shape[0], np.inf)
    for p in range(one.shape[0]):
        place = one[p]
        for q in range(other.shape[0]):
            square = squared_distance_to(other, q, place)
            if square < squares[p]:
                squares[p] = square
                there[p] = q
            if square < nearest[q]:
                nearest[q] = square
                back[q] = p
    density = 0.0
    distances = 0.0
    n_pairs = 0
    for p in range(one.shape[0]):
        if back[there[p]] == p:
            distance = np.sqrt(squares[p])
            middle = (one[p] + other[there[p]]) / 2
            count = count_near(one, 0, one.shape[0], middle, radius)
            count += count_near(other, 0, other.shape[0], middle, radius)
            density += distance * count
            distances += distance
            n_pairs += 1
    return density, distances / n_pairs
