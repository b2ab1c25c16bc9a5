"""The tables and figures of the DISCO paper, each computed anew and compared with what it prints.

Beside them stands a study of our own, `choose-eps`.

`reproduce` runs them, `available_experiments` lists them; in the shell: `disco reproduce`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from disco_cvi.exceptions import InvalidInputError
from disco_paper.paper import EXPERIMENT_TABLE, INFOS, ExperimentTable

if TYPE_CHECKING:
    from disco_paper.judging import Experiment
    from disco_paper.running.run import Summary

__all__ = ["EXPERIMENTS", "available_experiments", "reproduce"]

# Their names, in the order of the paper; then our own.
EXPERIMENTS = tuple(INFOS)


def available_experiments() -> ExperimentTable:
    """List the tables and figures of the paper, and the studies, that `reproduce` knows.

    Returns
    -------
    ExperimentTable
        A sequence that prints as a table.

    Examples
    --------
    >>> from disco_paper import available_experiments
    >>> [info.paper for info in available_experiments() if info.name == "tab-shapes"]
    ['Table 2, tab:density_not_applicable']
    """
    return EXPERIMENT_TABLE


def reproduce(
    names: str | Iterable[str],
    *,
    quick: bool = False,
    runs: int | None = None,
    out: str | os.PathLike[str] = "reproduced",
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Summary:
    """Compute tables and figures of the paper anew and compare them with what it prints.

    Every number is stored in the folder `out` as soon as it is known. The next call with the same
    folder continues there, whatever ended the one before, and computes nothing twice.

    Parameters
    ----------
    names : str or iterable of str
        Names of experiments, see `available_experiments`, or the paper's own ("Table 2",
        "Figure 1"); "all" for all of them.
    quick : bool, default=False
        Whether to leave out large data and most repetitions: all together then take minutes.
    runs : int, optional
        How often to repeat, in experiments that repeat; None: as often as the paper.
    out : path, default="reproduced"
        Folder for the store, a table (.csv) per experiment, figures (.png, .svg) and the page
        `index.html`, which shows the experiments of this call.
    n_jobs : int, optional
        How many processes compute; None: one per processor. The numbers do not depend on it.
    progress : bool, optional
        Whether to show progress on the error stream; None: a bar on a terminal, elsewhere a line
        per finished experiment.

    Returns
    -------
    Summary
        Verdicts per experiment, errors if there were any, and the path of the page; printing it
        shows them.

    Examples
    --------
    >>> from disco_paper import reproduce
    >>> summary = reproduce("Figure 1", out=folder, n_jobs=1)  # doctest: +SKIP
    """
    from disco_cvi._for_paper import check_count, check_flag, check_jobs, check_path

    chosen = choose_experiments(names)
    if runs is not None:
        check_count(runs, "runs", "reproduce")
    if n_jobs is not None:
        check_count(n_jobs, "n_jobs", "reproduce")
    shown = None if progress is None else check_flag(progress, "progress", "reproduce")
    folder = check_path(out, "out", "reproduce")
    if folder.exists() and not folder.is_dir():
        got = f"{folder}, which is none"
        raise InvalidInputError(argument="out", caller="reproduce", rule="be a folder", got=got)
    from disco_paper.cells import Scope
    from disco_paper.running.run import run

    experiments = [open_experiment(name) for name in chosen]
    n_workers = check_jobs(-1 if n_jobs is None else n_jobs, "reproduce")
    scope = Scope(quick=check_flag(quick, "quick", "reproduce"), runs=runs)
    return run(experiments, scope, folder, n_workers=n_workers, shown=shown)


def choose_experiments(names: str | Iterable[str], *, lister: str = "") -> tuple[str, ...]:
    """The experiments that were asked for, in the order of the paper, each once."""
    chosen = EXPERIMENT_TABLE.choose(names, "names", "reproduce", lister=lister)
    return tuple(info.name for info in EXPERIMENT_TABLE if info in chosen)


def open_experiment(name: str) -> Experiment:
    """Import the chapter that declares an experiment."""
    from disco_paper.judging import find_experiment

    return find_experiment(f"{__name__}.{INFOS[name].topic}", name)
