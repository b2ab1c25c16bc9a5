"""What two tables on DBCV share: labelings scored once by other indices, and pictures of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_paper.cells.cell import Cell, Outcomes, Spec, Value, spec
from disco_paper.cells.data import make_points
from disco_paper.cells.labelings import make_labels
from disco_paper.cells.source import Case, Source
from disco_paper.judging.drawing import INDEX_COLORS, draw_histogram, open_drawing, tidy
from disco_paper.judging.rows import Figure, Row
from disco_paper.row_order.shuffles import (
    LABELINGS,
    MEAN,
    Runs,
    count_bins,
    describe_labeling,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

BY_SHUFFLES = "DBCV by the paper's program, over shuffles"
BY_OTHERS = "The same labelings by indices that do not depend on the order of the rows"

_ARI = spec("ari", noise="one class")
_COLUMNS = {
    spec("disco"): "DISCO",
    spec("dbcv"): "DBCV, order-proof tree",
    _ARI: "ARI",
}
_SIZES = spec("cluster sizes")


def _cluster_sizes(case: Case) -> Value:
    labels = case.clustering.labels
    return {"clusters": np.sort(labels.sizes)[::-1].tolist(), "noise": labels.n_noise}


MEASURES = {_SIZES.name: _cluster_sizes}


def cells_once(data: Spec, labelings: Iterable[Spec]) -> list[Cell]:
    """What does not depend on the order of the rows: other indices, and sizes of clusters."""
    return [Cell(data, labeling, index) for labeling in labelings for index in (*_COLUMNS, _SIZES)]


def sizes(found: Outcomes, data: Spec, labeling: Spec) -> dict[str, Any] | None:
    """The sizes of the clusters, falling ("clusters"), and the number of noise points ("noise")."""
    value = found.value(data, labeling, _SIZES)
    return value if isinstance(value, dict) else None


def rows_once(found: Outcomes, data: Spec, named: Mapping[str, Spec]) -> Iterator[Row]:
    """Other indices of the labelings, with what the labelings look like."""
    for name, labeling in named.items():
        known = sizes(found, data, labeling)
        note = "" if known is None else _described(known)
        for index, column in _COLUMNS.items():
            value = found.number(data, labeling, index)
            reason = found.reason(data, labeling, index)
            yield Row(name, column, value, note=reason or note, table=BY_OTHERS)
            note = ""


def _described(known: Mapping[str, Any]) -> str:
    clusters = known["clusters"]
    largest = ", ".join(map(str, clusters[:5])) + (", ..." if len(clusters) > 5 else "")
    return f"Points by cluster ({len(clusters)}): {largest}; noise: {known['noise']}."


def best_once(found: Outcomes, data: Spec, labelings: Iterable[Spec], index: Spec) -> str:
    """The labeling of the highest score, and how near to the truth it is."""
    values = {one: found.number(data, one, index) for one in labelings}
    known = {one: value for one, value in values.items() if value is not None}
    if not known:
        return "nothing"
    best = max(known, key=lambda one: known[one])
    ari = found.number(data, best, _ARI)
    return (
        describe_labeling(best)
        if ari is None
        else f"{describe_labeling(best)} (ARI {round(ari, 2) + 0.0:.2f})"
    )


def with_originals(rows: Iterable[Row], original: float | None) -> list[Row]:
    """Set the order-proof DBCV of a labeling beside the mean of the published one."""
    return [
        replace(row, original=original if row.column == MEAN else None, table=BY_SHUFFLES)
        for row in rows
    ]


def figures(data: Spec, named: Mapping[str, Spec], runs: Runs) -> tuple[Figure, ...]:
    """The labelings, and how their scores spread."""
    drawn = [
        Figure(
            "clusterings",
            "The labelings, and how often the published DBCV finds each the best; gray crosses are "
            "noise.",
            partial(_draw_labelings, data, named, runs),
        )
    ]
    if all(len(runs.of(labeling)) for labeling in named.values()):
        drawn.append(
            Figure(
                "distribution",
                "The published DBCV of each labeling over shuffles of the rows; dashed: the mean.",
                partial(_draw_scores, named, runs),
            )
        )
    return tuple(drawn)


def _draw_labelings(data: Spec, named: Mapping[str, Spec], runs: Runs) -> Drawing:
    from disco_cvi.plots import labels_map

    n_rows = -(-len(named) // 2)
    drawing = open_drawing(width=7.6, height=3.0 * n_rows)
    panels = drawing.subplots(n_rows, 2, squeeze=False).ravel()
    source = Source(data, *make_points(data))
    for panel, (name, labeling) in zip(panels, named.items(), strict=False):
        labels_map(source.points, make_labels(labeling, source, LABELINGS), ax=panel, size=1.5)
        share = runs.selected(labeling)
        selected = "" if share is None else f": best in {share:.0f} % of runs"
        panel.set_title(name + selected, fontsize=9)
    for panel in panels[len(named) :]:
        panel.set_visible(False)
    return drawing


def _draw_scores(named: Mapping[str, Spec], runs: Runs) -> Drawing:
    drawing = open_drawing(width=7.0, height=1.35 * len(named) + 0.4)
    panels = drawing.subplots(len(named), 1, squeeze=False, sharex=True)[:, 0]
    for panel, (name, labeling) in zip(panels, named.items(), strict=True):
        scores = runs.of(labeling)
        draw_histogram(panel, scores, count_bins(scores, 30), INDEX_COLORS["dbcv"], name)
        panel.set_ylabel("density")
        tidy(panel)
        panel.set_title(name, fontsize=9, loc="left")
    panels[-1].set_xlabel("published DBCV")
    return drawing
