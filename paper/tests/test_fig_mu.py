"""DISCO over mu: the curves, their drops and what is claimed of them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Cell, Outcome, Outcomes, Scope
from disco_paper.judging import equals_printed
from disco_paper.paper import TABLE_SETS
from paper_helpers.run_here import run_here

fig_mu = open_experiment("fig-mu")

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_mu, QUICK)


def _made_up(last: dict[str, float]) -> Outcomes:
    """Curves that stay at 0.9, but for the last value of some data sets."""
    outcomes = {}
    for cell in fig_mu.cells(FULL):
        is_last = cell.index["min_points"] == (10 if (cell.data.name in _BENCHMARK) else 32)
        outcomes[cell] = Outcome(last.get(cell.data.name, 0.9) if is_last else 0.9)
    return Outcomes(outcomes)


_BENCHMARK = {chosen.name for chosen in TABLE_SETS if chosen.is_benchmark}


def test_all_points_of_both_panels_are_computed() -> None:
    cells = fig_mu.cells(FULL)
    mus = {int(cell.index["min_points"]) for cell in cells if cell.data.name == "COIL20"}
    assert len(cells) == len(set(cells)) == 12 * 10 + 7 * 21
    assert mus == {*range(1, 11), *range(12, 33, 2)}


def test_curves_are_those_of_the_paper(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_fig_minptsablation.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    ours = {(cell.data.name, str(cell.index["min_points"])): found[cell].value for cell in found}
    compared = {
        (row["dataset"], row["mu"]): float(row["disco"])
        for row in rows
        if (row["dataset"], row["mu"]) in ours
    }
    assert len(compared) == 90
    for place, value in compared.items():
        assert ours[place] == pytest.approx(value, abs=6e-5), place


def test_every_curve_passes_through_the_printed_value(found: Outcomes) -> None:
    report = fig_mu.report(found, QUICK)
    compared = [row for row in report.rows if row.paper]
    assert {(row.column, row.verdict) for row in compared} == {("5", "not judged")}
    assert {row.note for row in compared} == {"Judged in tab-datasets."}
    assert len(compared) == 9
    assert all(equals_printed(float(str(row.ours)), row.paper) for row in compared)


@pytest.mark.parametrize(
    ("last", "verdict"),
    [
        ({"3-spiral": 0.1, "COIL20": 0.2}, "passes"),
        ({"3-spiral": 0.1, "COIL20": 0.2, "smile1": 0.15}, "fails"),
        ({"3-spiral": 0.1, "smile1": 0.2}, "fails"),
        ({"3-spiral": 0.1, "COIL20": 0.2, "smile1": 0.44}, "fails"),
        ({"3-spiral": 0.1, "COIL20": 0.2, "smile1": 0.46}, "passes"),
        ({"3-spiral": 0.1, "COIL20": 0.8, "smile1": 0.79}, "fails"),
    ],
)
def test_the_claim_is_that_no_other_set_drops_as_much(last: dict[str, float], verdict: str) -> None:
    report = fig_mu.report(_made_up(last), FULL)
    claims = [row for row in report.rows if row.column == "claim"]
    assert [row.verdict for row in claims] == [verdict]
    assert "3-spiral 0.80 (89%)" in claims[0].note
    assert ("smile1" in str(claims[0].ours)) == (verdict == "fails")


def test_a_small_drop_of_a_small_value_is_a_large_share() -> None:
    outcomes = dict(_made_up({"3-spiral": 0.1, "COIL20": 0.2}))
    for cell in outcomes:
        if cell.data.name == "smile1":
            outcomes[cell] = Outcome(0.1 if cell.index["min_points"] == 10 else 0.3)
    claims = [row for row in fig_mu.report(Outcomes(outcomes), FULL).rows if row.column == "claim"]
    assert [(row.ours, row.verdict) for row in claims] == [("3-spiral, COIL20, smile1", "fails")]
    assert "3-spiral and COIL20 come first" in claims[0].note
    assert "smile1 0.20 (67%)" in claims[0].note


def test_a_cell_without_value_has_its_reason() -> None:
    cells = fig_mu.cells(FULL)
    lost = next(cell for cell in cells if cell.data.name == "htru2")
    outcomes: dict[Cell, Outcome] = {cell: Outcome(0.5) for cell in cells}
    outcomes[lost] = Outcome(None, "The data could not be made.", is_error=True)
    rows = [row for row in fig_mu.report(Outcomes(outcomes), FULL).rows if row.ours is None]
    assert [(row.row, row.column, row.note) for row in rows] == [
        ("htru2", "1", "The data could not be made.")
    ]


def test_figures_are_drawn(found: Outcomes) -> None:
    (figure,) = fig_mu.report(found, QUICK).figures
    (ax,) = figure.draw().axes
    assert {line.get_label() for line in ax.lines} >= {"3-spiral", "smile1"}
    assert len(fig_mu.report(_made_up({}), FULL).figures) == 2
