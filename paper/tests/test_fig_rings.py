"""Figure 1: the twelve scores, and the claims on them."""

from __future__ import annotations

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope
from disco_paper.judging import Report
from disco_paper.running.outputs import _withhold_verdicts
from paper_helpers.run_here import run_here

fig_rings = open_experiment("fig-rings")

FULL = Scope()


@pytest.fixture(scope="module")
def report() -> Report:
    return fig_rings.report(run_here(fig_rings, FULL), FULL)


def test_all_twelve_scores_are_the_printed_ones(report: Report) -> None:
    panels = [row for row in report.rows if row.row.startswith("panel")]
    assert len(panels) == 12
    assert {row.verdict for row in panels} == {"passes"}
    ours = [row.ours for row in panels if row.column == "DISCO"]
    assert ours == pytest.approx([0.5229, -0.0077, 0.4980, 0.2123], abs=6e-5)


def test_disco_is_not_alone(report: Report) -> None:
    claims = {row.row: row for row in report.rows if row.column == "claim"}
    assert claims["a against b"].verdict == claims["c against d"].verdict == "passes"
    alone = claims["Indices that prefer a to b and c to d"]
    assert alone.verdict == "fails"
    assert alone.ours == "DISCO, DCSI, CVDD, CDbw"


def test_preference_of_dbcv_hangs_on_the_order(report: Report) -> None:
    note = next(row.note for row in report.rows if row.row == "c against d")
    assert "prefers c in 3 of them" in note
    assert "it gives c 0.46 and d 0.61" in note


def test_report_without_values() -> None:
    report = fig_rings.report(Outcomes({}), FULL)
    assert all(row.ours is None for row in report.rows if row.row.startswith("panel"))
    assert report.count("passes") == 0


def test_errors_are_not_judged() -> None:
    error = Outcome(None, "ValueError: no file", is_error=True)
    found = Outcomes(dict.fromkeys(fig_rings.cells(FULL), error))
    report = _withhold_verdicts(fig_rings.report(found, FULL), found)
    assert {row.verdict for row in report.rows} == {"not judged"}


def test_figure_names_the_scores(report: Report) -> None:
    (figure,) = report.figures
    titles = [panel.get_title() for panel in figure.draw().axes]
    assert titles[0] == "(a) DISCO 0.52\nSilhouette -0.15, DBCV 0.77"
    assert len(titles) == 4


def test_preferences_are_words_not_colors(report: Report) -> None:
    """The shades of the page say whether ours agrees with the paper, and nothing else."""
    colors = ("green", "orange")
    rows, notes = [str(vars(row)) for row in report.rows], report.notes
    assert not [text for text in (*rows, *notes) if any(color in text.lower() for color in colors)]
    rows_of = {(row.row, row.column): row.ours for row in report.rows}
    assert rows_of["Silhouette", "three rings, definition"] == "worse labels"
    assert rows_of["DISCO", "three rings, definition"] == "truth"
