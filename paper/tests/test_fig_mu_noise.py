"""DISCO over mu at several levels of noise."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from disco_paper import open_experiment, parameters
from disco_paper.cells import GROUND_TRUTH, Cell, Outcome, Outcomes, Scope, spec
from paper_helpers.run_here import run_here

fig_mu_noise = open_experiment("fig-mu-noise")

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found() -> Outcomes:
    pytest.importorskip("densired")
    return run_here(fig_mu_noise, QUICK)


def _made_up(table: dict[tuple[float, int], float]) -> Outcomes:
    """Outcomes by noise and mu; where not given, 0.8."""
    return Outcomes(
        {
            cell: Outcome(
                table.get((float(cell.data["noise"]), int(cell.index["min_points"])), 0.8)
            )
            for cell in fig_mu_noise.cells(FULL)
        }
    )


def test_scores_are_those_of_the_paper(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_fig_muablation.csv"
    compared = 0
    for row in csv.DictReader(path.read_text().splitlines()):
        data = spec("densired", noise=float(row["added_noise_fraction"]))
        ours = found.value(data, GROUND_TRUTH, spec("disco", min_points=int(row["mu"])))
        if ours is not None:
            assert ours == pytest.approx(float(row["disco"]), abs=5.1e-5)
            compared += 1
    assert compared == 2 * 3


def test_full_run_has_all_lines() -> None:
    cells = fig_mu_noise.cells(FULL)
    assert len(set(cells)) == 36
    assert Cell(spec("densired", noise=0.5), GROUND_TRUTH, spec("disco", min_points=11)) in cells


def test_claims_hold_and_can_fail() -> None:
    shares = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    falling = {(share, 1): 0.8 / (1 + share) for share in shares}
    good = fig_mu_noise.report(_made_up(falling), FULL).rows
    assert [row.verdict for row in good[:2]] == ["passes", "passes"]
    unstable = fig_mu_noise.report(_made_up({**falling, (0.3, 11): 0.7}), FULL).rows
    assert [row.verdict for row in unstable[:2]] == ["fails", "passes"]
    assert unstable[0].ours == "changes by 0.1000 or less"
    flat = fig_mu_noise.report(_made_up({}), FULL).rows
    assert [row.verdict for row in flat[:2]] == ["passes", "fails"]
    assert "to the last digits" in good[1].note
    assert "up to 2.7e-01" in flat[1].note


def test_a_quick_run_judges_nothing(found: Outcomes) -> None:
    report = fig_mu_noise.report(found, QUICK)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert len([row for row in report.rows if row.table]) == 2 * 3


def test_figure_has_a_line_per_level() -> None:
    [figure] = fig_mu_noise.report(_made_up({}), FULL).figures
    [ax] = figure.draw().get_axes()
    assert len(ax.lines) == 7, "six levels, and the default"
    assert np.array_equal(ax.lines[1].get_xdata(), parameters.MUS)


def test_missing_scores_are_named() -> None:
    outcomes = dict(_made_up({}))
    outcomes[next(iter(outcomes))] = Outcome(None, "No generator.", is_error=True)
    rows = fig_mu_noise.report(Outcomes(outcomes), FULL).rows
    assert {row.verdict for row in rows[:2]} == {"not judged"}
    assert all(row.ours is None and "No generator." in row.note for row in rows[:2])
    assert len([row for row in rows if row.ours is None]) == 3
