"""What DBSCAN is worth at every eps, drawn from EpsCurveDisplay."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, percent
from disco_cvi.report.charts.svg import box, drawing, element, line, log_steps, number, words

if TYPE_CHECKING:
    from disco_cvi._compute.arrays import FloatArray
    from disco_cvi.plots.eps import EpsCurveDisplay
    from disco_cvi.plots.eps import Span

Scale = Callable[[float], float]

_LEFT, _RIGHT = 70.0, 800.0
_LINE = 16.0  # the height of a line of text
# Top and bottom of the three panels.
_SCORES, _CLUSTERS, _NOISE = (24.0, 174.0), (196.0, 256.0), (278.0, 328.0)


def eps_curve(display: EpsCurveDisplay) -> str:
    """Scores, number of clusters and share of noise above each other, over eps."""
    view = display.view  # found anew each time it is asked for
    parts = [
        box(_x(view, span.low), _SCORES[0], _x(view, span.high), _NOISE[1], "shade")
        for n_clusters in (0, 1)
        for span in display.stretches(n_clusters)
    ]
    parts += [
        _draw_scores(display, view),
        _draw_clusters(display, view),
        _draw_noise(display, view),
    ]
    for eps in log_steps(view.low, view.high, 6):
        parts.append(words(_x(view, eps), _NOISE[1] + 16, f"{eps:.3g}", "soft", "middle"))
    note = "eps, logarithmic; grey where there are fewer than two clusters"
    parts.append(words((_LEFT + _RIGHT) / 2, _NOISE[1] + 34, note, "soft", "middle"))
    return drawing(900, _NOISE[1] + 42, f"{display.title}.", "".join(parts))


def _x(view: Span, eps: float) -> float:
    return _LEFT + view.share(eps) * (_RIGHT - _LEFT)


def _draw_scores(display: EpsCurveDisplay, view: Span) -> str:
    best, level = display.best, display.of_labels
    pair, disco = display.curve("score"), display.curve("disco")
    values = np.concatenate([pair[1], disco[1], [0.0 if level is None else level]])
    ticks = _score_ticks(float(values.min()), float(values.max()))
    y = _linear(ticks[0], ticks[-1], _SCORES)
    parts = [_rule(y(tick), score_text(tick, 1)) for tick in ticks]
    parts.append(_curve(view, disco, y, "dotted"))
    parts.append(_curve(view, pair, y, "curve"))
    ends = _apart(y(float(pair[1][-1])), y(float(disco[1][-1])))
    parts.append(words(_RIGHT + 6, ends[0] + 4, "pair score", "strong"))
    parts.append(words(_RIGHT + 6, ends[1] + 4, "DISCO", "soft"))
    if level is not None:
        parts.append(line(_LEFT, y(level), _RIGHT, y(level), stroke_dasharray="4 3"))
        text = f"these labels, pair score {score_text(level)}"
        # Above the line, unless the curve begins there.
        beside = -4 if abs(y(float(pair[1][0])) - y(level)) > _LINE else 13
        parts.append(words(_LEFT + 4, y(level) + beside, text, "text"))
    if best.score > 0:
        parts.append(_draw_best(display, view, y))
    return "".join(parts)


def _apart(first: float, second: float) -> tuple[float, float]:
    """The heights of two names beside their lines, moved apart where they would touch.

    >>> _apart(50.0, 90.0), _apart(50.0, 50.0), _apart(54.0, 50.0)
    ((50.0, 90.0), (42.0, 58.0), (60.0, 44.0))
    """
    if abs(first - second) >= _LINE:
        return first, second
    middle, shift = (first + second) / 2, math.copysign(_LINE / 2, second - first)
    return middle - shift, middle + shift


def _draw_best(display: EpsCurveDisplay, view: Span, y: Scale) -> str:
    """The best eps, and the range that is almost as good."""
    best, good = display.best, display.good
    eps = float(getattr(best, "eps", 0.0))
    x = min(max(_x(view, eps), _LEFT), _RIGHT)
    anchor = "start" if x < 280 else "end" if x > 620 else "middle"
    text = (
        f"best: {score_text(best.score)} at eps {eps:.4g}, "
        f"{count(best.n_clusters, 'cluster')}, {percent(best.noise_share)} noise"
    )
    dot = element("circle", "above", cx=x, cy=y(best.score), r=5)
    label = words(x, _SCORES[0] - 8, text, "strong", anchor)
    stem = line(x, _SCORES[0] - 4, x, y(best.score))
    if good is None:
        return stem + dot + label
    low, high = _x(view, good.low), _x(view, good.high)
    return box(low, _SCORES[1] - 3, high, _SCORES[1] + 3, "above") + stem + dot + label


def _draw_clusters(display: EpsCurveDisplay, view: Span) -> str:
    """On a logarithmic scale that has a 0."""
    curve = display.curve("n_clusters")
    most = max(int(curve[1].max()), 2)
    scale = _linear(0.0, math.log1p(most), _CLUSTERS)
    # 2 has room between 0 and the most where these are neither near nor very far.
    ticks = [0, 2, most] if 4 < most < 150 else [0, most]
    parts = [_rule(scale(math.log1p(tick)), f"{tick:,}") for tick in ticks]
    parts.append(_curve(view, curve, lambda n: scale(math.log1p(n)), "curve"))
    parts.append(words(_RIGHT + 6, sum(_CLUSTERS) / 2 + 4, "clusters", "soft"))
    return "".join(parts)


def _draw_noise(display: EpsCurveDisplay, view: Span) -> str:
    scale = _linear(0.0, 1.0, _NOISE)
    parts = [_rule(scale(share), percent(share)) for share in (0.0, 1.0)]
    parts.append(_curve(view, display.curve("noise_share"), scale, "curve"))
    parts.append(words(_RIGHT + 6, sum(_NOISE) / 2 + 4, "noise", "soft"))
    return "".join(parts)


def _linear(low: float, high: float, panel: tuple[float, float]) -> Scale:
    top, bottom = panel
    return lambda value: bottom - (value - low) / (high - low) * (bottom - top)


def _score_ticks(low: float, high: float) -> list[float]:
    """Round values, from 0 or less to the highest score or more."""
    span = high - min(low, 0)
    step = 0.1 if span <= 0.5 else 0.2 if span <= 1 else 0.5
    first, last = math.floor(min(low, 0) / step), max(math.ceil(high / step), 1)
    return [step * tick for tick in range(first, last + 1)]


def _rule(y: float, text: str) -> str:
    return line(_LEFT, y, _RIGHT, y, "rule") + words(_LEFT - 6, y + 4, text, "soft", "end")


def _curve(view: Span, curve: tuple[FloatArray, FloatArray], scale: Scale, look: str) -> str:
    """A line of steps; of all corners in one pixel across only what is seen."""
    columns: dict[int, list[float]] = {}
    for eps, value in zip(*(axis.tolist() for axis in curve), strict=True):
        columns.setdefault(round(_x(view, eps)), []).append(scale(value))
    corners: list[str] = []
    for x, column in columns.items():
        seen = (column[0], min(column), max(column), column[-1])
        corners += dict.fromkeys(f"{x} {number(y)}" for y in seen)
    return element("polyline", look, points=" ".join(corners))
