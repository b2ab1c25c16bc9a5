"""The command `disco`: a parser and a short function per command, over the public names."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from disco_cvi import __version__
from disco_cvi.cli import compare, datasets, demo, indices, reproduce, score, tune
from disco_cvi.cli.data_options import shell_name
from disco_cvi.cli.parser import Parser, add_command
from disco_cvi.exceptions import ArgumentError, UndefinedScoreError

if TYPE_CHECKING:
    import argparse

__all__ = ["main"]

SCORED, CANNOT_SCORE, WRONG_USE, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141

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
  disco tune points.csv --standardize --out labels.csv --report report.html
  disco indices

exit codes: 0 scored; 1 a file cannot be read or its data cannot be scored;
2 wrong use of the command; 130 interrupted."""


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
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except OSError as error:
        reason = error.strerror or str(error)
        return _complain(f"{error.filename}: {reason}" if error.filename else reason, CANNOT_SCORE)
    except MemoryError:
        return _complain("the memory of this machine does not suffice", CANNOT_SCORE)
    except UndefinedScoreError as error:
        return _complain(str(error), CANNOT_SCORE)
    return code


def _run(arguments: Sequence[str]) -> int:
    try:
        options = _parse(arguments)
        options.run(options)
    except SystemExit as stop:  # argparse has said what is wrong, or shown the help
        return int(stop.code or SCORED)
    except ArgumentError as error:
        # Messages name an argument of the Python function that was called, unknown to the shell.
        return _complain(error.worded(shell_name(error.argument, options)), CANNOT_SCORE)
    return SCORED


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="disco", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"disco-cvi {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (score, compare, tune, indices, datasets, reproduce, demo):
        add_command(commands, command)
    if not arguments:
        parser.exit(WRONG_USE, parser.format_help())
    return parser.parse_args(arguments)


def _complain(message: str, code: int) -> int:
    print("disco:", " ".join(message.split()), file=sys.stderr)
    return code


def _forget_output() -> None:
    """Let Python's own flush at exit go nowhere: whoever read our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
