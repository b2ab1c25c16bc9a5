"""Data sets, programs, run times and correlations."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import geometric_mean, median

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_cvi import DensityTree, IndexInfo, disco_samples
from disco_cvi.plots import labels_map, pointwise_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import INDEX_COLORS, open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row, Verdict, as_number, claim, judge
from disco_paper.measures import name_turned
from disco_paper.paper import (
    COMPETITORS,
    INDEX_INFOS,
    INDEX_NAMES,
    INDEX_TITLES,
    INFOS,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    TABLE_SET_OF,
    TABLE_SETS,
    TableSet,
    name_published,
    quick_sets,
    read_printed,
    read_printed_cells,
    read_text,
)
from disco_paper.published import DEVIATIONS, describe_deviations
from disco_paper.sources import Case, FloatArray, LabelArray, Source, make_points, shuffle_seeds

# === The paper's data sets: sizes, and DISCO of their true labels =================================


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


def _sets_datasets(scope: Scope) -> tuple[TableSet, ...]:
    return quick_sets() if scope.quick else TABLE_SETS


def datasets_cells(scope: Scope) -> list[Cell]:
    """All that the table shows, of each data set."""
    names = [chosen.name for chosen in _sets_datasets(scope)] + [_FURTHER] * (not scope.quick)
    return cross(map(spec, names), [GROUND_TRUTH], _MEASURED.values())


def datasets_report(found: Outcomes, scope: Scope) -> Report:
    """The table; a data set without values says why."""
    names = {chosen.name for chosen in _sets_datasets(scope)}
    rows = [
        _row(paper["dataset"], column, paper[column], found)
        for paper in read_printed("tab-datasets")
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


DATASETS_EXPERIMENT = Experiment(INFOS["tab-datasets"], datasets_cells, datasets_report)


# === The closest cluster by the dc-distance is not the one that is nearest in the plane ===========


_CLOSEST_DATA, _DISTANCES = spec("three lines"), spec("distances of the first point")
_STEP = 0.25
_ASSUMED = "The paper draws this without data; the points are ours."


def closest_cells(scope: Scope) -> list[Cell]:  # noqa: ARG001 - a quick run is a full run here
    """Both distances from the point x to both clusters."""
    return [Cell(_CLOSEST_DATA, GROUND_TRUTH, _DISTANCES)]


def _three_lines() -> LabeledPoints:
    """The long cluster of x, which is its first point; C1 beside x; C2 behind the other end."""
    lines = (((0.0, 20.0), 0.0), ((-2.0, 2.0), 3.0), ((21.5, 25.5), 0.0))
    clusters = []
    for (left, right), height in lines:
        first = np.arange(left, right + _STEP / 2, _STEP)
        clusters.append(np.column_stack([first, np.full(len(first), height)]))
    labels = np.repeat(np.arange(3, dtype=np.int64), [len(cluster) for cluster in clusters])
    return LabeledPoints(np.concatenate(clusters), labels)


def _distances(case: Case) -> Value:
    points, labels = case.source.points, case.labels
    plain = np.hypot(*(points - points[0]).T)
    dc = case.source.density_tree(5).distance(0, np.arange(len(points)))
    found = {
        f"{name} to C{cluster}": float(distances[labels == cluster].min())
        for name, distances in (("dc", dc), ("plain", plain))
        for cluster in (1, 2)
    }
    return {**found, "score": float(disco_samples(case.source.density_tree(5), labels)[0])}


DATA = {_CLOSEST_DATA.name: _three_lines}
CLOSEST_MEASURES = {_DISTANCES.name: _distances}


# --- report --------------------------------------------------------------------------------------


def closest_report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """Which cluster is the closest, in both ways."""
    value = found.value(_CLOSEST_DATA, GROUND_TRUTH, _DISTANCES)
    if not isinstance(value, dict):
        reason = found.reason(_CLOSEST_DATA, GROUND_TRUTH, _DISTANCES)
        return Report((Row("x", "distances", None, note=reason),))
    rows = [
        Row(f"{way} distance from x", f"to C{cluster}", value[f"{key} to C{cluster}"])
        for way, key in (("dc", "dc"), ("Euclidean", "plain"))
        for cluster in (1, 2)
    ]
    rows += [Row("DISCO", "of x", value["score"]), *_claims_closest(value)]
    figure = Figure("", read_text("fig-closest.caption"), _draw_closest)
    return Report(tuple(rows), (figure,), (_ASSUMED,))


def _claims_closest(value: dict[str, float]) -> list[Row]:
    return [
        claim(
            "fig-closest.closer",
            f"C1 {value[f'{key} to C1']:g}, C2 {value[f'{key} to C2']:g}",
            holds=(value[f"{key} to C1"] < value[f"{key} to C2"]) == (expected == 1),
            way=way,
            expected=expected,
        )
        for way, key, expected in (("dc", "dc", 2), ("Euclidean", "plain", 1))
    ]


def _draw_closest() -> Drawing:
    points, labels = make_points(_CLOSEST_DATA, DATA)
    drawing = open_drawing(8.0, 2.4)
    ax = labels_map(points, labels, ax=drawing.subplots())
    for begin, stop, text in (((0, 0), (0, 3), "3"), ((20, 0), (21.5, 0), "1.5")):
        ax.annotate("", stop, begin, arrowprops={"arrowstyle": "<->", "color": "#222222"})
        middle = ((begin[0] + stop[0]) / 2, (begin[1] + stop[1]) / 2)
        ax.annotate(text, middle, (4, 4), textcoords="offset points", fontsize=9)
    for text, place in (("x", (0, 0)), ("C1", (2, 3)), ("C2", (25.5, 0))):
        ax.annotate(text, place, (2, -14), textcoords="offset points", fontsize=10)
    return drawing


CLOSEST_EXPERIMENT = Experiment(
    INFOS["fig-closest"], closest_cells, closest_report, data=DATA, measures=CLOSEST_MEASURES
)


# === Pointwise DISCO on cluto-t8-8k: the truth against k-means ====================================


_POINTWISE_DATA = spec("cluto-t8-8k", shuffle=0)
# Noise counts as one of the true labels.
_K_MEANS = spec("k-means after the shuffle", k=9)
_SAMPLES, _LABELS = spec("disco samples"), spec("labels")
# What we call a high score, and a low or mediocre one below it.
_HIGH = 0.2
_ELSEWHERE = "The printed value is that of tab-noise, where it is judged."


def pointwise_cells(scope: Scope) -> list[Cell]:  # noqa: ARG001 - a quick run is a full run here
    """The labels and the score of every point."""
    return cross([_POINTWISE_DATA], [GROUND_TRUTH, _K_MEANS], [_SAMPLES, _LABELS])


def _k_means_after(source: Source, k: int) -> LabelArray:
    """K-means that draws its start from the generator that has just shuffled the rows."""
    from sklearn.cluster import KMeans

    generator = np.random.RandomState(shuffle_seeds(1)[0])
    generator.permutation(len(source.points))
    found = KMeans(n_clusters=k, random_state=generator, n_init="auto").fit_predict(source.points)
    return np.asarray(found, np.int64)


LABELINGS = {_K_MEANS.name: _k_means_after}


# --- report --------------------------------------------------------------------------------------


def pointwise_report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """Means by cluster, the claims on the picture, and the picture."""
    truth, k_means = (_scores(found, labeling) for labeling in (GROUND_TRUTH, _K_MEANS))
    if truth is None or k_means is None:
        reason = found.reason(_POINTWISE_DATA, GROUND_TRUTH, _SAMPLES)
        return Report((Row("all points", "ground truth", None, "0.30", note=reason),))
    rows = [
        Row("all points", "ground truth", float(truth[0].mean()), "0.30", note=_ELSEWHERE),
        Row("all points", "k-means", float(k_means[0].mean())),
        *_by_cluster(*truth, "ground truth"),
        *_by_cluster(*k_means, "k-means"),
        *_claims_pointwise(*truth, k_means[0]),
    ]
    caption = read_text("fig-pointwise.caption")
    return Report(tuple(rows), (Figure("", caption, lambda: _draw_pointwise(truth[0], k_means)),))


def _scores(found: Outcomes, labeling: Spec) -> tuple[FloatArray, LabelArray] | None:
    samples, labels = (
        found.value(_POINTWISE_DATA, labeling, index) for index in (_SAMPLES, _LABELS)
    )
    if not isinstance(samples, list) or not isinstance(labels, list):
        return None
    return np.array(samples, np.float64), np.array(labels, np.int64)


def _by_cluster(scores: FloatArray, labels: LabelArray, column: str) -> list[Row]:
    return [
        Row(
            "noise points" if name == -1 else f"cluster {name}",
            column,
            float(scores[labels == name].mean()),
        )
        for name in np.unique(labels)
    ]


def _claims_pointwise(scores: FloatArray, labels: LabelArray, k_means: FloatArray) -> list[Row]:
    """What caption and text say of the colors."""
    clustered, noise = scores[labels != -1], scores[labels == -1]
    names = np.unique(labels[labels != -1]).tolist()
    means = {name: float(scores[labels == name].mean()) for name in names}
    lowest = min(means, key=lambda name: means[name])
    others = min(mean for name, mean in means.items() if name != lowest)
    high_noise = float((noise > 0).mean())
    return [
        claim(
            "fig-pointwise.clustered_points",
            f"{(clustered > _HIGH).mean():.0%} above {_HIGH}",
            holds=bool((clustered > _HIGH).mean() > 0.5),
        ),
        claim(
            "fig-pointwise.mediocre_cluster",
            f"cluster {lowest} has mean {means[lowest]:.2f}, all others {others:.2f} or more",
            holds=bool(abs(means[lowest]) < 0.1 < others),
        ),
        claim(
            "fig-pointwise.noise_points",
            holds=bool((noise > _HIGH).mean() > 0.5),
            above_0=high_noise,
            above=(noise > _HIGH).mean(),
            high=_HIGH,
            mean=noise.mean(),
        ),
        claim(
            "fig-pointwise.k_means",
            f"{(k_means < _HIGH).mean():.0%} below {_HIGH}",
            holds=bool((k_means < _HIGH).mean() > 0.9),
        ),
    ]


def _draw_pointwise(scores: FloatArray, k_means: tuple[FloatArray, LabelArray]) -> Drawing:
    points = make_points(_POINTWISE_DATA).points
    drawing = open_drawing(10.5, 4.2)
    left, right = drawing.subplots(1, 2)
    pointwise_map(points, scores, ax=left, colorbar=False)
    left.set_title(f"ground truth: DISCO {scores.mean():.2f}", fontsize=10)
    pointwise_map(points, k_means[0], ax=right)
    right.set_title(f"k-means: DISCO {k_means[0].mean():.2f}", fontsize=10)
    centers = [points[k_means[1] == name].mean(axis=0) for name in np.unique(k_means[1])]
    _draw_borders(np.array(centers), points, right)
    return drawing


def _draw_borders(centers: FloatArray, points: FloatArray, ax: Axes) -> None:
    """Draw where two centers are equally near and no other center is nearer."""
    box = np.array([points.min(axis=0) - 0.1, points.max(axis=0) + 0.1])
    for c, e in combinations(range(len(centers)), 2):
        middle, across = (centers[c] + centers[e]) / 2, centers[e] - centers[c]
        along = np.array([-across[1], across[0]]) / np.hypot(*across)
        others = np.delete(centers, [c, e], axis=0) - centers[c]
        # On the line middle + t * along, all of these hold: slope * t <= offset. First: nearer to
        # c than to the others; then: inside the box.
        slopes = np.concatenate([others @ along, along, -along])
        nearer = (others * others).sum(axis=1) / 2 - others @ (middle - centers[c])
        offsets = np.concatenate([nearer, box[1] - middle, middle - box[0]])
        left, right, across_it = slopes < 0, slopes > 0, slopes == 0
        begin = (offsets[left] / slopes[left]).max()
        stop = (offsets[right] / slopes[right]).min()
        if begin < stop and (offsets[across_it] >= 0).all():
            ends = np.array([middle + begin * along, middle + stop * along])
            ax.plot(ends[:, 0], ends[:, 1], color="#222222", linewidth=0.8)


POINTWISE_EXPERIMENT = Experiment(
    INFOS["fig-pointwise"], pointwise_cells, pointwise_report, labelings=LABELINGS
)


# === The implementations: what the paper used, beside what this package offers ====================


# The paper's word for each parameter, and ours.
_PARAMETERS = {
    "disco": ("mu", "min_points", 5),
    "dcsi": ("minPts", "min_points", 5),
    "viasckde": ("bandwidth", "bandwidth", 0.05),
    "cvdd": ("number of neighbourhoods", "n_neighbors", 7),
    "cdbw": ("number of representative points", "n_representatives", 10),
    "cvnn": ("number of nearest neighbours", "n_neighbors", 10),
}
# What every index takes, how noise is treated, and what a definition leaves open: these are no
# parameters of an index.
_NO_PARAMETERS = (
    *("X", "labels", "metric", "metric_params", "noise", "noise_label", "n_jobs"),
    "paths",
)
# What a reader of the paper's program finds there.
_ON_PARAMETERS = {
    "cdbw": read_text("tab-implementation.on_cdbw"),
    "dbcv": read_text("tab-implementation.on_dbcv"),
    "viasckde": "The kernel is Gaussian in ours too, without an option.",
}
_CREDITS = "The paper's program names an existing package as its source."
_IMPLEMENTATION_ON_PROGRAMS = dict.fromkeys(("s_dbw", "cdbw", "dcsi", "cvnn"), _CREDITS)


def implementation_cells(scope: Scope) -> list[Cell]:  # noqa: ARG001
    """Nothing to compute: features that can be computed are those of tab-features."""
    return []


def implementation_report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """The paper's table beside the registry of this package, and the index missing from it."""
    by_name = {INDEX_NAMES[row["method"]]: row for row in read_printed("tab-implementation")}
    names = [*by_name, *(name for name in PAPER_INDICES if name not in by_name)]
    rows = [row for name in names for row in _rows(INDEX_INFOS[name], by_name.get(name, {}))]
    return Report(tuple(rows), notes=(read_text("tab-implementation.corrections"),))


def _rows(info: IndexInfo, paper: dict[str, str]) -> list[Row]:
    direction = "up" if info.greater_is_better else "down"
    low, high = info.range
    parameter = paper.get("hyperparameter_default", "")
    parameter_is_same, our_parameter = _parameter(info, parameter)
    bounded = paper.get("bounded", "")
    checked: list[tuple[str, str, str, bool | None]] = [
        ("direction", direction, paper.get("direction", ""), direction == paper.get("direction")),
        ("bounded", f"{low:g} to {high:g}", bounded, (bounded == "yes") == info.bounded),
        ("parameter", our_parameter, parameter, parameter_is_same),
    ]
    programs = [
        (
            "program",
            f"disco_cvi.{info.function.__name__}",
            paper.get("official_implementation", ""),
        ),
        ("programmed anew", "yes", paper.get("reimplemented_by_authors", "")),
    ]
    return [
        *(_judged(info, *entry[:3], _VERDICTS[entry[3]]) for entry in checked),
        *(_judged(info, *entry, "not judged") for entry in programs),
    ]


_VERDICTS: dict[bool | None, Verdict] = {True: "passes", False: "fails", None: "not judged"}


def _judged(info: IndexInfo, column: str, ours: str, paper: str, verdict: Verdict) -> Row:
    if not paper:
        return Row(info.title, column, ours, note="Missing from the paper's table.")
    notes = {"parameter": _ON_PARAMETERS, "programmed anew": _IMPLEMENTATION_ON_PROGRAMS}.get(
        column, {}
    )
    return Row(info.title, column, ours, paper, verdict, note=notes.get(info.name, ""))


def _parameter(info: IndexInfo, paper: str) -> tuple[bool | None, str]:
    """Whether the paper's parameter and its default are ours, None if no option; and ours."""
    if info.name == "dbcv":  # no option of ours, so there is no default to look up
        return None, "squared Euclidean distance"
    if info.name not in _PARAMETERS:
        known = inspect.signature(info.function).parameters
        further = [f"{key} = {known[key].default}" for key in known if key not in _NO_PARAMETERS]
        return (paper == "none") == (not further), ", ".join(further) or "none"
    theirs, ours, value = _PARAMETERS[info.name]
    default = inspect.signature(info.function).parameters[ours].default
    if default is None:  # the density tree knows it
        default = inspect.signature(DensityTree).parameters["min_points"].default
    return default == value and f"{theirs} = {value}" in paper, f"{ours} = {default}"


IMPLEMENTATION_EXPERIMENT = Experiment(
    INFOS["tab-implementation"], implementation_cells, implementation_report
)


# === Pearson correlation of each index with the adjusted Rand index, over seven labelings a set ===


@dataclass
class Correlation:
    """Of one index on one data set: a percentage for each run, and what is missing."""

    runs: list[float | None] = field(default_factory=list)
    missing: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    has_errors: bool = False

    @property
    def mean(self) -> float | None:
        """Over all runs; none if one is missing, as in the paper."""
        found = [value for value in self.runs if value is not None]
        return float(np.mean(found)) if found and len(found) == len(self.runs) else None

    @property
    def spread(self) -> float | None:
        """Standard deviation over runs."""
        found = [value for value in self.runs if value is not None]
        return float(np.std(found)) if 1 < len(found) == len(self.runs) else None

    def value(self, chosen: TableSet) -> float | None:
        """What the paper's table shows: the mean of ten runs, or one run of the larger sets."""
        return self.mean if chosen.is_benchmark else self.runs[0]

    def why_missing(self) -> str:
        """Which labelings lack a score, and why."""
        counts = ", ".join(
            f"{labeling} ({count} of {len(self.runs)} runs)"
            for labeling, count in self.missing.items()
        )
        return f"No score for {counts}. {' '.join(dict.fromkeys(self.reasons.values()))}"


def correlate(pairs: list[tuple[float, float]]) -> float | None:
    """Pearson's correlation times 100; none where all values are equal."""
    scores, ari = np.array(pairs).T
    if np.ptp(scores) == 0 or np.ptp(ari) == 0:
        return None
    # Scaled first: scores may be large enough for their squares to overflow.
    return 100 * float(np.corrcoef(scores / np.abs(scores).max(), ari)[0, 1])


_CORRELATION = "Correlation with the ARI, in per cent"
_SPREAD = "Mean and spread over the runs"
_BEST = "The best index"

_ARI = spec("ari")
_MEMORY = spec("gigabytes of cdbw")
# How far a mean over ten runs, and a single run, may be off: random labelings have no seeds in the
# paper.
_WITHIN_MEAN = 2.0
_WITHIN_ONE = 5.0
# Where the program's deviations move a correlation by so much, a note names them.
_TELLING = 5.0
# Both definitions are the same.
_UNCHANGED = ("disco", "silhouette")
_FIRST_LABEL_ONE = ("3-spiral", "aggregation", "chainlink", "compound")


# --- cells ---------------------------------------------------------------------------------------


def pcc_cells(scope: Scope) -> list[Cell]:
    """Seven labelings of every data set, in the order of rows of every run."""
    return [
        Cell(_data_pcc(chosen, run), labeling, index)
        for chosen in _sets_pcc(scope)
        for run in range(_n_runs_pcc(chosen, scope))
        for labeling in _labelings(chosen, run).values()
        for index in _measured_pcc(chosen)
    ]


def _sets_pcc(scope: Scope) -> list[TableSet]:
    """The largest first, so that they do not keep everyone waiting at the end."""
    sets = _sets_runtimes(scope)
    return sorted(sets, key=lambda chosen: -chosen.n_points * (1 + chosen.n_dimensions / 20))


def _n_runs_pcc(chosen: TableSet, scope: Scope) -> int:
    """Ten where the paper has ten; else some more than its one, but for images of many pixels."""
    is_long = chosen.n_points * chosen.n_dimensions > 10_000_000
    return scope.repetitions(10 if chosen.is_benchmark else 1 if is_long else 3, 1)


def _data_pcc(chosen: TableSet, run: int) -> Spec:
    return spec(chosen.name, shuffle=run)


def _labelings(chosen: TableSet, run: int) -> dict[str, Spec]:
    k = chosen.n_labels
    return {
        "ground truth": GROUND_TRUTH,
        "DBSCAN": spec("dbscan for k", k=k, core_rank=5),
        "HDBSCAN": spec("hdbscan"),
        "Ward": spec("ward", k=k),
        "k-means": spec("k-means", k=k, seed=run),
        f"{k} random labels": spec("random", k=k, seed=2 * run),
        "100 random labels": spec("random", k=100, seed=2 * run + 1),
    }


def _published(name: str) -> Spec:
    # The paper's labels were those of the files, which this index minds.
    raw = {"raw_labels": True} if name == "dcsi" else {}
    return name_turned(spec(name, **dict(name_published(name).options), **raw))


def _original(name: str) -> Spec:
    return name_turned(spec(name))


_RENUMBERED = name_turned(name_published("dcsi"))


def _measured_pcc(chosen: TableSet) -> list[Spec]:
    """The ARI and all indices in both ways."""
    originals = [_original(name) for name in COMPETITORS if name not in _UNCHANGED]
    renumbered = [_RENUMBERED] if chosen.name in _FIRST_LABEL_ONE else []
    return [_ARI, *map(_published, PAPER_INDICES), *originals, *renumbered, _MEMORY]


def _gigabytes_of_cdbw(case: Case) -> float:
    """Memory for the two arrays that the paper's CDbw makes, of k * 10 * (largest cluster)^2."""
    sizes = case.clustering.labels.sizes
    return 2 * 8 * 10 * len(sizes) * float(max(sizes, default=0)) ** 2 / 1e9


PCC_MEASURES = {_MEMORY.name: _gigabytes_of_cdbw}


# --- correlations --------------------------------------------------------------------------------


def _correlation(found: Outcomes, chosen: TableSet, index: Spec, n_runs: int) -> Correlation:
    result = Correlation()
    for run in range(n_runs):
        data, pairs = _data_pcc(chosen, run), []
        for title, labeling in _labelings(chosen, run).items():
            score, ari = (found.number(data, labeling, what) for what in (index, _ARI))
            if score is not None and ari is not None:
                pairs.append((score, ari))
                continue
            lacking = index if score is None else _ARI
            outcome = found.get(Cell(data, labeling, lacking))
            result.missing[title] += 1
            result.reasons[title] = found.reason(data, labeling, lacking)
            result.has_errors |= outcome is None or outcome.is_error
        result.runs.append(correlate(pairs) if len(pairs) == len(_labelings(chosen, run)) else None)
    return result


# --- report --------------------------------------------------------------------------------------


def pcc_report(found: Outcomes, scope: Scope) -> Report:
    """The table, mean and spread over runs, the best index of each data set, and the claims."""
    included, in_order = (
        _sets_pcc(scope),
        [TABLE_SET_OF[row["dataset"]] for row in read_printed("tab-pcc")],
    )
    sets = [chosen for chosen in in_order if chosen in included]
    tables = {chosen.name: _table_of(found, chosen, scope) for chosen in sets}
    rows: list[Row] = []
    for chosen in sets:
        rows += _correlation_rows(found, chosen, tables[chosen.name], scope)
    for chosen in sets:
        rows += _spread_rows(chosen, tables[chosen.name])
    rows += [_best_row(chosen, tables[chosen.name], scope) for chosen in sets]
    if not scope.quick:
        lacks = any(part.has_errors for t in tables.values() for part in t.values())
        lacks |= any(_is_cut(chosen, scope) for chosen in sets)
        claims = _claims_pcc(sets, tables)
        rows += (replace(c, verdict="not judged") for c in claims) if lacks else claims
    return Report(
        tuple(rows),
        notes=(
            read_text("tab-pcc.on_runs"),
            read_text("tab-pcc.on_variants"),
            _ON_DASHES,
            *_PCC_ON_PROGRAMS,
        ),
    )


_Table = dict[Spec, Correlation]
_CHANCE = "Chance decides whether random labels make a cluster of one point, without score."


def _table_of(found: Outcomes, chosen: TableSet, scope: Scope) -> _Table:
    n_runs = _n_runs_pcc(chosen, scope)
    return {
        index: _correlation(found, chosen, index, n_runs)
        for index in _measured_pcc(chosen)
        if index not in (_ARI, _MEMORY)
    }


def _correlation_rows(
    found: Outcomes, chosen: TableSet, table: _Table, scope: Scope
) -> Iterator[Row]:
    paper = read_printed_cells("tab-pcc", "dataset")
    within = _WITHIN_MEAN if chosen.is_benchmark else _WITHIN_ONE
    for name in PAPER_INDICES:
        ours = table[_published(name)]
        value, title = ours.value(chosen), INDEX_TITLES[name]
        row = judge(title, title, value, paper[chosen.spelling, title], within=within)
        original = table[_original(name)].value(chosen) if name not in _UNCHANGED else None
        if value is not None and math.isclose(value, original or math.inf, rel_tol=1e-9):
            original = None
        row = replace(row, row=chosen.spelling, table=_CORRELATION, original=original)
        for note in _notes(found, chosen, name, table, row):
            by_chance = row.verdict == "fails" and _CHANCE in note
            row = replace(
                row.with_note(note), verdict="within method" if by_chance else row.verdict
            )
        if ours.has_errors or _is_cut(chosen, scope):
            row = replace(row, verdict="not judged")
        yield row


def _is_cut(chosen: TableSet, scope: Scope) -> bool:
    """Whether fewer runs are at hand than the paper's mean is over."""
    return _n_runs_pcc(chosen, scope) < (10 if chosen.is_benchmark else 1)


def _notes(found: Outcomes, chosen: TableSet, name: str, table: _Table, row: Row) -> Iterator[str]:
    ours = table[_published(name)]
    if ours.missing:
        yield ours.why_missing()
    elif ours.mean is None:
        yield "All seven labelings have the same score in at least one run."
    if row.ours is None and row.paper and not {"DBSCAN", "HDBSCAN", "Ward"} & set(ours.missing):
        yield _CHANCE
    if row.ours is not None and row.paper == "":
        yield _why_only_there(found, chosen, name)
    if row.verdict == "fails" and row.difference is not None and ours.spread is not None:
        yield _on_chance(chosen, ours)
    if name == "dcsi" and chosen.name in _FIRST_LABEL_ONE:
        renumbered = table[_RENUMBERED].mean
        shown = "none either" if renumbered is None else f"{renumbered:.2f}"
        yield (read_text("tab-pcc.on_first_label", shown=shown))
    if name not in _UNCHANGED and table[_original(name)].missing:
        yield f"By its definition: {table[_original(name)].why_missing()}"
    is_other = isinstance(row.ours, float) and row.original is not None
    if is_other and abs(row.original - row.ours) >= _TELLING:  # type: ignore[operator]
        yield f"The original definition gives {row.original:.2f}: see what the program does."
    elif row.ours is None and row.original is not None:
        yield f"The original definition has scores for all of them: {row.original:.2f}."


def _why_only_there(found: Outcomes, chosen: TableSet, name: str) -> str:
    """Why the paper has no value where the same computation gives one."""
    if name != "cdbw":
        return f"The paper has no value here, as one or two labelings of 70 had none. {_CHANCE}"
    known = {
        title: value
        for title, labeling in _labelings(chosen, 0).items()
        if isinstance(value := found.value(_data_pcc(chosen, 0), labeling, _MEMORY), float)
    }
    most = max(known, key=lambda title: known[title], default="")
    return read_text("tab-pcc.on_memory", gigabytes=known.get(most, 0), labeling=most)


def _on_chance(chosen: TableSet, ours: Correlation) -> str:
    """How far two results of the same recipe may be apart."""
    apart = 2 * (ours.spread or 0) * math.sqrt(2 / (len(ours.runs) if chosen.is_benchmark else 1))
    return read_text("tab-pcc.on_chance", spread=ours.spread, apart=apart)


def _spread_rows(chosen: TableSet, table: _Table) -> Iterator[Row]:
    for name in PAPER_INDICES:
        part = table[_published(name)]
        n_runs = f"({len(part.runs)} run{'s' * (len(part.runs) > 1)})"
        beside = "" if part.spread is None else f" ± {part.spread:.2f}"
        shown = None if part.mean is None else f"{part.mean:.2f}{beside} {n_runs}"
        note = "" if shown else f"Not every run has a value {n_runs}."
        yield Row(chosen.spelling, INDEX_TITLES[name], shown, note=note, table=_SPREAD)


def _listed_pcc(values: list[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:.2f}" for value in values)


# --- the best index, and claims -----------------------------------------------------------------


def _goodness(name: str, percentage: float | None) -> float:
    """How well an index agrees with the truth, whatever its direction."""
    if percentage is None:
        return -math.inf
    return -percentage if name in LOWER_IS_BETTER else percentage


def _best_row(chosen: TableSet, table: _Table, scope: Scope) -> Row:
    marked = next(row for row in read_printed("tab-pcc") if row["dataset"] == chosen.spelling)
    title = marked["best_marked_bold"]
    ours = {name: _goodness(name, table[_published(name)].value(chosen)) for name in PAPER_INDICES}
    best = max(ours, key=lambda name: ours[name])
    row = Row(chosen.spelling, "best", INDEX_TITLES[best], title, "passes", table=_BEST)
    original = {
        name: _goodness(name, table[_original(name)].value(chosen))
        if name not in _UNCHANGED
        else ours[name]
        for name in PAPER_INDICES
    }
    best_original = max(original, key=lambda name: original[name])
    if best_original != best:
        title_there = INDEX_TITLES[best_original]
        row = row.with_note(
            f"By the original definitions it is {title_there} ({original[best_original]:.2f})."
        )
    if INDEX_TITLES[best] != title:
        behind = ours[best] - ours[INDEX_NAMES[title]]
        within = _WITHIN_MEAN if chosen.is_benchmark else _WITHIN_ONE
        row = replace(row, verdict="within method" if behind <= within else "fails")
        far = f"is {behind:.2f} behind" if math.isfinite(behind) else "has no value beside"
        row = row.with_note(f"{title} {far} {INDEX_TITLES[best]} in our runs.")
    if _is_cut(chosen, scope) or any(part.has_errors for part in table.values()):
        row = replace(row, verdict="not judged")
    return row


def _claims_pcc(sets: list[TableSet], tables: dict[str, _Table]) -> Iterator[Row]:
    values = {
        name: [tables[chosen.name][_published(name)].value(chosen) for chosen in sets]
        for name in PAPER_INDICES
    }
    always = [name for name in PAPER_INDICES if None not in values[name]]
    means = {name: float(np.mean([_goodness(name, v) for v in values[name]])) for name in always}
    leading = sorted(means, key=lambda name: -means[name])[:3]
    yield claim(
        "tab-pcc.closest_agreement",
        ", ".join(f"{INDEX_TITLES[name]} (mean {means[name]:.1f})" for name in leading),
        holds=set(leading) == {"disco", "mmj_sc", "lccv"},
        listed=", ".join(f"{INDEX_TITLES[name]} {means[name]:.1f}" for name in always),
    )
    names = ("dbcv", "dcsi")
    pulsars = [_on_htru2(tables, _published(name)) for name in names]
    originals = [_on_htru2(tables, _original(name)) for name in names]
    yield claim(
        "tab-pcc.htru2",
        _listed_pcc(pulsars),
        holds=all(value is not None and value < 0 for value in pulsars),
        originals=_listed_pcc(originals),
    )


def _on_htru2(tables: dict[str, _Table], index: Spec) -> float | None:
    return tables["htru2"][index].value(TABLE_SET_OF["htru2"])


_ON_DASHES = "A dash: at least one labeling in at least one run has no score, as in the paper."
_PCC_ON_PROGRAMS = tuple(
    read_text("tab-pcc.on_program", title=INDEX_TITLES[name], deviations=describe_deviations(name))
    for name in DEVIATIONS
)

PCC_EXPERIMENT = Experiment(INFOS["tab-pcc"], pcc_cells, pcc_report, measures=PCC_MEASURES)


# === How long each index takes on the true labels of each data set, beside the paper's programs ===


_SECONDS = "Seconds"
_RATIOS = "Times as long as DISCO"
_RANKS = "Order from fast to slow"
_SHOWN = ("COIL20", "Synth_high", "Optdigits", "cluto-t8-8k", "cluto-t7-10k", "Pendigits", "htru2")
# The paper's own words fit its own numbers with this factor, taking geometric means over the data
# sets of its figure: similar is up to three times as long or as short.
_SIMILAR = 3.0

_Times = dict[str, dict[str, float]]


# --- cells ---------------------------------------------------------------------------------------


def runtimes_cells(scope: Scope) -> list[Cell]:
    """One call of every index on every data set, in several orders of the rows."""
    return [
        Cell(_data_runtimes(chosen, run), GROUND_TRUTH, _seconds(name))
        for chosen in _sets_runtimes(scope)
        for run in range(_n_runs_runtimes(chosen, scope))
        for name in PAPER_INDICES
    ]


def _sets_runtimes(scope: Scope) -> list[TableSet]:
    return [
        chosen
        for chosen in TABLE_SETS
        if not scope.quick or (chosen.n_points <= 1000 and chosen.n_dimensions <= 3)
    ]


def _n_runs_runtimes(chosen: TableSet, scope: Scope) -> int:
    """Three; one where the values are so many that a call takes long and varies little."""
    is_large = chosen.n_points * chosen.n_dimensions > 1_000_000
    return scope.repetitions(1 if is_large else 3, 1)


def _data_runtimes(chosen: TableSet, run: int) -> Spec:
    return spec(chosen.name, noise="dropped", shuffle=run)


def _seconds(name: str) -> Spec:
    return spec("seconds", index=name)


# --- report --------------------------------------------------------------------------------------


def runtimes_report(found: Outcomes, scope: Scope) -> Report:
    """Seconds, ratios to DISCO and ranks; only what the paper says about them is judged."""
    ours, paper = _measured_runtimes(found, scope), _printed(scope)
    rows = [*_second_rows(ours), *_ratio_rows(ours, paper), *_rank_rows(ours, paper)]
    if not scope.quick:
        rows += _claims_runtimes(ours, paper)
    figures = []
    if shown := [name for name in _SHOWN if ours.get(name)]:
        caption = read_text("tab-runtimes.caption")
        figures.append(Figure("", caption, lambda: _draw_runtimes(shown, ours, paper)))
    return Report(
        tuple(rows),
        tuple(figures),
        (read_text("tab-runtimes.on_seconds"), read_text("tab-runtimes.on_the_paper")),
    )


def _measured_runtimes(found: Outcomes, scope: Scope) -> _Times:
    """The median of the runs, by data set and index."""
    times: _Times = {}
    for chosen in _sets_runtimes(scope):
        runs = range(_n_runs_runtimes(chosen, scope))
        for name in PAPER_INDICES:
            known = found.numbers(
                Cell(_data_runtimes(chosen, r), GROUND_TRUTH, _seconds(name)) for r in runs
            )
            if known:
                times.setdefault(chosen.name, {})[name] = median(known)
    return times


def _printed(scope: Scope) -> _Times:
    sets = {chosen.name for chosen in _sets_runtimes(scope)}
    cells_by_place = read_printed_cells("tab-runtimes", "dataset")
    return {
        TABLE_SET_OF[row["dataset"]].name: {
            name: as_number(cells_by_place[row["dataset"], INDEX_TITLES[name]]) or 0.0
            for name in PAPER_INDICES
        }
        for row in read_printed("tab-runtimes")
        if TABLE_SET_OF[row["dataset"]].name in sets
    }


def _second_rows(ours: _Times) -> Iterator[Row]:
    paper = read_printed_cells("tab-runtimes", "dataset")
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


def _claims_runtimes(ours: _Times, paper: _Times) -> Iterator[Row]:
    similar, longer = ("cvnn", "dbcv", "dcsi"), ("cvdd", "lccv", "viasckde", "mmj_sc", "cdbw")
    groups = (
        ("take about as long as DISCO", similar, 1 / _SIMILAR, _SIMILAR),
        ("take much longer", longer, _SIMILAR, math.inf),
        ("are faster", ("silhouette", "s_dbw"), 0.0, 1 / _SIMILAR),
    )
    for text, names, low, high in groups:
        typical = {name: _typical(ours, name) for name in names}
        titles = ", ".join(INDEX_TITLES[name] for name in names)
        row = claim(
            "tab-runtimes.speed",
            _listed_runtimes(typical),
            holds=all(value is not None and low <= value <= high for value in typical.values()),
            note=read_text("tab-runtimes.about_programs"),
            titles=titles,
            text=text,
            printed=_listed_runtimes({name: _typical(paper, name) for name in names}),
        )
        yield replace(row, verdict="not judged") if None in typical.values() else row
    yield _growth_claim(ours)


def _listed_runtimes(values: Mapping[str, float | None]) -> str:
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
        "tab-runtimes.growth",
        f"rank correlation of time and points: {rounded}",
        holds=agreement is not None and agreement > 0.9,
        listed=listed,
    )
    return row if len(shown) == len(_SHOWN) else replace(row, verdict="not judged")


def _draw_runtimes(shown: list[str], ours: _Times, paper: _Times) -> Drawing:
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


RUNTIMES_EXPERIMENT = Experiment(
    INFOS["tab-runtimes"],
    runtimes_cells,
    runtimes_report,
    # What runs beside a clock slows what it measures.
    is_alone=True,
)
