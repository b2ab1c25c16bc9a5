"""ClusteringSearch: what is tried, what decides, what is told, what is kept."""

from __future__ import annotations

import pickle
import re
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.typing import NDArray
from scipy.stats import uniform
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AgglomerativeClustering,
    KMeans,
)
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import adjusted_rand_score, pairwise_distances, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import disco_cvi
from disco_cvi import DensityTree, InvalidInputError, UndefinedScoreError, available_indices
from disco_cvi.density_tree import tree as tree_module
from disco_cvi.exceptions import ArgumentError, InvalidTypeError
from disco_cvi.indices.index_info import options_of
from disco_cvi.selection import ClusteringSearch

X, TRUTH = make_moons(120, noise=0.05, random_state=0)
EPS = {"eps": [0.05, 0.1, 0.2, 0.25, 0.5]}
TIMES = {"fit_time", "score_time"}


class BadLuckError(TypeError):
    """What a clusterer raises."""


class Given(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Labels the points as it is told; a string is an error that it raises."""

    def __init__(self, labels: Any = None) -> None:
        self.labels = labels

    def fit(self, X: Any) -> Given:
        self.n_points_ = len(X)
        if isinstance(self.labels, str):
            raise BadLuckError(self.labels)
        self.labels_ = np.asarray(self.labels)
        return self


LINE = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [50.0]])
GOOD, GIANT, NOISE = [0, 0, 0, 1, 1, 1, -1], [0, 0, 0, 0, 0, 0, -1], [-1] * 7


def search_line(*labelings: Any, **options: Any) -> ClusteringSearch:
    """Search among given labelings of a few points on a line."""
    options = {"min_points": 2, **options}
    return ClusteringSearch(Given(), {"labels": list(labelings)}, **options).fit(LINE)


# --- what is tried ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (DBSCAN(), EPS),
        (HDBSCAN(copy=True), {"min_cluster_size": [5, 10, 20]}),
        (OPTICS(), {"min_samples": [5, 10], "max_eps": [0.3, 0.5]}),
        (KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}),
        (AgglomerativeClustering(linkage="single"), {"n_clusters": [2, 3, 4]}),
        (GaussianMixture(random_state=0), {"n_components": [2, 3]}),
        (make_pipeline(MinMaxScaler(), DBSCAN()), {"dbscan__eps": [0.05, 0.1, 0.2]}),
        (
            Pipeline([("scale", StandardScaler()), ("cluster", DBSCAN())]),
            [
                {
                    "cluster": [DBSCAN()],
                    "cluster__eps": [0.1, 0.3],
                    "scale": [None, MinMaxScaler()],
                },
                {"cluster": [KMeans(n_init=1, random_state=0)], "cluster__n_clusters": [2, 3]},
            ],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_clusterer(estimator: Any, grid: Any) -> None:
    search = ClusteringSearch(estimator, grid).fit(X)
    tree = DensityTree(X)
    scores = []
    for params in search.results_["params"]:
        candidate = clone(estimator).set_params(**clone(params, safe=False))
        scores.append(disco_cvi.pair_score(tree, candidate.fit_predict(X)))
    assert search.results_["score"].tolist() == scores
    assert search.best_score_ == max(scores)
    assert search.best_score_ == disco_cvi.pair_score(X, search.labels_)
    assert search.results_["rank"][search.best_index_] == 1
    assert search.best_params_ is search.results_["params"][search.best_index_]
    assert search.tree_.min_points == 5
    assert search.n_features_in_ == 2


def test_settings_are_drawn() -> None:
    grid = {"eps": uniform(0.05, 0.5), "min_samples": [3, 5]}
    search = ClusteringSearch(DBSCAN(), grid, n_iter=4, random_state=3).fit(X)
    again = clone(search).fit(X)
    assert len(search.results_["params"]) == 4
    assert again.results_["params"] == search.results_["params"]
    with pytest.warns(UserWarning, match="smaller than n_iter"):
        every = ClusteringSearch(DBSCAN(), EPS, n_iter=2**63, random_state=0).fit(X)
    assert sorted(params["eps"] for params in every.results_["params"]) == EPS["eps"]


def test_candidates_do_not_share_what_they_write() -> None:
    class Writer(Given):
        def fit(self, X: Any) -> Given:
            X[:] = 0
            return super().fit(X)

    frozen = LINE.copy()
    frozen.flags.writeable = False
    search = ClusteringSearch(Writer(), {"labels": [GOOD, GIANT]}, min_points=2).fit(frozen)
    assert search.best_score_ == disco_cvi.pair_score(LINE, GOOD, min_points=2)


def test_data_frames_reach_pipelines_and_give_names() -> None:
    frame = pd.DataFrame(X, columns=["a", "b"])
    prepare = make_column_transformer((StandardScaler(), ["a", "b"]))
    grid = {"kmeans__n_clusters": [2, 3]}
    search = ClusteringSearch(make_pipeline(prepare, KMeans(n_init=1, random_state=0)), grid)
    search.fit(frame)
    assert search.feature_names_in_.tolist() == ["a", "b"]
    assert np.array_equal(search.predict(frame), search.labels_)
    with pytest.raises(ValueError, match="feature names"):
        search.predict(frame.rename(columns={"a": "c"}))
    # As a step of a pipeline it scores what it gets.
    scaled = StandardScaler().fit_transform(X * [1, 100])
    inner = ClusteringSearch(DBSCAN(), EPS).fit(pl.DataFrame(scaled))
    steps = make_pipeline(StandardScaler(), ClusteringSearch(DBSCAN(), EPS))
    assert np.array_equal(steps.fit_predict(X * [1, 100]), inner.labels_)


def test_metrics() -> None:
    search = ClusteringSearch(DBSCAN(metric="precomputed"), EPS, metric="precomputed")
    search.fit(pairwise_distances(X))
    expected = ClusteringSearch(DBSCAN(), EPS).fit(X)
    assert search.best_params_ == expected.best_params_
    assert search.best_score_ == pytest.approx(expected.best_score_, rel=1e-9)  # of distances
    assert sklearn.utils.get_tags(search).input_tags.pairwise
    assert search.tree_.metric == "precomputed"
    other = ClusteringSearch(DBSCAN(metric="manhattan"), EPS, metric="manhattan").fit(X)
    assert other.best_score_ == disco_cvi.pair_score(X, other.labels_, metric="manhattan")


def test_weights_reach_the_clusterer() -> None:
    weights = np.where(TRUTH == 0, 1.0, 0.0)
    search = ClusteringSearch(DBSCAN(eps=0.25), {"min_samples": [5]})
    assert search.fit(X, sample_weight=weights).results_["n_clusters"].tolist() == [1]
    assert search.fit(X).results_["n_clusters"].tolist() == [2]


# --- shared work --------------------------------------------------------------------------------


def test_one_tree_for_all_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    built, build = [], tree_module._build

    def count_builds(points: Any, min_points: Any) -> Any:
        built.append(min_points)
        return build(points, min_points)

    monkeypatch.setattr(tree_module, "_build", count_builds)
    ClusteringSearch(DBSCAN(), EPS, scoring=["pairs", "disco", "dcsi"]).fit(X)
    assert built == [5]


def test_equal_labelings_are_scored_once() -> None:
    seen = []

    def score(points: NDArray[Any], labels: NDArray[Any]) -> float:
        seen.append(labels.tolist())
        points[:] = labels[:] = labels.max()
        return float(labels[0])

    renamed = [7, 7, 7, 3, 3, 3, -1]
    search = search_line(GOOD, GIANT, renamed, GOOD, [0, 1, 0, 1, 0, 1, -1], scoring=score)
    assert len(seen) == 3
    assert search.results_["score"].tolist() == [1, 0, 1, 1, 1]
    assert search.best_estimator_.labels_ is search.labels_


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_do_not_change_the_result(backend: str) -> None:
    alone = ClusteringSearch(DBSCAN(), EPS, scoring=["pairs", "silhouette"]).fit(X)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        many = clone(alone).fit(X)
    assert_same_results(many, alone)
    assert np.array_equal(many.best_estimator_.labels_, alone.labels_)
    again = pickle.loads(pickle.dumps(many))
    assert_same_results(again, many)
    assert repr(again.tree_) == repr(many.tree_)


def assert_same_results(one: ClusteringSearch, other: ClusteringSearch) -> None:
    assert one.results_.keys() == other.results_.keys()
    for name in one.results_.keys() - TIMES - {"params"}:
        assert np.array_equal(
            pd.Series(one.results_[name]).to_numpy(object, na_value=None),
            pd.Series(other.results_[name]).to_numpy(object, na_value=None),
        ), name
    assert one.results_["params"] == other.results_["params"]
    assert one.best_index_ == other.best_index_
    assert np.array_equal(one.labels_, other.labels_)


# --- what decides -------------------------------------------------------------------------------


@pytest.mark.parametrize("info", available_indices(), ids=lambda info: info.name)
def test_every_index_decides_in_its_direction(info: Any) -> None:
    points, _ = make_blobs(60, centers=3, random_state=1)
    search = ClusteringSearch(KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3, 5]})
    search.set_params(scoring=info.name).fit(points)
    scores = search.results_["score"]
    best = np.nanmax(scores) if info.greater_is_better else np.nanmin(scores)
    assert search.best_score_ == best
    own = {"min_points": 5} if "min_points" in options_of(info) else {}
    assert search.best_score_ == info.function(points, search.labels_, **own)


def test_options_of_an_index_come_with_its_scorer() -> None:
    mixed = [0, 1, 0, 1, 0, 1, -1]
    search = search_line(mixed, GOOD, scoring=disco_cvi.scorer("silhouette", noise="filter"))
    assert search.best_score_ == disco_cvi.silhouette_score(LINE, GOOD, noise="filter")
    lower = search_line(mixed, GOOD, scoring=disco_cvi.scorer("davies_bouldin"))
    assert lower.best_score_ == disco_cvi.davies_bouldin_index(LINE, GOOD)
    own = search_line(GOOD, scoring=[disco_cvi.scorer("pairs", min_points=3), "disco"])
    assert own.best_score_ == disco_cvi.pair_score(LINE, GOOD, min_points=3)
    assert own.results_["disco"] == [disco_cvi.disco_score(LINE, GOOD, min_points=2)]
    other = search_line(GOOD, scoring=["pairs", disco_cvi.scorer("disco", min_points=3)])
    assert other.results_["disco"] == [disco_cvi.disco_score(LINE, GOOD, min_points=3)]
    with pytest.raises(InvalidInputError, match="must leave metric to ClusteringSearch, as all"):
        search_line(GOOD, scoring=disco_cvi.scorer("disco", metric="cosine"))


def test_several_indices() -> None:
    search = ClusteringSearch(DBSCAN(), EPS, scoring=["silhouette", "pairs", silhouette_score])
    search.fit(X)
    assert {"silhouette", "pair", "silhouette_score"} < search.results_.keys()
    assert np.array_equal(search.results_["score"], search.results_["silhouette"], equal_nan=True)
    for refit in ("pairs", "pair"):
        by_pairs = clone(search).set_params(refit=refit).fit(X)
        assert np.array_equal(by_pairs.results_["score"], by_pairs.results_["pair"])
    alone = ClusteringSearch(DBSCAN(), EPS).fit(X)
    assert by_pairs.best_index_ == alone.best_index_
    assert "pair" not in alone.results_


def test_functions_decide_in_their_direction() -> None:
    mixed = [0, 1, 0, 1, 0, 1, -1]
    assert search_line(GOOD, mixed, scoring=disco_cvi.davies_bouldin_index).best_index_ == 0
    for name in ("pairs", "pair", disco_cvi.pair_score):
        found = search_line(mixed, GOOD, scoring=name)
        assert found.best_score_ == disco_cvi.pair_score(LINE, GOOD, min_points=2)
    search = ClusteringSearch(KMeans(n_init=1, random_state=0), {"n_clusters": [2, 4, 8]})
    search.set_params(scoring=silhouette_score).fit(X)
    assert search.best_score_ == pytest.approx(silhouette_score(X, search.labels_), rel=1e-12)


def test_ties_fewer_clusters_less_noise_then_the_order() -> None:
    def zero(points: Any, labels: Any) -> float:
        return 0.0

    less = [0, 0, 0, 1, 1, 1, 1]
    labelings = [NOISE, [0, 1, 2, 3, 4, 5, 6], GOOD, less, less, GIANT, [0] * 7, [0] * 7]
    ranks = search_line(*labelings, scoring=zero).results_["rank"]
    assert ranks.tolist() == [8, 7, 6, 4, 5, 3, 1, 2]
    assert search_line(NOISE, [0] * 7).best_index_ == 1
    noise = search_line(NOISE)
    assert noise.best_score_ == 0
    assert np.isnan(noise.results_["largest_share"][0])


def test_order_of_rows_does_not_matter() -> None:
    random = np.random.default_rng(0)
    points = random.integers(0, 12, (80, 2)).astype(float)
    rows = random.permutation(len(points))
    labelings = [
        AgglomerativeClustering(k, linkage="single").fit_predict(points) for k in (2, 3, 5, 8)
    ]
    one, two = (
        ClusteringSearch(
            Given(),
            {"labels": [labels[order] for labels in labelings]},
            scoring=["pairs", "dcsi", "davies_bouldin"],
        ).fit(points[order])
        for order in (np.arange(80), rows)
    )
    assert two.best_index_ == one.best_index_
    for name in ("score", "dcsi", "davies_bouldin", "disco", "rank"):
        assert np.array_equal(one.results_[name], two.results_[name])


def test_truth_adds_a_column_and_does_not_decide() -> None:
    unsure = ClusteringSearch(DBSCAN(), EPS).fit(X)
    search = ClusteringSearch(DBSCAN(), EPS).fit(X, TRUTH)
    assert search.best_index_ == unsure.best_index_
    assert "adjusted_rand" not in unsure.results_
    labels = DBSCAN(eps=0.1).fit_predict(X)
    alone = np.where(labels < 0, 1000 + np.arange(len(X)), labels)
    assert search.results_["adjusted_rand"][1] == adjusted_rand_score(TRUTH, alone)
    misled = clone(search).fit(X, np.arange(len(X)))
    assert misled.best_index_ == unsure.best_index_


# --- what has no score --------------------------------------------------------------------------


def test_index_without_value_says_why_and_is_not_chosen() -> None:
    search = search_line(NOISE, GIANT, GOOD, scoring="silhouette", error_score=5.0)
    assert search.best_index_ == 2
    assert np.isnan(search.results_["score"][:1]).all()
    assert "Silhouette needs" in search.results_["error"][0]
    assert search.results_["error"][2] is None
    assert search.results_["rank"].tolist()[2] == 1
    message = "No candidate of ClusteringSearch has a value of davies_bouldin. Of the first it is"
    with pytest.raises(UndefinedScoreError, match=f"^{re.escape(message)} said: Davies-Bouldin"):
        search_line(NOISE, [0] * 7, scoring="davies_bouldin")


def test_function_that_raises_is_a_reason() -> None:
    def score(points: Any, labels: Any) -> float:
        if (labels < 0).all():
            message = "nothing but noise"
            raise ValueError(message)
        return float("nan") if labels.max() == 0 else 1.0

    search = search_line(NOISE, GIANT, GOOD, scoring=score)
    assert search.results_["error"].tolist() == [
        "score: ValueError: nothing but noise",
        "score returned NaN.",
        None,
    ]
    assert search.best_index_ == 2
    with pytest.raises(ValueError, match=r"^nothing but noise$"):
        search_line(NOISE, GOOD, scoring=score, error_score="raise")


@pytest.mark.parametrize("error_score", [np.nan, 7.0])
def test_failed_fit_is_told_once_and_never_chosen(error_score: float) -> None:
    with pytest.warns(FitFailedWarning) as told:
        search = search_line("bad luck", GOOD, "bad luck", [0, 0], error_score=error_score)
    assert len(told) == 1
    message = str(told[0].message)
    assert message.startswith("3 of 4 fits of ClusteringSearch failed; their score is")
    assert "2 x BadLuckError: bad luck" in message
    assert search.best_index_ == 1
    assert np.array_equal(search.results_["score"][[0, 2, 3]], [error_score] * 3, equal_nan=True)
    assert search.results_["error"][0] == "BadLuckError: bad luck"
    assert "must hold one label per point: 7 points, 2 labels" in search.results_["error"][3]
    assert np.isnan(search.results_["noise_share"][0])
    assert search.results_["rank"][1] == 1
    every = "All 2 fits of ClusteringSearch failed:\n2 x BadLuckError: bad luck"
    with pytest.raises(ValueError, match=f"^{re.escape(every)}$"):
        search_line("bad luck", "bad luck")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failures_are_raised_on_request(n_jobs: int) -> None:
    with (
        joblib.parallel_config(backend="threading"),
        pytest.raises(BadLuckError, match=r"^bad luck$"),
    ):
        search_line(GOOD, "bad luck", error_score="raise", n_jobs=n_jobs)
    with pytest.raises(InvalidInputError, match="the labels of a candidate of ClusteringSearch"):
        search_line([0, 0], error_score="raise", n_jobs=n_jobs)


# A thread of loky may stumble over the tasks that were cancelled; it is not ours.
# --- what is kept -------------------------------------------------------------------------------


def test_results_are_columns_of_a_data_frame() -> None:
    grid: list[dict[str, Any]] = [
        {"eps": [0.1, 0.2]},
        {"min_samples": [3], "metric": ["manhattan"], "p": [None]},
    ]
    search = ClusteringSearch(DBSCAN(), grid).fit(X, TRUTH)
    columns = [
        *("params", "param_eps", "param_metric", "param_min_samples", "param_p"),
        *("score", "rank", "disco", "n_clusters", "noise_share", "largest_share", "adjusted_rand"),
        *("fit_time", "score_time", "error"),
    ]
    assert list(search.results_) == columns
    frame = pd.DataFrame(search.results_)
    assert frame.shape == (3, len(columns))
    assert search.results_["param_eps"].mask.tolist() == [False, False, True]
    assert search.results_["param_eps"].dtype == float
    assert search.results_["param_metric"].tolist() == [None, None, "manhattan"]
    labels = DBSCAN(eps=0.1).fit_predict(X)
    sizes = np.bincount(labels[labels >= 0])
    row = frame.iloc[0]
    assert row["n_clusters"] == len(sizes)
    assert row["noise_share"] == np.mean(labels < 0)
    assert row["largest_share"] == sizes.max() / sizes.sum()
    assert row["disco"] == disco_cvi.disco_score(X, labels)
    assert (frame["fit_time"] > 0).all()
    assert search_line(GOOD, GIANT).results_["param_labels"].tolist() == [GOOD, GIANT]


def test_predict_if_the_best_can() -> None:
    grid = {"cluster": [KMeans(2, n_init=1, random_state=0), DBSCAN(eps=0.25)]}
    search = ClusteringSearch(Pipeline([("cluster", KMeans(n_init=1))]), grid)
    assert hasattr(search, "predict")
    search.fit(X)
    assert isinstance(search.best_estimator_[-1], DBSCAN)
    assert not hasattr(search, "predict")
    search.set_params(scoring="calinski_harabasz").fit(X)
    assert np.array_equal(search.predict(X), search.labels_)
    search.set_params(refit=False).fit(X)
    assert not hasattr(search, "best_estimator_")
    with pytest.raises(AttributeError, match="predict"):
        search.predict(X)


def test_progress_is_shown_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("disco_cvi._compute.progress._PATIENCE", -1.0)
    monkeypatch.setattr("disco_cvi._compute.progress.time.monotonic", iter(range(10**6)).__next__)
    ClusteringSearch(DBSCAN(), EPS).fit(X)
    assert not capsys.readouterr().err
    ClusteringSearch(DBSCAN(), EPS, verbose=1).fit(X)
    assert "trying settings" in capsys.readouterr().err


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"scoring": "silhuette"},
            "scoring of ClusteringSearch must be among those that available_indices() lists; got "
            "'silhuette'. Did you mean 'silhouette'?",
        ),
        (
            {"scoring": ["pairs", "pair"]},
            "scoring of ClusteringSearch must name one index or more, each once; got "
            "['pairs', 'pair'] (list).",
        ),
        (
            {"scoring": 3},
            "scoring of ClusteringSearch must be the name of an index, a function of points and "
            "labels, or a list of these; got 3 (int).",
        ),
        (
            {"refit": "dbcv"},
            "refit of ClusteringSearch must be True, False, or a name out of scoring (pair); got "
            "'dbcv' (str).",
        ),
        (
            {"error_score": "ignore"},
            "error_score of ClusteringSearch must be 'raise' or a number; got 'ignore' (str).",
        ),
        (
            {"min_points": 0},
            "min_points of ClusteringSearch must be an integer of at least 1; got 0.",
        ),
        ({"n_iter": 0}, "n_iter of ClusteringSearch must be an integer of at least 1; got 0."),
        ({"n_jobs": 0}, "n_jobs of ClusteringSearch must not be 0."),
        ({"metric": "euclid"}, "metric of ClusteringSearch must be"),
        (
            {"estimator": DBSCAN},
            "estimator of ClusteringSearch must be a clusterer: an object with fit_predict, or "
            "with fit and labels_; got the class DBSCAN. Pass DBSCAN().",
        ),
        ({"estimator": "dbscan"}, "estimator of ClusteringSearch must be a clusterer: an object"),
    ],
    ids=str,
)
def test_wrong_settings(options: dict[str, Any], message: str) -> None:
    search = ClusteringSearch(DBSCAN(), EPS)
    for name, value in options.items():
        setattr(search, name, value)
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(message)}"):
        search.fit(X)


@pytest.mark.filterwarnings("ignore:The total space")
@pytest.mark.parametrize("n_iter", [None, 2])
@pytest.mark.parametrize(
    ("grid", "kind"),
    [
        ({1: [1]}, InvalidTypeError),
        (None, InvalidTypeError),
        (["eps"], InvalidTypeError),
        ({"eps": 1.0}, InvalidTypeError),
        ([], InvalidInputError),
        ({"eps": []}, InvalidInputError),
        ({"eps": np.ones((2, 2))}, InvalidInputError),
        ({"nope": [1]}, InvalidInputError),
        ({"eps__a": [1]}, InvalidInputError),
    ],
)
def test_grids_that_cannot_be_used(grid: Any, kind: type[Exception], n_iter: int | None) -> None:
    with pytest.raises(kind, match=r"^param_grid of ClusteringSearch must hold "):
        ClusteringSearch(DBSCAN(metric=print), grid, n_iter=n_iter).fit(X)


def test_points_and_truth_that_cannot_be_used() -> None:
    def rank(points: Any, labels: Any) -> float:
        return 0.0

    with pytest.raises(InvalidInputError, match="y of ClusteringSearch must hold one label per"):
        ClusteringSearch(DBSCAN(), EPS).fit(X, TRUTH[1:])
    with pytest.raises(ValueError, match="must hold two points or more; got 1 sample"):
        ClusteringSearch(DBSCAN(), EPS).fit(X[:1])
    with pytest.raises(InvalidInputError, match="must not have the name of a column of results_"):
        search_line(GOOD, scoring=["pairs", rank])
    few = ClusteringSearch(KMeans(n_init=1), {"n_clusters": [1, 2]}).fit(X[:3])
    assert few.tree_.min_points == 3
    assert np.isfinite(few.best_score_)
    options: Any
    for options in ({"error_score": pd.NA}, {"metric": pd.NA}):
        with pytest.raises(ArgumentError, match="of ClusteringSearch must be"):
            ClusteringSearch(DBSCAN(), EPS, **options).fit(X)
