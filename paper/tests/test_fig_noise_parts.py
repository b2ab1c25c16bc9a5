"""The parts of the noise score: the curves of the paper, and the claims about them."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from disco_paper import noise, open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope
from paper_helpers.run_here import run_here

fig_noise_parts = open_experiment("fig-noise-parts")

FULL, THREE, QUICK = Scope(), Scope(runs=3), Scope(quick=True)


@cache
def _point() -> Outcomes:
    return run_here(fig_noise_parts, FULL, lambda cell: cell.data.name == "noise point")


@cache
def _group() -> Outcomes:
    sizes = {1, 50, 100, 200, 500, 1000, 1500}
    return run_here(
        fig_noise_parts,
        THREE,
        lambda cell: cell.data.name == "noise group" and cell.data["size"] in sizes,
    )


@cache
def _quick() -> Outcomes:
    return run_here(fig_noise_parts, QUICK)


def test_curves_are_those_of_the_paper(shared: Path) -> None:
    path = shared / "expected" / "reproduced_fig_noise_both.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert len(rows) == 18
    for row in rows:
        x = float(row["x"])
        is_point = row["panel"].startswith("far")
        # The reference has three seeds for the group, and ten for the point.
        found = _point() if is_point else _group()
        option, value = ("offset", x) if is_point else ("size", round(5 * x))
        chosen = [
            outcome.value
            for cell, outcome in found.items()
            if dict(cell.data.options).get(option) == value
        ]
        assert len(chosen) == int(row["n_seeds"])
        for part in noise.PARTS:
            values = [score[part] for score in chosen if isinstance(score, dict)]
            assert np.mean(values) == pytest.approx(float(row[part]), abs=5.1e-5), (row, part)


def test_cells_are_those_of_both_halves() -> None:
    cells = fig_noise_parts.cells(FULL)
    assert len(cells) == len(set(cells)) == 10 * (31 + 11)


def test_a_quick_run_judges_nothing() -> None:
    report = fig_noise_parts.report(_quick(), QUICK)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert all(row.ours is not None for row in report.rows)
    assert len([row for row in report.rows if row.table]) == 4 * (31 + 11)


def test_claims_hold_and_can_fail() -> None:
    scores = {panel: noise._scores(panel, _quick(), QUICK) for panel in (noise.LEFT, noise.RIGHT)}
    group, point = scores.values()
    rows = noise._claims_on_group(group) + noise._claims_on_point(point)
    assert [row.verdict for row in rows] == ["passes"] * 4 + ["not judged"]
    assert rows[-1].ours == "0 of 11"
    # Backwards, nothing is as it should be, and rho_far may be the smaller part.
    backwards = {part: values[:, ::-1] for part, values in group.items()}
    assert noise._claims_on_group(backwards)[0].verdict == "fails"
    low = {part: values - 0.1 for part, values in group.items()}
    assert noise._claims_on_group(low)[1].verdict == "fails"
    backwards = {part: values[:, ::-1] for part, values in point.items()}
    wrong = noise._claims_on_point(backwards)
    assert [row.verdict for row in wrong[:2]] == ["fails", "fails"]
    swapped = {**point, "rho_far": point["rho_sparse"] - 1}
    assert noise._claims_on_point(swapped)[-1].ours == "11 of 11"


def test_figure_has_two_halves() -> None:
    [figure] = fig_noise_parts.report(_quick(), QUICK).figures
    left, right = figure.draw().get_axes()
    assert len(left.lines) == 4
    assert len(right.lines) == 5, "four parts, and where the point leaves the disc"
    assert np.max(left.lines[0].get_xdata()) == 300
    assert np.max(right.lines[0].get_xdata()) == 5


def test_missing_scores_are_named() -> None:
    outcomes = dict(_quick())
    outcomes[next(iter(outcomes))] = Outcome(None, "It broke.", is_error=True)
    report = fig_noise_parts.report(Outcomes(outcomes), QUICK)
    claims = [row for row in report.rows if not row.table]
    assert all(row.ours is None and "It broke." in row.note for row in claims)
    assert all("1 of 10 seeds" in row.note for row in claims)
    assert len([row for row in report.rows if row.table and row.ours is None]) == 4
    fig_noise_parts.report(Outcomes({}), FULL).figures[0].draw()
