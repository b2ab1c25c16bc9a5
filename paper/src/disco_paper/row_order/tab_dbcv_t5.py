"""Which of 40 DBSCAN labelings of cluto-t5-8k DBCV selects, by the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Report, Row, claim
from disco_paper.paper import INFOS, read_texts
from disco_paper.row_order.runs import (
    LABELINGS,
    MEASURES,
    PAPER_RUNS,
    Runs,
    Setting,
    best_once,
    cells_once,
    dbscan,
    describe_labeling,
    figures,
    gather,
    rows_once,
    setting_rows,
    settings,
    shuffled_cells,
    sizes,
    with_originals,
)

NAME = "tab-dbcv-t5"
TEXTS = read_texts(NAME)

_DATA = spec("cluto-t5-8k")
_MIN_POINTS = (2, 4, 5, 8, 10)
_EPS = (0.04, 0.045, 0.05, 0.06, 0.1, 0.2, 0.3, 0.4)
# Two rows of the paper's table name eps 0.06; their numbers are those of this one.
_FITTING_EPS = 0.1
_AT_FITTING_EPS = "The printed numbers of (a) and (b) beside ours at eps 0.1"


def cells(scope: Scope) -> list[Cell]:
    """The published DBCV of every labeling in every run; other indices once."""
    labelings = _labelings(scope)
    return cells_once(_DATA, labelings) + shuffled_cells(_DATA, labelings, _runs(scope))


def _labelings(scope: Scope) -> list[Spec]:
    if scope.quick:
        return list(_shown().values())
    return [GROUND_TRUTH, *(dbscan(eps, count) for count in _MIN_POINTS for eps in _EPS)]


def _runs(scope: Scope) -> int:
    return scope.repetitions(PAPER_RUNS, quick=3)


def _shown() -> dict[str, Spec]:
    """The labelings of the table, as printed and with the other eps."""
    both = [*settings(NAME), *(setting for setting in _fitting() if setting.name != "ground truth")]
    return {setting.name: setting.labeling for setting in both}


def _fitting() -> list[Setting]:
    """The settings of the paper's table, with the other eps."""
    return [_at_fitting_eps(setting) for setting in settings(NAME)]


def _at_fitting_eps(setting: Setting) -> Setting:
    if setting.labeling == GROUND_TRUTH:
        return setting
    labeling = dbscan(_FITTING_EPS, int(setting.labeling["min_samples"]))
    return replace(setting, name=describe_labeling(labeling), labeling=labeling)


def report(found: Outcomes, scope: Scope) -> Report:
    """The paper's table as printed and with another eps, its claims, and other indices."""
    n_runs = _runs(scope)
    runs = gather(found, _DATA, _labelings(scope), n_runs)
    is_judged = n_runs == PAPER_RUNS and not scope.quick
    fitting = _fitting_rows(runs, is_judged=is_judged)
    on_eps = _on_eps(found, runs, fitting)
    rows: list[Row] = []
    for setting in settings(NAME):
        of_setting = setting_rows(setting, runs, is_judged=is_judged)
        if setting.labeling != GROUND_TRUTH:
            of_setting = [
                row.with_note(_SEE_EPS if rows or i else on_eps) for i, row in enumerate(of_setting)
            ]
        rows += with_originals(of_setting, found.number(_DATA, setting.labeling, spec("dbcv")))
    rows += [replace(row, verdict="not judged", table=_AT_FITTING_EPS) for row in fitting]
    rows += rows_once(found, _DATA, _shown())
    if not scope.quick:
        for row in _claims(found, runs):
            rows.append(row if n_runs >= PAPER_RUNS else replace(row, verdict="not judged"))
    return Report(tuple(rows), figures(_DATA, _shown(), runs), (TEXTS["recipe"],))


def _fitting_rows(runs: Runs, *, is_judged: bool) -> list[Row]:
    """The printed numbers beside ours at the other eps, with whether their digits agree."""
    rows: list[Row] = []
    for setting in _fitting():
        if setting.labeling != GROUND_TRUTH:
            rows += setting_rows(setting, runs, is_judged=is_judged)
    said = {"passes": f"All digits agree. {_CHOSEN}", "fails": f"The digits differ. {_CHOSEN}"}
    return [
        row.with_note(_CHOSEN if row.ours is None else said.get(row.verdict, _CHOSEN))
        for row in rows
    ]


def _on_eps(found: Outcomes, runs: Runs, fitting: list[Row]) -> str:
    """What the printed eps gives, and what the other one if all its runs were made."""
    said = ["The table names eps 0.06 for settings (a) and (b)."]
    for setting in settings(NAME)[:-1]:
        known, mean = sizes(found, _DATA, setting.labeling), runs.mean(setting.labeling)
        if known is not None and mean is not None:
            largest = known["clusters"][0]
            said.append(
                f"There the largest cluster of {setting.name} has {largest} points, and the mean "
                f"of DBCV is {mean:.2f}."
            )
    n_runs = min(len(runs.of(setting.labeling)) for setting in _fitting())
    if n_runs < PAPER_RUNS or any(row.verdict == "not judged" for row in fitting):
        return " ".join([*said, "At eps 0.1, another value of the grid: see the next table."])
    n_equal = sum(row.verdict == "passes" for row in fitting)
    said.append(
        f"At eps 0.1, another value of the grid, {n_equal} of the {len(fitting)} numbers printed "
        f"for (a) and (b) agree with ours over {n_runs} runs in all digits."
    )
    if n_equal == len(fitting):
        said.append("The printed eps is probably a slip.")
    return " ".join(said)


def _claims(found: Outcomes, runs: Runs) -> Iterator[Row]:
    wins = {labeling: n for labeling, n in runs.wins().items() if n}
    if not wins:
        return
    winners = [describe_labeling(labeling) for labeling in wins if labeling != GROUND_TRUTH]
    best = {name: best_once(found, _DATA, runs.labelings, spec(name)) for name in ("disco", "dbcv")}
    yield claim(
        "DBSCAN labelings that are the best in some run",
        "only two of the 40",
        "; ".join(winners),
        holds=len(winners) == 2,
        note=f"In every order of the rows, DISCO finds {best['disco']} the best of all, and DBCV "
        f"with an order-proof tree {best['dbcv']}.",
    )
    yield from _claim_on_settings("(a) and (b) as printed", list(settings(NAME)), runs)
    for row in _claim_on_settings("eps 0.1", _fitting(), runs):
        yield replace(row, verdict="not judged").with_note(_CHOSEN)


def _claim_on_settings(title: str, chosen: list[Setting], runs: Runs) -> Iterator[Row]:
    means = [runs.mean(setting.labeling) for setting in chosen]
    spreads = [runs.spread(setting.labeling) for setting in chosen]
    known = [(m, s) for m, s in zip(means, spreads, strict=True) if m is not None and s is not None]
    if len(known) < len(chosen):
        return
    (*others, truth) = known
    yield claim(
        f"Scores of the two settings beside the ground truth, {title}",
        "higher means, and much wider spreads",
        "; ".join(
            f"{setting.name}: {mean:.3f} ± {spread:.3f}"
            for setting, (mean, spread) in zip(chosen, known, strict=True)
        ),
        holds=all(mean > truth[0] and spread > 2 * truth[1] for mean, spread in others),
        note="Much wider is judged as more than twice as wide.",
    )


_SEE_EPS = "On the printed eps, see the mean of (a)."
_CHOSEN = "Not judged, since eps 0.1 was chosen as the value that fits the printed numbers."

EXPERIMENT = Experiment(INFOS[NAME], cells, report, labelings=LABELINGS, measures=MEASURES)
