"""Data sets made by seeded code: the same points, to the last bit, on every machine."""

from __future__ import annotations

from disco_cvi.datasets.rings import Rings, three_rings, two_rings

__all__ = ["Rings", "three_rings", "two_rings"]
