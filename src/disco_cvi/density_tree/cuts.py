"""DBSCAN at any eps, from the density tree: clusters are cut out of the line of leaves.

Two core points are joined at eps if and only if their dc-distance is no larger, so the clusters of
core points are runs of leaves. A point that is no core point has fewer than min_points points
within eps, so that all of them are among its min_points nearest points: who they are is all that
border points need beside the tree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._neighbors.neighborhoods import Neighborhoods
from disco_cvi.density_tree.build import TreeParts
from disco_cvi.density_tree.leaf_order import LeafLine

BORDERS = ("nearest", "first", "noise")


class NearPoints(NamedTuple):
    """The nearest points of every distinct point, in the units of the line of leaves.

    ``rows[starts[i]:starts[i + 1]]``: the rows that point i stands for.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    core: FloatArray
    coordinates: FloatArray
    nearest: NDArray[np.int32]
    distances: FloatArray


def measure_near_points(found: Neighborhoods, parts: TreeParts) -> NearPoints:
    """Bring neighbors into the units of a tree's line, as its core distances are."""
    distances, exponent = found.measure(parts.metric)
    starts = np.concatenate([[0], np.cumsum(found.multiplicity)])
    with np.errstate(under="ignore"):
        distances = np.ldexp(distances, exponent - parts.exponent)
    core = parts.line.core[found.rows[starts[:-1]]]
    nearest = np.ascontiguousarray(found.nearest)
    return NearPoints(found.rows, starts, core, found.coordinates, nearest, distances)


def cut_line(line: LeafLine, eps: float) -> NDArray[np.int64]:
    """Label the core points at eps (in units of the line), all others as noise.

    Clusters are numbered by their first core points, in the order of the rows.
    """
    labels = np.empty(len(line.leaves), np.int64)
    is_core = line.core[line.leaves] <= eps
    # A join that is low enough has core points at both ends.
    begins = is_core & (line.joins > eps)
    begins[:1] = is_core[:1]
    labels[line.leaves] = np.where(is_core, np.cumsum(begins) - 1, -1)
    number_by_rows(labels, int(begins.sum()))
    return labels


def number_by_rows(labels: NDArray[np.int64], n_clusters: int) -> None:
    """Number clusters in the order of their first rows."""
    rows = np.flatnonzero(labels >= 0)
    clusters = labels[rows]
    first = np.full(n_clusters, len(labels))
    # Of the rows of a cluster, the first is written last.
    first[clusters[::-1]] = rows[::-1]
    names = np.empty(n_clusters, np.int64)
    names[np.argsort(first, kind="stable")] = np.arange(n_clusters)
    labels[rows] = names[clusters]


def add_borders(
    labels: NDArray[np.int64], near: NearPoints, eps: float, *, by_name: bool
) -> NDArray[np.int64]:
    """Give points that are no core points the cluster of a core point within eps.

    That of the nearest one (of equally near ones the one with the smaller core distance, then with
    the smaller coordinates), or `by_name` the first cluster of all.
    """
    bordered = labels.copy()
    _add_borders(labels, near, eps, by_name, bordered)
    return bordered


@inline_kernel
def _is_before(coordinates, i, j):
    """Whether point i comes before point j in the order of coordinates."""
    for c in range(coordinates.shape[1]):
        if coordinates[i, c] != coordinates[j, c]:
            return coordinates[i, c] < coordinates[j, c]
    return False


@kernel
def _add_borders(labels, near, eps, by_name, bordered):
    core, nearest, distances = near.core, near.nearest, near.distances
    for i in range(core.shape[0]):
        if core[i] <= eps:
            continue
        best = -1
        nearest_distance = np.inf
        for t in range(nearest.shape[1]):
            j = nearest[i, t]
            distance = distances[i, t]
            if j < 0 or distance > eps or core[j] > eps:
                continue
            is_better = distance < nearest_distance
            if best >= 0 and by_name:
                is_better = labels[near.rows[near.starts[j]]] < labels[near.rows[near.starts[best]]]
            elif distance == nearest_distance:
                is_better = core[j] < core[best]
                if core[j] == core[best]:
                    is_better = _is_before(near.coordinates, j, best)
            if is_better:
                best = j
                nearest_distance = distance
        if best >= 0:
            cluster = labels[near.rows[near.starts[best]]]
            for t in range(near.starts[i], near.starts[i + 1]):
                bordered[near.rows[t]] = cluster
