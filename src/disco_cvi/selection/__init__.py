"""Choosing among clusterings: which setting, by a score that works."""

from __future__ import annotations

from disco_cvi.selection.search import ClusteringSearch

__all__ = ["ClusteringSearch"]
