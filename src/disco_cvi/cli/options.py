"""What the options of all commands share: how they are declared, read, completed and refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

import typer

from disco_cvi._output.words import did_you_mean

_BYTES = re.compile(r"([0-9]{1,9}) ?(?:([KMGT])(?:i?B)?|B)?", re.IGNORECASE)


@dataclass
class Options:
    """What the user gave to a command, one attribute per option.

    Each command has a class of its own, which inherits the options that it shares with others. An
    attribute is annotated with how the shell calls it.
    """

    context: typer.Context

    def fail(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and exit with code 2."""
        self.context.fail(message)

    def shell_name(self, argument: str | None) -> str:
        """Return what the shell calls an argument of a Python function."""
        return str(argument)


def option(name: str, *others: str, **settings: Any) -> Any:
    """Declare an option; its help says the default in its own words."""
    return typer.Option(name, *others, show_default=False, **settings)


def argument(**settings: Any) -> Any:
    """Declare what is given without the name of an option."""
    return typer.Argument(show_default=False, **settings)


def whole_number(text: str, *, least: int = 1) -> int:
    """Read an option's value as a whole number of at least 1, or so many."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise typer.BadParameter(f"must be a whole number of at least {least}; got {text!r}")
    return number


def byte_size(text: str) -> int:
    """Read an option's value as a number of bytes, with K, M, G or T for 1024 of each other.

    >>> byte_size("2G"), byte_size("500"), byte_size("1KB"), byte_size("1 MiB")
    (2147483648, 500, 1024, 1048576)
    """
    found = _BYTES.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise typer.BadParameter(f"must be a number of bytes, such as 500M or 20G; got {text!r}")
    return int(found[1]) << 10 * " KMGT".index((found[2] or " ").upper())


def whole_number_or_0(text: str) -> int:
    """Read an option's value as a whole number of at least 0."""
    return whole_number(text, least=0)


def json_object(text: str) -> dict[str, Any]:
    """Read an option's value as a JSON object."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise typer.BadParameter(f"must be a JSON object, {{...}}; got {text!r}")
    return value


def one_of(*known: str) -> dict[str, Callable[[str], Any]]:
    """Settings of an option that takes one of a few words."""

    def read(text: str) -> str:
        if text in known:
            return text
        question = did_you_mean(text, known)
        raise typer.BadParameter(f"must be one of {', '.join(known)}; got {text!r}. {question}")

    def complete(incomplete: str) -> list[str]:
        return [word for word in known if word.startswith(incomplete)]

    return {"parser": read, "autocompletion": complete}


@dataclass
class JsonOptions(Options):
    """Whether people or programs read the answer."""

    json: Annotated[
        bool,
        option("--json", help="print JSON, for programs", rich_help_panel="output"),
    ] = False


@dataclass
class JobsOptions(Options):
    """How many threads work."""

    jobs: Annotated[
        int | None,
        option(
            "--jobs",
            metavar="N",
            parser=whole_number,
            help="threads to use (default: all CPUs); the result is the same for any number",
        ),
    ] = None

    @property
    def n_jobs(self) -> int:
        """The number of threads as Python functions take it."""
        return -1 if self.jobs is None else self.jobs


# --- what a shell offers for a word that is half typed ------------------------------------------


def _beginning(incomplete: str, known: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, what) for name, what in known.items() if name.startswith(incomplete)]


def complete_index(incomplete: str) -> list[tuple[str, str]]:
    """Names of indices."""
    from disco_cvi.indices.registry import available_indices

    names = {info.name: info.title for info in available_indices()}
    return _beginning(incomplete, {"all": "every index"} | names)


def complete_metric(incomplete: str) -> list[str]:
    """Names of metrics."""
    from disco_cvi._input.metric import METRIC_NAMES

    return [name for name in METRIC_NAMES if name.startswith(incomplete)]
