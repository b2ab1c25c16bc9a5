"""Mislabeled points, separation and fuzzy borders together, as the paper shows them."""

from __future__ import annotations

from functools import partial

import numpy as np

from disco_paper.cells import Cell, Outcomes, Scope
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INDEX_TITLES, INFOS, read_texts
from disco_paper.sensitivity import fig_moons_jitter, fig_moons_swap, fig_separation
from disco_paper.sensitivity.panels import (
    SHOWN,
    Curves,
    draw_panels,
    known_claim,
    largest_fall,
    mean_curves,
    panel_cells,
    panel_scores,
    per_cent,
)

NAME = "fig-sensitivity"
TEXTS = read_texts(NAME)

_SWAP, _SEPARATION, _JITTER = fig_moons_swap.PANEL, fig_separation.PANEL, fig_moons_jitter.PANEL
_PANELS = {"Mislabeled points": _SWAP, "Separation": _SEPARATION, "Fuzzy borders": _JITTER}
_ABRUPT = ("dbcv", "cvdd", "cdbw", "dcsi")


def cells(scope: Scope) -> list[Cell]:
    """Every index in every panel, by the paper's programs."""
    return [
        cell for panel in _PANELS.values() for cell in panel_cells(panel, scope, ("published",))
    ]


def report(found: Outcomes, scope: Scope) -> Report:
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
    figure = Figure(
        "",
        "Eight indices by the paper's programs, scaled as in the paper, over data that change "
        "along the axes. Lines are means over the seeds, bands the 75 % bootstrap interval of the "
        "mean.",
        partial(draw_panels, panels),
    )
    return Report(rows, (figure,), (TEXTS["note"],))


def _abrupt_drops(curves: Curves) -> Row:
    falls = {name: largest_fall(curves[name]) for name in SHOWN}
    ranked = sorted(falls, key=lambda name: -falls[name])
    return claim(
        "Indices that drop abruptly as points are mislabeled, against DISCO",
        "DBCV, CVDD, CDbw, DCSI",
        ", ".join(f"{INDEX_TITLES[name]} {per_cent(falls[name])}" for name in ranked),
        holds=set(ranked[: len(_ABRUPT)]) == set(_ABRUPT),
        note="Ours: the largest fall within 2 % of the labels, as a share of the whole extent of "
        "the curve. Judged by rank: these four must fall most.",
    )


def _bias_of_lccv(curves: Curves) -> Row:
    lccv = curves["lccv"]
    best = 1 + int(lccv[1:].argmax())
    place = _JITTER.places[best]
    return claim(
        "The jitter that LCCV is biased towards",
        "around 5 %",
        f"{place:g} %: {lccv[best]:.3f}, against {lccv[0]:.3f} without jitter and {lccv[1]:.3f} "
        "at 1 %",
        holds=4 <= place <= 6,
        note="Ours: where LCCV is highest, the data without jitter left out.",
    )


EXPERIMENT = Experiment(INFOS[NAME], cells, report, labelings=fig_moons_swap.LABELINGS)
