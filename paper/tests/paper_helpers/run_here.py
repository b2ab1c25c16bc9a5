"""Run experiments inside a test: no store, no worker processes, nothing written.

Tests say: from paper_helpers.run_here import run_here
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from disco_paper.cells import Cell, Outcomes, Scope
from disco_paper.running.batch import compute_batch


def run_here(experiment: Any, scope: Scope, only: Callable[[Cell], bool] | None = None) -> Outcomes:
    """Compute the cells of an experiment, or those that `only` picks.

    An error in a cell fails the test, an undefined score does not.
    """
    cells = [cell for cell in experiment.cells(scope) if only is None or only(cell)]
    assert cells or only is None, "the experiment has no such cells"
    outcomes = dict(compute_batch(experiment, cells))
    errors = [f"{cell}: {outcome.reason}" for cell, outcome in outcomes.items() if outcome.is_error]
    assert not errors, "\n".join(errors)
    return Outcomes(outcomes)


def index_name(cell: Cell) -> str:
    """The index that a cell measures, also where another measure takes it as an option."""
    return str(dict(cell.index.options).get("index", cell.index.name))
