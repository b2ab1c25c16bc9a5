"""All points in the order of the density tree, drawn from DensityLineDisplay."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._output.words import count
from disco_cvi.plots.display import name_cluster
from disco_cvi.report.charts.svg import (
    N_LABELS,
    box,
    drawing,
    element,
    line,
    log_steps,
    number,
    words,
)

if TYPE_CHECKING:
    from disco_cvi.plots.line import DensityLineDisplay, LineColumns, Run

_LEFT, _RIGHT, _TOP, _BOTTOM = 60.0, 806.0, 14.0, 234.0
_STRIP, _STRIP_HEIGHT = 242.0, 12.0
# More columns are not told apart at this width.
_COLUMNS = 800
# A letter is about so wide; a name that is wider than its stretch is left out.
_LETTER = 7.0


def density_line(display: DensityLineDisplay) -> str:
    """The line, the strip of labels below it, and the bar for noise."""
    columns, place = display.columns(_COLUMNS), _scale_of(display)
    runs = display.runs(columns)
    parts = [
        *(_tick(height, place) for height in _ticks(display)),
        *(_skyline(display, columns, run, place) for run in runs),
        *(_strip(display, run) for run in runs),
    ]
    if display.noise_bar:
        y = place(display.noise_bar)
        parts.append(line(_LEFT, y, _RIGHT, y, stroke_dasharray="4 3"))
        parts.append(words(_RIGHT + 6, y + 4, "bar for noise", "strong"))
    axis = f"{count(display.n_points, 'point')} in the order of the density tree; below, labels"
    parts.append(words((_LEFT + _RIGHT) / 2, 288, axis, "soft", "middle"))
    return drawing(900, 296, f"{display.title}.", "".join(parts))


def _x(display: DensityLineDisplay, point: float) -> float:
    return _LEFT + point / display.n_points * (_RIGHT - _LEFT)


def _range(display: DensityLineDisplay) -> tuple[float, float]:
    return display.floor, max(float(display.heights.max()), display.noise_bar or 0.0)


def _scale_of(display: DensityLineDisplay) -> Callable[[float], float]:
    """Where a height stands: logarithmic, if any step is above 0."""
    floor, top = _range(display)
    if not 0 < floor < top:
        return lambda height: _TOP if height > 0 else _BOTTOM
    low = math.log(floor)
    per = (_BOTTOM - _TOP) / (math.log(top) - low)
    return lambda height: _BOTTOM - (math.log(max(height, floor)) - low) * per


def _ticks(display: DensityLineDisplay) -> list[float]:
    """Four heights or so, in few digits."""
    floor, top = _range(display)
    if not 0 < floor < top:
        return [top] if top > 0 else []
    return sorted({float(f"{height:.2g}") for height in [*log_steps(floor, top, 4), top]})


def _tick(height: float, place: Callable[[float], float]) -> str:
    y = place(height)
    label = words(_LEFT - 6, y + 4, f"{height:.3g}", "soft", "end")
    return line(_LEFT, y, _RIGHT, y, "rule") + label


def _skyline(
    display: DensityLineDisplay, columns: LineColumns, run: Run, place: Callable[[float], float]
) -> str:
    """The columns of one label as one outline."""
    first, last = np.searchsorted(columns.edges, (run.low, run.high)).tolist()
    steps = "".join(
        f"V{number(place(height))}H{number(_x(display, edge))}"
        for height, edge in zip(
            columns.heights[first:last].tolist(),
            columns.edges[first + 1 : last + 1].tolist(),
            strict=True,
        )
    )
    path = f"M{number(_x(display, run.low))} {number(_BOTTOM)}{steps}V{number(_BOTTOM)}z"
    return element("path", _look(run.code), d=path)


def _strip(display: DensityLineDisplay, run: Run) -> str:
    left, right = _x(display, run.low), _x(display, run.high)
    # Noise is a thinner strip, so that color is not all that tells it apart.
    share = 1.0 if run.code >= 0 else 0.4
    bar = box(left, _STRIP, right, _STRIP + share * _STRIP_HEIGHT, _look(run.code))
    name = "noise" if run.code < 0 else name_cluster(display.names[run.code])
    if len(name) * _LETTER > right - left:
        return bar
    return bar + words((left + right) / 2, _STRIP + 25, name, anchor="middle")


def _look(code: int) -> str:
    return "noise" if code < 0 else f"label-{code % N_LABELS}"
