"""Keep what the checks found for the page of trust: ``python release/trust.py``.

``make fuzz``, ``wheel-tests``, ``oldest``, ``newest`` and ``audit`` leave
their figures in .cache; ``oldest`` and ``newest`` do for each Python by itself. Those that are
there replace their rows in docs/evidence/trust.json, from which ``python docs/tables.py`` makes the
table of docs/evidence/trust.md. Each row has the commit that changed the source last when its
figures were written: so it shows which of them are older than others.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from environment import CACHE, PROJECT

KEPT = PROJECT / "docs" / "evidence" / "trust.json"
# Tests that have a row of their own: how their names begin.
TOPICS = {
    "rows shuffled; points shifted, scaled, turned, doubled; clusters renamed, merged, split: what "
    "must change, and what must not": ("tests.promises.test_metamorphic",),
    "one tree in eight threads, and in processes that fork, spawn or are sent it": (
        "tests.faults.test_shared_trees",
    ),
    "folders that cannot be written to, other locales, names that are not ASCII": (
        "tests.faults.test_surroundings",
    ),
    "memory: what does not fit ends in a MemoryError, and the command in one line": (
        "tests.input.test_memory",
    ),
    "security: every module is read for what would run code out of a file": (
        "tests.house.test_security",
    ),
    "security: crafted trees, files that hold more than they say, archives that lead out of their "
    "folder, unsafe addresses": (
        "tests.density_tree.test_hostile_trees",
        "tests.cli.test_hostile_files",
        "paper.tests.datasets.downloads.test_archive",
        "paper.tests.datasets.downloads.test_fetch",
    ),
}
# The order of the table, by what make is asked for.
ORDER = ("fuzz", "wheel-tests", "oldest", "newest", "audit")
WHOLE = "all tests but those in a browser, against the installed wheel"
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "polars")
_ENDS = ("failure", "error", "skipped")
_COUNT = re.compile(r"(\d+) (passed|failed|skipped|errors?)")

# What was done, how much, what was not right, and the command.
Row = tuple[str, str, str, str]
# The same, and the commit.
KeptRow = tuple[str, str, str, str, str]


def fuzz_rows(found: dict[str, Any]) -> list[Row]:
    """Of .cache/fuzz.json."""
    seed, cases = found["seed"], found["cases"]
    much = f"{cases:,} cases of seed {seed}: {found['value']:,} values, {found['error']:,} errors"
    what = "random calls of every public function and command, with arguments of every kind"
    again = (
        "some of these calls asked in other ways, for the same bits; DISCO also by its definition"
    )
    command = f"make fuzz CASES={cases} SEED={seed}"
    ways = "; ".join(f"{way}: {count:,}" for way, count in found["asked in other ways"].items())
    wrong = str(found["not right"])
    late = f"{found['late and asked again']} took longer than 20 seconds once, and not again"
    return [
        (what, f"{much} of the documented kinds; {late}", wrong, command),
        (again, ways, wrong, command),
    ]


def audit_rows(found: dict[str, Any]) -> list[Row]:
    """Of .cache/audit.json."""
    much = f"{found['packages']} packages"
    asked = f"{found['asked']} packages" if found["asked"] else f"not asked: {found['skipped']}"
    known = str(found["advisories"]) if found["asked"] else "unknown"
    return [
        (
            "licences of all packages that disco-cvi and its extras need",
            much,
            str(found["licences"]),
            "make audit",
        ),
        ("known security advisories about these packages", asked, known, "make audit"),
    ]


def wheel_rows(report: Path) -> list[Row]:
    """Of .cache/wheel-tests.xml: all tests against the installed wheel, and some by topic."""
    ends: dict[str, Counter[str]] = {}
    for case in ET.parse(report).iter("testcase"):
        end = next((part.tag for part in case if part.tag in _ENDS), "passed")
        ends.setdefault(f"{case.get('classname')}.", Counter())[end] += 1
    rows = [(WHOLE, sum(ends.values(), Counter()))]
    for what, files in TOPICS.items():
        found = (count for name, count in ends.items() if name.startswith(_dotted(files)))
        rows.append((what, sum(found, Counter())))
    return [
        (
            what,
            f"{found['passed']:,} tests passed, {found['skipped']} skipped",
            str(found["failure"] + found["error"]),
            "make wheel-tests",
        )
        for what, found in rows
    ]


def _dotted(files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}." for name in files)


def version_rows(which: str, python: str, tests: str, packages: str) -> list[Row]:
    """Of what pytest said last of the tests with the oldest or newest versions, and of pip."""
    counts = {word: int(number) for number, word in _COUNT.findall(tests.strip().splitlines()[-1])}
    wrong = sum(counts.get(word, 0) for word in ("failed", "error", "errors"))
    installed = dict(line.split()[:2] for line in packages.splitlines() if len(line.split()) > 1)
    named = ", ".join(f"{name} {installed[name]}" for name in PACKAGES if name in installed)
    much = f"{counts.get('passed', 0):,} passed, {counts.get('skipped', 0)} skipped: {named}"
    what = f"tests with the {which} versions, Python {python}"
    return [(what, much, str(wrong), f"PYTHON=python{python} make {which}")]


def _tried(folder: Path, which: str) -> list[str]:
    """The Pythons of which there is a log, in their order."""
    logs = [path.name for path in folder.glob(f"{which}-*-tests.txt")]
    pythons = [name.removeprefix(f"{which}-").removesuffix("-tests.txt") for name in logs]
    return sorted(pythons, key=lambda python: [int(part) for part in python.split(".")])


READERS: dict[str, Callable[[Any], list[Row]]] = {
    "fuzz": fuzz_rows,
    "audit": audit_rows,
}


def collect(folder: Path) -> list[KeptRow]:
    """All rows of the figures that are in a folder."""
    rows: list[KeptRow] = []

    def add(found: list[Row], path: Path) -> None:
        commit = commit_of(path)
        rows.extend((*row, commit) for row in found)

    for name, read in READERS.items():
        path = folder / f"{name}.json"
        if path.is_file():
            add(read(json.loads(path.read_text(encoding="utf-8"))), path)
    report = folder / "wheel-tests.xml"
    if report.is_file():
        add(wheel_rows(report), report)
    for which in ("oldest", "newest"):
        for python in _tried(folder, which):
            tests = folder / f"{which}-{python}-tests.txt"
            packages = folder / f"{which}-{python}-packages.txt"
            said = [path.read_text(encoding="utf-8") for path in (tests, packages)]
            add(version_rows(which, python, *said), tests)
    return rows


def commit_of(path: Path) -> str:
    """The last commit that changed the source before a file was written; nothing without git."""
    words = [
        "git",
        "log",
        "-1",
        f"--before={int(path.stat().st_mtime)}",
        "--format=%h",
        "--",
        "src",
    ]
    try:
        found = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def renew(kept: list[KeptRow], rows: list[KeptRow]) -> list[KeptRow]:
    """Put rows into the places of those that say the same, all in the order of the table."""
    found = {row[0]: row for row in kept} | {row[0]: row for row in rows}
    return sorted(found.values(), key=_place)


def _place(row: KeptRow) -> tuple[int, tuple[int, ...]]:
    """By the command; rows of one command by their Python, else as they came."""
    python, _, target = row[3].rpartition("make ")
    numbers = tuple(int(part) for part in re.findall(r"\d+", python))
    return ORDER.index(target.split()[0]), numbers


def main() -> None:
    """Renew the file by what is in .cache."""
    kept: list[KeptRow] = [tuple(row) for row in json.loads(KEPT.read_text(encoding="utf-8"))]
    rows = renew(kept, collect(CACHE))
    KEPT.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="utf-8")
    for row in rows:
        print(*row, sep=" | ")


if __name__ == "__main__":
    main()
