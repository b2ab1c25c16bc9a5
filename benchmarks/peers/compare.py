"""Ours against other programs: ``python -m benchmarks compare [--write]``.

One run, one machine, identical data, one thread, a fresh process for every cell, its time and its
peak memory. Other programs come from a throw-away environment; one that cannot be had is a row
that says so. With ``--write`` the rows are kept in measured.csv, from which ``python
docs/tables.py`` makes docs/evidence/peers.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.data import Data, blobs
from benchmarks.peers import picture
from benchmarks.peers.environment import Environment, make_environment
from benchmarks.peers.programs import PROGRAMS, Program

HERE = Path(__file__).parent
MEASURED = HERE / "measured.csv"
# Beside starting Python, importing and compiling, which the clock leaves out.
_PATIENCE = 240
_ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "LOKY_MAX_CPU_COUNT",
    ),
    "1",
)


class Case(NamedTuple):
    """Gaussian blobs: how many points, features and clusters, and the share of noise."""

    n_points: int = 10_000
    n_features: int = 2
    n_clusters: int = 20
    noise: float = 0.1

    def make(self) -> Data:
        """Draw the points; noise is uniform in the box of the blobs."""
        points, labels = blobs(self.n_points, self.n_features, self.n_clusters, deviation=0.6)
        generator = np.random.default_rng(1)
        is_noise = generator.random(self.n_points) < self.noise
        points[is_noise] = generator.uniform(-10, 10, (int(is_noise.sum()), self.n_features))
        return Data(points, np.where(is_noise, -1, labels))


# One thing varies at a time, around the first case.
SIZES = tuple(Case(n) for n in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000))
CASES = (
    *SIZES,
    Case(noise=0.0),
    *(Case(n_features=d) for d in (10, 50, 784)),
    *(Case(n_clusters=k) for k in (5, 200, 2_000)),
)
# Trees have cases more: their time depends on the dimension most where it is small.
TREE_CASES = tuple(Case(100_000, n_features=d) for d in (3, 5, 10))


class Measurement(NamedTuple):
    """One cell; `said` is why there is no number."""

    title: str
    kind: str
    version: str
    n_points: int
    n_features: int
    n_clusters: int
    noise: float
    seconds: float | None = None
    memory: float | None = None
    value: float | None = None
    said: str = ""


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the options of the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compare", description=__doc__)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one cell")
    parser.add_argument("--memory", type=float, default=8, help="GB for one cell")
    parser.add_argument("--most", type=int, default=1_000_000, help="points at most")
    parser.add_argument("--only", default="", help="a kind, or a part of titles")
    parser.add_argument("--environment", type=Path, help="a folder to install into and to keep")
    parser.add_argument("--write", action="store_true", help="keep the rows for the docs")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> None:
    """Measure what is asked for, print it, and keep it with ``--write``."""
    asked = parse(arguments)
    programs = [
        program for program in PROGRAMS if asked.only in program.title or asked.only == program.kind
    ]
    cases = [case for case in (*CASES, *TREE_CASES) if case.n_points <= asked.most]
    with tempfile.TemporaryDirectory() as scratch:
        packages = sorted({program.package for program in programs} - {""})
        folder = asked.environment or Path(scratch) / "environment"
        found = make_environment(folder, packages)
        rows = list(measure_all(programs, cases, found, Path(scratch), asked))
    if asked.write:
        with MEASURED.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(Measurement._fields)
            writer.writerows(rows)
        picture.draw(rows)


def measure_all(
    programs: list[Program],
    cases: list[Case],
    environment: Environment,
    scratch: Path,
    asked: argparse.Namespace,
) -> Iterator[Measurement]:
    """Measure every program on its cases; one that passed the limit gets no more points."""
    gave_up: dict[str, str] = {}
    for case in cases:
        having = [each for each in programs if case not in TREE_CASES or each.kind == "tree"]
        if not having:
            continue
        data = scratch / "data.npz"
        points, labels = case.make()
        np.savez(data, points=points, labels=labels)
        for program in having:
            version = environment.versions.get(program.package, "")
            row = Measurement(program.title, program.kind, version, *case)
            if program.package in environment.missing:
                row = row._replace(said=f"not installed: {environment.missing[program.package]}")
            elif program.title in gave_up and case in SIZES:
                row = row._replace(said=gave_up[program.title])
            else:
                row = _measure(row, program, environment, data, asked)
                if row.said.startswith("more than") and case in SIZES:
                    gave_up[program.title] = f"not tried: {row.said} at {case.n_points:,} points"
            shown = row.said or f"{row.seconds:.3g} s, {row.memory:.3g} GB, value {row.value:.4g}"
            print(f"{row.title}, {case}: {shown}", flush=True)
            yield row


def _measure(
    row: Measurement,
    program: Program,
    environment: Environment,
    data: Path,
    asked: argparse.Namespace,
) -> Measurement:
    python = environment.python if program.package else sys.executable
    paths = os.pathsep.join(str(HERE.parents[1] / name) for name in ("src", "tests"))
    variables = dict(os.environ, **_ONE_THREAD, PYTHONPATH="" if program.package else paths)
    command = [python, str(HERE / "cell.py"), program.title, str(data)]
    command += [str(asked.limit), str(asked.memory)]
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            env=variables,
            timeout=asked.limit + _PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return row._replace(said=f"more than {asked.limit:g} s")
    if done.returncode == 0:
        return row._replace(**json.loads(done.stdout.splitlines()[-1]))
    return row._replace(said=_reason(done, asked))


def _reason(done: subprocess.CompletedProcess[str], asked: argparse.Namespace) -> str:
    """Why a cell has no number: the clock, the memory, or what the program said last."""
    last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
    if done.returncode == -14:  # the alarm
        return f"more than {asked.limit:g} s"
    if "MemoryError" in done.stderr or "bad_alloc" in done.stderr or done.returncode in (-6, -9):
        return f"more than {asked.memory:g} GB"
    return f"failed: {last[:120]}"
