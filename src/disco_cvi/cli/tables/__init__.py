"""Points and labels from files, and samples into files: CSV, TSV, NPY and Parquet.

The reader says what it guessed (`notes`), so that a wrong guess is seen; what cannot be used is an
`InvalidInputError` that names the file, the line and the column.
"""

from __future__ import annotations

from disco_cvi._output.files import PARTIAL, check_output, write_columns, write_file
from disco_cvi.cli.tables.read import PointsFile, column_names, read_labels, read_points

__all__ = [
    "PARTIAL",
    "PointsFile",
    "check_output",
    "column_names",
    "read_labels",
    "read_points",
    "write_columns",
    "write_file",
]
