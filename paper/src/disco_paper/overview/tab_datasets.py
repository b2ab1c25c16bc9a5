"""The paper's data sets: sizes, and DISCO of their true labels."""

from __future__ import annotations

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, cross, spec
from disco_paper.judging import Experiment, Report, Row, judge
from disco_paper.paper import INFOS, TABLE_SETS, TableSet, quick_sets, read_printed

NAME = "tab-datasets"

_MEASURED = {
    "n": spec("n_points"),
    "d": spec("n_dimensions"),
    "k": spec("n_clusters"),
    "n_noise": spec("n_noise"),
    "disco_ground_truth": spec("disco"),
}
_TITLES = {
    "n": "points",
    "d": "features",
    "k": "clusters",
    "n_noise": "noise points",
    "disco_ground_truth": "DISCO of the truth",
}
# Not in the paper's table, but in one of its experiments.
_FURTHER = "cluto-t5-8k"


def _sets(scope: Scope) -> tuple[TableSet, ...]:
    return quick_sets() if scope.quick else TABLE_SETS


def cells(scope: Scope) -> list[Cell]:
    """All that the table shows, of each data set."""
    names = [chosen.name for chosen in _sets(scope)] + [_FURTHER] * (not scope.quick)
    return cross(map(spec, names), [GROUND_TRUTH], _MEASURED.values())


def report(found: Outcomes, scope: Scope) -> Report:
    """The table; a data set without values says why."""
    names = {chosen.name for chosen in _sets(scope)}
    rows = [
        _row(paper["dataset"], column, paper[column], found)
        for paper in read_printed(NAME)
        if paper["dataset"] in names
        for column in _MEASURED
    ]
    if not scope.quick:
        rows += [_row(_FURTHER, column, "", found) for column in _MEASURED]
    return Report(tuple(rows))


def _row(name: str, column: str, paper: str, found: Outcomes) -> Row:
    place = (spec(name), GROUND_TRUTH, _MEASURED[column])
    ours, reason = found.number(*place), found.reason(*place)
    if name == _FURTHER:
        note = "Not in the paper's table; used for its study of DBCV."
        return Row(name, _TITLES[column], ours, note=reason or note)
    return judge(name, _TITLES[column], ours, paper, note=reason)


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
