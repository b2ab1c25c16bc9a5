"""The drawings of a report, as SVG: what the displays of `disco_cvi.plots` hold, in few bytes.

matplotlib's own SVG of these displays is five times as large and takes twenty times as long. It has
the colors of one theme, and styles inside its tags, which the policy of the page forbids.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._output.shown_values import MINUS, score_text, share_text
from disco_cvi._output.words import count, percent, printable
from disco_cvi.plots.bars import ScoreBarsDisplay, ScoreBlock
from disco_cvi.plots.eps import EpsCurveDisplay
from disco_cvi.plots.line import DensityLineDisplay, LineColumns, Run
from disco_cvi.plots.noise import ZONES, NoiseDisplay
from disco_cvi.plots.style import LIGHT, TICKS
from disco_cvi.report.svg import area, box, drawing, element, line, log_steps, number, words
from disco_cvi.results.words import IN_PART, WELL

if TYPE_CHECKING:
    from disco_cvi._compute.arrays import FloatArray
    from disco_cvi.report.study import Study

Scale = Callable[[float], float]

_TEXT = 16.0  # the height of a line of text


def draw_all(study: Study) -> dict[str, Any]:
    """Return every drawing of the report of a study; one that has nothing to show is None."""
    explanation, tree = study.explanation, study.tree
    noise_display = NoiseDisplay.from_explanation(explanation)
    labels = study.clustering.labels
    return {
        "ruler": ruler(explanation.score),
        "key": color_key(),
        "bars": bars(ScoreBarsDisplay.from_explanation(explanation)),
        "noise": noise(noise_display) if sum(noise_display.counts) else None,
        "eps": tree and eps_curve(EpsCurveDisplay(tree.eps_path(), explanation.pair_score)),
        "line": tree and density_line(DensityLineDisplay.from_tree(tree, labels)),
        "strips": [strip(one.points.score) for one in study.explanations.values()],
    }


def _linear(low: float, high: float, first: float, last: float) -> Scale:
    """Where values are drawn: `low` at `first`, `high` at `last`."""
    return lambda value: first + (value - low) / (high - low) * (last - first)


def _label(code: int) -> str:
    return "noise" if code < 0 else f"label-{code % len(LIGHT.labels)}"


# --- the scale from -1 to 1, and small histograms -------------------------------------------------


def ruler(score: float) -> str:
    """The scale with the score marked, and where its words begin."""
    x = _linear(-1, 1, 20, 380)
    ends = (-1.0, -IN_PART, IN_PART, WELL, 1.0)
    parts = [_ramp(20, 20, 360, 12, "ramp")]
    parts += [line(x(end), 18, x(end), 34) for end in ends[1:-1]]
    for low, high, name in zip(
        ends[:-1], ends[1:], ("against", "hardly", "in part", "well"), strict=True
    ):
        parts.append(words(x((low + high) / 2), 50, name, "soft", "middle"))
    parts.append(element("path", "solid", d=f"M{x(score):.1f} 19l-6 -11h12z"))
    return drawing(400, 56, f"Scale from {MINUS}1 to 1, {score_text(score)} marked", "".join(parts))


def color_key() -> str:
    """What the colors of the map mean."""
    low, high = words(20, 14, f"{MINUS}1", anchor="end"), words(218, 14, "1")
    content = f"{low}{_ramp(24, 4, 190, 10, 'key')}{high}"
    return drawing(240, 20, f"Colors from {MINUS}1 to 1", content, 'id="scale" class="key" ')


def _ramp(x: float, y: float, width: float, height: float, name: str) -> str:
    last = len(LIGHT.ramp) - 1
    stops = "".join(
        element("stop", f"stop-{place}", offset=f"{100 * place // last}%")
        for place in range(last + 1)
    )
    gradient = element("linearGradient", content=stops, id=name)
    bar = element("rect", x=x, y=y, width=width, height=height, rx=2, fill=f"url(#{name})")
    return f"<defs>{gradient}</defs>{bar}"


def strip(scores: FloatArray) -> str:
    """How many points have which score, from -1 to 1; square roots, so that few are seen too."""
    counts, _ = np.histogram(scores, bins=40, range=(-1.0, 1.0))
    heights = 26 * np.sqrt(counts / counts.max())
    parts = [
        box(2 + 4 * place, 26 - height, 5.4 + 4 * place, 26, "above" if place >= 20 else "below")
        for place, height in enumerate(heights.tolist())
        if height
    ]
    return drawing(164, 26, "", "".join([*parts, line(82, 0, 82, 26)]))


# --- the sorted scores of each cluster's points ---------------------------------------------------

_BAR_COLUMNS = (("points", 745.0), ("mean", 815.0), ("below 0", 890.0))
_BAR_X = _linear(-1, 1, 150, 670)


def bars(display: ScoreBarsDisplay) -> str:
    """One block per cluster from the top, height by number of points; noise last."""
    bottom, blocks = 26.0, []
    for block in display.blocks:
        height = max(9.0, 420 * block.size / display.n_points)
        blocks.append(_bar_block(block, bottom, height))
        bottom += max(height, 13) + 5
    parts = []
    for tick in TICKS:
        x = _BAR_X(tick)
        parts.append(line(x, 22, x, bottom, "rule"))
        parts.append(words(x, bottom + 16, score_text(tick, 1), "soft", "middle"))
    parts += [words(x, 14, name, "soft", "end") for name, x in _BAR_COLUMNS]
    x = _BAR_X(display.score)
    parts.append(words(x, 14, f"score {score_text(display.score)}", "strong", "middle"))
    parts.append(line(x, 20, x, bottom, stroke_dasharray="4 3"))
    parts += [*blocks, line(_BAR_X(0), 22, _BAR_X(0), bottom)]
    title = f"{display.title}. The table of clusters holds the numbers."
    return drawing(900, bottom + 24, title, "".join(parts))


def _bar_block(block: ScoreBlock, y: float, height: float) -> str:
    scores = np.repeat(block.thinned(120), 2)
    edges = np.repeat(y + np.linspace(0, height, len(scores) // 2 + 1), 2)[1:-1]
    parts = []
    for look, part in (("above", np.maximum(scores, 0)), ("below", np.minimum(scores, 0))):
        if part.any():
            outline = zip(map(_BAR_X, part.tolist()), edges.tolist(), strict=True)
            parts.append(area([(_BAR_X(0), y), *outline, (_BAR_X(0), y + height)], look))
    if block.kind == "cluster":
        parts.append(box(138, y, 144, y + height, _label(block.code)))
    mean, middle = _BAR_X(block.mean), y + height / 2 + 4
    parts.append(line(mean, y, mean, y + height, stroke_width=2.4))
    parts.append(words(132, middle, block.name, anchor="end"))
    texts = (f"{block.size:,}", score_text(block.mean), share_text(block.share_negative))
    for (_, x), text in zip(_BAR_COLUMNS, texts, strict=True):
        parts.append(words(x, middle, text, anchor="end"))
    return "".join(parts)


# --- noise points by rho_sparse and rho_far -------------------------------------------------------

_NOISE_X, _NOISE_Y = _linear(-1, 1, 60, 480), _linear(-1, 1, 440, 20)
# More points than that are counted in cells: each is some bytes of the page.
_MOST_POINTS = 1000
# The shapes of the three zones around a place, so that color is not all that tells them apart.
_SHAPES = ("m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "m0 -4l4 4l-4 4l-4 -4z", "m0 -4l4 7h-8z")


def noise(display: NoiseDisplay) -> str:
    """The three zones with their points, and their numbers in the half where none can lie."""
    x, y = _NOISE_X, _NOISE_Y
    few = len(display.rho_far) <= _MOST_POINTS
    parts = [
        area([(x(-1), y(-1)), (x(1), y(1)), (x(1), y(-1))], "shade"),
        _noise_points(display) if few else _noise_cells(display),
        line(x(-1), y(0), x(1), y(0)),
        line(x(0), y(0), x(0), y(1)),
    ]
    for zone, (meaning, n_points) in enumerate(zip(ZONES, display.counts, strict=True)):
        top = 290.0 + 46 * zone
        parts.append(element("path", f"zone-{zone}", d=f"M466 {number(top - 4)}{_SHAPES[zone]}"))
        parts.append(words(456, top, f"{meaning.name} {n_points:,}", "strong", "end"))
        parts.append(words(456, top + 16, meaning.meaning, "soft", "end"))
    for tick in TICKS:
        parts.append(words(x(tick), y(-1) + 16, score_text(tick, 1), "soft", "middle"))
        parts.append(words(x(-1) - 6, y(tick) + 4, score_text(tick, 1), "soft", "end"))
    across = "rho_sparse: is the place sparse enough?"
    parts.append(words(x(0), y(-1) + 34, across, "soft", "middle"))
    upright = {"transform": f"translate(14 {number(y(0))}) rotate(-90)", "text_anchor": "middle"}
    parts.append(element("text", "soft", "rho_far: how far from being absorbed?", **upright))
    counted = (f"{n:,} {zone.name}" for zone, n in zip(ZONES, display.counts, strict=True))
    return drawing(500, 490, f"Noise points: {', '.join(counted)}.", "".join(parts))


def _noise_points(display: NoiseDisplay) -> str:
    places: list[list[str]] = [[], [], []]
    for zone, x, y in zip(display.zones, display.rho_sparse, display.rho_far, strict=True):
        places[zone].append(f"M{number(_NOISE_X(x))} {number(_NOISE_Y(y))}{_SHAPES[zone]}")
    return "".join(
        element("path", f"zone-{zone}", d="".join(part), fill_opacity="0.75")
        for zone, part in enumerate(places)
        if part
    )


def _noise_cells(display: NoiseDisplay) -> str:
    """Counts in cells that touch but do not overlap, stronger where there are more."""
    cells = display.count_cells()
    strength = 0.3 + 0.7 * np.log1p(cells.counts) / np.log1p(cells.counts.max())
    parts = []
    for x, y, zone, share in zip(cells.x, cells.y, cells.zones, strength, strict=True):
        left, right = _NOISE_X(x), _NOISE_X(x + cells.side)
        top, bottom = _NOISE_Y(y + cells.side), _NOISE_Y(y)
        look = {"fill_opacity": f"{share:.2f}", "shape_rendering": "crispEdges"}
        parts.append(box(left, top, right, bottom, f"zone-{zone}", **look))
    return "".join(parts)


# --- DBSCAN at every eps --------------------------------------------------------------------------

_EPS_LEFT, _EPS_RIGHT = 70.0, 800.0
# Bottom and top of the three panels.
_SCORES, _CLUSTERS, _NOISE = (174.0, 24.0), (256.0, 196.0), (328.0, 278.0)


def eps_curve(display: EpsCurveDisplay) -> str:
    """Scores, number of clusters and share of noise above each other, over eps."""
    share = display.view.share

    def x(eps: float) -> float:
        return _EPS_LEFT + share(eps) * (_EPS_RIGHT - _EPS_LEFT)

    bottom = _NOISE[0]
    parts = [
        box(x(span.low), _SCORES[1], x(span.high), bottom, "shade")
        for n_clusters in (0, 1)
        for span in display.stretches(n_clusters)
    ]
    parts.append(_eps_scores(display, x))
    clusters = display.curve("n_clusters")
    most = max(int(clusters[1].max()), 2)
    to_log = _linear(0.0, math.log1p(most), *_CLUSTERS)  # a logarithmic scale that has a 0
    # 2 has space between 0 and the most where these are neither near nor very far.
    ticks = [0, 2, most] if 4 < most < 150 else [0, most]
    parts += [_rule(to_log(math.log1p(tick)), f"{tick:,}") for tick in ticks]
    parts.append(_curve(x, clusters, lambda n: to_log(math.log1p(n)), "curve"))
    shares = _linear(0.0, 1.0, *_NOISE)
    parts += [_rule(shares(tick), percent(tick)) for tick in (0.0, 1.0)]
    parts.append(_curve(x, display.curve("noise_share"), shares, "curve"))
    for name, panel in (("clusters", _CLUSTERS), ("noise", _NOISE)):
        parts.append(words(_EPS_RIGHT + 6, sum(panel) / 2 + 4, name, "soft"))
    for eps in log_steps(display.view.low, display.view.high, 6):
        parts.append(words(x(eps), bottom + 16, f"{eps:.3g}", "soft", "middle"))
    note = "eps, logarithmic; grey where there are fewer than two clusters"
    parts.append(words((_EPS_LEFT + _EPS_RIGHT) / 2, bottom + 34, note, "soft", "middle"))
    return drawing(900, bottom + 42, f"{display.title}.", "".join(parts))


def _eps_scores(display: EpsCurveDisplay, x: Scale) -> str:
    best, level = display.best, display.of_labels
    pair, disco = display.curve("score"), display.curve("disco")
    values = np.concatenate([pair[1], disco[1], [0.0 if level is None else level]])
    ticks = _score_ticks(float(values.min()), float(values.max()))
    y = _linear(ticks[0], ticks[-1], *_SCORES)
    parts = [_rule(y(tick), score_text(tick, 1)) for tick in ticks]
    parts += [_curve(x, disco, y, "dotted"), _curve(x, pair, y, "curve")]
    # The names beside the ends of the lines, moved apart where they would touch.
    ends = [y(float(pair[1][-1])), y(float(disco[1][-1]))]
    if abs(ends[0] - ends[1]) < _TEXT:
        middle, shift = sum(ends) / 2, math.copysign(_TEXT / 2, ends[1] - ends[0])
        ends = [middle - shift, middle + shift]
    parts.append(words(_EPS_RIGHT + 6, ends[0] + 4, "pair score", "strong"))
    parts.append(words(_EPS_RIGHT + 6, ends[1] + 4, "DISCO", "soft"))
    if level is not None:
        parts.append(line(_EPS_LEFT, y(level), _EPS_RIGHT, y(level), stroke_dasharray="4 3"))
        text = f"these labels, pair score {score_text(level)}"
        # Above the line, unless the curve begins there.
        beside = -4 if abs(y(float(pair[1][0])) - y(level)) > _TEXT else 13
        parts.append(words(_EPS_LEFT + 4, y(level) + beside, text))
    if best.score <= 0:
        return "".join(parts)
    # The best eps, and the range that is almost as good.
    if (good := display.good) is not None:
        parts.append(box(x(good.low), _SCORES[0] - 3, x(good.high), _SCORES[0] + 3, "above"))
    eps = float(getattr(best, "eps", 0.0))
    place = min(max(x(eps), _EPS_LEFT), _EPS_RIGHT) if eps > 0 else _EPS_LEFT
    anchor = "start" if place < 280 else "end" if place > 620 else "middle"
    found = f"{count(best.n_clusters, 'cluster')}, {percent(best.noise_share)} noise"
    text = f"best: {score_text(best.score)} at eps {eps:.4g}, {found}"
    parts.append(line(place, _SCORES[1] - 4, place, y(best.score)))
    parts.append(element("circle", "above", cx=place, cy=y(best.score), r=5))
    parts.append(words(place, _SCORES[1] - 8, text, "strong", anchor))
    return "".join(parts)


def _score_ticks(low: float, high: float) -> list[float]:
    """Round values, from 0 or less to the highest score or more."""
    span = high - min(low, 0)
    step = 0.1 if span <= 0.5 else 0.2 if span <= 1 else 0.5
    first, last = math.floor(min(low, 0) / step), max(math.ceil(high / step), 1)
    return [step * tick for tick in range(first, last + 1)]


def _rule(y: float, text: str) -> str:
    rule = line(_EPS_LEFT, y, _EPS_RIGHT, y, "rule")
    return rule + words(_EPS_LEFT - 6, y + 4, text, "soft", "end")


def _curve(x: Scale, curve: tuple[FloatArray, FloatArray], y: Scale, look: str) -> str:
    """A line of steps; of all corners in one pixel across only what is seen."""
    columns: dict[int, list[float]] = {}
    for eps, value in zip(*(axis.tolist() for axis in curve), strict=True):
        columns.setdefault(round(x(eps)), []).append(y(value))
    corners: list[str] = []
    for place, column in columns.items():
        seen = (column[0], min(column), max(column), column[-1])
        corners += dict.fromkeys(f"{place} {number(height)}" for height in seen)
    return element("polyline", look, points=" ".join(corners))


# --- all points in the order of the density tree --------------------------------------------------

_LINE_LEFT, _LINE_RIGHT, _LINE_TOP, _LINE_BOTTOM = 60.0, 806.0, 14.0, 234.0


def density_line(display: DensityLineDisplay) -> str:
    """The line, the strip of labels below it, and the bar for noise."""
    columns = display.columns(800)  # more are not told apart at this width
    x = _linear(0, display.n_points, _LINE_LEFT, _LINE_RIGHT)
    floor, top = display.floor, max(float(display.heights.max()), display.noise_bar or 0.0)
    if 0 < floor < top:
        to_log = _linear(math.log(floor), math.log(top), _LINE_BOTTOM, _LINE_TOP)
        ticks = {float(f"{height:.2g}") for height in [*log_steps(floor, top, 4), top]}
    else:
        ticks = {top} if top > 0 else set()

    def y(height: float) -> float:
        if 0 < floor < top:  # logarithmic, if any step is above 0
            return to_log(math.log(max(height, floor)))
        return _LINE_TOP if height > 0 else _LINE_BOTTOM

    parts = []
    for height in sorted(ticks):
        parts.append(line(_LINE_LEFT, y(height), _LINE_RIGHT, y(height), "rule"))
        parts.append(words(_LINE_LEFT - 6, y(height) + 4, f"{height:.3g}", "soft", "end"))
    runs = display.runs(columns)
    parts += [_skyline(columns, run, x, y) for run in runs]
    for run in runs:
        left, right = x(run.low), x(run.high)
        # Noise is a thinner strip, so that color is not all that tells it apart.
        parts.append(box(left, 242, right, 254 if run.code >= 0 else 246.8, _label(run.code)))
        name = "noise" if run.code < 0 else printable(str(display.names[run.code]))
        if 7 * len(name) <= right - left:  # the width of a letter, nearly
            parts.append(words((left + right) / 2, 267, name, anchor="middle"))
    if display.noise_bar:
        bar = y(display.noise_bar)
        parts.append(line(_LINE_LEFT, bar, _LINE_RIGHT, bar, stroke_dasharray="4 3"))
        parts.append(words(_LINE_RIGHT + 6, bar + 4, "bar for noise", "strong"))
    axis = f"{count(display.n_points, 'point')} in the order of the density tree; below, labels"
    parts.append(words((_LINE_LEFT + _LINE_RIGHT) / 2, 288, axis, "soft", "middle"))
    return drawing(900, 296, f"{display.title}.", "".join(parts))


def _skyline(columns: LineColumns, run: Run, x: Scale, y: Scale) -> str:
    """The columns of one label as one outline."""
    first, last = np.searchsorted(columns.edges, (run.low, run.high)).tolist()
    edges = zip(columns.heights[first:last], columns.edges[first + 1 : last + 1], strict=True)
    steps = "".join(f"V{number(y(height))}H{number(x(edge))}" for height, edge in edges)
    bottom = number(_LINE_BOTTOM)
    return element("path", _label(run.code), d=f"M{number(x(run.low))} {bottom}{steps}V{bottom}z")
