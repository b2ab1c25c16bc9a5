"""Which of three DBSCAN labelings of cluto-t8-8k DBCV selects, by the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from disco_cvi.experiments._cells import Cell, Found, Scope, Spec, spec
from disco_cvi.experiments._report import Report, Row, claim
from disco_cvi.experiments._selection import (
    BY_SHUFFLES,
    INDICES,
    best_once,
    cells_once,
    figures,
    number,
    rows_once,
    sizes,
)
from disco_cvi.experiments._shuffles import (
    CHANCE,
    LABELINGS,
    PAPER_RUNS,
    Runs,
    gather,
    setting_rows,
    settings,
    shuffled_cells,
)

__all__ = ["INDICES", "LABELINGS", "cells", "report"]

NAME = "tab-dbcv-t8"
TITLE = "Parameter selection with DBCV on cluto-t8-8k"
PAPER = "Table 6, tab:dbcv_nondeterminism2; Figures 12 and 13"
SUMMARY = "published DBCV of three DBSCAN labelings and the truth over 100 orders of the rows"
SECONDS = 50

_DATA = spec("cluto-t8-8k")


def cells(scope: Scope) -> list[Cell]:
    """The published DBCV in every run; other indices once."""
    labelings = list(_named().values())
    return cells_once(_DATA, labelings) + shuffled_cells(_DATA, labelings, _runs(scope))


def _named() -> dict[str, Spec]:
    return {setting.name: setting.labeling for setting in settings(NAME)}


def _runs(scope: Scope) -> int:
    return scope.repetitions(PAPER_RUNS, quick=5)


def report(found: Found, scope: Scope) -> Report:
    """The paper's table, its claims, and the same labelings by order-proof indices."""
    named, n_runs = _named(), _runs(scope)
    runs = gather(found, _DATA, named.values(), n_runs)
    rows = [
        replace(row, table=BY_SHUFFLES)
        for setting in settings(NAME)
        for row in setting_rows(
            setting,
            runs,
            n_runs=n_runs,
            is_judged=not scope.quick,
            original=number(found, _DATA, setting.labeling, spec("dbcv")),
        )
    ]
    rows += rows_once(found, _DATA, named)
    rows += _claims(found, named, runs)
    return Report(tuple(rows), figures(_DATA, named, runs), (CHANCE, _NOTE))


def _claims(found: Found, named: Mapping[str, Spec], runs: Runs) -> Iterator[Row]:
    a, b = list(named)[:2]
    known = sizes(found, _DATA, named[b])
    if known is not None:
        yield claim(
            f"Clusters of {b}",
            "2, one of them of 2 points",
            f"{len(known['clusters'])}, of {' and '.join(map(str, known['clusters']))} points",
            holds=len(known["clusters"]) == 2 and known["clusters"][-1] == 2,
        )
    spreads = {name: runs.spread(labeling) for name, labeling in named.items()}
    others = [spread for name, spread in spreads.items() if name != a and spread is not None]
    if spreads[a] is not None and others:
        yield claim(
            "Spread of the scores",
            "much lower for (a) than for the others",
            "; ".join(f"{name}: {spread:.3f}" for name, spread in spreads.items() if spread),
            holds=spreads[a] < min(others) / 2,
            note="Judged as less than half of the next one.",
        )
    winners = [name for name, labeling in named.items() if runs.wins()[labeling]]
    if winners:
        best = {name: best_once(found, _DATA, named.values(), spec(name)) for name in _PROOF}
        yield claim(
            "Labelings that are the best in some run",
            "(b), (c) and ground truth; a deterministic index has only one",
            "; ".join(winners),
            holds=len(winners) > 1,
            note=f"DISCO always selects {best['disco']}, and so does DBCV with an order-proof "
            f"tree {best['dbcv']}.",
        )


_PROOF = ("disco", "dbcv")
_NOTE = (
    "DBSCAN labels the points once, in the order of the file; each run then shuffles points and "
    "labels together. Data are z-standardized with their noise."
)
