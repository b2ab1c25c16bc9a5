"""Run experiments: compute the cells that are not stored yet, then report."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from disco_cvi._compute.progress import Progress, progress
from disco_cvi._output.words import count
from disco_paper.cells.cell import Cell, Outcome, Outcomes, Scope, Spec
from disco_paper.judging.experiment import Experiment
from disco_paper.judging.paper_names import TABLE_SET_OF
from disco_paper.judging.rows import VERDICTS, Report
from disco_paper.page import write_page
from disco_paper.running.batch import group_cells
from disco_paper.running.outputs import check_packages, write_outputs
from disco_paper.running.pool import Batch, run_batches
from disco_paper.running.store import Store, open_store
from disco_paper.running.summary import ExperimentSummary, Failure, Summary
from disco_paper.running.versions import package_versions, versions

# The size that made data have about.
_USUAL_SIZE = 1000


@dataclass(frozen=True)
class _Plan:
    """An experiment, its cells, and those of them that are still to be computed."""

    experiment: Experiment
    versions: str
    cells: tuple[Cell, ...]
    missing: tuple[Cell, ...]
    # Expected seconds of each missing cell.
    seconds: dict[Cell, float]

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
    check_packages()
    folder.mkdir(parents=True, exist_ok=True)
    with open_store(folder) as store:
        plans = [_plan(experiment, scope, store) for experiment in experiments]
        _compute(plans, store, n_workers, shown=shown)
        return _report(plans, scope, store, folder, shown=shown)


def _plan(experiment: Experiment, scope: Scope, store: Store) -> _Plan:
    cells = tuple(group_cells(experiment.cells(scope)))
    depends_on = versions(experiment)
    known = store.get(experiment.name, depends_on, cells)
    missing = tuple(cell for cell in cells if cell not in known or known[cell].is_error)
    seconds = _expected_seconds(experiment, missing) if missing else {}
    return _Plan(experiment, depends_on, cells, missing, seconds)


def _expected_seconds(experiment: Experiment, cells: Sequence[Cell]) -> dict[Cell, float]:
    """Share an experiment's time out among all its cells by the size of their data."""
    total = sum(_size(cell.data) for cell in experiment.cells(Scope())) or 1.0
    return {cell: experiment.info.seconds * _size(cell.data) / total for cell in cells}


def _size(data: Spec) -> float:
    known = TABLE_SET_OF.get(data.name)
    if known is None:
        return _USUAL_SIZE
    return known.n_points * (1 + known.n_dimensions / 100)


# --- computing ----------------------------------------------------------------------------------


def _compute(plans: list[_Plan], store: Store, n_workers: int, *, shown: bool | None) -> None:
    """Compute what is missing, and store each cell as soon as it is known."""
    shared = [plan for plan in plans if not plan.experiment.is_alone]
    alone = [plan for plan in plans if plan.experiment.is_alone]
    with _watch(plans, shown=shown) as watch:
        for some, n_processes in ((shared, n_workers), (alone, 1)):
            by_name = {plan.name: plan for plan in some}
            with closing(run_batches(_batches(some), n_processes)) as answers:
                for answer in answers:
                    if answer is None:
                        watch.wait()
                        continue
                    name, cell, outcome = answer
                    store.put(name, by_name[name].versions, cell, outcome)
                    watch.done(by_name[name], cell, outcome)


def _batches(plans: list[_Plan]) -> list[Batch]:
    """All cells of the same data together; what takes longest comes first."""
    batches: list[tuple[float, Batch]] = []
    for plan in plans:
        by_data: dict[Spec, list[Cell]] = {}
        for cell in plan.missing:
            by_data.setdefault(cell.data, []).append(cell)
        for cells in by_data.values():
            seconds = sum(plan.seconds[cell] for cell in cells)
            batch = Batch(plan.name, plan.experiment.module, tuple(cells))
            batches.append((seconds, batch))
    return [batch for _, batch in sorted(batches, key=lambda pair: -pair[0])]


class _Watch:
    """Tells how far the work is: a bar, or a line per finished experiment; each error once."""

    def __init__(self, plans: list[_Plan], bar: Progress, *, by_line: bool, shown: bool) -> None:
        self._left = {plan.name: len(plan.missing) for plan in plans}
        self._n_failed: Counter[str] = Counter()
        self._reasons: set[str] = set()
        self._bar, self._by_line, self._shown = bar, by_line, shown

    def wait(self) -> None:
        """Nothing has happened, but time has passed."""
        self._bar.step(0)

    def done(self, plan: _Plan, cell: Cell, outcome: Outcome) -> None:
        """A cell is stored."""
        if outcome.is_error and outcome.reason not in self._reasons:
            self._reasons.add(outcome.reason)
            self._say(f"error in {plan.name}, {cell}: {outcome.reason}")
        self._left[plan.name] -= 1
        self._n_failed[plan.name] += outcome.is_error
        if self._by_line and not self._left[plan.name]:
            self._say(f"{plan.name}: {self._progress_of(plan)}")
        self._bar.step(plan.seconds[cell])

    def _progress_of(self, plan: _Plan) -> str:
        n_failed, n_known = self._n_failed[plan.name], len(plan.cells) - len(plan.missing)
        parts = [f"{count(len(plan.missing) - n_failed, 'cell')} computed"]
        parts += [f"{n_failed:,} with an error"] if n_failed else []
        parts += [f"{n_known:,} known before"] if n_known else []
        return ", ".join(parts)

    def _say(self, message: str) -> None:
        if self._shown:
            self._bar.close()
            sys.stderr.write(f"disco: {message}\n")
            sys.stderr.flush()


@contextmanager
def _watch(plans: list[_Plan], *, shown: bool | None) -> Iterator[_Watch]:
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    seconds = sum(sum(plan.seconds.values()) for plan in plans)
    has_bar = is_terminal if shown is None else shown
    with progress("reproducing", seconds or 1.0, shown=has_bar) as bar:
        yield _Watch(plans, bar, by_line=not has_bar, shown=shown is not False)


# --- reporting ----------------------------------------------------------------------------------


def _report(
    plans: list[_Plan], scope: Scope, store: Store, folder: Path, *, shown: bool | None
) -> Summary:
    """Write tables, figures and the page of all experiments of this run."""
    summaries, sections = [], []
    with progress("drawing", len(plans), shown=shown) as bar:
        for plan in plans:
            found = Outcomes(store.get(plan.name, plan.versions, plan.cells))
            section, errors = write_outputs(plan.experiment, found, scope, folder)
            sections.append(section)
            summaries.append(_summary(plan, found, section.report, errors))
            bar.step()
    page = folder / "index.html"
    write_page(page, sections, versions=package_versions(), scope=scope)
    return Summary(tuple(summaries), page)


def _summary(
    plan: _Plan, found: Outcomes, report: Report, errors: tuple[Failure, ...]
) -> ExperimentSummary:
    failed = tuple(
        Failure(plan.name, str(cell), outcome.reason)
        for cell, outcome in found.items()
        if outcome.is_error
    )
    verdicts = {verdict: report.count(verdict) for verdict in VERDICTS}
    return ExperimentSummary(
        plan.name,
        n_cells=len(plan.cells),
        n_computed=len(plan.missing) - len(failed),
        n_failed=len(failed),
        verdicts=verdicts,
        errors=failed + errors,
        is_ours=plan.experiment.info.is_ours,
    )
