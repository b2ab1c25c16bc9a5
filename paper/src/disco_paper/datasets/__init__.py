"""Data sets: those of the paper by name, and others made by seeded code.

`load` returns a data set of the paper with its true labels, `available` lists them, and `fetch`
downloads some beforehand. What seeded code makes is the same, up to rounding, on every machine.
"""

from __future__ import annotations

from disco_paper.datasets.catalogue import DatasetInfo, LabeledPoints
from disco_paper.datasets.generators import (
    densired_noise,
    densired_set,
    noise_group,
    noise_point,
    replace_noise,
    separated_discs,
    two_moons,
    two_rings,
)
from disco_paper.datasets.loading import Dataset, DatasetTable, available, fetch, load

__all__ = [
    "Dataset",
    "DatasetInfo",
    "DatasetTable",
    "LabeledPoints",
    "available",
    "densired_noise",
    "densired_set",
    "fetch",
    "load",
    "noise_group",
    "noise_point",
    "replace_noise",
    "separated_discs",
    "two_moons",
    "two_rings",
]
