"""DBCV, DISCO and order-proof DBCV over shuffles of the rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from disco_paper import open_experiment
from disco_paper.cells import Cell, Outcome, Outcomes, Scope, spec
from disco_paper.row_order import PUBLISHED, mean_of
from paper_helpers.run_here import run_here

fig_dbcv_shuffle = open_experiment("fig-dbcv-shuffle")

SCOPE = Scope(runs=10)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_dbcv_shuffle, SCOPE)


def values(found: Outcomes, name: str, index: object) -> list[float]:
    return [
        float(outcome.value)  # type: ignore[arg-type]
        for cell, outcome in found.items()
        if cell.data.name == name and cell.index == index
    ]


def test_published_values_are_known(found: Outcomes) -> None:
    # Values of the paper's program on the same shuffles, to three digits.
    complex8 = [0.040, -0.120, -0.191, 0.039, -0.185, -0.093, -0.037, -0.191, -0.148, -0.157]
    complex9 = [0.111, 0.158, 0.159, 0.154, 0.172, 0.245, 0.275, 0.014]
    assert values(found, "complex8", PUBLISHED) == pytest.approx(complex8, abs=6e-4)
    assert values(found, "complex9", PUBLISHED)[:8] == pytest.approx(complex9, abs=6e-4)


@pytest.mark.parametrize("name", ["complex8", "complex9"])
@pytest.mark.parametrize("index", ["disco", "dbcv"])
def test_others_do_not_move(found: Outcomes, name: str, index: str) -> None:
    assert len(values(found, name, spec(index))) == 10
    assert len(set(values(found, name, spec(index)))) == 1


def test_few_shuffles_are_not_judged(found: Outcomes) -> None:
    report = fig_dbcv_shuffle.report(found, SCOPE)
    assert report.count("not judged") == len(report.rows)
    different = {row.row: row.ours for row in report.rows if row.column == "different"}
    assert different["complex8, DISCO"] == different["complex9, DBCV, order-proof tree"] == 1
    assert different["complex8, published DBCV"] == 10


def made_up(runs: int, *, drift: float) -> Outcomes:
    """A bell of scores for DBCV as in the saved plot, and others that drift or do not."""
    bell = np.random.default_rng(0).normal(size=1000).clip(-2.2, 2.2)
    outcomes = {}
    for cell in fig_dbcv_shuffle.cells(Scope(runs=runs)):
        run = int(cell.data["shuffle"])
        mean, spread = (-0.1, 0.08) if cell.data.name == "complex8" else (0.12, 0.08)
        moves = cell.index.name == "dbcv" and bool(cell.index.options)
        value = mean + spread * bell[run] if moves else 0.5 + drift * run
        outcomes[cell] = Outcome(float(value))
    return Outcomes(outcomes)


@pytest.mark.parametrize(("drift", "failing"), [(0.0, 0), (1e-15, 2)])
def test_an_index_that_moves_fails(drift: float, failing: int) -> None:
    report = fig_dbcv_shuffle.report(made_up(1000, drift=drift), Scope(runs=1000))
    assert report.count("fails") == failing
    assert report.count("passes") + report.count("within method") == 7 - failing


def test_means_alone_have_a_band() -> None:
    report = fig_dbcv_shuffle.report(made_up(100, drift=0.0), Scope(runs=100))
    judged = {row.column for row in report.rows if row.verdict != "not judged"}
    assert judged == {"mean"}
    extremes = [row for row in report.rows if row.column in ("lowest", "highest") and row.paper]
    assert len(extremes) == 4
    assert all(row.difference is not None and "Not judged" in row.note for row in extremes)


def test_equal_scores_have_their_own_mean(found: Outcomes) -> None:
    rows = fig_dbcv_shuffle.report(found, SCOPE).rows
    places = [{r.column: r.ours for r in rows if r.row == name} for name in {r.row for r in rows}]
    still = [place for place in places if place["different"] == 1]
    assert len(still) == 4
    assert all(place["mean"] == place["lowest"] == place["highest"] for place in still)


@pytest.mark.parametrize("number", [0.1, 1 / 3, -0.19264372])
@pytest.mark.parametrize("count", [3, 49, 100, 1000])
def test_mean_of_equal_numbers(number: float, count: int) -> None:
    assert mean_of(np.full(count, number)) == number


def test_note_tells_where_the_order_proof_score_lies() -> None:
    notes = fig_dbcv_shuffle.report(made_up(100, drift=0.0), Scope(runs=100)).notes
    assert any(note.startswith("On complex8, 0 of 100 scores") for note in notes)


def test_histograms_are_drawn(found: Outcomes) -> None:
    drawing = fig_dbcv_shuffle.report(found, SCOPE).figures[0].draw()
    assert [panel.get_title() for panel in drawing.axes] == ["complex8", "complex9"]
    # Two curves with their means, and a single line for each of the other two.
    assert [len(panel.lines) for panel in drawing.axes] == [6, 6]


def test_report_without_scores() -> None:
    nothing = {cell: Outcome(None, "lost", is_error=True) for cell in _cells()}
    report = fig_dbcv_shuffle.report(Outcomes(nothing), SCOPE)
    assert all(row.ours is None and row.note for row in report.rows)
    assert not report.figures


def _cells() -> list[Cell]:
    return fig_dbcv_shuffle.cells(SCOPE)
