"""The pointwise map and the two sketches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from disco_cvi.experiments.cells.cell import Cell, Outcome, Outcomes, Scope, spec
from disco_cvi.experiments.judging.rows import Report
from disco_cvi.experiments.noise import fig_noise_sketch
from disco_cvi.experiments.overview import fig_closest, fig_pointwise
from helpers.run_here import run_here

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def pointwise(shared: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return fig_pointwise.report(run_here(fig_pointwise, FULL), FULL)


@pytest.fixture(scope="module")
def sketched(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_noise_sketch, QUICK)


def _values(report: Report, column: str) -> list[object]:
    return [row.ours for row in report.rows if row.column == column]


def test_pointwise_means_are_known(pointwise: Report) -> None:
    means = [0.2952, 0.018, 0.305, 0.394, 0.396, -0.014, 0.299, 0.197, 0.558, 0.370]
    assert _values(pointwise, "ground truth") == pytest.approx(means, abs=6e-4)
    assert _values(pointwise, "k-means")[0] == pytest.approx(0.0086, abs=6e-5)


def test_pointwise_claims(pointwise: Report) -> None:
    verdicts = {row.row: row.verdict for row in pointwise.rows if row.column == "claim"}
    assert verdicts == {
        "Truth: points of clusters": "passes",
        "Truth: clusters": "passes",
        "Truth: noise points": "fails",
        "k-means": "passes",
    }


def test_pointwise_map_has_the_borders_of_k_means(
    pointwise: Report, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    (figure,) = pointwise.figures
    left, right, *_ = figure.draw().axes
    assert len(left.lines) == 0
    # In the plane, nine places have at most 3 * 9 - 6 borders with each other, and eight or more.
    assert 8 <= len(right.lines) <= 21


def test_borders_are_equally_near_to_two_centers() -> None:
    from matplotlib.figure import Figure

    centers = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
    ax = Figure().subplots()
    fig_pointwise._draw_borders(centers, np.array([[-2.0, -2.0], [6.0, 6.0]]), ax)
    assert len(ax.lines) == 3
    for line in ax.lines:
        for end in np.asarray(line.get_xydata()):
            distances = np.sort(np.hypot(*(centers - end).T))
            assert distances[0] == pytest.approx(distances[1])


def test_closest_cluster() -> None:
    report = fig_closest.report(run_here(fig_closest, FULL), FULL)
    assert _values(report, "to C1") == [3.0, 3.0]
    assert _values(report, "to C2") == [1.5, 21.5]
    assert _values(report, "of x") == pytest.approx([1 / 3])
    assert report.count("passes") == 2
    (figure,) = report.figures
    assert len(figure.draw().axes) == 1


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


@pytest.mark.parametrize("module", [fig_pointwise, fig_closest, fig_noise_sketch])
def test_report_without_values(module: object) -> None:
    (row,) = module.report(Outcomes({}), FULL).rows  # type: ignore[attr-defined]
    assert row.ours is None
    assert row.note
