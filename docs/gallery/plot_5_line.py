"""
All points on a line
====================

All points in the order of the density tree; the height is the gap to the point before. Valleys are
dense places, peaks the gaps between them. The colors are the labels: a good clustering has one
color to a valley, and its noise on the peaks.
"""

from disco_cvi.datasets import three_rings
from disco_cvi.plots import DensityLineDisplay

rings = three_rings()
DensityLineDisplay.from_predictions(rings.points, rings.good_labels).plot()

# %%
# k-means mixes its colors in every valley.

DensityLineDisplay.from_predictions(rings.points, rings.bad_labels).plot()
