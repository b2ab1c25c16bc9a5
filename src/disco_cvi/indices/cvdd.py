"""CVDD: separation by density-involved distances over compactness by paths."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import add_product
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.options import Count
from disco_cvi._input.points import Points
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._spanning_tree.boruvka import Edges, root
from disco_cvi._spanning_tree.density_involved import density_involved_tree
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from disco_cvi.density_tree.build import lay_out
from disco_cvi.density_tree.leaf_order import LeafLine
from disco_cvi.density_tree.walks import collect_parts

# Sums are taken over so many: a float holds them.
OPTIONS = {"n_neighbors": Count(most=2**53)}

# Clusters of so few points are spanned pair by pair, many in one call.
_FEW_POINTS = 200


def cvdd_score(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    n_neighbors: int = 7,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> float:
    """Score a clustering by density-involved distances between and paths within its clusters.

    CVDD is the separation of the clusters over their compactness, from 0 (worst) without an upper
    end: greater is better. Clusters are well separated if every way from one to another leads over
    a wide gap or a change of density, and compact if their points are joined by short steps of even
    length. The value depends on the unit of the points (twice as large: half the value), so it
    compares labelings of the same points. Noise is left out of the points. The value does not
    depend on the order of the rows, to the last bit.

    With d the Euclidean distance, Den(x) the sum of the distances from x to its `n_neighbors`
    nearest other points over `n_neighbors` (small where points are dense), and
    R(x, z) = Den(x) / Den(z) + Den(z) / Den(x)::

        dr(x, z) = d(x, z) + (Den(x) + Den(z)) * (1 - exp(-|R(x, z) - 2|))
        DD(x, z) = sqrt(Den(x) * Den(z)) / max Den * (minimax path distance under dr)
        sep(C) = the smallest DD(x, z), x in C and z in another cluster
        com(C) = std * mean / m of the m * m minimax path distances under d inside C
        CVDD = (sum of sep over all clusters) / (sum of com over all clusters)

    The minimax path distance is the smallest possible largest step of a path. Mean and standard
    deviation are over all m * m entries, the zeros of the diagonal included (m * m - 1 in the
    denominator of the variance).

    ==========================================  ==============================================
    labeling                                    value
    ==========================================  ==============================================
    two clusters or more                        as above
    a point alone in its cluster                its com is 0
    every com is 0 (lone points, copies)        infinity; 0 if every sep is 0 as well
    more copies of a point than `n_neighbors`   as above, with limits: R = 2 where both Den are
                                                0, dr = d + Den of the other where one is
    all points identical                        0
    one cluster, or only noise                  undefined
    ==========================================  ==============================================

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points.
    labels : array-like of shape (n,)
        Cluster of each point: whole numbers, strings, booleans or categories, compared as given
        ("-1" is not -1).
    n_neighbors : int, default=7
        How many nearest other points tell the density at a point; all others, if these are fewer.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The score does not depend on it.

    Returns
    -------
    float
        From 0 to infinity, greater is better; never NaN.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two clusters.
    ValueError
        If an argument holds an unusable value.
    TypeError
        If an argument is of the wrong type.

    Notes
    -----
    Time about O(n log n) in low dimension and O(n²) in high dimension, whatever the number of
    clusters; memory O(n). The definition follows the authors' own program where the paper leaves
    it open: lone points, and densities of 0 (where that program fails and answers 0).

    References
    ----------
    L. Hu, C. Zhong: An internal validity index based on density-involved distance. IEEE Access 7,
    40038-40051, 2019. https://doi.org/10.1109/ACCESS.2019.2906949

    Examples
    --------
    >>> from disco_cvi import cvdd_score
    >>> X = [[0], [1], [3], [10], [11], [13]]
    >>> good = cvdd_score(X, [0, 0, 0, 1, 1, 1], n_neighbors=2)
    >>> bad = cvdd_score(X, [0, 1, 0, 1, 0, 1], n_neighbors=2)
    >>> round(good, 2), round(bad, 2)
    (12.6, 0.15)
    """
    clustering = open_clustering(
        X, labels, noise_label=noise_label, n_jobs=n_jobs, caller="cvdd_score"
    )
    return evaluate_cvdd(clustering, n_neighbors=n_neighbors)


def evaluate_cvdd(clustering: Clustering, *, n_neighbors: int = 7) -> float:
    """Return the score of a clustering; see `cvdd_score`."""
    n_neighbors = OPTIONS["n_neighbors"].check(n_neighbors, "n_neighbors", clustering.caller)
    clustering.need_clusters("CVDD")
    clustering = clustering.without_noise
    line = involved_line_of(clustering.points, n_neighbors)
    sep = separations(line, clustering.labels.codes, clustering.labels.n_clusters)
    sizes = clustering.labels.sizes.astype(np.float64)
    points, exponent = scale_points(clustering.array, 0)
    mean, squares = path_moments(points, clustering.members, clustering.n_jobs)
    deviation = np.sqrt(squares / np.maximum(sizes * sizes - 1.0, 1.0))
    apart, compact = math.fsum(sep), math.fsum(deviation * mean / sizes)
    if apart == 0.0:
        return 0.0
    if compact == 0.0:
        return math.inf
    with np.errstate(over="ignore", under="ignore"):
        return float(np.ldexp(apart / compact, line.exponent + 2 * exponent))


class InvolvedLine(NamedTuple):
    """A line of leaves in units of ``2**exponent``, and sqrt(Den / largest Den) of each row."""

    line: LeafLine
    exponent: int
    weights: FloatArray


def involved_line_of(points: Points, n_neighbors: int) -> InvolvedLine:
    """Return the tree under density-involved distances; it is built once."""
    return points.once(_lay_out_involved, n_neighbors)


def _lay_out_involved(points: Points, n_neighbors: int) -> InvolvedLine:
    tree = density_involved_tree(points, n_neighbors)
    line, shift = lay_out(tree.spanning, points.n_jobs)
    return InvolvedLine(line, tree.exponent + shift, tree.weights)


def separations(involved: InvolvedLine, codes: NDArray[np.int32], n_clusters: int) -> FloatArray:
    """Return sep of each cluster; points with the code -1 are stepping stones only."""
    line = involved.line
    n_leaves = len(codes)
    offers = (np.empty((n_leaves, 2)), np.empty((n_leaves, 2), np.int32))
    before = (np.empty((n_leaves, 2)), np.empty((n_leaves, 2), np.int32))
    sep = np.full(n_clusters, np.inf)
    leaf_codes, weights = codes[line.leaves], involved.weights[line.leaves]
    _gather(line.ends, leaf_codes, weights, *offers, *before)
    parts = np.empty(n_leaves, np.int32)
    _hand_down((line.joins, line.ends, parts), (leaf_codes, weights), offers, before, sep)
    return sep


def path_moments(
    points: FloatArray, members: tuple[NDArray[np.intp], ...], n_jobs: int
) -> tuple[FloatArray, FloatArray]:
    """Mean of the m * m minimax path distances inside each cluster, and squares around it.

    Exactly, the sum of the squared deviations from the mean. The same bits for any order of rows:
    pairs at one height are counted as whole numbers, heights are taken from low to high.
    """
    moments = np.zeros((len(members), 2))
    few = [c for c, rows in enumerate(members) if 1 < len(rows) <= _FEW_POINTS]
    if few:
        rows = np.concatenate([members[c] for c in few])
        sizes = np.array([len(members[c]) for c in few])
        edges = _span_few(points[rows], np.cumsum(sizes))
        moments[few] = _moments(edges, np.ones(len(rows), np.int32), sizes)
    for c, rows in enumerate(members):
        if len(rows) > _FEW_POINTS:
            spanning = minimum_spanning_tree(points[rows], 1, n_jobs)
            heights = np.sqrt(spanning.edges.heights)
            sizes = np.array([len(spanning.multiplicity)])
            edges = spanning.edges._replace(heights=heights)
            moments[c] = _moments(edges, spanning.multiplicity, sizes)
    return moments[:, 0], moments[:, 1]


def _span_few(points: FloatArray, ends: NDArray[np.int64]) -> Edges:
    """Spanning edges of clusters that lie one after the other in `points`."""
    n_edges = len(points) - len(ends)
    first, second = np.empty(n_edges, np.int32), np.empty(n_edges, np.int32)
    edges = Edges(first, second, np.empty(n_edges))
    _span(points, ends, np.full(len(points), np.inf), np.empty(len(points), np.int32), edges)
    return edges


def _moments(edges: Edges, weight: NDArray[np.int32], sizes: NDArray[np.int64]) -> FloatArray:
    """Moments of clusters of so many points each, by the edges that span one after the other."""
    owners = np.repeat(np.arange(len(sizes)), sizes - 1)
    order = np.lexsort((edges.heights, owners))
    ordered = Edges(edges.first[order], edges.second[order], edges.heights[order])
    moments = np.empty((len(sizes), 2))
    parent = np.arange(len(weight), dtype=np.int32)
    pairs = np.zeros(len(order), np.int64)
    _find_moments(ordered, weight.astype(np.int64), np.cumsum(sizes), parent, pairs, moments)
    return moments


@inline_kernel
def _offer(values, clusters, place, value, cluster):
    """Keep the two least values of different clusters."""
    if cluster < 0 or value >= values[place, 1]:
        return
    if cluster == clusters[place, 0]:
        values[place, 0] = min(values[place, 0], value)
    elif value < values[place, 0]:
        values[place, 1] = values[place, 0]
        clusters[place, 1] = clusters[place, 0]
        values[place, 0] = value
        clusters[place, 0] = cluster
    else:
        values[place, 1] = value
        clusters[place, 1] = cluster


@kernel
def _gather(ends, codes, weights, values, clusters, values_before, clusters_before):
    """The two least weights of different clusters in each part, and in the leaves it joins."""
    for p in range(ends.shape[0] - 1, -1, -1):
        for s in range(2):
            values[p, s] = np.inf
            clusters[p, s] = -1
        _offer(values, clusters, p, weights[p], codes[p])
        q = p + 1
        while q < ends[p]:
            for s in range(2):
                values_before[q, s] = values[p, s]
                clusters_before[q, s] = clusters[p, s]
            for s in range(2):
                _offer(values, clusters, p, values[q, s], clusters[q, s])
            q = ends[q]


@kernel
def _hand_down(line, labeled, offers, before, sep):
    """Take the least of weight times height over all points that a leaf meets on the way up.

    Of the two least of different clusters, one is of another cluster than the leaf. Parts are
    walked from the last to the first of each path; what a part has gathered in `offers` is taken
    before what was handed down to it is written there.
    """
    joins, ends, parts = line
    codes, weights = labeled
    values, clusters = offers
    values_before, clusters_before = before
    for s in range(2):
        values[0, s] = np.inf
        clusters[0, s] = -1
    for p in range(joins.shape[0]):
        n_parts = collect_parts(ends, parts, p)
        for t in range(n_parts - 1, -1, -1):
            q = parts[t]
            for s in range(2):
                if clusters_before[q, s] >= 0:
                    values_before[q, s] *= joins[q]
            for s in range(2):
                _offer(values_before, clusters_before, q, values[p, s], clusters[p, s])
            for s in range(2):
                if clusters[q, s] >= 0:
                    _offer(values, clusters, p, joins[q] * values[q, s], clusters[q, s])
            for s in range(2):
                values[q, s] = values_before[q, s]
                clusters[q, s] = clusters_before[q, s]
        c = codes[p]
        if c >= 0:
            s = 0 if clusters[p, 0] != c else 1
            if clusters[p, s] >= 0:
                sep[c] = min(sep[c], weights[p] * values[p, s])


@kernel
def _span(points, ends, cheapest, partner, edges):
    """Span clusters that lie one after the other in `points`: Prim's algorithm for each.

    `cheapest` is infinite at first; `cheapest` and `partner` are room to work in.
    """
    e = 0
    begin = 0
    for stop in ends:
        newest = begin
        for _ in range(stop - begin - 1):
            cheapest[newest] = -1.0
            following = -1
            for j in range(begin, stop):
                if cheapest[j] < 0.0:
                    continue
                square = squared_distance(points, newest, j)
                if square < cheapest[j]:
                    cheapest[j] = square
                    partner[j] = newest
                if following < 0 or cheapest[j] < cheapest[following]:
                    following = j
            newest = following
            edges.first[e] = partner[newest]
            edges.second[e] = newest
            edges.heights[e] = np.sqrt(cheapest[newest])
            e += 1
        begin = stop


@kernel
def _find_moments(edges, weight, ends, parent, pairs, moments):
    """Mean over all ordered pairs, those of a point with itself included, and squares around it.

    The edges of each cluster rise. `parent` are the points themselves at first, `pairs` are 0.
    """
    begin = 0
    first = 0
    for c in range(ends.shape[0]):
        stop = ends[c]
        end = first + (stop - begin) - 1
        n_rows = 0
        # Pairs of copies, and each point with itself, lie at 0.
        at_zero = 0
        for i in range(begin, stop):
            n_rows += weight[i]
            at_zero += weight[i] * weight[i]
        last = first
        for e in range(first, end):
            a = root(parent, edges.first[e])
            b = root(parent, edges.second[e])
            if edges.heights[last] != edges.heights[e]:
                last = e
            pairs[last] += 2 * weight[a] * weight[b]
            if weight[a] < weight[b]:
                a, b = b, a
            parent[b] = a
            weight[a] += weight[b]
        high, low = 0.0, 0.0
        for e in range(first, end):
            high, low = add_product(high, low, edges.heights[e], float(pairs[e]))
        mean = (high + low) / (float(n_rows) * float(n_rows))
        high, low = add_product(0.0, 0.0, mean * mean, float(at_zero))
        for e in range(first, end):
            difference = edges.heights[e] - mean
            high, low = add_product(high, low, difference * difference, float(pairs[e]))
        moments[c, 0] = mean
        moments[c, 1] = high + low
        begin = stop
        first = end
