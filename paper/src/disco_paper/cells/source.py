"""Points with their truth, and one labeling of them: what labelings and measures are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.cache import Cache
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import check_labels
from disco_cvi._input.points import Points, open_points
from disco_cvi.density_tree.tree import DensityTree, density_tree_of, share_trees
from disco_paper.cells.cell import Spec

_CALLER = "reproduce"


@dataclass(frozen=True, eq=False)
class Source(Cache):
    """The points of one data set in one order of rows, and their true labels."""

    data: Spec
    points: NDArray[np.float64]
    truth: NDArray[np.int64]

    @cached_property
    def checked(self) -> Points:
        """The points as indices need them, with all that was computed of them."""
        return open_points(self.points, _CALLER, n_jobs=None, is_shared=True)

    def density_tree(self, min_points: int) -> DensityTree:
        """The density tree that labelings and indices share."""
        return density_tree_of(self.checked, min_points)

    def share_trees(self, min_points: set[int]) -> None:
        """Find several density trees together, before they are asked for."""
        share_trees(self.checked, min_points)


@dataclass(frozen=True, eq=False)
class Case:
    """One labeling of the points of a source."""

    source: Source
    labels: NDArray[np.int64]

    @cached_property
    def clustering(self) -> Clustering:
        """Points and labels as indices need them."""
        points = self.source.checked
        return Clustering(points, check_labels(self.labels, points.n_points, -1, _CALLER))
