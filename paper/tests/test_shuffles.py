"""Scores over shuffles: labels that move with the points, means, spreads and winners."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from disco_paper.cells import GROUND_TRUTH, Cell, Outcome, Outcomes, spec
from disco_paper.row_order import (
    LABELINGS,
    MEAN,
    PUBLISHED,
    SELECTED,
    SELECTED_WITHOUT,
    SPREAD,
    Runs,
    Setting,
    dbscan,
    describe_labeling,
    gather,
    name_shuffled,
    setting_rows,
    settings,
)
from disco_paper.sources import Source, make_labels, make_points, permutation

A, B = dbscan(0.1, 5), dbscan(0.2, 8)
RUNS = Runs(
    (A, B, GROUND_TRUTH),
    np.array([[0.1, 0.2, 0.3], [0.5, math.nan, 0.4], [math.nan, 0.1, 0.0], [math.nan] * 3]),
)


@pytest.mark.parametrize("run", [0, 7])
def test_labels_move_with_the_points(
    shared: Path, monkeypatch: pytest.MonkeyPatch, run: int
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    data = spec("aggregation")
    in_file_order = make_labels(spec("dbscan", eps=0.1, min_samples=3), _source(data))
    source = _source(name_shuffled(data, run))
    labels = make_labels(dbscan(0.1, 3), source, LABELINGS)
    order = permutation(run, len(labels))
    assert labels.tolist() == in_file_order[order].tolist()
    # Labels of the shuffled points themselves are numbered in another way.
    anew = make_labels(spec("dbscan", eps=0.1, min_samples=3), source)
    assert labels.tolist() != anew.tolist()


def _source(data: object) -> Source:
    return Source(data, *make_points(data))  # type: ignore[arg-type]


def test_winners_are_those_with_a_score() -> None:
    assert RUNS.wins() == {A: 1, B: 1, GROUND_TRUTH: 1}
    assert RUNS.wins([A, B]) == {A: 1, B: 2}
    assert RUNS.selected(B, [A, B]) == pytest.approx(200 / 3)
    assert RUNS.selected(GROUND_TRUTH, [A, B]) is None


def test_mean_and_spread_leave_out_what_is_missing() -> None:
    assert RUNS.mean(A) == pytest.approx(0.3)
    assert RUNS.spread(A) == pytest.approx(math.sqrt(2 * 0.2**2))
    assert RUNS.mean(dbscan(9.0, 9)) is None
    assert Runs((A,), np.array([[0.5]])).spread(A) is None


def test_scores_are_gathered_by_run_and_labeling() -> None:
    data = spec("complex8")
    found = Outcomes(
        {
            Cell(name_shuffled(data, 0), A, PUBLISHED): Outcome(0.25),
            Cell(name_shuffled(data, 1), B, PUBLISHED): Outcome(0.75),
            Cell(name_shuffled(data, 1), A, PUBLISHED): Outcome(None, "undefined"),
        }
    )
    scores = gather(found, data, [A, B], 2).scores
    assert np.array_equal(scores, [[0.25, np.nan], [np.nan, 0.75]], equal_nan=True)


def test_settings_are_those_of_the_paper() -> None:
    names = [setting.name for setting in settings("tab-dbcv-t8")]
    assert names == [
        "(a) eps 0.04, minPts 5",
        "(b) eps 0.2, minPts 2",
        "(c) eps 0.1, minPts 8",
        "ground truth",
    ]
    assert describe_labeling(settings("tab-dbcv-t5")[1].labeling) == "eps 0.06, minPts 8"


def test_a_row_of_the_table_is_judged_by_its_digits() -> None:
    paper = {
        "dbcv_mean": "0.300",
        "dbcv_std": "0.999",
        "selected_percent": "33",
        "selected_percent_without_ground_truth": "33",
    }
    rows = setting_rows(Setting("a", A, paper), RUNS, is_judged=True)
    verdicts = {row.column: row.verdict for row in rows}
    assert verdicts == {
        MEAN: "passes",
        SPREAD: "fails",
        SELECTED: "passes",
        SELECTED_WITHOUT: "passes",
    }
    cut = setting_rows(Setting("a", A, paper), RUNS, is_judged=False)
    assert {row.verdict for row in cut} == {"not judged"}


def test_a_labeling_without_scores_is_no_pass() -> None:
    paper = {"dbcv_mean": "0.3", "dbcv_std": "0.1", "selected_percent": "3"}
    rows = setting_rows(Setting("?", dbscan(9.0, 9), paper), RUNS, is_judged=True)
    assert {(row.ours, row.verdict) for row in rows} == {(None, "fails")}
    assert all(row.note for row in rows)
