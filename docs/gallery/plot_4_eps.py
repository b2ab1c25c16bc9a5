"""
Which eps?
==========

The pair score of DBSCAN at every eps, with the number of clusters and the noise, and the range that
is as good as the best. The line across is what the given labels reach.
"""

from disco_cvi.datasets import three_rings
from disco_cvi.plots import EpsCurveDisplay

rings = three_rings()
EpsCurveDisplay.from_predictions(rings.points, rings.good_labels).plot()
