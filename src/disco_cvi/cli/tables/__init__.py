"""Points and labels from files: CSV, TSV, NPY and Parquet.

The reader says what it guessed (`notes`), so that a wrong guess is seen; what cannot be used is an
`InvalidInputError` that names the file, the line and the column.
"""

from __future__ import annotations

from disco_cvi.cli.tables.read import (
    STANDARD_INPUT,
    PointsFile,
    column_names,
    read_labels,
    read_points,
)

__all__ = ["STANDARD_INPUT", "PointsFile", "column_names", "read_labels", "read_points"]
