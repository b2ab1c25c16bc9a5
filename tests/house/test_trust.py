"""Rows of the page of trust, from figures as the checks leave them."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import chain
from pathlib import Path

import pytest
import trust

FUZZ = {
    "seed": 3,
    "cases": 2000,
    "value": 1500,
    "error": 499,
    "not right": 1,
    "late and asked again": 2,
    "asked in other ways": {"shuffled rows": 1200, "evaluate": 3},
}
ROLES = ("AUTHOR", "COMMITTER")
AUDIT = {"packages": 9, "licences": 0, "asked": 0, "skipped": "no network", "advisories": 0}


def leave_logs(folder: Path, name: str, last: str) -> None:
    """Write what release/versions.py leaves behind."""
    (folder / f"{name}-packages.txt").write_text("Package Version\nnumpy 1.26.0\nnumba 0.60.0\n")
    (folder / f"{name}-tests.txt").write_text(f"...\n{last}\n")


def test_what_is_there_is_collected_and_what_is_not_right_is_counted(tmp_path: Path) -> None:
    figures = {"fuzz": FUZZ, "audit": AUDIT}
    for name, found in figures.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(found))
    leave_logs(tmp_path, "oldest-3.11", "2 failed, 70 passed, 5 skipped, 1 error in 9s")
    rows = {what: (much, wrong) for what, much, wrong, *_ in trust.collect(tmp_path)}
    assert [wrong for _, wrong in rows.values()] == ["1", "1", "0", "unknown", "3"]
    assert next(iter(rows.values()))[0].endswith(
        "; 2 took longer than 20 seconds once, and not again"
    )
    assert list(rows.values())[1][0] == "shuffled rows: 1,200; evaluate: 3"
    assert rows["known security advisories about these packages"][0] == "not asked: no network"
    tests = rows["tests with the oldest versions, Python 3.11"][0]
    assert tests == "70 passed, 5 skipped: numpy 1.26.0, numba 0.60.0"


def test_tests_of_the_wheel_are_counted_as_a_whole_and_by_topic(tmp_path: Path) -> None:
    (tmp_path / "wheel-tests.xml").write_text(
        """<testsuites><testsuite>
        <testcase classname="tests.faults.test_shared_trees" name="a"/>
        <testcase classname="tests.faults.test_shared_trees" name="b"><failure/></testcase>
        <testcase classname="tests.cli.test_score" name="c"><skipped/></testcase>
        </testsuite></testsuites>"""
    )
    whole, *topics = trust.collect(tmp_path)
    assert whole[1:4] == ("1 tests passed, 1 skipped", "1", "make wheel-tests")
    assert [row[1:3] for row in topics if "eight threads" in row[0]] == [
        ("1 tests passed, 0 skipped", "1")
    ]


def test_topics_are_files_of_tests() -> None:
    for name in chain.from_iterable(trust.TOPICS.values()):
        assert (Path(__file__).parents[2] / f"{name.replace('.', '/')}.py").is_file()


def test_each_python_has_a_row_with_the_command_that_repeats_it(tmp_path: Path) -> None:
    for name in ("newest-3.13", "newest-3.9", "oldest-3.11"):
        leave_logs(tmp_path, name, "70 passed in 9s")
    assert [(row[0], row[3]) for row in trust.collect(tmp_path)] == [
        ("tests with the oldest versions, Python 3.11", "PYTHON=python3.11 make oldest"),
        ("tests with the newest versions, Python 3.9", "PYTHON=python3.9 make newest"),
        ("tests with the newest versions, Python 3.13", "PYTHON=python3.13 make newest"),
    ]


def test_rows_are_renewed_and_stand_beside_those_of_the_same_command() -> None:
    kept = [
        ("a", "1", "0", "make audit", "1f"),
        ("b", "1", "0", "make fuzz CASES=1 SEED=0", "1f"),
        ("c", "1", "0", "PYTHON=python3.13 make newest", "1f"),
    ]
    new = [
        ("b", "2", "0", "make fuzz CASES=2 SEED=0", "2f"),
        ("d", "1", "0", "PYTHON=python3.9 make newest", "2f"),
        ("e", "1", "0", "make fuzz CASES=2 SEED=0", "2f"),
    ]
    rows = trust.renew(kept, new)
    assert [row[:2] for row in rows] == [("b", "2"), ("e", "1"), ("d", "1"), ("c", "1"), ("a", "1")]


def test_kept_rows_are_those_that_would_be_renewed() -> None:
    """A row whose words are others than the program's would stay beside its new one for ever."""
    source = Path(trust.__file__).read_text(encoding="utf-8")
    made = {trust.WHOLE, *trust.TOPICS}
    for what, *_ in json.loads(trust.KEPT.read_text(encoding="utf-8")):
        beginning = "tests with the " if what.startswith("tests with the ") else what
        assert what in made or f'"{beginning}' in source, what


def test_figures_are_of_the_source_as_it_was_when_they_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str, at: int = 0) -> str:
        who = {f"GIT_{role}_{what}": "nobody" for role in ROLES for what in ("NAME", "EMAIL")}
        when = {f"GIT_{role}_DATE": f"{at} +0000" for role in ROLES}
        told = subprocess.run(
            ["git", "-c", "commit.gpgsign=false", *words],
            cwd=tmp_path,
            env={**os.environ, **who, **when},
            capture_output=True,
            text=True,
            check=True,
        )
        return told.stdout.strip()

    git("init", "-q")
    commits = {}
    for place, at in (("src", 1_000_000_000), ("src", 2_000_000_000), ("docs", 2_100_000_000)):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "file").write_text(str(at))
        git("add", ".")
        git("commit", "-q", "-m", "why", at=at)
        commits[at] = git("rev-parse", "--short", "HEAD")
    monkeypatch.setattr(trust, "PROJECT", tmp_path)
    figures = tmp_path / "fuzz.json"
    figures.write_text("{}")
    for written, changed in ((1_500_000_000, 1_000_000_000), (2_200_000_000, 2_000_000_000)):
        os.utime(figures, (written, written))
        assert trust.commit_of(figures) == commits[changed]
    monkeypatch.setattr(trust, "PROJECT", tmp_path / "no checkout")
    assert trust.commit_of(figures) == ""
