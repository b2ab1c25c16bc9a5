"""Pictures of scores: displays of labelings, and functions that draw curves, bars and maps.

A display is made of points and labels (`from_predictions`), of a clusterer (`from_estimator`) or of
what `explain` returned (`from_explanation`), as in scikit-learn; ``display.plot()`` draws it, and
``display.figure_.savefig(path)`` saves it. Every function draws into the axes that it is given, or
else into a new figure, and returns the axes; ``ax.figure.savefig(path)`` saves it. Both need
matplotlib (``pip install "disco-cvi[plots]"``).
"""

from __future__ import annotations

from disco_cvi.plots.bars import score_bars
from disco_cvi.plots.bars_display import ScoreBarsDisplay
from disco_cvi.plots.comparison_display import ComparisonDisplay
from disco_cvi.plots.curves import score_curve
from disco_cvi.plots.distributions import box_plot, histogram
from disco_cvi.plots.eps_display import EpsCurveDisplay
from disco_cvi.plots.line_display import DensityLineDisplay
from disco_cvi.plots.map_display import PointwiseMapDisplay
from disco_cvi.plots.maps import labels_map, pointwise_map
from disco_cvi.plots.noise_display import NoiseDisplay
from disco_cvi.plots.paths import path_curves, suggestion_figure
from disco_cvi.plots.style import MARKERS, PALETTE

__all__ = [
    "MARKERS",
    "PALETTE",
    "ComparisonDisplay",
    "DensityLineDisplay",
    "EpsCurveDisplay",
    "NoiseDisplay",
    "PointwiseMapDisplay",
    "ScoreBarsDisplay",
    "box_plot",
    "histogram",
    "labels_map",
    "path_curves",
    "pointwise_map",
    "score_bars",
    "score_curve",
    "suggestion_figure",
]
