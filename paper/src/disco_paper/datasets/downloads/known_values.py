"""Know a data set again by its values, whatever file they came in."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets.catalogue import DatasetInfo
from disco_paper.datasets.downloads.file_forms import parse
from disco_paper.datasets.labeled_points import LabeledPoints


def read_values(
    info: DatasetInfo, paths: Sequence[Path], origin: str, advice: str
) -> LabeledPoints:
    """Read the files of a data set and make sure that they hold its values.

    Parameters
    ----------
    info : DatasetInfo
    paths : sequence of Path
    origin : str
        Where the files come from: the begin of the message if they hold something else.
    advice : str
        What to do then: the end of the message.
    """
    try:
        parsed = parse(info.form, paths)
    except (ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InvalidInputError(
            f"{origin} cannot be read as the data set {info.name!r}: {reason}. {advice}"
        ) from error
    digest = value_digest(parsed)
    if digest != info.digest:
        rows, columns = parsed.points.shape
        raise InvalidInputError(
            f"{origin} does not hold the values of the data set {info.name!r}: expected "
            f"{info.n_points} points with {info.n_features} features and the SHA-256 "
            f"{info.digest} of their values; got {rows} points with {columns} features and "
            f"{digest}. {advice}"
        )
    return parsed


def value_digest(parsed: LabeledPoints) -> str:
    """Return the SHA-256 of points and labels.

    It is that of one line with the shape ("150 x 4"), the features as little-endian float64, row
    by row, and the labels as little-endian int64. Line ends, archives and the way a number is
    written do not matter.
    """
    rows, columns = parsed.points.shape
    digest = hashlib.sha256(f"{rows} x {columns}\n".encode())
    digest.update(np.ascontiguousarray(parsed.points, dtype="<f8").data)
    digest.update(np.ascontiguousarray(parsed.labels, dtype="<i8").data)
    return digest.hexdigest()
