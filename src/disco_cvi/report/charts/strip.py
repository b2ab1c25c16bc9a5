"""The scores of one labeling as a small histogram, for a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disco_cvi.report.charts.svg import decoration, element, line

if TYPE_CHECKING:
    from disco_cvi._compute.arrays import FloatArray

_BINS, _BAR, _HEIGHT = 40, 4.0, 26.0


def strip(scores: FloatArray) -> str:
    """How many points have which score, from -1 to 1; square roots, so that few are seen too."""
    counts, _ = np.histogram(scores, bins=_BINS, range=(-1.0, 1.0))
    heights = _HEIGHT * np.sqrt(counts / counts.max())
    bars = [
        element(
            "rect",
            "above" if place >= _BINS // 2 else "below",
            x=2 + _BAR * place,
            y=_HEIGHT - height,
            width=_BAR - 0.6,
            height=height,
        )
        for place, height in enumerate(heights.tolist())
        if height
    ]
    middle = 2 + _BAR * _BINS / 2
    axis = line(middle, 0, middle, _HEIGHT)
    return decoration(4 + _BAR * _BINS, _HEIGHT, "".join([*bars, axis]))
