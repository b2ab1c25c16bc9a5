"""DISCO with noise of several distributions."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from disco_paper import noise, open_experiment
from disco_paper.cells import GROUND_TRUTH, Outcome, Outcomes, Scope, spec
from paper_helpers.run_here import run_here

fig_noise_dist = open_experiment("fig-noise-dist")

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_noise_dist, QUICK)


def _made_up(changed: dict[tuple[str, str, int], float]) -> Outcomes:
    """Outcomes by data set, noise and mu; where not given, DISCO is 0.8."""

    def score(cell: Any) -> float:
        noise = dict(cell.data.options).get("noise_distribution", "as generated")
        return changed.get((cell.data.name, str(noise), int(cell.index["min_points"])), 0.8)

    parts = {"rho_cluster": 0.8, "rho_sparse": 0.9, "rho_far": 0.9}
    cells = fig_noise_dist.cells(FULL)
    return Outcomes({cell: Outcome({"disco": score(cell), **parts}) for cell in cells})


def _verdicts(changed: dict[tuple[str, str, int], float]) -> list[str]:
    return [row.verdict for row in fig_noise_dist.report(_made_up(changed), FULL).rows[:2]]


def test_scores_are_those_of_the_proposed_recipe(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_fig_noise_distributions_proposed_recipe.csv"
    compared = 0
    for row in csv.DictReader(path.read_text().splitlines()):
        noise = {} if row["noise"] == "original" else {"noise_distribution": row["noise"]}
        data = spec(row["dataset"], **noise)
        ours = found.value(data, GROUND_TRUTH, spec("disco parts", min_points=int(row["mu"])))
        if isinstance(ours, dict):
            assert ours["disco"] == pytest.approx(float(row["disco"]), abs=5.1e-5)
            noise_score = min(ours["rho_sparse"], ours["rho_far"])
            assert noise_score == pytest.approx(float(row["rho_noise_mean"]), abs=5.1e-5)
            # All of DISCO: 4500 cluster points and 500 noise points, which rho_sparse decides.
            whole = 0.9 * ours["rho_cluster"] + 0.1 * ours["rho_sparse"]
            assert ours["disco"] == pytest.approx(whole, abs=1e-12)
            compared += 1
    # The reference has the noise of the file at mu = 5 alone, and none at mu = 3.
    assert compared == 4 + 3


def test_full_run_has_all_lines() -> None:
    assert len(set(fig_noise_dist.cells(FULL))) == 2 * 4 * 6


def test_claims_hold_within_the_method_and_can_fail() -> None:
    assert _verdicts({}) == ["within method", "within method"]
    apart = {("Synth_low", "poisson", mu): 0.7 for mu in noise.MUS}
    assert _verdicts(apart) == ["fails", "within method"]
    falling = {("Synth_high", noise, 11): 0.7 for noise in ("gaussian", "uniform", "poisson")}
    assert _verdicts(falling) == ["within method", "fails"]
    first = {
        (name, noise, 1): 0.7
        for name in ("Synth_high", "Synth_low")
        for noise in ("gaussian", "uniform", "poisson")
    }
    assert _verdicts(first) == ["within method", "fails"]
    # The noise that comes with the data is not part of the claims.
    assert _verdicts({("Synth_low", "as generated", 5): 0.1}) == _verdicts({})


def test_a_quick_run_judges_nothing(found: Outcomes) -> None:
    report = fig_noise_dist.report(found, QUICK)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert len([row for row in report.rows if row.table]) == 2 * 4 * 3


def test_figures_have_a_line_per_distribution() -> None:
    figures = fig_noise_dist.report(_made_up({}), FULL).figures
    assert [figure.name for figure in figures] == ["disco", "noise-score"]
    for figure in figures:
        axes = figure.draw().get_axes()
        assert [len(ax.lines) for ax in axes] == [5, 5], "four kinds of noise, and the default"


def test_missing_scores_are_named() -> None:
    outcomes = dict(_made_up({}))
    own = next(cell for cell in outcomes if not cell.data.options)
    outcomes[own] = Outcome(None, "No file.", is_error=True)
    rows = fig_noise_dist.report(Outcomes(outcomes), FULL).rows
    assert [row.verdict for row in rows[:2]] == ["within method"] * 2, "not part of the claims"
    new = next(cell for cell in outcomes if cell.data.options)
    outcomes[new] = Outcome(None, "No data.", is_error=True)
    rows = fig_noise_dist.report(Outcomes(outcomes), FULL).rows
    assert {row.verdict for row in rows[:2]} == {"not judged"}
    assert all(row.ours is None and "No data." in row.note for row in rows[:2])
    assert len([row for row in rows if row.table and row.ours is None]) == 4
