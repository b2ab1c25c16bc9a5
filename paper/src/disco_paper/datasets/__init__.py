"""Data sets: those of the paper by name, and others made by seeded code.

`load` returns a data set of the paper with its true labels, `available` lists them, and `fetch`
downloads some beforehand. What seeded code makes is the same, up to rounding, on every machine.
"""

from __future__ import annotations

from disco_paper.datasets.catalogue import DatasetInfo
from disco_paper.datasets.generators.densired import densired_noise, densired_set
from disco_paper.datasets.generators.discs import noise_group, noise_point, separated_discs
from disco_paper.datasets.generators.moons import two_moons
from disco_paper.datasets.generators.noise import replace_noise
from disco_paper.datasets.generators.rings import two_rings
from disco_paper.datasets.labeled_points import LabeledPoints
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
