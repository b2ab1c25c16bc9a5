"""Runs: continued after any death, nothing computed twice, same bytes, errors told."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import disco_cvi
from disco_cvi.exceptions import InvalidInputError
from disco_paper import open_experiment
from disco_paper.cells import GROUND_TRUTH, Cell, Outcome, Outcomes, Scope, Value, cross, spec
from disco_paper.judging import Figure, Report, Row
from disco_paper.paper import INFOS
from disco_paper.running import store
from disco_paper.running.outputs import _withhold_verdicts
from disco_paper.running.run import Summary, run
from disco_paper.running.store import FILE_NAME, Store
from paper_helpers import toy_experiment as toy

LINE = spec("line", size=3)
CELL = Cell(LINE, GROUND_TRUTH, spec("number", number=1))


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


# --- the store ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "outcome",
    [
        *(Outcome(value) for value in (0.1 + 0.2, -1e-300, 3, "text", True)),
        *(Outcome(value) for value in ([1.5, None, "a"], {"a": {"b": 2}})),
        Outcome(None, "No\nclusters.", seconds=1.0),
    ],
    ids=lambda outcome: str(outcome.value),
)
def test_outcomes_come_back_as_they_were(tmp_path: Path, outcome: Outcome) -> None:
    odd = Cell(spec("größe"), spec("dbscan", eps=0.1 + 0.2), spec("b", text="x\ny", flag=True))
    kept = Store(tmp_path, {"numpy": "1"})
    store.add(kept.path, {"numpy": "1"}, "toy", odd, outcome)
    assert kept.known("toy", [odd]) == {}
    kept.read_on()
    for again in (kept, Store(tmp_path, {"numpy": "1"})):
        assert again.known("toy", [odd, CELL]) == {odd: outcome}
        assert type(again.known("toy", [odd])[odd].value) is type(outcome.value)
        assert again.known("other", [odd]) == {}
    assert Store(tmp_path, {"numpy": "2"}).known("toy", [odd]) == {}


def test_the_last_outcome_counts_and_an_error_does_not(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    store.add(path, {}, "toy", CELL, Outcome(1.0))
    store.add(path, {}, "toy", CELL, Outcome(2.0))
    assert Store(tmp_path, {}).known("toy", [CELL]) == {CELL: Outcome(2.0)}
    store.add(path, {}, "toy", CELL, Outcome(None, "no", is_error=True))
    assert Store(tmp_path, {}).known("toy", [CELL]) == {}
    with pytest.raises(ValueError, match="JSON"):
        store.add(path, {}, "toy", CELL, Outcome([float("nan")]))


def test_a_torn_line_is_passed_over_and_ended(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    store.add(path, {}, "toy", CELL, Outcome(1.0))
    whole = path.read_bytes()
    for end in range(len(store._MARK), len(whole) - 1):
        path.write_bytes(whole[:end])
        assert Store(tmp_path, {}).known("toy", [CELL]) == {}
        store.add(path, {}, "toy", CELL, Outcome(1.0))
        assert path.read_bytes() == whole[:end] + b"\n" + whole
        assert Store(tmp_path, {}).known("toy", [CELL]) == {CELL: Outcome(1.0)}
    path.write_bytes(whole + b'[1]\n{"experiment": 2}\n\xff\x00\n{}\n' + whole[:-1])
    assert Store(tmp_path, {}).known("toy", [CELL]) == {CELL: Outcome(1.0)}


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"name": 1}\n')
    with pytest.raises(InvalidInputError, match=r"is no store of cells\. Move it away, or name"):
        Store(tmp_path, {})
    assert (tmp_path / FILE_NAME).read_text() == '{"name": 1}\n'


def test_a_number_depends_on_versions_and_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = store.origin()
    assert told["disco-cvi"] == disco_cvi.__version__
    assert {"python", "numpy", "scipy", "scikit-learn", "numba", "densired", "source"} == {
        *told
    } - {"disco-cvi"}
    found = set()
    for name in ("disco_cvi", "disco_paper"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "__init__.py").touch()
        module = getattr(store, name)
        monkeypatch.setattr(module, "__file__", str(tmp_path / name / "__init__.py"))
    for changed in (None, "disco_cvi", "disco_paper"):
        if changed:
            (tmp_path / changed / "deep" / "new.py").write_text(changed)
        found.add(store.origin.__wrapped__()["source"])
    assert len(found) == 3


# --- what a run writes --------------------------------------------------------------------------


def test_files_of_a_run(tmp_path: Path, log: Path) -> None:
    folder = tmp_path / "new" / "out"
    summary = run_toys(folder)
    pictures = {"toy.png", "toy.svg", "toy-again.png", "toy-again.svg"}
    assert set(contents(folder)) == {"index.html", "toy.csv", *pictures}
    assert summary.page == folder / "index.html"
    assert (summary.n_cells, summary.n_computed, summary.errors) == (20, 20, ())
    with (folder / "toy.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
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


def test_same_bytes_whatever_the_number_of_processes_and_the_users_settings(
    tmp_path: Path, log: Path
) -> None:
    import matplotlib as mpl

    run_toys(tmp_path / "a")
    with mpl.rc_context({"lines.linewidth": 9, "font.size": 30, "savefig.dpi": 50}):
        run_toys(tmp_path / "b", n_workers=2)
        assert mpl.rcParams["lines.linewidth"] == 9
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(computed(log)) == 40
    assert b"Software" not in contents(tmp_path / "a")["toy.png"]
    assert b"dc:date" not in contents(tmp_path / "a")["toy.svg"]


def test_programs_have_one_thread_and_do_not_disturb(
    tmp_path: Path, log: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    values: list[Value] = []

    def report(found: Outcomes, scope: Scope) -> Report:
        values.extend(outcome.value for outcome in found.values())
        return Report(())

    labels = Cell(spec("line", size=20_000), GROUND_TRUTH, spec("labels"))  # a long line
    run_toys(tmp_path, toy.toy_of(*cells_of("talking", "threads"), labels, report=report))
    scores = {"scores": [0.1, None], "best": 3, "name": "toy"}
    assert values == [scores, "11", [0, 1] * 10_000]
    assert capfd.readouterr() == ("", "")


def test_an_experiment_that_measures_time_runs_alone_and_last(tmp_path: Path, log: Path) -> None:
    def lasting(numbers: range, **changed: Any) -> Any:
        data = {n: spec("line", size=2 + n) for n in numbers}
        cells = [Cell(data[n], GROUND_TRUTH, spec("lasting", number=n)) for n in numbers]
        return toy.toy_of(*cells, **changed)

    alone = lasting(range(3), name="alone", is_alone=True, seconds=1000)
    run_toys(tmp_path, alone, lasting(range(3, 7)), n_workers=2)
    lines = [line for line in toy.logged(log) if line[0] in ("begin", "end")]
    times = {(word, int(number)): float(when) for word, number, when in lines}
    ends = sorted(times["end", number] for number in range(3))
    begins = sorted(times["begin", number] for number in range(3))
    assert max(times["end", number] for number in range(3, 7)) < begins[0]
    assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False))


# --- continued ----------------------------------------------------------------------------------


def test_what_is_stored_is_not_computed_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert "10 cells computed." in str(run_toys(out, scope=Scope(quick=True)))
    assert "20 cells: 10 computed now, 10 stored by earlier runs." in str(run_toys(out))
    before = contents(out)
    summary = run_toys(out, n_workers=2)
    assert "20 cells, all stored by earlier runs: nothing was computed again." in str(summary)
    assert contents(out) == before
    assert len(computed(log)) == 20
    monkeypatch.setattr("disco_paper.running.run.origin", lambda: {"numpy": "another"})
    assert run_toys(out).n_computed == 20


def test_undefined_is_an_answer_and_an_error_is_tried_again(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    broken = toy.toy_of(*cells_of("undefined", "failing", "nothing"))
    summary = run_toys(out, broken)
    assert [error.reason for error in summary.errors] == ["RuntimeError: the toy is broken"]
    assert "3 cells: 2 computed now, 1 with an error." in str(summary)
    assert "3 cells: 0 computed now, 1 with an error, 2 stored" in str(run_toys(out, broken))
    monkeypatch.setenv("TOY_MENDED", "1")
    summary = run_toys(out, broken)
    assert (summary.n_computed, summary.errors) == (1, ())
    words = ("undefined", "failing", "failing", "failing")
    assert computed(log) == [["cell", "3", word] for word in words]


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
        "disco: toy: 3 cells: 1 computed now, 2 with an error",
    ]
    assert len(summary.errors) == 2
    (told,) = summary.told_errors()
    assert told.startswith("toy: no data (size=3), ground truth, undefined and 1 other: The data")
    assert "toy-3.csv" in told


def test_a_report_or_figure_that_fails_costs_itself_alone(tmp_path: Path, log: Path) -> None:
    def fail(*_: object) -> Any:
        raise KeyError("row")

    def report(*given: Any) -> Report:
        rows, figures, _ = vars(toy.report(*given)).values()
        return Report(rows, (Figure("bad", "none", fail), *figures))

    toys = [toy.toy_of(name="broken", report=fail), toy.toy_of(report=report)]
    summary = run_toys(tmp_path, *toys)
    assert summary.errors == (
        ("broken", "the report", "KeyError: 'row'"),
        ("toy", "the figure bad", "KeyError: 'row'"),
    )
    assert "broken" in (tmp_path / "index.html").read_text()
    assert {path.name for path in tmp_path.glob("*.png")} == {"toy.png", "toy-again.png"}


def test_only_what_may_hang_on_an_error_is_excused() -> None:
    rows = (
        Row("a", "value", 0.5, "0.5", "passes"),
        Row("a", "missing", None, "0.5", "fails"),
        Row("a", "claim", "c", "b", "passes"),
    )
    error, undefined = Outcome(None, "no file", is_error=True), Outcome(None, "undefined")
    with_error = _withhold_verdicts(Report(rows), Outcomes({CELL: error}))
    assert [row.verdict for row in with_error.rows] == ["passes", "not judged", "not judged"]
    assert _withhold_verdicts(Report(rows), Outcomes({CELL: undefined})).rows == rows


@pytest.mark.parametrize("name", [name for name in INFOS if name != "tab-implementation"])
def test_errors_alone_are_not_judged(name: str) -> None:
    experiment, quick = open_experiment(name), Scope(quick=True)
    error = Outcome(None, "ValueError: no file", is_error=True)
    found = Outcomes(dict.fromkeys(experiment.cells(quick), error))
    report = _withhold_verdicts(experiment.report(found, quick), found)
    assert [row for row in report.rows if row.verdict != "not judged"] == []


# --- killed -------------------------------------------------------------------------------------


def test_a_cell_that_kills_its_process_costs_itself_alone(tmp_path: Path, log: Path) -> None:
    killing = [Cell(LINE, GROUND_TRUTH, spec("killing", number=number)) for number in range(2)]
    others = [*cells_of("undefined"), *cells_of("nothing", "failing", size=4)]
    broken = toy.toy_of(*others[:1], *killing, *others[1:])
    summary = run_toys(tmp_path, broken, n_workers=2)
    reasons = {error.what: error.reason for error in summary.errors}
    assert list(reasons) == [*map(str, killing), "line (size=4), ground truth, failing"]
    assert all("ended early; perhaps" in reasons[str(cell)] for cell in killing)
    assert (summary.n_computed, summary.n_failed) == (2, 3)


# Three data sets with five cells each that take a moment, in two processes; the last cell of each
# may take longer. The source may change while tests run: that is not looked at here.
SLOW = """
import sys, pathlib
from disco_paper.running import run as module
from disco_paper.cells import GROUND_TRUTH, Scope, cross, spec
from paper_helpers import toy_experiment as toy

module.origin = dict
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


def wait_for(condition: Callable[[], bool], what: str) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail(f"in vain waited for {what}")


def all_are_gone(log: Path) -> bool:
    """Whether all processes that computed have ended; one that nobody asked about is a zombie."""
    for process in {line.split()[0] for line in log.read_text().splitlines()}:
        try:
            status = Path(f"/proc/{process}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if status.rpartition(")")[2].split()[0] not in "ZX":
            return False
    return True


def stored(folder: Path) -> set[tuple[str, str]]:
    """The finished cells in the store, as the log names them."""
    if not (folder / FILE_NAME).exists():
        return set()
    lines = [json.loads(line) for line in (folder / FILE_NAME).read_text().splitlines()]
    return {
        (str(line["data"][1]["size"]), str(line["index"][1]["number"]))
        for line in lines
        if not line["is_error"]
    }


def test_killed_at_any_moment_it_continues(tmp_path: Path, log: Path) -> None:
    out, chance = tmp_path / "out", random.Random(0)
    finished: set[tuple[str, str]] = set()
    kills, has_ended = 0, False
    while not has_ended:
        wanted = len(computed(log)) + chance.randint(1, 9)
        known = len(computed(log))
        child = begin(out)
        is_on = lambda: len(computed(log)) >= wanted or child.poll() is not None  # noqa: E731, B023
        wait_for(is_on, "the run to get on")
        kills += child.poll() is None
        assert kills < 20, "it never ends"
        child.kill()
        child.communicate(timeout=60)
        wait_for(lambda: all_are_gone(log), "the processes to end")
        again = {(size, number) for _, size, number in computed(log)[known:]}
        assert not finished & again, "computed again although it was stored"
        finished = stored(out)
        has_ended = child.returncode == 0
    assert kills
    assert len(finished) == 15
    assert set(contents(out)) >= {"index.html", "toy.csv", "toy.svg"}


def test_interrupted_it_ends_soon_with_its_processes(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    child = begin(out, last=600)  # so that it cannot end before it is interrupted
    wait_for(lambda: len(computed(log)) >= 8, "the run to get on")
    start = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert time.monotonic() - start < 20  # a second on a quiet machine
    assert child.returncode != 0
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    assert all_are_gone(log)
    assert 1 <= len(stored(out)) < 15


def test_two_runs_in_one_folder(tmp_path: Path, log: Path) -> None:
    out = tmp_path / "out"
    runs = [begin(out), begin(out)]
    for child in runs:
        assert "15 cells" in child.communicate(timeout=60)[0]
    assert len(stored(out)) == 15
    assert set(contents(out)) >= {"index.html", "toy.csv", "toy.svg"}


def test_a_full_disk_ends_the_run_and_its_processes(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    kept = Store.read_on

    def fill(self: Store) -> dict[str, Outcome]:
        if log.exists():
            raise OSError(28, "No space left on device", str(self.path))
        return kept(self)

    monkeypatch.setattr(Store, "read_on", fill)
    with pytest.raises(OSError, match="No space left"):
        run_toys(out, n_workers=2)
    assert all_are_gone(log)
