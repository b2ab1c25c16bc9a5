"""Noise that HDBSCAN finds: the fast noise scores, and the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from definitions import disco as definition
from disco_paper import noise, open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope, spec
from disco_paper.judging import Row
from disco_paper.sources import Case, Source
from helpers import zoo
from paper_helpers.run_here import run_here

tab_uci_noise = open_experiment("tab-uci-noise")

FULL, QUICK = Scope(), Scope(quick=True)
SETS = ["Iris", "Seeds", "WiFi", "Spambase", "Wine quality", "Yeast"]


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(tab_uci_noise, QUICK)


# --- noise scores -------------------------------------------------------------------------------


def literal_scores(points: zoo.Points, labels: zoo.Codes) -> dict[str, list[float]]:
    """Each cluster point relabeled for itself, and the definition asked for its score."""
    scores = {"noise points": definition.disco_samples(points, labels, min_points=5)[labels == -1]}
    relabeled = []
    for row in np.flatnonzero(labels != -1):
        others = labels.copy()
        others[row] = -1
        relabeled.append(definition.disco_samples(points, others, min_points=5)[row])
    return {**{kind: list(values) for kind, values in scores.items()}, "cluster points": relabeled}


def fast_scores(points: zoo.Points, labels: zoo.Codes) -> dict[str, list[float]]:
    source = Source(spec("made up"), points, labels)
    return noise.UCI_NOISE_MEASURES["noise scores"](Case(source, labels))


@zoo.examples(200)
@given(zoo.cases(least=5, most=25))
def test_noise_scores_are_those_of_relabeling_each_point(case: zoo.Case) -> None:
    fast, literal = fast_scores(case.points, case.labels), literal_scores(case.points, case.labels)
    assert fast.keys() == literal.keys()
    for kind, values in literal.items():
        assert fast[kind] == pytest.approx(values, rel=0, abs=1e-12), kind


@pytest.mark.small
@pytest.mark.parametrize(
    "labels",
    [
        pytest.param([0] * 40 + [1] * 20, id="no noise"),
        pytest.param([-1] * 30 + [0] * 30, id="one cluster"),
        pytest.param([-1] * 60, id="only noise"),
        pytest.param([-1] * 59 + [0], id="the last cluster point leaves"),
        pytest.param(list(range(58)) + [-1, -1], id="clusters of one point vanish"),
    ],
)
def test_noise_scores_of_special_labelings(labels: list[int]) -> None:
    points = np.random.default_rng(0).normal(size=(60, 3))
    points[5:15] = points[0]
    fast, literal = (scores(points, np.array(labels)) for scores in (fast_scores, literal_scores))
    for kind, values in literal.items():
        assert fast[kind] == pytest.approx(values, rel=0, abs=1e-12), kind


# --- table --------------------------------------------------------------------------------------


def table(report_rows: tuple[Row, ...]) -> dict[tuple[str, str], Row]:
    return {(row.row, row.column): row for row in report_rows if not row.table}


def test_cells_of_a_full_run() -> None:
    cells = tab_uci_noise.cells(FULL)
    assert len(cells) == len(set(cells)) == 6 * 7 + 6 * 10 * 3
    assert {cell.data["paper_rows"] for cell in cells if cell.data.name == "Seeds"} == {True}


# DISCO, noise points and clusters with the plain sort.
OURS = {
    "Iris": (0.6170, 2, 2),
    "Seeds": (0.1400, 78, 3),
    "WiFi": (0.2486, 148, 3),
    "Spambase": (-0.2748, 3407, 119),
    "Wine quality": (-0.3595, 4946, 168),
    "Yeast": (0.8173, 0, 3),
}


def test_numbers_are_the_same_on_every_machine(found: Outcomes) -> None:
    rows = table(tab_uci_noise.report(found, QUICK).rows)
    for name, (disco, n_noise, n_clusters) in OURS.items():
        assert rows[name, "DISCO"].ours == pytest.approx(disco, abs=5e-5), name
        assert (rows[name, "noise points"].ours, rows[name, "clusters"].ours) == (
            n_noise,
            n_clusters,
        )


def test_verdicts(found: Outcomes) -> None:
    report = tab_uci_noise.report(found, QUICK)
    rows = table(report.rows)
    assert [name for name in SETS if rows[name, "DISCO"].verdict != "passes"] == ["Iris"]
    assert rows["Iris", "DISCO"].verdict == "fails"
    near = {place for place, row in rows.items() if row.verdict == "within method"}
    assert near == {
        ("WiFi", "noise points"),
        ("Spambase", "clusters"),
        ("Wine quality", "clusters"),
    }
    assert all("plain sort" in rows[place].note for place in near)
    shares = [row for row in report.rows if row.table.startswith("Share")]
    assert [row.verdict for row in shares] == ["passes", "passes"]


def test_noise_points_score_higher_than_relabeled_cluster_points(found: Outcomes) -> None:
    claims = [row for row in tab_uci_noise.report(found, QUICK).rows if row.column == "claim"]
    assert [row.row.partition(":")[0] for row in claims] == SETS
    assert {row.verdict for row in claims} == {"passes"}


def test_the_claims_can_fail(found: Outcomes) -> None:
    """Noise scores and scores of cluster points swapped; a point above 0."""
    outcomes = dict(found)
    for cell, outcome in found.items():
        if cell.index.name == "noise scores" and isinstance(outcome.value, dict):
            noise, clustered = outcome.value["noise points"], outcome.value["cluster points"]
            swapped = {"noise points": clustered, "cluster points": noise}
            above = {"noise points": [], "cluster points": [*clustered, 0.1]}
            outcomes[cell] = replace(outcome, value=swapped if noise else above)
    claims = [
        row for row in tab_uci_noise.report(Outcomes(outcomes), QUICK).rows if row.column == "claim"
    ]
    assert len(claims) == 6
    assert {row.verdict for row in claims} == {"fails"}


@pytest.mark.small
@pytest.mark.parametrize("is_error", [True, False])
def test_a_report_of_nothing(is_error: bool) -> None:
    outcome = Outcome(None, "The data could not be made.", is_error)
    nothing = (
        Outcomes(dict.fromkeys(tab_uci_noise.cells(QUICK), outcome)) if is_error else Outcomes({})
    )
    report = tab_uci_noise.report(nothing, QUICK)
    rows = table(report.rows)
    assert len(rows) == 36
    assert {(row.ours, row.verdict) for row in rows.values()} == {(None, "fails")}
    reason = "The data could not be made." if is_error else "not part of this run"
    assert all(reason in row.note for row in rows.values())
    pytest.importorskip("matplotlib")
    report.figures[0].draw().canvas.draw()


def test_the_figure_has_two_boxes_per_data_set(found: Outcomes) -> None:
    pytest.importorskip("matplotlib")
    drawing = tab_uci_noise.report(found, QUICK).figures[0].draw()
    (ax,) = drawing.axes
    assert [tick.get_text() for tick in ax.get_xticklabels()] == SETS
    # Yeast has no noise.
    boxes = [patch for patch in ax.patches if type(patch).__name__ == "PathPatch"]
    assert len(boxes) == 11
