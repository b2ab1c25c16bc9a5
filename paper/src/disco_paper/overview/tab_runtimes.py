"""How long each index takes on the true labels of each data set, beside the paper's programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import geometric_mean, median

import numpy as np
from matplotlib.figure import Figure as Drawing

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.drawing import INDEX_COLORS, open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row, as_number, claim
from disco_paper.paper import (
    INDEX_TITLES,
    INFOS,
    PAPER_INDICES,
    TABLE_SET_OF,
    TABLE_SETS,
    TableSet,
    read_printed,
    read_printed_cells,
    read_texts,
)

NAME = "tab-runtimes"
TEXTS = read_texts(NAME)

_SECONDS = "Seconds"
_RATIOS = "Times as long as DISCO"
_RANKS = "Order from fast to slow"
_SHOWN = ("COIL20", "Synth_high", "Optdigits", "cluto-t8-8k", "cluto-t7-10k", "Pendigits", "htru2")
# The paper's own words fit its own numbers with this factor, taking geometric means over the data
# sets of its figure: similar is up to three times as long or as short.
_SIMILAR = 3.0

_Times = dict[str, dict[str, float]]


# --- cells ---------------------------------------------------------------------------------------


def cells(scope: Scope) -> list[Cell]:
    """One call of every index on every data set, in several orders of the rows."""
    return [
        Cell(_data(chosen, run), GROUND_TRUTH, _seconds(name))
        for chosen in _sets(scope)
        for run in range(_n_runs(chosen, scope))
        for name in PAPER_INDICES
    ]


def _sets(scope: Scope) -> list[TableSet]:
    return [
        chosen
        for chosen in TABLE_SETS
        if not scope.quick or (chosen.n_points <= 1000 and chosen.n_dimensions <= 3)
    ]


def _n_runs(chosen: TableSet, scope: Scope) -> int:
    """Three; one where the values are so many that a call takes long and varies little."""
    is_large = chosen.n_points * chosen.n_dimensions > 1_000_000
    return scope.repetitions(1 if is_large else 3, 1)


def _data(chosen: TableSet, run: int) -> Spec:
    return spec(chosen.name, noise="dropped", shuffle=run)


def _seconds(name: str) -> Spec:
    return spec("seconds", index=name)


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:
    """Seconds, ratios to DISCO and ranks; only what the paper says about them is judged."""
    ours, paper = _measured(found, scope), _printed(scope)
    rows = [*_second_rows(ours), *_ratio_rows(ours, paper), *_rank_rows(ours, paper)]
    if not scope.quick:
        rows += _claims(ours, paper)
    figures = []
    if shown := [name for name in _SHOWN if ours.get(name)]:
        caption = (
            "Seconds of one call on the true labels, on a logarithmic scale; data sets by the time "
            "of DISCO in the paper. Above: this package. Below: the programs of the paper, on "
            "another machine."
        )
        figures.append(Figure("", caption, lambda: _draw(shown, ours, paper)))
    return Report(tuple(rows), tuple(figures), (TEXTS["on_seconds"], TEXTS["on_the_paper"]))


def _measured(found: Outcomes, scope: Scope) -> _Times:
    """The median of the runs, by data set and index."""
    times: _Times = {}
    for chosen in _sets(scope):
        runs = range(_n_runs(chosen, scope))
        for name in PAPER_INDICES:
            known = found.numbers(
                Cell(_data(chosen, r), GROUND_TRUTH, _seconds(name)) for r in runs
            )
            if known:
                times.setdefault(chosen.name, {})[name] = median(known)
    return times


def _printed(scope: Scope) -> _Times:
    sets = {chosen.name for chosen in _sets(scope)}
    cells_by_place = read_printed_cells(NAME, "dataset")
    return {
        TABLE_SET_OF[row["dataset"]].name: {
            name: as_number(cells_by_place[row["dataset"], INDEX_TITLES[name]]) or 0.0
            for name in PAPER_INDICES
        }
        for row in read_printed(NAME)
        if TABLE_SET_OF[row["dataset"]].name in sets
    }


def _second_rows(ours: _Times) -> Iterator[Row]:
    paper = read_printed_cells(NAME, "dataset")
    for name, times in ours.items():
        spelling = TABLE_SET_OF[name].spelling
        for index, seconds in times.items():
            title = INDEX_TITLES[index]
            yield Row(spelling, title, seconds, paper[spelling, title], table=_SECONDS)


def _ratio_rows(ours: _Times, paper: _Times) -> Iterator[Row]:
    for name, times in ours.items():
        ratios, theirs = _ratios(times), _ratios(paper[name])
        for index, ratio in ratios.items():
            row, title = TABLE_SET_OF[name].spelling, INDEX_TITLES[index]
            yield Row(row, title, ratio, f"{theirs[index]:.3g}", table=_RATIOS)


def _ratios(times: Mapping[str, float]) -> dict[str, float]:
    if "disco" not in times:
        return {}
    return {name: time / times["disco"] for name, time in times.items() if name != "disco"}


def _rank_rows(ours: _Times, paper: _Times) -> Iterator[Row]:
    """How alike the two orders of the indices are: 1 the same, 0 unrelated, -1 reversed."""
    for name, times in ours.items():
        shared = [index for index in PAPER_INDICES if index in times]
        agreement = _rank_correlation(
            [times[index] for index in shared], [paper[name][index] for index in shared]
        )
        column = "rank correlation with the paper"
        yield Row(TABLE_SET_OF[name].spelling, column, agreement, table=_RANKS)


def _rank_correlation(one: list[float], other: list[float]) -> float | None:
    from scipy.stats import spearmanr

    if len(one) < 2:
        return None
    agreement = float(spearmanr(one, other).statistic)
    return None if math.isnan(agreement) else agreement


def _typical(times: _Times, name: str) -> float | None:
    """How many times as long as DISCO, over the data sets of the paper's figure."""
    ratios = [_ratios(times[data]).get(name) for data in _SHOWN if data in times]
    known = [ratio for ratio in ratios if ratio is not None]
    return geometric_mean(known) if known else None


def _claims(ours: _Times, paper: _Times) -> Iterator[Row]:
    groups = {
        "take about as long as DISCO": ("cvnn", "dbcv", "dcsi"),
        "take much longer": ("cvdd", "lccv", "viasckde", "mmj_sc", "cdbw"),
        "are faster": ("silhouette", "s_dbw"),
    }
    bounds = {
        "take about as long as DISCO": (1 / _SIMILAR, _SIMILAR),
        "take much longer": (_SIMILAR, float("inf")),
        "are faster": (0.0, 1 / _SIMILAR),
    }
    for text, names in groups.items():
        typical = {name: _typical(ours, name) for name in names}
        low, high = bounds[text]
        titles = ", ".join(INDEX_TITLES[name] for name in names)
        row = claim(
            f"{titles} {text}",
            _listed({name: _typical(paper, name) for name in names}),
            _listed(typical),
            holds=all(value is not None and low <= value <= high for value in typical.values()),
            note=TEXTS["about_programs"],
        )
        yield replace(row, verdict="not judged") if None in typical.values() else row
    yield _growth_claim(ours)


def _listed(values: Mapping[str, float | None]) -> str:
    return ", ".join(
        f"{INDEX_TITLES[name]} {'none' if value is None else f'{value:.2g}'}"
        for name, value in values.items()
    )


def _growth_claim(ours: _Times) -> Row:
    shown = [name for name in _SHOWN if "disco" in ours.get(name, {})]
    times = [ours[name]["disco"] for name in shown]
    agreement = _rank_correlation([float(TABLE_SET_OF[name].n_points) for name in shown], times)
    rounded = "none" if agreement is None else f"{agreement:.2f}"
    listed = ", ".join(f"{name} {time:.2g} s" for name, time in zip(shown, times, strict=True))
    row = claim(
        "What DISCO's time grows with",
        "the number of points rather than of dimensions",
        f"rank correlation of time and points: {rounded}",
        holds=agreement is not None and agreement > 0.9,
        note=f"{listed}. The paper's program compares all pairs of points. Ours looks up neighbors "
        "in a tree where there are few dimensions, so that many dimensions cost more.",
    )
    return row if len(shown) == len(_SHOWN) else replace(row, verdict="not judged")


def _draw(shown: list[str], ours: _Times, paper: _Times) -> Drawing:
    drawing = open_drawing(width=11, height=6.4)
    axes = drawing.subplots(2, 1, sharex=True)
    order = sorted(shown, key=lambda name: paper[name]["disco"])
    for ax, times, who in zip(axes, (ours, paper), ("this package", "the paper"), strict=True):
        ax.set_yscale("log")
        width = 0.84 / len(PAPER_INDICES)
        for slot, index in enumerate(PAPER_INDICES):
            places = np.arange(len(order)) + (slot - (len(PAPER_INDICES) - 1) / 2) * width
            heights = [times[name].get(index, np.nan) for name in order]
            title, color = INDEX_TITLES[index], INDEX_COLORS[index]
            ax.bar(places, heights, 0.92 * width, color=color, label=title)
            for place in places[np.isnan(heights)]:
                ax.annotate(
                    "\N{EN DASH}", (place, 0), xycoords=("data", "axes fraction"), ha="center"
                )
        ax.set_xticks(range(len(order)), order)
        ax.set_ylabel(f"seconds, {who}")
        tidy(ax)
    axes[0].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small", frameon=False)
    return drawing


EXPERIMENT = Experiment(
    INFOS[NAME],
    cells,
    report,
    # What runs beside a clock slows what it measures.
    is_alone=True,
)
