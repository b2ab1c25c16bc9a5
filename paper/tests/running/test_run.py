"""Runs: continued after any death, nothing computed twice, same bytes, errors told."""

from __future__ import annotations

import csv
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from disco_paper.cells.cell import GROUND_TRUTH, Cell, Scope, cross, spec
from disco_paper.judging.rows import Figure, Report
from disco_paper.running.run import run
from disco_paper.running.store import FILE_NAME
from disco_paper.running.summary import Summary
from paper_helpers import toy_experiment as toy
from running.test_pool import is_gone, processes, wait_for

LINE = spec("line", size=3)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def run_toys(folder: Path, *toys: Any, n_workers: int = 1, scope: Scope | None = None) -> Summary:
    return run(toys or [toy.EXPERIMENT], scope or Scope(), folder, n_workers=n_workers, shown=False)


def cells_of(*indices: str, size: int = 3) -> list[Cell]:
    return cross([spec("line", size=size)], [GROUND_TRUTH], map(spec, indices))


def computed(log: Path) -> list[list[str]]:
    return [line for line in toy.logged(log) if line[0] == "cell"]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file that a run writes for people, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != FILE_NAME}


# --- what a run writes --------------------------------------------------------------------------


def test_files_of_a_run(tmp_path: Path, log: Path) -> None:
    folder = tmp_path / "new" / "out"
    summary = run_toys(folder)
    assert set(contents(folder)) == {
        "index.html",
        "toy.csv",
        "toy.png",
        "toy.svg",
        "toy-again.png",
        "toy-again.svg",
    }
    assert summary.page == folder / "index.html"
    assert (summary.n_cells, summary.n_computed, summary.errors) == (20, 20, ())
    with (folder / "toy.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["cell", "ours", "paper", "difference", "verdict", "original", "note"]
    assert rows[0] == {
        "cell": "line (size=2), number (number=0)",
        "ours": "2.0",
        "paper": "1.0",
        "difference": "1.0",
        "verdict": "fails",
        "original": "",
        "note": "",
    }
    assert len(rows) == 20
    assert summary.verdicts == {"passes": 0, "within method": 0, "fails": 20, "not judged": 0}


def test_same_bytes_whatever_the_number_of_processes(tmp_path: Path, log: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder, n_workers in zip(folders, (1, 2, 2), strict=True):
        run_toys(folder, n_workers=n_workers)
    first, *others = map(contents, folders)
    assert first == others[0] == others[1]
    assert len(computed(log)) == 60


def test_pictures_do_not_depend_on_the_users_settings(tmp_path: Path, log: Path) -> None:
    import matplotlib as mpl

    run_toys(tmp_path / "a")
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 30, "savefig.dpi": 50}):
        run_toys(tmp_path / "b")
        assert mpl.rcParams["lines.linewidth"] == 9
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert b"Software" not in contents(tmp_path / "a")["toy.png"]
    assert b"dc:date" not in contents(tmp_path / "a")["toy.svg"]


# --- continued ----------------------------------------------------------------------------------


def test_a_second_run_computes_nothing_and_says_so(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    assert "20 cells computed." in str(run_toys(out))
    before, lines = contents(out), toy.logged(log)
    summary = run_toys(out, n_workers=2)
    assert "20 cells, all stored by earlier runs: nothing was computed again." in str(summary)
    assert summary.n_computed == 0
    assert toy.logged(log) == lines
    assert contents(out) == before


def test_a_full_run_takes_over_the_cells_of_a_quick_one(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    assert run_toys(out, scope=Scope(quick=True)).n_computed == 10
    summary = run_toys(out)
    assert "20 cells: 10 computed now, 10 stored by earlier runs." in str(summary)
    assert len(computed(log)) == 20
    assert run_toys(out, scope=Scope(runs=3)).n_computed == 0


def test_other_versions_are_computed_anew(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run_toys(out)
    monkeypatch.setattr("disco_paper.running.run.versions", lambda _: "{}")
    assert run_toys(out).n_computed == 20


def test_undefined_is_an_answer_and_an_error_is_tried_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    broken = toy.toy_of(*cells_of("undefined", "failing", "nothing"))
    summary = run_toys(out, broken)
    assert [error.reason for error in summary.errors] == ["RuntimeError: the toy is broken"]
    assert (summary.n_computed, summary.n_failed) == (2, 1)
    assert "3 cells: 2 computed now, 1 with an error." in str(summary)
    assert "3 cells: 0 computed now, 1 with an error, 2 stored" in str(run_toys(out, broken))
    monkeypatch.setenv("TOY_MENDED", "1")
    summary = run_toys(out, broken)
    assert (summary.n_computed, summary.errors) == (1, ())
    words = ("undefined", "failing", "failing", "failing")
    assert computed(log) == [["cell", "3", word] for word in words]
    assert run_toys(out, broken).n_computed == 0


# --- errors -------------------------------------------------------------------------------------


def test_data_that_cannot_be_made_are_told_once(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = cross([spec("no data", size=3)], [GROUND_TRUTH], [spec("undefined"), spec("failing")])
    broken = toy.toy_of(*wrong, *cells_of("undefined"))
    summary = run([broken], Scope(), tmp_path, n_workers=1)
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" (")[0] for line in said] == [
        "disco: error in toy, no data",
        "disco: toy: 1 cell computed, 2 with an error",
    ]
    assert len(summary.errors) == 2
    (told,) = summary.told_errors()
    assert told.startswith("toy: no data (size=3), ground truth, undefined and 1 other: The data")
    assert "toy-3.csv" in told


def test_a_cell_that_kills_its_process_does_not_end_the_run(tmp_path: Path, log: Path) -> None:
    killing = Cell(LINE, GROUND_TRUTH, spec("killing", number=0))
    broken = toy.toy_of(*cells_of("undefined"), killing, *cells_of("failing", size=4))
    summary = run_toys(tmp_path, broken)
    assert [error.what for error in summary.errors] == [
        str(killing),
        "line (size=4), ground truth, failing",
    ]
    assert "SIGKILL" in summary.errors[0].reason


def test_a_report_that_fails_costs_itself_alone(tmp_path: Path, log: Path) -> None:
    def fail(*_: object) -> Report:
        raise KeyError("row")

    broken = toy.toy_of(name="broken", report=fail)
    summary = run_toys(tmp_path, broken, toy.EXPERIMENT)
    assert summary.errors == (("broken", "the report", "KeyError: 'row'"),)
    assert "broken" in (tmp_path / "index.html").read_text()
    assert (tmp_path / "toy.png").exists()


def test_a_figure_that_fails_costs_itself_alone(tmp_path: Path, log: Path) -> None:
    def fail() -> Any:
        raise ZeroDivisionError("no size")

    def report(*given: Any) -> Report:
        rows, figures, _ = vars(toy.report(*given)).values()
        return Report(rows, (Figure("bad", "none", fail), *figures))

    summary = run_toys(tmp_path, toy.toy_of(report=report))
    assert summary.errors == (("toy", "the figure bad", "ZeroDivisionError: no size"),)
    assert {path.name for path in tmp_path.glob("*.png")} == {"toy.png", "toy-again.png"}


def test_a_full_disk_ends_the_run_and_its_processes(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(*_: object) -> None:
        raise OSError(28, "database or disk is full", "cells.sqlite")

    monkeypatch.setattr("disco_paper.running.store.Store.put", put)
    with pytest.raises(OSError, match="disk is full"):
        run_toys(tmp_path / "out", n_workers=2)
    assert processes(log)
    assert all(map(is_gone, processes(log)))


# --- alone --------------------------------------------------------------------------------------


def test_an_experiment_that_measures_time_runs_alone_and_last(tmp_path: Path, log: Path) -> None:
    def lasting(numbers: range, **changed: Any) -> Any:
        cells = [
            Cell(spec("line", size=2 + n), GROUND_TRUTH, spec("lasting", number=n)) for n in numbers
        ]
        return toy.toy_of(*cells, **changed)

    alone = lasting(range(3), name="alone", is_alone=True, seconds=1000)
    run_toys(tmp_path, alone, lasting(range(3, 7)), n_workers=2)
    times = {
        (word, int(number)): float(when)
        for word, number, when in (line for line in toy.logged(log) if line[0] in ("begin", "end"))
    }
    others = max(times["end", number] for number in range(3, 7))
    begins = [times["begin", number] for number in range(3)]
    ends = [times["end", number] for number in range(3)]
    assert others < min(begins)
    assert all(end <= begin for end, begin in zip(sorted(ends), sorted(begins)[1:], strict=False))


# --- killed -------------------------------------------------------------------------------------

# Three data sets with five cells each that take a moment, in two processes; the last cell of each
# may take longer. The source may change while tests run: that is not looked at here.
SLOW = """
import sys, pathlib
from disco_paper.running import run as module
from disco_paper.cells.cell import GROUND_TRUTH, Scope, cross, spec
from paper_helpers import toy_experiment as toy

module.versions = lambda _: "{}"

seconds = [0.03, 0.03, 0.03, 0.03, float(sys.argv[2])]
numbers = [spec("number", number=number, seconds=seconds[number]) for number in range(5)]
cells = cross([spec("line", size=size) for size in (2, 3, 4)], [GROUND_TRUTH], numbers)
print(module.run([toy.toy_of(*cells)], Scope(), pathlib.Path(sys.argv[1]), n_workers=2))
"""


def begin(folder: Path, last: float = 0.03) -> subprocess.Popen[str]:
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-c", SLOW, str(folder), str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def watch(child: subprocess.Popen[str], log: Path, wanted: int) -> None:
    """Wait until so many computations have begun since ever, or the run has ended."""
    wait_for(lambda: len(computed(log)) >= wanted or child.poll() is not None, "the run")


def stored(folder: Path) -> set[tuple[str, str]]:
    """The finished cells in the store, as the log names them."""
    if not (folder / FILE_NAME).exists():
        return set()
    with sqlite3.connect(folder / FILE_NAME) as file:
        found = file.execute(
            "SELECT json_extract(parameters, '$.data.size'), "
            "json_extract(parameters, '$.index.number') FROM cells WHERE state = 'value'"
        ).fetchall()
    file.close()
    return {(str(size), str(number)) for size, number in found}


def test_killed_at_any_moment_it_continues(tmp_path: Path, log: Path) -> None:
    out, chance = tmp_path / "out", random.Random(0)
    finished: set[tuple[str, str]] = set()
    kills, has_ended = 0, False
    while not has_ended:
        known = len(computed(log))
        child = begin(out)
        watch(child, log, known + chance.randint(0, 9))
        time.sleep(chance.random() / 20)
        kills += child.poll() is None
        if kills > 30:
            pytest.fail("it never ends")
        child.kill()
        child.communicate(timeout=60)
        wait_for(lambda: all(map(is_gone, processes(log))), "the processes to end")
        again = {(size, number) for _, size, number in computed(log)[known:]}
        assert not finished & again, "computed again although it was stored"
        assert finished <= stored(out)
        finished = stored(out)
        has_ended = child.returncode == 0
    assert kills
    assert len(finished) == 15
    assert set(contents(out)) >= {"index.html", "toy.csv", "toy.svg"}
    assert not list(out.glob(".*.partial"))


def test_killed_processes_cost_the_cells_that_they_computed(tmp_path: Path, log: Path) -> None:
    out, killed = tmp_path / "out", set()
    child = begin(out)
    for wanted in (3, 7):
        watch(child, log, wanted)
        victim = next(process for process in processes(log) if not is_gone(process))
        os.kill(victim, signal.SIGKILL)
        killed.add(victim)
    child.communicate(timeout=60)
    assert child.returncode == 0
    assert len(killed) == 2
    assert len(stored(out)) >= 15 - len(killed)
    before = computed(log)
    child = begin(out)
    child.communicate(timeout=60)
    assert len(stored(out)) == 15
    assert len(computed(log)) <= len(before) + len(killed)
    assert all(map(is_gone, processes(log)))


def test_interrupted_it_ends_at_once_with_its_processes(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    child = begin(out, last=600)  # so that it cannot end before it is interrupted
    wait_for(lambda: len(computed(log)) >= 8, "the run to get on")
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode != 0
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    assert all(map(is_gone, processes(log)))
    assert 1 <= len(stored(out)) < 15
    assert not list(out.glob("*-wal"))


def test_two_runs_in_one_folder(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    child = begin(out)
    wait_for(lambda: len(computed(log)) >= 1, "the run to begin")
    with pytest.raises(ValueError, match="is in use: another run"):
        run_toys(out)
    child.communicate(timeout=60)
    assert child.returncode == 0
    assert len(computed(log)) == 15


def test_what_a_killed_run_left_half_written_is_removed(tmp_path: Path, log: Path) -> None:
    (tmp_path / ".0123456789abcdef.partial").write_bytes(b"half")
    run_toys(tmp_path)
    assert not list(tmp_path.glob(".*"))
