"""A progress bar for long work: on a terminal, after a second, and gone at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from disco_cvi._output.words import duration

_PATIENCE = 1.0
_WIDTH = 30


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
    """

    def __init__(self, title: str, n_steps: float, *, shown: bool | None = None) -> None:
        self._title = title
        self.n_steps = n_steps
        self.done = 0.0
        self._begin = self._last = time.monotonic()
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._visible = False

    def step(self, amount: float = 1.0) -> None:
        """One more step is done, or so much work; 0 shows the time that has passed."""
        self.done += amount
        now = time.monotonic()
        if (
            not self._shown
            or not self.n_steps
            or now - self._begin < _PATIENCE
            or now - self._last < 0.1
        ):
            return
        self._last = now
        share = min(1.0, self.done / self.n_steps)  # sums of amounts may round up
        left = f", {duration((now - self._begin) * (1 / share - 1))} left" if share > 0 else ""
        bar = "#" * int(share * _WIDTH)
        line = f"{self._title} [{bar:<{_WIDTH}}] {share:4.0%}{left}"
        sys.stderr.write(f"\r{line:<79}")
        sys.stderr.flush()
        self._visible = True

    def close(self) -> None:
        """Wipe the bar away."""
        if self._visible:
            sys.stderr.write("\r" + " " * 79 + "\r")
            sys.stderr.flush()
            self._visible = False


@contextmanager
def progress(title: str, n_steps: float, *, shown: bool | None = None) -> Iterator[Progress]:
    """Show a bar while the block runs, and wipe it away however the block ends."""
    bar = Progress(title, n_steps, shown=shown)
    try:
        yield bar
    finally:
        bar.close()
