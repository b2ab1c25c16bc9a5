"""What a density tree knows of distances: its line of points, core distances, dc-distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array
from disco_cvi._output.words import describe, shorten
from disco_cvi.density_tree.build import TreeParts
from disco_cvi.density_tree.walks import block_maxima, meeting_heights, merge_table
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

Kept = TypeVar("Kept")

_MATRIX_LIMIT = 10_000


class TreeDistances:
    """The distances of a density tree; `DensityTree` is one."""

    __slots__ = ()

    parts: TreeParts
    _kept: dict[str, Any]

    def _keep(self, name: str, compute: Callable[[], Kept]) -> Kept:
        """Compute something once."""
        if name not in self._kept:
            self._kept[name] = compute()
        kept: Kept = self._kept[name]
        return kept

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.parts.line.leaves)

    @property
    def core_distances(self) -> FloatArray:
        """Core distance of each point, in the order of the rows."""
        return self._keep("core_distances", lambda: self._measure(self.parts.line.core))

    @property
    def heights(self) -> FloatArray:
        """The n - 1 heights at which points meet, rising."""
        return self._keep("heights", lambda: self._measure(np.sort(self.parts.line.joins[1:])))

    @property
    def order(self) -> NDArray[np.int64]:
        """The rows in the order of the tree: what joins low stands side by side.

        Every group of points that are joined below some height is a run of neighbors here. Copies
        of a point stand next to each other.
        """
        return self._keep("order", self._copy_order)

    def _copy_order(self) -> NDArray[np.int64]:
        rows = self.parts.line.leaves.astype(np.int64)
        rows.flags.writeable = False
        return rows

    @property
    def steps(self) -> FloatArray:
        """In the order of `order`, the height at which each point meets the one before it.

        The first is infinity. The dc-distance of two points is the largest step after the one of
        them that comes first, up to the other.
        """
        return self._keep("steps", self._measure_steps)

    def _measure_steps(self) -> FloatArray:
        steps = self.parts.in_units(self.parts.line.joins)
        steps[0] = np.inf
        steps.flags.writeable = False
        return steps

    def _measure(self, heights: FloatArray) -> FloatArray:
        """Heights of the line in the units of the metric, as users may see them."""
        measured = self.parts.in_units(heights)
        measured.flags.writeable = False
        return measured

    def distance(self, i: ArrayLike, j: ArrayLike) -> Any:
        """Return the dc-distance of points `i` and `j`, 0 from a point to itself.

        Parameters
        ----------
        i, j : int or array-like of int
            Rows of `X`; arrays are broadcast against each other.

        Returns
        -------
        float or ndarray of float
            In constant time for each pair.
        """
        places = self._positions(i, "i"), self._positions(j, "j")
        try:
            first, second = np.broadcast_arrays(*places)
        except ValueError as error:
            raise InvalidInputError(
                argument="j",
                caller="distance",
                rule=f"be a row, or of a shape that goes with that of i, {places[0].shape}",
                got=f"shape {places[1].shape}",
            ) from error
        heights = np.empty(first.size)
        joins = self.parts.line.joins
        maxima = self._keep("maxima", lambda: block_maxima(joins))
        arguments = (np.array(first).ravel(), np.array(second).ravel(), heights)
        meeting_heights(joins, maxima, *arguments)
        distances = self.parts.in_units(heights).reshape(first.shape)
        return distances if distances.ndim else float(distances)

    def _positions(self, rows: ArrayLike, name: str) -> NDArray[np.int32]:
        chosen = as_array(rows, name, "distance")
        if chosen.dtype.kind not in "iu" and chosen.size:
            raise InvalidTypeError(
                argument=name, caller="distance", rule="hold row numbers", got=describe(rows)
            )
        if chosen.size and (chosen.min() < 0 or chosen.max() >= self.n_points):
            rule = f"lie from 0 to {self.n_points - 1}, the last row"
            raise InvalidInputError(argument=name, caller="distance", rule=rule, got=shorten(rows))
        leaves = self.parts.line.leaves
        positions = self._keep("positions", lambda: np.argsort(leaves).astype(np.int32))
        return positions[chosen.astype(np.intp)]

    def distance_matrix(self) -> FloatArray:
        """Return all dc-distances as an n-by-n matrix, for at most 10,000 points."""
        n_points = self.n_points
        if n_points > _MATRIX_LIMIT:
            message = (
                f"distance_matrix is for at most {_MATRIX_LIMIT:,} points; this tree has "
                f"{n_points:,}. Ask distance(i, j) for the pairs that you need."
            )
            raise InvalidInputError(message)
        joins, leaves = self.parts.in_units(self.parts.line.joins), self.parts.line.leaves
        matrix = np.zeros((n_points, n_points))
        for p in range(n_points):
            heights = np.maximum.accumulate(joins[p + 1 :])
            matrix[leaves[p], leaves[p + 1 :]] = heights
            matrix[leaves[p + 1 :], leaves[p]] = heights
        return matrix

    def linkage(self) -> FloatArray:
        """Return the tree as a SciPy linkage matrix of shape (n - 1, 4).

        `scipy.cluster.hierarchy` draws it, cuts it and walks it; merges of equal height are listed
        one after the other.
        """
        joins = self.parts.line.joins
        table = np.empty((self.n_points - 1, 4))
        by_height = np.argsort(joins[1:], kind="stable")
        merge_table(joins, by_height, self.parts.line.leaves, table)
        table[:, 2] = self.parts.in_units(table[:, 2])
        return table
