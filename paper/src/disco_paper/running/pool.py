"""Processes that compute batches of cells; one that ends early costs a cell, not the run."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import IO, Any, TypeAlias, cast

from disco_cvi._compute.threads import is_refused_start
from disco_paper.cells.cell import Cell, Outcome
from disco_paper.running.worker import order_line, read_answer

# How long to wait for an answer before the caller may do something else, such as showing the time.
_SECONDS_TO_WAIT = 0.5
# How long a process that has closed its output may take to end.
_SECONDS_TO_END = 10.0
# One thread for each process, whatever libraries are there: sums do not depend on their number.
_THREADS = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB_MAXIMUM", "NUMEXPR", "NUMBA")


@dataclass(frozen=True)
class Batch:
    """Cells of one experiment and one data set.

    Attributes
    ----------
    experiment : str
        Its name.
    module : str
        Where it is imported from.
    cells : tuple of Cell
    has_ended_one : bool
        Whether a process has ended early over cells of these data before.
    """

    experiment: str
    module: str
    cells: tuple[Cell, ...]
    has_ended_one: bool = False


Answer: TypeAlias = "tuple[str, Cell, Outcome]"


def run_batches(batches: Iterable[Batch], n_workers: int) -> Generator[Answer | None, None, None]:
    """Compute batches in their order, several at a time.

    Parameters
    ----------
    batches : iterable of Batch
    n_workers : int
        How many processes.

    Yields
    ------
    (str, Cell, Outcome), or None
        The experiment's name, a cell and what became of it, as soon as that is known; None when
        nothing has happened for a while.

    Notes
    -----
    Close the iterator to end the processes.
    """
    waiting = deque(batches)
    inbox: queue.SimpleQueue[tuple[_Worker, bytes | None]] = queue.SimpleQueue()
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.left for worker in workers):
            for worker in workers:
                if waiting and not worker.left:
                    worker.begin(waiting.popleft())
            while waiting and len(workers) < n_workers:
                started = _start(inbox, waiting[0], is_needed=not workers)
                if started is None:
                    n_workers = len(workers)
                else:
                    workers.append(started)
                    waiting.popleft()
            try:
                worker, line = inbox.get(timeout=_SECONDS_TO_WAIT)
            except queue.Empty:
                yield None
                continue
            if line is not None:
                yield worker.answered(line)
                continue
            workers.remove(worker)
            yield from _settle_ended(worker, waiting)
    finally:
        for worker in workers:
            worker.end()


def _start(
    inbox: queue.SimpleQueue[tuple[_Worker, bytes | None]], batch: Batch, *, is_needed: bool
) -> _Worker | None:
    """Start a process; None where the system lets no more be started, and those there are do."""
    try:
        return _Worker(inbox, batch)
    except (OSError, RuntimeError) as error:
        if not is_refused_start(error):
            raise
        if is_needed:
            # Not in this process: one that is ended would take all with it, and what cells give
            # may depend on the number of threads and the order of sets, which are set beforehand.
            message = (
                "reproduce computes in processes of its own, and the system lets it start none "
                f"({error}). A higher limit of processes (ulimit -u), or more memory, helps."
            )
            raise ChildProcessError(message) from error
    return None


def _settle_ended(worker: _Worker, waiting: deque[Batch]) -> Iterator[Answer]:
    """Give up the cell that a process ended at; another process does the others of its batch.

    Where the second process ends without any answer, it is the data, and all cells are given up.
    """
    reason = worker.end(by_itself=True)
    batch, left = worker.batch, tuple(worker.left.values())
    is_fault_of_data = batch.has_ended_one and len(left) == len(batch.cells)
    lost = left if is_fault_of_data else left[:1]
    rest = left[len(lost) :]
    if rest:
        waiting.appendleft(replace(batch, cells=rest, has_ended_one=True))
    for cell in lost:
        yield batch.experiment, cell, Outcome(None, reason, is_error=True)


class _Worker:
    """A process, the batch that it computes, and the thread that listens to it."""

    def __init__(
        self, inbox: queue.SimpleQueue[tuple[_Worker, bytes | None]], batch: Batch
    ) -> None:
        self._inbox = inbox
        with contextlib.ExitStack() as undo:  # where the system refuses the process or the thread
            self._errors = undo.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "disco_paper.running.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=_environment(),
                **_process_options(),
            )
            undo.callback(self._process.communicate)
            undo.callback(self._process.kill)
            self._listener = threading.Thread(target=self._listen, daemon=True)
            self._listener.start()
            undo.pop_all()
        self.begin(batch)

    def begin(self, batch: Batch) -> None:
        """Give the process a batch."""
        self.batch = batch
        self.left = dict(enumerate(batch.cells))
        stdin = cast("IO[bytes]", self._process.stdin)
        try:
            stdin.write(order_line(batch.module, list(batch.cells)))
            stdin.flush()
        except OSError:
            return  # it has ended, and the listener says so

    def _listen(self) -> None:
        for line in cast("IO[bytes]", self._process.stdout):
            if line.endswith(b"\n"):  # the last line of one that was killed may be cut
                self._inbox.put((self, line))
        self._inbox.put((self, None))

    def answered(self, line: bytes) -> Answer:
        """Take note of an answer."""
        place, outcome = read_answer(line)
        return self.batch.experiment, self.left.pop(place), outcome

    def end(self, *, by_itself: bool = False) -> str:
        """End the process, or wait until it has ended by itself, and say how it ended."""
        process = self._process
        if not by_itself:
            process.kill()
        try:
            code = process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._listener.join()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").splitlines()
        last_line = next((line.strip() for line in reversed(said) if line.strip()), "")
        for stream in (process.stdin, process.stdout, self._errors):
            _close(cast("IO[bytes]", stream))
        return _describe_end(code, last_line)


def _close(stream: IO[bytes]) -> None:
    """Close a stream, also one whose other end is gone while something waits to be written."""
    try:
        stream.close()
    except OSError:
        return


def _describe_end(code: int, last_line: str) -> str:
    if code >= 0:
        return f"The process that computed this ended with code {code}: {last_line}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    hint = "; perhaps the memory did not suffice" if name == "SIGKILL" else ""
    return f"The process that computed this was ended by {name}{hint}."


def _environment() -> dict[str, str]:
    """The environment of a process: same modules, one thread, same order of sets, no chatter."""
    threads = {f"{name}_{'' if '_' in name else 'NUM_'}THREADS": "1" for name in _THREADS}
    own = {
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
    }
    return {**os.environ, **threads, **own}


def _process_options() -> dict[str, Any]:
    """Keep the terminal's Ctrl-C from the processes: the parent answers it and ends them."""
    if os.name == "posix":
        return {"process_group": 0}
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
