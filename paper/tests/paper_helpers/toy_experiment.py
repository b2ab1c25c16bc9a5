"""An experiment that takes no time and can go wrong in every way; it logs what it computes.

The log, a file named by TOY_LOG, has a line at the beginning of every computation: the process, the
cell's data and its index.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from disco_cvi.exceptions import UndefinedScoreError
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, cross, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.judging import Experiment, Figure, Report, judge
from disco_paper.paper import ExperimentInfo
from disco_paper.sources import Case, Source

INFO = ExperimentInfo(
    "toy", "A toy", "Table 0, tab:toy", "numbers that are known before", 2, "toys"
)


def log(*words: object) -> None:
    """One line, whole even when processes write side by side."""
    line = " ".join(map(str, [os.getpid(), *words])) + "\n"
    file = os.open(os.environ["TOY_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


def _line(*, size: int) -> LabeledPoints:
    log("data", size)
    return LabeledPoints(np.arange(2.0 * size).reshape(-1, 2), np.arange(size) % 2)


def _no_data(*, size: int) -> LabeledPoints:
    raise FileNotFoundError(2, "there is no such file", f"toy-{size}.csv")


def _wrong_labels(source: Source) -> Any:
    raise ValueError("these labels\ncannot be made")


def _odd_labels(source: Source, *, step: int) -> Any:
    log("labels", len(source.points), step)
    return np.arange(len(source.points)) % step


def _number(case: Case, *, number: int, seconds: float = 0.0) -> float:
    log("cell", len(case.labels), number)
    time.sleep(seconds)
    return float(case.source.points.sum()) / 3 + number


def _lasting(case: Case, *, number: int) -> float:
    log("begin", number, time.monotonic())
    time.sleep(0.3)
    log("end", number, time.monotonic())
    return number


def _undefined(case: Case) -> float:
    log("cell", len(case.labels), "undefined")
    raise UndefinedScoreError("The toy has no score here.")


def _failing(case: Case) -> float:
    log("cell", len(case.labels), "failing")
    if "TOY_MENDED" not in os.environ:
        raise RuntimeError("the toy is broken")
    return 1.0


def _killing(case: Case, *, number: int) -> float:
    log("cell", len(case.labels), "killing", number)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _talking(case: Case) -> dict[str, Any]:
    print("to the output")  # noqa: T201 - some programs do
    sys.stderr.write("to the error stream\n")
    np.log(np.zeros(1))  # and this warns
    return {"scores": np.array([0.1, np.nan]), "best": np.int64(3), "name": "toy"}


def _threads(case: Case) -> str:
    return os.environ["OMP_NUM_THREADS"] + os.environ["OPENBLAS_NUM_THREADS"]


def _nothing(case: Case) -> float:
    return float("nan")


DATA = {"line": _line, "no data": _no_data}
LABELINGS: dict[str, Callable[..., Any]] = {"wrong": _wrong_labels, "odd": _odd_labels}
MEASURES: dict[str, Callable[..., Any]] = {
    "number": _number,
    "lasting": _lasting,
    "undefined": _undefined,
    "failing": _failing,
    "killing": _killing,
    "talking": _talking,
    "threads": _threads,
    "nothing": _nothing,
}


def cells(scope: Scope) -> list[Cell]:
    data = [spec("line", size=size) for size in range(2, 7)]
    numbers = [spec("number", number=number) for number in range(scope.repetitions(4, 2))]
    return cross(data, [GROUND_TRUTH], numbers)


def report(found: Outcomes, scope: Scope) -> Report:
    rows = [judge(str(cell.data), str(cell.index), found[cell].value, "1.0") for cell in found]

    def draw() -> Any:
        from matplotlib.figure import Figure as Drawing

        axes = Drawing(figsize=(2, 2), layout="constrained").add_subplot()
        axes.plot([row.difference or 0.0 for row in rows], label="numbers", clip_on=True)
        axes.legend()
        axes.set_title("$\\mu$ of toys")
        return axes.figure

    return Report(tuple(rows), (Figure("", "toys", draw), Figure("again", "toys", draw)))


EXPERIMENT = Experiment(
    info=INFO,
    cells=cells,
    report=report,
    data=DATA,
    labelings=LABELINGS,
    measures=MEASURES,
)


def toy_of(*chosen: Cell, name: str = "toy", seconds: int = 2, **changed: Any) -> Experiment:
    """The toy with other cells, or another name."""
    if chosen:
        changed["cells"] = lambda _: list(chosen)
    return replace(EXPERIMENT, info=replace(INFO, name=name, seconds=seconds), **changed)


def logged(path: Path) -> list[list[str]]:
    """The log's lines, in words, without the process."""
    if not path.exists():
        return []
    return [line.split()[1:] for line in path.read_text().splitlines()]
