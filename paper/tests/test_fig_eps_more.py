"""The search for eps on 3-spiral and COIL20."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from disco_paper import open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope, spec
from disco_paper.judging import Row
from disco_paper.measures import name_turned
from disco_paper.paper import name_published, read_printed
from paper_helpers.run_here import index_name, run_here

fig_eps_more = open_experiment("fig-eps-more")

FULL, QUICK = Scope(), Scope(quick=True)
COLUMNS = {
    "eps": "eps",
    "n_clusters": "k_found",
    "ari": "ari",
    "disco": "disco",
    "dbcv": "dbcv",
    "silhouette": "silhouette",
}


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_eps_more, QUICK)


def test_3_spiral_is_that_of_the_paper(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_findeps.csv"
    rows = {row["k_requested"]: row for row in csv.DictReader(path.read_text().splitlines()[:7])}
    compared = 0
    for cell in found:
        is_original_dbcv = cell.index == name_turned(spec("dbcv"))
        if index_name(cell) in COLUMNS and not is_original_dbcv:
            expected = float(rows[str(cell.labeling["k"])][COLUMNS[index_name(cell)]])
            assert found[cell].value == pytest.approx(expected, abs=6e-5), str(cell)
            compared += 1
    assert compared >= 6 * 6


def test_3_spiral_is_as_the_paper_says(found: Outcomes) -> None:
    rows = fig_eps_more.report(found, QUICK).rows
    preferred = {row.row: str(row.ours) for row in rows if row.column == "best at k"}
    assert preferred["DISCO"] == preferred["ARI"] == "3"
    assert preferred["CDbw"] == "7"
    assert [row.row for row in rows if row.verdict == "fails"] == ["3-spiral: VIASCKDE is best"]


def test_viasckde_has_no_value_where_all_densities_of_noise_are_equal(found: Outcomes) -> None:
    cells = [cell for cell in found if cell.index == name_turned(name_published("viasckde"))]
    assert [cell.labeling["k"] for cell in cells if found[cell].value is None] == [4, 5, 6, 7]


def _coil(best: dict[str, int]) -> list[Row]:
    """The rows on COIL20, if an index were best at some k and DBSCAN found what the paper says."""
    outcomes = {}
    for cell in fig_eps_more.cells(FULL):
        k = int(cell.labeling["k"])
        eps, n_clusters = ("0", "0")
        if cell.data.name == "COIL20":
            axis = read_printed("fig-eps-more-axis")[k - 15]
            eps, n_clusters = axis["eps"], axis["n_clusters"]
        is_best = k == best.get(index_name(cell), 23)
        value = float(is_best) * (-1 if index_name(cell) in ("s_dbw", "cvnn") else 1)
        value = {"eps": float(eps), "n_clusters": int(n_clusters)}.get(index_name(cell), value)
        outcomes[cell] = Outcome(value)
    rows = fig_eps_more.report(Outcomes(outcomes), FULL).rows
    return [row for row in rows if "COIL20" in row.table + row.row]


def test_claims_on_coil20_hold_where_they_should() -> None:
    small = dict.fromkeys(["cdbw", "lccv", "dcsi", "s_dbw"], 34)
    rows = _coil({**small, "disco": 26})
    assert {row.verdict for row in rows if row.column == "claim"} == {"passes"}
    assert {row.verdict for row in rows if row.column in ("eps", "clusters")} == {"passes"}
    assert len([row for row in rows if row.column == "eps"]) == 20


def test_claims_on_coil20_fail_where_they_should() -> None:
    rows = [row for row in _coil({"silhouette": 15}) if row.column == "claim"]
    failing = {row.row for row in rows if row.verdict == "fails"}
    small = {f"COIL20: {title} is best" for title in ("CDbw", "LCCV", "DCSI", "S_Dbw")}
    assert failing == {*small, "COIL20: Silhouette is best"}
    assert len(rows) == 2 + 9


def test_a_report_without_cells_says_so() -> None:
    report = fig_eps_more.report(Outcomes({}), FULL)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert report.rows[0].note == "Not part of this run."
    assert not any("undefined" in row.note for row in report.rows)


def test_the_figure_shows_ten_curves_and_marks_the_best_ari(found: Outcomes) -> None:
    (figure,) = fig_eps_more.report(found, QUICK).figures
    above, below = figure.draw().axes
    labels = [line.get_label() for line in above.lines]
    assert [str(label) for label in labels if not str(label).startswith("_")][:2] == [
        "DISCO",
        "DBCV",
    ]
    colors = [patch.get_facecolor() for patch in below.patches]
    assert colors.count(colors[1]) == 1
