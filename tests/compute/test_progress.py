"""Bars of long work: when they are shown, what they say, and that nothing is left of them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from disco_cvi._compute.progress import progress
from helpers.terminal import is_wiped

SHOWN_CURSOR = "\x1b[?25h"


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that stands still until it is told to go on."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def go_on(seconds: float) -> None:
        now[0] += seconds

    return go_on


def test_bars_are_shown_one_below_the_other_and_wiped(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("outer", 4, shown=True) as outer:
        wait(10)
        outer.step()
        with progress("inner", 2, shown=True) as inner:
            wait(3)
            inner.step()
            outer.step()  # too soon after the last is not too soon for another bar
        shown = capsys.readouterr().err
        assert " 25%" in shown
        assert " 50%" in shown
        assert SHOWN_CURSOR not in shown
    rest = capsys.readouterr().err
    assert SHOWN_CURSOR in rest
    assert is_wiped(shown + rest, "outer")


def test_short_or_unknown_or_hidden_work_shows_nothing(
    wait: Callable[[float], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with progress("short", 4, shown=True) as bar:
        wait(0.9)
        bar.step()

    def work(shown: bool | None, n_steps: int = 4) -> None:
        with progress("working", n_steps, shown=shown) as bar:
            wait(10)
            bar.step()

    work(shown=True, n_steps=0)
    work(shown=False)
    work(shown=None)  # no terminal
    thread = threading.Thread(target=work, args=(True,))
    thread.start()
    thread.join()
    with monkeypatch.context() as other:
        other.setattr(sys, "stderr", None)
        work(shown=None)
    assert capsys.readouterr().err == ""


def test_very_long_work_names_what_takes_less_once(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("working", 100, shown=True, remedy="Rest instead.") as bar:
        for _ in range(5):
            wait(20)
            bar.step()
    assert capsys.readouterr().err.count("Rest instead.") == 1


def test_a_failure_gives_the_cursor_back(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        with progress("working", 2, shown=True) as bar:
            wait(5)
            bar.step()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert SHOWN_CURSOR in capsys.readouterr().err


def test_who_has_no_terminal_does_not_load_rich() -> None:
    code = (
        "import sys, numpy; from disco_cvi._compute import progress\n"
        "progress._PATIENCE = progress._PAUSE = -1.0\n"
        "with progress.progress('working', 2) as bar: bar.step()\n"
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stderr=subprocess.PIPE)
