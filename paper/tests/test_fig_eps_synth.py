"""The search for eps on Synth_high."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from disco_paper import open_experiment, parameters
from disco_paper.cells import Outcome, Outcomes, Scope
from paper_helpers.run_here import index_name, run_here

fig_eps_synth = open_experiment("fig-eps-synth")

FULL, QUICK = Scope(), Scope(quick=True)
PREFERRED = {name: int(k) for name, k in parameters._PREFERRED.items()}


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_eps_synth, QUICK)


def _made_up(best: dict[str, int]) -> Outcomes:
    """Indices that are best at some k."""
    outcomes = {}
    for cell in fig_eps_synth.cells(FULL):
        is_best = int(cell.labeling["k"]) == best.get(index_name(cell))
        sign = -1 if index_name(cell) in ("s_dbw", "cvnn") else 1
        outcomes[cell] = Outcome(sign * float(is_best))
    return Outcomes(outcomes)


def test_settings_and_scores_are_those_of_the_paper(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_findeps.csv"
    rows = {
        row["k_requested"]: row
        for row in csv.DictReader(path.read_text().splitlines())
        if row["dataset"] == "Synth_high(z)"
    }
    columns = {"n_clusters": "k_found", "eps": "eps", "ari": "ari", "disco": "disco"}
    compared = 0
    for cell in found:
        column = columns.get(index_name(cell), index_name(cell))
        expected = float(rows[str(cell.labeling["k"])][column])
        assert found[cell].value == pytest.approx(expected, abs=6e-5), str(cell)
        compared += 1
    assert compared == 5 * 6


def test_peaks_of_the_saved_plot_pass() -> None:
    rows = fig_eps_synth.report(_made_up(PREFERRED), FULL).rows
    verdicts = [row.verdict for row in rows if row.column == "best at k"]
    assert verdicts == ["passes"] * 11


def test_the_paper_overlooks_an_index() -> None:
    rows = fig_eps_synth.report(_made_up(PREFERRED), FULL).rows
    claims = [row for row in rows if row.column == "claim"]
    assert [row.verdict for row in claims] == ["passes", "fails"]
    assert claims[1].ours == "DISCO, DBCV, CVDD"


@pytest.mark.parametrize("changed", [{"dbcv": 11}, {"ari": 9}])
def test_the_claim_fails_where_it_should(changed: dict[str, int]) -> None:
    rows = fig_eps_synth.report(_made_up({**PREFERRED, **changed}), FULL).rows
    assert next(row.verdict for row in rows if row.column == "claim") == "fails"


def test_a_quick_run_is_not_judged(found: Outcomes) -> None:
    report = fig_eps_synth.report(found, QUICK)
    assert {row.verdict for row in report.rows} == {"not judged"}
    rows = {row.row: row for row in report.rows}
    assert rows["DISCO"].ours == 10
    assert rows["Silhouette"].note.endswith("Only k = 8 to 12 were searched in this run.")
    assert rows["VIASCKDE"].note == "Not part of this run."
