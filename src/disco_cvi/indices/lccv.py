"""LCCV: a silhouette of local cores, with distances along paths between neighbors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.safe_scale import scale_points, top_for_squares
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import Labels
from disco_cvi._input.options import Option
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import row_blocks
from disco_cvi._neighbors.kd_tree import kd_tree_of, squared_distance
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi._output.words import count
from disco_cvi.density_tree.walks import quotients
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.ball_paths import BallGraph
from disco_cvi.indices.lccv_copies import LEAST_CORES, choose_cores, have_many_copies
from disco_cvi.indices.path_search import Graph, Paths
from disco_cvi.indices.shortest_paths import make_graph, shortest_paths

OPTIONS: dict[str, Option] = {}
# Natural neighborhoods rarely reach further, or further than the copies of a point by so many;
# where they do, the search is widened.
_FIRST_NEIGHBORS, _MORE_NEIGHBORS = 16, 4


def lccv_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by the silhouette of its local cores (LCCV).

    Few points stand for all: the local cores, the densest of their surroundings. Each is judged as
    in the silhouette, by how much nearer it lies to the other cores of its cluster than to those of
    the nearest other cluster, where distances are lengths of shortest paths from neighbor to
    neighbor, which follow clusters of any shape. The score is the mean over cores, each with the
    weight of the points that it stands for; from -1 (worst) to 1 (best).

    A point p has nb(p) natural neighbors: how many points have p among their lambda nearest, where
    lambda is the least number at which every point is among those of another one, or at which one
    more neighbor changes nothing. With mu the largest nb, rho(p) is mu over the sum of the
    distances to the mu nearest points. From dense to sparse, each p looks at itself and its nb(p)
    nearest points for the densest; the representative of that one is offered to all of them, who
    take it if they have none or one that is farther. Local cores are those who represent
    themselves. With g the length of the shortest path along steps from a point to its lambda
    nearest, a(c) the mean g from core c to the other cores of its cluster, b(c) its smallest mean g
    to the cores of another cluster, and w(c) the number of points of clusters that c represents,

    ``LCCV = sum of w(c) * (b(c) - a(c)) / max(a(c), b(c)) over cores c in clusters, over n``.

    Where no path leads, g is the largest length of a path between cores.

    ===============================================  ======================
    labeling                                         value
    ===============================================  ======================
    fewer than three points                          undefined
    only noise; one cluster, with or without noise   0
    only one cluster has local cores                 0
    a cluster with one local core; a = b = 0         the core counts as 0
    points whose core is noise                       they count as 0
    a cluster without a local core (often if small)  is no other cluster
    ===============================================  ======================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points. Standardize the features if their units are arbitrary.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none. Noise takes part in the choice of local cores and
        in paths, but not in a, b and w.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From -1 to 1, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than three points.
    ValueError, TypeError
        If an argument holds an unusable value, or is of the wrong type.

    Notes
    -----
    Time O(m n (lambda + log n)) for m local cores (about n / 20), so nearly quadratic; memory
    O(n mu). Both numbers of neighbors are small (7 and 15 are usual in two dimensions); mu grows
    with the dimension. Neither is smaller than the number of copies of a point, but where there are
    many, neighbors are not listed: memory O(n), time about O(n²).

    Without ties the score does not depend on the order of the rows, to the last bit. Among equally
    near or equally dense points the smaller row comes first, so on regular data the order matters,
    and on a line: two points with the same others on both sides, as many here as there, are equally
    dense.

    The definition follows the program of the authors but for the paths. Steps lead from a point to
    its nearest ones, but not always back, so that two cores may lie at different lengths from each
    other. Here, as in the text of the paper, each core takes the paths that begin at it; in the
    program both take the path from the core of the smaller row to the other, and steps of length 0
    lead nowhere. On some data the two values differ by more than 0.1.

    References
    ----------
    D. Cheng, Q. Zhu, J. Huang, Q. Wu, L. Yang: A novel cluster validity index based on local cores.
    IEEE Transactions on Neural Networks and Learning Systems 30(4), 985-999, 2019.

    Examples
    --------
    >>> from disco_cvi import lccv_score
    >>> X = [[2], [6], [11], [15], [20], [23], [40]]
    >>> good, bad = [0, 0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1, 1]
    >>> round(lccv_score(X, good), 3), round(lccv_score(X, bad), 3)
    (0.63, -0.382)
    """
    clustering = open_clustering(
        X, labels, noise_label=noise_label, n_jobs=n_jobs, caller="lccv_score"
    )
    return evaluate_lccv(clustering)


def evaluate_lccv(clustering: Clustering, *, one_way: bool = False) -> float:
    """`lccv_score` of a clustering; one way: by the paths that the authors' program takes."""
    labels = clustering.labels
    if clustering.n_points < 3:
        message = f"LCCV needs three points or more; got {count(clustering.n_points, 'point')}."
        raise UndefinedScoreError(message)
    if labels.n_clusters < 2 or labels.n_clusters == labels.n_points - labels.n_noise:
        return 0.0
    cores = clustering.points.once(local_cores)
    return judge_cores(cores, labels, clustering.n_jobs, one_way=one_way)


def judge_cores(cores: LocalCores, labels: Labels, n_jobs: int, *, one_way: bool = False) -> float:
    """LCCV of a labeling of points whose local cores are known."""
    if len(cores.rows) < LEAST_CORES:
        return 0.0
    codes = labels.codes[cores.rows]
    measure = _one_way_distances if one_way else core_distances
    compactness, separation = measure(cores, codes, labels.n_clusters, n_jobs)
    judged = np.isfinite(separation) & np.isfinite(compactness)
    weights = np.bincount(cores.representatives[labels.codes >= 0], minlength=len(codes))[judged]
    scores = quotients(separation[judged], compactness[judged])
    return math.fsum((weights * scores).tolist()) / labels.n_points


@dataclass(frozen=True, eq=False)
class LocalCores:
    """What LCCV needs to know of the points; labels play no part in it.

    `rows` are those of the local cores, ascending; elsewhere a core goes by its number in this
    order. `representatives` are the numbers of the cores that stand for the points, or -1. The
    length `longest` stands for paths that do not exist. `kept` are the paths between all cores, if
    they make one block: further labelings need no other search.
    """

    rows: NDArray[np.intp]
    representatives: NDArray[np.int32]
    longest: float
    graph: Graph | BallGraph
    kept: Paths | None

    def paths(self, n_jobs: int) -> Iterator[tuple[slice, Paths]]:
        """Blocks of cores, and the paths from them."""
        if self.kept is not None:
            yield slice(0, len(self.rows)), self.kept
        else:
            yield from shortest_paths(self.graph, self.rows, n_jobs)


def local_cores(points: Points) -> LocalCores:
    """Choose the local cores of the points (three or more) and find the paths between them.

    Lengths are in the units of the search for neighbors: LCCV does not depend on them.
    """
    if have_many_copies(points):
        return connect(*choose_cores(points), points.n_jobs)
    votes, reach = natural_neighbors(points)
    largest = int(votes.max())
    nearest = nearest_points(points, largest)
    density = densities(nearest.distances, largest)
    # From dense to sparse; of equally dense points the smaller row first.
    order = np.argsort(-density, kind="stable")
    array, _ = scale_points(points.array, top_for_squares(points.array.shape[1]))
    chosen = np.full(points.n_points, -1)
    _choose_representatives(array, nearest.rows, votes, density, order, chosen)
    cores = np.flatnonzero(chosen == np.arange(points.n_points))
    return connect(cores, chosen, make_graph(points, reach), points.n_jobs)


def natural_neighbors(points: Points) -> tuple[NDArray[np.int64], int]:
    """nb: how many have each point among their nearest others; lambda: how many nearest these are.

    One more neighbor is looked at until every point has a vote, or no further point gets one.
    """
    votes = np.zeros(points.n_points, np.int64)
    # Copies are each other's nearest: while one has no vote, every round gives one to another.
    tree, _ = kd_tree_of(points)
    wanted = max(_FIRST_NEIGHBORS, int(tree.multiplicity.max()) + _MORE_NEIGHBORS)
    reach, without = 0, points.n_points
    while True:
        rows = nearest_points(points, wanted).rows
        for neighbor in rows.T[reach:]:
            votes += np.bincount(neighbor, minlength=points.n_points)
            reach += 1
            before, without = without, int((votes == 0).sum())
            if without in (0, before) or reach == points.n_points - 1:
                return votes, reach
        wanted *= 2


def densities(lengths: FloatArray, n_neighbors: int) -> FloatArray:
    """How many neighbors there are per unit of distance to them; infinite among copies."""
    total = np.zeros(len(lengths))
    for column in lengths.T[:n_neighbors]:
        total += column
    with np.errstate(divide="ignore"):
        return n_neighbors / total


def connect(
    cores: NDArray[np.intp],
    representatives: NDArray[np.int64],
    graph: Graph | BallGraph,
    n_jobs: int,
) -> LocalCores:
    """Number the cores and find the longest path between them."""
    numbers = np.full(len(representatives) + 1, -1, np.int32)
    numbers[cores] = np.arange(len(cores), dtype=np.int32)
    # The last number, -1, is that of the representative -1: none.
    numbers = numbers[representatives]
    longest = 0.0
    kept = None
    if isinstance(graph, BallGraph) and len(cores) < LEAST_CORES:
        return LocalCores(cores, numbers, longest, graph, kept)
    for _, paths in shortest_paths(graph, cores, n_jobs):
        longest = max(longest, float(paths.lengths.max(initial=0.0)))
        if len(paths.targets) == len(cores):
            kept = paths
    return LocalCores(cores, numbers, longest, graph, kept)


def core_distances(
    cores: LocalCores, codes: NDArray[np.int32], n_clusters: int, n_jobs: int
) -> tuple[FloatArray, FloatArray]:
    """a and b of each core by the clusters of the cores; infinite where they do not exist."""
    compactness, separation = np.full(len(codes), np.inf), np.full(len(codes), np.inf)
    sizes = np.bincount(codes[codes >= 0], minlength=n_clusters)
    for block, paths in cores.paths(n_jobs):
        for part in row_blocks(len(paths.targets), 4 * len(codes)):
            sums, n_found = _add_by_cluster(paths.targets[part], paths.lengths[part], codes, sizes)
            rows = slice(block.start + part.start, block.start + part.stop)
            means = _average(sums, n_found, codes[rows], sizes, cores.longest)
            compactness[rows], separation[rows] = means
    return compactness, separation


def _add_by_cluster(
    targets: NDArray[np.int32],
    lengths: FloatArray,
    codes: NDArray[np.int32],
    sizes: NDArray[np.int64],
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Lengths from cores to those of each cluster, and how many these are.

    Lengths are added in ascending order, whatever the order of the rows.
    """
    shape = (len(targets), len(sizes) + 1)
    # The first column is for all that is in no cluster, and for what cannot be reached.
    columns = np.where(targets >= 0, codes[targets], -1) + 1
    keys = (np.arange(len(targets))[:, np.newaxis] * shape[1] + columns).ravel()
    n_keys = shape[0] * shape[1]
    sums = np.asarray(np.bincount(keys, lengths.ravel(), n_keys), np.float64)
    n_found = np.asarray(np.bincount(keys, minlength=n_keys), np.int64)
    return sums.reshape(shape)[:, 1:], n_found.reshape(shape)[:, 1:]


def _one_way_distances(
    cores: LocalCores, codes: NDArray[np.int32], n_clusters: int, n_jobs: int
) -> tuple[FloatArray, FloatArray]:
    """a and b by the paths from each core to those of larger rows, which count for both ends.

    Memory O(m k) for m cores and k clusters.
    """
    if isinstance(cores.graph, Graph) and (cores.graph.lengths == 0).any():
        cores = replace(cores, graph=without_zero_steps(cores.graph), kept=None)
    sums = np.zeros((len(codes), n_clusters))
    n_found = np.zeros(sums.shape, np.int64)
    longest = 0.0
    for block, paths in cores.paths(n_jobs):
        longest = max(longest, _add_one_way(paths, block.start, codes, sums, n_found))
    sizes = np.bincount(codes[codes >= 0], minlength=n_clusters)
    return _average(sums, n_found, codes, sizes, longest)


def _average(
    sums: FloatArray,
    n_found: NDArray[np.int64],
    codes: NDArray[np.int32],
    sizes: NDArray[np.int64],
    longest: float,
) -> tuple[FloatArray, FloatArray]:
    """Mean lengths from cores to those of their cluster and of the nearest other cluster."""
    is_own = codes[:, np.newaxis] == np.arange(len(sizes))
    n_others = sizes - is_own
    totals = sums + longest * (n_others - n_found)
    means = np.full(sums.shape, np.inf)
    np.divide(totals, n_others, out=means, where=n_others > 0)
    in_cluster = codes >= 0
    compactness = np.where(in_cluster, means[np.arange(len(codes)), codes], np.inf)
    separation = np.where(in_cluster, np.where(is_own, np.inf, means).min(axis=1), np.inf)
    return compactness, separation


def without_zero_steps(graph: Graph) -> Graph:
    """Let steps of length 0 lead back to where they begin: then they lead nowhere."""
    itself = np.arange(len(graph.places), dtype=np.int32)[:, np.newaxis]
    return graph._replace(neighbors=np.where(graph.lengths == 0, itself, graph.neighbors))


@inline_kernel
def distance(points, i, j):
    """Euclidean distance, to the bit as the search for neighbors has it."""
    return math.sqrt(squared_distance(points, i, j))


@kernel
def _choose_representatives(points, rows, votes, density, order, chosen):
    """Let each point, in the given order, offer the representative of its densest neighbor.

    A point that represents another one represents itself, and keeps doing so: no offer is nearer
    to it than itself.
    """
    for p in order:
        densest = p
        for j in range(votes[p]):
            if density[rows[p, j]] > density[densest]:
                densest = rows[p, j]
        if chosen[densest] < 0:
            chosen[densest] = densest
        offer = chosen[densest]
        for j in range(-1, votes[p]):
            q = p if j < 0 else rows[p, j]
            if chosen[q] < 0 or distance(points, q, chosen[q]) > distance(points, q, offer):
                chosen[q] = offer


@kernel
def _add_one_way(paths, first, codes, sums, n_found):
    """Add the paths from some cores to those of larger rows to the sums of both ends.

    The first of the cores is that of number `first`. Return the largest length.
    """
    longest = 0.0
    for c in range(first, first + len(paths.targets)):
        for t in range(paths.targets.shape[1]):
            e = paths.targets[c - first, t]
            if e < 0:
                break
            if e < c:
                continue
            length = paths.lengths[c - first, t]
            longest = max(longest, length)
            if codes[e] >= 0:
                sums[c, codes[e]] += length
                n_found[c, codes[e]] += 1
            if codes[c] >= 0:
                sums[e, codes[c]] += length
                n_found[e, codes[c]] += 1
    return longest
