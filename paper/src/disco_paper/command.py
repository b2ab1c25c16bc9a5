"""`disco reproduce`: the paper's tables and figures, computed anew and compared.

It is an entry point of the group `disco_cvi.commands`, which the command `disco` reads.
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, NoReturn

import typer

_DESCRIPTION = """\
Compute tables and figures of the DISCO paper anew, and compare.

Compares every number with the printed one. Writes a table (.csv) per experiment, its figures
(.png, .svg), and a page, index.html, that shows the experiments of this command side by side with
the paper. What is a study of our own, such as choose-eps, is marked so in the list, in the summary
and on the page.

Each number is stored in the folder as soon as it is known. Whatever ends a run, the same command
continues it, and computes nothing twice."""
_EPILOG = """\
\b
verdicts: "passes", equal to the printed digits; "within method", as near as a
recipe that is random or not fully known allows; "fails", different;
"not judged", nothing to compare with.

\b
examples:
  disco reproduce --list
  disco reproduce tab-shapes tab-noise
  disco reproduce "Table 2" figure-1
  disco reproduce --all --quick --out quick

exit codes: 0 everything was computed, whatever the verdicts; 1 something could
not be computed; 2 wrong use of the command; 130 interrupted."""
_INCOMPLETE, _INTERRUPTED = 1, 130

app = typer.Typer(add_completion=False, rich_markup_mode=None)


def _complete(incomplete: str) -> list[tuple[str, str]]:
    from disco_paper import available_experiments

    infos = [info for info in available_experiments() if info.name.startswith(incomplete)]
    return [(info.name, info.summary) for info in infos]


@app.command("reproduce", help=_DESCRIPTION, epilog=_EPILOG)
def reproduce(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME ...",
            autocompletion=_complete,
            help="experiments, as --list names them or the paper does",
            show_default=False,
        ),
    ] = None,
    *,
    all_: Annotated[bool, typer.Option("--all", help="all experiments")] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="list the experiments, with the time they take")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="leave out large data and most repetitions: all together take minutes",
        ),
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="repetitions, in experiments that repeat (default: as many as the paper)",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="folder for everything that is written")
    ] = "reproduced",
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="processes to use (default: one per CPU); the numbers are the same for any",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON, for programs")] = False,
) -> None:
    """Run experiments and print their verdicts, or list them."""
    import disco_paper
    from disco_cvi.exceptions import InvalidInputError

    try:
        if listed:
            _show_list(names, as_json=as_json)
            return
        if bool(names) == all_:
            context.fail("name experiments, or say --all; --list lists them")
        chosen = disco_paper.choose_experiments(names or "all", lister="'disco reproduce --list'")
    except InvalidInputError as error:
        context.fail(error.worded("NAME"))
    try:
        summary = disco_paper.reproduce(chosen, quick=quick, runs=runs, out=out, n_jobs=jobs)
    except KeyboardInterrupt:
        message = f"interrupted; what is done is kept in {out}: the same command continues"
        _end(_INTERRUPTED, message)
    except InvalidInputError as error:
        _end(_INCOMPLETE, error.worded("--out"))
    except ImportError as error:
        _end(_INCOMPLETE, str(error))
    if as_json:
        _print(json.dumps(_facts(summary), indent=2))
    else:
        _print(str(summary))
    if summary.errors:
        n_errors = "1 error" if len(summary.errors) == 1 else f"{len(summary.errors):,} errors"
        head = f"{n_errors}; the next run tries again:"
        _end(_INCOMPLETE, head, *summary.told_errors())


def _show_list(names: list[str] | None, *, as_json: bool) -> None:
    import disco_paper

    table = disco_paper.available_experiments()
    asked = names and disco_paper.choose_experiments(names, lister="'disco reproduce --list'")
    shown = type(table)(info for info in table if not asked or info.name in asked)
    if as_json:
        facts = [{heading: getattr(info, heading) for heading in shown.framed} for info in shown]
        _print(json.dumps(facts, indent=2))
    else:
        _print(str(shown))


def _facts(summary: Any) -> dict[str, Any]:
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


def _print(text: str) -> None:
    print(text, flush=True)


def _end(code: int, *lines: str) -> NoReturn:
    for line in lines:
        print(f"disco: {' '.join(line.split())}", file=sys.stderr)
    raise typer.Exit(code) from None
