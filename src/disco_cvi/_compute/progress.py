"""Progress of long work: on a terminal, after a second, and gone at the end.

Bars are drawn by rich, which is loaded when there is one to draw: whoever has no terminal, or no
long work, pays nothing. Without a terminal one line tells of work that will take minutes.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from disco_cvi._output.words import duration

_PATIENCE = 1.0
_PAUSE = 0.1  # seconds between two drawings
_LONG = 60.0  # seconds from which on it is said beforehand how long the work will take
_VERY_LONG = 600.0  # seconds from which on it is said, too, what would take less
_WIDTH = 30


class _Display:
    """The lines of all bars, one below the other: a terminal has room for one such display."""

    def __init__(self) -> None:
        self._bars: Any = None

    def add(self, title: str, *, is_forced: bool) -> Any:
        """Begin a line, and return what names it."""
        if self._bars is None:
            self._bars = _open_bars(is_forced=is_forced)
        return self._bars.add_task(title, total=1.0, left="")

    def update(self, line: Any, share: float, left: str) -> None:
        """Show how much is done and how long the rest will take."""
        self._bars.update(line, completed=share, left=left, refresh=True)

    def say(self, sentence: str) -> None:
        """Write a line that stays, above all bars."""
        self._bars.console.print(sentence, markup=False, highlight=False)

    def remove(self, line: Any) -> None:
        """Wipe a line away; with the last one the display ends, and the cursor is there again."""
        self._bars.remove_task(line)
        if not self._bars.task_ids:
            self._bars.stop()
            self._bars = None


_DISPLAY = _Display()


def _open_bars(*, is_forced: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=_WIDTH),
        TextColumn("{task.percentage:>3.0f}%{task.fields[left]}", markup=False),
        console=Console(file=sys.stderr, force_terminal=is_forced or None),
        transient=True,
        # Drawn as steps are done, without a thread: processes may be forked meanwhile.
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bars.start()
    return bars


class Progress:
    """Counts steps of known number, and shows how many are done and how long the rest will take.

    Work that will take minutes is announced, as soon as a part of it is done; without a terminal,
    too.

    Parameters
    ----------
    title : str
        What is being done.
    n_steps : float
        How many steps there are, or how much work; 0: not known yet, so that nothing is shown.
    shown : bool, optional
        Whether to show it; None: if the error stream is a terminal.
    remedy : str
        What takes less time, if anything does: said of work that will take very long.
    """

    def __init__(
        self, title: str, n_steps: float, *, shown: bool | None = None, remedy: str = ""
    ) -> None:
        self._title = title
        self._remedy = remedy
        self.n_steps = n_steps
        self.done = 0.0
        self._begin = self._last = time.monotonic()
        self._is_forced = shown is True
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        # Work in other threads is part of a whole that is shown here.
        is_main = threading.current_thread() is threading.main_thread()
        self._shown = (is_terminal if shown is None else shown) and is_main
        # Work in other processes is announced by nobody: there may be many of them.
        is_first = multiprocessing.current_process().name == "MainProcess"
        has_line = shown is None and sys.stderr is not None and is_main and is_first
        self._is_announced = not (self._shown or has_line)
        # Where the rate is measured from: a first step may include what is done once.
        self._first: tuple[float, float] | None = None
        self._line: Any = None

    def step(self, amount: float = 1.0) -> None:
        """One more step is done, or so much work; 0 shows the time that has passed."""
        self.done += amount
        if not self.n_steps or (self._is_announced and not self._shown):
            return
        now = time.monotonic()
        if self._first is None:
            self._first = now, self.done
        if now - self._begin < _PATIENCE or now - self._last < _PAUSE:
            return
        self._last = now
        left = self._left(now)
        if self._shown:
            self._show(left)
        if left is not None and not self._is_announced:
            self._is_announced = True
            self._announce(left)

    def begin_part(self) -> None:
        """What follows has a rate of its own."""
        self._first = None

    def _show(self, left: float | None) -> None:
        if self._line is None:
            self._line = _DISPLAY.add(self._title, is_forced=self._is_forced)
        share = min(1.0, self.done / self.n_steps)  # sums of amounts may round up
        _DISPLAY.update(self._line, share, "" if left is None else f", {duration(left)} left")

    def _announce(self, left: float) -> None:
        if left < _LONG:
            return
        sentence = f"{self._title}: about {_about(left)}."
        if left >= _VERY_LONG and self._remedy:
            sentence = f"{sentence} {self._remedy}"
        if self._shown:
            _DISPLAY.say(sentence)
        else:
            sys.stderr.write(f"{sentence}\n")
            sys.stderr.flush()

    def _left(self, now: float) -> float | None:
        """How many seconds the rest will take, once a rate is known."""
        begin, done = self._first or (now, self.done)
        if self.done <= done:
            return None
        return max(0.0, (now - begin) / (self.done - done) * (self.n_steps - self.done))

    def close(self) -> None:
        """Wipe the bar away."""
        if self._line is not None:
            _DISPLAY.remove(self._line)
            self._line = None


def _about(seconds: float) -> str:
    """Return a time as one says it.

    >>> _about(70), _about(100), _about(9000)
    ('1 minute', '2 minutes', '2.5 hours')
    """
    minutes = round(seconds / 60)
    if minutes < 100:
        return "1 minute" if minutes == 1 else f"{minutes} minutes"
    return f"{seconds / 3600:.1f} hours"


@contextmanager
def progress(
    title: str, n_steps: float, *, shown: bool | None = None, remedy: str = ""
) -> Iterator[Progress]:
    """Show a bar while the block runs, and wipe it away however the block ends."""
    bar = Progress(title, n_steps, shown=shown, remedy=remedy)
    try:
        yield bar
    finally:
        bar.close()
