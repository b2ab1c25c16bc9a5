"""
Is this noise noise?
====================

One mark for each noise point: to the right where its place is sparse, upwards where it is far from
every cluster. Noise at the upper right is noise. Below 0 on both axes lie points that a cluster
would take in, at the upper left dense groups that stand alone.
"""

import numpy as np

from disco_cvi.datasets import three_rings
from disco_cvi.plots import NoiseDisplay

rings = three_rings()
third = np.where(np.arange(len(rings.points)) % 3 == 0, -1, rings.good_labels)
NoiseDisplay.from_predictions(rings.points, third).plot()

# %%
# A whole ring that was called noise stands alone, and dense.

ring = np.where(rings.good_labels == 0, -1, rings.good_labels)
NoiseDisplay.from_predictions(rings.points, ring).plot()
