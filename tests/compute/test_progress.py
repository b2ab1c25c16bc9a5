"""Bars of long work: when they are shown, what they say, and that nothing is left of them."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from disco_cvi._compute.progress import Progress, progress
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


def test_a_bar_is_shown_and_wiped(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("working", 4, shown=True) as bar:
        wait(10)
        bar.step()
        shown = capsys.readouterr().err
        assert "working" in shown
        assert " 25%" in shown
        assert "left" not in shown  # what is done once may have been in it
        wait(3)
        bar.step()
        assert " 50%, 6 s left" in capsys.readouterr().err
        bar.step()
        assert capsys.readouterr().err == ""  # too soon after the last
    rest = capsys.readouterr().err
    assert SHOWN_CURSOR in rest
    assert is_wiped(shown + rest, "working")


def test_short_work_shows_nothing(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("working", 4, shown=True) as bar:
        wait(0.9)
        bar.step()
    with progress("working", 0, shown=True) as bar:  # nobody knows how much
        wait(10)
        bar.step()
    with progress("working", 4, shown=False) as bar, progress("working", 4) as other:
        wait(10)
        bar.step()
        other.step()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "announced"), [(29, ""), (31, "about 1 minute."), (120, "about 4 minutes.")]
)
def test_minutes_are_announced_once(
    wait: Callable[[float], None],
    capsys: pytest.CaptureFixture[str],
    seconds: float,
    announced: str,
) -> None:
    with progress("working", 4, shown=True) as bar:
        for _ in range(3):
            wait(seconds)
            bar.step()
        shown = capsys.readouterr().err
    assert shown.count("working: about") == bool(announced)
    assert announced in shown


@pytest.mark.parametrize(
    ("seconds", "announced"),
    [
        (29, ""),
        (60, "working: about 2 minutes.\n"),
        (299, "working: about 10 minutes.\n"),
        (300, "working: about 10 minutes. Rest instead.\n"),
        (9000, "working: about 5.0 hours. Rest instead.\n"),
    ],
)
def test_without_a_terminal_one_line_tells_of_minutes_and_what_takes_less(
    wait: Callable[[float], None],
    capsys: pytest.CaptureFixture[str],
    seconds: float,
    announced: str,
) -> None:
    with progress("working", 4, remedy="Rest instead.") as bar:
        for _ in range(4):
            wait(seconds)
            bar.step()
    assert capsys.readouterr().err == announced


def test_a_terminal_hears_what_takes_less(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("working", 4, shown=True, remedy="Rest instead.") as bar:
        for _ in range(2):
            wait(400)
            bar.step()
    shown = capsys.readouterr().err
    assert "working: about 13 minutes. Rest instead." in shown
    assert "13 min 20 s left" in shown


def test_who_must_be_quiet_does_not_announce(
    wait: Callable[[float], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work(shown: bool | None) -> None:
        with progress("working", 4, shown=shown) as bar:
            for _ in range(2):
                wait(100)
                bar.step()

    work(shown=False)
    thread = threading.Thread(target=work, args=(None,))
    thread.start()
    thread.join()
    with monkeypatch.context() as other:
        other.setattr(multiprocessing.current_process(), "_name", "LokyProcess-1")
        work(shown=None)
    with monkeypatch.context() as other:
        other.setattr(sys, "stderr", None)
        work(shown=None)
    assert capsys.readouterr().err == ""


def test_what_is_done_once_in_a_part_is_not_taken_for_its_rate(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("working", 50, shown=True) as bar:
        bar.step(10)
        bar.begin_part()
        for seconds in (30, 1):
            wait(seconds)
            bar.step()
    shown = capsys.readouterr().err
    assert " 24%, 38 s left" in shown
    assert shown.count("left") == 1


def test_bars_inside_bars_share_the_terminal(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("outer", 2, shown=True) as outer:
        wait(5)
        outer.step()
        with progress("inner", 2, shown=True) as inner:
            wait(5)
            inner.step()
        shown = capsys.readouterr().err
        assert "inner" in shown
        assert SHOWN_CURSOR not in shown
    assert SHOWN_CURSOR in capsys.readouterr().err


def test_a_bar_goes_on_after_it_was_closed(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    bar = Progress("working", 4, shown=True)
    for _ in range(2):
        wait(5)
        bar.step()
        bar.close()
        assert "working" in capsys.readouterr().err
    bar.close()
    assert capsys.readouterr().err == ""


def test_work_in_other_threads_has_no_bar(
    wait: Callable[[float], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        with progress("working", 2, shown=True) as bar:
            wait(5)
            bar.step()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert capsys.readouterr().err == ""


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
        "progress._PATIENCE = -1.0\n"
        "with progress.progress('working', 2) as bar: bar._last -= 1; bar.step()\n"
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stderr=subprocess.PIPE)
