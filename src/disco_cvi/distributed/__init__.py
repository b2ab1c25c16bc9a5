"""Density trees and scores of points that no single machine holds, on a Dask cluster."""

from __future__ import annotations

from disco_cvi.distributed.scores import density_tree, disco_score, explain, pair_score

__all__ = ["density_tree", "disco_score", "explain", "pair_score"]
