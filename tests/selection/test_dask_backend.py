"""ClusteringSearch on a Dask cluster, through joblib: the same results, the points sent once."""

from __future__ import annotations

from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.cluster import DBSCAN

from disco_cvi._input import options
from disco_cvi.cluster import DensityDBSCAN
from disco_cvi.cluster.tree_clusterer import threads_here
from disco_cvi.selection import ClusteringSearch

POINTS = np.random.default_rng(0).normal(size=(400, 2)) + np.repeat([[0.0], [9.0]], 200, axis=0)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [(DBSCAN(), {"eps": [0.3, 0.8, 2.0]}), (DensityDBSCAN(), {"min_points": [3, 5, 8]})],
    ids=["points", "trees"],
)
def test_a_search_gives_the_same_and_sends_what_is_large_once(
    client: Any, monkeypatch: pytest.MonkeyPatch, estimator: Any, grid: dict[str, list[Any]]
) -> None:
    here = ClusteringSearch(estimator, grid).fit(POINTS)
    sent: list[int] = []
    scatter = client.scatter

    def count(data: Any, **options: Any) -> Any:
        sent.append(len(data))
        return scatter(data, **options)

    monkeypatch.setattr(client, "scatter", count)
    with joblib.parallel_config(backend="dask"):
        there = ClusteringSearch(estimator, grid).fit(POINTS)
    assert sent == [1 if isinstance(estimator, DBSCAN) else 4]
    assert there.best_params_ == here.best_params_
    assert np.array_equal(there.labels_, here.labels_)
    for column in ("score", "disco", "n_clusters", "rank"):
        assert np.array_equal(there.results_[column], here.results_[column])


def test_threads_are_those_of_this_process_not_of_the_cluster(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "_available_cpus", lambda: 1)
    with joblib.parallel_config(backend="dask"):
        assert joblib.effective_n_jobs() == 2
        assert threads_here(None) == 1
