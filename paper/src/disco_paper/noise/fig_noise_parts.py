"""The parts of DISCO's noise score: a noise group that grows dense, a noise point that leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Figure, Report, Row, claim, withdraw_unknown
from disco_paper.paper import INFOS, read_texts
from disco_paper.sources import describe_cut, seeds_of

NAME = "fig-noise-parts"
TEXTS = read_texts(NAME)

_CLUSTER_SIZE = 500
_RADIUS = 2.0
_PARTS_INDEX = spec("disco parts")
PARTS = {
    "disco": "DISCO",
    "rho_cluster": "rho_cluster",
    "rho_sparse": "rho_sparse",
    "rho_far": "rho_far",
}


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


def cells(scope: Scope) -> list[Cell]:
    """DISCO and its parts at every place of both halves for every seed."""
    return [
        Cell(panel.spec(seed, value), GROUND_TRUTH, _PARTS_INDEX)
        for panel in (LEFT, RIGHT)
        for seed in seeds_of(scope)
        for value in panel.values
    ]


def report(found: Outcomes, scope: Scope) -> Report:
    """The claims on both halves, the means, and the figure."""
    scores = {panel: _scores(panel, found, scope) for panel in (LEFT, RIGHT)}
    rows = [*_claims_on_group(scores[LEFT]), *_claims_on_point(scores[RIGHT])]
    known = [values for curves in scores.values() for values in curves.values()]
    rows = withdraw_unknown(rows, known, found, cut=describe_cut(scope))
    rows += [row for panel in scores for row in _mean_rows(panel, scores[panel])]
    figure = Figure(
        "",
        "DISCO, the mean of rho_cluster over the cluster points, and those of rho_sparse and "
        f"rho_far over the noise points: means over {len(seeds_of(scope))} seeds. Left: a group of "
        "noise far from the cluster grows. Right: one noise point moves out of the cluster.",
        partial(_draw, scores),
    )
    return Report(tuple(rows), (figure,), (TEXTS["note"],))


def _scores(panel: _Panel, found: Outcomes, scope: Scope) -> dict[str, NDArray[np.float64]]:
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


def _claims_on_group(scores: dict[str, NDArray[np.float64]]) -> list[Row]:
    means = {part: values.mean(axis=0) for part, values in scores.items()}
    steady = {part: means[part].min() for part in ("rho_cluster", "rho_far")}
    return [
        claim(
            "DISCO and rho_sparse fall as the group of noise grows",
            "yes",
            ", ".join(
                f"{PARTS[part]} from {means[part][0]:.3f} to {means[part][-1]:.3f}"
                for part in ("disco", "rho_sparse")
            ),
            holds=all(bool((np.diff(means[part]) < 0).all()) for part in ("disco", "rho_sparse")),
            note="Taken as: fall at every step.",
        ),
        claim(
            "rho_cluster and rho_far stay near 1",
            "yes",
            ", ".join(f"{PARTS[part]} {least:.3f} or more" for part, least in steady.items()),
            holds=bool(min(steady.values()) >= 0.95),
            note="Taken as 0.95 or more.",
        ),
    ]


def _claims_on_point(scores: dict[str, NDArray[np.float64]]) -> list[Row]:
    disco = scores["disco"].mean(axis=0)
    distances = math.sqrt(2) * np.array(RIGHT.values)
    inside = distances < _RADIUS
    rise = int(np.diff(disco).argmax())
    far_decides = int((scores["rho_far"] < scores["rho_sparse"] - 1e-12).sum())
    return [
        claim(
            "DISCO while the noise point is inside the cluster",
            "around 0",
            f"{disco[inside].min():.3f} to {disco[inside].max():.3f}",
            holds=bool(np.abs(disco[inside]).max() <= 0.05),
            note="Taken as at most 0.05 away from 0.",
        ),
        claim(
            "DISCO rises sharply once the noise point is outside",
            f"at a distance from the center larger than {_RADIUS:g}",
            f"most from distance {distances[rise]:.2f} to {distances[rise + 1]:.2f}: "
            f"{disco[rise]:.3f} to {disco[rise + 1]:.3f}",
            holds=bool(
                disco[~inside].min() > disco[inside].max() and distances[rise + 1] > _RADIUS
            ),
            note="The axis shows the offset in each coordinate; the distance from the center is "
            f"{math.sqrt(2):.2f} times as large. Read as a distance, the axis seems to say that "
            "scores rise between 1 and 1.5.",
        ),
        Row(
            "Noise points for which rho_far decides",
            "finding",
            f"{far_decides} of {scores['rho_far'].size}",
            note="The caption speaks of the influence of rho_far, but a noise point's score is the "
            "smaller of both parts, and rho_far is never the smaller one: a density-connectivity "
            "distance from a point is never below its core distance. Where the point is outside, "
            "both parts are equal.",
        ),
    ]


def _mean_rows(panel: _Panel, scores: dict[str, NDArray[np.float64]]) -> Iterator[Row]:
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


def _draw(scores: dict[_Panel, dict[str, NDArray[np.float64]]]) -> Drawing:
    drawing = Drawing(figsize=(9.6, 3.9), dpi=110, layout="constrained")
    left, right = drawing.subplots(1, 2)
    _draw_half(left, LEFT, scores[LEFT], legend=None)
    _draw_half(right, RIGHT, scores[RIGHT], legend="right")
    right.axvline(_RADIUS / math.sqrt(2), color="#666666", linewidth=1, linestyle=":", zorder=1)
    return drawing


def _draw_half(
    ax: Axes, panel: _Panel, scores: dict[str, NDArray[np.float64]], legend: str | None
) -> None:
    curves = {title: scores[part] for part, title in PARTS.items()}
    score_curve([_place(panel, value) for value in panel.values], curves, ax=ax, legend=legend)
    ax.set(xlabel=panel.axis, ylim=(-1.05, 1.05), title=panel.title)


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
