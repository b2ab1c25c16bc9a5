"""What the package disco-paper takes of this one beside public names: this module and no other.

The programs of the paper's competitors share their fast parts with the indices here; the paper's
variants themselves live there, in `disco_paper.published`.
"""

from __future__ import annotations

from disco_cvi._compute.kernels import kernel
from disco_cvi._input.clustering import Clustering, label_points
from disco_cvi._input.labels import Labels
from disco_cvi._input.points import Points, open_points, standardize
from disco_cvi._neighbors.distances import row_blocks, squared_distances
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.nearest_points import nearest_points
from disco_cvi.density_tree.leaf_order import LeafLine, make_line
from disco_cvi.density_tree.tree import density_tree_of
from disco_cvi.indices.cvdd import involved_line_of, path_moments
from disco_cvi.indices.cvdd import separations as cvdd_separations
from disco_cvi.indices.cvnn import compactness_of
from disco_cvi.indices.dbcv import separations as dbcv_separations
from disco_cvi.indices.dbcv_trees import Clusters, degrees, gather_clusters, grow_trees, sparseness
from disco_cvi.indices.dcsi import longest_steps, squared_gaps
from disco_cvi.indices.lccv import (
    LocalCores,
    connect,
    core_distances,
    densities,
    distance,
    natural_neighbors,
    without_zero_steps,
)
from disco_cvi.indices.mmj_sc import Groups, judge_leaves, make_groups
from disco_cvi.indices.shortest_paths import make_graph, shortest_paths
from disco_cvi.indices.viasckde import nearest_and_density

__all__ = [
    "Clustering",
    "Clusters",
    "Groups",
    "Labels",
    "LeafLine",
    "LocalCores",
    "Points",
    "compactness_of",
    "connect",
    "core_distances",
    "cvdd_separations",
    "dbcv_separations",
    "degrees",
    "densities",
    "density_tree_of",
    "distance",
    "gather_clusters",
    "grow_trees",
    "involved_line_of",
    "judge_leaves",
    "kernel",
    "label_points",
    "longest_steps",
    "make_graph",
    "make_groups",
    "make_line",
    "natural_neighbors",
    "nearest_and_density",
    "nearest_points",
    "open_points",
    "path_moments",
    "row_blocks",
    "shortest_paths",
    "sparseness",
    "squared_distance",
    "squared_distances",
    "squared_gaps",
    "standardize",
    "without_zero_steps",
]
