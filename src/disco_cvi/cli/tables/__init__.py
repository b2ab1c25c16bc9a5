"""Points and labels from files: CSV, TSV, JSON lines, NPY, Parquet, Feather and Arrow.

The reader says what it guessed (`notes`), so that a wrong guess is seen; what cannot be used is an
`InvalidInputError` that names the file, the line and the column.
"""

from __future__ import annotations

from disco_cvi.cli.tables.features import doubtful_features
from disco_cvi.cli.tables.files import LabelsFile, PointsFile
from disco_cvi.cli.tables.options import ReadOptions
from disco_cvi.cli.tables.read import (
    STANDARD_INPUT,
    column_names,
    read_embedding,
    read_labels,
    read_points,
)

__all__ = [
    "STANDARD_INPUT",
    "LabelsFile",
    "PointsFile",
    "ReadOptions",
    "column_names",
    "doubtful_features",
    "read_embedding",
    "read_labels",
    "read_points",
]
