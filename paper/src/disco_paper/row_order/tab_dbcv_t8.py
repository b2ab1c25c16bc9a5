"""Which of three DBSCAN labelings of cluto-t8-8k DBCV selects, by the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from disco_paper.cells import Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Report, Row, claim
from disco_paper.paper import INFOS, read_texts
from disco_paper.row_order.runs import (
    LABELINGS,
    MEASURES,
    PAPER_RUNS,
    Runs,
    best_once,
    cells_once,
    figures,
    gather,
    rows_once,
    setting_rows,
    settings,
    shuffled_cells,
    sizes,
    with_originals,
)

NAME = "tab-dbcv-t8"
TEXTS = read_texts(NAME)

_DATA = spec("cluto-t8-8k")


def cells(scope: Scope) -> list[Cell]:
    """The published DBCV in every run; other indices once."""
    labelings = list(_named().values())
    return cells_once(_DATA, labelings) + shuffled_cells(_DATA, labelings, _runs(scope))


def _named() -> dict[str, Spec]:
    return {setting.name: setting.labeling for setting in settings(NAME)}


def _runs(scope: Scope) -> int:
    return scope.repetitions(PAPER_RUNS, quick=4)


def report(found: Outcomes, scope: Scope) -> Report:
    """The paper's table, its claims, and the same labelings by order-proof indices."""
    named, n_runs = _named(), _runs(scope)
    runs = gather(found, _DATA, named.values(), n_runs)
    rows: list[Row] = []
    for setting in settings(NAME):
        of_setting = setting_rows(setting, runs, is_judged=n_runs == PAPER_RUNS)
        rows += with_originals(of_setting, found.number(_DATA, setting.labeling, spec("dbcv")))
    rows += rows_once(found, _DATA, named)
    rows += _claim_on_sizes(found, named)
    for row in _claims_on_runs(found, named, runs):
        rows.append(row if n_runs >= PAPER_RUNS else replace(row, verdict="not judged"))
    return Report(tuple(rows), figures(_DATA, named, runs), (TEXTS["recipe"], TEXTS["note"]))


def _claim_on_sizes(found: Outcomes, named: Mapping[str, Spec]) -> Iterator[Row]:
    b = list(named)[1]
    known = sizes(found, _DATA, named[b])
    if known is not None:
        yield claim(
            f"Clusters of {b}",
            "2, one of them of 2 points",
            f"{len(known['clusters'])}, of {' and '.join(map(str, known['clusters']))} points",
            holds=len(known["clusters"]) == 2 and known["clusters"][-1] == 2,
        )


def _claims_on_runs(found: Outcomes, named: Mapping[str, Spec], runs: Runs) -> Iterator[Row]:
    a, *others = named
    spreads = {name: runs.spread(labeling) or 0.0 for name, labeling in named.items()}
    if all(spreads.values()):
        yield claim(
            "Spread of the scores",
            "much lower for (a) than for the others",
            "; ".join(f"{name}: {spread:.3f}" for name, spread in spreads.items()),
            holds=spreads[a] < min(spreads[name] for name in others) / 2,
            note="Judged as less than half of the next one.",
        )
    winners = [name for name, labeling in named.items() if runs.wins()[labeling]]
    if winners:
        yield claim(
            "Labelings that are the best in some run",
            "(b), (c) and the ground truth; a deterministic index has one",
            "; ".join(winners),
            holds=winners == others,
            note=_note_on_best(found, named),
        )


def _note_on_best(found: Outcomes, named: Mapping[str, Spec]) -> str:
    best = {name: best_once(found, _DATA, named.values(), spec(name)) for name in ("disco", "dbcv")}
    return (
        f"In every order of the rows, DISCO finds {best['disco']} the best, and DBCV with an "
        f"order-proof tree {best['dbcv']}."
    )


EXPERIMENT = Experiment(INFOS[NAME], cells, report, labelings=LABELINGS, measures=MEASURES)
