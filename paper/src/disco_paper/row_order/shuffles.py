"""Labelings scored again and again, with the rows in another order each time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_paper.cells.cell import GROUND_TRUTH, Cell, Outcomes, Spec, spec
from disco_paper.cells.data import make_points, permutation
from disco_paper.cells.labelings import make_labels
from disco_paper.cells.source import Source
from disco_paper.judging.paper_names import name_published
from disco_paper.judging.printed import read_printed
from disco_paper.judging.rows import Row, judge

LabelArray = NDArray[np.int64]

PUBLISHED = name_published("dbcv")
PAPER_RUNS = 100

# The columns of the paper's tables.
MEAN, SPREAD = "DBCV (mean)", "DBCV (spread)"
SELECTED, SELECTED_WITHOUT = "selected (%)", "selected without ground truth (%)"

RECIPE = (
    "Data are z-standardized with their noise. DBSCAN labels them once, in the order of the file; "
    "each run then shuffles points and labels together, by the same seeds as elsewhere in the "
    "paper. Spreads are standard deviations of a sample (divided by n - 1)."
)


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
