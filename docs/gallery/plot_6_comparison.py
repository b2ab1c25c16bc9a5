"""
Which of these clusterings?
===========================

Several labelings of the same points, the best pair score first, each with its map and the scores
of its points.
"""

from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_moons

from disco_cvi.plots import ComparisonDisplay

X, _ = make_moons(300, noise=0.07, random_state=0)
labelings = {
    "k-means": KMeans(2, n_init=10, random_state=0).fit_predict(X),
    "eps 0.1": DBSCAN(eps=0.1).fit_predict(X),
    "eps 0.2": DBSCAN(eps=0.2).fit_predict(X),
}
ComparisonDisplay.from_predictions(X, labelings).plot()
