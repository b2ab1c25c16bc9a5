"""Searches and comparisons on a Dask cluster, by joblib: the same results, points sent once."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN

from disco_cvi import DensityTree, compare
from disco_cvi.cluster.tree_clusterer import threads_here
from disco_cvi.results import comparison
from disco_cvi.results.evaluation import Evaluation, evaluate_in
from disco_cvi.selection import ClusteringSearch

POINTS = np.random.default_rng(0).normal(size=(400, 2)) + np.repeat([[0.0], [9.0]], 200, axis=0)


def count_sent(client: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many values were sent to the workers, each time that some were."""
    sent: list[int] = []
    scatter = client.scatter

    def count(data: Any, **options: Any) -> Any:
        sent.append(len(data))
        return scatter(data, **options)

    monkeypatch.setattr(client, "scatter", count)
    return sent


def test_a_search_gives_the_same(client: Any) -> None:
    search = ClusteringSearch(DBSCAN(), {"eps": [0.3, 0.8, 2.0]})
    here = clone(search).fit(POINTS)
    with joblib.parallel_config(backend="dask"):
        assert threads_here(None) <= joblib.effective_n_jobs() == 2
        there = clone(search).fit(POINTS)
    assert there.best_params_ == here.best_params_
    assert np.array_equal(there.labels_, here.labels_)
    assert np.array_equal(there.results_["score"], here.results_["score"])


@pytest.mark.parametrize("given", ["points", "tree"])
def test_a_comparison_gives_the_same_and_sends_the_tree_once(
    client: Any, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    X = POINTS if given == "points" else DensityTree(POINTS)
    labelings = {str(seed): np.arange(400) * 3 % (seed + 2) - 1 for seed in range(4)}
    names = ["disco", "dbcv", "silhouette"]
    here = compare(X, labelings, names)
    sent = count_sent(client, monkeypatch)
    evaluated: list[Any] = []
    monkeypatch.setattr(comparison, "evaluate_in", note_calls(evaluate_in, evaluated))
    with joblib.parallel_config(backend="dask"):
        there = compare(X, labelings, names)
    assert sent == [1]
    assert len(evaluated) == 1
    for one, other in zip(here.evaluations.values(), there.evaluations.values(), strict=True):
        assert facts(one) == facts(other)
        assert one.n_clusters == other.n_clusters


def facts(evaluation: Evaluation) -> list[tuple[Any, ...]]:
    """All but the time that it took."""
    return [astuple(value)[:-1] for value in evaluation.values]


def note_calls(function: Any, noted: list[Any]) -> Any:
    def call(*arguments: Any) -> Any:
        noted.append(arguments)
        return function(*arguments)

    return call
