"""The sketch of good and bad noise."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Cell, Outcome, Outcomes, Scope, spec
from disco_paper.judging import Report
from paper_helpers.run_here import run_here

fig_noise_sketch = open_experiment("fig-noise-sketch")

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def sketched(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_noise_sketch, QUICK)


def _values(report: Report, column: str) -> list[object]:
    return [row.ours for row in report.rows if row.column == column]


def test_noise_of_the_sketch(sketched: Outcomes) -> None:
    report = fig_noise_sketch.report(sketched, QUICK)
    assert _values(report, "rho_sparse")[1:] == pytest.approx([0.867, -0.646, -0.396], abs=6e-4)
    assert _values(report, "rho_far")[0] == pytest.approx(0.657, abs=6e-4)
    assert _values(report, "rho_far")[3] == pytest.approx(-0.018, abs=6e-4)
    claims = {row.row: row for row in report.rows if row.column == "claim"}
    assert claims["(a) a dense group called noise"].ours == "-0.875 to -0.750"
    failing = [name for name, row in claims.items() if row.verdict == "fails"]
    assert failing == ["(d): which part decides"]
    (figure,) = report.figures
    assert len(figure.draw().axes) == 2


def test_rho_far_leads_everywhere(sketched: Outcomes) -> None:
    leads = [outcome.value for cell, outcome in sketched.items() if "lead" in cell.index.name]
    assert len(leads) == 15
    assert min(leads) >= -1e-12  # type: ignore[type-var, operator]


def test_a_counterexample_would_be_seen(sketched: Outcomes) -> None:
    cell = Cell(spec("three rings"), spec("ground truth"), spec("least lead of rho_far"))
    report = fig_noise_sketch.report(Outcomes({**sketched, cell: Outcome(-0.1)}), QUICK)
    assert "cannot be" in report.rows[-1].note


def test_report_without_values() -> None:
    (row,) = fig_noise_sketch.report(Outcomes({}), FULL).rows
    assert row.ours is None
    assert row.note
