"""The table of correlations: its labelings, its numbers, its dashes and its best indices."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from disco_paper import open_experiment, overview
from disco_paper.cells import Outcome, Outcomes, Scope, spec
from disco_paper.judging import Report, Row
from disco_paper.overview import correlate
from disco_paper.paper import INDEX_TITLES, PAPER_INDICES, TABLE_SET_OF, read_printed_cells
from paper_helpers.run_here import index_name, run_here

tab_pcc = open_experiment("tab-pcc")

FULL, QUICK = Scope(), Scope(quick=True)
SETS = ("3-spiral", "chainlink")
_MEANS = "Mean and spread over the runs"
# Labelings that leave nothing to chance, by their names in the authors' records.
SETTLED = {"GroundTruth": "ground truth", "DBSCAN": "dbscan for k", "HDBSCAN": "hdbscan"}


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    """All ten runs of two small data sets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_pcc, FULL, lambda cell: cell.data.name in SETS)


@pytest.fixture(scope="module")
def report(found: Outcomes) -> Report:
    return tab_pcc.report(found, FULL)


def _row(report: Report, table: str, row: str, column: str) -> Row:
    return next(r for r in report.rows if (r.table, r.row, r.column) == (table, row, column))


def _made_up(better: str, value: float) -> Outcomes:
    """Scores equal to the ARI, so that all correlations are 100, but one that is another."""
    outcomes = {}
    rng = np.random.default_rng(0)
    for cell in tab_pcc.cells(FULL):
        labelings = overview._labelings(TABLE_SET_OF[cell.data.name], int(cell.data["shuffle"]))
        ari = 1.0 / (1 + list(labelings.values()).index(cell.labeling))
        sign = -1 if index_name(cell) in ("s_dbw", "cvnn") else 1
        noise = value * rng.normal() if index_name(cell) not in (better, "ari") else 0.0
        outcomes[cell] = Outcome(sign * ari + noise)
    return Outcomes(outcomes)


def test_every_set_has_seven_labelings_in_every_run() -> None:
    cells = tab_pcc.cells(FULL)
    assert len(cells) == len(set(cells))
    labelings = {(cell.data, cell.labeling) for cell in cells}
    assert len(labelings) == 7 * (12 * 10 + 6 * 3 + 1)
    assert {cell.labeling["k"] for cell in cells if cell.labeling.name == "ward"} >= {2, 9, 11, 20}


def test_noise_counts_as_a_label_for_k() -> None:
    labelings = overview._labelings(TABLE_SET_OF["cluto-t8-8k"], 0)
    assert labelings["Ward"] == spec("ward", k=9)


def test_settled_labelings_are_those_of_the_authors(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "notebook_clustering_ari_disco_mean10.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    compared = [row for row in rows if row["dataset"] in SETS and row["labeling"] in SETTLED]
    for row in compared:
        for index in ("ari", "disco"):
            values = [
                float(str(found[cell].value))
                for cell in found
                if cell.data.name == row["dataset"]
                and cell.labeling.name == SETTLED[row["labeling"]]
                and index_name(cell) == index
            ]
            assert len(values) == 10
            # HDBSCAN breaks ties as its version likes.
            near = 0.02 if row["labeling"] == "HDBSCAN" else 1e-6
            assert np.mean(values) == pytest.approx(float(row[f"{index}_mean"]), abs=near), row
    assert len(compared) == 6


def test_correlations_are_near_the_paper(report: Report) -> None:
    for name in SETS:
        for title in ("DISCO", "MMJ-SC", "LCCV", "CDbw", "Silhouette"):
            row = _row(report, overview._CORRELATION, TABLE_SET_OF[name].spelling, title)
            assert row.verdict in ("passes", "within method"), row


def test_dashes_are_those_of_the_paper_and_explained(report: Report) -> None:
    paper = read_printed_cells("tab-pcc", "dataset")
    for name in SETS:
        spelling = TABLE_SET_OF[name].spelling
        for index in PAPER_INDICES:
            row = _row(report, overview._CORRELATION, spelling, INDEX_TITLES[index])
            assert (row.ours is None) == (paper[spelling, INDEX_TITLES[index]] == ""), row
            assert row.ours is not None or row.note.startswith("No score for 100 random labels")


def test_dcsi_loses_pairs_where_labels_begin_at_1(report: Report) -> None:
    row = _row(report, overview._CORRELATION, "chainlink", "DCSI")
    assert row.ours == pytest.approx(72.27, abs=1)
    assert "with labels from 0 the correlation is 99." in row.note


def test_spread_is_over_runs(report: Report) -> None:
    row = _row(report, overview._SPREAD, "three_spiral", "DISCO")
    shown = re.fullmatch(r"(\d+\.\d\d) ± (\d+\.\d\d) \(10 runs\)", str(row.ours))
    assert shown is not None
    mean = _row(report, overview._CORRELATION, "three_spiral", "DISCO").ours
    assert mean == pytest.approx(float(shown[1]), abs=0.006)
    assert 0.3 < float(shown[2]) < 2.5  # a former ten runs gave 0.98
    assert row.verdict == "not judged"


def test_every_set_has_its_mean_over_the_runs() -> None:
    rows = tab_pcc.report(_made_up("disco", 0.0), FULL).rows
    shown = {row.row: row.ours for row in rows if (row.table, row.column) == (_MEANS, "DISCO")}
    assert len(shown) == 19
    assert shown["htru2"] == "100.00 ± 0.00 (3 runs)"
    assert shown["COIL20"] == "100.00 (1 run)"


def test_an_original_equal_up_to_rounding_is_not_shown(report: Report) -> None:
    assert _row(report, overview._CORRELATION, "chainlink", "MMJ-SC").original is None
    assert _row(report, overview._CORRELATION, "chainlink", "LCCV").original is not None


def test_fewer_runs_than_the_papers_judge_no_claims() -> None:
    found = _made_up("disco", 1e-3)
    for scope, is_judged in ((Scope(runs=2), False), (FULL, True)):
        claims = [row for row in tab_pcc.report(found, scope).rows if row.column == "claim"]
        assert [row.verdict != "not judged" for row in claims] == [is_judged] * 2


def test_the_best_indices_of_both_sets_are_the_papers(report: Report) -> None:
    rows = {r.row: r for r in report.rows if r.table == overview._BEST}
    assert (rows["three_spiral"].ours, rows["chainlink"].ours) == ("DISCO", "DBCV")
    assert rows["chainlink"].verdict == "passes"


def test_cells_that_were_not_computed_are_not_judged(report: Report) -> None:
    rows = [row for row in report.rows if row.row == "htru2"]
    assert {row.verdict for row in rows} == {"not judged"}
    claims = [row for row in report.rows if row.column == "claim"]
    assert [row.verdict for row in claims] == ["not judged"] * 2


def test_a_lower_is_better_index_can_be_the_best() -> None:
    report = tab_pcc.report(_made_up("s_dbw", 0.5), FULL)
    best = {row.ours for row in report.rows if row.table == overview._BEST}
    verdicts = {row.verdict for row in report.rows if row.table == overview._BEST}
    assert (best, verdicts) == ({"S_Dbw"}, {"fails"})


def test_a_best_index_just_behind_is_within_the_method() -> None:
    report = tab_pcc.report(_made_up("disco", 1e-3), FULL)
    row = _row(report, overview._BEST, "chainlink", "best")
    assert (row.ours, row.paper, row.verdict) == ("DISCO", "DBCV", "within method")


def test_a_quick_run_judges_no_means_of_ten() -> None:
    outcomes = {cell: Outcome(None, "No value.") for cell in tab_pcc.cells(QUICK)}
    report = tab_pcc.report(Outcomes(outcomes), QUICK)
    assert {row.verdict for row in report.rows} == {"not judged"}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)], 100.0),
        ([(1e200, 1.0), (2e200, 0.0), (3e200, 1.0)], 0.0),
        ([(0.5, 1.0), (0.5, 2.0), (0.5, 3.0)], None),
    ],
)
def test_correlations(pairs: list[tuple[float, float]], expected: float | None) -> None:
    value = correlate(pairs)
    assert value == (None if expected is None else pytest.approx(expected, abs=1e-9))
