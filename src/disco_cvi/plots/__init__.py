"""Pictures of scores: displays of labelings, and functions that draw curves and maps.

A display is made of points and labels (`from_predictions`), of a clusterer (`from_estimator`) or of
what `explain` returned (`from_explanation`), as in scikit-learn; ``display.plot()`` draws it, and
``display.figure_.savefig(path)`` saves it. Every function draws into the axes that it is given, or
else into a new figure, and returns the axes; ``ax.figure.savefig(path)`` saves it. Both need
matplotlib (``pip install "disco-cvi[plots]"``).
"""

from __future__ import annotations

from disco_cvi.plots.bars import ScoreBarsDisplay
from disco_cvi.plots.comparison import ComparisonDisplay
from disco_cvi.plots.curves import score_curve
from disco_cvi.plots.eps import EpsCurveDisplay
from disco_cvi.plots.line import DensityLineDisplay
from disco_cvi.plots.maps import PointwiseMapDisplay, labels_map, pointwise_map
from disco_cvi.plots.noise import NoiseDisplay

__all__ = [
    "ComparisonDisplay",
    "DensityLineDisplay",
    "EpsCurveDisplay",
    "NoiseDisplay",
    "PointwiseMapDisplay",
    "ScoreBarsDisplay",
    "labels_map",
    "pointwise_map",
    "score_curve",
]
