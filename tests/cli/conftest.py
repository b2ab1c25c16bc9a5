"""Fixtures: files of points and labels."""

from __future__ import annotations

from helpers.clustered_files import compiled, folder

__all__ = ["compiled", "folder"]
