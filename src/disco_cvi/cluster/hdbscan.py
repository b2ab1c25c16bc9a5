"""HDBSCAN that finds its min_cluster_size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from disco_cvi._input.options import Choice, Count, OrAuto, check_flag, check_number
from disco_cvi._input.points import METRIC, MIN_POINTS
from disco_cvi.cluster.tree_clusterer import Cut, TreeClusterer
from disco_cvi.density_tree.condensing import METHODS
from disco_cvi.density_tree.paths import SizePath
from disco_cvi.exceptions import InvalidInputError

_SIZE = OrAuto(Count(least=2))
_METHOD = OrAuto(Choice(*METHODS))


class _Candidate(NamedTuple):
    """One method at the given size, or at its best one."""

    method: str
    size: int
    path: SizePath | None
    cut: Cut


class DensityHDBSCAN(TreeClusterer):
    """HDBSCAN from a density tree; unless given, its size and method are chosen among all.

    The tree knows what HDBSCAN finds at every min_cluster_size. The best one has the greatest pair
    score (see `disco_cvi.pair_score`). Where no size tells two clusters apart, all points are
    noise, and `score_` is 0. The clusters are the same for any order of the rows.

    Parameters
    ----------
    min_cluster_size : int or "auto", default="auto"
        The smallest group that is a cluster, 2 or more.
    min_points : int, default=5
        Which nearest point a core distance reaches to, the point itself counted: scikit-learn's
        `min_samples`, one more than that of the hdbscan package. There must be as many points.
    method : {"auto", "eom", "leaf"}, default="auto"
        Which clusters of the hierarchy to take: those with the greatest excess of mass, or the
        smallest ones; "auto": what scores better. It is scikit-learn's `cluster_selection_method`.
    epsilon : float, default=0.0
        Clusters that part below this height are put together again: scikit-learn's
        `cluster_selection_epsilon`. Needs a given `min_cluster_size`.
    allow_single_cluster : bool, default=False
        Whether all points may be one cluster. Needs a given `min_cluster_size`.
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
    min_cluster_size_ : int
        The size that was chosen, the smallest of its stretch, or given.
    method_ : str
        The method that was chosen or given.
    score_ : float
        Pair score of the labels. Below about 0.1 there is little to find this way.
    n_clusters_ : int
        Number of clusters.
    path_ : SizePath or None
        Scores of the method at every min_cluster_size, if that was chosen: ``path_.plot()``,
        ``path_.stretch()``.
    tree_ : DensityTree
        The tree; it gives the labels at any other size.
    n_features_in_ : int
        Number of columns of `X`.
    feature_names_in_ : ndarray of str
        Their names, if `X` is a data frame.

    See Also
    --------
    DensityDBSCAN : One density for all clusters.
    disco_cvi.DensityTree.hdbscan : In what it differs from other programs.

    Examples
    --------
    >>> from disco_cvi import DensityHDBSCAN
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [40, 40]]
    >>> clusterer = DensityHDBSCAN(min_points=3).fit(X)
    >>> clusterer.labels_
    array([ 0,  0,  0,  0,  1,  1,  1,  1, -1])
    >>> clusterer.min_cluster_size_, clusterer.method_, clusterer.n_clusters_
    (2, 'eom', 2)
    """

    def __init__(
        self,
        min_cluster_size: int | str = "auto",
        *,
        min_points: int = MIN_POINTS,
        method: str = "auto",
        epsilon: float = 0.0,
        allow_single_cluster: bool = False,
        metric: str | Callable[..., float] = METRIC,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_points = min_points
        self.method = method
        self.epsilon = epsilon
        self.allow_single_cluster = allow_single_cluster
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _check_options(self, caller: str) -> None:
        _METHOD.check(self.method, "method", caller)
        epsilon = check_number(self.epsilon, "epsilon", caller, least=0)
        may_be_one = check_flag(self.allow_single_cluster, "allow_single_cluster", caller)
        if _SIZE.check(self.min_cluster_size, "min_cluster_size", caller) is not None:
            return
        for argument, value, default in (
            ("epsilon", epsilon, 0.0),
            ("allow_single_cluster", may_be_one, False),
        ):
            if value != default:
                raise InvalidInputError(
                    argument=argument,
                    caller=caller,
                    rule=f"be {default} where min_cluster_size is 'auto'",
                    got=str(value),
                    remedy="Give a min_cluster_size.",
                )

    def _cut(self, array: NDArray[Any]) -> Cut:  # noqa: ARG002 - the tree is enough
        method = _METHOD.check(self.method, "method", type(self).__name__)
        candidates = [self._try(one) for one in (METHODS if method is None else (method,))]
        best = min(candidates, key=lambda candidate: candidate.cut.rank)
        self.min_cluster_size_ = best.size
        self.method_ = best.method
        self.path_ = best.path
        return best.cut

    def _try(self, method: str) -> _Candidate:
        size = _SIZE.check(self.min_cluster_size, "min_cluster_size", type(self).__name__)
        path = self.tree_.size_path(method=method) if size is None else None
        if path is not None:
            size = path.best.min_cluster_size
        labels = self.tree_.hdbscan(
            size,
            method=method,
            epsilon=self.epsilon,
            allow_single_cluster=self.allow_single_cluster,
        )
        return _Candidate(method, size, path, self._judge(labels))
