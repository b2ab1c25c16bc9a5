from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOY = """
def larger(a, b):
    if a > b:
        return a
    return b


def count(n):
    found = 0
    while found < n:
        found += 1
    return found


class Box:
    @property
    def size(self):
        return 7


def unseen():
    return True
"""
TESTS = """
import pytest
from toy import Box, count, larger

pytestmark = pytest.mark.small


def test_larger():
    assert larger(1, 2) == larger(2, 1) == 2


def test_count():
    assert count(3) == 3


def test_box():
    assert Box().size == 7
"""
RUN = """
import sys
from mutants import trials
from mutants.known import Key
from mutants.run import main
from mutants.subjects import Subject

trials.GRACE = 0.5
groups = {"toy": (Subject("toy", ("test_toy.py",)),)}
known = {Key("toy", "larger", "if a > b:", "if (a >= b):"): "Equal values are the same."}
if "gone" in sys.argv:
    known[Key("toy", "larger", "if a > c:", "if (a >= c):")] = "It was."
sys.exit(main(["--sample", "0", "--out", "out.json"], groups, known))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(TESTS)
    (tmp_path / "run.py").write_text(RUN)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = small\naddopts = --strict-markers\n")
    return tmp_path


def run(project: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (folder, project, project / "src")))
    return subprocess.run(
        [sys.executable, "run.py", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_each_mutant_of_a_toy_ends_as_it_must(project: Path, toy: Path) -> None:
    answer = run(project, toy)
    found = json.loads((toy / "out.json").read_text())["toy"]
    ends = {(each["line"], each["becomes"]): each["end"] for each in found}
    assert ends == {
        ("if a > b:", "if True:"): "died",
        ("if a > b:", "if False:"): "died",
        ("if a > b:", "if (a >= b):"): "survived",
        ("if a > b:", "if (a <= b):"): "died",
        ("found = 0", "found = 1"): "survived",
        ("found = 0", "found = (-1)"): "survived",
        ("while found < n:", "while False:"): "died",
        ("while found < n:", "while (found <= n):"): "died",
        ("while found < n:", "while (found >= n):"): "died",
        ("found += 1", "pass"): "time limit",
        ("found += 1", "found -= 1"): "time limit",
        ("found += 1", "found += 2"): "died",
        ("found += 1", "found += 0"): "time limit",
        ("return 7", "return 8"): "died",
        ("return 7", "return 6"): "died",
        ("return True", "return False"): "survived",
    }
    noticed = {each["noticed by"] for each in found if each["line"] == "return 7"}
    assert noticed == {"test_toy.py::test_box"}
    assert answer.returncode == 1
    assert "75.0% died; 80.0% without those that have a reason." in answer.stdout
    assert "toy:22 unseen (constant)\n    return True\n    return False" in answer.stdout
    assert "(a >= b)" not in answer.stdout


def test_a_listed_mutant_that_is_gone_is_told(project: Path, toy: Path) -> None:
    source = "def larger(a, b):\n    if a > b:\n        return a\n    return b\n"
    (toy / "toy.py").write_text(source)
    (toy / "test_toy.py").write_text(TESTS.replace("Box, count, ", "").split("def test_count")[0])
    answer = run(project, toy, "gone")
    assert "lists what is no longer there:\n    toy\n    larger\n    if a > c:" in answer.stdout
    assert answer.returncode == 1


def test_tests_that_fail_without_any_change_are_told(project: Path, toy: Path) -> None:
    (toy / "toy.py").write_text(TOY.replace("return 7", "return 8"))
    answer = run(project, toy)
    assert "without any change, test_toy.py::test_box fails" in answer.stderr
    assert answer.returncode == 1
