"""The map of pointwise scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from disco_paper import open_experiment, overview
from disco_paper.cells import Outcomes, Scope
from disco_paper.judging import Report
from paper_helpers.run_here import run_here

fig_pointwise = open_experiment("fig-pointwise")

FULL = Scope()


@pytest.fixture(scope="module")
def pointwise(shared: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return fig_pointwise.report(run_here(fig_pointwise, FULL), FULL)


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
    overview._draw_borders(centers, np.array([[-2.0, -2.0], [6.0, 6.0]]), ax)
    assert len(ax.lines) == 3
    for line in ax.lines:
        for end in np.asarray(line.get_xydata()):
            distances = np.sort(np.hypot(*(centers - end).T))
            assert distances[0] == pytest.approx(distances[1])


def test_report_without_values() -> None:
    (row,) = fig_pointwise.report(Outcomes({}), FULL).rows
    assert row.ours is None
    assert row.note
