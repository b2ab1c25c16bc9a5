"""Progress of long work: a bar of rich on a terminal, after a second, and gone at the end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_PATIENCE = 1.0  # seconds before a bar appears
_PAUSE = 0.1  # seconds between two drawings
_VERY_LONG = 600.0  # seconds of remaining time from which on a remedy is named

# All bars of this process, one below the other: rich allows one display per terminal.
_BARS: list[Any] = []


def _open_bars(*, is_forced: bool) -> Any:
    from rich.console import Console
    from rich.progress import Progress as Bars

    bars = Bars(
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
        if shown is None:
            shown = sys.stderr is not None and sys.stderr.isatty()
        # Work in other threads is part of a whole that is shown here.
        self._shown = shown and threading.current_thread() is threading.main_thread()
        self._task: Any = None

    def step(self, amount: float = 1.0) -> None:
        """One more step is done, or so much work."""
        self.done += amount
        now = time.monotonic()
        is_early = now - self._begin < _PATIENCE or now - self._last < _PAUSE
        if not self._shown or not self.n_steps or is_early:
            return
        self._last = now
        if not _BARS:
            _BARS.append(_open_bars(is_forced=self._is_forced))
        bars = _BARS[0]
        if self._task is None:
            self._task = bars.add_task(self._title, total=self.n_steps)
        bars.update(self._task, total=self.n_steps, completed=self.done, refresh=True)
        left = (now - self._begin) / self.done * (self.n_steps - self.done)
        if self._remedy and left >= _VERY_LONG:
            bars.console.print(self._remedy, markup=False, highlight=False)
            self._remedy = ""

    def close(self) -> None:
        """Wipe the bar away; with the last one the display ends, and the cursor is back."""
        if self._task is not None:
            _BARS[0].remove_task(self._task)
            self._task = None
            if not _BARS[0].tasks:
                _BARS.pop().stop()


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
