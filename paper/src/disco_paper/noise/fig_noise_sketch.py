"""Good and bad noise in a sketch, and why rho_far never decides a noise point's score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi import explain
from disco_cvi.plots import pointwise_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import open_drawing
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INFOS, read_texts
from disco_paper.sources import Case, make_points

NAME = "fig-noise-sketch"
TEXTS = read_texts(NAME)

_SKETCH, _FACTS, _LEAD = spec("noise sketch"), spec("noise facts"), spec("least lead of rho_far")
_GROUPS = ("a", "b", "c", "d")
_NOISY_SETS = ("cluto-t4-8k", "cluto-t7-10k", "cluto-t8-8k", "Synth_high", "Synth_low")
_ASSUMED = "The paper draws this without data; the points are ours."
# Two differences of doubles that are equal by the theorem may differ in their last bits.
_ROUNDING = 1e-12


# --- cells ---------------------------------------------------------------------------------------


def cells(scope: Scope) -> list[Cell]:
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


def _grid(width: int, spacing: float, corner: tuple[float, float]) -> NDArray[np.float64]:
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
MEASURES = {_FACTS.name: _facts, _LEAD.name: _least_lead}


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:
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
    caption = (
        "Clusters are circles; noise points are colored by their score: orange is low, dark blue "
        "high. Numbers: rho_sparse / rho_far."
    )
    figure = Figure("", caption, lambda: _draw(by_group))
    return Report(tuple(rows), (figure,), (_ASSUMED, TEXTS["theorem"]))


def _by_group(values: list[float]) -> dict[str, NDArray[np.float64]]:
    """The noise points by kind: 25 of the first, one of each other."""
    return dict(zip(_GROUPS, np.split(np.array(values), [25, 26, 27]), strict=True))


def _kind_claims(scores: dict[str, NDArray[np.float64]]) -> list[Row]:
    expected = {
        "a": ("a dense group called noise", "low"),
        "b": ("the farthest point", "high"),
        "c": ("a point inside the sparse cluster", "low"),
        "d": ("a point that fits to the sparse cluster", "low"),
    }
    return [
        claim(
            f"({group}) {what}",
            f"a {level} score",
            f"{scores[group].min():.3f} to {scores[group].max():.3f}"
            if group == "a"
            else f"{scores[group][0]:.3f}",
            holds=bool((scores[group] > 0).all() if level == "high" else scores[group].max() < 0),
            note=_ASSUMED,
        )
        for group, (what, level) in expected.items()
    ]


def _far_claims(
    facts: dict[str, list[float]], by_group: dict[str, dict[str, NDArray[np.float64]]]
) -> list[Row]:
    sparse, far = (float(by_group[part]["d"][0]) for part in ("rho_sparse", "rho_far"))
    first, second = facts["last, dc to 1 and 2"]
    return [
        claim(
            "(d): which part decides",
            "rho_far",
            f"rho_sparse: {sparse:.3f} is below rho_far, {far:.3f}",
            holds=far < sparse,
            note=TEXTS["theorem"],
        ),
        claim(
            "(d): which cluster gives rho_far",
            "Cluster 1, the sparser one",
            f"Cluster {facts['claimed_by'][-1]:.0f}; dc-distances {first:.2f} and {second:.2f}",
            holds=facts["claimed_by"][-1] == 1,
            note=_ASSUMED,
        ),
    ]


def _theorem(found: Outcomes, scope: Scope) -> Row:
    leads = [found.number(data, GROUND_TRUTH, _LEAD) for data in _noisy(scope)]
    known = [lead for lead in leads if lead is not None]
    row = Row("rho_far against rho_sparse", "all noise points", None, note=TEXTS["theorem"])
    if not known:
        return row
    if min(known) < -_ROUNDING:
        row = replace(row, note="Here rho_far is below rho_sparse, which cannot be.")
    ours = f"smallest rho_far - rho_sparse on {len(known)} data sets: {min(known):.1e}"
    return replace(row, ours=ours)


# --- figure --------------------------------------------------------------------------------------


def _draw(by_group: dict[str, dict[str, NDArray[np.float64]]]) -> Drawing:
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


def _name_groups(
    ax: Axes, noise: NDArray[np.float64], by_group: dict[str, dict[str, NDArray[np.float64]]]
) -> None:
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


EXPERIMENT = Experiment(INFOS[NAME], cells, report, data=DATA, measures=MEASURES)
