"""Table 2: its numbers, its colors, and what its colors hang on."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Cell, Outcome, Outcomes, Scope, spec
from disco_paper.judging import Report, Row
from disco_paper.paper import INDEX_NAMES, name_published
from disco_paper.preferences import PREFERENCES
from disco_paper.running.outputs import _withhold_verdicts
from paper_helpers.run_here import run_here

tab_shapes = open_experiment("tab-shapes")

FULL = Scope()


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_shapes, FULL)


@pytest.fixture(scope="module")
def report(found: Outcomes) -> Report:
    return tab_shapes.report(found, FULL)


def _scores(report: Report) -> dict[tuple[str, str], Row]:
    return {(row.row, row.column): row for row in report.rows if not row.table}


def test_all_but_three_cells_are_the_printed_ones(report: Report) -> None:
    cells = [row for row in report.rows if not row.table and row.column != "claim"]
    others = {(row.row, row.column): row.verdict for row in cells if row.verdict != "passes"}
    assert len(cells) == 44
    assert others == {
        ("DBCV", "3-spiral, DBSCAN"): "within method",
        ("DBCV", "complex9, DBSCAN"): "fails",
        ("LCCV", "complex9, k-means"): "within method",
    }


def test_values_are_those_of_the_program(report: Report, shared: Path) -> None:
    columns = {
        "3-spiral_ground_truth": "3-spiral, DBSCAN",
        "3-spiral_kMeans": "3-spiral, k-means",
        "complex9_ground_truth": "complex9, DBSCAN",
        "complex9_kMeans": "complex9, k-means",
    }
    scores = _scores(report)
    path = shared / "expected" / "reproduced_tab_density_not_applicable.csv"
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            ours = [scores[row["cvi"], columns[column]].ours for column in columns]
            assert ours == pytest.approx([float(row[column]) for column in columns], abs=6e-5)


def test_mean_over_shuffles_is_the_known_one(report: Report) -> None:
    note = _scores(report)["DBCV", "3-spiral, DBSCAN"].note
    assert "In 10 other orders of the rows: 0.526 to 0.562, mean 0.551." in note


def test_preferences_are_the_printed_ones(report: Report) -> None:
    judged = [row for row in report.rows if row.table == PREFERENCES and row.paper]
    assert len(judged) == 22
    assert {row.verdict for row in judged} == {"passes"}
    assert {row.ours for row in judged} == {row.paper for row in judged} == {"truth", "k-means"}


def test_two_preferences_come_from_deviations(report: Report) -> None:
    rows = {(r.row, r.column): r for r in report.rows if r.table == PREFERENCES}
    turned = {
        (name, data)
        for name in INDEX_NAMES
        for data in ("3-spiral", "complex9")
        if rows[name, f"{data}, the paper's program"].ours != rows[name, f"{data}, definition"].ours
    }
    assert turned == {("S_Dbw", "3-spiral"), ("CDbw", "3-spiral")}
    s_dbw = rows["S_Dbw", "3-spiral, the paper's program"].note
    assert (
        "each alone: it takes standard deviations for variances; it counts around a center" in s_dbw
    )
    assert "(not enough alone: it takes members for centers)" in s_dbw
    cdbw = rows["CDbw", "3-spiral, the paper's program"].note
    assert (
        "each alone: it takes the radius of the last cluster for all; it takes sums for means"
        in cdbw
    )


def test_claims_hold_for_the_programs(report: Report) -> None:
    claims = [row for row in report.rows if row.column == "claim"]
    assert [row.verdict for row in claims] == ["passes"] * 4
    assert "ARI 0.9995, 2 noise points" in str(claims[0].ours)


def test_a_wrong_value_fails_and_turns_a_preference(found: Outcomes) -> None:
    cell = Cell(spec("3-spiral"), spec("ground truth"), name_published("dcsi"))
    changed = Outcomes({**found, cell: Outcome(0.001)})
    report = tab_shapes.report(changed, FULL)
    assert _scores(report)["DCSI", "3-spiral, DBSCAN"].verdict == "fails"
    rows = {(row.row, row.column): row for row in report.rows if row.table == PREFERENCES}
    note = rows["DCSI", "3-spiral, the paper's program"].note
    assert "The printed numbers themselves say: truth." in note
    assert report.count("fails") == 4  # the known one, the value, its preference, and a claim


def test_few_orders_do_not_judge_what_hangs_on_them(found: Outcomes) -> None:
    report = tab_shapes.report(found, Scope(quick=True))
    assert _scores(report)["DBCV", "complex9, DBSCAN"].verdict == "not judged"


def test_report_without_values() -> None:
    report = tab_shapes.report(Outcomes({}), FULL)
    assert report.count("within method") == 0
    assert all(row.ours is None for row in report.rows if not row.table and row.column != "claim")


def test_errors_are_not_judged() -> None:
    error = Outcome(None, "ValueError: no file", is_error=True)
    found = Outcomes(dict.fromkeys(tab_shapes.cells(FULL), error))
    report = _withhold_verdicts(tab_shapes.report(found, FULL), found)
    assert {row.verdict for row in report.rows} == {"not judged"}


def test_figure_shows_the_labelings(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    (figure,) = tab_shapes.report(Outcomes({}), FULL).figures
    panels = figure.draw().axes
    assert [len(panel.collections) for panel in panels] == [3, 3, 9, 9]
