"""The tree that labelings share."""

from __future__ import annotations

from disco_cvi.density_tree.tree import DensityTree

__all__ = ["DensityTree"]
