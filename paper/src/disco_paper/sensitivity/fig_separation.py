"""How indices react to two clusters that move apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.datasets.generators import separated_discs
from disco_paper.judging import Experiment, Report, claim
from disco_paper.paper import INDEX_TITLES, INFOS, read_texts
from disco_paper.sensitivity.panels import (
    SHOWN,
    About,
    Curves,
    Panel,
    panel_cells,
    panel_report,
    per_cent,
    straightness,
)

NAME = "fig-separation"
TEXTS = read_texts(NAME)


def _case(seed: int, place: float) -> tuple[Spec, Spec]:
    return spec("separated discs", seed=seed, half_distance=place), GROUND_TRUTH


def _points(seed: int, place: float) -> LabeledPoints:
    return LabeledPoints(*separated_discs(seed=seed, half_distance=place))


PANEL = Panel(
    places=tuple(step / 2 for step in range(31)),
    axis="half the distance between the centers (the discs touch at 2)",
    case=_case,
    points=_points,
    drawn=(0, 2, 3, 6, 9, 15),
)


_OVERLAPPING, _SEPARATE = 1.5, 2.5  # the last place before the discs touch, the first after it
_SHARP = ("disco", "dbcv", "dcsi")
_LINEAR = ("cdbw", "cvdd")


def cells(scope: Scope) -> list[Cell]:
    """Every index for every distance, by the paper's programs and by definition."""
    return panel_cells(PANEL, scope, ("published", "original"))


def report(found: Outcomes, scope: Scope) -> Report:
    """The curves, and the claims on which of them tell when the discs separate."""
    return panel_report(PANEL, found, scope, _claims, (TEXTS["note"],))


def sharpness(curve: NDArray[np.float64]) -> float:
    """Which share of its whole rise a curve makes while the discs separate."""
    before, after = (PANEL.places.index(place) for place in (_OVERLAPPING, _SEPARATE))
    return float((curve[after] - curve[before]) / np.ptp(curve))


def _claims(by_program: Curves, by_definition: Curves) -> list[About]:
    sharp, sharp_defined = (_listed(curves, _SHARP) for curves in (by_program, by_definition))
    others = {name: sharpness(by_program[name]) for name in SHOWN if name not in _SHARP}
    nearest = max(others, key=lambda name: others[name])
    straight = {name: straightness(PANEL.places, by_program[name]) for name in _LINEAR}
    defined = {name: straightness(PANEL.places, by_definition[name]) for name in _LINEAR}
    cvdd, touching = by_program["cvdd"], PANEL.places.index(_OVERLAPPING)
    rises_sharply = claim(
        "DISCO, DBCV and DCSI rise sharply when the discs separate",
        "yes",
        f"share of their rise from {_OVERLAPPING} to {_SEPARATE}: {sharp}",
        holds=all(sharpness(by_program[name]) >= 0.5 for name in _SHARP),
        note=f"Taken as half of the whole rise or more. Of the others {INDEX_TITLES[nearest]} "
        f"comes nearest ({per_cent(others[nearest])}). By the definitions: {sharp_defined}.",
    )
    rises_linearly = claim(
        "CDbw and CVDD rise linearly",
        "yes",
        "a straight line explains "
        + ", ".join(
            f"{per_cent(share, 1)} of {INDEX_TITLES[name]}" for name, share in straight.items()
        ),
        holds=min(straight.values()) >= 0.98,
        note="Taken as 98 % of the variance or more; by the definitions "
        + " and ".join(f"{per_cent(share, 1)}" for share in defined.values())
        + ". The line begins where the discs touch, which the scaling of the plot hides: up to "
        f"{_OVERLAPPING} CVDD stays below {np.ceil(cvdd[: touching + 1].max()):.0f}, at "
        f"{_SEPARATE} it is {cvdd[PANEL.places.index(_SEPARATE)]:.0f}.",
    )
    # The first compares all indices in its note.
    return [(rises_sharply, SHOWN), (rises_linearly, _LINEAR)]


def _listed(curves: Curves, names: tuple[str, ...]) -> str:
    return ", ".join(f"{INDEX_TITLES[name]} {per_cent(sharpness(curves[name]))}" for name in names)


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
