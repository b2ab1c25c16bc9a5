"""Finding the browser, and what happens without one: these tests need none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.chromium.find import NONE


def run_without_browser(needed: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": "/nowhere", "BROWSER": "", "DISCO_BROWSER_NEEDED": needed}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("needed", "word"), [("0", "skipped"), ("1", "failed")])
def test_make_says_in_one_line_that_there_is_none(project: Path, needed: str, word: str) -> None:
    run = run_without_browser(needed, str(project / "tests/helpers/chromium/find.py"))
    assert run.returncode == 1
    line = "there is no Chromium. On Debian: make browser-install"
    assert run.stdout == f"make browser: {word}, for {line}\n"


@pytest.mark.parametrize(
    ("needed", "code", "words"),
    [("0", 0, NONE), ("1", 1, f"DISCO_BROWSER_NEEDED is set, but {NONE}")],
)
def test_without_a_browser_tests_are_skipped_or_fail(
    project: Path, needed: str, code: int, words: str
) -> None:
    test = str(project / "tests/browser/test_axe.py") + "::test_rules_are_checked"
    run = run_without_browser(needed, "-m", "pytest", "-rs", test)
    assert run.returncode == code
    assert words in run.stdout
    assert ("2 skipped" in run.stdout) == (code == 0)
