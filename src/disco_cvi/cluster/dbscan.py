"""DBSCAN that finds its eps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import Number, OrAuto, check_choice
from disco_cvi._input.points import METRIC, MIN_POINTS
from disco_cvi.cluster.tree_clusterer import Cut, TreeClusterer
from disco_cvi.density_tree.cuts import BORDERS

_EPS = OrAuto(Number(least=0))


class DensityDBSCAN(TreeClusterer):
    """DBSCAN from a density tree; unless it is given, eps is chosen among all that there are.

    The tree knows what DBSCAN finds at every eps. The best one has the greatest pair score (see
    `disco_cvi.pair_score`) of the clusters of core points. Where no eps tells two clusters apart,
    all points are one cluster, and `score_` is 0.

    Parameters
    ----------
    eps : float or "auto", default="auto"
        How far a point may be from a core point to belong to its cluster; 0 or more.
    min_points : int, default=5
        How many points within eps, itself counted, make a point a core point: scikit-learn's
        `min_samples`. There must be as many points.
    border : {"nearest", "first", "noise"}, default="nearest"
        Where points go that are no core points, but have some within eps. "nearest": to the nearest
        core point, so that the clusters are the same for any order of the rows. "first": to the
        cluster that the rows name first; labels are those of scikit-learn's ``DBSCAN``. "noise":
        nowhere. See `disco_cvi.DensityTree.dbscan`.
    metric : str or callable, default="euclidean"
        See `disco_cvi.DensityTree`. With "precomputed", `X` holds distances.
    metric_params : dict, optional
        Further arguments of the metric.
    n_jobs : int, optional
        Number of threads; None: 1, or what `joblib.parallel_config` says. The labels do not depend
        on it.

    Attributes
    ----------
    labels_ : ndarray of int of shape (n,)
        Cluster of each point, -1 for noise.
    eps_ : float
        The eps that was chosen, in the middle of its stretch, or given.
    score_ : float
        Pair score of the labels. Below about 0.1 there is little to find this way.
    n_clusters_ : int
        Number of clusters.
    path_ : EpsPath or None
        Scores at every eps, if eps was chosen: ``path_.plot()``, ``path_.stretch()``.
    tree_ : DensityTree
        The tree; it gives the labels at any other eps.
    core_sample_indices_ : ndarray of int of shape (n_core,)
        Rows of the core points.
    components_ : ndarray of shape (n_core, d)
        The core points.
    n_features_in_ : int
        Number of columns of `X`.
    feature_names_in_ : ndarray of str
        Their names, if `X` is a data frame.

    See Also
    --------
    DensityHDBSCAN : Clusters of unlike density.
    disco_cvi.selection.ClusteringSearch : Other parameters, other clusterers.

    Examples
    --------
    >>> from disco_cvi import DensityDBSCAN
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [40, 40]]
    >>> clusterer = DensityDBSCAN(min_points=3).fit(X)
    >>> clusterer.labels_
    array([ 0,  0,  0,  0,  1,  1,  1,  1, -1])
    >>> round(clusterer.eps_, 2), clusterer.n_clusters_, round(clusterer.score_, 2)
    (5.45, 2, 0.36)
    """

    def __init__(
        self,
        eps: float | str = "auto",
        *,
        min_points: int = MIN_POINTS,
        border: str = "nearest",
        metric: str | Callable[..., float] = METRIC,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.min_points = min_points
        self.border = border
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _check_options(self, caller: str) -> None:
        _EPS.check(self.eps, "eps", caller)
        check_choice(self.border, BORDERS, "border", caller)

    def _cut(self, array: NDArray[Any]) -> Cut:
        eps: float | None = _EPS.check(self.eps, "eps", type(self).__name__)
        self.path_ = self.tree_.eps_path() if eps is None else None
        self.eps_ = self.tree_.eps_path().best.eps if eps is None else eps
        self.core_sample_indices_ = np.flatnonzero(self.tree_.core_distances <= self.eps_)
        self.components_ = array[self.core_sample_indices_]
        return self._judge(self.tree_.dbscan(self.eps_, border=self.border))
