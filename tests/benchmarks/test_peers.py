"""The comparison with other programs: what a cell says, and what the page makes of it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import peer_tables
import pytest
from benchmarks.peers import compare, environment
from benchmarks.peers.compare import Case, Measurement
from benchmarks.peers.environment import Environment
from benchmarks.peers.programs import PROGRAMS

OURS = next(program for program in PROGRAMS if program.title == "disco_cvi: disco_score")
KIND = "DISCO"


def test_data_are_what_the_case_says() -> None:
    points, labels = Case(2_000, 3, 7, 0.2).make()
    assert points.shape == (2_000, 3)
    assert set(labels) == {-1, *range(7)}
    assert 0.15 < np.mean(labels == -1) < 0.25
    assert -1 not in Case(500, noise=0.0).make().labels


def test_a_cell_measures_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    compare.main(["--only", OURS.title, "--most", "1000", "--limit", "30"])
    assert f"{OURS.title}, Case(n_points=1000" in capsys.readouterr().out


def test_what_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    literal = next(program for program in PROGRAMS if program.title.startswith("DISCO word"))
    monkeypatch.setattr(compare, "SIZES", (Case(6_000), Case(7_000)))
    none = Environment("", {}, {})
    asked = compare.parse(["--limit", "0"])
    rows = list(compare.measure_all([literal], list(compare.SIZES), none, tmp_path, asked))
    assert [row.said for row in rows] == [
        "more than 0 s",
        "not tried: more than 0 s at 6,000 points",
    ]


def test_trees_alone_have_cases_more(tmp_path: Path) -> None:
    trees = [program for program in PROGRAMS if program.kind == "tree"]
    away = Environment("", {}, {program.package: "away" for program in PROGRAMS})
    asked = compare.parse([])
    (case, *_) = compare.TREE_CASES
    rows = list(compare.measure_all(list(PROGRAMS), [case], away, tmp_path, asked))
    assert [(row.title, row.n_features) for row in rows] == [(tree.title, 3) for tree in trees]


def test_a_program_that_cannot_be_had_is_a_row_that_says_so(tmp_path: Path) -> None:
    missing = OURS._replace(package="no-such-program")
    away = Environment("", {}, {"no-such-program": "no matching distribution"})
    asked = compare.parse([])
    (row,) = compare.measure_all([missing], [Case(100)], away, tmp_path, asked)
    assert row.said == "not installed: no matching distribution"
    assert row.seconds is None
    said = "WARNING: old\nERROR: no versions\nERROR: No matching distribution found for x\n"
    assert environment.last_error(said) == "No matching distribution found for x"


def _write(path: Path, rows: list[Measurement]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([Measurement._fields, *rows])


def test_the_page_tells_growth_and_losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "measured.csv"
    monkeypatch.setattr(peer_tables, "MEASURED", path)
    rows = []
    for size, own, other in ((1_000, 0.02, 0.01), (10_000, 0.2, 1.0), (100_000, 2.0, 100.0)):
        case = (size, 2, 20, 0.1)
        rows.append(Measurement(OURS.title, KIND, "", *case, own, 0.01, 0.5))
        rows.append(Measurement("other: score", KIND, "1.2", *case, other, 2.0, 0.5))
    rows.append(rows[-1]._replace(n_points=1_000_000, seconds=None, said="not tried: more"))
    _write(path, rows)
    table = peer_tables.size_table()
    assert f"| {OURS.title} | 0.02 s · 10 MB | 0.2 s · 10 MB | 2 s · 10 MB | - | n^1.00 |" in table
    assert (
        "| other: score (1.2) | 0.01 s · 2 GB | 1 s · 2 GB | 1e+02 s · 2 GB | - | n^2.00 |" in table
    )
    assert peer_tables.losses() == (
        "- DISCO, 1,000 points, 2 features: other: score takes 0.01 s, ours 0.02 s, "
        "2 times as long."
    )
