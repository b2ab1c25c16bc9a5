"""`disco reproduce`: an entry point of the group `disco_cvi.commands`, which `disco` reads."""

from __future__ import annotations

from typing import Annotated

import typer

_INCOMPLETE, _INTERRUPTED = 1, 130
_COUNTED = ("name", "verdicts", "n_cells", "n_computed", "n_failed")
_LISTED = ("name", "title", "paper", "is_ours", "summary", "seconds")


def _complete(incomplete: str) -> list[tuple[str, str]]:
    from disco_paper import available_experiments

    infos = [info for info in available_experiments() if info.name.startswith(incomplete)]
    return [(info.name, info.summary) for info in infos]


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME ...",
            autocompletion=_complete,
            help="Experiments, as --list names them or the paper does.",
            show_default=False,
        ),
    ] = None,
    *,
    all_: Annotated[bool, typer.Option("--all", help="All experiments.")] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="List the experiments, with the time they take.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out large data and most repetitions.")
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Repetitions (default: as many as the paper)."),
    ] = None,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Folder for everything that is written.")
    ] = "reproduced",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Processes to use (default: one per CPU)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Compute tables and figures of the DISCO paper again, and compare.

    Compares every number with the printed one. Writes a table (.csv) per
    experiment, its figures (.png, .svg), and a page, index.html, that shows
    the experiments of this command beside the paper. Our own studies, such
    as choose-eps, are marked so.

    Each number is stored in the folder as soon as it is known. Whatever ends
    a run, the same command continues it, and computes nothing twice.

    \b
    Verdicts: "passes", equal to the printed digits; "within method", as near
    as a recipe that is random or not fully known allows; "fails", different;
    "not judged", nothing to compare with.

    \b
    Examples:
      disco reproduce --list
      disco reproduce tab-shapes tab-noise
      disco reproduce "Table 2" figure-1
      disco reproduce --all --quick --out quick

    \b
    Exit codes: 0 everything was computed, whatever the verdicts; 1 something
    could not be computed; 2 wrong use of the command; 130 interrupted.
    """  # noqa: D301 - typer reads \b: lines stay as they are
    import disco_paper
    from disco_cvi._for_paper import complain, count, fail, print_json, say
    from disco_cvi.exceptions import InvalidInputError

    if not listed and bool(names) == all_:
        fail("name experiments, or say --all; --list lists them")
    try:
        chosen = disco_paper.choose_experiments(names or "all", lister="'disco reproduce --list'")
    except InvalidInputError as error:
        fail(error.worded("NAME"))
    if listed:
        table = disco_paper.available_experiments()
        shown = type(table)(info for info in table if info.name in chosen)
        if as_json:
            print_json([{name: getattr(info, name) for name in _LISTED} for info in shown])
        else:
            say(shown)
        return
    try:
        summary = disco_paper.reproduce(chosen, quick=quick, runs=runs, out=out, n_jobs=jobs)
    except KeyboardInterrupt:
        complain(f"interrupted; what is done is kept in {out}: the same command continues")
        raise typer.Exit(_INTERRUPTED) from None
    errors = summary.told_errors()
    if as_json:
        done = [{key: getattr(each, key) for key in _COUNTED} for each in summary.experiments]
        print_json({"experiments": done, "errors": errors, "page": str(summary.page)})
    else:
        say(summary)
    if errors:
        complain(f"{count(len(summary.errors), 'error')}; the next run tries again:")
        for told in errors:
            complain(told)
        raise typer.Exit(_INCOMPLETE)
