"""Clusterers for scikit-learn: cuts of a density tree whose parameters find themselves."""

from __future__ import annotations

from disco_cvi.cluster.dbscan import DensityDBSCAN
from disco_cvi.cluster.hdbscan import DensityHDBSCAN

__all__ = ["DensityDBSCAN", "DensityHDBSCAN"]
