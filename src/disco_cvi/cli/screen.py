"""How commands speak: answers on the output, everything else on the error stream."""

from __future__ import annotations

import json
import math
import os
import sys
from typing import IO, TYPE_CHECKING, Any

from disco_cvi._output.words import visible

if TYPE_CHECKING:
    from disco_cvi._output.tables import InfoTable


def has_colors(stream: IO[str] | None) -> bool:
    """Whether colors may be written to a stream: a terminal, and nobody asked for none."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def say(answer: object) -> None:
    """Print an answer at once; what comes from outside gives no orders to the terminal."""
    print(visible(str(answer), lines=True), flush=True)


def note(message: str) -> None:
    """Tell the user something beside the answer."""
    mark = "disco:"
    if has_colors(sys.stderr):
        import typer

        mark = typer.style(mark, fg="yellow")
    print(mark, visible(message), file=sys.stderr)


def complain(message: str) -> None:
    """Say in one line why there is no answer."""
    mark = "disco:"
    if has_colors(sys.stderr):
        import typer

        mark = typer.style(mark, fg="red", bold=True)
    print(mark, visible(one_line(message)), file=sys.stderr)


def one_line(message: str) -> str:
    """Join the lines of a message; blanks stay as they are, for they may be those of a name."""
    first, *others = message.rstrip().split("\n")
    return " ".join([first, *(line.strip() for line in others)])


def print_json(facts: Any) -> None:
    """Print facts for programs: JSON that any of them reads, names in their own letters."""
    has_all_letters = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(facts, indent=2, ensure_ascii=not has_all_letters, allow_nan=False)
    # Outside of its strings there are printable letters and line breaks only.
    seen = (sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text)
    print("".join(seen), flush=True)


def table_facts(table: InfoTable[Any]) -> list[dict[str, Any]]:
    """Return a table of what has a name for programs: what is without end is null."""
    return [
        {
            heading: _finite(getattr(info, what) if isinstance(what, str) else what(info))
            for heading, what in table.framed.items()
        }
        for info in table
    ]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
