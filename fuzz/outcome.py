"""Run a case in this process, and say what came of it."""

from __future__ import annotations

import shutil
import sys
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.cases import Call, Case
from fuzz.relations import judge_relations
from fuzz.right import (
    changed_arguments,
    judge_command,
    judge_error,
    judge_value,
    judge_warnings,
)
from fuzz.streams import Streams


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    Attributes
    ----------
    number : int
        The number of the case.
    target : str
        What was called.
    kind : {"value", "error", "not right"}
        A value or an error as it should be, or neither.
    shown : str
        The call in short, where it is not right.
    wrong : tuple of str
        What is wrong with it.
    asked : tuple of str
        In which other ways the same was asked.
    late : bool
        Whether it was late once and asked again.
    """

    number: int
    target: str
    kind: str
    shown: str = ""
    wrong: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    late: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self)


def run_case(case: Case, folder: Path) -> Outcome:
    """Call what a case calls, and judge the answer; the folder is emptied afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call = case.build(folder / "used")
    try:
        kind, wrong = _judge(case, call)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not case.target.is_command:
                wrong += changed_arguments(call, case.build(folder / "fresh"))
    finally:
        _close_figures()
        for made in folder.iterdir():
            shutil.rmtree(made, ignore_errors=True)
    if not wrong:
        return Outcome(case.number, case.target.name, kind, asked=tuple(call.asked))
    shown = call.shown(case.target.name)
    return Outcome(case.number, case.target.name, "not right", shown, tuple(wrong))


def _judge(case: Case, call: Call) -> tuple[str, list[str]]:
    """Call, listen, and judge."""
    with Streams() as streams, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kind, wrong = "value", []
        try:
            value = call.function(**call.arguments)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - every error is judged
            kind, wrong = "error", list(judge_error(error, case.target, call))
            said = streams.take()
        else:
            said = streams.take()
            try:
                wrong = list(_judge_answer(value, said, case, call))
            except Exception as error:  # noqa: BLE001 - the answer breaks when it is asked
                wrong = [f"asked again: {type(error).__name__}: {error}"]
            kind = "error" if case.target.is_command and value else "value"
        if not case.target.is_command and not may_speak(call):
            wrong += [
                f"it wrote {text[:300]!r}" for text in (*said, *streams.take()) if _says_more(text)
            ]
    return kind, wrong + list(judge_warnings(caught, call))


def _judge_answer(value: Any, said: tuple[str, str], case: Case, call: Call) -> Iterator[str]:
    if case.target.is_command:
        yield from judge_command(value, said, call.arguments["arguments"])
        return
    yield from judge_value(value, case.target)
    yield from judge_relations(value, case.target, call)


def may_speak(call: Call) -> bool:
    """Whether it may write: where it is asked to."""
    given = call.arguments
    verbose = given.get("verbose")
    is_asked = isinstance(verbose, int | np.integer | np.bool_) and bool(verbose)
    return given.get("progress") is True or is_asked


def _says_more(text: str) -> bool:
    """Whether a text says more than that kernels are compiled, which no case decides."""
    return any(not line.startswith("disco-cvi: compiling") for line in text.splitlines())


def _close_figures() -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
