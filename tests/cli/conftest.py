"""Fixtures: files of points and labels, and data sets that are downloaded from this machine."""

from __future__ import annotations

from helpers.clustered_files import compiled, folder
from helpers.dataset_fixtures import cache, packed, plain, server

__all__ = ["cache", "compiled", "folder", "packed", "plain", "server"]
