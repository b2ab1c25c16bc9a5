"""Run many cases and say what was not right: ``python -m fuzz --cases 50000 --seed 0``.

The counts and everything that was not right are kept as JSON in .cache/fuzz.json, or where --out
says. The exit code is 1 if anything was not right.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from disco_cvi import __version__
from disco_cvi._output.tables import text_table
from fuzz.cases import case
from fuzz.outcome import Outcome
from fuzz.workers import PROJECT, Worker, compile_kernels, rights

KINDS = ("value", "error", "not right")
# Seconds between two words on progress.
PAUSE = 30.0


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("python -m fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="which (default: 0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--number", type=int, help="this case alone")
    parser.add_argument("--only", help="only cases that call this, such as disco_score")
    parser.add_argument("--out", type=Path, default=PROJECT / ".cache" / "fuzz.json")
    parser.add_argument("--compiled", action="store_true", help="kernels are compiled already")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases; return the exit code."""
    asked = parse(arguments)
    if not asked.compiled and asked.number is None:
        print("Compiling the kernels ...", flush=True)
        compile_kernels()
    print(f"Cases run {rights()}.", flush=True)
    begin = time.monotonic()
    outcomes = []
    said = begin
    for outcome in run(asked):
        outcomes.append(outcome)
        if outcome.kind == "not right":
            print(f"\n{outcome.number}: {outcome.shown}", flush=True)
            print("".join(f"    {each}\n" for each in outcome.wrong), end="", flush=True)
        if time.monotonic() - said > PAUSE:
            said = time.monotonic()
            wrong = sum(each.kind == "not right" for each in outcomes)
            print(f"{len(outcomes):,} cases in {said - begin:.0f} s, {wrong} not right", flush=True)
    summary = summarize(outcomes, asked.seed)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print(table(outcomes))
    print(f"Late and asked again: {summary['late and asked again']}")
    return 1 if summary["not right"] else 0


def run(asked: argparse.Namespace) -> Iterator[Outcome]:
    """Run the cases in as many workers as were asked for."""
    numbers = [asked.number] if asked.number is not None else _numbers(asked)
    free: SimpleQueue[Worker] = SimpleQueue()
    workers = [Worker(asked.seed) for _ in range(max(1, min(asked.jobs, len(numbers))))]
    for worker in workers:
        free.put(worker)

    def run_one(number: int) -> Outcome:
        worker = free.get()
        try:
            return worker.run(number)
        finally:
            free.put(worker)

    try:
        with ThreadPoolExecutor(len(workers)) as pool:
            yield from pool.map(run_one, numbers)
    finally:
        for worker in workers:
            worker.close()


def _numbers(asked: argparse.Namespace) -> list[int]:
    everything = range(asked.first, asked.first + asked.cases)
    if asked.only is None:
        return list(everything)
    return [number for number in everything if case(asked.seed, number).target.name == asked.only]


def summarize(outcomes: Sequence[Outcome], seed: int) -> dict[str, object]:
    """Return the counts, and everything that was not right."""
    kinds = Counter(outcome.kind for outcome in outcomes)
    per_target = {
        name: dict(zip(KINDS, counts, strict=True)) for name, counts in _counts(outcomes).items()
    }
    wrong = [outcome.to_dict() for outcome in outcomes if outcome.kind == "not right"]
    totals = {kind: kinds[kind] for kind in KINDS}
    asked = Counter(way for outcome in outcomes for way in outcome.asked)
    return (
        {"version": __version__, "seed": seed, "cases": len(outcomes)}
        | totals
        | {
            "late and asked again": sum(outcome.late for outcome in outcomes),
            "asked in other ways": dict(sorted(asked.items())),
            "targets": per_target,
            "wrong": wrong,
        }
    )


def _counts(outcomes: Sequence[Outcome]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.target, [0, 0, 0])[KINDS.index(outcome.kind)] += 1
    return dict(sorted(found.items()))


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the counts for people."""
    counts = _counts(outcomes)
    total = [sum(column) for column in zip(*counts.values(), strict=True)]
    rows = [(name, *map(str, each)) for name, each in {**counts, "all": total}.items()]
    return text_table([("called", *KINDS), *rows])
