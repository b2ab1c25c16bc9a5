"""DensityDBSCAN and DensityHDBSCAN: what they find, what they keep, what they refuse."""

from __future__ import annotations

import pickle
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from disco_cvi import DensityTree, pair_score
from disco_cvi.cluster import DensityDBSCAN, DensityHDBSCAN
from disco_cvi.exceptions import ArgumentError
from helpers.messages import says

X, TRUTH = make_moons(200, noise=0.05, random_state=0)
BOTH = [DensityDBSCAN(), DensityHDBSCAN()]
SETS = {
    "moons": X,
    "circles": make_circles(150, factor=0.4, noise=0.05, random_state=1)[0],
    "blobs": make_blobs(180, n_features=3, random_state=2)[0],
    # Full of ties and copies.
    "grid": np.random.default_rng(3).integers(0, 12, (120, 2)).astype(float),
}


def short(value: object) -> str:
    return type(value).__name__


def test_eps_is_that_of_the_best_row_of_the_path() -> None:
    found = DensityDBSCAN().fit(X)
    tree = DensityTree(X)
    best = tree.eps_path().best
    assert found.path_ is not None
    assert found.eps_ == found.path_.best.eps == best.eps
    assert np.array_equal(found.labels_, tree.dbscan(best.eps))
    assert found.score_ == pair_score(tree, found.labels_)
    assert found.n_clusters_ == 2
    assert adjusted_rand_score(TRUTH, found.labels_) == 1
    assert found.n_features_in_ == 2


@pytest.mark.parametrize("method", ["auto", "eom", "leaf"])
def test_size_is_that_of_the_best_row_of_the_path(method: str) -> None:
    found = DensityHDBSCAN(method=method).fit(X)
    tree = DensityTree(X)
    paths = {name: tree.size_path(method=name) for name in ("eom", "leaf")}
    expected = max(paths, key=lambda name: paths[name].best.score) if method == "auto" else method
    best = paths[expected].best
    assert found.path_ is not None
    assert found.method_ == found.path_.method == expected
    assert found.min_cluster_size_ == found.path_.best.min_cluster_size == best.min_cluster_size
    labels = tree.hdbscan(best.min_cluster_size, method=expected)
    assert np.array_equal(found.labels_, labels)
    assert found.score_ == pair_score(tree, labels) == pytest.approx(best.score, rel=1e-12)
    assert found.n_clusters_ == labels.max() + 1


def test_method_is_chosen_at_a_given_size() -> None:
    tree = DensityTree(SETS["blobs"])
    scores = {
        name: pair_score(tree, tree.hdbscan(4, method=name, epsilon=0.3))
        for name in ("eom", "leaf")
    }
    assert scores["eom"] != scores["leaf"]
    found = DensityHDBSCAN(4, epsilon=0.3).fit(SETS["blobs"])
    assert found.score_ == scores[found.method_] == max(scores.values())
    assert found.min_cluster_size_ == 4
    assert found.path_ is None


@pytest.mark.parametrize(
    "options",
    [{"method": "leaf", "epsilon": 0.4}, {"method": "eom", "allow_single_cluster": True}],
    ids=str,
)
def test_further_options_of_hdbscan_with_a_given_size(options: dict[str, Any]) -> None:
    points = np.random.default_rng(0).normal(size=(150, 2))
    tree = DensityTree(points)
    found = DensityHDBSCAN(3, **options).fit_predict(points)
    assert np.array_equal(found, tree.hdbscan(3, **options))
    assert not np.array_equal(found, tree.hdbscan(3, method=options["method"]))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("min_points", [1, 3, 5])
def test_first_is_scikit_learns_dbscan(name: str, min_points: int) -> None:
    points = SETS[name]
    heights = np.unique(DensityTree(points, min_points=min_points).heights)
    middles = (heights[1:] + heights[:-1]) / 2
    for eps in middles[:: max(1, len(middles) // 6)]:
        found = DensityDBSCAN(eps, min_points=min_points, border="first").fit(points)
        expected = DBSCAN(eps=eps, min_samples=min_points).fit(points)
        assert np.array_equal(found.labels_, expected.labels_)
        assert np.array_equal(found.core_sample_indices_, expected.core_sample_indices_)
        assert np.array_equal(found.components_, expected.components_)
        assert found.eps_ == eps
        assert found.path_ is None


@pytest.mark.parametrize("clusterer", BOTH, ids=short)
@pytest.mark.parametrize("name", SETS)
def test_order_of_rows_and_threads(name: str, clusterer: Any) -> None:
    points = SETS[name]
    found = clone(clusterer).fit(points)
    order = np.random.default_rng(0).permutation(len(points))
    with joblib.parallel_config(n_jobs=2):
        shuffled = clone(clusterer).fit(points[order])
    assert shuffled.score_ == found.score_
    assert adjusted_rand_score(found.labels_[order], shuffled.labels_) == 1
    assert np.array_equal(found.labels_[order] < 0, shuffled.labels_ < 0)


@pytest.mark.parametrize("clusterer", BOTH, ids=short)
def test_other_metrics_and_a_second_fit(clusterer: Any) -> None:
    expected = clone(clusterer).fit(X)
    found = clone(clusterer).set_params(metric="precomputed")
    assert get_tags(found).input_tags.pairwise
    assert not get_tags(clusterer).input_tags.pairwise
    labels = found.fit_predict(pairwise_distances(X))
    assert adjusted_rand_score(labels, expected.labels_) == 1
    with pytest.raises(ValueError, match=r"X of Density.* must be square"):
        found.fit(X)
    found.set_params(metric="minkowski", metric_params={"p": 1}).fit(X[:50])
    assert found.tree_.metric_params == {"p": 1}
    assert len(found.labels_) == found.tree_.n_points == 50
    by_name = clone(clusterer).set_params(metric="manhattan").fit(X[:50])
    assert np.array_equal(found.labels_, by_name.labels_)


@pytest.mark.parametrize("clusterer", BOTH, ids=short)
def test_in_pipelines_and_files(clusterer: Any) -> None:
    pipeline = make_pipeline(StandardScaler(), clone(clusterer))
    assert adjusted_rand_score(TRUTH, pipeline.fit_predict(X)) == 1
    again = pickle.loads(pickle.dumps(pipeline))
    assert np.array_equal(again[-1].labels_, pipeline[-1].labels_)
    assert again[-1].path_.best == pipeline[-1].path_.best


def test_where_nothing_is_told_apart() -> None:
    same = np.zeros((8, 2))
    one = DensityDBSCAN().fit(same)
    assert (one.labels_.tolist(), one.n_clusters_, one.score_) == ([0] * 8, 1, 0)
    none = DensityHDBSCAN().fit(same)
    assert (none.labels_.tolist(), none.n_clusters_, none.score_) == ([-1] * 8, 0, 0)
    all_noise = DensityDBSCAN(0.0).fit(X)
    assert (all_noise.n_clusters_, all_noise.score_) == (0, 0)
    assert all_noise.components_.shape == (0, 2)


@pytest.mark.parametrize(
    ("clusterer", "points", "message"),
    [
        (
            DensityDBSCAN(-1.0),
            X,
            "eps of DensityDBSCAN must be 'auto' or a finite number of at least 0; got -1.0.",
        ),
        (
            DensityDBSCAN("best"),
            X,
            "eps of DensityDBSCAN must be 'auto' or a finite number of at least 0; "
            "got 'best' (str).",
        ),
        (
            DensityDBSCAN(border="last"),
            X,
            "border of DensityDBSCAN must be one of 'nearest', 'first', 'noise'; got 'last'. "
            "Did you mean 'nearest'?",
        ),
        (
            DensityDBSCAN(min_points=201),
            X,
            "min_points of DensityDBSCAN must be an integer from 1 to the number of points (200); "
            "got 201. Lower it or give more points.",
        ),
        (
            DensityHDBSCAN(1),
            X,
            "min_cluster_size of DensityHDBSCAN must be 'auto' or an integer of at least 2; got 1.",
        ),
        (
            DensityHDBSCAN(method="leave"),
            X,
            "method of DensityHDBSCAN must be 'auto' or one of 'eom', 'leaf'; got 'leave'. "
            "Did you mean 'leaf'?",
        ),
        (
            DensityHDBSCAN(epsilon=0.5),
            X,
            "epsilon of DensityHDBSCAN must be 0.0 where min_cluster_size is 'auto'; got 0.5. "
            "Give a min_cluster_size.",
        ),
        (
            DensityHDBSCAN(allow_single_cluster=True),
            X,
            "allow_single_cluster of DensityHDBSCAN must be False where min_cluster_size is "
            "'auto'; got True. Give a min_cluster_size.",
        ),
        (
            DensityDBSCAN(),
            DensityTree(X),
            "X of DensityDBSCAN must be points; got a DensityTree. "
            "The tree itself has dbscan, hdbscan, eps_path and size_path.",
        ),
    ],
)
def test_what_cannot_be_used(clusterer: Any, points: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=says(message)):
        clusterer.fit(points)
