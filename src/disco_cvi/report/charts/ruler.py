"""The scale from -1 to 1: with the score marked and words below it, and as the key of the map."""

from __future__ import annotations

from disco_cvi._output.shown_values import MINUS, score_text
from disco_cvi.plots.style import SCORE_RAMPS
from disco_cvi.report.charts.svg import drawing, element, line, words
from disco_cvi.results.words import IN_PART, WELL

_WIDTH, _LEFT = 360.0, 20.0


def ruler(score: float) -> str:
    """The scale with the score marked, and where its words begin."""
    ends = (-1.0, -IN_PART, IN_PART, WELL, 1.0)
    names = ("against", "hardly", "in part", "well")
    parts = [_ramp(_LEFT, 20, _WIDTH, 12)]
    parts += [line(_place(end), 18, _place(end), 34) for end in ends[1:-1]]
    parts += [
        words(_place((low + high) / 2), 50, name, "soft", "middle")
        for low, high, name in zip(ends[:-1], ends[1:], names, strict=True)
    ]
    parts.append(element("path", "solid", d=f"M{_place(score):.1f} 19l-6 -11h12z"))
    return drawing(400, 56, f"Scale from {MINUS}1 to 1, {score_text(score)} marked", "".join(parts))


def color_key() -> str:
    """What the colors of the map mean."""
    low, high = words(20, 14, f"{MINUS}1", anchor="end"), words(218, 14, "1")
    svg = drawing(
        240, 20, f"Colors from {MINUS}1 to 1", f"{low}{_ramp(24, 4, 190, 10, 'key')}{high}"
    )
    return svg.replace("<svg ", '<svg id="scale" class="key" ', 1)


def _place(score: float) -> float:
    return _LEFT + (score + 1) / 2 * _WIDTH


def _ramp(x: float, y: float, width: float, height: float, name: str = "ramp") -> str:
    n_stops = len(SCORE_RAMPS["light"])
    stops = "".join(
        element("stop", f"stop-{place}", offset=f"{100 * place // (n_stops - 1)}%")
        for place in range(n_stops)
    )
    gradient = element("linearGradient", content=stops, id=name)
    bar = element("rect", x=x, y=y, width=width, height=height, rx=2, fill=f"url(#{name})")
    return f"<defs>{gradient}</defs>{bar}"
