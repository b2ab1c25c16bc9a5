"""DISCO over mu: the curves, their drops and what is claimed of them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from disco_cvi.experiments import fig_mu
from disco_cvi.experiments._cells import Cell, Found, Outcome, Scope
from disco_cvi.experiments._common import TABLE_SETS
from experiments.helpers import run_here

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Found:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_mu, QUICK)


def _made_up(last: dict[str, float]) -> Found:
    """Curves that stay at 0.9, but for the last value of some data sets."""
    outcomes = {}
    for cell in fig_mu.cells(FULL):
        is_last = cell.index["min_points"] == (10 if (cell.data.name in _BENCHMARK) else 32)
        outcomes[cell] = Outcome(last.get(cell.data.name, 0.9) if is_last else 0.9)
    return Found(outcomes)


_BENCHMARK = {chosen.name for chosen in TABLE_SETS if chosen.is_benchmark}


def test_all_points_of_both_panels_are_computed() -> None:
    cells = fig_mu.cells(FULL)
    mus = {int(cell.index["min_points"]) for cell in cells if cell.data.name == "COIL20"}
    assert len(cells) == len(set(cells)) == 12 * 10 + 7 * 21
    assert mus == {*range(1, 11), *range(12, 33, 2)}


def test_curves_are_those_of_the_paper(found: Found, shared: Path) -> None:
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


def test_every_curve_passes_through_the_printed_value(found: Found) -> None:
    report = fig_mu.report(found, QUICK)
    judged = [row for row in report.rows if row.verdict != "not judged"]
    assert {(row.column, row.verdict) for row in judged} == {("5", "passes")}
    assert len(judged) == 9


@pytest.mark.parametrize(
    ("last", "verdict"),
    [
        ({"3-spiral": 0.1, "COIL20": 0.2}, "passes"),
        ({"3-spiral": 0.1, "COIL20": 0.2, "smile1": 0.15}, "fails"),
        ({"3-spiral": 0.1, "smile1": 0.2}, "fails"),
    ],
)
def test_the_claim_is_about_the_two_largest_drops(last: dict[str, float], verdict: str) -> None:
    report = fig_mu.report(_made_up(last), FULL)
    claims = [row for row in report.rows if row.column == "claim"]
    assert [row.verdict for row in claims] == [verdict]
    assert "3-spiral (0.80)" in str(claims[0].ours)


def test_a_cell_without_value_has_its_reason() -> None:
    cells = fig_mu.cells(FULL)
    lost = next(cell for cell in cells if cell.data.name == "htru2")
    outcomes: dict[Cell, Outcome] = {cell: Outcome(0.5) for cell in cells}
    outcomes[lost] = Outcome(None, "The data could not be made.", is_error=True)
    rows = [row for row in fig_mu.report(Found(outcomes), FULL).rows if row.ours is None]
    assert [(row.row, row.column, row.note) for row in rows] == [
        ("htru2", "1", "The data could not be made.")
    ]


def test_figures_are_drawn(found: Found) -> None:
    (figure,) = fig_mu.report(found, QUICK).figures
    (ax,) = figure.draw().axes
    assert {line.get_label() for line in ax.lines} >= {"3-spiral", "smile1"}
    assert len(fig_mu.report(_made_up({}), FULL).figures) == 2
