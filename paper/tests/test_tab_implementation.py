"""The paper's table of implementations beside the registry."""

from __future__ import annotations

from disco_paper import open_experiment
from disco_paper.cells import Outcomes, Scope

tab_implementation = open_experiment("tab-implementation")


def test_implementations_are_the_same() -> None:
    report = tab_implementation.report(Outcomes({}), Scope())
    assert tab_implementation.cells(Scope()) == []
    assert report.count("passes") == 29
    assert report.count("fails") == 0
    verdicts = {row.row: row.verdict for row in report.rows if row.column == "parameter"}
    unjudged = {name for name, verdict in verdicts.items() if verdict == "not judged"}
    assert unjudged == {"DBCV", "MMJ-SC"}
    entries = {(row.row, row.column): row.ours for row in report.rows}
    assert entries["CVDD", "parameter"] == "n_neighbors = 7"
    assert entries["DISCO", "parameter"] == "min_points = 5"
    assert entries["S_Dbw", "program"] == "disco_cvi.s_dbw_index"
