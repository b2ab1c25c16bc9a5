"""A short part of the cases, and that what is not right would be seen."""

from __future__ import annotations

import json
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fuzz
from definitions import disco as literal
from disco_cvi import InvalidInputError, UndefinedScoreError
from fuzz import arguments, definition, right, workers
from fuzz.cases import Call, Case
from fuzz.doors import Target, targets
from fuzz.draws import Draws
from fuzz.outcome import Outcome, run_case
from fuzz.run import main, summarize
from fuzz.streams import Streams
from fuzz.workers import Late, Worker
from helpers import zoo

SEED, COUNT = 2026, 120
# Of these through the runner: a process of its own under a watch, with dropped rights.
WATCHED = 20
TARGET = targets()["disco_score"]


def make_call(tmp_path: Path, **arguments: Any) -> Call:
    draws = Draws(np.random.default_rng(0), tmp_path)
    return Call(TARGET.function, arguments, frozenset(TARGET.parameters), draws)


def found(error: Exception, tmp_path: Path) -> list[str]:
    return list(right.judge_error(error, TARGET, make_call(tmp_path)))


# --- cases --------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", range(0, COUNT, 40))
def test_a_short_part_is_right(start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER", "true")  # shows pages to nobody
    monkeypatch.chdir(tmp_path)  # where commands write if nobody says where
    outcomes = [run_case(fuzz.case(SEED, number), tmp_path) for number in range(start, start + 40)]
    assert [outcome for outcome in outcomes if outcome.kind == "not right"] == []


def test_another_short_part_is_right_in_processes_under_a_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Compiled by other tests already; a case may still be the first to need one.
    monkeypatch.setattr(workers, "KERNELS", Path(os.environ["NUMBA_CACHE_DIR"]))
    out = tmp_path / "fuzz.json"
    words = ["--compiled", "--first", str(COUNT), "--cases", str(WATCHED), "--jobs", "1"]
    code = main([*words, "--seed", str(SEED), "--out", str(out)])
    kept = json.loads(out.read_text())
    assert (code, kept["cases"], kept["wrong"]) == (0, WATCHED, [])


def test_a_case_follows_from_seed_and_number_alone(tmp_path: Path) -> None:
    for number in range(20):
        first, second = (fuzz.case(3, number) for _ in range(2))
        assert first.target is second.target
        if not first.target.is_command:
            calls = [each.build(tmp_path / str(number)) for each in (first, second)]
            assert list(right.changed_arguments(*calls)) == []
    assert len({fuzz.case(3, number).target.name for number in range(300)}) > 80


# --- what is not right --------------------------------------------------------------------------


def test_an_error_must_name_an_argument(tmp_path: Path) -> None:
    good = InvalidInputError(argument="min_points", caller="disco_score", rule="be 1", got="0")
    assert found(good, tmp_path) == []
    # It speaks of min_points, too, but is of something else.
    other = InvalidInputError(argument="minimum", caller="f", rule="be min_points", got="0")
    assert "is of 'minimum', which is no argument" in found(other, tmp_path)[0]
    assert "is of no argument" in found(InvalidInputError("labels are odd."), tmp_path)[0]
    assert found(UndefinedScoreError("There is no cluster."), tmp_path) == []
    assert "no sentence" in found(UndefinedScoreError("none"), tmp_path)[0]
    assert "ZeroDivisionError" in found(_raised(), tmp_path)[0]


def _raised() -> Exception:
    try:
        1 / 0  # noqa: B018 - for its error, with the place where it was raised
    except ZeroDivisionError as error:
        return error
    raise AssertionError


def test_errors_of_a_metric_are_the_user_s_but_not_those_of_functions_with_its_name(
    tmp_path: Path,
) -> None:
    def distance() -> None:
        raise ZeroDivisionError

    for function, wrong in ((arguments.failing, []), (distance, ["ZeroDivisionError at test_ca"])):
        with pytest.raises(ZeroDivisionError) as caught:
            function()
        assert [each[:28] for each in found(caught.value, tmp_path)] == wrong


def test_an_error_of_the_system_must_be_of_a_file_that_was_given(tmp_path: Path) -> None:
    target = targets()["DensityTree.save"]
    path = tmp_path / "missing" / "tree"
    call = make_call(tmp_path, path=path)

    def judged(error: OSError, call: Call = call, target: Target = target) -> list[str]:
        with pytest.raises(OSError) as caught:
            raise error
        return [each.partition(" ")[0] for each in right.judge_error(caught.value, target, call)]

    assert judged(FileNotFoundError(2, "none", str(path))) == []
    assert judged(OSError(f"{path} is odd")) == []
    assert judged(FileNotFoundError(2, "none", "/else/where")) == ["FileNotFoundError"]
    assert judged(OSError("Too many open files")) == ["OSError"]
    points = make_call(tmp_path, X=str(path))
    assert judged(OSError(2, "none", str(path)), points, TARGET) == ["FileNotFoundError"]
    assert judged(OSError(2, "none", str(path)), points, targets()["distributed.explain"]) == []


def test_messages_must_be_printable(tmp_path: Path) -> None:
    error = InvalidInputError(argument="X", caller="disco_score", rule="be", got="\x1b[31m")
    assert found(error, tmp_path) == [
        "raw control characters: 'X of disco_score must be; got \\x1b'"
    ]


@pytest.mark.parametrize("value", [float("nan"), 1.5, -1.0000001, float("inf")])
def test_a_value_must_be_in_its_range(value: float) -> None:
    assert "is not from -1 to 1" in next(right.judge_value(value, TARGET))
    assert list(right.judge_value(0.5, TARGET)) == []


def test_a_changed_argument_is_seen(tmp_path: Path) -> None:
    X, labels = np.zeros((3, 2)), [0, 1, 1]
    fresh = make_call(tmp_path, X=X.copy(), labels=list(labels))
    assert list(right.changed_arguments(make_call(tmp_path, X=X, labels=labels), fresh)) == []
    X[0, 0] = -0.0
    labels.append(2)
    changed = list(right.changed_arguments(make_call(tmp_path, X=X, labels=labels), fresh))
    assert changed == ["the argument X was changed", "the argument labels was changed"]


def test_warnings_of_others_are_seen(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("overflow", RuntimeWarning, stacklevel=1)
    assert "RuntimeWarning" in next(right.judge_warnings(caught, make_call(tmp_path)))


def test_output_is_seen_even_if_it_passes_by_python() -> None:
    with Streams() as streams:
        sys.stdout.write("a")
        os.write(1, b"b")
        sys.stderr.write("c")
        assert sorted("".join(streams.take())) == ["a", "b", "c"]
        assert streams.take() == ("", "")


@pytest.mark.parametrize(
    ("code", "said", "wrong"),
    [
        (3, ("", "disco: x"), "exit code"),
        (1, ("", "Traceback"), "traceback"),
        (1, ("", "x"), "no reason"),
        (1, ("0.5", "disco: x"), "in spite of"),
        (2, ("", ""), "not a word"),
        (0, ("\x1b[31m", ""), "control"),
    ],
)
def test_answers_of_commands_are_judged(code: int, said: tuple[str, str], wrong: str) -> None:
    assert any(wrong in each for each in right.judge_command(code, said, []))


def test_a_broken_function_is_not_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(X: Any, labels: Any, **_: Any) -> float:
        return 7.0

    numbers = [n for n in range(300) if fuzz.case(SEED, n).target is TARGET]
    monkeypatch.setattr(Case, "target", Target("disco_score", broken))
    outcomes = [run_case(fuzz.case(SEED, number), tmp_path) for number in numbers]
    assert {outcome.kind for outcome in outcomes} == {"not right"}
    # Where the arguments are wild, they are what is wrong when it is asked in other ways.
    assert any("disco_score: 7.0 is not from -1 to 1" in outcome.wrong for outcome in outcomes)
    assert all(outcome.shown.startswith("disco_score(X=") for outcome in outcomes)


# --- DISCO by its definition --------------------------------------------------------------------


def test_the_definition_agrees_with_the_other_one() -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(60)
    found = definition.disco_samples(X, labels, 5)
    expected = literal.disco_samples(X, labels)
    assert float(np.abs(found - expected).max()) < definition.TOLERANCE


# --- workers and the command --------------------------------------------------------------------


class Asked(Worker):
    """A worker that is asked without a process."""

    def __init__(self, *answers: dict[str, Any] | str) -> None:
        super().__init__(SEED)
        self.answers = list(answers)

    def _ask(self, number: int) -> dict[str, Any] | str:
        assert number == 7
        return self.answers.pop(0)


def test_what_is_late_is_asked_once_more_and_counted() -> None:
    good = Outcome(7, "f", "value").to_dict()
    once = Asked(Late("no end"), good).run(7)
    assert (once.kind, once.late) == ("value", True)
    twice = Asked(Late("no end"), Late("no end"), good).run(7)
    assert (twice.kind, twice.late, twice.wrong) == ("not right", True, ("no end",))
    assert summarize([once, twice, Outcome(8, "f", "value")], 0)["late and asked again"] == 2


def test_what_ends_the_process_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    good = Outcome(7, "f", "value").to_dict()
    assert Asked("the process died", good).run(7).wrong == ("the process died",)
    worker = Worker(SEED)
    monkeypatch.setattr(worker, "_read", lambda _limit: "ready")
    try:
        process = worker._start()
        process.kill()
        process.wait()
        monkeypatch.undo()
        assert worker._ask(7) == "the process died: exit code -9"
        assert worker._process is None
    finally:
        worker.close()


def test_the_command_counts_and_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = next(n for n in range(999) if fuzz.case(SEED, n).target.name == "disco indices")
    out = tmp_path / "fuzz.json"
    code = main(["--seed", str(SEED), "--number", str(number), "--out", str(out)])
    kept = json.loads(out.read_text())
    assert (code, kept["cases"], kept["not right"], kept["wrong"]) == (0, 1, 0, [])
    assert re.search(r"^disco indices +\d +\d +0$", capsys.readouterr().out, re.MULTILINE)
