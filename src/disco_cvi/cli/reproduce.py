"""`disco reproduce`: the paper's tables and figures, computed anew and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from disco_cvi._compute.interrupts import is_interrupt
from disco_cvi._output.words import count
from disco_cvi.cli.command import Command
from disco_cvi.cli.options import JsonOptions, argument, complete_experiment, option, whole_number
from disco_cvi.cli.screen import note, print_json, say, table_facts
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.experiments.running.summary import Summary

_DESCRIPTION = """\
Compute tables and figures of the DISCO paper anew, and compare every number
with the printed one. Writes a table (.csv) per experiment, its figures (.png,
.svg), and a page, index.html, that shows the experiments of this command side
by side with the paper. What is a study of our own, such as choose-eps, is
marked so in the list, in the summary and on the page.

Each number is stored in the folder as soon as it is known. Whatever ends a run,
the same command continues it, and computes nothing twice."""
_EPILOG = """\
verdicts: "passes", equal to the printed digits; "within method", as near as a
recipe that is random or not fully known allows; "fails", different;
"not judged", nothing to compare with.

examples:
  disco reproduce --list
  disco reproduce tab-shapes tab-noise
  disco reproduce "Table 2" figure-1
  disco reproduce --all --quick --out quick

exit codes: 0 everything was computed, whatever the verdicts; 1 something could
not be computed; 2 wrong use of the command; 130 interrupted."""

_INCOMPLETE, _INTERRUPTED = 1, 130


@dataclass
class ReproduceOptions(JsonOptions):
    """The options of `disco reproduce`."""

    names: Annotated[
        list[str],
        argument(
            metavar="NAME ...",
            autocompletion=complete_experiment,
            help="experiments, as --list names them or the paper does",
        ),
    ] = field(default_factory=list)
    all: Annotated[bool, option("--all", help="all experiments")] = False
    listed: Annotated[
        bool, option("--list", help="list the experiments, with the time they take")
    ] = False
    quick: Annotated[
        bool,
        option(
            "--quick",
            help="leave out large data and most repetitions: all together take minutes",
        ),
    ] = False
    runs: Annotated[
        int | None,
        option(
            "--runs",
            metavar="N",
            parser=whole_number,
            help="repetitions, in experiments that repeat (default: as many as the paper)",
        ),
    ] = None
    out: Annotated[
        str,
        option(
            "--out",
            metavar="DIR",
            help="folder for everything that is written (default: reproduced)",
            rich_help_panel="output",
        ),
    ] = "reproduced"
    jobs: Annotated[
        int | None,
        option(
            "--jobs",
            metavar="N",
            parser=whole_number,
            help="processes to use (default: one per CPU); the numbers are the same for any",
        ),
    ] = None

    def shell_name(self, argument: str | None) -> str:
        """Return what the shell calls an argument of a Python function."""
        return f"--{argument}" if argument == "out" else super().shell_name(argument)


def run(options: ReproduceOptions) -> None:
    """Run experiments and print their verdicts, or list them."""
    from disco_cvi import experiments

    if options.listed:
        listed = experiments.available_experiments()
        asked = _choose(options) if options.names else experiments.EXPERIMENTS
        table = type(listed)(info for info in listed if info.name in asked)
        if options.json:
            print_json(table_facts(table))
        else:
            print(table)
        return
    names = _choose(options)
    try:
        summary = experiments.reproduce(
            names, quick=options.quick, runs=options.runs, out=options.out, n_jobs=options.jobs
        )
    except (KeyboardInterrupt, ImportError) as error:
        if is_interrupt(error):
            note(f"interrupted; what is done is kept in {options.out}: the same command continues")
            raise typer.Exit(_INTERRUPTED) from None
        note(str(error))  # a package of the extra is not there
        raise typer.Exit(_INCOMPLETE) from None
    if options.json:
        print_json(_facts(summary))
    else:
        say(summary)
    if summary.errors:
        note(f"{count(len(summary.errors), 'error')}; the next run tries again:")
        for told in summary.told_errors():
            note(told)
        raise typer.Exit(_INCOMPLETE)


def _facts(summary: Summary) -> dict[str, Any]:
    return {
        "experiments": [
            {
                "name": experiment.name,
                "verdicts": dict(experiment.verdicts),
                "n_cells": experiment.n_cells,
                "n_computed": experiment.n_computed,
                "n_failed": experiment.n_failed,
            }
            for experiment in summary.experiments
        ],
        "errors": summary.told_errors(),
        "page": str(summary.page),
    }


def _choose(options: ReproduceOptions) -> tuple[str, ...]:
    from disco_cvi import experiments

    if options.all and options.names:
        options.fail("name experiments or say --all, not both")
    if not (options.all or options.names):
        options.fail("no experiment: name one or more, or say --all; --list lists them")
    try:
        names = "all" if options.all else options.names
        return experiments.choose_experiments(names, lister="'disco reproduce --list'")
    except InvalidInputError as error:
        options.fail(error.worded("NAME"))


COMMAND = Command(run, ReproduceOptions, "NAME ... [options]", _DESCRIPTION, _EPILOG)
