"""Ctrl-C is answered in one line and with code 130, wherever it comes and whoever drops it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from disco_cvi.cli import main
from helpers.source import MODULES, SOURCE

# Interrupts the command while it is loaded: {act}.
SCRIPT = """
import os, signal, sys, time, weakref

class Thing:
    pass

def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0)

def drop():
    thing = Thing()
    reference = weakref.ref(thing, interrupt)
    del thing

def swallow():
    try:
        interrupt()
    except KeyboardInterrupt:
        pass

def disguise():
    try:
        interrupt()
    except KeyboardInterrupt:
        pass
    raise ImportError("initialization failed")

def work():
    time.sleep(20)

def clear_away():
    try:
        interrupt()
    finally:
        time.sleep(0.5)
        print("all is cleared away")

class Act:
    def find_spec(self, name, path=None, target=None):
        if name == "disco_cvi.cli.indices":
            sys.meta_path.remove(self)
            {act}

sys.meta_path.insert(0, Act())
from disco_cvi.__main__ import main
sys.argv = ["disco", "indices"]
code = main()
{after}
sys.exit(code)
"""
TOLD = "disco: interrupted\n"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it takes signals")


def run(act: str, after: str = "") -> tuple[int, str, str]:
    """Run the command with something that happens while it is loaded, and after its end."""
    script = SCRIPT.format(act=act, after=after)
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=15
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_nothing_is_loaded_before_ctrl_c_can_be_answered() -> None:
    """What is imported outside of `main` is outside of its guard."""
    code = (
        "import sys; before = set(sys.modules); from disco_cvi.__main__ import main; "
        "print(*sorted(set(sys.modules) - before))"
    )
    # -S: no files of other packages are loaded at the beginning, which would hide ours.
    ended = subprocess.run(
        [sys.executable, "-S", "-c", f"import os; {code}"],
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == ["disco_cvi", "disco_cvi.__main__"]


@pytest.mark.parametrize("way", ["drop", "swallow"])
def test_an_interrupt_that_is_dropped_is_asked_again(way: str) -> None:
    """Python drops one in a callback; packages may take any error for a part that is missing."""
    assert run(f"{way}(); work()") == (130, "", TOLD)


def test_an_interrupt_that_is_dropped_before_the_end_is_told() -> None:
    code, _, told = run("drop()")
    assert (code, told) == (130, TOLD)


def test_an_import_that_fails_by_an_interrupt_ends_as_one() -> None:
    assert run("disguise()") == (130, "", TOLD)


def test_what_clears_away_is_not_interrupted_again() -> None:
    assert run("clear_away()") == (130, "all is cleared away\n", TOLD)


def test_an_interrupt_after_the_last_line_leaves_no_traceback() -> None:
    code, answer, told = run("pass", after="interrupt(); work()")
    assert (code, told) == (130, TOLD)
    assert answer.startswith("name")


def test_an_interrupt_while_python_takes_itself_apart_is_none() -> None:
    """All is done and told then, and nobody is left to answer."""
    forgotten = "class Last:\n    def __del__(self, act=interrupt): act()\nsys.last = Last()"
    code, answer, told = run("pass", after=forgotten)
    assert (code, told) == (0, "")
    assert answer.startswith("name")


def test_an_interrupt_in_the_disguise_of_a_failed_import_is_told_as_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi.results.explanation.explain", fail_to_load)
    assert main(["score", "points.csv", "--labels", "labels.csv"]) == 130
    assert capsys.readouterr() == ("", TOLD)


def fail_to_load(*_: object, **__: object) -> NoReturn:
    """As compiled packages do that are interrupted meanwhile."""
    raise ImportError("initialization failed") from KeyboardInterrupt()


def test_only_the_command_has_handlers_of_signals() -> None:
    """They belong to the whole process, which is not the library's."""
    users = {name for name, path in MODULES.items() if "signal.signal(" in path.read_text()}
    assert users == {"__main__"}
