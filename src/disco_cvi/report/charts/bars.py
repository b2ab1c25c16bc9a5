"""The sorted scores of each cluster's points, drawn from ScoreBarsDisplay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disco_cvi._output.shown_values import score_text, share_text
from disco_cvi.report.charts.svg import N_LABELS, area, box, drawing, line, words

if TYPE_CHECKING:
    from disco_cvi.plots.bars import ScoreBarsDisplay, ScoreBlock

_LEFT, _RIGHT, _TOP = 150.0, 670.0, 26.0
_WIDTH, _HEIGHT, _LOWEST = 900.0, 420.0, 9.0
# A line of text needs as much.
_LINE = 13.0
_CORNERS = 120
_COLUMNS = (("points", 745.0), ("mean", 815.0), ("below 0", 890.0))


def bars(display: ScoreBarsDisplay) -> str:
    """One block per cluster from the top, height by number of points; noise last."""
    y, blocks = _TOP, []
    for block in display.blocks:
        height = max(_LOWEST, _HEIGHT * block.size / display.n_points)
        blocks.append(_block(block, y, height))
        y += max(height, _LINE) + 5
    parts = [
        *(_tick(tick, y) for tick in (-1.0, -0.5, 0.0, 0.5, 1.0)),
        *(words(x, 14, name, "soft", "end") for name, x in _COLUMNS),
        words(_place(display.score), 14, f"score {score_text(display.score)}", "strong", "middle"),
        line(_place(display.score), 20, _place(display.score), y, stroke_dasharray="4 3"),
        *blocks,
        line(_place(0), 22, _place(0), y),
    ]
    title = f"{display.title}. The table of clusters holds the numbers."
    return drawing(_WIDTH, y + 24, title, "".join(parts))


def _place(score: float) -> float:
    return _LEFT + (score + 1) / 2 * (_RIGHT - _LEFT)


def _tick(score: float, bottom: float) -> str:
    x = _place(score)
    label = words(x, bottom + 16, score_text(score, 1), "soft", "middle")
    return line(x, 22, x, bottom, "rule") + label


def _block(block: ScoreBlock, y: float, height: float) -> str:
    scores = np.repeat(block.thinned(_CORNERS), 2)
    edges = np.repeat(y + np.linspace(0, height, len(scores) // 2 + 1), 2)[1:-1]
    parts = []
    for look, part in (("above", np.maximum(scores, 0)), ("below", np.minimum(scores, 0))):
        if part.any():
            outline = zip(map(_place, part.tolist()), edges.tolist(), strict=True)
            corners = [(_place(0), y), *outline, (_place(0), y + height)]
            parts.append(area(corners, look))
    if block.kind == "cluster":
        look = f"label-{block.code % N_LABELS}"
        parts.append(box(_LEFT - 12, y, _LEFT - 6, y + height, look))
    mean, middle = _place(block.mean), y + height / 2 + 4
    parts.append(line(mean, y, mean, y + height, stroke_width=2.4))
    parts.append(words(_LEFT - 18, middle, block.name, anchor="end"))
    texts = (f"{block.size:,}", score_text(block.mean), share_text(block.share_negative))
    for (_, x), text in zip(_COLUMNS, texts, strict=True):
        parts.append(words(x, middle, text, anchor="end"))
    return "".join(parts)
