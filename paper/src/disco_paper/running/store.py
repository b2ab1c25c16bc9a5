"""Outcomes of cells in one file of JSON lines, each kept from the moment it is known.

Every line is one write at the end of the file, by the process that computed the cell. So a run may
be killed at any time, and two runs may share a folder: the worst is a cell computed twice.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import disco_cvi
import disco_paper
from disco_cvi._for_paper import versions_of
from disco_cvi.exceptions import InvalidInputError
from disco_paper.cells import Cell, Outcome

FILE_NAME = "cells.jsonl"
_PARTS = ("experiment", "data", "labeling", "index")
_MARK = b'{"experiment":'  # how a line begins


@cache
def package_versions() -> dict[str, str]:
    """Versions of this package, of Python and of the packages that compute."""
    found: dict[str, str] = versions_of(("numpy", "scipy", "scikit-learn", "numba", "densired"))
    return found


@cache
def origin() -> dict[str, str]:
    """What all numbers depend on: versions, and a digest of the sources of both packages."""
    digest = hashlib.sha256()
    for package in (disco_cvi, disco_paper):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return {**package_versions(), "source": digest.hexdigest()[:32]}


def key_of(name: str, cell: Cell) -> str:
    """A cell of an experiment as text, the same for the same cell."""
    return json.dumps(_parts(name, cell))


def _parts(name: str, cell: Cell) -> list[object]:
    return [name, *([part.name, dict(part.options)] for part in vars(cell).values())]


def add(path: Path, depends_on: dict[str, str], name: str, cell: Cell, outcome: Outcome) -> None:
    """Write an outcome of an experiment's cell at the end of a file."""
    what = dict(zip(_PARTS, _parts(name, cell), strict=True))
    line = json.dumps({**what, **vars(outcome), "origin": depends_on}, allow_nan=False) + "\n"
    with path.open("ab", buffering=0) as stream:
        if stream.write(line.encode()) < len(line):
            raise OSError(errno.ENOSPC, "the disk is full; the next run continues", str(path))


class Store:
    """The outcomes in a folder's file that have one origin; unreadable lines are passed over.

    Parameters
    ----------
    folder : Path
        An existing folder.
    depends_on : dict of str to str
        The origin; numbers of another one are computed again, as errors are.

    Raises
    ------
    InvalidInputError
        If the file is something else.
    OSError
        If it cannot be written to.
    """

    def __init__(self, folder: Path, depends_on: dict[str, str]) -> None:
        self.path, self.origin = folder / FILE_NAME, depends_on
        with self.path.open("a+b") as stream:
            stream.seek(0)
            content = stream.read()
            if content and not content.startswith(_MARK):
                problem = f"holds {self.path}, which is no store of cells"
                raise InvalidInputError(
                    argument="out",
                    caller="reproduce",
                    problem=problem,
                    remedy="Move it away, or name another folder.",
                )
            if content and not content.endswith(b"\n"):
                stream.write(b"\n")  # ends a line that was torn
        self._n_read = 0
        self._known: dict[str, Outcome] = {}
        self._known = {key: new for key, new in self.read_on().items() if not new.is_error}

    def read_on(self) -> dict[str, Outcome]:
        """Take note of the lines that were written since the last time, and return them by key."""
        with self.path.open("rb") as stream:
            stream.seek(self._n_read)
            content = stream.read()
        content = content[: content.rfind(b"\n") + 1]
        self._n_read += len(content)
        new = {}
        for text in content.splitlines():
            try:
                line = json.loads(text)
                key = json.dumps([line.pop(part) for part in _PARTS])
                if line.pop("origin") == self.origin:
                    new[key] = Outcome(**line)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
        self._known.update(new)
        return new

    def known(self, name: str, cells: Iterable[Cell]) -> dict[Cell, Outcome]:
        """The outcomes of an experiment's cells, as far as they are known."""
        keys = {cell: key_of(name, cell) for cell in cells}
        return {cell: self._known[key] for cell, key in keys.items() if key in self._known}
