"""ClusteringSearch is a scikit-learn estimator: all of scikit-learn's checks pass."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from sklearn.cluster import DBSCAN, HDBSCAN, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from disco_cvi.selection import ClusteringSearch

SEARCHES = [
    ClusteringSearch(KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}),
    ClusteringSearch(DBSCAN(), {"eps": [0.5, 1.0]}),
    ClusteringSearch(make_pipeline(StandardScaler(), DBSCAN()), {"dbscan__eps": [0.3, 1.0]}),
    ClusteringSearch(HDBSCAN(copy=True), {"min_cluster_size": [3, 5]}),
    ClusteringSearch(GaussianMixture(random_state=0), {"n_components": [2, 3]}),
]

if find_spec("hdbscan"):
    from hdbscan import HDBSCAN as OTHER_HDBSCAN

    SEARCHES.append(ClusteringSearch(OTHER_HDBSCAN(), {"min_cluster_size": [3, 5]}))


@parametrize_with_checks(SEARCHES)  # type: ignore[untyped-decorator]
def test_check(estimator: Any, check: Any) -> None:
    check(estimator)
