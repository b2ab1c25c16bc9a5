"""The study of choosing: its rows, its mark, and what it does without some of its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from disco_paper.cells.cell import Outcome, Outcomes, Scope
from disco_paper.choosing import choose_eps
from disco_paper.choosing.candidates import ARENAS
from disco_paper.choosing.choices import CRITERIA, TITLES
from disco_paper.choosing.sets import study_sets
from disco_paper.judging.catalogue import INFOS, OURS
from disco_paper.judging.rows import Report, Row
from paper_helpers.run_here import run_here

FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(choose_eps, QUICK)


@pytest.fixture(scope="module")
def report(found: Outcomes) -> Report:
    return choose_eps.report(found, QUICK)


def of_table(report: Report, title: str) -> dict[tuple[str, str], Row]:
    return {(row.row, row.column): row for row in report.rows if row.table.startswith(title)}


def test_it_says_that_it_is_ours(report: Report) -> None:
    assert INFOS["choose-eps"].is_ours
    assert report.notes[0].startswith(OURS)
    assert all(OURS in figure.caption for figure in report.figures)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert not any(row.paper for row in report.rows)


@pytest.mark.parametrize("arena", ARENAS)
def test_every_criterion_has_its_regret_in_every_arena(report: Report, arena: str) -> None:
    rows = of_table(report, f"{ARENAS[arena].title}: regret on 8 data sets")
    for criterion in CRITERIA:
        mean, low, high, worst = (
            rows[TITLES[criterion], column].ours
            for column in ("mean", "95 % from", "95 % to", "worst")
        )
        assert isinstance(mean, float)
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert isinstance(worst, float)
        assert 0 <= low <= mean <= high <= worst <= 1.5


def test_the_pair_score_loses_less_than_disco_when_it_chooses_eps(report: Report) -> None:
    rows = of_table(report, "eps of DBSCAN: regret")
    pair, disco = (rows[title, "mean"].ours for title in ("Pair score", "DISCO"))
    assert isinstance(pair, float)
    assert isinstance(disco, float)
    assert pair < 0.1 < disco


def test_where_it_fails(report: Report) -> None:
    rows = of_table(report, "Where the pair score fails: mean ARI")
    assert all(rows[name, "what to do"].ours for name, _ in rows)
    assert rows["Nested clusters", "sets"].ours == 1
    weak, clear = (
        rows[group, "sets"].ours
        for group in (
            "Weak separation: best pair score below 0.1",
            "Best pair score 0.1 or more",
        )
    )
    assert isinstance(weak, int)
    assert isinstance(clear, int)
    assert weak + clear == 8
    nested = {column: row.ours for (name, column), row in rows.items() if name.startswith("Nested")}
    coarse, again = (
        nested["DBSCAN by pair score"],
        nested["Pair score (every eps, twice)"],
    )
    assert isinstance(coarse, float)
    assert isinstance(again, float)
    assert coarse < 0.7
    assert again > 0.95
    largest = of_table(report, "Where the pair score fails: the largest losses")
    assert largest["nested, seed 0", "clusters chosen"].ours == 4


def test_what_has_no_structure_stands_apart(report: Report) -> None:
    rows = of_table(report, "Nothing to find")
    best = rows["one Gaussian, 2 features", "best pair score"].ours
    assert isinstance(best, float)
    assert best < 0.1
    assert not [row for row in report.rows if "Gaussian" in row.row and row.column == "mean"]


def test_the_figure_is_drawn(report: Report) -> None:
    (figure,) = report.figures
    titles = [panel.get_title() for panel in figure.draw().axes]
    assert titles == [arena.title for arena in ARENAS.values()]


def test_a_set_that_cannot_be_read_is_left_out_and_named(found: Outcomes) -> None:
    lost = study_sets(QUICK)[0]
    outcomes = {
        cell: Outcome(None, "gone", is_error=True) if cell.data == lost.data else outcome
        for cell, outcome in found.items()
    }
    report = choose_eps.report(Outcomes(outcomes), QUICK)
    assert of_table(report, "eps of DBSCAN: regret on 7 data sets")
    assert f"left out: {lost.title}." in report.notes[-1]
    nothing = choose_eps.report(Outcomes({}), QUICK)
    assert (nothing.rows, nothing.figures) == ((), ())


def test_a_full_run_has_all_sets_candidates_and_criteria() -> None:
    cells = choose_eps.cells(FULL)
    assert len(cells) == len(set(cells))
    n_labelings = sum(len(arena.labelings) for arena in ARENAS.values())
    n_of_structureless = 4 * len(ARENAS["eps"].labelings) * 4
    n_measures = len(CRITERIA) + 4
    # The last two of each set are what its tree chooses by itself.
    assert len(cells) == 68 * (n_labelings * n_measures + 2) + n_of_structureless
