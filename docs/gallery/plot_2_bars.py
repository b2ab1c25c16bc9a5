"""
Which cluster pulls the score down?
===================================

The scores of each cluster, sorted, as in a plot of silhouettes, and the noise as a block of its
own. What reaches below 0 is nearer to another cluster than to its own.
"""

import numpy as np

from disco_cvi.datasets import three_rings
from disco_cvi.plots import ScoreBarsDisplay

rings = three_rings()
labels = np.where(np.arange(len(rings.points)) % 3 == 0, -1, rings.good_labels)
ScoreBarsDisplay.from_predictions(rings.points, labels).plot()
