"""Which files of this package a file depends on, read from its import lines.

Nothing here knows the names of folders, so that a new folder needs no entry anywhere.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
_IMPORT = re.compile(rf"^\s*(?:from|import)\s+{PACKAGE.name}\.([\w.]+)", re.MULTILINE)


@functools.cache
def files_behind(path: Path) -> tuple[Path, ...]:
    """Return a file and all files of this package that it imports, directly or not, in order.

    A package that is imported stands for all files in it: which of them a name comes from is not
    asked. Files of other packages do not count.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported_files(file)
    return tuple(sorted(found))


@functools.cache
def _imported_files(path: Path) -> tuple[Path, ...]:
    """The files of this package that the import lines of a file name, wherever they stand."""
    found: list[Path] = []
    for name in set(_IMPORT.findall(path.read_text(encoding="utf-8"))):
        place = PACKAGE.joinpath(*name.split("."))
        found += place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return tuple(file for file in found if file.is_file())
