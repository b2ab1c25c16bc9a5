"""suggest: what is suggested, why, how sure, whether there is anything; for any order of rows."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score, pairwise_distances

import disco_cvi
from disco_cvi import DensityTree, InvalidInputError, disco_score, pair_score
from disco_cvi._input.labels import check_labels
from disco_cvi._output.words import from_to
from disco_cvi.datasets import three_rings
from disco_cvi.results.agreement import mutual_agreement, partition_key
from disco_cvi.selection import Suggestion, structureless, suggest
from disco_cvi.selection.proposals import _find_eps
from disco_cvi.selection.structureless import Structureless, draw_structureless
from helpers.reference_values import load

MOONS = make_moons(150, noise=0.05, random_state=0)[0]
FAR = make_blobs(90, centers=[[0, 0], [20, 0], [0, 20]], random_state=1)[0]
RNG = np.random.default_rng(5)
# Grids full of ties and copies.
TIED = np.concatenate([RNG.integers(0, 4, (40, 2)), RNG.integers(0, 4, (40, 2)) + 9]).astype(float)


def names(suggestion: Suggestion) -> list[str]:
    return [flag.name for flag in suggestion.warnings]


def key(labels: NDArray[Any]) -> bytes:
    return partition_key(check_labels(labels, len(labels), -1, "test"))


# --- what is suggested --------------------------------------------------------------------------


def test_aggregation(shared: Path) -> None:
    found = suggest(load(shared, "aggregation")[0])
    assert (found.algorithm, found.n_clusters, found.noise_share) == ("dbscan", 5, 0)
    assert found.score == pytest.approx(0.479, abs=1e-3)
    assert found.eps_range == pytest.approx((0.157, 0.438), abs=1e-3)
    assert found.second is not None
    assert found.second.algorithm == "hdbscan"
    assert found.agreement == 1
    assert found.null is not None
    assert found.null.verdict == "clearly more"
    assert found.warnings == ()


@pytest.mark.parametrize("points", [MOONS, FAR, TIED])
@pytest.mark.parametrize("algorithm", ["auto", "dbscan", "hdbscan"])
def test_labels_have_the_scores_that_are_told(points: NDArray[Any], algorithm: str) -> None:
    found = suggest(points, algorithm=algorithm, n_null=0)
    tree = found.tree
    for one in found.candidates:
        assert one.score == pytest.approx(pair_score(tree, one.labels), abs=1e-12)
        assert one.disco == pytest.approx(disco_score(tree, one.labels), abs=1e-12)
        assert one.n_clusters == one.labels.max() + 1
        assert one.noise_share == (one.labels < 0).mean()
        assert algorithm in ("auto", one.algorithm)
    scores = [one.score for one in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert len({key(one.labels) for one in found.candidates}) == len(scores)
    frame = found.to_frame()
    assert list(frame.columns)[:4] == ["algorithm", "eps", "min_cluster_size", "method"]
    assert frame["score"].tolist() == scores
    assert found.to_frame(backend="polars")["sentence"][0] == found.best.sentence
    if algorithm == "auto":  # nothing scores better along the paths
        best = tree.eps_path().best
        assert found.score >= pair_score(tree, tree.dbscan(best.eps)) - 1e-12
        for method in ("eom", "leaf"):
            assert found.score >= tree.size_path(method=method).best.score - 1e-12


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
@pytest.mark.parametrize("algorithm", ["dbscan", "hdbscan"])
def test_parameters_are_those_of_scikit_learn(metric: str, algorithm: str) -> None:
    points = pairwise_distances(FAR) if metric == "precomputed" else FAR
    found = suggest(points, algorithm=algorithm, metric=metric, n_null=0)
    labels = {"dbscan": DBSCAN, "hdbscan": HDBSCAN}[algorithm](**found.parameters).fit_predict(
        points.copy()
    )
    assert adjusted_rand_score(labels, found.labels) == 1


@pytest.mark.parametrize("algorithm", ["dbscan", "hdbscan"])
@pytest.mark.parametrize(
    "options", [{}, {"min_points": 3, "metric": "minkowski", "metric_params": {"p": 3}}]
)
def test_the_line_of_python_does_the_same(algorithm: str, options: dict[str, Any]) -> None:
    found = suggest(TIED, algorithm=algorithm, n_null=0, **options)
    known: dict[str, Any] = {"disco_cvi": disco_cvi, "X": TIED}
    exec(found.python, known)
    assert np.array_equal(known["labels"], found.labels)
    assert str(found).endswith(found.python.splitlines()[-1])


@pytest.mark.parametrize("points", [MOONS, np.random.default_rng(1).normal(size=(2000, 3))])
def test_eps_has_few_digits_and_the_labels_of_the_middle(points: NDArray[Any]) -> None:
    tree = DensityTree(points)
    best = tree.eps_path().best
    eps, labels = _find_eps(tree, best, None)
    assert best.low < eps < best.high
    assert len(repr(eps)) < len(repr(best.eps))
    assert np.array_equal(labels, tree.dbscan(best.eps))
    assert np.array_equal(labels, tree.dbscan(eps))


def test_equal_labels_are_one_candidate_and_rounding_is_no_difference() -> None:
    """The path of sizes adds in another order than the score of labels."""
    found = suggest([[x + place] for place in (0, 100, 200) for x in range(20)], n_null=0)
    assert found.second is not None
    assert found.second.call in found.candidates[0].equals
    assert found.second.score != found.score
    assert found.second.score == pytest.approx(found.score)
    assert found.algorithm == "dbscan"


def test_coarser_and_finer_levels_are_told() -> None:
    """Two groups of two: by P the coarser level if the finer one hardly stands apart."""
    for gap, n_clusters, algorithm in ((3, 2, "dbscan"), (5, 4, "dbscan"), (5, 4, "auto")):
        centers = [[0, 0], [gap, 0], [40, 0], [40 + gap, 0]]
        points = make_blobs([60] * 4, centers=centers, cluster_std=0.6, random_state=0)[0]
        found = suggest(points, algorithm=algorithm, n_null=0)
        counts = [one.n_clusters for one in found.candidates]
        assert counts[0] == n_clusters
        assert n_clusters == 4 or any(count > n_clusters for count in counts)
        assert n_clusters == 2 or any(count < n_clusters for count in counts)
        low, high = found.eps_range
        for one in found.candidates[1:]:
            if one.algorithm == "dbscan":
                is_coarser = one.n_clusters < n_clusters
                assert (one.parameters["eps"] >= high) == is_coarser
                assert (one.parameters["eps"] < low) != is_coarser
                assert one.score >= 0.4 * found.score


def test_a_tree_stands_for_its_points(tmp_path: Path) -> None:
    tree = DensityTree(MOONS, min_points=4)
    found, other = suggest(tree), suggest(MOONS, min_points=4)
    assert np.array_equal(found.labels, other.labels)
    assert found.tree is tree
    assert found.null is None
    assert "needs the points, not their tree" in " ".join(str(found).split())
    tree.save(tmp_path / "tree.npz")
    loaded = suggest(DensityTree.load(tmp_path / "tree.npz"), algorithm="dbscan")
    eps = loaded.parameters["eps"]
    assert np.array_equal(loaded.labels, tree.dbscan(eps, border="noise"))
    with pytest.raises(InvalidInputError, match="min_points of suggest must be left out"):
        suggest(tree, min_points=7)


# --- order, threads, seeds ----------------------------------------------------------------------


@pytest.mark.parametrize("points", [MOONS, TIED, np.round(MOONS, 1)])
def test_any_order_of_the_rows_and_any_threads(points: NDArray[Any]) -> None:
    found = suggest(points, n_null=2)
    facts = found.to_dict(labels=False)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(points))
        shuffled = suggest(points[order], n_null=2, n_jobs=1 + seed % 2)
        assert shuffled.to_dict(labels=False) == facts
        assert key(shuffled.labels) == key(found.labels[order])
    assert suggest(points, n_null=2, random_state=1).null != found.null


# --- whether there is anything ------------------------------------------------------------------


@pytest.mark.parametrize("draw", ["normal", "uniform"])
@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("seed", [0, 1])
def test_structureless_data_are_told(draw: str, dimension: int, seed: int) -> None:
    points = getattr(np.random.default_rng(100 + seed), draw)(size=(300, dimension))
    found = suggest(points * np.arange(1, dimension + 1))
    assert found.null is not None
    assert found.null.verdict == "no more"
    assert "structureless" in names(found)
    text = " ".join(str(found).split())
    assert "none" in text.partition(":")[0]
    assert "try k-means, Ward or a Gaussian mixture, and choose by the silhouette" in text


def test_clear_groups_are_more() -> None:
    for points in (MOONS, FAR):
        null = suggest(points).null
        assert null is not None
        assert null.verdict == "clearly more"
        assert null.found == DensityTree(points).eps_path().best.score
        assert len(null.gaussian) == len(null.uniform) == 9
        assert null.reach == max(*null.gaussian, *null.uniform)
    for found, verdict in ((0.1, "no more"), (0.14, "more"), (0.16, "clearly more")):
        assert Structureless(found, (0.05,), (0.1,), 10, 0).verdict == verdict
    assert Structureless(0.0, (0.0,), (0.0,), 10, 0).verdict == "no more"


def test_samples_have_the_shape_of_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def remember(sample: NDArray[Any], **options: Any) -> DensityTree:
        drawn.append(sample)
        return DensityTree(sample, **options)

    monkeypatch.setattr(structureless, "DensityTree", remember)
    angle = np.array([[0.6, 0.8], [-0.8, 0.6]])
    points = np.random.default_rng(0).normal(size=(4000, 2)) * [10, 1] @ angle + 1e6
    flat = np.c_[points, np.full(4000, 3.0)]  # a constant column is no axis
    monkeypatch.setattr(structureless, "MOST_POINTS", 1000)
    draw_structureless(flat, DensityTree(points), 1, 0, 1)
    for sample in drawn:
        assert sample.shape == (1000, 2)
    normal, uniform = drawn
    assert normal[:, 0].std() / normal[:, 1].std() == pytest.approx(10, rel=0.1)
    assert np.ptp(uniform[:, 0]) / np.ptp(uniform[:, 1]) == pytest.approx(10, rel=0.2)
    assert abs(normal.std(axis=0).max() / np.ptp(uniform[:, 0])) < 0.2


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"n_null": 0}, "n_null is 0"),
        ({"metric": "manhattan"}, "Euclidean distances only"),
    ],
)
def test_why_it_was_not_asked(options: dict[str, Any], reason: str) -> None:
    found = suggest(FAR, **options)
    assert found.null is None
    assert reason in found.null_left_out
    assert found.null_left_out in " ".join(str(found).split())
    assert found.to_dict()["null"] is None


# --- what there may be --------------------------------------------------------------------------

ODD: dict[str, tuple[NDArray[Any], dict[str, Any]]] = {
    "one point": (np.zeros((1, 2)), {"min_points": 1}),
    "two points": (np.array([[0.0], [1.0]]), {"min_points": 2}),
    "all the same": (np.ones((30, 2)), {}),
    "as many as min_points": (RNG.normal(size=(5, 2)), {}),
    "a constant column": (np.c_[MOONS, np.full(150, 1e8)], {}),
    "more columns than rows": (RNG.normal(size=(20, 300)), {}),
    "huge": (MOONS * 1e300, {}),
    "beyond": (np.array([[-1.7e308], [1.7e308]] * 10), {}),
    "tiny": (MOONS * 1e-310, {}),
    "a grid": (np.argwhere(np.ones((6, 6))).astype(float), {}),
    "only HDBSCAN, which finds nothing": (np.ones((30, 2)), {"algorithm": "hdbscan"}),
    "a function": (FAR[:30], {"metric": lambda a, b: float(np.abs(a - b).sum())}),
    "many parameters": (FAR, {"metric": "seuclidean", "metric_params": {"V": np.array([1.0, 2])}}),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_points(name: str) -> None:
    points, options = ODD[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = suggest(points, **options)
    facts = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert facts["labels"] == found.labels.tolist()
    assert math.isfinite(found.score)
    assert 0 <= found.noise_share <= 1
    assert max(map(len, str(found).splitlines())) <= 88
    assert "<lambda>" not in found._repr_html_()


@pytest.mark.parametrize("name", ["one point", "all the same", "as many as min_points", "a grid"])
def test_nothing_to_find(name: str) -> None:
    points, options = ODD[name]
    found = suggest(points, **options)
    assert found.score == 0
    assert found.second is None
    assert str(found).startswith("Take none: no setting tells points apart")
    assert "In Python" not in str(found)
    assert found.parameters["eps"] > 0  # as scikit-learn has it
    assert found.n_clusters == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_points": 200}, "min_points of suggest must be an integer from 1 to the number of"),
        ({"algorithm": "kmeans"}, "algorithm of suggest must be one of 'auto', 'dbscan', 'hdb"),
        ({"n_null": -1}, "n_null of suggest must be an integer from 0 to 1000000"),
        ({"random_state": -1}, "random_state of suggest must be an integer of at least 0"),
        ({"metric": "euclidian"}, "metric of suggest"),
    ],
)
def test_messages(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        suggest(MOONS, **options)


# --- how it is told -----------------------------------------------------------------------------


def test_warnings_in_words() -> None:
    lonely = np.concatenate([RNG.normal(size=(300, 2)), RNG.normal(size=(8, 2)) / 9 + 40])
    found = suggest(lonely, n_null=0)
    assert names(found) == ["weak", "giant cluster", "few pairs"]
    most = found.warnings[-1].share
    assert found.warnings[0].text.endswith(f"it is {most:.3f} at most, however far apart.")
    assert "Look at the small clusters" in str(found)
    assert str(found).startswith("With care, take ")
    for flag in found.warnings:
        assert flag.text in " ".join(str(found).split())


@pytest.mark.parametrize(
    ("algorithm", "other"),
    [("dbscan", "an eps not 1% away"), ("hdbscan", "any other min_cluster_size")],
)
def test_fragile(algorithm: str, other: str) -> None:
    seed = {"dbscan": 1, "hdbscan": 0}[algorithm]
    points = np.random.default_rng(seed).normal(size=(2000, 3))
    found = suggest(points, algorithm=algorithm, n_null=0)
    low, high = found.eps_range if algorithm == "dbscan" else found.size_range
    assert (high - low) / high < 0.01
    assert "fragile" in names(found)
    assert f"Fragile: {other} gives other clusters" in " ".join(str(found).split())


def test_both_ends_of_a_range_lie_in_it() -> None:
    rng = np.random.default_rng(3)
    for low, width in 10 ** rng.uniform([-8, -9], [8, 3], (200, 2)):
        high = low * (1 + width)
        first, last = (float(word) for word in from_to(low, high).split()[1::2])
        assert low <= first < last < high
    assert from_to(1.0, np.nextafter(1.0, 2.0)) == "from 1 to 1.0000000000000002"
    assert from_to(0.123449, 0.123461) == "from 0.12345 to 0.12346"
    assert from_to(0.125, 5.0) == "from 0.125 to 4.999"
    assert from_to(0.125, None) == "from 0.125 on"


def test_text_and_dict(monkeypatch: pytest.MonkeyPatch) -> None:
    found = suggest(FAR)
    text, facts = str(found), found.to_dict(labels=False)
    lines = text.splitlines()
    assert lines[0].startswith("Take DBSCAN(eps=")
    assert "3 clusters, no noise" in lines[0]
    parts = ["Why:", "How sure:", "What next:", "In Python:"]
    assert [line for line in lines if line in parts] == parts
    assert "finds the same clusters" in text
    assert "Data without clusters, of this size and shape, reach" in text
    assert "labels" not in facts
    assert facts["candidates"][0]["call"] == facts["call"]
    assert facts["null"]["verdict"] == "clearly more"
    assert suggest(np.ones((9, 1))).to_dict()["eps_range"] == [0.0, None]
    monkeypatch.setattr(structureless, "MOST_POINTS", 50)
    assert "of this shape (50 points)" in " ".join(str(suggest(MOONS)).split())


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ([0, 0, 1], [5, 5, 2], True),
        (["b", "b", "a"], [0, 0, 1], True),
        ([0, -1, 1], [1, -1, 0], True),
        ([0, -1, 1], [1, 2, 0], False),
        ([-1, -1], [0, 0], False),
        ([0, 1, 1], [0, 0, 1], False),
    ],
)
def test_partitions_are_told_apart(one: list[Any], other: list[Any], are_same: bool) -> None:
    assert (key(np.array(one)) == key(np.array(other))) == are_same


@pytest.mark.small
def test_agreement_is_the_adjusted_rand_index() -> None:
    rng = np.random.default_rng(0)
    for size in (1, 2, 7, 60):
        for most in (1, 3, 40):
            one, other = rng.integers(-1, most, (2, size))
            checked = [check_labels(labels, size, -1, "test") for labels in (one, other)]
            alone = [np.where(labels < 0, 100 + np.arange(size), labels) for labels in (one, other)]
            found = mutual_agreement(*checked)
            assert found == pytest.approx(adjusted_rand_score(*alone), abs=1e-12)


@pytest.mark.parametrize("algorithm", ["dbscan", "hdbscan"])
def test_plot(algorithm: str) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for points in (FAR, np.ones((9, 2))):
        axes = suggest(points, algorithm=algorithm, n_null=1).plot()
        axes.figure.canvas.draw()
        pyplot.close(axes.figure)
    figure, ax = pyplot.subplots()
    assert suggest(FAR, algorithm=algorithm, n_null=0).plot(ax=ax) is ax
    pyplot.close(figure)


def test_the_number_of_clusters_of_most_of_the_range_is_told() -> None:
    """The rings have a fourth, tiny cluster right before it is joined to another one."""
    found = suggest(three_rings().points, n_null=0)
    assert (found.n_clusters, found.steady_clusters) == (4, 3)
    assert "For most of it there are 3 clusters, not 4." in " ".join(str(found).split())
    assert found.to_dict()["steady_clusters"] == 3
    by_size = suggest(three_rings().points, algorithm="hdbscan", n_null=0)
    assert by_size.steady_clusters == by_size.n_clusters == 3
    assert "For most of it" not in str(by_size)


def test_opinions_that_differ_are_a_warning() -> None:
    """Two dense groups in much noise, where the two algorithms find different things."""
    random = np.random.default_rng(10)
    noise = random.uniform(-10, 10, (300, 2))
    groups = [random.normal(place, 0.3, (60, 2)) for place in (-5, 5)]
    found = suggest(np.vstack([noise, *groups]), n_null=0)
    assert found.agreement is not None
    assert found.agreement < 0.5
    flag = next(flag for flag in found.warnings if flag.name == "disputed")
    assert flag.share == found.agreement
    assert "Disputed: the second opinion finds other clusters." in str(found)
    agreed = suggest(MOONS, n_null=0)
    assert agreed.agreement is not None
    assert "disputed" not in [flag.name for flag in agreed.warnings]
