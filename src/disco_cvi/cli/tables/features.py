"""Columns that are scored as features and are perhaps none."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi.cli.tables.files import PointsFile

_NAMES_OF_LABELS = re.compile(
    r"categor(y|ies)|class(es)?|clusters?|cluster_id|groups?|labels?|species|targets?|y_true",
    re.IGNORECASE,
)
_NAMES_OF_IDS = re.compile(r"(.*[_ -])?(ids?|index|key)|row", re.IGNORECASE)
_MOST_LABELS = 20
_ROWS_PER_LABEL = 10
_MOST_COLUMNS = 3  # more columns of few whole numbers are how the data are: answers, counts


def doubtful_features(file: PointsFile, labelings: Sequence[NDArray[Any]] = ()) -> list[str]:
    """Return a sentence for each feature that is perhaps none; nothing is left out.

    Parameters
    ----------
    file : PointsFile
    labelings : sequence of ndarray
        The labels that are scored: a feature that equals one of them was left in the file.

    Returns
    -------
    list of str
    """
    by_value = {name for name, column in _columns(file) if _holds_codes(column)}
    if len(by_value) > _MOST_COLUMNS or len(by_value) == len(file.features):
        by_value = set()
    notes = []
    for name, column in _columns(file):
        if _counts_rows(column):
            doubt = "counts the rows", "is only their number"
        elif _NAMES_OF_IDS.fullmatch(name) and _is_unique(column):
            doubt = "looks like ids", "names the rows"
        elif any(_equals(column, labels) for labels in labelings):
            doubt = "equals the labels", "holds the labels"
        elif name in by_value or _NAMES_OF_LABELS.fullmatch(name):
            doubt = "looks like labels", "holds labels"
        else:
            continue
        shown, quoted = name if name.isdecimal() else repr(name), shlex.quote(name)
        remedy = "say --id" if doubt[1] == "names the rows" else "leave it out with --drop"
        notes.append(
            f"{file.source}: column {shown} {doubt[0]} and is scored as a feature; if it "
            f"{doubt[1]}, {remedy} {quoted}."
        )
    return notes


def _columns(file: PointsFile) -> list[tuple[str, NDArray[np.float64]]]:
    return list(zip(file.features, file.points.T, strict=True))


def _counts_rows(column: NDArray[np.float64]) -> bool:
    return (
        len(column) > 2
        and bool(column[0] + 1 == column[1])
        and np.array_equal(column, column[0] + np.arange(len(column)))
    )


def _is_unique(column: NDArray[np.float64]) -> bool:
    """Tell whether a column holds another whole number in every row."""
    is_whole = bool((column == np.floor(column)).all())
    return is_whole and len(column) > 2 and len(np.unique(column)) == len(column)


def _equals(column: NDArray[np.float64], labels: NDArray[Any]) -> bool:
    """Tell whether a feature equals labels that tell anything apart."""
    if labels.dtype.kind not in "iufb" or (labels == labels[0]).all():
        return False
    return np.array_equal(column, labels)


def _holds_codes(column: NDArray[np.float64]) -> bool:
    """Tell whether a column holds few whole numbers from -1, 0 or 1 on, each in many rows."""
    if len(column) < 2 * _ROWS_PER_LABEL or (column[:100] != np.floor(column[:100])).any():
        return False
    low, high = column.min(), column.max()
    if low not in (-1, 0, 1) or not 1 <= high - low <= _MOST_LABELS:
        return False
    kinds = np.unique(column)
    return (
        bool((kinds == np.floor(kinds)).all())
        and len(kinds) * _ROWS_PER_LABEL <= len(column)
        and len(kinds) > (high - low) / 2
    )
