"""Fixtures for data sets that are downloaded from this machine."""

from __future__ import annotations

from paper_helpers.dataset_fixtures import cache, packed, plain, server

__all__ = ["cache", "packed", "plain", "server"]
