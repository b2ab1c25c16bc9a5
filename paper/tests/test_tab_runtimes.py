"""Run times: nothing is judged but what the paper says of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope
from disco_paper.paper import INDEX_TITLES, TABLE_SET_OF, read_printed_cells
from paper_helpers.run_here import run_here

tab_runtimes = open_experiment("tab-runtimes")

FULL, QUICK = Scope(), Scope(quick=True)


def _as_in_the_paper(**factors: float) -> Outcomes:
    """The paper's own times, those of some indices multiplied."""
    paper = read_printed_cells("tab-runtimes", "dataset")
    outcomes = {}
    for cell in tab_runtimes.cells(FULL):
        name = str(cell.index["index"])
        seconds = float(paper[TABLE_SET_OF[cell.data.name].spelling, INDEX_TITLES[name]])
        outcomes[cell] = Outcome(seconds * factors.get(name, 1.0))
    return Outcomes(outcomes)


def test_every_index_is_timed_on_every_data_set() -> None:
    timed = {(cell.data.name, cell.index["index"]) for cell in tab_runtimes.cells(FULL)}
    assert len(timed) == 19 * 11
    assert {cell.data["noise"] for cell in tab_runtimes.cells(FULL)} == {"dropped"}


def test_the_papers_own_times_fit_its_words() -> None:
    report = tab_runtimes.report(_as_in_the_paper(), FULL)
    claims = [row for row in report.rows if row.column == "claim"]
    assert [row.verdict for row in claims] == ["passes"] * 4
    assert re.fullmatch(r"rank correlation of time and points: \d\.\d\d", str(claims[-1].ours))
    ranks = [row.ours for row in report.rows if row.table == "Order from fast to slow"]
    assert ranks == pytest.approx([1.0] * 19)


@pytest.mark.parametrize(
    ("factors", "fails"), [({"dbcv": 10.0}, 0), ({"mmj_sc": 0.1}, 1), ({"silhouette": 10.0}, 2)]
)
def test_other_times_do_not(factors: dict[str, float], fails: int) -> None:
    report = tab_runtimes.report(_as_in_the_paper(**factors), FULL)
    verdicts = [row.verdict for row in report.rows if row.column == "claim"]
    assert [place for place, verdict in enumerate(verdicts) if verdict == "fails"] == [fails]


def test_seconds_and_ratios_are_not_judged() -> None:
    report = tab_runtimes.report(_as_in_the_paper(disco=2.0), FULL)
    rows = [row for row in report.rows if row.column != "claim"]
    assert {row.verdict for row in rows} == {"not judged"}
    ratio = next(row for row in rows if row.table == "Times as long as DISCO")
    assert ratio.ours == pytest.approx(float(ratio.paper) / 2, rel=0.01)


def test_a_missing_time_leaves_the_rest() -> None:
    found = _as_in_the_paper()
    lost = {cell for cell in found if cell.data.name == "COIL20" and cell.index["index"] == "cdbw"}
    report = tab_runtimes.report(Outcomes({c: o for c, o in found.items() if c not in lost}), FULL)
    seconds = [row for row in report.rows if row.table == "Seconds"]
    assert len(seconds) == 19 * 11 - 1
    assert len(report.figures[0].draw().axes) == 2
    assert {row.verdict for row in tab_runtimes.report(Outcomes({}), FULL).rows} == {"not judged"}


def test_times_are_measured(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    found = run_here(tab_runtimes, QUICK, lambda cell: cell.data.name == "3-spiral")
    values = [outcome.value for outcome in found.values()]
    assert len(values) == 11
    assert all(isinstance(value, float) and value > 0 for value in values)
