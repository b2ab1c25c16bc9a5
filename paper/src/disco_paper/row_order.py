"""DBCV and the order of the rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi import DensityTree
from disco_cvi.plots import labels_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.drawing import INDEX_COLORS, draw_histogram, open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row, claim, equals_printed, judge
from disco_paper.paper import INFOS, name_published, read_printed, read_text
from disco_paper.sources import Case, FloatArray, Source, make_labels, make_points, permutation

# === Labelings scored again and again, with the rows in another order each time ===================

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
    name = describe_labeling(best)
    return name if ari is None else f"{name} (ARI {round(ari, 2) + 0.0:.2f})"


def _best_by_others(found: Outcomes, data: Spec, labelings: Iterable[Spec]) -> dict[str, str]:
    """What two indices find the best that do not depend on the order of the rows."""
    labelings = list(labelings)
    return {name: best_once(found, data, labelings, spec(name)) for name in ("disco", "dbcv")}


def with_originals(rows: Iterable[Row], original: float | None) -> list[Row]:
    """Set the order-proof DBCV of a labeling beside the mean of the published one."""
    return [
        replace(row, original=original if row.column == MEAN else None, table=BY_SHUFFLES)
        for row in rows
    ]


def figures(data: Spec, named: Mapping[str, Spec], runs: Runs) -> tuple[Figure, ...]:
    """The labelings, and how their scores spread."""
    drawn: dict[str, Callable[[], Drawing]] = {
        "clusterings": partial(_draw_labelings, data, named, runs)
    }
    if all(len(runs.of(labeling)) for labeling in named.values()):
        drawn["distribution"] = partial(_draw_scores, named, runs)
    return tuple(Figure(name, read_text(f"dbcv-shuffles.{name}"), drawn[name]) for name in drawn)


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


# === How DBCV of the same labels changes with the order of the rows ===============================


_SETS = ("complex8", "complex9")
_PUBLISHED, _AUTHORS = "published DBCV", "DBCV, its authors' tree"
_ORDER_PROOF = ("DISCO", "DBCV, order-proof tree")
_INDICES = {
    _PUBLISHED: PUBLISHED,
    _AUTHORS: spec("dbcv", ties="rows"),
    "DISCO": spec("disco"),
    "DBCV, order-proof tree": spec("dbcv"),
}
# By the names of indices in the palette of all figures.
_COLORS = dict(zip(_INDICES, ("dbcv", "dcsi", "disco", "lccv"), strict=True))
# So near must means be, from so many shuffles on; claims need as many shuffles as in the paper.
_WITHIN, _ENOUGH, _PAPER_RUNS = 0.03, 100, 1000
# Scores of a bell have a skewness and an excess kurtosis near 0.
_BELL = 1.0
_DBCV_SHUFFLE_COLUMNS = ("mean", "lowest", "highest", "different")
_DBCV_SHUFFLE_TABLE = "Scores over shuffles of the rows"
Scores = Mapping[tuple[str, str], FloatArray]


def dbcv_shuffle_cells(scope: Scope) -> list[Cell]:
    """DISCO, and three kinds of DBCV, of the truth in every order of the rows."""
    data = [
        name_shuffled(spec(name), run) for run in range(_runs_dbcv_shuffle(scope)) for name in _SETS
    ]
    return cross(data, [GROUND_TRUTH], _INDICES.values())


def _runs_dbcv_shuffle(scope: Scope) -> int:
    return scope.repetitions(_PAPER_RUNS, quick=20)


def dbcv_shuffle_report(found: Outcomes, scope: Scope) -> Report:
    """Where the scores lie, the claims about them, and the histograms."""
    n_runs = _runs_dbcv_shuffle(scope)
    scores = {
        (name, title): _scores(found, name, index, n_runs)
        for name in _SETS
        for title, index in _INDICES.items()
    }
    rows = [row for name in _SETS for row in _place_rows(name, scores, n_runs)]
    if n_runs >= _PAPER_RUNS and all(map(len, scores.values())):
        rows += _claims_dbcv_shuffle(scores)
    figures = []
    if all(map(len, scores.values())):
        figures.append(
            Figure("", read_text("fig-dbcv-shuffle.caption"), partial(_draw_dbcv_shuffle, scores))
        )
    return Report(
        tuple(rows), tuple(figures), (read_text("fig-dbcv-shuffle.note"), *_note_on_place(scores))
    )


def _scores(found: Outcomes, name: str, index: Spec, n_runs: int) -> FloatArray:
    data = (name_shuffled(spec(name), run) for run in range(n_runs))
    return np.array(found.numbers(Cell(one, GROUND_TRUTH, index) for one in data))


def _place_rows(name: str, scores: Scores, n_runs: int) -> Iterator[Row]:
    """Mean, lowest, highest and number of different scores, for each index."""
    for title in _INDICES:
        values = scores[name, title]
        found = _summary(values) if len(values) else dict.fromkeys(_DBCV_SHUFFLE_COLUMNS)
        paper = _saved_plot(name) if title == _PUBLISHED else {}
        for column, value in found.items():
            row = Row(
                f"{name}, {title}", column, value, paper.get(column, ""), table=_DBCV_SHUFFLE_TABLE
            )
            if column in paper:
                row = row.with_note(_READ_OFF if column == "mean" else _READ_OFF_EXTREME)
            if column in paper and column == "mean" and n_runs >= _ENOUGH:
                judged = judge(row.row, column, value, row.paper, within=_WITHIN, note=row.note)
                row = replace(judged, table=_DBCV_SHUFFLE_TABLE)
            yield row if len(values) else row.with_note("There are no scores.")


def _saved_plot(name: str) -> dict[str, str]:
    """Read off the saved plot: mean, lowest and highest of 1000 scores."""
    (row,) = (row for row in read_printed("fig-dbcv-shuffle") if row["dataset"] == name)
    return row


def _summary(values: FloatArray) -> dict[str, float | None]:
    numbers = mean_of(values), values.min(), values.max()
    return dict(
        zip(_DBCV_SHUFFLE_COLUMNS, [*map(float, numbers), len(np.unique(values))], strict=True)
    )


def _note_on_place(scores: Scores) -> Iterator[str]:
    """Where the order-proof DBCV lies beside the published one."""
    for name in _SETS:
        proof, published = scores[name, _ORDER_PROOF[1]], scores[name, _PUBLISHED]
        if len(proof) and len(published):
            n_above = int((published > proof.max()).sum())
            yield (
                read_text(
                    "fig-dbcv-shuffle.on_place", data=name, n_above=n_above, n_scores=len(published)
                )
            )


def _claims_dbcv_shuffle(scores: Scores) -> Iterator[Row]:
    one, other = (scores[name, _PUBLISHED] for name in _SETS)
    yield claim(
        "fig-dbcv-shuffle.complex8",
        f"from {one.min():.3f} to {one.max():.3f}",
        holds=equals_printed(one.min(), "-0.3") and equals_printed(one.max(), "0.1"),
    )
    shapes = [_shape(values) for values in (one, other)]
    yield claim(
        "fig-dbcv-shuffle.shapes",
        "; ".join(
            f"{name}: mean {values.mean():.3f}, skewness {skewness:.2f}, excess kurtosis "
            f"{kurtosis:.2f}"
            for name, values, (skewness, kurtosis) in zip(_SETS, (one, other), shapes, strict=True)
        ),
        holds=max(abs(number) for shape in shapes for number in shape) < _BELL
        and abs(one.mean() - other.mean()) > max(one.std(), other.std()),
        bell=_BELL,
    )
    yield _claim_on_definition(scores)
    for title in _ORDER_PROOF:
        counts = [len(np.unique(scores[name, title])) for name in _SETS]
        yield claim(
            "fig-dbcv-shuffle.different_scores",
            f"{counts[0]} on complex8, {counts[1]} on complex9",
            holds=counts == [1, 1],
            title=title,
        )


def _claim_on_definition(scores: Scores) -> Row:
    """Whether DBCV moves by its definition too, without what the paper's program adds."""
    shown = [
        f"{name}: mean {values.mean():.3f}, spread {values.std():.3f}"
        for name in _SETS
        for values in [scores[name, _AUTHORS]]
    ]
    means = " and ".join(f"{mean_of(scores[name, _PUBLISHED]):.3f}" for name in _SETS)
    return claim(
        "fig-dbcv-shuffle.authors_tree",
        "; ".join(shown),
        holds=all(np.ptp(scores[name, _AUTHORS]) > 0 for name in _SETS),
        means=means,
    )


def _shape(values: FloatArray) -> tuple[float, float]:
    """Skewness and excess kurtosis."""
    standard = (values - values.mean()) / values.std()
    return float((standard**3).mean()), float((standard**4).mean() - 3.0)


def _draw_dbcv_shuffle(scores: Scores) -> Drawing:
    drawing = open_drawing(width=9.0, height=3.4)
    panels = drawing.subplots(1, len(_SETS), sharey=True)
    for panel, name in zip(panels, _SETS, strict=True):
        values = {title: scores[name, title] for title in _INDICES}
        bins = count_bins(values[_PUBLISHED], 60)
        for title, scores_of in values.items():
            draw_histogram(panel, scores_of, bins, INDEX_COLORS[_COLORS[title]], title)
        tidy(panel)
        panel.set_title(name, fontsize=10)
        panel.set_xlabel("score of the true labels")
    panels[0].set_ylabel("density")
    handles, titles = panels[0].get_legend_handles_labels()
    drawing.legend(handles, titles, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return drawing


_READ_OFF = "Read off the saved plot, so only about right."
_READ_OFF_EXTREME = f"{_READ_OFF} Not judged: only means have a stated band."

DBCV_SHUFFLE_EXPERIMENT = Experiment(
    INFOS["fig-dbcv-shuffle"], dbcv_shuffle_cells, dbcv_shuffle_report
)


# === Which of 40 DBSCAN labelings of cluto-t5-8k DBCV selects, by the order of the rows ===========


_DBCV_T5_DATA = spec("cluto-t5-8k")
_MIN_POINTS = (2, 4, 5, 8, 10)
_EPS = (0.04, 0.045, 0.05, 0.06, 0.1, 0.2, 0.3, 0.4)
# Two rows of the paper's table name eps 0.06; their numbers are those of this one.
_FITTING_EPS = 0.1
_AT_FITTING_EPS = "The printed numbers of (a) and (b) beside ours at eps 0.1"


def dbcv_t5_cells(scope: Scope) -> list[Cell]:
    """The published DBCV of every labeling in every run; other indices once."""
    labelings = _labelings(scope)
    return cells_once(_DBCV_T5_DATA, labelings) + shuffled_cells(
        _DBCV_T5_DATA, labelings, _runs_dbcv_t5(scope)
    )


def _labelings(scope: Scope) -> list[Spec]:
    if scope.quick:
        return list(_shown().values())
    return [GROUND_TRUTH, *(dbscan(eps, count) for count in _MIN_POINTS for eps in _EPS)]


def _runs_dbcv_t5(scope: Scope) -> int:
    return scope.repetitions(PAPER_RUNS, quick=3)


def _shown() -> dict[str, Spec]:
    """The labelings of the table, as printed and with the other eps."""
    both = [
        *settings("tab-dbcv-t5"),
        *(setting for setting in _fitting() if setting.name != "ground truth"),
    ]
    return {setting.name: setting.labeling for setting in both}


def _fitting() -> list[Setting]:
    """The settings of the paper's table, with the other eps."""
    return [_at_fitting_eps(setting) for setting in settings("tab-dbcv-t5")]


def _at_fitting_eps(setting: Setting) -> Setting:
    if setting.labeling == GROUND_TRUTH:
        return setting
    labeling = dbscan(_FITTING_EPS, int(setting.labeling["min_samples"]))
    return replace(setting, name=describe_labeling(labeling), labeling=labeling)


def dbcv_t5_report(found: Outcomes, scope: Scope) -> Report:
    """The paper's table as printed and with another eps, its claims, and other indices."""
    n_runs = _runs_dbcv_t5(scope)
    runs = gather(found, _DBCV_T5_DATA, _labelings(scope), n_runs)
    is_judged = n_runs == PAPER_RUNS and not scope.quick
    fitting = _fitting_rows(runs, is_judged=is_judged)
    on_eps = _on_eps(found, runs, fitting)
    rows: list[Row] = []
    for setting in settings("tab-dbcv-t5"):
        of_setting = setting_rows(setting, runs, is_judged=is_judged)
        if setting.labeling != GROUND_TRUTH:
            of_setting = [
                row.with_note(_SEE_EPS if rows or i else on_eps) for i, row in enumerate(of_setting)
            ]
        rows += with_originals(
            of_setting, found.number(_DBCV_T5_DATA, setting.labeling, spec("dbcv"))
        )
    rows += [replace(row, verdict="not judged", table=_AT_FITTING_EPS) for row in fitting]
    rows += rows_once(found, _DBCV_T5_DATA, _shown())
    if not scope.quick:
        for row in _claims_dbcv_t5(found, runs):
            rows.append(row if n_runs >= PAPER_RUNS else replace(row, verdict="not judged"))
    return Report(
        tuple(rows), figures(_DBCV_T5_DATA, _shown(), runs), (read_text("tab-dbcv-t5.recipe"),)
    )


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
    for setting in settings("tab-dbcv-t5")[:-1]:
        known, mean = sizes(found, _DBCV_T5_DATA, setting.labeling), runs.mean(setting.labeling)
        if known is not None and mean is not None:
            largest = known["clusters"][0]
            said.append(
                read_text(
                    "tab-dbcv-t5.on_setting", setting=setting.name, largest=largest, mean=mean
                )
            )
    n_runs = min(len(runs.of(setting.labeling)) for setting in _fitting())
    if n_runs < PAPER_RUNS or any(row.verdict == "not judged" for row in fitting):
        return " ".join([*said, "At eps 0.1, another value of the grid: see the next table."])
    n_equal = sum(row.verdict == "passes" for row in fitting)
    said.append(
        read_text("tab-dbcv-t5.on_agreement", n_equal=n_equal, n_all=len(fitting), n_runs=n_runs)
    )
    if n_equal == len(fitting):
        said.append("The printed eps is probably a slip.")
    return " ".join(said)


def _claims_dbcv_t5(found: Outcomes, runs: Runs) -> Iterator[Row]:
    wins = {labeling: n for labeling, n in runs.wins().items() if n}
    if not wins:
        return
    winners = [describe_labeling(labeling) for labeling in wins if labeling != GROUND_TRUTH]
    best = _best_by_others(found, _DBCV_T5_DATA, runs.labelings)
    yield claim("tab-dbcv-t5.winners", "; ".join(winners), holds=len(winners) == 2, best=best)
    yield from _claim_on_settings("(a) and (b) as printed", list(settings("tab-dbcv-t5")), runs)
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
        "tab-dbcv-t5.settings",
        "; ".join(
            f"{setting.name}: {mean:.3f} ± {spread:.3f}"
            for setting, (mean, spread) in zip(chosen, known, strict=True)
        ),
        holds=all(mean > truth[0] and spread > 2 * truth[1] for mean, spread in others),
        title=title,
    )


_SEE_EPS = "On the printed eps, see the mean of (a)."
_CHOSEN = "Not judged, since eps 0.1 was chosen as the value that fits the printed numbers."

DBCV_T5_EXPERIMENT = Experiment(
    INFOS["tab-dbcv-t5"], dbcv_t5_cells, dbcv_t5_report, labelings=LABELINGS, measures=MEASURES
)


# === Which of three DBSCAN labelings of cluto-t8-8k DBCV selects, by the order of the rows ========


_DBCV_T8_DATA = spec("cluto-t8-8k")


def dbcv_t8_cells(scope: Scope) -> list[Cell]:
    """The published DBCV in every run; other indices once."""
    labelings = list(_named().values())
    return cells_once(_DBCV_T8_DATA, labelings) + shuffled_cells(
        _DBCV_T8_DATA, labelings, _runs_dbcv_t8(scope)
    )


def _named() -> dict[str, Spec]:
    return {setting.name: setting.labeling for setting in settings("tab-dbcv-t8")}


def _runs_dbcv_t8(scope: Scope) -> int:
    return scope.repetitions(PAPER_RUNS, quick=4)


def dbcv_t8_report(found: Outcomes, scope: Scope) -> Report:
    """The paper's table, its claims, and the same labelings by order-proof indices."""
    named, n_runs = _named(), _runs_dbcv_t8(scope)
    runs = gather(found, _DBCV_T8_DATA, named.values(), n_runs)
    rows: list[Row] = []
    for setting in settings("tab-dbcv-t8"):
        of_setting = setting_rows(setting, runs, is_judged=n_runs == PAPER_RUNS)
        rows += with_originals(
            of_setting, found.number(_DBCV_T8_DATA, setting.labeling, spec("dbcv"))
        )
    rows += rows_once(found, _DBCV_T8_DATA, named)
    rows += _claim_on_sizes(found, named)
    for row in _claims_on_runs(found, named, runs):
        rows.append(row if n_runs >= PAPER_RUNS else replace(row, verdict="not judged"))
    return Report(
        tuple(rows),
        figures(_DBCV_T8_DATA, named, runs),
        (read_text("tab-dbcv-t8.recipe"), read_text("tab-dbcv-t8.note")),
    )


def _claim_on_sizes(found: Outcomes, named: Mapping[str, Spec]) -> Iterator[Row]:
    b = list(named)[1]
    known = sizes(found, _DBCV_T8_DATA, named[b])
    if known is not None:
        yield claim(
            "tab-dbcv-t8.sizes",
            f"{len(known['clusters'])}, of {' and '.join(map(str, known['clusters']))} points",
            holds=len(known["clusters"]) == 2 and known["clusters"][-1] == 2,
            setting=b,
        )


def _claims_on_runs(found: Outcomes, named: Mapping[str, Spec], runs: Runs) -> Iterator[Row]:
    a, *others = named
    spreads = {name: runs.spread(labeling) or 0.0 for name, labeling in named.items()}
    if all(spreads.values()):
        yield claim(
            "tab-dbcv-t8.spreads",
            "; ".join(f"{name}: {spread:.3f}" for name, spread in spreads.items()),
            holds=spreads[a] < min(spreads[name] for name in others) / 2,
        )
    winners = [name for name, labeling in named.items() if runs.wins()[labeling]]
    if winners:
        best = _best_by_others(found, _DBCV_T8_DATA, named.values())
        yield claim("tab-dbcv-t8.winners", "; ".join(winners), holds=winners == others, best=best)


DBCV_T8_EXPERIMENT = Experiment(
    INFOS["tab-dbcv-t8"], dbcv_t8_cells, dbcv_t8_report, labelings=LABELINGS, measures=MEASURES
)


# === Two minimum spanning trees of the same points, equally light, with other leaves ==============

Edges = list[tuple[int, int]]


_MST_DATA = spec("complex8")
# The paper's minPts, the point itself counted or not.
_COUNTED, _NOT_COUNTED = 15, 16
_TITLES = {_COUNTED: "point counted", _NOT_COUNTED: "point not counted"}
_ALGORITHMS = {"kruskal": "Kruskal", "prim": "Prim"}


def mst_cells(scope: Scope) -> list[Cell]:
    """Both trees, for both readings of minPts; nothing to cut in a quick run."""
    del scope
    return [Cell(_MST_DATA, GROUND_TRUTH, _trees(rank)) for rank in _TITLES]


def _trees(core_rank: int) -> Spec:
    return spec("two spanning trees", core_rank=core_rank)


def two_spanning_trees(case: Case, core_rank: int) -> Value:
    """The edges of both trees, their weights, and the leaves that they share."""
    graph = mutual_reachability(case.source.points, core_rank)
    prim = prim_tree(graph)
    trees = {"kruskal": kruskal_tree(graph, heaviest=max(graph[i, j] for i, j in prim))}
    trees["prim"] = prim
    leaves = {name: leaf_rows(edges) for name, edges in trees.items()}
    parts = {
        name: {
            "edges": [list(edge) for edge in edges],
            "weight": float(np.sort([graph[edge] for edge in edges]).sum()),
            "leaves": len(leaves[name]),
        }
        for name, edges in trees.items()
    }
    return {**parts, "shared leaves": len(leaves["kruskal"] & leaves["prim"])}


MST_MEASURES = {"two spanning trees": two_spanning_trees}


def mutual_reachability(points: FloatArray, core_rank: int) -> FloatArray:
    """The largest of a distance and the core distances of its two ends, for all pairs."""
    from scipy.spatial.distance import pdist, squareform

    core = DensityTree(points, min_points=core_rank).core_distances
    distances: FloatArray = squareform(pdist(points))
    return np.maximum(np.maximum.outer(core, core), distances)


def prim_tree(graph: FloatArray) -> Edges:
    """Grow a tree from the first row; of equally near points the first row joins."""
    parents = np.zeros(len(graph), np.intp)
    nearest = graph[0].copy()
    nearest[0] = np.inf
    outside = np.ones(len(graph), bool)
    outside[0] = False
    edges = []
    for _ in range(len(graph) - 1):
        new = int(np.argmin(nearest))
        edges.append((int(parents[new]), new))
        outside[new] = False
        nearest[new] = np.inf
        closer = outside & (graph[new] < nearest)
        nearest[closer] = graph[new, closer]
        parents[closer] = new
    return edges


def kruskal_tree(graph: FloatArray, *, heaviest: float) -> Edges:
    """Join components by the lightest edges; of equally light ones the first rows come first.

    Parameters
    ----------
    graph : ndarray of shape (n, n)
    heaviest : float
        The heaviest edge of some minimum spanning tree: no other such tree needs a heavier one.
    """
    left, right = np.nonzero(np.triu(graph <= heaviest, k=1))
    order = np.argsort(graph[left, right], kind="stable")
    component = list(range(len(graph)))
    edges = []
    for one, other in zip(left[order].tolist(), right[order].tolist(), strict=True):
        roots = _root(component, one), _root(component, other)
        if roots[0] != roots[1]:
            component[max(roots)] = min(roots)
            edges.append((one, other))
    return edges


def _root(component: list[int], row: int) -> int:
    while component[row] != row:
        component[row] = component[component[row]]
        row = component[row]
    return row


def leaf_rows(edges: Edges) -> set[int]:
    """The points with one edge."""
    rows, degrees = np.unique(np.array(edges), return_counts=True)
    return set(rows[degrees == 1].tolist())


def mst_report(found: Outcomes, scope: Scope) -> Report:
    """Weights and leaves of the trees, and the claim that they are equally good and different."""
    del scope
    known = {rank: found.value(_MST_DATA, GROUND_TRUTH, _trees(rank)) for rank in _TITLES}
    rows: list[Row] = []
    figures = []
    for rank, trees in known.items():
        if not isinstance(trees, dict):
            reason = found.reason(_MST_DATA, GROUND_TRUTH, _trees(rank))
            rows.append(Row(f"minPts 15, {_TITLES[rank]}", "weight", None, note=reason))
            continue
        rows += _rows(f"minPts 15, {_TITLES[rank]}", trees)
        if rank == _COUNTED:
            figures.append(Figure("", read_text("fig-mst.caption"), partial(_draw_mst, trees)))
    return Report(tuple(rows), tuple(figures), (read_text("fig-mst.note"),))


def _rows(title: str, trees: Mapping[str, Any]) -> Iterator[Row]:
    kruskal, prim = trees["kruskal"], trees["prim"]
    for name, algorithm in _ALGORITHMS.items():
        yield Row(title, f"weight, {algorithm}", trees[name]["weight"], table=_MST_TABLE)
        yield Row(title, f"leaves, {algorithm}", trees[name]["leaves"], table=_MST_TABLE)
    yield Row(title, "leaves of both", trees["shared leaves"], table=_MST_TABLE)
    is_equal = abs(kruskal["weight"] - prim["weight"]) <= 1e-9 * prim["weight"]
    is_other = trees["shared leaves"] < max(kruskal["leaves"], prim["leaves"])
    yield claim(
        "fig-mst.equal_trees",
        holds=is_equal and is_other,
        title=title,
        kruskal=kruskal,
        prim=prim,
        n_shared=trees["shared leaves"],
    )


def _draw_mst(trees: Mapping[str, Any]) -> Drawing:
    drawing = open_drawing(width=9.0, height=4.6)
    points = make_points(_MST_DATA).points
    for panel, (name, algorithm) in zip(drawing.subplots(1, 2), _ALGORITHMS.items(), strict=True):
        edges = [(one, other) for one, other in trees[name]["edges"]]
        _draw_tree(panel, points, edges)
        panel.set_title(f"{algorithm}: {trees[name]['leaves']} leaves", fontsize=10)
    return drawing


def _draw_tree(panel: Axes, points: FloatArray, edges: Edges) -> None:
    from matplotlib.collections import LineCollection

    lines = LineCollection(
        points[np.array(edges)], colors="#555555", linewidths=0.5, rasterized=True
    )
    panel.add_collection(lines)
    leaves = points[sorted(leaf_rows(edges))]
    panel.scatter(
        leaves[:, 0],
        leaves[:, 1],
        s=3,
        color="#cc3311",
        linewidths=0,
        zorder=2,
        rasterized=True,
        label="leaf",
    )
    panel.autoscale_view()
    panel.set_aspect("equal")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.legend(loc="upper right", fontsize=8, markerscale=3)


_MST_TABLE = "Two minimum spanning trees of complex8 under mutual reachability"

MST_EXPERIMENT = Experiment(INFOS["fig-mst"], mst_cells, mst_report, measures=MST_MEASURES)
