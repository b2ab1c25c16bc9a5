"""All that writes files: what it is called with, and what it leaves."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from disco_cvi import DensityTree, disco_samples, silhouette_samples
from disco_cvi.__main__ import main
from disco_paper.datasets import catalogue
from disco_paper.judging.catalogue import ExperimentTable
from helpers.blas import blas_threads
from paper_helpers import toy_experiment as toy
from paper_helpers.archives import toy_info

# Of the modules in which a moment between two lines is drawn.
_WRITING = ("disco_cvi._output.files", "disco_paper.datasets.downloads", "disco_paper")


@dataclass(frozen=True)
class Writer:
    """A call that ends with a code, and the files that are there after it."""

    call: Callable[[], int]
    files: tuple[str, ...]
    # Whether the files may be there before.
    replaces: bool = True
    # Whether what was done before it was stopped is kept, and it goes on from there.
    continues: bool = False
    # Whether it computes again after an interrupt, to see whether the process is healthy.
    works_on: bool = False
    modules: tuple[str, ...] = _WRITING


def command(*words: str) -> Callable[[], int]:
    """As a process runs it."""

    def call() -> int:
        with mock.patch.object(sys, "argv", ["disco", *words]):
            return main()

    return call


def _save(n_points: int) -> Callable[[], int]:
    tree = DensityTree(points_of(n_points))

    def save() -> int:
        try:
            tree.save("tree.npz")
        except OSError as error:
            return _tell(str(error), 1)
        except KeyboardInterrupt:
            return _tell("interrupted", 130)
        return 0

    return save


def _tell(message: str, code: int) -> int:
    sys.stderr.write(f"disco: {message}\n")
    return code


def _work() -> list[bytes]:
    """Calls of the library in threads, on few and on many features, as bytes."""
    few, many = points_of(6000), np.random.default_rng(1).normal(size=(1500, 80))
    labels = np.arange(len(few)) % 4 - 1
    return [
        disco_samples(few, labels, n_jobs=2).tobytes(),
        DensityTree(many, n_jobs=2).heights.tobytes(),
        silhouette_samples(few[:1500], labels[:1500], n_jobs=2).tobytes(),
    ]


def _library() -> Callable[[], int]:
    """Interrupted or not, the same process then gives the same bits, with nothing left running."""
    expected = _work()

    def work() -> int:
        code = 0
        try:
            _work()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            code = _tell("interrupted", 130)
        is_healthy = {
            "bits": _work() == expected,
            "threads": threading.active_count() == 1,
            "garbage": gc.isenabled(),
            "products": blas_threads() == _BLAS_THREADS,
        }
        ill = [name for name, is_right in is_healthy.items() if not is_right]
        return _tell(f"not as before: {', '.join(ill)}", 98) if ill else code

    return work


def _large() -> Callable[[], int]:
    """Steps that take long: each must be left within a second."""
    points = points_of(150_000)
    labels = np.arange(len(points)) % 4 - 1

    def work() -> int:
        try:
            disco_samples(points, labels, n_jobs=2)
        except KeyboardInterrupt:
            return _tell("interrupted", 130)
        return 0

    return work


_BLAS_THREADS = blas_threads()

TOY_FILES = ("index.html", "toy.csv", "toy.png", "toy.svg", "toy-again.png", "toy-again.svg")

REPRODUCE = ("reproduce", "--all", "--quick", "--jobs", "1", "--out", "out")
SCORE = ("score", "points.npy", "--labels", "labels.npy", "--samples", "samples.csv")
REPORT = ("report", "points.npy", "--labels", "labels.npy", "-o", "report.html")
TUNE = ("tune", "points.npy", "--out", "labels.csv")

WRITERS: dict[str, Callable[[], Writer]] = {
    "score": lambda: Writer(command(*SCORE), ("samples.csv",)),
    "tune": lambda: Writer(command(*TUNE), ("labels.csv",)),
    "report": lambda: Writer(command(*REPORT, "--indices", "disco"), ("report.html",)),
    "library": lambda: Writer(_library(), (), works_on=True),
    "large": lambda: Writer(_large(), ()),
    "save": lambda: Writer(_save(3000), ("tree.npz",)),
    "reproduce": lambda: Writer(
        command(*REPRODUCE),
        tuple(f"out/{name}" for name in TOY_FILES),
        replaces=False,
        continues=True,
    ),
}


def points_of(n_points: int) -> Any:
    """Three clusters and some noise."""
    random = np.random.default_rng(0)
    centers = random.uniform(-50, 50, size=(3, 2))
    return centers[np.arange(n_points) % 3] + random.standard_t(2, size=(n_points, 2))


def write_inputs(folder: Path, n_points: int = 600) -> None:
    """Write what the commands read."""
    np.save(folder / "points.npy", points_of(n_points))
    np.save(folder / "labels.npy", np.arange(n_points) % 4 - 1)


def toys_in_place(stack: ExitStack, folder: Path, address: str) -> None:
    """Let the toys stand in the place of all experiments and all data sets."""
    os.environ["TOY_LOG"] = str(folder / "log")
    os.environ["no_proxy"] = "127.0.0.1"
    os.environ.pop("DISCO_DATA", None)
    (folder / "origin").mkdir(exist_ok=True)
    info = toy_info(folder / "origin", f"{address}/toy.data")
    # The source may change while tests run: that is not looked at here.
    for name, value in {
        "pooch.os_cache": lambda project: folder / "here" / project,
        "disco_paper.EXPERIMENT_TABLE": ExperimentTable([toy.INFO]),
        "disco_paper.open_experiment": lambda _: toy.EXPERIMENT,
        "disco_paper.running.run.versions": lambda _: "{}",
    }.items():
        stack.enter_context(mock.patch(name, value))
    stack.enter_context(mock.patch.object(catalogue, "CATALOGUE", (info,)))
