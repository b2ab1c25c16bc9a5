"""How indices react to fuzzy borders: two moons whose points are scattered more and more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.datasets.generators import two_moons
from disco_paper.judging import Experiment, Report, Row, claim
from disco_paper.paper import INFOS
from disco_paper.published import describe_deviations
from disco_paper.sensitivity.panels import (
    SHOWN,
    About,
    Curves,
    Panel,
    falling_indices,
    is_falling,
    largest_fall,
    panel_cells,
    panel_report,
    per_cent,
)

NAME = "fig-moons-jitter"


def _case(seed: int, place: float) -> tuple[Spec, Spec]:
    return spec("two moons", seed=seed, jitter=place / 100), GROUND_TRUTH


def _points(seed: int, place: float) -> LabeledPoints:
    return LabeledPoints(*two_moons(seed=seed, jitter=place / 100))


PANEL = Panel(
    places=tuple(range(21)),
    axis="jitter, per cent of the radius",
    case=_case,
    points=_points,
    drawn=(0, 1, 5, 10, 15, 20),
    unit=" %",
)


def cells(scope: Scope) -> list[Cell]:
    """Every index for every jitter, by the paper's programs and by definition."""
    return panel_cells(PANEL, scope, ("published", "original"))


def report(found: Outcomes, scope: Scope) -> Report:
    """The curves, and the claims on which of them decrease evenly."""
    return panel_report(PANEL, found, scope, _claims)


def _claims(by_program: Curves, by_definition: Curves) -> list[About]:
    return [
        (_disco_decreases(by_program["disco"]), ("disco",)),
        (_most_decrease(by_program, by_definition), SHOWN),
        (_cvdd_drops(by_program["cvdd"], by_definition["cvdd"]), ("cvdd",)),
        (_silhouette_stays(by_program["silhouette"]), ("silhouette",)),
        (_lccv_drops(by_program["lccv"], by_definition["lccv"]), ("lccv",)),
    ]


def _disco_decreases(disco: NDArray[np.float64]) -> Row:
    return claim(
        "DISCO decreases evenly",
        "yes",
        f"{disco[0]:.3f} to {disco[-1]:.3f}, at most {per_cent(largest_fall(disco))} of it in "
        f"one of {len(disco) - 1} steps",
        holds=is_falling(disco) and largest_fall(disco) < 0.2,
        note="Taken as: falls at every step, and nowhere by a fifth of the whole or more.",
    )


def _silhouette_stays(silhouette: NDArray[np.float64]) -> Row:
    return claim(
        "The Silhouette stays constant",
        "yes",
        f"{silhouette[0]:.3f} to {silhouette[-1]:.3f}",
        holds=bool(np.ptp(silhouette) <= 0.05),
        note="Taken as: changes by 0.05 or less.",
    )


def _lccv_drops(lccv: NDArray[np.float64], defined: NDArray[np.float64]) -> Row:
    dip, dip_defined = _deepest_fall(lccv), _deepest_fall(defined)
    note = "The saved plot has the drop at 1 %" + (", as we do." if dip == 1 else ".")
    if dip_defined == dip:
        note += f" It is no fault of the program: by its definition LCCV drops at {dip:g} %, too."
    else:
        note += f" By its definition LCCV drops at {dip_defined:g} %."
    return claim(
        "The jitter at which LCCV drops unexpectedly",
        "2 %",
        f"{dip:g} %",
        holds=dip == 2,
        note=note,
    )


def _deepest_fall(curve: NDArray[np.float64]) -> float:
    """The place that the largest fall leads to."""
    return PANEL.places[int(np.diff(curve).argmin()) + 1]


def _most_decrease(by_program: Curves, by_definition: Curves) -> Row:
    falling, defined = falling_indices(by_program), falling_indices(by_definition)
    lost = [title for title in falling if title not in defined]
    cdbw = by_definition["cdbw"]
    note = f"By the definitions: {', '.join(defined)}."
    if "CDbw" in lost:
        note += (
            f" CDbw then rises at first, from {cdbw[0]:.3f} to {cdbw.max():.3f} at "
            f"{PANEL.places[int(cdbw.argmax())]:g} %: it is the program alone that decreases at "
            f"every step. It {describe_deviations('cdbw')}."
        )
    return claim(
        "Most indices decrease",
        "most, DISCO among them",
        f"{len(falling)} of {len(SHOWN)} at every step: {', '.join(falling)}",
        holds="DISCO" in falling and 2 * len(falling) > len(SHOWN),
        note=note,
    )


def _cvdd_drops(cvdd: NDArray[np.float64], defined: NDArray[np.float64]) -> Row:
    return claim(
        "CVDD drops rapidly for very low jitter",
        "yes",
        f"at 1 % it has {per_cent(cvdd[1] / cvdd[0], 1)} of its value without jitter",
        holds=bool(cvdd[1] / cvdd[0] <= 0.1),
        note=f"Taken as a tenth or less; by its definition {per_cent(defined[1] / defined[0], 1)}. "
        "It is the start that is unusual: without jitter the points of a moon are evenly spaced, "
        f"and CVDD is {cvdd[0]:,.0f}. The plot divides by this value. From 1 % on CVDD falls "
        f"little by little, from {cvdd[1]:,.0f} to {cvdd[-1]:,.0f}, which the plot cannot show.",
    )


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
