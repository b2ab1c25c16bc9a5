"""How indices follow data that change step by step."""

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

from disco_cvi.plots import labels_map, score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.datasets.generators import two_moons
from disco_paper.drawing import scale_for_plot
from disco_paper.judging import Experiment, Figure, Report, Row, claim, withdraw_unknown
from disco_paper.paper import INDEX_TITLES, INFOS, name_published, read_text
from disco_paper.published import describe_deviations
from disco_paper.sources import (
    GENERATOR_SEEDS,
    FloatArray,
    LabelArray,
    Source,
    describe_cut,
    make_labels,
    make_points,
    seeds_of,
)

# === Indices along a parameter of made data: what the three panels on sensitivity share ===========

# The paper leaves out S_Dbw and CVNN here, and it computed MMJ-SC later.
SHOWN = ("disco", "dbcv", "dcsi", "lccv", "viasckde", "cvdd", "cdbw", "silhouette")

Variant = Literal["published", "original"]
Curves = Mapping[str, FloatArray]
# A claim, and the indices whose curves it speaks of, be it in its note.
About = tuple[Row, tuple[str, ...]]


def _swap_labels(source: Source, *, swaps: int) -> LabelArray:
    """The labels of the moons, some of them exchanged; trees of the points are used again."""
    return two_moons(seed=int(source.data["seed"]), swaps=swaps).labels


LABELINGS = {"swapped": _swap_labels}


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
    drawn : tuple of float
        The places whose data are drawn along the axis.
    unit : str
        What stands after a value of the parameter in the table.
    """

    places: tuple[float, ...]
    axis: str
    case: Callable[[int, float], tuple[Spec, Spec]]
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
            read_text("panels.caption", caption=caption, n_seeds=len(seeds_of(scope))),
            partial(draw_panels, {"": (panel, panel_scores(panel, found, scope, variant))}),
        )
        for variant, caption in captions.items()
    )
    return Report(tuple(rows), figures, notes)


def panel_experiment(
    name: str, panel: Panel, judge_curves: Callable[[Curves, Curves], list[About]], *notes: str
) -> Experiment:
    """Every index along a panel, by the paper's programs and by definition, and the claims."""

    def cells(scope: Scope) -> list[Cell]:
        return panel_cells(panel, scope, ("published", "original"))

    def report(found: Outcomes, scope: Scope) -> Report:
        return panel_report(panel, found, scope, judge_curves, notes)

    return Experiment(INFOS[name], cells, report, labelings=LABELINGS)


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


def largest_fall(curve: FloatArray) -> float:
    """The largest fall from one place to the next, as a share of the way between the extremes."""
    extent = float(np.ptp(curve))
    return float(-np.diff(curve).min() / extent) if extent > 0 else 0.0


def straightness(places: Iterable[float], curve: FloatArray) -> float:
    """How much of a curve's variance a straight line explains: 1 for a line."""
    return float(np.corrcoef(list(places), curve)[0, 1] ** 2)


def is_falling(curve: FloatArray) -> bool:
    """Whether every value is below the one before."""
    return all(after < before for before, after in pairwise(curve))


def falling_indices(curves: Curves) -> list[str]:
    """The titles of the indices that fall at every step."""
    return [INDEX_TITLES[name] for name in SHOWN if is_falling(curves[name])]


def disco_decreases(experiment: str, curves: Curves, most: float) -> Row:
    """The claim that DISCO falls at every step, nowhere by `most` of the whole or more."""
    disco = curves["disco"]
    fall, n_steps = largest_fall(disco), len(disco) - 1
    ends = {"first": disco[0], "last": disco[-1]}
    holds = is_falling(disco) and fall < most
    return claim(f"{experiment}.disco", holds=holds, fall=per_cent(fall), n_steps=n_steps, **ends)


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
    data, labeling = panel.case(GENERATOR_SEEDS[0], place)
    source = Source(data, *make_points(data))
    labels_map(source.points, make_labels(labeling, source, LABELINGS), ax=ax, size=1.2)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(panel.name(place), fontsize="small")


# === How indices react to wrong labels: points of two moons that get the label of the other moon ==


_PER_CENT = 2.5  # points of a moon, of which there are 250


def _swaps(place: float) -> int:
    return round(_PER_CENT * place)


def _case_moons_swap(seed: int, place: float) -> tuple[Spec, Spec]:
    return spec("two moons", seed=seed), spec("swapped", swaps=_swaps(place))


MOONS_SWAP_PANEL = Panel(
    places=tuple(range(0, 51, 2)),
    axis="swapped labels, per cent of each moon",
    case=_case_moons_swap,
    drawn=(0, 10, 20, 30, 40, 50),
    unit=" %",
)


def _claims_moons_swap(by_program: Curves, by_definition: Curves) -> list[About]:
    return [
        (_most_decrease_moons_swap(by_program, by_definition), SHOWN),
        (_dbcv_drops(by_program["dbcv"], by_definition["dbcv"]), ("dbcv",)),
        *((row, ("dcsi",)) for row in _claims_on_dcsi(by_program["dcsi"], by_definition["dcsi"])),
        (disco_decreases("fig-moons-swap", by_program, 0.1), ("disco",)),
    ]


def _most_decrease_moons_swap(by_program: Curves, by_definition: Curves) -> Row:
    falling, defined = falling_indices(by_program), falling_indices(by_definition)
    return claim(
        "fig-moons-swap.most_decrease",
        f"{len(falling)} of {len(SHOWN)}: {', '.join(falling)}",
        holds="DISCO" in falling and 2 * len(falling) > len(SHOWN),
        n_defined=len(defined),
        defined=", ".join(defined),
    )


def _dbcv_drops(dbcv: FloatArray, defined: FloatArray) -> Row:
    two, four = MOONS_SWAP_PANEL.places.index(2), MOONS_SWAP_PANEL.places.index(4)
    note = f"Taken as -0.95 or below; by its definition {defined[four]:.3f}."
    # With few seeds both may have the same scores.
    if dbcv[two] - defined[two] >= 0.01:
        note += " " + read_text("fig-moons-swap.on_dbcv", defined=defined[two], dbcv=dbcv[two])
    return claim(
        "fig-moons-swap.dbcv", f"{dbcv[four]:.3f}", holds=bool(dbcv[four] <= -0.95), note=note
    )


def _claims_on_dcsi(dcsi: FloatArray, defined: FloatArray) -> list[Row]:
    few, many = np.array(MOONS_SWAP_PANEL.places) < 10, np.array(MOONS_SWAP_PANEL.places) > 14
    return [
        claim(
            "fig-moons-swap.dcsi_below",
            f"{dcsi[few].min():.3f} or more",
            holds=bool(dcsi[few].min() >= 0.95),
            first=defined[0],
            last=defined[few][-1],
        ),
        claim(
            "fig-moons-swap.dcsi_above",
            f"{dcsi[many].max():.3f} or less",
            holds=bool(dcsi[many].max() <= 0.05),
            largest=defined[many].max(),
        ),
    ]


MOONS_SWAP_EXPERIMENT = panel_experiment(
    "fig-moons-swap", MOONS_SWAP_PANEL, _claims_moons_swap, read_text("fig-moons-swap.note")
)


# === How indices react to two clusters that move apart ============================================


def _case_separation(seed: int, place: float) -> tuple[Spec, Spec]:
    return spec("separated discs", seed=seed, half_distance=place), GROUND_TRUTH


SEPARATION_PANEL = Panel(
    places=tuple(step / 2 for step in range(31)),
    axis="half the distance between the centers (the discs touch at 2)",
    case=_case_separation,
    drawn=(0, 2, 3, 6, 9, 15),
)


_OVERLAPPING, _SEPARATE = 1.5, 2.5  # the last place before the discs touch, the first after it
_SHARP = ("disco", "dbcv", "dcsi")
_LINEAR = ("cdbw", "cvdd")


def sharpness(curve: FloatArray) -> float:
    """Which share of its whole rise a curve makes while the discs separate."""
    before, after = (SEPARATION_PANEL.places.index(place) for place in (_OVERLAPPING, _SEPARATE))
    return float((curve[after] - curve[before]) / np.ptp(curve))


def _claims_separation(by_program: Curves, by_definition: Curves) -> list[About]:
    sharp, sharp_defined = (_listed(curves, _SHARP) for curves in (by_program, by_definition))
    others = {name: sharpness(by_program[name]) for name in SHOWN if name not in _SHARP}
    nearest = max(others, key=lambda name: others[name])
    straight = {name: straightness(SEPARATION_PANEL.places, by_program[name]) for name in _LINEAR}
    defined = {name: straightness(SEPARATION_PANEL.places, by_definition[name]) for name in _LINEAR}
    cvdd, touching = by_program["cvdd"], SEPARATION_PANEL.places.index(_OVERLAPPING)
    rises_sharply = claim(
        "fig-separation.sharp",
        f"share of their rise from {_OVERLAPPING} to {_SEPARATE}: {sharp}",
        holds=all(sharpness(by_program[name]) >= 0.5 for name in _SHARP),
        nearest=INDEX_TITLES[nearest],
        share=per_cent(others[nearest]),
        defined=sharp_defined,
    )
    rises_linearly = claim(
        "fig-separation.linear",
        holds=min(straight.values()) >= 0.98,
        shares=", ".join(
            f"{per_cent(share, 1)} of {INDEX_TITLES[name]}" for name, share in straight.items()
        ),
        defined=" and ".join(f"{per_cent(share, 1)}" for share in defined.values()),
        places=(_OVERLAPPING, _SEPARATE),
        below=np.ceil(cvdd[: touching + 1].max()),
        above=cvdd[SEPARATION_PANEL.places.index(_SEPARATE)],
    )
    # The first compares all indices in its note.
    return [(rises_sharply, SHOWN), (rises_linearly, _LINEAR)]


def _listed(curves: Curves, names: tuple[str, ...]) -> str:
    return ", ".join(f"{INDEX_TITLES[name]} {per_cent(sharpness(curves[name]))}" for name in names)


SEPARATION_EXPERIMENT = panel_experiment(
    "fig-separation", SEPARATION_PANEL, _claims_separation, read_text("fig-separation.note")
)


# === How indices react to fuzzy borders: two moons whose points are scattered more and more =======


def _case_moons_jitter(seed: int, place: float) -> tuple[Spec, Spec]:
    return spec("two moons", seed=seed, jitter=place / 100), GROUND_TRUTH


MOONS_JITTER_PANEL = Panel(
    places=tuple(range(21)),
    axis="jitter, per cent of the radius",
    case=_case_moons_jitter,
    drawn=(0, 1, 5, 10, 15, 20),
    unit=" %",
)


def _claims_moons_jitter(by_program: Curves, by_definition: Curves) -> list[About]:
    return [
        (disco_decreases("fig-moons-jitter", by_program, 0.2), ("disco",)),
        (_most_decrease_moons_jitter(by_program, by_definition), SHOWN),
        (_cvdd_drops(by_program["cvdd"], by_definition["cvdd"]), ("cvdd",)),
        (_silhouette_stays(by_program["silhouette"]), ("silhouette",)),
        (_lccv_drops(by_program["lccv"], by_definition["lccv"]), ("lccv",)),
    ]


def _silhouette_stays(silhouette: FloatArray) -> Row:
    return claim(
        "fig-moons-jitter.silhouette",
        f"{silhouette[0]:.3f} to {silhouette[-1]:.3f}",
        holds=bool(np.ptp(silhouette) <= 0.05),
    )


def _lccv_drops(lccv: FloatArray, defined: FloatArray) -> Row:
    dip, dip_defined = _deepest_fall(lccv), _deepest_fall(defined)
    note = "The saved plot has the drop at 1 %" + (", as we do." if dip == 1 else ".")
    if dip_defined == dip:
        note += f" It is no fault of the program: by its definition LCCV drops at {dip:g} %, too."
    else:
        note += f" By its definition LCCV drops at {dip_defined:g} %."
    return claim("fig-moons-jitter.lccv", f"{dip:g} %", holds=dip == 2, note=note)


def _deepest_fall(curve: FloatArray) -> float:
    """The place that the largest fall leads to."""
    return MOONS_JITTER_PANEL.places[int(np.diff(curve).argmin()) + 1]


def _most_decrease_moons_jitter(by_program: Curves, by_definition: Curves) -> Row:
    falling, defined = falling_indices(by_program), falling_indices(by_definition)
    lost = [title for title in falling if title not in defined]
    cdbw = by_definition["cdbw"]
    note = f"By the definitions: {', '.join(defined)}."
    if "CDbw" in lost:
        note += " " + read_text(
            "fig-moons-jitter.on_cdbw",
            first=cdbw[0],
            highest=cdbw.max(),
            place=MOONS_JITTER_PANEL.places[int(cdbw.argmax())],
            deviations=describe_deviations("cdbw"),
        )
    return claim(
        "fig-moons-jitter.most_decrease",
        f"{len(falling)} of {len(SHOWN)} at every step: {', '.join(falling)}",
        holds="DISCO" in falling and 2 * len(falling) > len(SHOWN),
        note=note,
    )


def _cvdd_drops(cvdd: FloatArray, defined: FloatArray) -> Row:
    return claim(
        "fig-moons-jitter.cvdd",
        f"at 1 % it has {per_cent(cvdd[1] / cvdd[0], 1)} of its value without jitter",
        holds=bool(cvdd[1] / cvdd[0] <= 0.1),
        share=per_cent(defined[1] / defined[0], 1),
        cvdd=cvdd,
        last=cvdd[-1],
    )


MOONS_JITTER_EXPERIMENT = panel_experiment(
    "fig-moons-jitter", MOONS_JITTER_PANEL, _claims_moons_jitter
)


# === Mislabeled points, separation and fuzzy borders together, as the paper shows them ============


_SWAP, _SEPARATION, _JITTER = MOONS_SWAP_PANEL, SEPARATION_PANEL, MOONS_JITTER_PANEL
_PANELS = {"Mislabeled points": _SWAP, "Separation": _SEPARATION, "Fuzzy borders": _JITTER}
_ABRUPT = ("dbcv", "cvdd", "cdbw", "dcsi")


def sensitivity_cells(scope: Scope) -> list[Cell]:
    """Every index in every panel, by the paper's programs."""
    return [
        cell for panel in _PANELS.values() for cell in panel_cells(panel, scope, ("published",))
    ]


def sensitivity_report(found: Outcomes, scope: Scope) -> Report:
    """The figure, and what the paper's main text says about it."""
    swap, jitter = (mean_curves(panel, found, scope, "published") for panel in (_SWAP, _JITTER))
    with np.errstate(all="ignore"):
        abrupt, bias = _abrupt_drops(swap), _bias_of_lccv(jitter)
    rows = (
        known_claim((abrupt, SHOWN), [swap], found, scope),
        known_claim((bias, ("lccv",)), [jitter], found, scope),
    )
    panels = {
        title: (panel, panel_scores(panel, found, scope, "published"))
        for title, panel in _PANELS.items()
    }
    figure = Figure("", read_text("fig-sensitivity.caption"), partial(draw_panels, panels))
    return Report(rows, (figure,), (read_text("fig-sensitivity.note"),))


def _abrupt_drops(curves: Curves) -> Row:
    falls = {name: largest_fall(curves[name]) for name in SHOWN}
    ranked = sorted(falls, key=lambda name: -falls[name])
    return claim(
        "fig-sensitivity.abrupt",
        ", ".join(f"{INDEX_TITLES[name]} {per_cent(falls[name])}" for name in ranked),
        holds=set(ranked[: len(_ABRUPT)]) == set(_ABRUPT),
    )


def _bias_of_lccv(curves: Curves) -> Row:
    lccv = curves["lccv"]
    best = 1 + int(lccv[1:].argmax())
    place = _JITTER.places[best]
    return claim(
        "fig-sensitivity.lccv", holds=4 <= place <= 6, place=place, highest=lccv[best], lccv=lccv
    )


SENSITIVITY_EXPERIMENT = Experiment(
    INFOS["fig-sensitivity"], sensitivity_cells, sensitivity_report, labelings=LABELINGS
)
