"""Labelings scored again and again, with the rows in another order each time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import labels_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Spec, Value, spec
from disco_paper.drawing import INDEX_COLORS, draw_histogram, open_drawing, tidy
from disco_paper.judging import Figure, Row, judge
from disco_paper.paper import name_published, read_printed
from disco_paper.sources import Case, FloatArray, Source, make_labels, make_points, permutation

LabelArray = NDArray[np.int64]

PUBLISHED = name_published("dbcv")
PAPER_RUNS = 100

# The columns of the paper's tables.
MEAN, SPREAD = "DBCV (mean)", "DBCV (spread)"
SELECTED, SELECTED_WITHOUT = "selected (%)", "selected without ground truth (%)"


def dbscan_in_file_order(source: Source, eps: float, min_samples: int) -> LabelArray:
    """DBSCAN of the points in the order of their file, whatever order the source has them in.

    Border points fall to the cluster that reaches them first, and clusters are numbered as they are
    found; here the labels are made once, and shuffled with the points.
    """
    options = dict(source.data.options)
    run = options.pop("shuffle", None)
    labels = _labels_in_file_order(spec(source.data.name, **options), eps, min_samples)
    return labels if run is None else labels[permutation(int(run), len(labels))]


# One table has forty labelings of its data, the same for all shuffles.
@lru_cache(maxsize=64)
def _labels_in_file_order(data: Spec, eps: float, min_samples: int) -> LabelArray:
    source = Source(data, *make_points(data))
    return make_labels(spec("dbscan", eps=eps, min_samples=min_samples), source)


def dbscan(eps: float, min_samples: int) -> Spec:
    """The labeling that `dbscan_in_file_order` makes."""
    return spec("dbscan in file order", eps=eps, min_samples=min_samples)


LABELINGS = {"dbscan in file order": dbscan_in_file_order}


def describe_labeling(labeling: Spec) -> str:
    """A labeling as the tables name it."""
    if labeling == GROUND_TRUTH:
        return "ground truth"
    return f"eps {labeling['eps']}, minPts {labeling['min_samples']}"


def shuffled_cells(data: Spec, labelings: Iterable[Spec], runs: int) -> list[Cell]:
    """The published DBCV of every labeling in every run."""
    labelings = list(labelings)
    return [
        Cell(name_shuffled(data, run), labeling, PUBLISHED)
        for run in range(runs)
        for labeling in labelings
    ]


def mean_of(scores: FloatArray) -> float:
    """The mean, which rounding must not push out of the range of the scores."""
    mean = math.fsum(scores) / len(scores)
    return min(max(mean, float(scores.min())), float(scores.max()))


def count_bins(scores: FloatArray, usual: int) -> int:
    """The usual number of intervals, fewer for few scores."""
    return min(usual, max(5, len(scores) // 3))


def name_shuffled(data: Spec, run: int) -> Spec:
    """The data with their rows in the order of a run."""
    return spec(data.name, **dict(data.options), shuffle=run)


@dataclass(frozen=True, eq=False)
class Runs:
    """Scores of some labelings over many shuffles.

    Attributes
    ----------
    labelings : tuple of Spec
    scores : ndarray of shape (n_runs, n_labelings)
        NaN where there is no score.
    """

    labelings: tuple[Spec, ...]
    scores: FloatArray

    def of(self, labeling: Spec) -> FloatArray:
        """The scores of a labeling, those that there are."""
        if labeling not in self.labelings:
            return np.empty(0)
        scores = self.scores[:, self.labelings.index(labeling)]
        return np.asarray(scores[np.isfinite(scores)])

    def mean(self, labeling: Spec) -> float | None:
        """The mean score."""
        scores = self.of(labeling)
        return mean_of(scores) if len(scores) else None

    def spread(self, labeling: Spec) -> float | None:
        """The standard deviation of the scores, as of a sample."""
        scores = self.of(labeling)
        return float(scores.std(ddof=1)) if len(scores) > 1 else None

    def wins(self, among: Sequence[Spec] | None = None) -> dict[Spec, int]:
        """In how many runs each labeling has the highest score of all, or of those named."""
        chosen = [one for one in self.labelings if among is None or one in among]
        places = [self.labelings.index(one) for one in chosen]
        counts = dict.fromkeys(chosen, 0)
        for scores in self.scores[:, places]:
            if np.isfinite(scores).any():
                counts[chosen[int(np.nanargmax(scores))]] += 1
        return counts

    def selected(self, labeling: Spec, among: Sequence[Spec] | None = None) -> float | None:
        """The same as a share of the runs, in per cent."""
        counts = self.wins(among)
        total = sum(counts.values())
        return 100.0 * counts[labeling] / total if total and labeling in counts else None


def gather(found: Outcomes, data: Spec, labelings: Iterable[Spec], runs: int) -> Runs:
    """The scores that were found."""
    labelings = tuple(labelings)
    scores = [
        [found.number(name_shuffled(data, run), labeling, PUBLISHED) for labeling in labelings]
        for run in range(runs)
    ]
    return Runs(labelings, np.array(scores, np.float64).reshape(runs, len(labelings)))


@dataclass(frozen=True)
class Setting:
    """A row of the paper's table: its name, its labeling and the printed numbers."""

    name: str
    labeling: Spec
    printed: Mapping[str, str]


def settings(experiment: str) -> tuple[Setting, ...]:
    """The rows of the paper's table."""
    found = []
    for row in read_printed(experiment):
        labeling = GROUND_TRUTH
        if row["eps"]:
            labeling = dbscan(float(row["eps"]), int(row["minPts"]))
        name = f"({row['setting']}) " if row["eps"] else ""
        found.append(Setting(name + describe_labeling(labeling), labeling, row))
    return tuple(found)


def setting_rows(setting: Setting, runs: Runs, *, is_judged: bool) -> list[Row]:
    """A row of the paper's table, column by column.

    Parameters
    ----------
    setting : Setting
    runs : Runs
        Scores of all labelings that take part.
    is_judged : bool
        Whether the numbers come from the whole recipe.
    """
    labeling, paper = setting.labeling, setting.printed
    ours = {
        MEAN: (runs.mean(labeling), paper["dbcv_mean"]),
        SPREAD: (runs.spread(labeling), paper["dbcv_std"]),
        SELECTED: (runs.selected(labeling), paper["selected_percent"]),
    }
    if "selected_percent_without_ground_truth" in paper:
        without = [one for one in runs.labelings if one != GROUND_TRUTH]
        share = runs.selected(labeling, without)
        ours[SELECTED_WITHOUT] = share, paper["selected_percent_without_ground_truth"]
    rows = []
    for column, (value, text) in ours.items():
        note = "There are no scores of this labeling." if value is None and text else ""
        row = judge(setting.name, column, value, text, note=note)
        rows.append(row if is_judged else replace(row, verdict="not judged"))
    return rows


BY_SHUFFLES = "DBCV by the paper's program, over shuffles"
BY_OTHERS = "The same labelings by indices that do not depend on the order of the rows"

_ARI = spec("ari", noise="one class")
_COLUMNS = {spec("disco"): "DISCO", spec("dbcv"): "DBCV, order-proof tree", _ARI: "ARI"}
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
