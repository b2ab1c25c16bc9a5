"""The indices as the DISCO paper's own programs compute them, deviations and all.

They exist to reproduce the paper's numbers; the indices by their original definitions are those of
disco_cvi. Each takes a clustering.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi import _for_paper as lib
from disco_cvi._for_paper import Clustering, Labels, Points, distance, kernel, squared_distance
from disco_cvi.exceptions import UndefinedScoreError
from disco_paper.paper import read_printed

FloatArray = NDArray[np.float64]
LabelArray = NDArray[np.int64]

# By index: what its program does otherwise than its definition, "it ...".
DEVIATIONS: dict[str, dict[str, str]] = {}
for _row in read_printed("deviations"):
    DEVIATIONS.setdefault(_row["index"], {})[_row["deviation"]] = _row["program"]


def describe_deviations(index: str, chosen: Iterable[str] | None = None) -> str:
    """What the program of an index does otherwise, in a row; or some of it.

    >>> describe_deviations("dcsi")
    'squares all distances, and counts equal distances as one when it ranks neighbors'
    """
    texts = DEVIATIONS.get(index, {})
    parts = [texts[key] for key in (texts if chosen is None else chosen)]
    return ", and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


# --- DBCV, with the program of another package (hdbscan 0.8.40) -----------------------------------

# What that program takes for equal weights.
_ABSOLUTE = 1e-8
_RELATIVE = 1e-5
# Blocks of rows are so many times smaller than those of other indices.
_BLOCK_GROWTH = 32


def published_dbcv(X: ArrayLike, labels: ArrayLike, *, metric: str = "sqeuclidean") -> float:
    """Return the DBCV that the paper's tables hold; it depends on the order of the rows.

    It is what ``hdbscan.validity.validity_index(X, labels, metric=metric)`` returns.

    What it does otherwise than the definition is told in `DEVIATIONS`. One cluster, or only
    identical points, give NaN.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points.
    labels : array-like of shape (n,)
        Cluster of each point, -1 for noise.
    metric : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        The paper takes squared distances; distances are the default of that package.

    Returns
    -------
    float
        From -1 to 1, or NaN.

    """
    points = lib.open_points(X, "published_dbcv", n_jobs=None)
    return _dbcv(lib.label_points(points, labels, -1), squared=metric == "sqeuclidean")


def _dbcv(clustering: Clustering, *, squared: bool = True) -> float:
    """`published_dbcv` of a clustering; trees are grown by squares in any case."""
    if clustering.labels.n_clusters == 0:
        return 0.0
    if (clustering.labels.sizes == 1).any():
        message = "The published DBCV fails where a point is alone in its cluster."
        raise UndefinedScoreError(message)
    if clustering.labels.n_clusters == 1:
        return math.nan
    clusters = lib.gather_clusters(clustering.array, clustering.members, sort=False, merge=False)
    core = _plain_core_distances(clusters, squared=squared)
    trees = lib.grow_trees(clusters, core, clustering.n_jobs, by_distance=False)
    if np.isinf(trees.weight[trees.joined >= 2]).any():
        message = "The published DBCV fails here: its core distances are infinite."
        raise UndefinedScoreError(message)
    _hang_on_first_row(clusters, core, trees, squared)
    inner = lib.degrees(trees.parent) >= 2
    inner[clusters.starts[:-1][clusters.sizes == 2]] = True
    sparse = lib.sparseness(clusters, core, trees, inner)
    apart = lib.dbcv_separations(clusters, core, inner, clustering.n_jobs)
    if not squared:
        sparse, apart = np.sqrt(sparse), np.sqrt(apart)
    with np.errstate(invalid="ignore"):
        validity = (apart - sparse) / np.maximum(apart, sparse)
    return float((clusters.sizes / clustering.n_points * validity).sum())


def _plain_core_distances(clusters: lib.Clusters, *, squared: bool) -> FloatArray:
    """Core distances by squares, or the squares of those by distances."""
    core = np.empty(len(clusters.points))
    dimension = clusters.points.shape[1]
    for begin, stop in zip(clusters.starts[:-1], clusters.starts[1:], strict=True):
        points = clusters.points[begin:stop]
        sums = np.empty(len(points))
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            # Small blocks stay in the cache of a processor.
            for block in lib.row_blocks(len(points), _BLOCK_GROWTH * len(points)):
                terms = lib.squared_distances(points[block], points)
                terms = terms if squared else np.sqrt(terms)
                np.divide(1.0, terms, out=terms, where=terms != 0)
                sums[block] = (terms**dimension).sum(axis=1)
            mean = sums / (len(points) - 1)
            core[begin:stop] = mean ** (-1.0 / dimension) if mean.any() else 0.0
    return core if squared else core * core


@kernel
def _hang_on_first_row(clusters, core, trees, squared):
    """Give each point, but the first that joined, the first possible parent of those before it."""
    points, joined, starts = clusters.points, trees.joined, clusters.starts
    for i in range(joined.shape[0]):
        if joined[i] < 2:
            continue
        c = clusters.codes[i]
        weight = trees.weight[i] if squared else math.sqrt(trees.weight[i])
        tolerance = _ABSOLUTE + _RELATIVE * weight
        for j in range(starts[c], starts[c + 1]):
            if joined[j] < joined[i]:
                cost = max(max(squared_distance(points, i, j), core[i]), core[j])
                cost = cost if squared else math.sqrt(cost)
                if abs(cost - weight) <= tolerance:
                    trees.parent[i] = j
                    break


# --- DCSI -----------------------------------------------------------------------------------------


def _dcsi(clustering: Clustering, *, raw_labels: bool = False) -> float:
    """DCSI as the paper's program computes it.

    With `raw_labels`, a mistake of the program is copied that loses pairs of clusters unless the
    labels are 0 to k - 1: it compares positions of clusters with labels. NaN if a core of identical
    points has a gap to another one.
    """
    names = np.array(clustering.labels.names)
    if len(names) < 2:
        raise UndefinedScoreError("The published DCSI needs two clusters or more.")
    cores = [_core_points(clustering.array[rows]) for rows in clustering.members]
    filled = [position for position, core in enumerate(cores) if len(core)]
    kept = [position for position in filled if not raw_labels or position in names[filled]]
    if raw_labels:
        _refuse_empty_cores(names, filled)
    chosen = [cores[position] for position in kept]
    steps = lib.longest_steps(chosen, 1)
    scores = [
        _pair_score(float(gaps[row, other]), max(steps[block.start + row], steps[other]))
        for block, gaps in lib.squared_gaps(chosen, 1)
        for row in range(len(gaps))
        for other in range(block.start + row + 1, len(chosen))
    ]
    return math.fsum(scores) / (len(names) * (len(names) - 1) // 2)


def _refuse_empty_cores(names: NDArray[np.integer], filled: list[int]) -> None:
    passing = [position for position in range(len(names)) if position in names[filled]]
    if len(passing) > 1 and not set(passing) <= set(filled):
        raise UndefinedScoreError("The published DCSI meets a cluster without core points.")


def _pair_score(gap: float, step: float) -> float:
    if gap == 0:
        return 0.0
    return gap / (gap + step) if step > 0 else math.nan


def _core_points(points: FloatArray) -> FloatArray:
    """Points with five others within the median of the tenth of the distinct distances.

    The last distinct distance stands for those that are missing.
    """
    if len(points) <= 5:
        return points[:0]
    reach, near = np.empty((2, len(points)))
    for block in lib.row_blocks(len(points), len(points)):
        squares = np.sort(lib.squared_distances(points[block], points), axis=1)
        near[block] = squares[:, 5]
        distinct = np.cumsum(np.diff(squares, axis=1, prepend=squares[:, :1]) > 0, axis=1)
        rank = np.minimum(10, distinct[:, -1])
        reach[block] = squares[np.arange(len(squares)), (distinct >= rank[:, None]).argmax(axis=1)]
    return np.ascontiguousarray(points[near <= np.median(reach)])


# --- MMJ-SC ---------------------------------------------------------------------------------------


def _mmj_sc(clustering: Clustering) -> float:
    """MMJ-SC as the paper's program computes it; noise is a cluster."""
    codes, sizes = lib.make_groups(clustering.labels, "cluster")
    line = clustering.points.once(_rounded_line)
    samples = lib.judge_leaves(lib.Groups(line, codes, sizes, np.arange(len(codes)), len(codes)))
    return math.fsum(samples) / len(samples)


def _rounded_line(points: Points) -> lib.LeafLine:
    tree = lib.density_tree_of(points, 1)
    line = tree.parts.line
    return _without_empty_steps(line, np.round(tree.parts.in_units(line.joins), 15))


def _without_empty_steps(line: lib.LeafLine, joins: NDArray[np.float64]) -> lib.LeafLine:
    """Let copies join where their place joins the nearest other one, the lower of its two ends."""
    begins = np.flatnonzero(np.append(True, joins[1:] > 0))
    if len(begins) == 1:
        message = "The published MMJ-SC needs points that are not all identical."
        raise UndefinedScoreError(message)
    at_begin = joins[begins]
    at_begin[0] = np.inf
    lowest = np.minimum(at_begin, np.append(at_begin[1:], np.inf))
    run_lengths = np.diff(np.append(begins, len(joins)))
    raised = np.repeat(lowest, run_lengths)
    raised[begins] = joins[begins]
    return lib.make_line(line.leaves, raised, line.core)


# --- LCCV -----------------------------------------------------------------------------------------


def _lccv(clustering: Clustering) -> float:
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
    compactness, separation = lib.core_distances(cores, rivals, n_clusters + 1, clustering.n_jobs)
    judged = (codes >= 0) & np.isfinite(compactness)
    if np.isinf(separation[judged]).any():
        message = "The published LCCV has no value: all local cores belong to one cluster."
        raise UndefinedScoreError(message)
    a, b = compactness[judged], separation[judged]
    with np.errstate(invalid="ignore"):
        scores = (b - a) / np.maximum(a, b)
    known = cores.representatives[cores.representatives >= 0]
    weights = np.bincount(known, minlength=len(codes))[judged]
    return float(math.fsum((weights * scores).tolist()) / clustering.n_points)


def _local_cores(points: Points) -> lib.LocalCores:
    _, reach = lib.natural_neighbors(points)
    nearest = lib.nearest_points(points, reach)
    density = lib.densities(nearest.distances, reach)
    chosen = _choose_representatives(points.array, nearest.rows, density)
    graph = lib.without_zero_steps(lib.make_graph(points, reach))
    rows = np.flatnonzero(chosen == np.arange(len(chosen)))
    cores = lib.connect(rows, chosen, graph, points.n_jobs)
    n_found = sum(int((paths.targets >= 0).sum()) for _, paths in cores.paths(points.n_jobs))
    if n_found == len(cores.rows) * (len(cores.rows) - 1):
        return cores
    every = lib.shortest_paths(graph, np.arange(points.n_points), points.n_jobs)
    return replace(cores, longest=max(float(paths.lengths.max()) for _, paths in every))


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


# --- VIASCKDE -------------------------------------------------------------------------------------


def _viasckde(given: Clustering) -> float:
    """VIASCKDE as the paper's program computes it: clusters with small labels count more.

    NaN where it divides 0 by 0: in a cluster of one point or of one density, for a point with
    copies both in its cluster and outside, and for one label.
    """
    labels = given.labels
    names = np.append(np.array(labels.names, np.int64), -1)  # code -1 is noise, a cluster here
    clustering = lib.label_points(given.points, names[labels.codes], None)
    if clustering.labels.n_clusters < 2 or (clustering.labels.sizes == 1).any():
        return math.nan
    inside, outside, density = lib.nearest_and_density(clustering, 0.05)
    larger = np.maximum(inside, outside)
    if (larger == 0).any():
        return math.nan
    scores, logarithms = (outside - inside) / larger, np.log(density)
    sums, sizes = [], []
    for rows in clustering.members:
        heights = logarithms[rows] - logarithms[rows].min()
        if heights.max() <= 1e-14:
            return math.nan
        sums.append(float((heights / heights.max() * scores[rows]).sum()))
        sizes.append(len(rows))
    return float(np.cumsum(sums).sum() / np.cumsum(sizes).sum())


# --- CVDD -----------------------------------------------------------------------------------------


def _cvdd(given: Clustering) -> float:
    """CVDD as the paper's program computes it; it depends on the order of the rows.

    The labels that are left without noise are taken for those of the first rows; the last rows, as
    many as there is noise, belong to no cluster but are stepping stones and count for the density.
    NaN if there is only noise, or if all points are identical.
    """
    if given.labels.n_clusters == 0:
        return math.nan
    sizes = given.labels.sizes
    if len(sizes) == 1 or (sizes == 1).any():
        message = "The published CVDD needs two clusters or more, of two points or more."
        raise UndefinedScoreError(message)
    codes = np.full(given.n_points, -1, np.int32)
    kept = given.labels.codes[given.labels.codes >= 0]
    codes[: len(kept)] = kept
    clustering = given.relabeled(Labels(codes, given.labels.names, sizes))
    # Without noise it is the tree of CVDD itself.
    line = lib.involved_line_of(clustering.points, 7)
    sep = lib.separations(line, codes, len(sizes))
    mean, squares = lib.path_moments(clustering.array, clustering.members, clustering.n_jobs)
    com = np.sqrt(squares / (sizes - 1)) * mean / sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.divide(math.ldexp(math.fsum(sep), line.exponent), math.fsum(com)))


# --- CDbw -----------------------------------------------------------------------------------------


def _cdbw(clustering: Clustering, *, n_features: int | None = None) -> float:
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
    within = (
        np.mean(
            [_near_moved(members, members.mean(axis=0), radius) for members in clusters], axis=0
        )
        / radius
    )
    compactness = float(within.mean())
    change = float(np.abs(np.diff(within)).sum()) / (len(within) - 1)
    cohesion = compactness / (1 + change)
    return cohesion * compactness * _cdbw_separation(clusters, radius)


def _cdbw_separation(clusters: list[FloatArray], radius: float) -> float:
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


@kernel
def _count_near(points, place, radius):
    """Count the points at a distance below the radius."""
    beyond = radius * radius * (1 + 1e-9)
    count = 0
    for p in range(points.shape[0]):
        square = 0.0
        for c in range(place.shape[0]):
            difference = points[p, c] - place[c]
            square += difference * difference
            if square > beyond:
                break
        count += math.sqrt(square) < radius
    return count


@kernel
def _square_to(points, p, place):
    """Squared distance of a point to a place."""
    square = 0.0
    for c in range(place.shape[0]):
        difference = points[p, c] - place[c]
        square += difference * difference
    return square


@kernel
def _near_moved(members, center, radius):
    """For ten factors, the mean share of a cluster near its members moved towards the center."""
    shares = np.empty(10)
    place = np.empty(members.shape[1])
    for t in range(10):
        count = 0
        for p in range(members.shape[0]):
            for c in range(place.shape[0]):
                place[c] = members[p, c] + t / 10 * (center[c] - members[p, c])
            count += _count_near(members, place, radius)
        shares[t] = count / members.shape[0] ** 2
    return shares


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
            square = _square_to(other, q, place)
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
            count = _count_near(one, middle, radius) + _count_near(other, middle, radius)
            density += distance * count
            distances += distance
            n_pairs += 1
    return density, distances / n_pairs


# --- CVNN -----------------------------------------------------------------------------------------


def _cvnn(clustering: Clustering) -> float:
    """CVNN as the paper's program computes it.

    Its separation is the largest mean distance to a neighbor of the own cluster, where neighbors of
    other clusters count as 0. NaN if a cluster has a single point.
    """
    clustering.need_clusters("CVNN", least=1)
    if clustering.n_points <= 10:
        message = f"CVNN needs more than 10 points; got {clustering.n_points}."
        raise UndefinedScoreError(message)
    if (clustering.labels.sizes == 1).any():
        return math.nan
    return float(lib.compactness_of(clustering)) + _cvnn_separation(clustering)


def _cvnn_separation(clustering: Clustering) -> float:
    nearest = lib.nearest_points(clustering.points, 10)
    distances, rows = nearest.in_units(), nearest.rows
    codes, sizes = clustering.labels.codes, clustering.labels.sizes
    inside = codes >= 0
    is_own = codes[rows[inside]] == codes[inside][:, None]
    sums = np.where(is_own, distances[inside], 0.0).sum(axis=1)
    totals = np.bincount(codes[inside], weights=sums, minlength=len(sizes))
    return float((totals / (sizes * 10)).max())


# --- S_Dbw ----------------------------------------------------------------------------------------


def _s_dbw(clustering: Clustering) -> float:
    """S_Dbw as the paper's program computes it: noise is left out first.

    A ZeroDivisionError tells of identical points.
    """
    n_labels = clustering.labels.n_clusters + (clustering.labels.n_noise > 0)
    if not 2 <= n_labels <= clustering.n_points - 1:
        message = f"S_Dbw needs 2 to {clustering.n_points - 1} different labels; got {n_labels}."
        raise UndefinedScoreError(message)
    clusters = [clustering.array[rows] for rows in clustering.members]
    if len(clusters) < 2:
        message = f"S_Dbw needs 2 clusters or more besides noise; got {len(clusters)}."
        raise UndefinedScoreError(message)
    spreads = [float(np.linalg.norm(members.std(axis=0))) for members in clusters]
    radius = math.sqrt(sum(spreads)) / len(clusters)
    centers = [_central_member(members) for members in clusters]
    own = [_near(*pair, radius) for pair in zip(clusters, centers, strict=True)]
    terms = []
    for one, other in combinations(range(len(clusters)), 2):
        middle = (centers[one] + centers[other]) / 2
        between = sum(_near(clusters[c], middle, radius) for c in (one, other))
        terms.append(between / max(own[one], own[other]))
    whole = float(np.linalg.norm(np.concatenate(clusters).std(axis=0)))
    return sum(spreads) / len(clusters) / whole + sum(terms) / len(terms)


def _central_member(points: FloatArray) -> FloatArray:
    """The point nearest to the mean; of equally near ones the first."""
    member: FloatArray = points[np.linalg.norm(points - points.mean(axis=0), axis=1).argmin()]
    return member


def _near(points: FloatArray, place: FloatArray, radius: float) -> int:
    return int((np.linalg.norm(points - place, axis=1) <= radius).sum())


# By index; the published Silhouette is the Silhouette.
PUBLISHED: dict[str, Callable[..., float]] = {
    "dbcv": _dbcv,
    "dcsi": _dcsi,
    "mmj_sc": _mmj_sc,
    "lccv": _lccv,
    "viasckde": _viasckde,
    "cvdd": _cvdd,
    "cdbw": _cdbw,
    "cvnn": _cvnn,
    "s_dbw": _s_dbw,
}
