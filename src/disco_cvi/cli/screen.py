"""How commands speak: answers on the output, everything else on the error stream."""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any


def has_colours(stream: IO[str] | None) -> bool:
    """Whether colours may be written to a stream: a terminal, and nobody asked for none."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def note(message: str) -> None:
    """Tell the user something beside the answer."""
    mark = "disco:"
    if has_colours(sys.stderr):
        import typer

        mark = typer.style(mark, fg="yellow")
    print(mark, message, file=sys.stderr)


def complain(message: str) -> None:
    """Say in one line why there is no answer."""
    mark = "disco:"
    if has_colours(sys.stderr):
        import typer

        mark = typer.style(mark, fg="red", bold=True)
    print(mark, " ".join(message.split()), file=sys.stderr)


def print_json(facts: Any) -> None:
    """Print facts for programs: JSON that any of them reads, names in their own letters."""
    print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
