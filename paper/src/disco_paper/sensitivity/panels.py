"""Indices along a parameter of made data: what the three panels on sensitivity share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.figure import FigureBase
from numpy.typing import NDArray

from disco_cvi.plots import labels_map, score_curve
from disco_paper.cells import Cell, Outcomes, Scope, Spec, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import scale_for_plot
from disco_paper.judging import Figure, Report, Row, withdraw_unknown
from disco_paper.paper import INDEX_TITLES, name_published
from disco_paper.sources import GENERATOR_SEEDS, describe_cut, seeds_of

# The paper leaves out S_Dbw and CVNN here, and it computed MMJ-SC later.
SHOWN = ("disco", "dbcv", "dcsi", "lccv", "viasckde", "cvdd", "cdbw", "silhouette")

Variant = Literal["published", "original"]
Curves = Mapping[str, NDArray[np.float64]]
# A claim, and the indices whose curves it speaks of, be it in its note.
About = tuple[Row, tuple[str, ...]]


@dataclass(frozen=True)
class Panel:
    """Made data that change along an axis, from seed to seed in another way.

    Attributes
    ----------
    places : tuple of float
        The values of the parameter.
    axis : str
        What the parameter is.
    case : callable
        The data and the labeling for a seed and a place.
    points : callable
        The same as points and labels, to draw them.
    drawn : tuple of float
        The places whose data are drawn along the axis.
    unit : str
        What stands after a value of the parameter in the table.
    """

    places: tuple[float, ...]
    axis: str
    case: Callable[[int, float], tuple[Spec, Spec]]
    points: Callable[[int, float], LabeledPoints]
    drawn: tuple[float, ...]
    unit: str = ""

    def name(self, place: float) -> str:
        """A place as the table names it."""
        return f"{place:g}{self.unit}"


def panel_cells(panel: Panel, scope: Scope, variants: Iterable[Variant]) -> list[Cell]:
    """Every index at every place for every seed."""
    variants = tuple(variants)
    return [
        Cell(*panel.case(seed, place), index)
        for seed in seeds_of(scope)
        for place in panel.places
        for name in SHOWN
        for index in dict.fromkeys(_index(name, variant) for variant in variants)
    ]


def panel_scores(panel: Panel, found: Outcomes, scope: Scope, variant: Variant) -> Curves:
    """The scores by index, of shape (seeds, places); NaN where there is none."""
    return {
        name: np.array(
            [
                found.number(*panel.case(seed, place), _index(name, variant))
                for seed in seeds_of(scope)
                for place in panel.places
            ],
            np.float64,
        ).reshape(-1, len(panel.places))
        for name in SHOWN
    }


def mean_curves(panel: Panel, found: Outcomes, scope: Scope, variant: Variant) -> Curves:
    """The means over all seeds by index; NaN where a seed has no score."""
    scores = panel_scores(panel, found, scope, variant)
    return {name: values.mean(axis=0) for name, values in scores.items()}


def panel_report(
    panel: Panel,
    found: Outcomes,
    scope: Scope,
    judge_curves: Callable[[Curves, Curves], list[About]],
    notes: tuple[str, ...] = (),
) -> Report:
    """Claims about the curves, all means as a table, and the panel drawn in both ways.

    Parameters
    ----------
    panel : Panel
    found : Outcomes
    scope : Scope
    judge_curves : callable
        Makes the claims from the mean curves by the paper's programs and by the definitions.
        They are not judged where a run has fewer seeds than the paper, or no score.
    notes : tuple of str
    """
    by_program = mean_curves(panel, found, scope, "published")
    by_definition = mean_curves(panel, found, scope, "original")
    with np.errstate(all="ignore"):
        claims = judge_curves(by_program, by_definition)
    rows = [known_claim(about, (by_program, by_definition), found, scope) for about in claims]
    rows += [*_mean_rows(panel, found, scope, (by_program, by_definition))]
    captions: dict[Variant, str] = {
        "published": "By the paper's programs, scaled as in the paper",
        "original": "By the original definitions, scaled in the same way",
    }
    figures = tuple(
        Figure(
            "" if variant == "published" else "definitions",
            f"{caption}. Lines are means over {len(seeds_of(scope))} seeds, bands the 75 % "
            "bootstrap interval of the mean; below, the data of the first seed.",
            partial(draw_panels, {"": (panel, panel_scores(panel, found, scope, variant))}),
        )
        for variant, caption in captions.items()
    )
    return Report(tuple(rows), figures, notes)


def known_claim(about: About, means: Iterable[Curves], found: Outcomes, scope: Scope) -> Row:
    """A claim as far as the curves are known that it speaks of, whatever other indices lack."""
    row, names = about
    curves = [by_name[name] for by_name in means for name in names]
    of_them = Outcomes(
        {cell: outcome for cell, outcome in found.items() if cell.index.name in names}
    )
    [known] = withdraw_unknown([row], curves, of_them, cut=describe_cut(scope))
    return known


def _mean_rows(
    panel: Panel, found: Outcomes, scope: Scope, means: tuple[Curves, Curves]
) -> Iterator[Row]:
    """The table behind the figure, which prints no numbers."""
    for i, place in enumerate(panel.places):
        for name in SHOWN:
            by_program, by_definition = (float(curves[name][i]) for curves in means)
            row = Row(
                panel.name(place),
                INDEX_TITLES[name],
                None if np.isnan(by_program) else by_program,
                table="Means over the seeds",
                note=_reason(panel, found, scope, (name, place)),
            )
            differs = not np.isclose(by_program, by_definition, rtol=1e-9, atol=1e-12)
            known = differs and not np.isnan(by_definition)
            yield replace(row, original=by_definition if known else None)


def _reason(panel: Panel, found: Outcomes, scope: Scope, of: tuple[str, float]) -> str:
    """Why a mean is missing: what the first seed without a score says."""
    name, place = of
    reasons = (
        found.reason(*panel.case(seed, place), _index(name, "published"))
        for seed in seeds_of(scope)
    )
    return next(filter(None, reasons), "")


def _index(name: str, variant: Variant) -> Spec:
    return name_published(name) if variant == "published" else spec(name)


# --- what curves say ----------------------------------------------------------------------------


def largest_fall(curve: NDArray[np.float64]) -> float:
    """The largest fall from one place to the next, as a share of the way between the extremes."""
    extent = float(np.ptp(curve))
    return float(-np.diff(curve).min() / extent) if extent > 0 else 0.0


def straightness(places: Iterable[float], curve: NDArray[np.float64]) -> float:
    """How much of a curve's variance a straight line explains: 1 for a line."""
    return float(np.corrcoef(list(places), curve)[0, 1] ** 2)


def is_falling(curve: NDArray[np.float64]) -> bool:
    """Whether every value is below the one before."""
    return all(after < before for before, after in pairwise(curve))


def falling_indices(curves: Curves) -> list[str]:
    """The titles of the indices that fall at every step."""
    return [INDEX_TITLES[name] for name in SHOWN if is_falling(curves[name])]


def per_cent(share: float, digits: int = 0) -> str:
    """A share in words of a sentence.

    >>> per_cent(0.0243, 1)
    '2.4 %'
    """
    return f"{100 * share:.{digits}f} %"


# --- drawing ------------------------------------------------------------------------------------


def draw_panels(panels: Mapping[str, tuple[Panel, Curves]]) -> Drawing:
    """Draw panels below each other by their titles: the curves, and some data along the axis."""
    drawing = Drawing(figsize=(7.6, 4.9 * len(panels)), dpi=110, layout="constrained")
    parts = drawing.subfigures(len(panels), 1, squeeze=False)[:, 0]
    for part, (title, (panel, scores)) in zip(parts, panels.items(), strict=True):
        part.suptitle(title, fontsize="medium")
        _draw_panel(part, panel, scores)
    return drawing


def _draw_panel(part: FigureBase, panel: Panel, scores: Curves) -> None:
    grid = part.add_gridspec(2, len(panel.drawn), height_ratios=(4, 1))
    ax = part.add_subplot(grid[0, :])
    score_curve(panel.places, scale_for_plot(scores), ax=ax)
    ax.set(xlabel=panel.axis, ylabel="score", ylim=(-1.05, 1.05))
    small = [part.add_subplot(grid[1, i]) for i in range(len(panel.drawn))]
    for one, place in zip(small, panel.drawn, strict=True):
        _draw_data(one, panel, place)


def _draw_data(ax: Axes, panel: Panel, place: float) -> None:
    labels_map(*panel.points(GENERATOR_SEEDS[0], place), ax=ax, size=1.2)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(panel.name(place), fontsize="small")
