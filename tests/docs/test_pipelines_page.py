"""The page on other packages' searches and pipelines finds what it should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.cluster import DBSCAN
from sklearn.metrics import adjusted_rand_score

from helpers.pages import DOCS, run_page


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """All that the page has named at its end."""
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return run_page(DOCS / "guide" / "pipelines.md", {})


def test_clusterers_find_the_moons(names: dict[str, Any]) -> None:
    X, truth, found = names["X"], names["truth"], names["found"]
    assert adjusted_rand_score(truth, found.labels_) > 0.99
    assert adjusted_rand_score(truth, names["by_size"]) > 0.99
    expected = DBSCAN(eps=found.eps_).fit_predict(X)
    assert np.array_equal(names["same"].fit_predict(X), expected)


@pytest.mark.parametrize("name", ["search", "outside", "several", "grid_search"])
def test_searches_find_the_moons(names: dict[str, Any], name: str) -> None:
    labels = names[name].best_estimator_.fit_predict(names["X"])
    assert adjusted_rand_score(names["truth"], labels) > 0.99


def test_a_search_inside_of_a_pipeline_finds_the_moons(names: dict[str, Any]) -> None:
    assert adjusted_rand_score(names["truth"], names["scaled"]) > 0.99


def test_optuna_finds_the_same_clusters(names: dict[str, Any]) -> None:
    assert names["study"].best_trial.user_attrs == {"clusters": 2}
    searched = names["search"].best_score_
    assert names["study"].best_value >= searched - 1e-3  # it looks at other eps


def test_topics(names: dict[str, Any]) -> None:
    topics = names["topics"]
    assert topics.results_["n_clusters"][topics.best_index_] >= 5
    assert np.isfinite(topics.results_["score"]).all()
