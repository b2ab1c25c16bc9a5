"""What a call writes to the output and the error stream, by whatever way."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from types import TracebackType
from typing import Self, TextIO


class Streams:
    """Both streams turned to files while it is open, those of libraries written in C too."""

    def __init__(self) -> None:
        self._files = [tempfile.TemporaryFile() for _ in range(2)]  # noqa: SIM115 - closed at exit
        self._kept: list[int] = []
        self._python: tuple[TextIO, TextIO] = (sys.stdout, sys.stderr)

    def __enter__(self) -> Self:
        self._python = sys.stdout, sys.stderr
        for stream in self._python:
            stream.flush()
        self._kept = [os.dup(1), os.dup(2)]
        for number, file in enumerate(self._files, start=1):
            os.dup2(file.fileno(), number)
        sys.stdout = _text(1, "strict")
        sys.stderr = _text(2, "backslashreplace")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        frames: TracebackType | None,
    ) -> None:
        sys.stdout, sys.stderr = self._python
        for number, kept in enumerate(self._kept, start=1):
            os.dup2(kept, number)
            os.close(kept)
        for file in self._files:
            file.close()

    def take(self) -> tuple[str, str]:
        """Return what was written since the last time."""
        sys.stdout.flush()
        sys.stderr.flush()
        found = []
        for file in self._files:
            file.seek(0)
            found.append(file.read().decode("utf-8", errors="replace"))
            file.seek(0)
            file.truncate()
        return found[0], found[1]


def _text(number: int, errors: str) -> TextIO:
    """A stream as Python opens it: what cannot be written is an error only on the output."""
    raw = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors=errors)
