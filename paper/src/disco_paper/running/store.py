"""Outcomes of cells in one SQLite file, each kept from the moment it is known.

One process writes, and holds the file while it runs. A cell is one transaction: however the process
ends, even by `kill -9`, the file holds every cell that was put into it, and is never half written.
"""

from __future__ import annotations

import errno
import json
import os
import random
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from disco_cvi.exceptions import InvalidInputError
from disco_paper.cells.cell import Cell, Outcome

FILE_NAME = "cells.sqlite"

# Marks in the head of the file: that it is ours, and how its table is laid out.
_APPLICATION = 0x6469_7363  # "disc"
_LAYOUT = 1

_N_TRIES = 5

_VALUE, _UNDEFINED, _ERROR = "value", "undefined", "error"

_TABLE = """
CREATE TABLE cells (
    experiment TEXT NOT NULL,
    data TEXT NOT NULL,
    labeling TEXT NOT NULL,
    "index" TEXT NOT NULL,
    parameters TEXT NOT NULL,
    versions TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('value', 'undefined', 'error')),
    value TEXT,
    reason TEXT NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (experiment, data, labeling, "index", parameters, versions)
) WITHOUT ROWID
"""


class Store:
    """Outcomes in a folder's file, which is made if it does not exist.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Raises
    ------
    InvalidInputError
        If the file is not a store, is of a newer release, is damaged, or is in use.
    OSError
        If the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        for needed in (folder, self.path):
            if needed.exists() and not os.access(needed, os.W_OK):
                raise PermissionError(errno.EACCES, "may not be written to", str(needed))
        with _explain_errors(self.path):
            self._connect_soon()

    def _connect_soon(self) -> None:
        """Try more than once: two that begin at one moment may both find the other's lock."""
        for _ in range(_N_TRIES - 1):
            try:
                self._connect()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                time.sleep(random.random() / 10)  # noqa: S311 - so that the two differ
            else:
                return
        self._connect()

    def _connect(self) -> None:
        """Open the file; an error at once if another run holds it."""
        # No transaction but ours.
        self._file = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        try:
            self._open()
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> None:
        """Take hold of the file, look whether it is a store, and make its table if it is new."""
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("BEGIN IMMEDIATE")
        application = self._pragma("application_id")
        layout = self._pragma("user_version")
        is_new = not self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not is_new and application != _APPLICATION:
            raise _unusable(f"holds a database that is no store of cells, {self.path}")
        if layout > _LAYOUT:
            problem = (
                f"holds {self.path}, which was made by a newer release of disco-cvi (layout "
                f"{layout}; this release knows layout {_LAYOUT})"
            )
            raise _unusable(problem, "Update disco-cvi.")
        if is_new:
            self._file.execute(_TABLE)
            self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {_LAYOUT}")
        self._file.execute("COMMIT")
        # Each cell is then one short write at the end of a log beside the file.
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")

    def _pragma(self, name: str) -> int:
        number: int = self._file.execute(f"PRAGMA {name}").fetchone()[0]
        return number

    def put(self, experiment: str, versions: str, cell: Cell, outcome: Outcome) -> None:
        """Keep an outcome; it replaces an earlier error of the same cell."""
        state = _ERROR if outcome.is_error else _UNDEFINED if outcome.reason else _VALUE
        value = json.dumps(outcome.value, allow_nan=False) if state == _VALUE else None
        row = (
            *_key(experiment, versions, cell),
            *(state, value, outcome.reason, outcome.seconds),
        )
        with _explain_errors(self.path):
            self._file.execute("INSERT OR REPLACE INTO cells VALUES (?,?,?,?,?,?,?,?,?,?)", row)

    def get(self, experiment: str, versions: str, cells: Iterable[Cell]) -> dict[Cell, Outcome]:
        """The outcomes that are known, by cell."""
        with _explain_errors(self.path):
            rows = self._file.execute(
                'SELECT data, labeling, "index", parameters, state, value, reason, seconds '
                "FROM cells WHERE experiment = ? AND versions = ?",
                (experiment, versions),
            ).fetchall()
        known = {row[:4]: row[4:] for row in rows}
        found = {}
        for cell in cells:
            row = known.get(_names(cell))
            if row is not None:
                state, value, reason, seconds = row
                found[cell] = Outcome(
                    None if value is None else json.loads(value), reason, state == _ERROR, seconds
                )
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextmanager
def open_store(folder: Path) -> Iterator[Store]:
    """Hold a folder's store while the block runs."""
    store = Store(folder)
    try:
        yield store
    finally:
        store.close()


def _key(experiment: str, versions: str, cell: Cell) -> tuple[str, ...]:
    return (experiment, *_names(cell), versions)


def _names(cell: Cell) -> tuple[str, str, str, str]:
    return (cell.data.name, cell.labeling.name, cell.index.name, cell.parameters)


@contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    """Say what SQLite's errors mean for a user."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text:
            problem = f"is in use: another run, or another program, has {path} open"
            raise _unusable(problem, "Wait until that has ended.") from error
        if "unable to open" in text:
            raise OSError(errno.ENOENT, f"cannot be written ({text})", str(path)) from error
        # The disk is full or fails.
        number = errno.ENOSPC if "full" in text else errno.EIO
        message = f"{text}. What was stored before is safe, and the next run continues from it"
        raise OSError(number, message, str(path)) from error
    except sqlite3.DatabaseError as error:
        problem = f"holds {path}, which cannot be read as a store of cells ({error})"
        raise _unusable(problem, "Move it away, and the next run begins anew.") from error


def _unusable(problem: str, remedy: str = "") -> InvalidInputError:
    """The error about a folder that cannot be used."""
    remedy = f"{remedy} Or name another folder." if remedy else "Name another folder."
    return InvalidInputError(argument="out", caller="reproduce", problem=problem, remedy=remedy)
