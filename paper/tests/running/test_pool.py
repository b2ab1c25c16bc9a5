"""Processes that compute: what they are told and answer, and what their death costs."""

from __future__ import annotations

import errno
import operator
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from disco_paper.cells.cell import GROUND_TRUTH, Cell, Outcome, Spec, cross, spec
from disco_paper.running import pool
from disco_paper.running.pool import Batch, run_batches
from disco_paper.running.worker import answer_line, order_line, read_answer, read_order
from paper_helpers import toy_experiment as toy

MODULE = toy.__name__


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def batch(*indices: Spec, size: int = 3) -> Batch:
    cells = cross([spec("line", size=size)], [GROUND_TRUTH], indices)
    return Batch("toy", MODULE, tuple(cells))


def numbers(stop: int) -> list[Spec]:
    return [spec("number", number=number) for number in range(stop)]


def computed(batches: list[Batch], n_workers: int = 1) -> dict[Cell, Outcome]:
    return {news[1]: news[2] for news in run_batches(batches, n_workers) if news is not None}


def is_gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has asked about yet is a zombie."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rpartition(")")[2].split()[0] in "ZX"


def wait_for(condition: Callable[[], bool], what: str) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail(f"in vain waited for {what}")


def processes(log: Path) -> set[int]:
    return (
        {int(line.split()[0]) for line in log.read_text().splitlines()} if log.exists() else set()
    )


# --- what is said -------------------------------------------------------------------------------


def test_orders_and_answers_are_read_as_they_were_written() -> None:
    cells = [
        Cell(spec("line", size=2), GROUND_TRUTH, spec("a", eps=0.1 + 0.2, n=1, flag=True)),
        Cell(spec("größe"), spec("dbscan", eps=1e-300), spec("b", text="x\ny")),
    ]
    assert read_order(order_line("module", cells)) == ("module", cells)
    assert order_line("module", cells).count(b"\n") == 1
    outcome = Outcome({"a": [0.1 + 0.2, None]}, "why\nnot", is_error=True, seconds=0.5)
    assert read_answer(answer_line(3, outcome)) == (3, outcome)
    assert answer_line(3, outcome).count(b"\n") == 1


def test_what_programs_print_does_not_disturb(log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (cell,) = (todo := batch(spec("talking"))).cells
    found = computed([todo])[cell]
    assert found.value == {"scores": [0.1, None], "best": 3, "name": "toy"}
    assert capfd.readouterr() == ("", "")


def test_one_thread_per_process(log: Path) -> None:
    assert [outcome.value for outcome in computed([batch(spec("threads"))]).values()] == ["11"]


def test_long_answers(log: Path) -> None:
    todo = Batch("toy", MODULE, (Cell(spec("line", size=100_000), GROUND_TRUTH, spec("labels")),))
    assert computed([todo])[todo.cells[0]].value == [0, 1] * 50_000


# --- who does what ------------------------------------------------------------------------------


def test_every_cell_once_in_every_batch(log: Path) -> None:
    batches = [batch(*numbers(3), size=size) for size in range(2, 7)]
    found = computed(batches, n_workers=2)
    assert set(found) == {cell for b in batches for cell in b.cells}
    assert len(toy.logged(log)) == 5 * (1 + 3)
    assert 1 <= len(processes(log)) <= 2
    wait_for(lambda: all(map(is_gone, processes(log))), "the processes to end")


def test_closing_ends_the_processes(log: Path) -> None:
    slow = batch(spec("number", number=0), spec("number", number=1, seconds=600.0))
    with closing(run_batches([slow], 1)) as happenings:
        assert next(news for news in happenings if news)[2].value == 5.0
    assert all(map(is_gone, processes(log)))


# --- death --------------------------------------------------------------------------------------


def test_a_cell_that_kills_its_process_costs_itself_alone(log: Path) -> None:
    todo = batch(*numbers(2), spec("killing", number=0), spec("number", number=9))
    found = computed([todo, batch(*numbers(2), size=5)])
    assert len(found) == 6
    failed = [cell for cell, outcome in found.items() if outcome.is_error]
    assert failed == [todo.cells[2]]
    assert found[failed[0]].reason == (
        "The process that computed this was ended by SIGKILL; perhaps the memory did not suffice."
    )
    lines = toy.logged(log)
    assert all(lines.count(line) == 1 for line in lines if line[0] == "cell")


def test_data_that_kill_every_process_are_given_up(log: Path) -> None:
    todo = batch(*[spec("killing", number=number) for number in range(10)])
    found = computed([todo, batch(*numbers(1), size=5)])
    assert [found[cell].is_error for cell in todo.cells] == [True] * 10
    assert sum(not outcome.is_error for outcome in found.values()) == 1
    assert sum(line[0] == "cell" for line in toy.logged(log)) == 3


def test_a_process_that_cannot_begin(log: Path) -> None:
    todo = Batch("toy", "experiments.no_such_toy", batch(*numbers(3)).cells)
    found = computed([todo])
    assert len(found) == 3
    for outcome in found.values():
        assert outcome.is_error
        assert "ended with code 1: ModuleNotFoundError: No module named" in outcome.reason
    assert not log.exists()


def refuse_starts(monkeypatch: pytest.MonkeyPatch, *, after: int, where: str) -> None:
    """Let the system start so many processes and no more, or none of their listeners."""
    start: Callable[..., Any] = operator.attrgetter(where)(pool)
    refusals = {
        "subprocess.Popen": BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"),
        "threading.Thread": RuntimeError("can't start new thread"),
    }
    started: list[object] = []

    def limited(*arguments: Any, **options: Any) -> Any:
        started.append(arguments)
        if len(started) <= after:
            return start(*arguments, **options)
        if where == "subprocess.Popen":
            raise refusals[where]
        return mock.Mock(start=mock.Mock(side_effect=refusals[where]))

    monkeypatch.setattr(f"{pool.__name__}.{where}", limited)


@pytest.mark.parametrize("where", ["subprocess.Popen", "threading.Thread"])
def test_processes_that_there_are_do_the_work_where_no_more_can_be_started(
    log: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    refuse_starts(monkeypatch, after=1, where=where)
    found = computed([batch(*numbers(2), size=size) for size in (3, 4, 5)], n_workers=3)
    assert len(found) == 6
    assert not any(outcome.is_error for outcome in found.values())


@pytest.mark.parametrize("where", ["subprocess.Popen", "threading.Thread"])
def test_where_no_process_can_be_started_one_line_says_so(
    log: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    refuse_starts(monkeypatch, after=0, where=where)
    message = r"processes of its own, and the system lets it start none \(.*\)\. A higher limit"
    with pytest.raises(ChildProcessError, match=message):
        computed([batch(*numbers(1))])


def test_other_errors_of_a_start_are_raised_as_they_are(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(FileNotFoundError, match="/nowhere/python"):
        computed([batch(*numbers(1))])
