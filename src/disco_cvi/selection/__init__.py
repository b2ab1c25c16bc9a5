"""Choosing among clusterings: which setting, by a score that works."""

from __future__ import annotations

from disco_cvi.selection.search import ClusteringSearch
from disco_cvi.selection.suggest import suggest
from disco_cvi.selection.suggestion import Suggestion

__all__ = ["ClusteringSearch", "Suggestion", "suggest"]
