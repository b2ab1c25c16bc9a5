"""The table of data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope
from disco_paper.paper import TABLE_SETS
from disco_paper.running.outputs import _withhold_verdicts
from paper_helpers.run_here import run_here

tab_datasets = open_experiment("tab-datasets")


@pytest.fixture
def data_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))


@pytest.mark.usefixtures("data_folder")
def test_entries_are_the_printed_ones() -> None:
    report = tab_datasets.report(run_here(tab_datasets, Scope()), Scope())
    assert [row for row in report.rows if row.verdict == "fails"] == []
    passing = {row.row for row in report.rows if row.verdict == "passes"}
    assert passing == {chosen.name for chosen in TABLE_SETS}
    assert report.count("passes") == 19 * 5
    further = [row.ours for row in report.rows if row.verdict == "not judged"]
    assert further == pytest.approx([8000, 2, 6, 1153, 0.0135], abs=1e-4)


@pytest.mark.usefixtures("data_folder")
def test_quick_run_is_judged_too() -> None:
    quick = Scope(quick=True)
    report = tab_datasets.report(run_here(tab_datasets, quick), quick)
    assert report.count("passes") == len(report.rows) == 10 * 5


def test_report_without_values() -> None:
    report = tab_datasets.report(Outcomes({}), Scope())
    assert report.count("fails") == 19 * 5
    assert all(row.note for row in report.rows)


def test_errors_are_not_judged() -> None:
    error = Outcome(None, "ValueError: no file", is_error=True)
    found = Outcomes(dict.fromkeys(tab_datasets.cells(Scope()), error))
    report = _withhold_verdicts(tab_datasets.report(found, Scope()), found)
    assert {row.verdict for row in report.rows} == {"not judged"}
