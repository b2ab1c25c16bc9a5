"""
Where are the bad points?
=========================

On the left every point by its label, on the right by its score: blue is good, grey is 0, orange is
bad; a cross is noise. The rings are scored as k-means labels them, which cuts all three.
"""

from disco_cvi.datasets import three_rings
from disco_cvi.plots import PointwiseMapDisplay

rings = three_rings()
PointwiseMapDisplay.from_predictions(rings.points, rings.bad_labels).plot()

# %%
# The right labels, drawn for a dark page. With more than two features the plane is that of the
# first two principal components, and the picture says how much of the variance it shows;
# ``embedding=`` takes any other plane.

PointwiseMapDisplay.from_predictions(rings.points, rings.good_labels).plot(theme="dark")
