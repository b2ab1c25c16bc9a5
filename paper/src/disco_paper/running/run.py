"""Run experiments: compute the cells that are not stored yet, then report."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from disco_cvi._for_paper import count, progress
from disco_paper.cells import Cell, Outcome, Outcomes, Scope, Spec
from disco_paper.judging import VERDICTS, Experiment, Report, Verdict, find_experiment
from disco_paper.page import write_page
from disco_paper.paper import OURS, TABLE_SET_OF
from disco_paper.running import store
from disco_paper.running.batch import compute_batch, group_cells
from disco_paper.running.outputs import Failure, write_outputs
from disco_paper.running.store import Store, key_of, origin, package_versions
from disco_paper.tables import lay_out

# One thread for each process, whatever libraries are there, the same order of sets, no chatter.
_THREADS = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB_MAXIMUM", "NUMEXPR", "NUMBA")
_ENVIRONMENT = {f"{name}_{'' if '_' in name else 'NUM_'}THREADS": "1" for name in _THREADS}
_ENVIRONMENT |= {"PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore"}
_ENDED = "The process that computed this ended early; perhaps the memory did not suffice."
# The size that made data have about.
_USUAL_SIZE = 1000


@dataclass(frozen=True)
class ExperimentSummary:
    """What became of one experiment.

    Attributes
    ----------
    name : str
    verdicts : dict of str to int
        How many rows have each verdict.
    n_cells, n_computed, n_failed : int
        How many numbers it needed; how many of them this run computed; how many ended with an
        error. What is left was stored before.
    errors : tuple of Failure
        What went wrong; the next run tries again.
    is_ours : bool
        Whether it is a study of our own, which the paper does not have.
    """

    name: str
    verdicts: dict[Verdict, int]
    n_cells: int
    n_computed: int
    n_failed: int
    errors: tuple[Failure, ...] = ()
    is_ours: bool = False


@dataclass(frozen=True)
class Summary:
    """What a run did and found; printing it shows the verdicts.

    Attributes
    ----------
    experiments : tuple of ExperimentSummary
    page : Path
        The page that shows everything.
    """

    experiments: tuple[ExperimentSummary, ...]
    page: Path

    @property
    def n_cells(self) -> int:
        """How many numbers were needed."""
        return sum(each.n_cells for each in self.experiments)

    @property
    def n_computed(self) -> int:
        """How many of them were computed now."""
        return sum(each.n_computed for each in self.experiments)

    @property
    def n_failed(self) -> int:
        """How many of them ended with an error."""
        return sum(each.n_failed for each in self.experiments)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How many rows have each verdict, over all experiments."""
        return {name: sum(each.verdicts[name] for each in self.experiments) for name in VERDICTS}

    @property
    def errors(self) -> tuple[Failure, ...]:
        """What went wrong, over all experiments."""
        return tuple(error for experiment in self.experiments for error in experiment.errors)

    def told_errors(self) -> list[str]:
        """What went wrong, those with the same reason in one sentence."""
        by_reason: dict[str, list[Failure]] = {}
        for error in self.errors:
            by_reason.setdefault(error.reason, []).append(error)
        told = []
        for reason, errors in by_reason.items():
            names = ", ".join(dict.fromkeys(error.experiment for error in errors))
            more = f" and {count(len(errors) - 1, 'other')}" if len(errors) > 1 else ""
            told.append(f"{names}: {errors[0].what}{more}: {reason}")
        return told

    def __str__(self) -> str:
        """The verdicts per experiment, and where the numbers came from."""
        counts = [(each.name, each.verdicts) for each in self.experiments]
        counts += [("all", self.verdicts)] if len(counts) > 1 else []
        rows = [(name, *(str(verdicts[each]) for each in VERDICTS)) for name, verdicts in counts]
        table = lay_out([("experiment", *VERDICTS), *rows])
        ours = ", ".join(each.name for each in self.experiments if each.is_ours)
        lines = [f"{ours}: {OURS[0].lower()}{OURS[1:]}."] if ours else []
        if self.n_cells and not self.n_computed + self.n_failed:
            cells = count(self.n_cells, "cell")
            lines.append(f"{cells}, all stored by earlier runs: nothing was computed again.")
        else:
            lines.append(f"{_done(self.n_cells, self.n_computed, self.n_failed)}.")
        return "\n".join([table, "", *lines, f"Everything side by side: {self.page}"])


@dataclass(frozen=True)
class _Plan:
    """An experiment, its cells, and those to be computed, with the seconds that each may take."""

    experiment: Experiment
    cells: list[Cell]
    missing: dict[Cell, float]

    @property
    def name(self) -> str:
        return self.experiment.name


def run(
    experiments: Sequence[Experiment],
    scope: Scope,
    folder: Path,
    *,
    n_workers: int,
    shown: bool | None = None,
) -> Summary:
    """Run experiments in a folder, and continue what was begun there.

    Parameters
    ----------
    experiments : sequence of Experiment
    scope : Scope
        How much of them.
    folder : Path
        Where the store is and everything is written to; made if it does not exist.
    n_workers : int
        How many processes compute.
    shown : bool, optional
        Whether to show progress on the error stream; None: a bar on a terminal, a line per finished
        experiment elsewhere.

    Returns
    -------
    Summary
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = Store(folder, origin())
    plans = [_plan(experiment, scope, kept) for experiment in experiments]
    _compute(plans, kept, n_workers, shown=shown)
    summaries, sections = [], []
    with progress("drawing", len(plans), shown=shown) as bar:
        for plan in plans:
            found = Outcomes(kept.known(plan.name, plan.cells))
            section, errors = write_outputs(plan.experiment, found, scope, folder)
            sections.append(section)
            summaries.append(_summary(plan, found, section.report, errors))
            bar.step()
    page = folder / "index.html"
    write_page(page, sections, versions=package_versions(), scope=scope)
    return Summary(tuple(summaries), page)


def _plan(experiment: Experiment, scope: Scope, kept: Store) -> _Plan:
    """Share an experiment's time out among all its cells by the size of their data."""
    cells = group_cells(experiment.cells(scope))
    known = kept.known(experiment.name, cells)
    total = sum(_size(cell.data) for cell in experiment.cells(Scope())) or 1.0
    second = experiment.info.seconds / total
    missing = {cell: _size(cell.data) * second for cell in cells if cell not in known}
    return _Plan(experiment, cells, missing)


def _size(data: Spec) -> float:
    known = TABLE_SET_OF.get(data.name)
    return _USUAL_SIZE if known is None else known.n_points * (1 + known.n_dimensions / 100)


def _summary(
    plan: _Plan, found: Outcomes, report: Report, errors: tuple[Failure, ...]
) -> ExperimentSummary:
    failed = tuple(
        Failure(plan.name, str(cell), outcome.reason)
        for cell, outcome in found.items()
        if outcome.is_error
    )
    return ExperimentSummary(
        plan.name,
        n_cells=len(plan.cells),
        n_computed=len(plan.missing) - len(failed),
        n_failed=len(failed),
        verdicts={verdict: report.count(verdict) for verdict in VERDICTS},
        errors=failed + errors,
        is_ours=plan.experiment.info.is_ours,
    )


# --- computing ----------------------------------------------------------------------------------


def _compute(plans: list[_Plan], kept: Store, n_workers: int, *, shown: bool | None) -> None:
    """Compute what is missing, and show how far it is: a bar, or a line per experiment."""
    left = {key_of(plan.name, cell): (plan, cell) for plan in plans for cell in plan.missing}
    n_left = {plan.name: len(plan.missing) for plan in plans}
    n_failed, reasons = Counter[str](), set[str]()
    has_bar = sys.stderr is not None and sys.stderr.isatty() if shown is None else shown
    seconds = sum(sum(plan.missing.values()) for plan in plans)
    alone = [plan for plan in plans if plan.experiment.is_alone]
    shared = [plan for plan in plans if not plan.experiment.is_alone]
    with progress("reproducing", seconds or 1.0, shown=has_bar) as bar:

        def say(message: str) -> None:
            if shown is not False:
                bar.close()
                sys.stderr.write(f"disco: {message}\n")

        for some, n_processes in ((shared, n_workers), (alone, 1)):
            for _ in _run(_batches(some), kept, n_processes):
                for key, outcome in kept.read_on().items():
                    if key not in left:
                        continue  # another run computed it
                    plan, cell = left.pop(key)
                    if outcome.is_error and outcome.reason not in reasons:
                        reasons.add(outcome.reason)
                        say(f"error in {plan.name}, {cell}: {outcome.reason}")
                    n_left[plan.name] -= 1
                    n_failed[plan.name] += outcome.is_error
                    bar.step(plan.missing[cell])
                    if not has_bar and not n_left[plan.name]:
                        n_computed = len(plan.missing) - n_failed[plan.name]
                        done = _done(len(plan.cells), n_computed, n_failed[plan.name])
                        say(f"{plan.name}: {done}")


def _done(n_cells: int, n_computed: int, n_failed: int) -> str:
    n_before = n_cells - n_computed - n_failed
    if n_computed == n_cells:
        return f"{count(n_cells, 'cell')} computed"
    parts = [f"{n_computed:,} computed now"]
    parts += [f"{n_failed:,} with an error"] if n_failed else []
    parts += [f"{n_before:,} stored by earlier runs"] if n_before else []
    return f"{count(n_cells, 'cell')}: {', '.join(parts)}"


class _Batch(NamedTuple):
    """Cells of one experiment and one data set; the experiment is imported from its module."""

    name: str
    module: str
    cells: list[Cell]


def _batches(plans: list[_Plan]) -> list[_Batch]:
    """All cells of the same data together; what takes longest comes first."""
    batches = []
    for plan in plans:
        for _, group in groupby(plan.missing, key=lambda cell: cell.data):
            cells = list(group)
            seconds = sum(plan.missing[cell] for cell in cells)
            batches.append((seconds, _Batch(plan.name, plan.experiment.module, cells)))
    return [batch for _, batch in sorted(batches, key=lambda pair: -pair[0])]


def _run(batches: list[_Batch], kept: Store, n_workers: int) -> Iterator[None]:
    """Compute batches, and yield now and then.

    A process that ends early takes all others with it. What they had not finished is computed once
    more, batch by batch: the cell at which a process ends then is given up.
    """
    for batch in (yield from _run_in_processes(batches, kept, n_workers)):
        cells = batch.cells
        while cells := [cell for cell in cells if cell not in kept.known(batch.name, cells)]:
            if (yield from _run_in_processes([batch._replace(cells=cells)], kept, 1)):
                lost = [cell for cell in cells if cell not in kept.known(batch.name, cells)]
                ended = Outcome(None, _ENDED, is_error=True)
                for cell in lost[:1]:
                    store.add(kept.path, kept.origin, batch.name, cell, ended)
                yield


def _run_in_processes(
    batches: list[_Batch], kept: Store, n_workers: int
) -> Generator[None, None, list[_Batch]]:
    """Compute batches, and return those at which a process ended early, or which it took along."""
    if not batches:
        return []
    from loky import ProcessPoolExecutor

    ended = []
    pool = ProcessPoolExecutor(
        min(n_workers, len(batches)),
        env=_ENVIRONMENT,
        initializer=_begin_process,
        initargs=(os.getpid(),),
    )
    try:
        with warnings.catch_warnings():
            # loky replaces a process that has grown, and says so.
            warnings.filterwarnings("ignore", "A worker stopped", UserWarning)
            jobs = {pool.submit(_work, *batch, kept.path, kept.origin): batch for batch in batches}
            left = set(jobs)
            while left:
                done, left = wait(left, timeout=0.5, return_when=FIRST_COMPLETED)
                for job in done:
                    try:
                        job.result()
                    except BrokenProcessPool:
                        ended.append(jobs[job])
                yield
    finally:
        pool.shutdown(kill_workers=True)
    return ended


def _begin_process(parent: int) -> None:
    """Leave Ctrl-C and the screen to the parent, and end when it has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _work(
    name: str, module: str, cells: list[Cell], path: Path, depends_on: dict[str, str]
) -> None:
    """Compute a batch, and store each cell as soon as it is known."""
    for cell, outcome in compute_batch(find_experiment(module, name), cells):
        store.add(path, depends_on, name, cell, outcome)
