"""Features of the indices, checked entry by entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_paper import open_experiment, preferences
from disco_paper.cells import Cell, Outcome, Outcomes, Scope, spec
from disco_paper.judging import Report
from disco_paper.paper import name_published
from paper_helpers.run_here import run_here

tab_features = open_experiment("tab-features")

QUICK = Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_features, QUICK)


@pytest.fixture(scope="module")
def report(found: Outcomes) -> Report:
    return tab_features.report(found, QUICK)


def _entries(report: Report) -> dict[tuple[str, str], object]:
    return {(row.row, row.column): row.ours for row in report.rows}


def test_entries_that_differ(report: Report) -> None:
    differing = {(r.row, r.column): r.ours for r in report.rows if r.verdict == "fails"}
    assert differing == {
        ("Silhouette", "evaluates noise"): "affected",
        ("VIASCKDE", "evaluates noise"): "affected",
        ("CVDD", "evaluates noise"): "affected",
        ("LCCV", "deterministic"): "no",
        ("CVDD", "deterministic"): "no",
        ("CDbw", "arbitrary shapes"): "for some",
        ("CVNN", "arbitrary shapes"): "no",
    }
    assert report.count("passes") == 43


def test_the_missing_index_is_described(report: Report) -> None:
    rows = [row for row in report.rows if row.row == "MMJ-SC"]
    assert [row.ours for row in rows] == ["yes", "affected", "yes", "yes", "up"]
    assert all(row.verdict == "not judged" for row in rows)


def test_disco_alone_evaluates_noise(report: Report) -> None:
    entries = _entries(report)
    judges = [row for (row, column), ours in entries.items() if (column, ours) == _JUDGES]
    assert judges == ["DISCO"]


_JUDGES = ("evaluates noise", "yes")


def test_a_value_out_of_range_is_seen(found: Outcomes) -> None:
    cell = Cell(spec("3-spiral"), spec("ground truth"), name_published("dcsi"))
    report = tab_features.report(Outcomes({**found, cell: Outcome(1.5)}), QUICK)
    assert _entries(report)["DCSI", "bounded"] == "no"


def test_a_value_that_moves_is_seen(found: Outcomes) -> None:
    cell = Cell(spec("noisy rings", run=0), spec("ground truth"), spec("disco"))
    report = tab_features.report(Outcomes({**found, cell: Outcome(0.4)}), QUICK)
    assert _entries(report)["DISCO", "deterministic"] == "no"


def test_report_without_values() -> None:
    report = tab_features.report(Outcomes({}), QUICK)
    assert report.count("not judged") == len(report.rows) == 11 * 5
    assert {row.ours for row in report.rows} == {None}


@pytest.mark.parametrize(
    ("cell", "column"),
    [
        (Cell(spec("3-spiral"), spec("ground truth"), spec("disco")), "arbitrary shapes"),
        (Cell(spec("3-spiral"), spec("ground truth"), spec("disco")), "bounded"),
        (Cell(spec("noisy rings", run=0), spec("ground truth"), spec("disco")), "deterministic"),
        (
            Cell(spec("rings and noise", kind="good"), spec("ground truth"), spec("disco")),
            "evaluates noise",
        ),
        (tab_features.cells(QUICK)[-len(preferences._EVERY)], "direction"),
    ],
)
def test_an_error_is_not_judged(found: Outcomes, cell: Cell, column: str) -> None:
    error = Outcome(None, "MemoryError: too large", is_error=True)
    report = tab_features.report(Outcomes({**found, cell: error}), QUICK)
    (row,) = (row for row in report.rows if (row.row, row.column) == ("DISCO", column))
    assert (row.ours, row.verdict) == (None, "not judged")


def test_an_index_without_deviations_may_differ(found: Outcomes) -> None:
    cell = Cell(spec("3-spiral"), spec("ground truth"), name_published("silhouette"))
    report = tab_features.report(Outcomes({**found, cell: Outcome(1.5)}), QUICK)
    rows = {(row.row, row.column): row for row in report.rows}
    assert rows["Silhouette", "bounded"].verdict == "fails"
    assert rows["Silhouette", "bounded"].note.endswith("By the definition: yes.")
