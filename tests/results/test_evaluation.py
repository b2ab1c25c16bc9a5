"""evaluate and compare: shared work, reasons instead of NaN, ranks, tables and JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

import disco_cvi
from disco_cvi import InvalidInputError, available_indices, compare, evaluate
from disco_cvi.exceptions import ArgumentError
from disco_cvi.results.comparison import Comparison
from disco_cvi.results.evaluation import Evaluation, IndexValue

X = np.array(
    [[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.4], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20.0]]
)
GOOD = [0, 0, 0, 0, 0, 1, 1, 1, 1, -1]
MIXED = [0, 1, 0, 1, 0, 1, 0, 1, 0, -1]
NAMES = [info.name for info in available_indices()]


def test_evaluate_gives_what_the_functions_give() -> None:
    evaluation = evaluate(X, GOOD)
    assert list(evaluation.scores) == NAMES
    for info in available_indices():
        try:
            expected = info.function(X, GOOD)
        except disco_cvi.UndefinedScoreError:
            assert evaluation[info.name] is None
        else:
            assert evaluation[info.name] == expected


def test_undefined_is_a_reason_not_nan() -> None:
    evaluation = evaluate(X, [0] * 10)
    assert evaluation["disco"] == 0
    assert evaluation["silhouette"] is None
    (silhouette,) = (value for value in evaluation.values if value.index == "silhouette")
    assert silhouette.reason is not None
    assert silhouette.reason in str(evaluation)


def test_infinity_is_null_with_a_reason_in_json() -> None:
    value = IndexValue("cvdd", math.inf, None, 0.1).to_dict()
    assert value["value"] is None
    assert "inf" in value["reason"]
    evaluation = Evaluation((IndexValue("cvdd", math.inf, None, 0.1),), 10, 2, 0)
    assert json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))["n_points"] == 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"indices": "unheard"}, "indices of evaluate.*unheard"),
        ({"indices": []}, "indices of evaluate"),
        ({"indices": ["disco", "disco"]}, "different names"),
        ({"indices": "dico"}, "Did you mean 'disco'"),
        ({"indices": 5}, "indices of evaluate"),
    ],
)
def test_evaluate_refuses(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        evaluate(X, GOOD, **arguments)


def test_compare_ranks_by_direction() -> None:
    comparison = compare(X, {"good": GOOD, "mixed": MIXED, "again": GOOD}, ["disco", "s_dbw"])
    assert comparison.best == {"disco": ("good", "again"), "s_dbw": ("good", "again")}
    assert comparison.ranks["mixed"] == {"disco": 3, "s_dbw": 3}
    assert comparison.ranks["again"]["disco"] == 1


def test_infinity_is_ranked_by_direction() -> None:
    def evaluation(value: float | None) -> Evaluation:
        values = (IndexValue("cvdd", value, None, 0.0), IndexValue("s_dbw", value, None, 0.0))
        return Evaluation(values, 10, 2, 0)

    comparison = Comparison(
        {"inf": evaluation(math.inf), "one": evaluation(1), "no": evaluation(None)}, None
    )
    assert comparison.ranks["inf"] == {"cvdd": 1, "s_dbw": 2}
    assert comparison.ranks["no"] == {"cvdd": None, "s_dbw": None}


def test_truth_keeps_noise_as_one_class_and_found_noise_as_singletons() -> None:
    truth = [0, 0, 0, 0, -1, 1, 1, 1, 1, -1]
    found = [0, 0, 0, -1, -1, 1, 1, 1, 1, -1]
    comparison = compare(X, {"found": found}, ["disco"], truth=truth)
    alone = [0, 0, 0, 2, 3, 1, 1, 1, 1, 4]
    assert comparison.truth == {
        "found": {
            "ari": adjusted_rand_score(truth, alone),
            "ami": adjusted_mutual_info_score(truth, alone),
        }
    }
    assert "ARI" in str(comparison)


def test_only_an_undefined_score_becomes_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(clustering: object) -> float:
        raise RuntimeError("it broke")

    monkeypatch.setattr("disco_cvi.indices.silhouette.evaluate_silhouette", fail)
    with pytest.raises(RuntimeError, match="it broke"):
        compare(X, {"good": GOOD}, ["silhouette", "disco"])


# --- shared work ----------------------------------------------------------------------------------

POINTS = np.random.default_rng(5).normal(size=(60, 2))
Built = list[tuple[object, ...]]


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Built:
    """What is built of all 60 points, and with which parameter."""
    calls: Built = []

    def count(place: str, name: str, size: Callable[[Any], int]) -> None:
        module = import_module(f"disco_cvi.{place}")
        original = getattr(module, name)

        def counting(points: Any, *parameter: Any) -> Any:
            if size(points) == len(POINTS):
                # How many threads build a k-d tree changes nothing in it.
                calls.append((name, *parameter[: name != "build_kd_tree"]))
            return original(points, *parameter)

        monkeypatch.setattr(module, name, counting)

    for place in ("_neighbors.kd_tree", "_spanning_tree.mutual_reachability", "indices.viasckde"):
        count(place, "build_kd_tree", len)
    count("density_tree.tree", "_build", lambda points: points.n_points)
    count("_neighbors.nearest_points", "search_nearest", lambda points: points.n_points)
    return calls


ONCE = [("_build", 1), ("_build", 5), ("build_kd_tree",), ("search_nearest", 16)]


def make_labelings(n_labelings: int) -> dict[str, NDArray[np.int64]]:
    """Labelings of all points by three clusters and no noise."""
    random = np.random.default_rng(6)
    return {f"{turn}": random.integers(0, 3, len(POINTS)) for turn in range(n_labelings)}


def test_evaluate_builds_everything_once(built: Built) -> None:
    evaluation = evaluate(POINTS, make_labelings(1)["0"])
    assert None not in evaluation.scores.values()
    assert sorted(built, key=str) == ONCE


@pytest.mark.parametrize("n_labelings", [1, 3, 9])
def test_compare_builds_everything_once_for_all_labelings(built: Built, n_labelings: int) -> None:
    compare(POINTS, make_labelings(n_labelings))
    assert sorted(built, key=str) == ONCE


def test_labelings_with_the_same_noise_share_what_is_built_without_it(built: Built) -> None:
    noisy = np.concatenate([POINTS, [[9.0, 9.0]]])
    labelings = {name: np.append(codes, -1) for name, codes in make_labelings(3).items()}
    compare(noisy, labelings, ["cvdd", "viasckde"])
    assert sorted(built, key=str) == [("build_kd_tree",), ("search_nearest", 7)]


# --- trees, metrics, parameters -------------------------------------------------------------------


def test_a_tree_gives_what_it_can() -> None:
    tree = disco_cvi.DensityTree(X, min_points=3)
    evaluation = evaluate(tree, GOOD)
    assert evaluation.scores["disco"] == disco_cvi.disco_score(X, GOOD, min_points=3)
    reasons = {value.index: value.reason for value in evaluation.values}
    assert [name for name, reason in reasons.items() if reason is None] == ["disco", "pair"]
    assert reasons["lccv"] == "LCCV needs the points; their density tree is not enough."
    assert reasons["mmj_sc"] == (
        "MMJ-SC needs the points, or their density tree with min_points=1; this tree has "
        "min_points=3."
    )
    comparison = compare(disco_cvi.DensityTree(X, min_points=1), {"good": GOOD, "one": [0] * 10})
    assert comparison.scores["good"]["mmj_sc"] == disco_cvi.mmj_sc_score(X, GOOD)
    assert comparison.scores["good"]["disco"] == disco_cvi.disco_score(X, GOOD, min_points=1)


def test_a_tree_of_something_else_is_refused() -> None:
    tree = disco_cvi.DensityTree(X, min_points=3, metric="cityblock")
    expected = disco_cvi.disco_score(X, GOOD, min_points=3, metric="cityblock")
    assert evaluate(tree, GOOD).scores["disco"] == expected
    with pytest.raises(InvalidInputError, match="min_points of evaluate must be left out or be"):
        evaluate(tree, GOOD, min_points=4)
    with pytest.raises(InvalidInputError, match="metric of compare must be left out or be"):
        compare(tree, {"good": GOOD}, metric="cosine")
    with pytest.raises(InvalidInputError, match="min_points of evaluate must be left out"):
        evaluate(tree, GOOD, "all", parameters={"disco": {"min_points": 4}})


@pytest.mark.parametrize("metric", ["cityblock", "cosine", "sqeuclidean", "precomputed"])
def test_a_metric_reaches_every_index_that_takes_one(metric: str) -> None:
    points = X + 1.0
    data = cdist(points, points) if metric == "precomputed" else points
    evaluation = evaluate(data, GOOD, metric=metric)
    for info, value in zip(available_indices(), evaluation.values, strict=True):
        if info.metric == "any":
            assert value.value == _single(info.function, data, metric), info.name
        else:
            expected = f"{info.title} is defined by Euclidean distances; the metric is {metric!r}."
            assert (value.value, value.reason) == (None, expected)


def _single(function: Callable[..., float], data: Any, metric: str) -> float | None:
    """The value of the function alone; DBCV of distances alone asks for the number of features."""
    try:
        return function(data, GOOD, metric=metric)
    except (disco_cvi.UndefinedScoreError, InvalidInputError):
        return None


def test_other_names_of_the_euclidean_metric_are_no_obstacle() -> None:
    assert None not in evaluate(X, GOOD, metric="l2").scores.values()


def test_min_points_reaches_every_index_that_has_it() -> None:
    evaluation = evaluate(X, GOOD, ["disco", "dcsi", "silhouette"], min_points=2)
    assert evaluation.scores == {
        "disco": disco_cvi.disco_score(X, GOOD, min_points=2),
        "dcsi": disco_cvi.dcsi_score(X, GOOD, min_points=2),
        "silhouette": disco_cvi.silhouette_score(X, GOOD),
    }
    own = evaluate(X, GOOD, ["disco"], min_points=2, parameters={"disco": {"min_points": 3}})
    assert own.scores["disco"] == disco_cvi.disco_score(X, GOOD, min_points=3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"mmj_sc": {"noise": "fliter"}},
            "noise of mmj_sc in evaluate must be one of 'cluster', 'filter', 'singletons'; "
            "got 'fliter'",
        ),
        ({"disco": {"min_point": 4}}, "disco in evaluate has no option 'min_point'; its options"),
        ({"cvnn": {"n_neighbors": 0}}, "n_neighbors of cvnn in evaluate must be"),
        ({"disco": {"n_jobs": 2}}, "disco in evaluate has no option 'n_jobs'; its options: min_p"),
        ({"disko": {}}, "must be among those that indices lists; got 'disko'. Did you mean 'disco"),
        ({"pairs": {"min_points": 3}, "pair": {}}, "must name each index once; got pair twice."),
        ({"disco": 5}, "parameters['disco'] of evaluate must be a dict of options; got 5"),
        ([], "parameters of evaluate must be a dict of dicts by the names of the chosen indices"),
    ],
)
def test_parameters_are_checked_before_anything_is_computed(
    parameters: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> float:
        pytest.fail("something is computed")

    for info in available_indices():
        monkeypatch.setattr(f"disco_cvi.indices.{info.name}.evaluate_{info.name}", refuse)
    with pytest.raises(ArgumentError, match=re.escape(message)):
        evaluate(X, GOOD, parameters=parameters)


@pytest.mark.parametrize("name", [10**5000, "x" * 10_000, 5], ids=["too long", "long", "int"])
def test_names_that_cannot_be_shown_are_refused_in_few_words(name: Any) -> None:
    given: tuple[Any, ...] = ({name: {}}, {"disco": {name: 1}})
    for parameters in given:
        with pytest.raises(ArgumentError, match=r"^.{20,250}$"):
            evaluate(X, GOOD, ["disco"], parameters=parameters)


@pytest.mark.parametrize(
    ("labelings", "message"),
    [
        ({}, "must be a dict of one labeling or more by name"),
        ([GOOD], "must be a dict of one labeling or more by name"),
        (pl.DataFrame({"a": GOOD}).lazy(), "must be a dict of one labeling or more by name"),
        ({1: GOOD, "1": GOOD}, "must have names that differ as text"),
    ],
    ids=["none", "list", "lazy", "equal"],
)
def test_compare_refuses_labelings(labelings: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^labelings of compare {message}"):
        compare(X, labelings)


def test_too_few_points_are_a_reason() -> None:
    evaluation = evaluate(X[:4], [0, 0, 1, 1], ["disco", "silhouette"])
    assert evaluation.scores["silhouette"] == disco_cvi.silhouette_score(X[:4], [0, 0, 1, 1])
    words = "min_points={0} needs {0} points or more; there are {1}. Lower it or give more points."
    assert evaluation.values[0].reason == words.format(5, 4)
    own = evaluate(X, GOOD, ["disco"], parameters={"disco": {"min_points": 11}})
    assert own.values[0].reason == words.format(11, 10)
    # One cluster has no pairs: no tree is needed.
    assert evaluate(X, [0] * 9 + [-1], ["pair"], min_points=100)["pair"] == 0


def test_a_reason_that_holds_for_all_labelings_is_told_once() -> None:
    shown = str(
        compare(disco_cvi.DensityTree(X), {"good": GOOD, "mixed": MIXED}, ["disco", "lccv"])
    )
    assert shown.endswith("\nLCCV: LCCV needs the points; their density tree is not enough.")
    one = str(compare(X, {"good": GOOD, "one": [0] * 10}, ["silhouette"]))
    assert "\none, Silhouette: Silhouette needs 2 clusters or more" in one


def test_labelings_may_be_columns_of_a_frame() -> None:
    pd = pytest.importorskip("pandas")
    columns, expected = {"good": GOOD, "mixed": MIXED}, compare(X, {"good": GOOD}, ["silhouette"])
    found = compare(X, pl.DataFrame(columns), ["silhouette"])
    assert found.scores["good"] == expected.scores["good"]
    frame, points = pd.DataFrame(columns, range(1, 11)), pd.DataFrame(X, range(1, 11))
    assert compare(points, frame, ["silhouette"]).best == {"silhouette": ("good",)}
    with pytest.raises(InvalidInputError, match=r"labelings\['good'\] of compare must have the"):
        compare(points, frame[::-1], ["silhouette"])
    with pytest.raises(InvalidInputError, match="labelings of compare must have names that differ"):
        compare(points, pd.concat([frame, frame], axis=1), ["silhouette"])


def test_every_point_alone_gets_no_star() -> None:
    labelings = {"good": GOOD, "mixed": MIXED, "alone": list(range(10))}
    comparison = compare(
        X, labelings, ["cvnn", "pair"], parameters={"cvnn": {"n_neighbors": 3}}, truth=GOOD
    )
    table, notes = str(comparison).split("\n\n")
    starred = {line.split()[0] for line in table.splitlines() if "*" in line}
    assert starred == {"good"}
    assert notes.splitlines()[:2] == [
        "* best of its index, alone aside: every point is alone there; lower is better for CVNN",
        "ARI, AMI: agreement with the truth. A point that a labeling calls noise counts as a "
        "cluster of its own; the noise of the truth is one cluster.",
    ]
    only = str(compare(X, {"alone": range(10), "one": list(range(10, 20))}, ["disco"]))
    assert "*" not in only
    shown = str(compare(X, {"good": GOOD}, ["silhouette", "davies_bouldin"]))
    assert "*" not in shown
    assert "\n\nlower is better for Davies-Bouldin" in shown
    assert "ARI" not in shown


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_frames(backend: str) -> None:
    frame = compare(X, {"good": GOOD, "one": [0] * 10}).to_frame(backend=backend)
    assert list(frame.columns) == ["labeling", "index", "value", "rank", "reason", "seconds"]
    assert len(frame) == 2 * len(NAMES)
    assert len(evaluate(X, GOOD).to_frame(backend=backend)) == len(NAMES)


def test_json_holds_no_nan() -> None:
    comparison = compare(X, {"good": GOOD, "one": [0] * 10, "noise": [-1] * 10}, truth=GOOD)
    facts = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert facts["best"]["disco"] == ["good"]
