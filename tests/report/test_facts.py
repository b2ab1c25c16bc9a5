"""What a report says, as plain values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, KMeans

from disco_cvi import DensityTree, InvalidInputError, available_indices, compare, evaluate, explain
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.registry import NEAR_LINEAR
from disco_cvi.report.provenance import digest_of
from disco_cvi.selection import ClusteringSearch, suggest
from helpers.toy_report import report_facts, toy_points

QUICK = ["disco", "pair", "dunn"]
X, LABELS = toy_points()


def test_facts_are_ready_for_json_and_the_same_twice() -> None:
    first, second = (report_facts(X, LABELS, indices=QUICK) for _ in range(2))
    text = json.dumps(first, allow_nan=False)
    assert json.loads(text) == first == second


def test_numbers_are_those_of_explain_and_evaluate() -> None:
    facts, explanation = report_facts(X, LABELS, indices=QUICK), explain(X, LABELS)
    known = explanation.to_dict(points=False)
    for name in ("score", "pair_score", "n_points", "n_clusters", "n_noise", "noise", "flags"):
        assert facts[name] == known[name], name
    assert [point["row"] for point in facts["worst"]] == [
        point.row for point in explanation.worst(20)
    ]
    assert sorted(facts["clusters"], key=lambda one: one["name"]) == known["clusters"]
    means = [cluster["mean_score"] for cluster in facts["clusters"]]
    assert means == sorted(means)
    scores = evaluate(X, LABELS, QUICK).scores
    assert {row["name"]: row["value"] for row in facts["indices"]} == scores


def test_columns_and_rows_may_be_named_as_what_finds_labels() -> None:
    frame = pd.DataFrame({"fit": LABELS, "candidates": LABELS, "columns": LABELS})
    names = [labeling["name"] for labeling in report_facts(X, frame, indices=QUICK)["labelings"]]
    assert sorted(names) == sorted(frame)
    rows = [f"row {i}" for i in range(len(X) - 1)]
    series = pd.Series(LABELS, index=["fit", *rows])
    assert report_facts(X, series, indices=QUICK) == report_facts(X, LABELS, indices=QUICK)


def test_undefined_indices_have_a_reason() -> None:
    facts = report_facts(X, np.zeros(len(X), int), indices=["dunn"])
    (row,) = facts["indices"]
    assert row["value"] is None
    assert "needs 2 clusters" in row["reason"]


def test_indices_that_compare_all_pairs_are_left_out_where_that_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("disco_cvi.report.study._MOST_WORK", len(X) ** 2)
    facts = report_facts(X, LABELS)
    assert [row["name"] for row in facts["indices"]] == [i.name for i in available_indices()]
    left_out = {row["name"] for row in facts["indices"] if "Left out" in (row["reason"] or "")}
    assert left_out == {info.name for info in available_indices()} - NEAR_LINEAR


def test_min_points_is_for_all_indices_that_have_it() -> None:
    facts = report_facts(X, LABELS, indices=["disco", "dcsi"], min_points=9)
    asked = evaluate(X, LABELS, ["disco", "dcsi"], min_points=9).scores
    assert {row["name"]: row["value"] for row in facts["indices"]} == asked
    assert facts["score"] == asked["disco"]


def test_labelings_stand_by_pair_score_and_the_best_is_shown() -> None:
    mixed = np.arange(len(X)) % 3
    labelings = {"mixed": mixed, "good": LABELS, "one": np.zeros(len(X), int)}
    facts = report_facts(X, labelings, indices=QUICK, truth=LABELS)
    compared = compare(X, labelings, ["disco", "pair"], truth=LABELS)
    assert facts["labeling"] == "good"
    assert facts["labelings"][0]["name"] == "good"
    pairs = [one["pair_score"] for one in facts["labelings"]]
    assert pairs == sorted(pairs, reverse=True)
    assert compared.truth is not None
    for one in facts["labelings"]:
        assert one["score"] == compared.scores[one["name"]]["disco"]
        assert one["pair_score"] == compared.scores[one["name"]]["pair"]
        assert {"ari": one["ari"], "ami": one["ami"]} == compared.truth[one["name"]]
    about = report_facts(X, labelings, about="mixed", indices=QUICK)
    assert (about["labeling"], about["score"]) == ("mixed", explain(X, mixed).score)


def test_agreement_that_takes_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("disco_cvi.report.study._MOST_CLASS_PAIRS", 10)
    (one,) = report_facts(X, LABELS, indices="disco", truth=LABELS)["labelings"]
    known = compare(X, {"a": LABELS}, "disco", truth=LABELS).truth
    assert known is not None
    assert (one["ari"], one["ami"]) == (known["a"]["ari"], None)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0] * 20 + [-1] * 4 + [1] * 20, "The labels follow the density of the data well."),
        ([0] * 44, "By definition: one cluster without noise."),
        ([-1] * 44, "By definition: every point is noise."),
        ([0, 1] * 22, "The labels hardly follow the density of the data."),
        ([0] * 20 + [-1] * 24, "The score rests on little."),
    ],
)
def test_verdicts(labels: Any, words: str) -> None:
    line = [[x] for x in (*range(20), 30.0, 40.0, 55.0, 70.0, *range(100, 120))]
    facts = report_facts(line, labels, indices="disco")
    assert facts["verdict"] == words


def test_nothing_to_look_at_is_an_empty_list() -> None:
    line = [[x + place] for place in (0.0, 100.0, 300.0) for x in range(20)]
    facts = report_facts(line, np.repeat([0, 1, 2], 20), indices="disco")
    assert facts["look_at_next"] == []


def test_row_names_lead_the_worst_points() -> None:
    names = [f"customer {row}" for row in range(len(X))]
    facts = report_facts(X, LABELS, row_names=names, indices="disco")
    assert all(point["name"] == f"customer {point['row']}" for point in facts["worst"])


def test_the_best_eps_is_that_of_the_path() -> None:
    facts, path = report_facts(X, LABELS, indices="disco"), DensityTree(X).eps_path()
    assert facts["eps"]["best"]["score"] == path.best.score
    assert facts["eps"]["best"]["eps"] == path.best.eps
    assert facts["eps"]["almost"] == list(path.stretch())


def test_a_tree_stands_for_its_points() -> None:
    facts = report_facts(DensityTree(X), LABELS, indices=QUICK)
    assert facts["score"] == explain(X, LABELS).score
    assert "density tree" in facts["computed"]["data"]["words"]
    assert "needs the points" in {row["name"]: row["reason"] for row in facts["indices"]}["dunn"]


def test_data_and_labels_have_digests_of_their_values() -> None:
    facts = report_facts(X, LABELS, indices="disco")
    assert facts["computed"]["data"]["sha256"] == digest_of(X)
    moved = X.copy()
    moved[3, 1] = np.nextafter(moved[3, 1], np.inf)
    other = report_facts(moved, LABELS, indices="disco")
    assert other["computed"]["data"]["sha256"] != facts["computed"]["data"]["sha256"]
    assert other["computed"]["labels_sha256"] == facts["computed"]["labels_sha256"]
    renamed = report_facts(X, LABELS + 1, noise_label=0, indices="disco")
    assert renamed["computed"]["labels_sha256"] != facts["computed"]["labels_sha256"]
    assert digest_of(X.astype(">f8")) == digest_of(X)


def test_a_metric_that_is_a_function_goes_by_its_name() -> None:
    def own_metric(one: Any, other: Any) -> float:
        return float(np.abs(one - other).sum())

    facts = report_facts(X[:30], LABELS[:30], metric=own_metric, indices="disco")
    assert facts["computed"]["parameters"]["metric"] == "own_metric"
    assert " at 0x" not in json.dumps(facts)


# --- what may be given as labels ------------------------------------------------------------------


def test_a_suggestion_is_shown_with_all_its_candidates() -> None:
    suggestion = suggest(X, n_null=0)
    facts = report_facts(X, suggestion, indices="disco")
    assert facts["labeling"] == suggestion.best.call
    assert {one["name"] for one in facts["labelings"]} == {
        one.call for one in suggestion.candidates
    }
    assert facts["pair_score"] == suggestion.score


def test_a_fitted_clusterer_or_search_is_shown() -> None:
    clusterer = DBSCAN(eps=1.0).fit(X)
    facts = report_facts(X, clusterer, indices="disco")
    assert facts["labeling"] == "DBSCAN"
    assert facts["score"] == explain(X, clusterer.labels_).score
    search = ClusteringSearch(DBSCAN(), {"eps": [0.5, 1.0]}).fit(X)
    facts = report_facts(X, search, indices="disco")
    assert facts["labeling"] == f"DBSCAN(eps={search.best_params_['eps']})"
    assert facts["pair_score"] == search.best_score_


def test_labelings_come_as_a_data_frame_or_from_a_comparison() -> None:
    import pandas as pd

    labelings = {"good": LABELS, "mixed": np.arange(len(X)) % 3}
    expected = report_facts(X, labelings, indices="disco")
    assert report_facts(X, pd.DataFrame(labelings), indices="disco") == expected
    assert report_facts(X, compare(X, labelings, "disco"), indices="disco") == expected


def test_what_has_no_labels_is_refused() -> None:
    known = compare(X, {"a": LABELS}, "disco")
    unknown = replace(known, evaluations={"a": replace(known.evaluations["a"], clustering=None)})
    with pytest.raises(InvalidInputError, match="got a Comparison that does not know them"):
        report_facts(X, unknown)
    with pytest.raises(InvalidInputError, match=r"a KMeans that is not fitted\. Call its fit"):
        report_facts(X, KMeans())
    with pytest.raises(
        InvalidInputError, match="labels of write_report must be a dict of one labeling"
    ):
        report_facts(X, {})
    with pytest.raises(InvalidInputError, match="names that differ as text"):
        report_facts(X, {1: LABELS, "1": LABELS})
    with pytest.raises(InvalidInputError, match="about of write_report must name a labeling; got"):
        report_facts(X, {"a": LABELS}, about="b")
    with pytest.raises(InvalidInputError, match=r"labels\['a'\] of write_report must hold one"):
        report_facts(X, {"a": LABELS[1:]})
    with pytest.raises(InvalidInputError, match="truth of write_report must hold one label per"):
        report_facts(X, LABELS, truth=LABELS[1:])


def test_too_few_points_are_an_error_only_where_the_tree_is_needed() -> None:
    facts = report_facts([[0.0], [1.0]], [0, 0], indices="disco")
    assert (facts["score"], facts["eps"]) == (0.0, None)
    with pytest.raises(UndefinedScoreError, match="min_points=5 needs 5 points or more"):
        report_facts([[0.0], [1.0], [2.0]], [0, 0, 1], indices="disco")
