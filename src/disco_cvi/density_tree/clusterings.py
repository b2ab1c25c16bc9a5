"""What a density tree knows of clusterings: DBSCAN at any eps, HDBSCAN at any size, and scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._input.metric import METRIC_NAMES
from disco_cvi._input.options import check_choice, check_count, check_flag, check_number
from disco_cvi._input.points import open_points
from disco_cvi._neighbors.neighborhoods import (
    Neighborhoods,
    search_again,
    search_neighborhoods,
)
from disco_cvi._output.words import count, list_numbers, shorten
from disco_cvi.density_tree.build import TreeParts
from disco_cvi.density_tree.condensing import METHODS, Paths, follow_paths, hdbscan_labels
from disco_cvi.density_tree.cuts import (
    BORDERS,
    NearPoints,
    add_borders,
    cut_line,
    measure_near_points,
)
from disco_cvi.density_tree.distances import TreeDistances
from disco_cvi.density_tree.eps_scores import score_every_eps
from disco_cvi.density_tree.nodes import Nodes, find_nodes
from disco_cvi.density_tree.paths import EpsPath, SizePath
from disco_cvi.density_tree.size_scores import score_every_size, sum_cores
from disco_cvi.exceptions import InvalidInputError

# The core distances of a tree that another program made may be rounded in another way.
_SAME_CORE = 1e-6


class TreeClusterings(TreeDistances):
    """The clusterings of a density tree; `DensityTree` is one."""

    __slots__ = ()

    _neighborhoods: Neighborhoods | None
    _index: Any  # of pandas, that the points were given with

    def dbscan(
        self, eps: float, border: str = "nearest", X: ArrayLike | None = None
    ) -> NDArray[np.int64]:
        """Label the points by DBSCAN, with the tree's `min_points` as its min_samples.

        Parameters
        ----------
        eps : float
            How far a point may be from a core point to belong to its cluster; 0 or more.
        border : {"nearest", "first", "noise"}, default="nearest"
            Where points go that are no core points, but have some within eps. "nearest": to the
            nearest core point, of equally near ones to that with the smaller core distance, then
            with the smaller coordinates; the clusters are the same for any order of the rows (for a
            matrix of distances, which has no coordinates, but for such ties). "first": to the
            cluster that the rows name first: label for label what scikit-learn's ``DBSCAN(eps,
            min_samples=min_points)`` gives. "noise": nowhere, which is known as DBSCAN*.
        X : array-like, optional
            The points of the tree. Only border points need them, and only if the tree has not kept
            who is near whom: a tree that was loaded from a file, made of spanning edges, or by one
            of the metrics that are computed row by row with a `min_points` above 256. The tree
            keeps what it finds there, and `X` need not be given again.

        Returns
        -------
        ndarray of int of shape (n,)
            Cluster of each point, -1 for noise. Clusters are numbered by their first core points in
            the order of the rows.

        Raises
        ------
        ValueError
            If an argument is not allowed, or `X` is needed and missing or not the points of the
            tree.

        Notes
        -----
        Time O(n) for each eps. An eps that is equal to a distance is a matter of rounding in other
        programs, which compare squares; `eps_path` offers eps in between.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> tree = DensityTree([[0.0], [1], [2], [4], [10], [11], [12]], min_points=3)
        >>> tree.dbscan(2.5)
        array([0, 0, 0, 0, 1, 1, 1])
        >>> tree.dbscan(2.5, border="noise")
        array([ 0,  0,  0, -1,  1,  1,  1])
        """
        eps = check_number(eps, "eps", "dbscan", least=0)
        check_choice(border, BORDERS, "border", "dbscan")
        reach = self._in_line_units(eps)
        labels = cut_line(self.parts.line, reach)
        if border == "noise" or self.parts.min_points == 1:
            return labels
        near = self._keep_near_points(X)
        return add_borders(labels, near, reach, by_name=border == "first")

    def eps_for_clusters(self, k: int) -> float:
        """Return an eps at which DBSCAN finds exactly k clusters.

        Parameters
        ----------
        k : int
            Number of clusters, 1 or more.

        Returns
        -------
        float
            Where several stretches of eps give k clusters, the middle of the one with the greatest
            pair score.

        Raises
        ------
        ValueError
            If no eps gives k clusters; the message says which numbers there are.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [12], [40], [41]], min_points=2)
        >>> tree.eps_for_clusters(3)
        4.5
        """
        k = check_count(k, "k", "eps_for_clusters")
        path = self.eps_path()
        rows = np.flatnonzero(path.n_clusters == k)
        if len(rows) == 0:
            raise InvalidInputError(
                argument="k",
                caller="eps_for_clusters",
                rule="be a number of clusters that DBSCAN finds at some eps: "
                + list_numbers(np.unique(path.n_clusters[path.n_clusters > 0]).tolist()),
                got=shorten(k),
            )
        return path[int(rows[path.score[rows].argmax()])].eps

    def eps_path(self) -> EpsPath:
        """Score DBSCAN at every eps, with the tree's `min_points` as its min_samples.

        Returns
        -------
        EpsPath
            Pair score, DISCO, number of clusters and share of noise for every eps at which they
            change: `.best`, `.stretch()`, `.to_frame()`, `.plot()`. Border points count as noise
            here; `dbscan` gives them their clusters.

        Notes
        -----
        Exact, by a closed form: equal to `pair_score` and `disco_score` of ``dbscan(eps,
        border="noise")`` but for rounding. Time O(n) after sorting, a fraction of that of the tree.
        The same bits for any order of the rows.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [12], [40], [41]], min_points=2)
        >>> best = tree.eps_path().best
        >>> best.eps, best.n_clusters, round(best.score, 3)
        (4.5, 3, 0.591)
        """
        return self._keep("eps_path", self._score_every_eps)

    def _score_every_eps(self) -> EpsPath:
        found = score_every_eps(self.parts.line, self._keep_nodes())
        return EpsPath(
            eps=self.parts.in_units(found.eps),
            score=found.score,
            disco=found.disco,
            n_clusters=found.n_clusters,
            noise_share=found.n_noise / len(self.parts.line.leaves),
        )

    def hdbscan(
        self,
        min_cluster_size: int = 5,
        method: str = "eom",
        epsilon: float = 0.0,
        allow_single_cluster: bool = False,  # noqa: FBT001, FBT002 - as HDBSCAN's users know it
    ) -> NDArray[np.int64]:
        """Label the points by HDBSCAN, with the tree's `min_points` as its min_samples.

        Parameters
        ----------
        min_cluster_size : int, default=5
            The smallest group that is a cluster, 2 or more.
        method : {"eom", "leaf"}, default="eom"
            Which clusters of the hierarchy to take: those with the greatest excess of mass, or
            the smallest ones.
        epsilon : float, default=0.0
            Clusters that part below this height are put together again.
        allow_single_cluster : bool, default=False
            Whether all points may be one cluster.

        Returns
        -------
        ndarray of int of shape (n,)
            Cluster of each point, -1 for noise. Clusters are numbered by their first points in the
            order of the rows.

        Raises
        ------
        ValueError
            If an argument is not allowed.

        Notes
        -----
        HDBSCAN by its definition, with all joins of one height at once, so that the clusters are
        the same for any order of the rows. Where heights are distinct, they are those of
        scikit-learn's ``HDBSCAN(min_samples=min_points)`` and of the hdbscan package with
        ``min_samples=min_points - 1``, which does not count the point itself. Ties are ordinary
        from min_points 3 on; there those programs split ties in the order in which they meet them,
        and differ from themselves after a shuffle of the rows. Time O(n) at most for each size.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [13], [14.5], [50]], min_points=2)
        >>> tree.hdbscan(3)
        array([ 0,  0,  0,  1,  1,  1,  1, -1])
        """
        least = check_count(min_cluster_size, "min_cluster_size", "hdbscan", least=2)
        check_choice(method, METHODS, "method", "hdbscan")
        height = check_number(epsilon, "epsilon", "hdbscan", least=0)
        return hdbscan_labels(
            self.parts.line,
            self._keep_nodes(),
            self._keep_paths(),
            min(least, len(self.parts.line.leaves) + 1),
            is_leaf=method == "leaf",
            epsilon=self._in_line_units(height),
            allow_single_cluster=check_flag(
                allow_single_cluster, "allow_single_cluster", "hdbscan"
            ),
        )

    def size_path(self, method: str = "eom") -> SizePath:
        """Score HDBSCAN at every min_cluster_size from 2 on.

        Parameters
        ----------
        method : {"eom", "leaf"}, default="eom"
            As in `hdbscan`.

        Returns
        -------
        SizePath
            Pair score, DISCO, number of clusters and share of noise for every min_cluster_size at
            which they change: `.best`, `.stretch()`, `.to_frame()`, `.plot()`.

        Notes
        -----
        Exact: equal to `pair_score` and `disco_score` of ``hdbscan(min_cluster_size)`` but for
        rounding. Time O(n log n) for all sizes together. The same bits for any order of the rows.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [13], [14.5], [50]], min_points=2)
        >>> best = tree.size_path().best
        >>> best.min_cluster_size, best.n_clusters, round(best.score, 3)
        (2, 2, 0.311)
        """
        check_choice(method, METHODS, "method", "size_path")
        return self._keep(f"size_path {method}", lambda: self._score_every_size(method))

    def _score_every_size(self, method: str) -> SizePath:
        line, nodes, paths = self.parts.line, self._keep_nodes(), self._keep_paths()
        cores = self._keep("cores", lambda: sum_cores(line, nodes))
        found = score_every_size(nodes, paths, cores, is_leaf=method == "leaf")
        n_points = len(line.leaves)
        return SizePath(
            min_cluster_size=found.min_cluster_size,
            score=found.score,
            disco=found.disco,
            n_clusters=found.n_clusters,
            noise_share=found.n_noise / n_points,
            n_points=n_points,
            method=method,
        )

    def _in_line_units(self, height: float) -> float:
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(height, -self.parts.exponent))

    def _keep_nodes(self) -> Nodes:
        return self._keep("nodes", lambda: find_nodes(self.parts.line.joins))

    def _keep_paths(self) -> Paths:
        return self._keep("paths", lambda: follow_paths(self._keep_nodes()))

    def _keep_near_points(self, X: ArrayLike | None) -> NearPoints:
        return self._keep("near_points", lambda: self._find_near_points(X))

    def _find_near_points(self, X: ArrayLike | None) -> NearPoints:
        """What the build found; or what can be found from coordinates that it kept, or from X."""
        parts, found = self.parts, self._neighborhoods
        if found is not None and found.nearest.shape[1] == 0 and parts.metric.is_euclidean:
            found = search_again(found, parts.min_points, n_jobs=1)
        if found is None or found.nearest.shape[1] == 0:
            found = _search_points(X, parts)
        return measure_near_points(found, parts)


def _search_points(X: ArrayLike | None, parts: TreeParts) -> Neighborhoods:
    """Search the points that a user says the tree is of."""
    n_points = len(parts.line.leaves)
    if isinstance(parts.metric.name, str) and parts.metric.name not in METRIC_NAMES:
        rule = f"be 'noise' for this tree: its file does not hold its metric, {parts.metric.shown}"
        remedy = "Build the tree again from the points."
        raise InvalidInputError(argument="border", caller="dbscan", rule=rule, remedy=remedy)
    remedy = "Or ask for border='noise', which needs the tree alone."
    if X is None:
        rule = "be given: this tree does not know who is near whom, which border points need"
        raise InvalidInputError(argument="X", caller="dbscan", rule=rule, remedy=remedy)
    params = dict(parts.metric.params) or None
    points = open_points(X, "dbscan", n_jobs=None, metric=parts.metric.name, metric_params=params)
    rule = f"be the {count(n_points, 'point')} of the tree"
    if points.n_points != n_points:
        got = count(points.n_points, "point")
        raise InvalidInputError(argument="X", caller="dbscan", rule=rule, got=got)
    found, core, exponent = search_neighborhoods(points, parts.min_points)
    starts = np.cumsum(found.multiplicity) - found.multiplicity
    with np.errstate(over="ignore", under="ignore"):  # other points may be far farther apart
        core = np.ldexp(core, exponent - parts.exponent)
    of_tree = parts.line.core[found.rows[starts]]
    if parts.algorithm != "exact":  # none of its core distances is below the exact one
        core = np.maximum(core, of_tree * (core <= of_tree))
    if not np.allclose(core, of_tree, rtol=_SAME_CORE, atol=0):
        got = "points with other core distances"
        raise InvalidInputError(argument="X", caller="dbscan", rule=rule, got=got)
    return found
