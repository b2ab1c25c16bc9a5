"""scorer: the indices in scikit-learn's own searches."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_moons
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import disco_cvi
from disco_cvi import InvalidInputError, available_indices, scorer
from disco_cvi.density_tree import tree as tree_module
from disco_cvi.selection import ClusteringSearch
from disco_cvi.selection.scorer import _MOST_KEPT, Scorer

X, _ = make_moons(120, noise=0.05, random_state=0)
ROWS = np.arange(len(X))
ALL = [(ROWS, ROWS)]
EPS = {"eps": [0.05, 0.1, 0.2, 0.25, 0.5]}


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The numbers of points of all trees that are built."""
    sizes, build = [], tree_module._build

    def count_builds(points: Any, min_points: Any) -> Any:
        sizes.append(points.n_points)
        return build(points, min_points)

    monkeypatch.setattr(tree_module, "_build", count_builds)
    return sizes


def test_grid_search_finds_what_our_search_finds(built: list[Any]) -> None:
    theirs = GridSearchCV(DBSCAN(), EPS, scoring=scorer("pairs"), cv=ALL).fit(X)
    assert built == [len(X)]
    ours = ClusteringSearch(DBSCAN(), EPS).fit(X)
    assert theirs.best_params_ == ours.best_params_
    assert theirs.cv_results_["mean_test_score"].tolist() == ours.results_["score"].tolist()


@pytest.mark.parametrize("info", available_indices(), ids=lambda info: info.name)
def test_greater_is_better_for_every_index(info: Any) -> None:
    labels = DBSCAN(eps=0.25).fit(X)
    value = info.function(X, labels.labels_)
    assert scorer(info.name)(labels, X) == (value if info.greater_is_better else -value)


def test_options_reach_the_index() -> None:
    fitted, wide = DBSCAN(eps=0.25).fit(X), DBSCAN(eps=10).fit(X)
    for options in ({"min_points": 9, "metric": "manhattan"}, {"noise_label": 0}):
        expected = disco_cvi.disco_score(X, fitted.labels_, **options)
        assert scorer("disco", **options)(fitted, X) == expected
    distances, joined = pairwise_distances(X), AgglomerativeClustering().fit(X)
    assert scorer("disco", metric="precomputed")(joined, distances) == disco_cvi.disco_score(
        distances, joined.labels_, metric="precomputed"
    )
    assert np.isnan(scorer("silhouette")(wide, X))
    assert np.isnan(scorer("disco", min_points=121)(fitted, X))


def test_pipelines_and_data_frames() -> None:
    frame = pd.DataFrame(X, columns=["a", "b"])
    pipeline = make_pipeline(StandardScaler(), DBSCAN())
    grid = {"dbscan__eps": [0.1, 0.25, 0.5]}
    theirs = GridSearchCV(pipeline, grid, scoring=scorer("pairs"), cv=ALL).fit(frame)
    ours = ClusteringSearch(pipeline, grid).fit(frame)
    assert theirs.best_params_ == ours.best_params_
    assert theirs.best_score_ == ours.best_score_


def test_held_out_points_are_predicted(built: list[Any]) -> None:
    kmeans = KMeans(n_init=1, random_state=0)
    score = scorer("disco")
    found = cross_val_score(kmeans, X, scoring=score, cv=3)
    search = GridSearchCV(kmeans, {"n_clusters": [2, 3, 4]}, scoring=score, cv=3).fit(X)
    assert built == [40, 40, 40]  # by all searches together
    part = np.arange(40)
    labels = clone(kmeans).fit(np.delete(X, part, axis=0)).predict(X[part])
    assert found[0] == disco_cvi.disco_score(X[part], labels)
    assert np.isfinite(search.best_score_)


@pytest.mark.parametrize(
    ("estimator", "n_fitted", "problem"),
    [
        (
            AgglomerativeClustering(),
            100,
            "AgglomerativeClustering was fitted to 100 points and cannot label others, here 20. "
            "In a search pass cv=[(rows, rows)] with rows = np.arange(len(X)).",
        ),
        (DBSCAN(eps=1), 20, "DBSCAN was fitted to other points and cannot label these. In a"),
        (StandardScaler(), 20, "StandardScaler has neither predict nor labels_. In a search"),
    ],
)
def test_points_that_cannot_be_labeled(estimator: Any, n_fitted: int, problem: str) -> None:
    estimator.fit(X[:n_fitted])
    message = f"estimator of scorer must label the points that are scored; {problem}"
    with pytest.raises(InvalidInputError, match=f"^{re.escape(message)}"):
        scorer("pairs")(estimator, X[-20:])


def test_only_the_latest_points_are_kept(built: list[Any]) -> None:
    score = scorer("disco")
    for n_points in range(20, 20 + _MOST_KEPT + 1):
        score(DBSCAN(eps=0.5, min_samples=2).fit(X[:n_points]), X[:n_points])
    assert len(score._kept) == _MOST_KEPT
    n_built = len(built)
    score(DBSCAN(eps=0.5, min_samples=2).fit(X[:20]), X[:20])
    assert len(built) == n_built + 1


def test_copies() -> None:
    score = scorer("s_dbw", n_jobs=1)
    score(KMeans(2, n_init=1).fit(X), X)
    assert repr(score) == "scorer('s_dbw', n_jobs=1)"
    for other in (
        copy.deepcopy(score),
        pickle.loads(pickle.dumps(score)),
        clone(score, safe=False),
    ):
        assert repr(other) == repr(score)
        assert not other._kept
    search = clone(GridSearchCV(DBSCAN(), EPS, scoring=score, cv=ALL))
    assert repr(search.scoring) == repr(score)


def test_copies_in_another_process_share_their_trees() -> None:
    parcel = pickle.dumps(scorer("disco"))
    one, other = pickle.loads(parcel), pickle.loads(parcel)
    assert isinstance(one, Scorer)
    assert one is other
    assert pickle.loads(pickle.dumps(scorer("disco"))) is not one


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_searches_with_jobs(backend: str) -> None:
    with joblib.parallel_config(backend=backend, n_jobs=2):
        search = RandomizedSearchCV(
            DBSCAN(), EPS, n_iter=4, random_state=0, scoring=scorer("pairs"), cv=ALL
        ).fit(X)
    alone = clone(search).fit(X)
    assert search.best_params_ == alone.best_params_
    assert search.best_score_ == alone.best_score_


@pytest.mark.parametrize(
    ("index", "options", "message"),
    [
        ("disko", {}, "index of scorer must be among those that available_indices() lists; got"),
        (
            "disco",
            {"min_point": 3},
            "disco in scorer has no option 'min_point'; its options: min",
        ),
        (
            "disco",
            {"min_points": 0},
            "min_points of disco in scorer must be an integer of at le",
        ),
        ("disco", {"metric": "euclid"}, "metric of scorer must be"),
        ("disco", {"n_jobs": 0}, "n_jobs of scorer must not be 0."),
        ("disco", {"noise_label": 0.5}, "noise_label of scorer must be a whole number"),
    ],
)
def test_wrong_options_are_told_at_once(index: str, options: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{re.escape(message)}"):
        scorer(index, **options)
