"""The tree that labelings share."""

from __future__ import annotations

from disco_cvi._spanning_tree.quality import TreeQuality
from disco_cvi.density_tree.paths import EpsChoice, EpsPath, SizeChoice, SizePath
from disco_cvi.density_tree.tree import DensityTree

__all__ = ["DensityTree", "EpsChoice", "EpsPath", "SizeChoice", "SizePath", "TreeQuality"]
