"""What was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from disco_cvi.cli.tables.table import Table


@dataclass(frozen=True, eq=False)
class PointsFile:
    """What a file of points holds.

    Attributes
    ----------
    source : str
        The file, as messages call it.
    points : ndarray of shape (n_points, n_features)
    features : tuple of str
        The features' names, or numbers where the file names none.
    labelings : dict of str to ndarray of shape (n_points,)
        The columns of labels that were asked for, under the words in which they were.
    row_names : tuple of str, or None
        The column that `ReadOptions.id_column` names.
    notes : tuple of str
        What was guessed.
    table : Table
        The file itself: `separator`, `decimal` and `encoding` say how a text is written.
    """

    source: str
    points: NDArray[np.float64]
    features: tuple[str, ...]
    table: Table = field(repr=False)
    labelings: dict[str, NDArray[Any]] = field(default_factory=dict)
    row_names: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class LabelsFile:
    """What a file of labels holds.

    Attributes
    ----------
    source : str
        The file, as messages call it.
    labelings : dict of str to ndarray of shape (n_points,)
        The columns that were asked for, under the words in which they were; in the order of the
        points.
    notes : tuple of str
        What was guessed.
    table : Table or None
        The file itself, where its rows were taken in the order of the points.
    """

    source: str
    labelings: dict[str, NDArray[Any]]
    notes: tuple[str, ...] = ()
    table: Table | None = field(default=None, repr=False)

    @property
    def labels(self) -> NDArray[Any]:
        """The first of the columns, or the only one."""
        return next(iter(self.labelings.values()))
