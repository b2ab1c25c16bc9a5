"""The tables and figures of the DISCO paper, each computed anew and compared with what it prints.

`reproduce` runs them, `available_experiments` lists them; in the shell: `disco reproduce`.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from disco_cvi._output.data_frames import data_frame
from disco_cvi._output.text_table import text_table
from disco_cvi._output.words import describe, duration
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.experiments.running.batch import Experiment
    from disco_cvi.experiments.running.summary import Summary

__all__ = ["EXPERIMENTS", "available_experiments", "reproduce"]

# In the order of the paper: the name of each, and the folder of its module, which has _ for -.
_TOPICS = {
    "fig-rings": "preferences",
    "tab-features": "preferences",
    "fig-dbcv-shuffle": "row_order",
    "fig-pointwise": "overview",
    "tab-shapes": "preferences",
    "tab-noise": "preferences",
    "fig-eps-synth": "parameters",
    "tab-pcc": "overview",
    "fig-mu": "parameters",
    "fig-noise-parts": "noise",
    "fig-closest": "overview",
    "fig-noise-sketch": "noise",
    "fig-mst": "row_order",
    "tab-dbcv-t5": "row_order",
    "tab-dbcv-t8": "row_order",
    "tab-datasets": "overview",
    "tab-implementation": "overview",
    "tab-runtimes": "overview",
    "fig-eps-more": "parameters",
    "fig-mu-noise": "parameters",
    "fig-noise-dist": "noise",
    "tab-uci-noise": "noise",
    "fig-moons-swap": "sensitivity",
    "fig-separation": "sensitivity",
    "fig-moons-jitter": "sensitivity",
    "fig-sensitivity": "sensitivity",
}

EXPERIMENTS = tuple(_TOPICS)

_LABEL = re.compile(r",? (and )?(fig|tab):[\w:-]+")


@dataclass(frozen=True)
class ExperimentInfo:
    """A table or figure of the paper.

    Attributes
    ----------
    name : str
        What to call it in `reproduce`.
    title : str
    paper : str
        Where it is in the paper.
    summary : str
        What it shows, in a line.
    seconds : int
        About how long it takes on two processors.
    """

    name: str
    title: str
    paper: str
    summary: str
    seconds: int


class ExperimentTable(Sequence[ExperimentInfo]):
    """Experiments; printing it shows a table.

    Parameters
    ----------
    infos : iterable of ExperimentInfo
    """

    def __init__(self, infos: Iterable[ExperimentInfo]) -> None:
        self._infos = tuple(infos)

    def __getitem__(self, place: Any) -> Any:
        return self._infos[place]

    def __iter__(self) -> Iterator[ExperimentInfo]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    def __str__(self) -> str:
        """A table: name, place in the paper, expected time, summary."""
        rows = [("experiment", "in the paper", "time", "what it shows")]
        rows += [
            # The labels in the paper's source are for the page.
            (info.name, _LABEL.sub("", info.paper), duration(info.seconds), info.summary)
            for info in self._infos
        ]
        return text_table(rows, right=frozenset([2]))

    __repr__ = __str__

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per experiment as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns name, title, paper, summary, seconds.
        """
        names = ("name", "title", "paper", "summary", "seconds")
        columns = {name: [getattr(info, name) for info in self._infos] for name in names}
        return data_frame(columns, backend)


def available_experiments() -> ExperimentTable:
    """List the tables and figures of the paper that `reproduce` knows.

    Returns
    -------
    ExperimentTable
        A sequence that prints as a table.

    Examples
    --------
    >>> from disco_cvi.experiments import available_experiments
    >>> [info.paper for info in available_experiments() if info.name == "tab-shapes"]
    ['Table 2, tab:density_not_applicable']
    """
    modules = [_module(name) for name in EXPERIMENTS]
    return ExperimentTable(
        ExperimentInfo(found.NAME, found.TITLE, found.PAPER, found.SUMMARY, found.SECONDS)
        for found in modules
    )


def reproduce(
    names: str | Iterable[str],
    *,
    quick: bool = False,
    runs: int | None = None,
    out: str | os.PathLike[str] = "reproduced",
    jobs: int | None = None,
    progress: bool | None = None,
) -> Summary:
    """Compute tables and figures of the paper anew and compare them with what it prints.

    Every number is stored in the folder `out` as soon as it is known. The next call with the same
    folder continues there, whatever ended the one before, and computes nothing twice.

    Parameters
    ----------
    names : str or iterable of str
        Names of experiments, see `available_experiments`; "all" for all of them.
    quick : bool, default=False
        Whether to leave out large data and most repetitions: all together then take minutes.
    runs : int, optional
        How often to repeat, in experiments that repeat; None: as often as the paper.
    out : path, default="reproduced"
        Folder for the store, a table (.csv) per experiment, figures (.png, .svg) and the page
        `index.html`, which shows the experiments of this call.
    jobs : int, optional
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
    >>> from disco_cvi.experiments import reproduce
    >>> summary = reproduce("fig-rings", out=folder, jobs=1)  # doctest: +SKIP
    """
    chosen = [_module(name) for name in choose_experiments(names)]
    _check_count("runs", runs)
    _check_count("jobs", jobs)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"out of reproduce must be a folder; {folder} is none.")
    from disco_cvi._input.options import check_jobs
    from disco_cvi.experiments.cells.cell import Scope
    from disco_cvi.experiments.running.run import run

    n_workers = check_jobs(-1 if jobs is None else jobs, "reproduce")
    scope = Scope(quick=bool(quick), runs=runs)
    return run(chosen, scope, folder, n_workers=n_workers, shown=progress)


def _check_count(name: str, value: object) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{name} of reproduce must be a whole number or None; got {describe(value)}."
        raise TypeError(message)
    if value < 1:
        raise InvalidInputError(f"{name} of reproduce must be at least 1; got {value}.")


def choose_experiments(names: str | Iterable[str]) -> tuple[str, ...]:
    """The experiments that were asked for, in the order of the paper, each once."""
    known = EXPERIMENTS
    asked = [names] if isinstance(names, str) else list(names)
    if asked == ["all"]:
        return known
    if not asked:
        raise InvalidInputError("names of reproduce must name an experiment or more, or be 'all'.")
    for name in asked:
        if name not in known:
            raise InvalidInputError(_unknown(name, known))
    return tuple(name for name in known if name in asked)


def _unknown(name: object, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(name).lower().replace("_", "-"), known, 1, cutoff=0.5)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"There is no experiment {name!r}.{guess} There are {', '.join(known)}."


def _module(name: str) -> Experiment:
    return cast("Experiment", import_module(_module_name(name)))


def _module_name(name: str) -> str:
    return f"{__name__}.{_TOPICS[name]}.{name.replace('-', '_')}"
