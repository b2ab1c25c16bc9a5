"""Make mutants, run the tests on them and list survivors: ``python -m mutants --sample 400``.

Everything is kept as JSON in .cache/mutants.json, or where --out says. The exit code is 1 if a
mutant survived without a reason in survivors.toml, if less than 90 % of a group died, or if
survivors.toml lists what is no longer there.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mutants.changes import mutants_of
from mutants.known import Key, gone, key_of, read_known
from mutants.subjects import GROUPS, Subject
from mutants.trials import Effort, Trial, Verdict, run_trials

PROJECT = Path(__file__).resolve().parents[1]
# At least so large a part of a group must die.
FLOOR = 0.9
# Seconds between two words on progress.
PAUSE = 30.0
COLUMNS = ("mutants", "died", "time limit", "survived", "with a reason")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("python -m mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="how many; 0: all (default: 400)")
    parser.add_argument("--seed", type=int, default=0, help="which (default: 0)")
    parser.add_argument("--group", choices=tuple(GROUPS), help="of this group alone")
    parser.add_argument("--only", help="of this module alone, such as indices.disco")
    parser.add_argument("--line", type=int, help="with --only: of this line alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of tests per mutant, at most (default: 10)"
    )
    parser.add_argument("--out", type=Path, default=PROJECT / ".cache" / "mutants.json")
    return parser.parse_args(arguments)


def main(
    arguments: Sequence[str] | None = None,
    groups: Mapping[str, Sequence[Subject]] = GROUPS,
    known: Mapping[Key, str] | None = None,
) -> int:
    """Run the mutants; return the exit code."""
    asked = parse(arguments)
    known = read_known() if known is None else known
    _prepare()
    chosen: dict[str, list[Trial]] = {}
    listed_in_vain: list[Key] = []
    for group in groups if asked.group is None else [asked.group]:
        everything = trials_of(groups[group])
        listed_in_vain += gone(known, everything)
        chosen[group] = draw(narrow(everything, asked), asked.seed, asked.sample)
    verdicts = _run(chosen, Effort(asked.jobs, asked.seconds), known)
    summary = summarize(chosen, verdicts, known)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return judge(summary, listed_in_vain)


def _prepare() -> None:
    """Settings that must hold before numba and the tests are imported."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    sys.dont_write_bytecode = True


def trials_of(subjects: Sequence[Subject]) -> list[Trial]:
    """Return every mutant of some modules."""
    found = []
    for subject in subjects:
        spec = importlib.util.find_spec(subject.module)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).read_text(encoding="utf-8")
        found += [Trial(subject.module, subject.tests, each) for each in mutants_of(source)]
    return found


def narrow(trials: Sequence[Trial], asked: argparse.Namespace) -> list[Trial]:
    """Return those of the module and line that were asked for."""
    only, line = asked.only, asked.line
    return [
        trial
        for trial in trials
        if (only is None or trial.module.endswith(only))
        and (line is None or trial.mutant.number == line)
    ]


def draw(trials: Sequence[Trial], seed: int, size: int) -> list[Trial]:
    """Return some of the mutants; a change of the source leaves the others in the sample."""
    if size == 0 or size >= len(trials):
        return list(trials)

    def rank(trial: Trial) -> bytes:
        return hashlib.sha256(f"{seed} {' '.join(key_of(trial))}".encode()).digest()

    numbers = sorted(range(len(trials)), key=lambda number: rank(trials[number]))
    return [trials[number] for number in sorted(numbers[:size])]


def _run(
    chosen: Mapping[str, Sequence[Trial]], effort: Effort, known: Mapping[Key, str]
) -> list[Verdict]:
    trials = [trial for group in chosen.values() for trial in group]
    begin = said = time.monotonic()
    counts: Counter[str] = Counter()

    def tell(verdict: Verdict) -> None:
        nonlocal said
        counts[verdict.end] += 1
        if verdict.end == "survived" and key_of(verdict.trial) not in known:
            module, function, line, becomes = key_of(verdict.trial)
            mutant = verdict.trial.mutant
            print(f"{module}:{mutant.number} {function} ({mutant.kind})")
            print(f"    {line}\n    {becomes}", flush=True)
        if time.monotonic() - said > PAUSE:
            said = time.monotonic()
            done, survived = counts.total(), counts["survived"]
            progress = f"{done:,} of {len(trials):,} in {said - begin:.0f} s"
            print(f"{progress}, {survived} survived", flush=True)

    return run_trials(trials, effort, tell)


def summarize(
    chosen: Mapping[str, Sequence[Trial]], verdicts: Sequence[Verdict], known: Mapping[Key, str]
) -> dict[str, list[dict[str, object]]]:
    """Return all verdicts by group, as plain values."""
    found = iter(verdicts)
    return {group: [_plain(next(found), known) for _ in trials] for group, trials in chosen.items()}


def _plain(verdict: Verdict, known: Mapping[Key, str]) -> dict[str, object]:
    key, mutant = key_of(verdict.trial), verdict.trial.mutant
    return {
        **key._asdict(),
        "number": mutant.number,
        "kind": mutant.kind,
        "end": verdict.end,
        "noticed by": verdict.noticed,
        "why": known.get(key, "") if verdict.end == "survived" else "",
    }


def judge(summary: Mapping[str, Sequence[dict[str, object]]], in_vain: Sequence[Key]) -> int:
    """Print what happened; return the exit code."""
    from disco_cvi._output.text_table import text_table

    code = 0
    for group, found in summary.items():
        modules = dict.fromkeys(str(each["module"]) for each in found)
        rows = [(name, *_counts(found, name)) for name in modules]
        print(text_table([(group, *COLUMNS), *rows, ("all", *_counts(found))]))
        survived = [each for each in found if each["end"] == "survived"]
        explained = sum(bool(each["why"]) for each in survived)
        share = _share(len(found) - len(survived), len(found))
        apart = _share(len(found) - len(survived), len(found) - explained)
        print(f"{share:.1%} died; {apart:.1%} without those that have a reason.\n", flush=True)
        if share < FLOOR or explained < len(survived):
            code = 1
    for key in in_vain:
        print("survivors.toml lists what is no longer there:", *key, sep="\n    ")
        code = 1
    return code


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _counts(found: Sequence[dict[str, object]], module: str | None = None) -> tuple[str, ...]:
    own = [each for each in found if module in (None, each["module"])]
    ends = Counter(each["end"] for each in own)
    with_reason = sum(bool(each["why"]) for each in own)
    counts = (len(own), ends["died"], ends["time limit"], ends["survived"], with_reason)
    return tuple(map(str, counts))
