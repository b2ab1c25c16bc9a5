"""The command `disco`: plain typer functions over the public names.

A package adds a command by an entry point of the group ``disco_cvi.commands``: its name is that of
the command, and what it names is a function as ``typer`` takes it, with annotated parameters and a
docstring, or a ``typer.Typer`` of several. It is loaded when its command is asked for. It may use
`disco_cvi.cli.output` to speak as our commands do; wrong use of its options raises
``typer.BadParameter``, what cannot be done raises `disco_cvi.exceptions.InvalidInputError`.
"""

from __future__ import annotations

import inspect
import io
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from disco_cvi import __version__
from disco_cvi._output.words import did_you_mean, visible
from disco_cvi.cli import commands
from disco_cvi.cli.demo import EPILOG as DEMO_EPILOG
from disco_cvi.cli.demo import demo
from disco_cvi.cli.output import CannotScoreError, complain, note
from disco_cvi.cli.tune import EPILOG as TUNE_EPILOG
from disco_cvi.cli.tune import tune
from disco_cvi.exceptions import ArgumentError, UndefinedScoreError

__all__ = ["COMMANDS", "app", "main"]

SCORED, CANNOT_SCORE, WRONG_USE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
PLUGINS = "disco_cvi.commands"
# Commands of other packages of this project, and how they are installed.
_ELSEWHERE = {"reproduce": "pip install ./paper, in a checkout of the project"}
# What typer raises on wrong use has no public name but that of its child.
_UsageError: Any = typer.BadParameter.__base__
# What the shell calls arguments of Python functions that are no options of the same name.
_SHELL_NAMES = {"X": "POINTS", "client": "--scheduler", "n_blocks": "--blocks", "n_jobs": "--jobs"}

_DESCRIPTION = """\
Score a clustering, its noise included, by density: DISCO.

The score lies between -1 and 1. Near 1, the points of a cluster hang together without a sparse gap,
sparse gaps lie between the clusters, and noise lies where it is sparse. Around 0 the labels do not
follow the density; below, they go against it."""

_EPILOG = """\
\b
Examples:
  disco demo
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --standardize
  disco score points.npy --labels labels.npy --samples samples.csv --json
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco explain points.csv --labels labels.csv --worst 50
  disco report points.csv --labels dbscan.csv kmeans.csv -o report.html
  disco tune points.csv --standardize --out labels.csv --report page.html
  disco indices

\b
Exit codes: 0 scored; 1 a file cannot be read or its data cannot be scored;
2 wrong use of the command; 130 interrupted."""


class Command(TyperCommand):
    """A command whose options may take several values, as in ``--labels a.csv b.csv``."""

    allow_extra_args = True  # to say what they were probably meant to be

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words after the command; those that belong to nothing are refused."""
        ctx.meta[PLUGINS] = args
        rest = super().parse_args(ctx, list(self._one_value_each(ctx, args)))
        if rest and not ctx.resilient_parsing:
            is_labels = "labels" in ctx.params and not ctx.params["labels"]
            hint = f"; labels are named by --labels {rest[0]}" if is_labels else ""
            if ctx.params.get("dask") or ctx.params.get("scheduler"):
                hint = "; put a pattern of files into quotes, such as 'points-*.parquet'"
            ctx.fail(f"unexpected argument {rest[0]!r}{hint}")
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help; lines of a paragraph flow to the width of the terminal."""
        paragraphs = inspect.cleandoc(self.help or "").split("\n\n")
        self.help = "\n\n".join(
            each if each.startswith("\b") else each.replace("\n", " ") for each in paragraphs
        )
        params: list[Any] = self.get_params(ctx)
        for param in params:
            param.display_type = lambda ctx: ""  # noqa: ARG005 - no types of Python
        super().format_help(ctx, formatter)

    def _one_value_each(self, ctx: Any, args: list[str]) -> Iterator[str]:
        """Write '--labels a b' as '--labels a --labels b', which typer understands."""
        options = self._options_with_values()
        rest, has_points = list(args), False
        while rest:
            word = rest.pop(0)
            yield word
            if word not in options:
                has_points = has_points or not word.startswith("-")
                continue
            if (not rest or rest[0].startswith("--")) and not ctx.resilient_parsing:
                ctx.fail(f"{word} needs a value: {word} {options[word].metavar}")
            yield from rest[:1]
            del rest[:1]
            while rest and options[word].multiple and not re.match("-[^0-9]", rest[0]):
                # '--drop a points.csv': no column is named like a file that is there.
                is_file = "FILE" not in options[word].metavar and Path(rest[0]).is_file()
                if is_file and not has_points:
                    break
                yield from (word, rest.pop(0))

    def _options_with_values(self) -> dict[str, Any]:
        params: list[Any] = self.params
        options = [each for each in params if each.param_type_name == "option"]
        return {name: each for each in options if not each.is_flag for name in each.opts}

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Offer what may follow; after the first value of an option that takes several, another."""
        last = next((word for word in reversed(ctx.meta[PLUGINS]) if word.startswith("--")), "")
        option = self._options_with_values().get(last)
        if option is not None and option.multiple and not incomplete.startswith("-"):
            return list(option.shell_complete(ctx, incomplete))
        return super().shell_complete(ctx, incomplete)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; errors of Python functions name their arguments as the shell does."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        except ArgumentError as error:
            name = str(error.argument)
            option = f"--{name.replace('_', '-')}" if name.isidentifier() else name
            raise CannotScoreError(error.worded(_SHELL_NAMES.get(name, option))) from error


class _Group(TyperGroup):
    """The command as a whole, with the commands of other packages."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command of ours or of another package."""
        return super().get_command(ctx, cmd_name) or _plugin(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that the first word names, and the other words."""
        command = self.get_command(ctx, args[0])
        if command is None and not ctx.resilient_parsing:
            if args[0] in _ELSEWHERE:
                ctx.fail(f"{args[0]!r} is not installed: {_ELSEWHERE[args[0]]}")
            known = [*self.commands, *(entry.name for entry in _entry_points())]
            remedy = did_you_mean(args[0], known) or f"There are {', '.join(known)}."
            ctx.fail(f"no such command: {args[0]!r}. {remedy}")
        return args[0], command, args[1:]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help in plain text: rich would take three times as long as all else."""
        self.rich_markup_mode = None
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's
        """Write what there is; commands of other packages are not loaded for that."""
        rows = [(name, each.get_short_help_str(100)) for name, each in self.commands.items()]
        rows += [(each.name, f"Of the package {each.dist.name}.") for each in _entry_points()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _entry_points(**which: Any) -> Any:
    from importlib.metadata import entry_points

    return entry_points(group=PLUGINS, **which)


def _plugin(name: str) -> Any:
    """Return a command of another package, None if there is none of this name."""
    for entry in _entry_points(name=name):
        try:
            found = entry.load()
            if not isinstance(found, typer.Typer):
                function, found = found, typer.Typer(add_completion=False)
                found.command(name, cls=Command, context_settings=_SETTINGS)(function)
            command: Any = get_command(found)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise CannotScoreError(
                f"the package of {name!r} cannot be loaded ({reason})"
            ) from error
        command.name = name
        return command
    return None


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it
    if wanted:
        print(f"disco-cvi {__version__}")
        raise typer.Exit


def _disco(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None: ...


_SETTINGS: Any = {"help_option_names": ["-h", "--help"]}
COMMANDS: dict[str, str] = {
    "score": commands.SCORE_EPILOG,
    "compare": commands.COMPARE_EPILOG,
    "explain": commands.EXPLAIN_EPILOG,
    "report": commands.REPORT_EPILOG,
    "tune": TUNE_EPILOG,
    "indices": commands.INDICES_EPILOG,
    "demo": DEMO_EPILOG,
}
app = typer.Typer(cls=_Group, help=_DESCRIPTION, epilog=_EPILOG, context_settings=_SETTINGS)
app.callback()(_disco)
for _function in (
    commands.score,
    commands.compare,
    commands.explain,
    commands.report,
    tune,
    commands.indices,
    demo,
):
    app.command(cls=Command, epilog=COMMANDS[_function.__name__], context_settings=_SETTINGS)(
        _function
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the word `disco`; taken from the process if not given.

    Returns
    -------
    int
        0 scored, 1 the data cannot be scored, 2 wrong use, 130 interrupted.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A letter that the locale lacks is no error, as it is none on the error stream.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python's own flush at exit goes nowhere: whoever read our output has gone.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (OSError, MemoryError, UndefinedScoreError, CannotScoreError) as error:
        complain(_failure(error))
        return CANNOT_SCORE
    return code


def _run(arguments: list[str]) -> int:
    disco: Any = get_command(app)
    if "_DISCO_COMPLETE" in os.environ:  # a shell asks for the rest of a word
        disco(prog_name="disco")
    if not arguments:
        context = disco.make_context("disco", [], resilient_parsing=True)
        print(disco.get_help(context), file=sys.stderr)
        return WRONG_USE
    if arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    try:
        with warnings.catch_warnings(), disco.make_context("disco", arguments) as context:
            warnings.simplefilter("default", UserWarning)  # each once, whatever Python was told
            # Nothing that who types a command can mend; some are UserWarnings, too.
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.showwarning = lambda message, *_, **__: note(str(message))
            disco.invoke(context)
    except _UsageError as error:
        path = error.ctx.command_path if error.ctx else "disco"
        told = _complaint(error)
        end = "" if told.endswith(("?", ".")) else "."
        print(visible(f"{path}: {told}{end} See '{path} --help'."), file=sys.stderr)
        return WRONG_USE
    except typer.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:  # typer has installed or shown the completion of a shell
        return int(stop.code or SCORED)
    return SCORED


def _complaint(error: Any) -> str:
    """Say what is wrong with the arguments."""
    if hasattr(error, "possibilities"):
        params = error.ctx.command.get_params(error.ctx)
        known = {name.lstrip("-"): name for each in params for name in each.opts}
        remedy = did_you_mean(error.option_name.lstrip("-"), known)
        return f"no such option: {error.option_name}. {remedy}".rstrip()
    if getattr(error, "param", None) is not None:
        return f"{max(error.param.opts, key=len)} {error.message}"
    return str(error.message)


def _failure(error: Exception) -> str:
    """Say why there is no answer."""
    if isinstance(error, MemoryError):
        return (
            "the memory of this machine does not suffice; a sample of the rows, fewer columns or "
            "labelings at a time, or --dask of 'disco score' need less"
        )
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{visible(str(error.filename))}: {reason}" if error.filename else reason
    return str(error)
