"""What the package disco-paper takes of this one beside public names: these names and no others.

The programs of the paper's competitors share their fast parts with the indices here; the paper's
variants themselves are those of `disco_paper.published`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# By module; names load on first use, so that tables and downloads do not wait for numba.
_NAMES = {
    "_compute.kernels": "kernel",
    "_compute.progress": "Progress progress",
    "_input.clustering": "Clustering label_points",
    "_input.labels": "Labels",
    "_input.options": "check_count check_flag check_jobs check_path",
    "_input.points": "Points open_points standardize",
    "_neighbors.distances": "row_blocks squared_distances",
    "_neighbors.kd_tree": "squared_distance",
    "_neighbors.nearest_points": "nearest_points",
    "_output.files": "write_file",
    "_output.shown_values": "difference_text printed_text sentence slug value_text",
    "_output.words": "count",
    "cli.output": "complain fail print_json say",
    "density_tree.leaf_order": "LeafLine make_line",
    "density_tree.tree": "density_tree_of",
    "indices.cvdd": "involved_line_of path_moments separations",
    "indices.cvnn": "compactness_of",
    "indices.dbcv_trees": "Clusters degrees gather_clusters grow_trees sparseness",
    "indices.dcsi": "longest_steps squared_gaps",
    "indices.lccv": "LocalCores connect core_distances densities distance natural_neighbors "
    "without_zero_steps",
    "indices.mmj_sc": "Groups judge_leaves make_groups",
    "indices.shortest_paths": "make_graph shortest_paths",
    "indices.viasckde": "nearest_and_density",
    "report.pictures": "PICTURE_FORMS default_style embed_png picture_bytes",
    "report.provenance": "versions_of",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
_HOMES["dbcv_separations"] = "indices.dbcv"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"disco_cvi.{_HOMES[name]}"), name.removeprefix("dbcv_"))
