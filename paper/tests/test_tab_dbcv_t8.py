"""Which labeling of cluto-t8-8k the published DBCV selects."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_paper import open_experiment, row_order
from disco_paper.cells import Outcome, Outcomes, Scope
from disco_paper.row_order import PUBLISHED, settings, sizes
from paper_helpers.run_here import run_here

tab_dbcv_t8 = open_experiment("tab-dbcv-t8")

SCOPE = Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_dbcv_t8, SCOPE)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, [-0.263, -0.267, -0.282, -0.288]),
        (1, [-0.198, -0.813, 0.312, -0.572]),
        (2, [-0.089, -0.186, 0.020, -0.336]),
        (3, [0.143, 0.089, 0.078, 0.040]),
    ],
)
def test_published_values_are_known(found: Outcomes, place: int, expected: list[float]) -> None:
    labeling = settings("tab-dbcv-t8")[place].labeling
    scores = [
        outcome.value
        for cell, outcome in found.items()
        if cell.labeling == labeling and cell.index == PUBLISHED
    ]
    assert scores == pytest.approx(expected, abs=6e-4)


def test_labelings_are_those_of_the_caption(found: Outcomes) -> None:
    known = [
        sizes(found, row_order._DBCV_T8_DATA, setting.labeling)
        for setting in settings("tab-dbcv-t8")
    ]
    counts = [(len(one["clusters"]), one["noise"]) for one in known if one is not None]
    assert counts == [(173, 1101), (2, 0), (3, 194), (8, 323)]
    assert known[1] == {"clusters": [7998, 2], "noise": 0}


def test_report_of_few_runs_judges_the_sizes_alone(found: Outcomes) -> None:
    report = tab_dbcv_t8.report(found, SCOPE)
    judged = [(row.row, row.verdict) for row in report.rows if row.verdict != "not judged"]
    assert judged == [("Clusters of (b) eps 0.2, minPts 2", "passes")]
    assert sum(row.column == "claim" for row in report.rows) == 3


@pytest.mark.parametrize(
    ("winners", "verdict"),
    [((1, 2, 3), "passes"), ((1, 3), "fails"), ((0, 1, 3), "fails"), ((0, 1, 2, 3), "fails")],
)
def test_three_labelings_must_win(winners: tuple[int, ...], verdict: str) -> None:
    scope = Scope(runs=100)
    places = {setting.labeling: place for place, setting in enumerate(settings("tab-dbcv-t8"))}
    outcomes = {
        cell: Outcome(
            float(places[cell.labeling] == winners[int(cell.data["shuffle"]) % len(winners)])
        )
        for cell in tab_dbcv_t8.cells(scope)
        if cell.index == PUBLISHED
    }
    rows = tab_dbcv_t8.report(Outcomes(outcomes), scope).rows
    assert [row.verdict for row in rows if row.row.startswith("Labelings that")] == [verdict]


def test_full_report_judges_by_digits() -> None:
    scope = Scope(runs=100)
    paper = {setting.labeling: setting.printed for setting in settings("tab-dbcv-t8")}
    outcomes = {
        cell: Outcome(float(paper[cell.labeling]["dbcv_mean"]))
        for cell in tab_dbcv_t8.cells(scope)
        if cell.index == PUBLISHED
    }
    report = tab_dbcv_t8.report(Outcomes(outcomes), scope)
    means = {row.row: row.verdict for row in report.rows if row.column == "DBCV (mean)"}
    assert set(means.values()) == {"passes"}
    shares = {row.row: row.verdict for row in report.rows if row.column == "selected (%)"}
    # Without any spread the truth is selected always.
    assert shares["ground truth"] == shares["(b) eps 0.2, minPts 2"] == "fails"
    assert shares["(a) eps 0.04, minPts 5"] == "passes"


def test_figures_are_drawn(found: Outcomes, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    report = tab_dbcv_t8.report(found, SCOPE)
    assert [figure.name for figure in report.figures] == ["clusterings", "distribution"]
    clusterings, distribution = (figure.draw() for figure in report.figures)
    assert "ground truth" in clusterings.axes[3].get_title()
    assert len(distribution.axes) == 4


def test_report_without_cells() -> None:
    report = tab_dbcv_t8.report(Outcomes({}), SCOPE)
    assert all(row.ours is None for row in report.rows)
    assert [figure.name for figure in report.figures] == ["clusterings"]
