"""The table of data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_cvi.experiments import tab_datasets
from disco_cvi.experiments._cells import Found, Scope
from disco_cvi.experiments._common import TABLE_SETS
from experiments.helpers import run_here


@pytest.fixture
def data_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))


@pytest.mark.usefixtures("data_folder")
def test_entries_are_the_printed_ones() -> None:
    small = {s.name for s in TABLE_SETS if s.n_points * s.n_dimensions < 200_000} | {"cluto-t5-8k"}
    found = run_here(tab_datasets, Scope(), lambda cell: cell.data.name in small)
    report = tab_datasets.report(found, Scope())
    assert report.count("passes") == 14 * 5
    assert {row.row for row in report.rows if row.verdict == "fails"} == {
        "Synth_high",
        "Synth_low",
        "COIL20",
        "cmu_faces",
        "Optdigits",
    }
    further = [row.ours for row in report.rows if row.verdict == "not judged"]
    assert further == pytest.approx([8000, 2, 6, 1153, 0.0135], abs=1e-4)


@pytest.mark.usefixtures("data_folder")
def test_quick_run_is_judged_too() -> None:
    quick = Scope(quick=True)
    report = tab_datasets.report(run_here(tab_datasets, quick), quick)
    assert report.count("passes") == len(report.rows) == 10 * 5


def test_report_without_values() -> None:
    report = tab_datasets.report(Found({}), Scope())
    assert report.count("fails") == 19 * 5
    assert all(row.note for row in report.rows)
