"""`disco reproduce`: the paper's tables and figures, computed anew and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disco_cvi._output.words import count
from disco_cvi.cli.parser import Parser, note, whole_number
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

NAME = "reproduce"
SUMMARY = "compute the tables and figures of the DISCO paper anew, and compare"
DESCRIPTION = """\
Compute tables and figures of the DISCO paper anew, and compare every number
with the printed one. Writes a table (.csv) per experiment, its figures (.png,
.svg), and a page, index.html, that shows the experiments of this command side
by side with the paper. What is a study of our own, such as choose-eps, is
marked so in the list, in the summary and on the page.

Each number is stored in the folder as soon as it is known. Whatever ends a run,
the same command continues it, and computes nothing twice."""
EPILOG = """\
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


def add_options(parser: Parser) -> None:
    """Add the options of `disco reproduce`."""
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="experiment, as --list names it or the paper does"
    )
    parser.add_argument("--all", action="store_true", help="all experiments")
    parser.add_argument(
        "--list", action="store_true", help="list the experiments, with the time they take"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out large data and most repetitions: all together take minutes",
    )
    parser.add_argument(
        "--runs",
        metavar="N",
        type=whole_number,
        help="repetitions, in experiments that repeat (default: as many as the paper)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        default="reproduced",
        help="folder for everything that is written (default: reproduced)",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number,
        help="processes to use (default: one per CPU); the numbers are the same for any",
    )


def run(options: argparse.Namespace) -> None:
    """Run experiments and print their verdicts, or list them."""
    from disco_cvi import experiments

    if options.list:
        listed = experiments.available_experiments()
        asked = _choose(options) if options.names else experiments.EXPERIMENTS
        print(type(listed)(info for info in listed if info.name in asked))
        return
    names = _choose(options)
    try:
        summary = experiments.reproduce(
            names, quick=options.quick, runs=options.runs, out=options.out, n_jobs=options.jobs
        )
    except KeyboardInterrupt:
        note(f"interrupted; what is done is kept in {options.out}: the same command continues")
        raise SystemExit(_INTERRUPTED) from None
    except ImportError as error:  # a package of the extra is not there
        note(str(error))
        raise SystemExit(_INCOMPLETE) from None
    print(summary)
    if summary.errors:
        note(f"{count(len(summary.errors), 'error')}; the next run tries again:")
        for told in summary.told_errors():
            note(told)
        raise SystemExit(_INCOMPLETE)


def _choose(options: argparse.Namespace) -> tuple[str, ...]:
    from disco_cvi import experiments

    if options.all and options.names:
        options.parser.error("name experiments or say --all, not both")
    if not (options.all or options.names):
        options.parser.error("no experiment: name one or more, or say --all; --list lists them")
    try:
        names = "all" if options.all else options.names
        return experiments.choose_experiments(names, lister="'disco reproduce --list'")
    except InvalidInputError as error:
        options.parser.error(error.worded("NAME").removesuffix("."))
        raise
