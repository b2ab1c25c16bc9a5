"""DBCV for any metric: distances come some rows at a time, so that memory stays linear."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import BoolArray, FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.progress import progress
from disco_cvi._neighbors.distances import DistanceRows, row_blocks
from disco_cvi.indices.dbcv_trees import Clusters, Trees, core_distance, join_by_row, plant_trees


def core_by_rows(source: DistanceRows, clusters: Clusters, n_features: int) -> FloatArray:
    """Core distances, in the order of the points of the clusters."""
    core = np.empty(len(clusters.rows))
    for begin, stop in pairwise(clusters.starts):
        inside = source.part(clusters.rows[begin:stop])
        for block in row_blocks(stop - begin, stop - begin):
            distances = inside.rows(block.start, block.stop)
            _fill_core(distances, n_features, core[begin:stop][block])
    return core


def sort_by_core(clusters: Clusters, core: FloatArray) -> tuple[Clusters, FloatArray]:
    """Bring the points of each cluster into the order of their core distances, then of rows."""
    order = np.lexsort((core, clusters.codes))
    return clusters._replace(rows=clusters.rows[order]), core[order]


def grow_by_rows(
    source: DistanceRows, clusters: Clusters, core: FloatArray, *, by_distance: bool
) -> Trees:
    """Grow a minimum spanning tree in every cluster, as `grow_trees` does."""
    trees = plant_trees(clusters)
    with progress("DBCV", len(core)) as bar:
        for c, (first, stop) in enumerate(pairwise(clusters.starts)):
            inside = source.part(clusters.rows[first:stop])
            while trees.n_outside[c] > 0:
                newest = int(trees.newest[c] - first)
                row = inside.rows(newest, newest + 1)[0]
                join_by_row(c, clusters.starts, core, trees, row, by_distance)
                bar.step()
    return trees


def separations_by_rows(
    source: DistanceRows, clusters: Clusters, core: FloatArray, inner: BoolArray
) -> FloatArray:
    """For each cluster the smallest mutual reachability of inner points of it and of another."""
    codes, core = clusters.codes[inner], core[inner]
    source = source.part(clusters.rows[inner])
    apart = np.full(len(clusters.sizes), np.inf)
    for block in row_blocks(len(codes), len(codes)):
        lower_separations(source.rows(block.start, block.stop), block, codes, core, apart)
    return apart


def lower_separations(
    distances: FloatArray,
    block: slice,
    codes: NDArray[np.int32],
    core: FloatArray,
    apart: FloatArray,
) -> None:
    """Lower what is apart to what inner points of a block reach; `distances`: to all of them."""
    reach = np.maximum(distances, core)
    np.maximum(reach, core[block][:, np.newaxis], out=reach)
    reach[codes[block][:, np.newaxis] == codes] = np.inf
    np.minimum.at(apart, codes[block], reach.min(axis=1))


@kernel
def _fill_core(distances, n_features, core):
    """Core distances of some points, by their distances to all points of the cluster."""
    n_points = distances.shape[1]
    row, powers = np.empty(n_points), np.empty(n_points)
    copies = np.ones(n_points, np.int64)
    for i in range(len(distances)):
        nearest = np.inf
        for t in range(n_points):
            row[t] = distances[i, t]
            if 0.0 < row[t] < nearest:
                nearest = row[t]
        core[i] = 0.0
        if nearest < np.inf:
            core[i] = core_distance(row, nearest, powers, copies, n_points, 2 * n_features)
