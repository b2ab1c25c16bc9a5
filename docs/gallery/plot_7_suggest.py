"""
A suggestion
============

What ``suggest`` found, and what it looked at: every eps of DBSCAN and every min_cluster_size of
HDBSCAN.
"""

from sklearn.datasets import make_moons

from disco_cvi import suggest

X, _ = make_moons(300, noise=0.08, random_state=0)
suggestion = suggest(X)
print(suggestion)

# %%

suggestion.plot()
