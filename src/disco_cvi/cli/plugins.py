"""Commands that other packages add, by entry points of the group `disco_cvi.commands`.

What an entry point names is a function as typer takes it, or a `typer.Typer` of commands.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.main import get_command

from disco_cvi.cli.command import CannotScoreError

GROUP = "disco_cvi.commands"


def added_commands() -> dict[str, EntryPoint]:
    """The commands of other packages that are installed, by name."""
    return {found.name: found for found in entry_points(group=GROUP)}


def load_command(name: str) -> Any:
    """Load a command; None if no package adds one of that name."""
    found = added_commands().get(name)
    if found is None and name == "reproduce":
        raise CannotScoreError(
            "'disco reproduce' is a package of its own, disco-paper, which is not installed: "
            "run 'pip install ./paper' in a checkout of disco-cvi"
        )
    if found is None:
        return None
    try:
        loaded = found.load()
        app = loaded if isinstance(loaded, typer.Typer) else typer.Typer(rich_markup_mode=None)
        if app is not loaded:
            app.command(name)(loaded)
        command: Any = get_command(app)
        command.name = name
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        message = f"the command {name!r} of {found.value} cannot be loaded ({what})"
        raise CannotScoreError(message) from error
    return command


def summary(name: str) -> str:
    """What an added command is for, in a line."""
    try:
        return str(load_command(name).get_short_help_str(limit=100))
    except CannotScoreError as error:
        return str(error)
