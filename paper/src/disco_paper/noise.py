"""What noise does to the indices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_cvi import explain
from disco_cvi.plots import pointwise_map, score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row, claim, judge, withdraw_unknown
from disco_paper.paper import INFOS, read_printed, read_printed_cells, read_text
from disco_paper.sources import Case, FloatArray, LabelArray, describe_cut, make_points, seeds_of

# === The parts of DISCO's noise score: a noise group that grows dense, a noise point that leaves ==


_CLUSTER_SIZE = 500
_RADIUS = 2.0
_PARTS_INDEX = spec("disco parts")
PARTS = {"disco": "DISCO"} | {name: name for name in ("rho_cluster", "rho_sparse", "rho_far")}


@dataclass(frozen=True)
class _Panel:
    """One half of the figure; the data of a seed follow from the value of one option."""

    title: str
    data: str
    option: str
    values: tuple[float, ...]
    axis: str

    def spec(self, seed: int, value: float) -> Spec:
        return spec(self.data, seed=seed, **{self.option: value})


LEFT = _Panel(
    "A group of noise grows",
    "noise group",
    "size",
    (1, *range(50, 1501, 50)),
    "noise points, per cent of the cluster's points",
)
RIGHT = _Panel(
    "A noise point leaves the cluster",
    "noise point",
    "offset",
    tuple(step / 2 for step in range(11)),
    "offset of the noise point in both coordinates",
)


def noise_parts_cells(scope: Scope) -> list[Cell]:
    """DISCO and its parts at every place of both halves for every seed."""
    return [
        Cell(panel.spec(seed, value), GROUND_TRUTH, _PARTS_INDEX)
        for panel in (LEFT, RIGHT)
        for seed in seeds_of(scope)
        for value in panel.values
    ]


def noise_parts_report(found: Outcomes, scope: Scope) -> Report:
    """The claims on both halves, the means, and the figure."""
    scores = {panel: _scores(panel, found, scope) for panel in (LEFT, RIGHT)}
    rows = [*_claims_on_group(scores[LEFT]), *_claims_on_point(scores[RIGHT])]
    known = [values for curves in scores.values() for values in curves.values()]
    rows = withdraw_unknown(rows, known, found, cut=describe_cut(scope))
    rows += [row for panel in scores for row in _mean_rows(panel, scores[panel])]
    figure = Figure(
        "",
        read_text("fig-noise-parts.caption", n_seeds=len(seeds_of(scope))),
        partial(_draw_noise_parts, scores),
    )
    return Report(tuple(rows), (figure,), (read_text("fig-noise-parts.note"),))


def _scores(panel: _Panel, found: Outcomes, scope: Scope) -> dict[str, FloatArray]:
    """The scores of each part, of shape (seeds, places); NaN where there is none."""
    table = [
        [found.value(panel.spec(seed, value), GROUND_TRUTH, _PARTS_INDEX) for value in panel.values]
        for seed in seeds_of(scope)
    ]
    return {
        part: np.array(
            [[cell[part] if isinstance(cell, dict) else None for cell in row] for row in table],
            dtype=np.float64,
        )
        for part in PARTS
    }


def _claims_on_group(scores: dict[str, FloatArray]) -> list[Row]:
    means = {part: values.mean(axis=0) for part, values in scores.items()}
    steady = {part: means[part].min() for part in ("rho_cluster", "rho_far")}
    return [
        claim(
            "fig-noise-parts.parts_that_fall",
            ", ".join(
                f"{PARTS[part]} from {means[part][0]:.3f} to {means[part][-1]:.3f}"
                for part in ("disco", "rho_sparse")
            ),
            holds=all(bool((np.diff(means[part]) < 0).all()) for part in ("disco", "rho_sparse")),
        ),
        claim(
            "fig-noise-parts.parts_that_stay",
            ", ".join(f"{PARTS[part]} {least:.3f} or more" for part, least in steady.items()),
            holds=bool(min(steady.values()) >= 0.95),
        ),
    ]


def _claims_on_point(scores: dict[str, FloatArray]) -> list[Row]:
    disco = scores["disco"].mean(axis=0)
    distances = math.sqrt(2) * np.array(RIGHT.values)
    inside = distances < _RADIUS
    rise = int(np.diff(disco).argmax())
    far_decides = int((scores["rho_far"] < scores["rho_sparse"] - 1e-12).sum())
    return [
        claim(
            "fig-noise-parts.inside",
            f"{disco[inside].min():.3f} to {disco[inside].max():.3f}",
            holds=bool(np.abs(disco[inside]).max() <= 0.05),
        ),
        claim(
            "fig-noise-parts.outside",
            holds=bool(
                disco[~inside].min() > disco[inside].max() and distances[rise + 1] > _RADIUS
            ),
            radius=_RADIUS,
            before=distances[rise],
            after=distances[rise + 1],
            low=disco[rise],
            high=disco[rise + 1],
            factor=math.sqrt(2),
        ),
        Row(
            "Noise points for which rho_far decides",
            "finding",
            f"{far_decides} of {scores['rho_far'].size}",
            note=read_text("fig-noise-parts.on_rho_far"),
        ),
    ]


def _mean_rows(panel: _Panel, scores: dict[str, FloatArray]) -> Iterator[Row]:
    """The table behind one half; the figure prints no numbers."""
    for i, value in enumerate(panel.values):
        for part, title in PARTS.items():
            mean = float(scores[part][:, i].mean())
            ours = None if math.isnan(mean) else mean
            yield Row(_name(panel, value), title, ours, table=panel.title)


def _name(panel: _Panel, value: float) -> str:
    return f"{_place(panel, value):g} %" if panel is LEFT else f"{value:g}"


def _place(panel: _Panel, value: float) -> float:
    """Where a value stands on the axis."""
    return 100 * value / _CLUSTER_SIZE if panel is LEFT else value


def _draw_noise_parts(scores: dict[_Panel, dict[str, FloatArray]]) -> Drawing:
    drawing = Drawing(figsize=(9.6, 3.9), dpi=110, layout="constrained")
    left, right = drawing.subplots(1, 2)
    _draw_half(left, LEFT, scores[LEFT], legend=None)
    _draw_half(right, RIGHT, scores[RIGHT], legend="right")
    right.axvline(_RADIUS / math.sqrt(2), color="#666666", linewidth=1, linestyle=":", zorder=1)
    return drawing


def _draw_half(ax: Axes, panel: _Panel, scores: dict[str, FloatArray], legend: str | None) -> None:
    curves = {title: scores[part] for part, title in PARTS.items()}
    score_curve([_place(panel, value) for value in panel.values], curves, ax=ax, legend=legend)
    ax.set(xlabel=panel.axis, ylim=(-1.05, 1.05), title=panel.title)


NOISE_PARTS_EXPERIMENT = Experiment(INFOS["fig-noise-parts"], noise_parts_cells, noise_parts_report)


# === Good and bad noise in a sketch, and why rho_far never decides a noise point's score ==========


_SKETCH, _FACTS, _LEAD = spec("noise sketch"), spec("noise facts"), spec("least lead of rho_far")
_GROUPS = ("a", "b", "c", "d")
_NOISY_SETS = ("cluto-t4-8k", "cluto-t7-10k", "cluto-t8-8k", "Synth_high", "Synth_low")
_ASSUMED = "The paper draws this without data; the points are ours."
# Two differences of doubles that are equal by the theorem may differ in their last bits.
_ROUNDING = 1e-12


# --- cells ---------------------------------------------------------------------------------------


def noise_sketch_cells(scope: Scope) -> list[Cell]:
    """The sketch; and by how much rho_far leads, at least, on all data at hand."""
    return [
        Cell(_SKETCH, GROUND_TRUTH, _FACTS),
        *(Cell(data, GROUND_TRUTH, _LEAD) for data in _noisy(scope)),
    ]


def _noisy(scope: Scope) -> list[Spec]:
    """Data with noise: the sketch, rings, data sets, and drawings with many equal distances."""
    sets = _NOISY_SETS[2:3] if scope.quick else _NOISY_SETS
    rings = [spec("three rings"), spec("two rings", build=1), spec("two rings", build=2)]
    drawn = [spec("random drawing", seed=seed) for seed in range(scope.repetitions(100, 10))]
    return [_SKETCH, *rings, *map(spec, sets), *drawn]


def _sketch() -> LabeledPoints:
    """A sparse and a dense cluster; a dense group, a far point and two near ones as noise."""
    clusters = [_grid(6, 2.0, (0.0, 0.0)), _grid(6, 0.5, (16.0, 4.0))]
    noise = [_grid(5, 0.5, (30.0, 0.0)), np.array([[5.0, 40.0], [5.0, 5.0], [13.8, 5.0]])]
    sizes = [36, 36, 28]
    labels = np.repeat(np.array([1, 2, -1], dtype=np.int64), sizes)
    return LabeledPoints(np.concatenate([*clusters, *noise]), labels)


def _grid(width: int, spacing: float, corner: tuple[float, float]) -> FloatArray:
    steps = spacing * np.arange(width)
    first, second = np.meshgrid(steps, steps)
    return np.column_stack([first.ravel(), second.ravel()]) + corner


def _random_drawing(seed: int) -> LabeledPoints:
    """Points on a lattice, some of them twice, with random labels."""
    generator = np.random.default_rng(seed)
    points = np.round(2 * generator.standard_normal((80, 2))) / 2
    return LabeledPoints(points, generator.integers(-1, 3, 80))


def _facts(case: Case) -> Value:
    """Both parts of the score of every noise point, and the cluster that is closest to it."""
    facts = _explain(case)
    rows = np.flatnonzero(facts.is_noise)
    tree = case.source.density_tree(5)
    members = {name: np.flatnonzero(case.labels == name) for name in (1, 2)}
    return {
        "score": facts.score[rows].tolist(),
        "rho_sparse": facts.rho_sparse[rows].tolist(),
        "rho_far": facts.rho_far[rows].tolist(),
        "claimed_by": [int(name) for name in facts.claimed_by[rows]],
        "last, dc to 1 and 2": [
            float(tree.distance(int(rows[-1]), members[name]).min()) for name in (1, 2)
        ],
    }


def _least_lead(case: Case) -> Value:
    """The smallest rho_far - rho_sparse of all noise points."""
    facts = _explain(case)
    return float((facts.rho_far - facts.rho_sparse)[facts.is_noise].min())


def _explain(case: Case) -> Any:
    return explain(case.source.density_tree(5), case.labels).points


DATA: dict[str, Callable[..., LabeledPoints]] = {
    _SKETCH.name: _sketch,
    "random drawing": _random_drawing,
}
NOISE_SKETCH_MEASURES = {_FACTS.name: _facts, _LEAD.name: _least_lead}


# --- report --------------------------------------------------------------------------------------


def noise_sketch_report(found: Outcomes, scope: Scope) -> Report:
    """The scores of the four kinds of noise, the claims on them, and the theorem."""
    facts = found.value(_SKETCH, GROUND_TRUTH, _FACTS)
    if not isinstance(facts, dict):
        reason = found.reason(_SKETCH, GROUND_TRUTH, _FACTS)
        return Report((Row("noise sketch", "scores", None, note=reason),))
    by_group = {part: _by_group(facts[part]) for part in ("score", "rho_sparse", "rho_far")}
    rows = [
        Row(f"({group})", part, float(values[group].mean()), note=_ASSUMED)
        for part, values in by_group.items()
        for group in _GROUPS
    ]
    rows += [*_kind_claims(by_group["score"]), *_far_claims(facts, by_group)]
    rows.append(_theorem(found, scope))
    caption = read_text("fig-noise-sketch.caption")
    figure = Figure("", caption, lambda: _draw_noise_sketch(by_group))
    return Report(tuple(rows), (figure,), (_ASSUMED, read_text("fig-noise-sketch.theorem")))


def _by_group(values: list[float]) -> dict[str, FloatArray]:
    """The noise points by kind: 25 of the first, one of each other."""
    return dict(zip(_GROUPS, np.split(np.array(values), [25, 26, 27]), strict=True))


def _kind_claims(scores: dict[str, FloatArray]) -> list[Row]:
    expected = {
        "a": ("a dense group called noise", "low"),
        "b": ("the farthest point", "high"),
        "c": ("a point inside the sparse cluster", "low"),
        "d": ("a point that fits to the sparse cluster", "low"),
    }
    return [
        claim(
            "fig-noise-sketch.kind_of_noise",
            f"{scores[group].min():.3f} to {scores[group].max():.3f}"
            if group == "a"
            else f"{scores[group][0]:.3f}",
            holds=bool((scores[group] > 0).all() if level == "high" else scores[group].max() < 0),
            group=group,
            what=what,
            level=level,
        )
        for group, (what, level) in expected.items()
    ]


def _far_claims(
    facts: dict[str, list[float]], by_group: dict[str, dict[str, FloatArray]]
) -> list[Row]:
    sparse, far = (float(by_group[part]["d"][0]) for part in ("rho_sparse", "rho_far"))
    (first, second), cluster = facts["last, dc to 1 and 2"], facts["claimed_by"][-1]
    return [
        claim("fig-noise-sketch.deciding_part", holds=far < sparse, sparse=sparse, far=far),
        claim(
            "fig-noise-sketch.nearest_cluster",
            holds=cluster == 1,
            cluster=cluster,
            first=first,
            second=second,
        ),
    ]


def _theorem(found: Outcomes, scope: Scope) -> Row:
    leads = [found.number(data, GROUND_TRUTH, _LEAD) for data in _noisy(scope)]
    known = [lead for lead in leads if lead is not None]
    row = Row(
        "rho_far against rho_sparse",
        "all noise points",
        None,
        note=read_text("fig-noise-sketch.theorem"),
    )
    if not known:
        return row
    if min(known) < -_ROUNDING:
        row = replace(row, note="Here rho_far is below rho_sparse, which cannot be.")
    ours = f"smallest rho_far - rho_sparse on {len(known)} data sets: {min(known):.1e}"
    return replace(row, ours=ours)


# --- figure --------------------------------------------------------------------------------------


def _draw_noise_sketch(by_group: dict[str, dict[str, FloatArray]]) -> Drawing:
    points, labels = make_points(_SKETCH, DATA)
    drawing = open_drawing(7.0, 6.0)
    scores = np.concatenate([by_group["score"][group] for group in _GROUPS])
    ax = pointwise_map(points[labels == -1], scores, ax=drawing.subplots(), size=40.0)
    for name, color in ((1, "#d4ac2b"), (2, "#009988")):
        x, y = points[labels == name].T
        ax.scatter(x, y, s=16, facecolors="none", edgecolors=color, label=f"Cluster {name}")
    ax.legend(loc="upper right", frameon=False, fontsize=9)
    _name_groups(ax, points[labels == -1], by_group)
    return drawing


def _name_groups(ax: Axes, noise: FloatArray, by_group: dict[str, dict[str, FloatArray]]) -> None:
    line = {"arrowstyle": "-", "color": "#999999", "linewidth": 0.8}
    places = (
        (noise[20], (-78, 10)),
        (noise[25], (8, -4)),
        (noise[26], (-30, 62)),
        (noise[27], (-12, -26)),
    )
    for group, (place, offset) in zip(_GROUPS, places, strict=True):
        parts = [float(by_group[part][group].mean()) for part in ("rho_sparse", "rho_far")]
        text = f"({group})  {parts[0]:.2f} / {parts[1]:.2f}"
        ax.annotate(text, place, offset, textcoords="offset points", fontsize=9, arrowprops=line)


NOISE_SKETCH_EXPERIMENT = Experiment(
    INFOS["fig-noise-sketch"],
    noise_sketch_cells,
    noise_sketch_report,
    data=DATA,
    measures=NOISE_SKETCH_MEASURES,
)


# === Whether it matters to DISCO how noise is distributed =========================================


MUS = (1, 3, 5, 7, 9, 11)
_QUICK_MUS = (1, 3, 5)
_NOISE_DIST_SETS = ("Synth_high", "Synth_low")
# The noise that the data sets come with is not part of the paper's figures.
_OWN = "as generated"
_NEW = ("gaussian", "uniform", "poisson")

Curves = dict[tuple[str, str], FloatArray]


def noise_dist_cells(scope: Scope) -> list[Cell]:
    """DISCO and its parts for both data sets, every kind of noise and every mu."""
    return [
        Cell(_data_noise_dist(name, noise), GROUND_TRUTH, _index(mu))
        for name in _sets(scope)
        for noise in (_OWN, *_NEW)
        for mu in _mus(scope)
    ]


def _data_noise_dist(name: str, noise: str) -> Spec:
    return spec(name) if noise == _OWN else spec(name, noise_distribution=noise)


def _index(mu: int) -> Spec:
    return spec("disco parts", min_points=mu)


def _sets(scope: Scope) -> tuple[str, ...]:
    return _NOISE_DIST_SETS[:1] if scope.quick else _NOISE_DIST_SETS


def _mus(scope: Scope) -> tuple[int, ...]:
    return _QUICK_MUS if scope.quick else MUS


def noise_dist_report(found: Outcomes, scope: Scope) -> Report:
    """The claims, the scores of both figures, and the figures."""
    mus = np.array(_mus(scope))
    disco = _curves(found, scope, "disco")
    # The noise score is the smaller of two parts, and rho_sparse is never the larger one.
    noise = _curves(found, scope, "rho_sparse")
    rows = _claims(disco, mus)
    # No claim is about the noise that the data come with.
    claimed = [curve for (_, kind), curve in disco.items() if kind != _OWN]
    of_them = Outcomes({cell: found[cell] for cell in found if cell.data.options})
    rows = withdraw_unknown(rows, claimed, of_them, cut=_CUT if scope.quick else "")
    rows += [*_score_rows(disco, mus, "DISCO"), *_score_rows(noise, mus, "Mean noise score")]
    drawn = {"disco": (disco, "DISCO"), "noise-score": (noise, "mean noise score")}
    figures = tuple(
        Figure(
            name, read_text(f"fig-noise-dist.{name}"), partial(_draw_noise_dist, curves, mus, axis)
        )
        for name, (curves, axis) in drawn.items()
    )
    return Report(tuple(rows), figures, (read_text("fig-noise-dist.note"),))


def _curves(found: Outcomes, scope: Scope, part: str) -> Curves:
    """One part of DISCO along mu, by data set and kind of noise; NaN where there is none."""
    curves = {}
    for name in _sets(scope):
        for noise in (_OWN, *_NEW):
            values = [
                found.value(_data_noise_dist(name, noise), GROUND_TRUTH, _index(mu))
                for mu in _mus(scope)
            ]
            parts = [value[part] if isinstance(value, dict) else None for value in values]
            curves[name, noise] = np.array(parts, dtype=np.float64)
    return curves


def _claims(curves: Curves, mus: LabelArray) -> list[Row]:
    names = list(dict.fromkeys(name for name, _ in curves))
    by_set = [np.array([curves[name, noise] for noise in _NEW]) for name in names]
    apart = max(float(np.ptp(scores, axis=0).max()) for scores in by_set)
    change = max(float(np.ptp(scores, axis=1).max()) for scores in by_set)
    later = max(float(np.ptp(scores[:, mus >= 3], axis=1).max()) for scores in by_set)
    return [
        _within_method(claim("fig-noise-dist.kinds_alike", holds=apart <= 0.05, apart=apart)),
        _within_method(
            claim("fig-noise-dist.consistent", holds=change <= 0.05, change=change, later=later)
        ),
    ]


def _within_method(row: Row) -> Row:
    """A claim that holds for a recipe which the paper leaves open in part."""
    return replace(row, verdict="within method") if row.verdict == "passes" else row


def _score_rows(curves: Curves, mus: LabelArray, table: str) -> list[Row]:
    return [
        Row(
            f"{name}, {noise}", f"mu = {mu}", None if np.isnan(score) else float(score), table=table
        )
        for (name, noise), curve in curves.items()
        for mu, score in zip(mus, curve, strict=True)
    ]


def _draw_noise_dist(curves: Curves, mus: LabelArray, axis: str) -> Drawing:
    names = list(dict.fromkeys(name for name, _ in curves))
    drawing = Drawing(figsize=(1.6 + 4.0 * len(names), 3.8), dpi=110, layout="constrained")
    for i, (ax, name) in enumerate(
        zip(drawing.subplots(1, len(names), squeeze=False)[0], names, strict=True)
    ):
        shown = {noise: curves[name, noise] for noise in (*_NEW, _OWN)}
        ax.axvline(5, color="#cc3311", linewidth=1, zorder=1)
        legend = "right" if i + 1 == len(names) else None
        score_curve(mus, shown, ax=ax, band=None, legend=legend)
        ax.set(xlabel="mu", title=name, ylim=(0.0, 1.0), xticks=mus)
    drawing.supylabel(axis, fontsize="medium")
    return drawing


_CUT = "A quick run looks at fewer values of mu and data sets: not judged."

NOISE_DIST_EXPERIMENT = Experiment(INFOS["fig-noise-dist"], noise_dist_cells, noise_dist_report)


# === Noise that HDBSCAN finds in six real data sets, and how DISCO judges it ======================

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


# Labels of HDBSCAN hang on the sort where distances are equal, and here many are.
_HDBSCAN = spec("hdbscan", sort="plain")
_NOISE_SCORES = spec("noise scores")
_UCI_NOISE_SETS = tuple(row["dataset"] for row in read_printed("tab-uci-noise"))
_ORDERS = "Other orders of the rows, lowest and highest"
_SHARES = "Share of noise, in percent"
_ON_NOISE, _ON_CLUSTERS = "noise points", "cluster points"
# The paper's: cluster points yellow, noise points blue.
_COLORS = {_ON_CLUSTERS: "#ddaa33", _ON_NOISE: "#004488"}


class _Column(NamedTuple):
    """A column of the paper's table: how it is called here, what it holds, and of which labels."""

    title: str
    measured: Spec
    labeling: Spec = _HDBSCAN


_COLUMNS = {
    "n": _Column("points", spec("n_points")),
    "d": _Column("features", spec("n_dimensions")),
    "n_noise_hdbscan": _Column("noise points", spec("n_noise")),
    "n_clusters_hdbscan": _Column("clusters", spec("n_clusters")),
    "k_true": _Column("true classes", spec("n_clusters"), GROUND_TRUTH),
    "disco": _Column("DISCO", spec("disco")),
}
_VARYING = ("n_noise_hdbscan", "n_clusters_hdbscan", "disco")


# --- cells --------------------------------------------------------------------------------------


def uci_noise_cells(scope: Scope) -> list[Cell]:
    """The table, the noise scores, and the numbers that vary with the order of the rows."""
    measured = [(column.labeling, column.measured) for column in _COLUMNS.values()]
    found = [
        Cell(_data_uci_noise(name), labeling, index)
        for name in _UCI_NOISE_SETS
        for labeling, index in [*measured, (_HDBSCAN, _NOISE_SCORES)]
    ]
    for name in _UCI_NOISE_SETS:
        others = [_data_uci_noise(name, shuffle=run) for run in range(_n_orders(scope))]
        found += [
            Cell(data, _HDBSCAN, _COLUMNS[column].measured)
            for data in others
            for column in _VARYING
        ]
    return found


def _n_orders(scope: Scope) -> int:
    return scope.repetitions(full=10, quick=1)


def _data_uci_noise(name: str, **options: Any) -> Spec:
    # The paper lost eleven rows of this data set when it read the file.
    return spec(name, paper_rows=True, **options) if name == "Seeds" else spec(name, **options)


def _noise_scores(case: Case) -> dict[str, list[float]]:
    """The noise score of every noise point, and of every cluster point as if it alone were noise.

    A point that leaves its cluster for the noise changes no distance, and its noise score is
    rho_sparse (see the notes of `disco_score`): its core distance against the largest of those who
    stay in clusters. So no labeling need be judged point by point.
    """
    core = case.source.density_tree(5).core_distances
    is_noise = case.clustering.labels.codes < 0
    scores = {
        _ON_NOISE: np.full(is_noise.sum(), -1.0),
        _ON_CLUSTERS: np.full((~is_noise).sum(), -1.0),
    }
    members = core[~is_noise]
    if len(members):
        scores[_ON_NOISE] = _noise_score(core[is_noise], members.max())
    if len(members) > 1:
        sparsest = int(members.argmax())
        ceilings = np.full(len(members), members[sparsest])
        ceilings[sparsest] = np.delete(members, sparsest).max()
        scores[_ON_CLUSTERS] = _noise_score(members, ceilings)
    return {kind: values.tolist() for kind, values in scores.items()}


def _noise_score(core: Any, ceiling: Any) -> Any:
    """How far a core distance lies above (to 1) or below (to -1) the largest of the clusters."""
    larger = np.maximum(core, ceiling)
    return (core - ceiling) / np.where(larger > 0, larger, 1.0)


UCI_NOISE_MEASURES = {_NOISE_SCORES.name: _noise_scores}


# --- report -------------------------------------------------------------------------------------


def uci_noise_report(found: Outcomes, scope: Scope) -> Report:
    """The paper's table, what other orders of rows give, and the claims of the figure."""
    rows = [_table_row(found, name, column) for name in _UCI_NOISE_SETS for column in _COLUMNS]
    rows += [row for paper in read_printed("tab-uci-noise") for row in _share_row(found, paper)]
    rows += [
        _order_row(found, name, column, scope) for name in _UCI_NOISE_SETS for column in _VARYING
    ]
    rows += [row for name in _UCI_NOISE_SETS for row in _claim_rows(found, name)]
    figure = Figure("", read_text("tab-uci-noise.caption"), partial(_draw_uci_noise, found))
    return Report(tuple(rows), (figure,), _NOTES)


def _table_row(found: Outcomes, name: str, column: str) -> Row:
    title, index, labeling = _COLUMNS[column]
    place = (_data_uci_noise(name), labeling, index)
    paper = read_printed_cells("tab-uci-noise", "dataset")[name, column]
    row = judge(
        name,
        title,
        found.value(*place),
        paper,
        within=_tolerance(name, column, float(paper)),
        note=found.reason(*place),
    )
    if row.verdict == "within method":
        row = row.with_note(read_text("tab-uci-noise.assumed"))
    return row.with_note(_EXPLAINED[name, column]) if (name, column) in _EXPLAINED else row


def _tolerance(name: str, column: str, paper: float) -> float | None:
    """How far the ties of HDBSCAN may move a number: counts by 1 or 2 %.

    Iris has hardly any, and none of its orders of rows moves DISCO.
    """
    if (name, column) == ("Iris", "disco"):
        return None
    return {
        "n_noise_hdbscan": 0.01 * paper,
        "n_clusters_hdbscan": 0.02 * paper,
        "disco": 0.05 if name == "Spambase" else 0.02,
    }.get(column)


def _share_row(found: Outcomes, paper: dict[str, str]) -> Iterator[Row]:
    """The shares of noise that the paper's text names."""
    name, printed = paper["dataset"], paper["noise_percent"]
    n_noise = found.number(_data_uci_noise(name), _HDBSCAN, spec("n_noise"))
    n_points = found.number(_data_uci_noise(name), _HDBSCAN, spec("n_points"))
    if printed and n_noise is not None and n_points is not None:
        share = 100 * n_noise / n_points
        row = judge(name, "noise", share, printed, within=0.01 * float(printed))
        yield replace(row, table=_SHARES)


def _order_row(found: Outcomes, name: str, column: str, scope: Scope) -> Row:
    """From which to which number other orders of the rows lead."""
    title, index, _ = _COLUMNS[column]
    orders = (_data_uci_noise(name, shuffle=run) for run in range(_n_orders(scope)))
    known = found.numbers(Cell(data, _HDBSCAN, index) for data in orders)
    ours: Value = None
    if known:
        low, high = (f"{end:.4f}" if column == "disco" else f"{end}" for end in _ends(known))
        ours = low if low == high else f"{low} to {high}"
    return Row(name, title, ours, table=_ORDERS)


def _ends(values: list[float]) -> tuple[float, float]:
    return min(values), max(values)


def _claim_rows(found: Outcomes, name: str) -> Iterator[Row]:
    scores = found.value(_data_uci_noise(name), _HDBSCAN, _NOISE_SCORES)
    if not isinstance(scores, dict):
        return
    noise, clustered = np.array(scores[_ON_NOISE]), np.array(scores[_ON_CLUSTERS])
    if len(noise):
        yield _comparison(name, noise, clustered)
    else:
        yield _range(name, clustered)


def _comparison(name: str, noise: FloatArray, clustered: FloatArray) -> Row:
    medians = float(np.median(noise)), float(np.median(clustered))
    order = np.sort(clustered)
    lower, not_higher = (np.searchsorted(order, noise, side) for side in ("left", "right"))
    share = float((lower + not_higher).mean()) / (2 * len(clustered))
    return claim(
        "tab-uci-noise.noise_is_higher",
        holds=medians[0] > medians[1] and share > 0.5,
        name=name,
        medians=medians,
        per_cent=100 * share,
    )


def _range(name: str, clustered: FloatArray) -> Row:
    n_above = int((clustered > 0).sum())
    return claim(
        "tab-uci-noise.range_of_clusters",
        holds=float(clustered.min()) >= -1 and n_above == 0,
        name=name,
        low=clustered.min(),
        high=clustered.max(),
        n_above=n_above,
        n_points=len(clustered),
    )


def _draw_uci_noise(found: Outcomes) -> Drawing:
    drawing = open_drawing(width=8.0, height=4.0)
    ax = drawing.add_subplot()
    for place, name in enumerate(_UCI_NOISE_SETS):
        scores = found.value(_data_uci_noise(name), _HDBSCAN, _NOISE_SCORES)
        for shift, kind in ((-0.2, _ON_CLUSTERS), (0.2, _ON_NOISE)):
            if not isinstance(scores, dict) or not scores.get(kind):
                continue
            ax.boxplot(
                [scores[kind]],
                positions=[place + shift],
                widths=0.34,
                patch_artist=True,
                manage_ticks=False,
                boxprops={"facecolor": _COLORS[kind], "alpha": 0.75},
                medianprops={"color": "white", "linewidth": 1.8},
                flierprops={"marker": ".", "markersize": 3, "alpha": 0.5, "rasterized": True},
            )
    for kind, color in _COLORS.items():
        ax.bar(np.nan, np.nan, color=color, alpha=0.75, label=kind)
    ax.set_xticks(range(len(_UCI_NOISE_SETS)), list(_UCI_NOISE_SETS))
    ax.set_xlim(-0.6, len(_UCI_NOISE_SETS) - 0.4)
    tidy(ax)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
    ax.axhline(0.0, color="#888888", linewidth=0.8, zorder=0)
    ax.set(ylabel="noise score", ylim=(-1.05, 1.05))
    return drawing


# --- texts --------------------------------------------------------------------------------------

_EXPLAINED = {("Iris", "disco"): (read_text("tab-uci-noise.on_iris"))}
_NOTES = (
    read_text("tab-uci-noise.on_sorting"),
    read_text("tab-uci-noise.on_tolerance"),
    read_text("tab-uci-noise.on_scores"),
)

UCI_NOISE_EXPERIMENT = Experiment(
    INFOS["tab-uci-noise"], uci_noise_cells, uci_noise_report, measures=UCI_NOISE_MEASURES
)
