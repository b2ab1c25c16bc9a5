"""The labelings among which an index chooses: eps of DBSCAN, HDBSCAN, k of k-means and of Ward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.indices.pair import WEAK
from disco_paper.cells.cell import Scope, Spec, spec
from disco_paper.cells.source import Source

LabelArray = NDArray[np.int64]

MIN_POINTS = 5
# Each of three ways to spread eps over the tree gives so many.
_N_EACH = 20
N_EPS = 3 * _N_EACH
_LEAST_SHARE = 0.02
# The lowest of the top heights that are tried: one of so many.
_TOP = 10
N_SIZES = 10
_KS = range(2, 21)
# Every so many candidates are tried in a quick run.
_QUICK_STEP = 5
EVERY_EPS = spec("dbscan of every eps")
EVERY_EPS_AGAIN = spec("dbscan of every eps, each cluster again")


class Arena(NamedTuple):
    """A parameter to choose: what it is, and the labelings that its values give."""

    title: str
    labelings: tuple[Spec, ...]

    def candidates(self, scope: Scope) -> tuple[Spec, ...]:
        """The labelings of a run, in the order in which equally good ones are taken."""
        return self.labelings[:: _QUICK_STEP if scope.quick else 1]


ARENAS = {
    "eps": Arena("eps of DBSCAN", tuple(spec("dbscan of the tree", place=i) for i in range(N_EPS))),
    "hdbscan": Arena(
        "HDBSCAN",
        tuple(
            spec("hdbscan of the tree", place=i, method=method)
            for method in ("eom", "leaf")
            for i in range(N_SIZES)
        ),
    ),
    "k-means": Arena("k of k-means", tuple(spec("k-means", k=k, seed=0, n_init=5) for k in _KS)),
    "ward": Arena("k of Ward", tuple(spec("ward of one tree", k=k) for k in _KS)),
}


def eps_grid(tree: DensityTree) -> FloatArray:
    """Values of eps that spread over a tree, falling.

    A third are quantiles of the core distances from 2 % up, a third quantiles of the heights, a
    third lie below the greatest heights at ranks that grow geometrically. Each is moved to the
    middle between the two neighboring values at which the clusters change, so that no rounding
    decides.
    """
    heights, cores = np.sort(tree.heights), np.sort(tree.core_distances)
    changes = np.unique(np.concatenate([heights, cores]))
    if len(changes) == 1:
        return np.full(N_EPS, changes[0])
    shares = np.linspace(_LEAST_SHARE, 1.0, _N_EACH)
    ranks = np.geomspace(1, max(1, len(heights) // _TOP), _N_EACH).astype(np.intp)
    above = [_at_shares(cores, shares), _at_shares(heights, shares)]
    places = np.concatenate(
        [
            np.searchsorted(changes, np.concatenate(above)),
            np.searchsorted(changes, heights[-ranks]) - 1,
        ]
    )
    middles = (changes[1:] + changes[:-1]) / 2
    grid: FloatArray = np.sort(middles[np.clip(places, 0, len(middles) - 1)])[::-1]
    return grid


def _at_shares(values: FloatArray, shares: FloatArray) -> FloatArray:
    return values[np.ceil(shares * (len(values) - 1)).astype(np.intp)]


def cluster_sizes(n_points: int) -> list[int]:
    """Ten values of min_cluster_size, from 5 to a tenth of the points.

    >>> cluster_sizes(1000)
    [5, 7, 10, 14, 19, 26, 37, 51, 72, 100]
    """
    return [round(size) for size in np.geomspace(5, max(6, n_points / 10), N_SIZES).tolist()]


# --- makers of labels ---------------------------------------------------------------------------


def _tree(source: Source) -> DensityTree:
    return source.density_tree(MIN_POINTS)


def _grid(source: Source) -> FloatArray:
    return eps_grid(_tree(source))


def _dbscan(source: Source, place: int) -> LabelArray:
    eps = float(source.once(_grid)[place])
    return _tree(source).dbscan(eps, X=source.points)


def _dbscan_of_every_eps(source: Source) -> LabelArray:
    """What the tree chooses by itself: the eps of the best pair score, then with border points."""
    tree = _tree(source)
    return tree.dbscan(tree.eps_path().best.eps, X=source.points)


def _dbscan_again(source: Source) -> LabelArray:
    """The same, and then each cluster that falls apart clearly is cut in the same way."""
    labels = _dbscan_of_every_eps(source)
    found = labels.copy()
    for cluster in range(labels.max() + 1):
        rows = np.flatnonzero(labels == cluster)
        if len(rows) < 2 * MIN_POINTS:
            continue
        points = np.ascontiguousarray(source.points[rows])
        tree = DensityTree(points, min_points=MIN_POINTS)
        best = tree.eps_path().best
        if best.score >= WEAK:
            inside = tree.dbscan(best.eps, X=points)
            found[rows] = np.where(inside >= 0, inside + found.max() + 1, -1)
    return found


def _hdbscan(source: Source, place: int, method: Literal["eom", "leaf"]) -> LabelArray:
    size = cluster_sizes(len(source.points))[place]
    return _tree(source).hdbscan(size, method=method)


def _ward_linkage(source: Source) -> FloatArray:
    from scipy.cluster.hierarchy import ward

    return np.asarray(ward(source.points), np.float64)


def _ward(source: Source, k: int) -> LabelArray:
    """Cut the tree that all k share."""
    from scipy.cluster.hierarchy import fcluster

    found = fcluster(source.once(_ward_linkage), k, criterion="maxclust")
    return np.asarray(found, np.int64) - 1


LABELINGS: dict[str, Callable[..., Any]] = {
    "dbscan of the tree": _dbscan,
    EVERY_EPS.name: _dbscan_of_every_eps,
    EVERY_EPS_AGAIN.name: _dbscan_again,
    "hdbscan of the tree": _hdbscan,
    "ward of one tree": _ward,
}
