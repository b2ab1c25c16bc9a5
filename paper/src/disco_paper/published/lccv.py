"""LCCV as the DISCO paper's program computes it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.points import Points
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.lccv import (
    LocalCores,
    connect,
    core_distances,
    densities,
    distance,
    natural_neighbors,
    without_zero_steps,
)
from disco_cvi.indices.shortest_paths import make_graph, shortest_paths

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "neighbors": "looks at as many neighbors of every point, without the point itself",
    "density": "takes densities of other neighbors",
    "order": "goes through the points in the order of the rows",
    "cores": "lets cores lose their place to denser points",
    "length": "takes another length for missing paths",
    "rivals": "takes noise for a rival cluster",
    "weights": "counts noise in the weights of cores",
}


def evaluate_published_lccv(clustering: Clustering) -> float:
    """LCCV as the paper's program computes it; it depends on the order of the rows.

    The length for missing paths is the longest path between any two points, and identical points
    are not connected. NaN if a core has distance 0 to its cluster and to the nearest other one. The
    points keep their local cores and the paths between these.
    """
    if clustering.n_points < 3:
        message = f"The published LCCV needs three points or more; got {clustering.n_points}."
        raise UndefinedScoreError(message)
    cores = clustering.points.once(_local_cores)
    codes = clustering.labels.codes[cores.rows]
    n_clusters = clustering.labels.n_clusters
    rivals = np.where(codes < 0, np.int32(n_clusters), codes)
    compactness, separation = core_distances(cores, rivals, n_clusters + 1, clustering.n_jobs)
    judged = (codes >= 0) & np.isfinite(compactness)
    if np.isinf(separation[judged]).any():
        message = "The published LCCV has no value: all local cores belong to one cluster."
        raise UndefinedScoreError(message)
    a, b = compactness[judged], separation[judged]
    with np.errstate(invalid="ignore"):
        scores = (b - a) / np.maximum(a, b)
    known = cores.representatives[cores.representatives >= 0]
    weights = np.bincount(known, minlength=len(codes))[judged]
    return math.fsum((weights * scores).tolist()) / clustering.n_points


def _local_cores(points: Points) -> LocalCores:
    _, reach = natural_neighbors(points)
    nearest = nearest_points(points, reach)
    density = densities(nearest.distances, reach)
    chosen = _choose_representatives(points.array, nearest.rows, density)
    graph = without_zero_steps(make_graph(points, reach))
    cores = connect(_rows_of_cores(chosen), chosen, graph, points.n_jobs)
    n_found = sum(int((paths.targets >= 0).sum()) for _, paths in cores.paths(points.n_jobs))
    if n_found == len(cores.rows) * (len(cores.rows) - 1):
        return cores
    every = shortest_paths(graph, np.arange(points.n_points), points.n_jobs)
    return replace(cores, longest=max(float(paths.lengths.max()) for _, paths in every))


def _rows_of_cores(chosen: NDArray[np.int64]) -> NDArray[np.intp]:
    return np.flatnonzero(chosen == np.arange(len(chosen)))


@kernel
def _choose_representatives(points, rows, density):
    """Let each point, in the order of the rows, offer its densest neighbor to its neighbors.

    `n_represented` counts for whom each point stands: a point that stands for nobody need not be
    looked for among all representatives.
    """
    n_points, n_neighbors = rows.shape
    chosen = np.full(n_points, -1, np.int64)
    n_represented = np.zeros(n_points, np.int64)
    for p in range(n_points):
        densest = rows[p, 0]
        for j in range(1, n_neighbors):
            if density[rows[p, j]] > density[densest]:
                densest = rows[p, j]
        for j in range(n_neighbors):
            q = rows[p, j]
            if chosen[q] < 0:
                chosen[q] = densest
                n_represented[densest] += 1
            elif distance(points, q, densest) < distance(points, q, chosen[q]):
                n_represented[chosen[q]] -= 1
                chosen[q] = densest
                n_represented[densest] += 1
            if q != densest and n_represented[q] > 0:
                for z in range(n_points):
                    if chosen[z] == q:
                        chosen[z] = densest
                n_represented[densest] += n_represented[q]
                n_represented[q] = 0
    return chosen
