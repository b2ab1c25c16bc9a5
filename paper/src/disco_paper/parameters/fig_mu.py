"""How DISCO of the true labels changes with its parameter mu."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from matplotlib.figure import Figure as Drawing

from disco_cvi.plots import score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, spec
from disco_paper.drawing import open_drawing
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INFOS, TABLE_SETS, TableSet, read_printed_cells, read_texts

NAME = "fig-mu"
TEXTS = read_texts(NAME)

_DEFAULT = 5
_BENCHMARK_MUS = tuple(range(1, 11))
_OTHER_MUS = (*range(1, 11), *range(12, 33, 2))
_DROPPING = {"3-spiral", "COIL20"}
# The share of its highest value that a data set loses at least if it drops markedly.
_MARKED = 0.5
_CURVES = "DISCO of the true labels"
_DROPS = "How far DISCO drops"
_CAPTIONS = {"benchmark": "Benchmark sets", "other": "Generated and real data"}


def cells(scope: Scope) -> list[Cell]:
    """The true labels of every data set for every mu; the largest data first."""
    return [
        Cell(spec(chosen.name), GROUND_TRUTH, spec("disco", min_points=mu))
        for chosen in sorted(
            _sets(scope), key=lambda chosen: -chosen.n_points * chosen.n_dimensions
        )
        for mu in _mus(chosen)
    ]


def _sets(scope: Scope) -> list[TableSet]:
    return [
        chosen
        for chosen in TABLE_SETS
        if not scope.quick or chosen.n_points * chosen.n_dimensions <= 10_000
    ]


def _mus(chosen: TableSet) -> tuple[int, ...]:
    return _BENCHMARK_MUS if chosen.is_benchmark else _OTHER_MUS


def _curve(found: Outcomes, chosen: TableSet) -> list[float | None]:
    return [
        found.number(spec(chosen.name), GROUND_TRUTH, spec("disco", min_points=mu))
        for mu in _mus(chosen)
    ]


def report(found: Outcomes, scope: Scope) -> Report:
    """The curves, how far they drop, and the claim about drops."""
    sets = _sets(scope)
    rows = [row for chosen in sets for row in _curve_rows(found, chosen)]
    ends = {chosen.name: _ends(_curve(found, chosen)) for chosen in sets}
    known = {name: pair for name, pair in ends.items() if pair is not None}
    for name, (highest, last) in known.items():
        note = f"From {highest:.2f} to {last:.2f}."
        rows.append(Row(name, "drop", highest - last, table=_DROPS, note=note))
    if not scope.quick:
        rows.append(_claim(known))
    groups = {
        "benchmark": [chosen for chosen in sets if chosen.is_benchmark],
        "other": [chosen for chosen in sets if not chosen.is_benchmark],
    }
    figures = [
        Figure(
            name,
            f"{_CAPTIONS[name]}: DISCO of the true labels over mu; the line marks the default.",
            partial(_draw, found, group),
        )
        for name, group in groups.items()
        if group
    ]
    return Report(tuple(rows), tuple(figures), (TEXTS["note"],))


def _curve_rows(found: Outcomes, chosen: TableSet) -> Iterator[Row]:
    """The table of data sets prints DISCO at mu = 5, and is where this point is judged."""
    paper = read_printed_cells("tab-datasets", "dataset")[chosen.name, "disco_ground_truth"]
    for mu, value in zip(_mus(chosen), _curve(found, chosen), strict=True):
        if mu == _DEFAULT:
            row = Row(chosen.name, str(mu), value, paper, note="Judged in tab-datasets.")
        else:
            row = Row(chosen.name, str(mu), value)
        if value is None:
            index = spec("disco", min_points=mu)
            row = row.with_note(found.reason(spec(chosen.name), GROUND_TRUTH, index))
        yield replace(row, table=_CURVES)


def _ends(curve: Sequence[float | None]) -> tuple[float, float] | None:
    """The highest value of a curve, and that at the largest mu."""
    known = [value for value in curve if value is not None]
    return (max(known), curve[-1]) if known and curve[-1] is not None else None


def _claim(ends: dict[str, tuple[float, float]]) -> Row:
    """Marked is a loss of half of the highest value, or a share as large as theirs."""
    drops = {name: highest - last for name, (highest, last) in ends.items()}
    shares = {name: drops[name] / abs(ends[name][0]) if ends[name][0] else 0.0 for name in drops}
    falling = sorted(drops, key=lambda name: -drops[name])
    bound = min([_MARKED, *(shares[name] for name in _DROPPING if name in shares)])
    marked = [name for name in falling if drops[name] > 0 and shares[name] >= bound]
    listed = ", ".join(f"{name} {drops[name]:.2f} ({shares[name]:.0%})" for name in falling)
    first = " and ".join(falling[:2])
    row = claim(
        "Which data sets drop markedly for larger mu",
        "only 3-spiral and COIL20",
        ", ".join(marked) or "none",
        holds=set(falling[:2]) == set(marked) == _DROPPING,
        note="A drop is the highest value minus that at the largest mu, and counts if half of the "
        "highest value is lost, or as large a share as on one of the two named. By the drop itself "
        f"{first} come first. Drops and their shares: {listed}.",
    )
    return row if len(drops) == len(TABLE_SETS) else replace(row, verdict="not judged")


def _draw(found: Outcomes, sets: list[TableSet]) -> Drawing:
    drawing = open_drawing(width=7.4, height=4.4)
    ax = drawing.add_subplot()
    ax.axvline(_DEFAULT, color="#cc3311", linewidth=1, zorder=1)
    curves = {chosen.name: _curve(found, chosen) for chosen in sets}
    score_curve(_mus(sets[0]), curves, ax=ax, band=None)
    ax.set(xlabel="mu", ylabel="DISCO", ylim=(min(0.0, ax.get_ylim()[0]), 1.0))
    return drawing


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
