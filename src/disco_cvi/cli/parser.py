"""What the parsers of all commands share."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, NoReturn, Protocol


class Parser(argparse.ArgumentParser):
    """A parser that complains in one line and keeps its texts as they are laid out."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and exit with code 2."""
        sentence = message.strip().removesuffix(".")
        end = "" if sentence.endswith("?") else "."
        self.exit(2, f"{self.prog}: {sentence}{end} See '{self.prog} --help'.\n")


class Command(Protocol):
    """A module that is one command."""

    NAME: str
    SUMMARY: str
    DESCRIPTION: str
    EPILOG: str

    def add_options(self, parser: Parser) -> None:
        """Add the command's options to its parser."""

    def run(self, options: argparse.Namespace) -> None:
        """Do the work and print the answer."""


def add_command(commands: Any, command: Command) -> None:
    """Make a module a command."""
    parser = commands.add_parser(
        command.NAME,
        help=command.SUMMARY,
        description=command.DESCRIPTION,
        epilog=command.EPILOG,
    )
    command.add_options(parser)
    parser.set_defaults(run=command.run, parser=parser)


def whole_number(text: str, *, least: int = 1) -> int:
    """Read an option's value as a whole number of at least 1, or so many."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        rule = f"must be a whole number of at least {least}"
        raise argparse.ArgumentTypeError(f"{rule}; got {text!r}")
    return number


def json_object(text: str) -> dict[str, Any]:
    """Read an option's value as a JSON object."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"must be a JSON object, {{...}}; got {text!r}")
    return value


def note(message: str) -> None:
    """Tell the user something beside the answer."""
    print("disco:", message, file=sys.stderr)
