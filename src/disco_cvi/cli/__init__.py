"""The command `disco`: a file per command, over the public names."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command

from disco_cvi import __version__
from disco_cvi._output.words import visible
from disco_cvi.cli.command import (
    CannotScoreError,
    CommandGroup,
    UsageError,
    build,
    note_warnings,
    wrong_use,
)
from disco_cvi.cli.plugins import added_commands, load_command, summary
from disco_cvi.cli.screen import complain
from disco_cvi.exceptions import UndefinedScoreError

__all__ = ["main"]

SCORED, CANNOT_SCORE, WRONG_USE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141

# Each is a file of this room, which is loaded when it is asked for.
COMMANDS = {
    "score": "score a labeling of points from files",
    "compare": "compare labelings of points from files, by many indices",
    "explain": "explain a score: clusters, noise, and the points of lowest score",
    "report": "write a report on a clustering, a page to look at and send",
    "tune": "suggest eps or min_cluster_size for points from a file",
    "indices": "list the validity indices and what they promise",
    "demo": "score a good and a bad clustering of rings, and say why",
}

_DESCRIPTION = """\
Score a clustering, its noise included, by density: DISCO.

The score lies between -1 and 1. Near 1, the points of a cluster hang together
without a sparse gap, sparse gaps lie between the clusters, and noise lies where
it is sparse. Around 0 the labels do not follow the density; below, they go
against it."""

_EPILOG = """\
examples:
  disco demo
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --standardize
  disco score points.npy --labels labels.npy --samples samples.csv --json
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco explain points.csv --labels labels.csv --worst 50
  disco report points.csv --labels dbscan.csv kmeans.csv -o report.html
  disco tune points.csv --standardize --out labels.csv --report page.html
  disco indices

exit codes: 0 scored; 1 a file cannot be read or its data cannot be scored;
2 wrong use of the command; 130 interrupted."""


class _Disco(CommandGroup):
    """The command as a whole: it knows the names of all commands, and loads the one it runs."""

    usage = "COMMAND ..."

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002 - typer asks with it
        """The names of all commands."""
        return list(COMMANDS)

    def resolve_command(self, context: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that the first word names, of this package or of another."""
        if args[0] not in COMMANDS and (added := load_command(args[0])):
            return args[0], added, args[1:]
        return super().resolve_command(context, args)

    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ARG002 - the same
        """Load a command."""
        if cmd_name not in COMMANDS:
            return load_command(cmd_name)
        module = import_module(f"disco_cvi.cli.{cmd_name}")
        command = build(cmd_name, module.COMMAND, *getattr(module, "CHILDREN", {}).items())
        command.short_help = COMMANDS[cmd_name]
        return command

    def summaries(self) -> list[tuple[str, str]]:
        """Each command with what it is for."""
        return [*COMMANDS.items(), *((name, summary(name)) for name in added_commands())]


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it
    if wanted:
        print(f"disco-cvi {__version__}")
        raise typer.Exit


def _disco(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="show the version"),
    ] = False,
) -> None:
    pass


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
        code = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        ended = _end_of(error)
        if ended is None:
            raise
        return ended
    return code


def _end_of(error: BaseException) -> int | None:
    """Say why there is no answer, and return the exit code; None if that is an error of our own."""
    if isinstance(error, KeyboardInterrupt):
        return _fail("interrupted", INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return PIPE_CLOSED
    if _is_out_of_memory(error):
        return _fail(
            "the memory of this machine does not suffice; a sample of the rows, fewer columns or "
            "labelings at a time, or --dask of 'disco score' need less",
            CANNOT_SCORE,
        )
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        if error.filename:
            reason = f"{visible(str(error.filename))}: {reason}"
        return _fail(reason, CANNOT_SCORE)
    if isinstance(error, (UndefinedScoreError, CannotScoreError)):
        return _fail(str(error), CANNOT_SCORE)
    return None


def _run(arguments: Sequence[str]) -> int:
    app = typer.Typer(rich_markup_mode=None)
    app.callback(
        cls=_Disco,
        help=_DESCRIPTION,
        epilog=_EPILOG,
        context_settings={"help_option_names": ["-h", "--help"]},
    )(_disco)
    disco: Any = get_command(app)
    if "_DISCO_COMPLETE" in os.environ:  # a shell asks for the rest of a word
        disco(prog_name="disco")
    if not arguments:
        print(
            disco.get_help(disco.make_context("disco", [], resilient_parsing=True)), file=sys.stderr
        )
        return WRONG_USE
    if arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    try:
        with warnings.catch_warnings(), disco.make_context("disco", list(arguments)) as context:
            warnings.simplefilter("default", UserWarning)  # each once, whatever Python was told
            # Nothing that who types a command can mend; some are UserWarnings, too.
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.showwarning = note_warnings
            disco.invoke(context)
    except UsageError as error:
        print(visible(wrong_use(error)), file=sys.stderr)
        return WRONG_USE
    except typer.Exit as stop:
        return stop.exit_code
    except SystemExit as stop:  # typer has installed or shown the completion of a shell
        return int(stop.code or SCORED)
    return SCORED


def _fail(message: str, code: int) -> int:
    complain(message)
    return code


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, also where a package should have been loaded into it.

    llvmlite says instead that its library may be missing: why it is, the error before says.
    """
    if isinstance(error, MemoryError) or error is None:
        return error is not None
    words = ("failed to map segment", "cannot allocate memory")
    is_said = any(word in str(error).lower() for word in words)
    is_loading = isinstance(error, (ImportError, OSError))
    return is_loading and (is_said or _is_out_of_memory(error.__cause__ or error.__context__))


def _forget_output() -> None:
    """Let Python's own flush at exit go nowhere: whoever read our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
