"""Noise points by rho_sparse and rho_far, drawn from NoiseDisplay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._output.shown_values import score_text
from disco_cvi.plots.noise import ZONES
from disco_cvi.report.charts.svg import area, drawing, element, line, number, words

if TYPE_CHECKING:
    from disco_cvi.plots.noise import NoiseDisplay

_LEFT, _TOP, _SIDE = 60.0, 20.0, 420.0
# More points than that are counted in cells: each is some bytes of the page.
_MOST_POINTS = 1000
# The shapes of the three zones around a place, so that color is not all that tells them apart.
_SHAPES = (
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
    "m0 -4l4 4l-4 4l-4 -4z",
    "m0 -4l4 7h-8z",
)


def noise(display: NoiseDisplay) -> str:
    """The three zones with their points, and their numbers in the half where none can lie."""
    few = len(display.rho_far) <= _MOST_POINTS
    ticks = (-1.0, -0.5, 0.0, 0.5, 1.0)
    parts = [
        area([(_x(-1), _y(-1)), (_x(1), _y(1)), (_x(1), _y(-1))], "shade"),
        _points(display) if few else _cells(display),
        line(_x(-1), _y(0), _x(1), _y(0)),
        line(_x(0), _y(0), _x(0), _y(1)),
        _key(display.counts),
        *(words(_x(tick), _y(-1) + 16, score_text(tick, 1), "soft", "middle") for tick in ticks),
        *(words(_x(-1) - 6, _y(tick) + 4, score_text(tick, 1), "soft", "end") for tick in ticks),
        words(_x(0), _y(-1) + 34, "rho_sparse: is the place sparse enough?", "soft", "middle"),
        element(
            "text",
            "soft",
            "rho_far: how far from being absorbed?",
            transform=f"translate(14 {number(_y(0))}) rotate(-90)",
            text_anchor="middle",
        ),
    ]
    counted = (f"{n:,} {zone.name}" for zone, n in zip(ZONES, display.counts, strict=True))
    return drawing(500, 490, f"Noise points: {', '.join(counted)}.", "".join(parts))


def _x(rho_sparse: float) -> float:
    return _LEFT + (rho_sparse + 1) / 2 * _SIDE


def _y(rho_far: float) -> float:
    return _TOP + (1 - rho_far) / 2 * _SIDE


def _points(display: NoiseDisplay) -> str:
    parts = []
    for zone, shape in enumerate(_SHAPES):
        chosen = display.zones == zone
        places = zip(
            display.rho_sparse[chosen].tolist(), display.rho_far[chosen].tolist(), strict=True
        )
        path = "".join(f"M{number(_x(x))} {number(_y(y))}{shape}" for x, y in places)
        if path:
            parts.append(element("path", f"zone-{zone}", d=path, fill_opacity="0.75"))
    return "".join(parts)


def _cells(display: NoiseDisplay) -> str:
    """Counts in cells that touch but do not overlap, stronger where there are more."""
    cells = display.count_cells()
    strength = 0.3 + 0.7 * np.log1p(cells.counts) / np.log1p(cells.counts.max())
    side = cells.side / 2 * _SIDE
    return "".join(
        element(
            "rect",
            f"zone-{zone}",
            x=_x(x),
            y=_y(y) - side,
            width=side,
            height=side,
            fill_opacity=f"{share:.2f}",
            shape_rendering="crispEdges",
        )
        for x, y, zone, share in zip(
            cells.x.tolist(), cells.y.tolist(), cells.zones.tolist(), strength.tolist(), strict=True
        )
    )


def _key(counts: tuple[int, int, int]) -> str:
    parts = []
    for zone, (meaning, n_points, shape) in enumerate(zip(ZONES, counts, _SHAPES, strict=True)):
        y = 290.0 + 46 * zone
        parts.append(element("path", f"zone-{zone}", d=f"M466 {number(y - 4)}{shape}"))
        parts.append(words(456, y, f"{meaning.name} {n_points:,}", "strong", "end"))
        parts.append(words(456, y + 16, meaning.meaning, "soft", "end"))
    return "".join(parts)
