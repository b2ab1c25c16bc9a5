"""Which labeling of cluto-t5-8k the published DBCV selects, and at which eps."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_cvi.experiments import tab_dbcv_t5
from disco_cvi.experiments._cells import GROUND_TRUTH, Found, Outcome, Scope, Spec, spec
from disco_cvi.experiments._selection import sizes
from disco_cvi.experiments._shuffles import PUBLISHED, dbscan, shuffled
from experiments.helpers import run_here

DATA = spec("cluto-t5-8k")
QUICK, FULL = Scope(quick=True), Scope()


@pytest.fixture(scope="module")
def found(shared: Path) -> Found:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_dbcv_t5, QUICK)


def test_all_labelings_take_part_in_every_run() -> None:
    cells = tab_dbcv_t5.cells(FULL)
    in_runs = [cell for cell in cells if cell.index == PUBLISHED]
    assert len(in_runs) == len(set(in_runs)) == 41 * 100
    assert len({cell.data for cell in in_runs}) == 100


@pytest.mark.parametrize(
    ("labeling", "expected"),
    [
        (GROUND_TRUTH, [0.633, 0.633, 0.643]),
        (dbscan(0.06, 10), [-0.608, -0.617, -0.682]),
        (dbscan(0.06, 8), [-0.541, -0.517, -0.731]),
        # These two rise to the means that the paper prints for the two above.
        (dbscan(0.1, 10), [0.580, 0.831, 0.729]),
        (dbscan(0.1, 8), [0.581, 0.832, 0.730]),
    ],
)
def test_published_values_are_known(found: Found, labeling: Spec, expected: list[float]) -> None:
    scores = [found.value(shuffled(DATA, run), labeling, PUBLISHED) for run in range(3)]
    assert scores == pytest.approx(expected, abs=6e-4)


def test_labelings(found: Found) -> None:
    printed, fitting = (sizes(found, DATA, dbscan(eps, 8)) for eps in (0.06, 0.1))
    assert printed == {"clusters": [6812, 430, 24], "noise": 734}
    assert fitting == {"clusters": [7489, 14], "noise": 497}


def test_quick_report_judges_nothing(found: Found) -> None:
    report = tab_dbcv_t5.report(found, QUICK)
    assert report.count("not judged") == len(report.rows)


def made_up() -> Found:
    """The printed means at eps 0.1, and lower scores elsewhere."""
    means = {GROUND_TRUTH: 0.618, dbscan(0.1, 10): 0.684, dbscan(0.1, 8): 0.675}
    return Found(
        {
            cell: Outcome(means.get(cell.labeling, -0.6))
            for cell in tab_dbcv_t5.cells(FULL)
            if cell.index == PUBLISHED
        }
    )


def test_printed_eps_fails_and_says_why() -> None:
    rows = tab_dbcv_t5.report(made_up(), FULL).rows
    means = {row.row: row for row in rows if row.column == "DBCV (mean)"}
    assert means["(a) eps 0.06, minPts 10"].verdict == "fails"
    assert "At eps 0.1" in means["(a) eps 0.06, minPts 10"].note
    assert means["ground truth"].verdict == "passes"
    assert means["eps 0.1, minPts 10"].verdict == means["eps 0.1, minPts 8"].verdict == "passes"
    # Without any spread there is but one winner.
    winners = next(row for row in rows if row.row.startswith("DBSCAN labelings"))
    assert (winners.ours, winners.verdict) == ("eps 0.1, minPts 10", "fails")


def test_undefined_labelings_are_never_the_best() -> None:
    outcomes = dict(made_up())
    hidden = dbscan(0.1, 10)
    outcomes = {
        cell: Outcome(None, "one cluster") if cell.labeling == hidden else outcome
        for cell, outcome in outcomes.items()
    }
    rows = tab_dbcv_t5.report(Found(outcomes), FULL).rows
    winners = next(row for row in rows if row.row.startswith("DBSCAN labelings"))
    assert winners.ours == "eps 0.1, minPts 8"


def test_figures_are_drawn(found: Found, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    report = tab_dbcv_t5.report(found, QUICK)
    clusterings, distribution = (figure.draw() for figure in report.figures)
    assert sum(panel.get_visible() for panel in clusterings.axes) == 5
    assert len(distribution.axes) == 5


def test_report_without_cells() -> None:
    report = tab_dbcv_t5.report(Found({}), FULL)
    assert all(row.ours is None for row in report.rows)
