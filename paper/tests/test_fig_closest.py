"""The sketch in which the nearest cluster is not the closest one."""

from __future__ import annotations

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Outcomes, Scope
from disco_paper.judging import Report
from paper_helpers.run_here import run_here

fig_closest = open_experiment("fig-closest")

FULL = Scope()


def _values(report: Report, column: str) -> list[object]:
    return [row.ours for row in report.rows if row.column == column]


def test_closest_cluster() -> None:
    report = fig_closest.report(run_here(fig_closest, FULL), FULL)
    assert _values(report, "to C1") == [3.0, 3.0]
    assert _values(report, "to C2") == [1.5, 21.5]
    assert _values(report, "of x") == pytest.approx([1 / 3])
    assert report.count("passes") == 2
    (figure,) = report.figures
    assert len(figure.draw().axes) == 1


def test_report_without_values() -> None:
    (row,) = fig_closest.report(Outcomes({}), FULL).rows
    assert row.ours is None
    assert row.note
