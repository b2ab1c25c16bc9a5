"""evaluate and compare: shared work, reasons instead of NaN, ranks, tables and JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

import disco_cvi
from disco_cvi import InvalidInputError, available_indices, compare, evaluate
from disco_cvi.density_tree.file import TreeParts
from disco_cvi.density_tree.tree import Source
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


def test_parameters_reach_their_index() -> None:
    evaluation = evaluate(X, GOOD, ["disco"], parameters={"disco": {"min_points": 3}})
    assert evaluation["disco"] == disco_cvi.disco_score(X, GOOD, min_points=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"indices": "unheard"}, "indices of evaluate.*unheard"),
        ({"indices": []}, "indices of evaluate"),
        ({"indices": ["disco", "disco"]}, "different names"),
        ({"indices": "dico"}, "Did you mean 'disco'"),
        ({"parameters": {"unheard": {}}}, "parameters of evaluate"),
    ],
)
def test_evaluate_refuses(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        evaluate(X, GOOD, **arguments)


def test_indices_of_a_wrong_type_are_refused() -> None:
    with pytest.raises(TypeError, match="indices of evaluate"):
        evaluate(X, GOOD, 5)  # type: ignore[arg-type]


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


def test_a_failing_index_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(work: object) -> float:
        raise RuntimeError("it broke")

    monkeypatch.setattr("disco_cvi.indices.silhouette.evaluate_silhouette", fail)
    comparison = compare(X, {"good": GOOD}, ["silhouette", "disco"])
    assert comparison.scores["good"]["disco"] == disco_cvi.disco_score(X, GOOD)
    assert "good, Silhouette: it broke" in str(comparison)


def test_labelings_share_one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    original = Source.build

    def counting(source: Source) -> TreeParts:
        built.append(source)
        return original(source)

    monkeypatch.setattr(Source, "build", counting)
    random = np.random.default_rng(0)
    compare(X, {str(turn): random.integers(0, 3, 10) for turn in range(9)}, "disco")
    assert len(built) == 1


@pytest.mark.parametrize("labelings", [{}, [GOOD], None])
def test_compare_refuses_labelings(labelings: Any) -> None:
    with pytest.raises(InvalidInputError, match="labelings of compare"):
        compare(X, labelings)


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


def test_progress_bar_is_shown_and_wiped(capsys: pytest.CaptureFixture[str]) -> None:

    from disco_cvi._compute import progress

    with progress.progress("working", 2, shown=True) as bar:
        bar._begin -= 10
        bar._last -= 10
        bar.step()
    shown = capsys.readouterr().err
    assert "working [###############" in shown
    assert shown.endswith(" \r")
