"""A call in a child of this process, which a signal reaches at a moment that was drawn.

Everything is imported and compiled before the first child, so that the moments are those of the
work itself: some after a part of its time, some between two lines of the code that writes.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

# Of the child, in memory that it shares with its parent: when it sent itself a signal, and whether
# that came while nothing of the package ran.
_NOTES = np.frombuffer(mmap.mmap(-1, 16))
_SENT, _MISSED = 0, 1


@dataclass(frozen=True)
class Ended:
    """How a child ended: its code, negative for a signal, what it wrote, and its seconds.

    `answered` is how long it computed after the signal, if that was sent after some time: seconds
    of the processor, which a busy machine does not change. `waited` is how long a user waits after
    the signal for the end, and `told` for the word that it was interrupted, if that was said.
    `missed` says whether the signal came when there was nothing to interrupt.
    """

    code: int
    said: str
    seconds: float
    answered: float = 0.0
    waited: float = 0.0
    told: float | None = None
    missed: bool = False


@dataclass(frozen=True)
class Moment:
    """After so many seconds, or before the line with that number, counted from the beginning."""

    seconds: float = 0.0
    line: int = 0


def draw_moment(chance: random.Random, seconds: float, n_lines: int) -> Moment:
    """Draw one, half of them between two lines."""
    if n_lines and chance.random() < 0.5:
        return Moment(line=chance.randint(1, n_lines))
    return Moment(seconds=chance.random() * 1.1 * seconds)


def run_child(
    call: Callable[[], int],
    folder: Path,
    number: int = 0,
    moment: Moment | None = None,
    modules: tuple[str, ...] = (),
) -> Ended:
    """Call something in a child, in a folder, and send it a signal."""
    # No file: a limit to the size of files is not one for what is said.
    said, saying = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    begin, before = time.monotonic(), None
    _NOTES[:] = 0.0
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # until the child is one
    child = os.fork()
    if child == 0:
        _be_child(call, folder, saying, number, moment, modules)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    os.close(saying)
    if moment is not None and not moment.line:
        time.sleep(moment.seconds)
        before = _seconds_of(child)
        _NOTES[_SENT] = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)
    text, told = _listen(said)
    answered = 0.0 if before is None else _seconds_at_end(child) - before
    _, status = os.waitpid(child, 0)
    end, sent = time.monotonic(), float(_NOTES[_SENT])
    return Ended(
        os.waitstatus_to_exitcode(status),
        text,
        end - begin,
        answered=answered,
        waited=end - sent if sent else 0.0,
        told=told - sent if told and sent else None,
        missed=bool(_NOTES[_MISSED]),
    )


def _listen(said: int) -> tuple[str, float | None]:
    """What a child says until its end, and when it said that it was interrupted."""
    text, told = b"", None
    with os.fdopen(said, "rb", buffering=0) as stream:
        while part := stream.read(1 << 16):
            text += part
            if told is None and b"interrupted" in text:
                told = time.monotonic()
    return text.decode(), told


def _seconds_at_end(child: int) -> float:
    """Its own alone: what the system tells when it is gone holds those of its processes, too."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    return _seconds_of(child) or 0.0


def _seconds_of(child: int) -> float | None:
    """How long a process has computed; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _be_child(
    call: Callable[[], int],
    folder: Path,
    said: int,
    number: int,
    moment: Moment | None,
    modules: tuple[str, ...],
) -> None:
    code = 99
    try:
        signal.signal(signal.SIGINT, _interrupt)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        os.chdir(folder)
        for stream in (1, 2):
            os.dup2(said, stream)
        line = moment.line if moment else 0
        with at_line(line, modules, lambda: _send(number)):
            code = call()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - told by the code and the text
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _send(number: int) -> None:
    _NOTES[_SENT] = time.monotonic()
    os.kill(os.getpid(), number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt the package's work; what is around it here is none of its business."""
    while frame is not None:
        if is_of(frame, ("disco_cvi",)):
            signal.default_int_handler(number, frame)
        frame = frame.f_back
    _NOTES[_MISSED] = True


def is_of(frame: FrameType, modules: tuple[str, ...]) -> bool:
    """Whether a frame is of some modules; before the first line of a program nobody can answer."""
    name = frame.f_globals.get("__name__", "")
    return name.startswith(modules) and not name.endswith("__main__")


@contextmanager
def at_line(
    number: int, modules: tuple[str, ...], act: Callable[[], object]
) -> Iterator[Callable[[], int]]:
    """Act before the line with that number of some modules; give how many there were."""
    count = 0

    def on_line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count == number:
                act()
        return on_line

    def on_call(frame: FrameType, _event: str, _: Any) -> Any:
        return on_line if is_of(frame, modules) else None

    if modules:
        sys.settrace(on_call)
    try:
        yield lambda: count
    finally:
        sys.settrace(None)


def count_lines(call: Callable[[], int], folder: Path, modules: tuple[str, ...]) -> int:
    """How many lines of some modules a call runs, in this process's own thread."""
    path = folder.parent / "lines"

    def counting() -> int:
        with at_line(0, modules, lambda: None) as count:
            code = call()
        path.write_text(str(count()))
        return code

    ended = run_child(counting, folder)
    assert ended.code == 0, ended.said
    return int(path.read_text())


def warm_up(call: Callable[[], int], folder: Path) -> None:
    """Call something in this process, quietly, so that its children have nothing to load."""
    with (
        Path(os.devnull).open("w") as nothing,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        call()
