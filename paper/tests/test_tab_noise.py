"""Table 3: its numbers, its colors, and what its colors hang on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from disco_paper import open_experiment, preferences
from disco_paper.cells import Outcome, Outcomes, Scope, spec
from disco_paper.judging import Report, Row
from disco_paper.preferences import PREFERENCES
from disco_paper.running.outputs import _withhold_verdicts
from disco_paper.sources import Source, make_labels, make_points
from helpers.reference_values import table_3
from paper_helpers.run_here import run_here

tab_noise = open_experiment("tab-noise")

FULL = Scope()


@pytest.fixture(scope="module")
def report(shared: Path) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return tab_noise.report(run_here(tab_noise, FULL), FULL)


def _preferences(report: Report) -> dict[tuple[str, str], Row]:
    return {(row.row, row.column): row for row in report.rows if row.table == PREFERENCES}


def test_all_but_one_cell_are_the_printed_ones(report: Report) -> None:
    cells = [row for row in report.rows if not row.table and row.column != "claim"]
    assert len(cells) == 44
    (other,) = (row for row in cells if row.verdict != "passes")
    assert (other.row, other.column) == ("DISCO", "rings, optimal")
    assert other.ours == pytest.approx(0.5057, abs=6e-5)
    assert "0.4980" in other.note


def test_originals_stand_beside_them(report: Report) -> None:
    originals: dict[str, list[float | None]] = {}
    for row in report.rows:
        if not row.table and row.column != "claim":
            originals.setdefault(row.row, []).append(row.original)
    assert originals["LCCV"] == pytest.approx(
        [0.12414172044876, 0.23111071504628, 0.26897366995136, 0.26637174593411]
    )
    assert originals["VIASCKDE"] == pytest.approx([0.54821335261687, 0.55599623780507, 0, 0])
    assert originals["DISCO"] == [None] * 4


def test_one_preference_is_not_that_of_the_printed_numbers(report: Report) -> None:
    judged = [row for row in _preferences(report).values() if row.paper]
    assert len(judged) == 22
    (wrong,) = (row for row in judged if row.verdict != "passes")
    assert (wrong.row, wrong.ours, wrong.paper) == ("S_Dbw", "truth", "noise absorbed")
    assert "The printed numbers themselves say: truth." in wrong.note


def test_an_undefined_index_prefers_neither(report: Report) -> None:
    rows = _preferences(report)
    viasckde = rows["VIASCKDE", "rings, the paper's program"]
    assert (viasckde.ours, viasckde.paper, viasckde.verdict) == ("neither", "neither", "passes")
    assert rows["VIASCKDE", "rings, definition"].ours == "neither"


def test_deviations_turn_four_preferences(report: Report) -> None:
    rows = _preferences(report)
    notes = {key: row.note for key, row in rows.items() if "By its definition" in row.note}
    assert set(notes) == {
        ("S_Dbw", "rings, the paper's program"),
        ("DBCV", "cluto-t8-8k, the paper's program"),
        ("LCCV", "rings, the paper's program"),
        ("VIASCKDE", "cluto-t8-8k, the paper's program"),
    }
    viasckde = notes["VIASCKDE", "cluto-t8-8k, the paper's program"]
    assert (
        "each alone: it weighs points by logarithms of densities; it takes noise for a cluster (not"
        in viasckde
    )
    lccv = notes["LCCV", "rings, the paper's program"]
    assert (
        "(not enough alone: it takes another length for missing paths; it takes noise for a rival"
        in lccv
    )


def test_disco_alone_prefers_good_noise(report: Report) -> None:
    claims = {row.row: row for row in report.rows if row.column == "claim"}
    (alone,) = (row for name, row in claims.items() if name.startswith("Indices"))
    assert (alone.ours, alone.verdict) == ("DISCO", "passes")
    assert claims["VIASCKDE on the rings"].verdict == "passes"


@pytest.mark.parametrize("place", range(4))
def test_labelings_are_those_of_the_paper(
    shared: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    column = [column for pair in preferences.NOISE_PAIRS for column in pair.columns][place]
    source = Source(column.data, *make_points(column.data))
    points, labels = list(table_3(shared).values())[place]
    np.testing.assert_allclose(source.points, points, atol=1e-12)
    assert np.array_equal(make_labels(column.labeling, source, preferences.NOISE_LABELINGS), labels)


def test_sizes_after_the_cut(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    data = spec("cluto-t8-8k")
    source = Source(data, *make_points(data))
    labels = make_labels(spec("cut by a stripe of noise"), source, preferences.NOISE_LABELINGS)
    sizes = [2185, 493, 324, 182, 351, 1393, 445, 600, 258, 696, 413, 660]
    assert np.unique(labels, return_counts=True)[1].tolist() == sizes


def test_report_without_values() -> None:
    report = tab_noise.report(Outcomes({}), FULL)
    assert all(row.ours is None for row in report.rows if row.column != "claim")
    assert {row.verdict for row in report.rows if row.column == "claim"} == {"fails"}


def test_errors_are_not_judged() -> None:
    error = Outcome(None, "ValueError: no file", is_error=True)
    found = Outcomes(dict.fromkeys(tab_noise.cells(FULL), error))
    report = _withhold_verdicts(tab_noise.report(found, FULL), found)
    assert {row.verdict for row in report.rows} == {"not judged"}


def test_an_error_is_no_undefined_score() -> None:
    cells = tab_noise.cells(FULL)
    for is_error, verdict in ((True, "fails"), (False, "passes")):
        found = Outcomes(dict.fromkeys(cells, Outcome(None, "a reason", is_error=is_error)))
        rows = {row.row: row for row in tab_noise.report(found, FULL).rows}
        assert rows["VIASCKDE on the rings"].verdict == verdict
