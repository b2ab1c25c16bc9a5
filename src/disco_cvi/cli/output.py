"""How commands speak, and what they write: answers, notes, JSON, and files that overwrite no input.

Answers go to the standard output, everything else to the error stream.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

import typer

from disco_cvi._output.words import visible
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi.indices.index_info import IndexTable

COLUMNS = ()  # the endings that `_output.files` knows
PICTURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".htm")
# What an ending needs that not everybody has, and the extra that brings it.
_NEEDED = {PICTURES: ("plots", ["matplotlib"]), PAGES: ("report", ["matplotlib", "jinja2"])}


class CannotScoreError(Exception):
    """The command is used rightly, and what it was given cannot be used."""


def fail(message: str) -> NoReturn:
    """Say what is wrong with the arguments, and exit with code 2."""
    raise typer.BadParameter(message)


def has_colors(stream: IO[str] | None) -> bool:
    """Whether colors may be written to a stream: a terminal, and nobody asked for none."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def say(answer: object) -> None:
    """Print an answer; what comes from outside gives no orders to the terminal."""
    print(visible(str(answer), lines=True), flush=True)


def note(message: str, **style: Any) -> None:
    """Tell the user something that is not the answer, in one line."""
    first, *others = message.rstrip().split("\n")  # blanks may be those of a name
    mark, line = "disco:", " ".join([first, *(line.strip() for line in others)])
    if has_colors(sys.stderr):
        mark = typer.style(mark, **(style or {"fg": "yellow"}))
    print(mark, visible(line), file=sys.stderr)


def complain(message: str) -> None:
    """Say in one line why there is no answer."""
    note(message, fg="red", bold=True)


def print_json(facts: Any) -> None:
    """Print facts for programs: JSON that any of them reads, names in their own letters."""
    has_all_letters = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(facts, indent=2, ensure_ascii=not has_all_letters, allow_nan=False)
    # Outside of its strings there are printable letters and line breaks only.
    seen = (sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text)
    print("".join(seen), flush=True)


def table_facts(table: IndexTable) -> list[dict[str, Any]]:
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


# --- files ----------------------------------------------------------------------------------------


class Output(NamedTuple):
    """A file to write: the option that names it, and how it may end."""

    option: str
    path: str | None
    endings: tuple[str, ...] = COLUMNS


def check_outputs(
    sources: Sequence[str | None], outputs: Sequence[Output], *, has_packages: bool = False
) -> None:
    """Find out before the work whether its results can be written, each to its own place."""
    from disco_cvi._output.files import check_not_read, check_output, check_place

    taken: dict[Path, str] = {}
    for name, path, endings in outputs:
        if path is None:
            continue
        try:
            if endings and Path(path).suffix.lower() not in endings:
                fail(f"{path} must end in {', '.join(endings)}, which names its format")
            (check_place if endings else check_output)(path)
            check_not_read(path, *sources)
        except InvalidInputError as error:
            fail(str(error))
        place = Path(path).resolve()
        if place in taken:
            fail(f"{taken[place]} and {name} both name {path}; name another file")
        taken[place] = name
        extra, packages = _NEEDED.get(endings, ("", []))
        for package in packages:
            if not has_packages and find_spec(package) is None:
                needed = f'{name} needs {package}: pip install "disco-cvi[{extra}]"'
                raise InvalidInputError(needed)


def write_rows(
    path: str, columns: dict[str, NDArray[Any]], id_name: str | None, names: Sequence[str] | None
) -> None:
    """Write columns with the names of the rows first, if they have names."""
    import numpy as np

    from disco_cvi._output.files import write_columns

    # An array holds one column, and that is not the names.
    if names is not None and not path.lower().endswith(".npy"):
        given = str(id_name)
        heading = "id" if given.lstrip("-").isdecimal() or given in columns else given
        columns = {heading: np.array(names)} | columns
    write_columns(path, columns)


def write_picture(path: str, name: str, plot: Callable[[], Any]) -> None:
    """Write what `plot` draws, in the format that the path's ending names."""
    from disco_cvi._output.files import write_file

    picture = picture_of(name, plot, Path(path).suffix.lower().removeprefix("."))
    write_file(path, lambda stream: stream.write(picture))
    note(f"wrote a figure to {path}.")


def picture_of(name: str, plot: Callable[[], Any], form: Any = "png") -> bytes:
    """A drawing as the bytes of a file, with nothing of this machine in it."""
    from disco_cvi.report.pictures import default_style, picture_bytes

    with default_style(name):
        drawn = plot()  # a display, or axes
        return picture_bytes(getattr(drawn, "figure_", None) or drawn.figure, form)
