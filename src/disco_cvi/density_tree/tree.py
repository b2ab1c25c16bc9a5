"""The density tree: all that indices need to know about the points, whatever the labels."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._input.metric import Metric, check_metric
from disco_cvi._input.options import check_jobs, check_min_points
from disco_cvi._input.points import check_data
from disco_cvi._neighbors.distances import FloatArray, distance_rows, euclidean_points, from_squares
from disco_cvi._output.words import describe, shorten
from disco_cvi._spanning_tree.mutual_reachability import (
    SpanningTree,
    minimum_spanning_tree,
    spanning_tree_by_rows,
)
from disco_cvi.density_tree.file import TreeParts, read_tree, write_tree
from disco_cvi.density_tree.leaf_order import Line, leaf_order, make_line
from disco_cvi.density_tree.walks import block_maxima, meeting_heights, merge_table
from disco_cvi.exceptions import InvalidInputError

_MATRIX_LIMIT = 10_000
_MIN_POINTS = 5
_METRIC = "euclidean"


class DensityTree:
    """The density-connectivity of points: built once, good for any number of labelings.

    The dc-distance of two points is the smallest possible largest step of a path between them,
    where a step from x to y costs the largest of their distance and their two core distances. It is
    the height at which the two meet in this tree, the single-linkage tree of the minimum spanning
    tree under mutual reachability. The core distance of a point is the distance to its
    `min_points`-th nearest point, itself counted as the first.

    Wherever a function of this package takes points, it takes their `DensityTree` as well. A tree
    cannot be changed, and it can be copied and pickled.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points, one per row. They are not modified.
    min_points : int, default=5
        From 1 to n. A larger value smooths the density.
    metric : str or callable, default="euclidean"
        "euclidean", "sqeuclidean", "cosine", "precomputed", any metric name of scikit-learn, or a
        function of two rows that returns their distance.
    metric_params : dict, optional
        Further arguments of the metric. What a metric estimates from data is estimated from all
        of `X`.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The result does not depend on it.

    Attributes
    ----------
    n_points : int
        Number of points.
    min_points : int
        As given.
    metric : str or callable
        As given.
    metric_params : dict
        As given; empty if None.
    core_distances : ndarray of shape (n,)
        Core distance of each point, in the order of the rows.
    heights : ndarray of shape (n - 1,)
        The heights at which points meet, rising.

    Raises
    ------
    ValueError
        If `X` is empty, holds missing or infinite values, or has fewer rows than `min_points`.
    TypeError
        If an argument is of the wrong type; sparse `X` is not supported.

    Notes
    -----
    Time O(n log n) in low dimension and O(n²) in high dimension or for metrics other than the first
    three; memory O(n d) always. Core distances and heights are the same bits whatever the order of
    the rows, the number of threads and the way the points are searched (for a metric given as a
    function: if that is symmetric to the last bit).

    Examples
    --------
    >>> from disco_cvi import DensityTree, disco_score
    >>> X = [[0.0], [1.0], [3.0], [10.0], [11.0]]
    >>> tree = DensityTree(X, min_points=2)
    >>> tree
    DensityTree(n_points=5, min_points=2, metric='euclidean')
    >>> tree.core_distances
    array([1., 1., 2., 1., 1.])
    >>> tree.heights
    array([1., 1., 2., 7.])
    >>> float(tree.distance(0, 4))
    7.0
    >>> round(disco_score(tree, [0, 0, 0, 1, 1]), 3)
    0.8
    """

    __slots__ = ("_kept", "parts")

    parts: TreeParts
    _kept: dict[str, NDArray[Any]]

    def __init__(
        self,
        X: ArrayLike,
        *,
        min_points: int = _MIN_POINTS,
        metric: str | Callable[..., float] = _METRIC,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        caller = "DensityTree"
        if isinstance(X, DensityTree):
            message = (
                f"X of {caller} must be points; got a DensityTree, which can be used as it is."
            )
            raise TypeError(message)
        source = check_source(X, min_points, metric, metric_params, n_jobs, caller)
        self._adopt(source.build())

    def _adopt(self, parts: TreeParts) -> DensityTree:
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "_kept", {})
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        message = f"a DensityTree cannot be changed; build another one instead of setting {name}."
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Callable[[TreeParts], DensityTree], tuple[TreeParts]]:
        return _assemble, (self.parts,)

    def __repr__(self) -> str:
        shown = f"n_points={self.n_points}, min_points={self.min_points}"
        return f"DensityTree({shown}, metric={self.parts.metric.shown})"

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.parts.line.leaves)

    @property
    def min_points(self) -> int:
        """Which nearest point the core distance reaches to, the point itself counted."""
        return self.parts.min_points

    @property
    def metric(self) -> str | Callable[..., float]:
        """The metric, as given."""
        return self.parts.metric.name

    @property
    def metric_params(self) -> dict[str, Any]:
        """Parameters of the metric (a copy)."""
        return dict(self.parts.metric.params)

    @property
    def core_distances(self) -> FloatArray:
        """Core distance of each point, in the order of the rows."""
        return self._keep("core_distances", lambda: self.parts.in_units(self.parts.line.core))

    @property
    def heights(self) -> FloatArray:
        """The n - 1 heights at which points meet, rising."""
        return self._keep(
            "heights", lambda: self.parts.in_units(np.sort(self.parts.line.joins[1:]))
        )

    def _keep(self, name: str, compute: Callable[[], FloatArray]) -> FloatArray:
        if name not in self._kept:
            self._kept[name] = compute()
            self._kept[name].flags.writeable = False
        return self._kept[name]

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
        first, second = np.broadcast_arrays(self._positions(i, "i"), self._positions(j, "j"))
        heights = np.empty(first.size)
        joins = self.parts.line.joins
        if "maxima" not in self._kept:
            self._kept["maxima"] = block_maxima(joins)
        arguments = (np.array(first).ravel(), np.array(second).ravel(), heights)
        meeting_heights(joins, self._kept["maxima"], *arguments)
        distances = self.parts.in_units(heights).reshape(first.shape)
        return distances if distances.ndim else float(distances)

    def _positions(self, rows: ArrayLike, name: str) -> NDArray[np.int32]:
        chosen = np.asarray(rows)
        if chosen.dtype.kind not in "iu" and chosen.size:
            message = f"{name} of distance must hold row numbers; got {describe(rows)}."
            raise TypeError(message)
        if chosen.size and (chosen.min() < 0 or chosen.max() >= self.n_points):
            message = (
                f"{name} of distance must lie from 0 to {self.n_points - 1}, the last row; "
                f"got {shorten(rows)}."
            )
            raise InvalidInputError(message)
        if "positions" not in self._kept:
            self._kept["positions"] = np.argsort(self.parts.line.leaves).astype(np.int32)
        return self._kept["positions"][chosen.astype(np.intp)]

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
        for p in range(n_points - 1):
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file (npz, no pickle), which is complete or not there at all.

        A metric given as a function is remembered by its name only.

        Parameters
        ----------
        path : str or path-like
            Where to write; an existing file is replaced.
        """
        write_tree(path, self.parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DensityTree:
        """Read a tree that `save` wrote; a damaged file is an error, never a wrong tree.

        Parameters
        ----------
        path : str or path-like
            The file.

        Raises
        ------
        ValueError
            If the file is not such a file, or what it holds is not a tree.
        OSError
            If the file cannot be read.
        """
        return _assemble(read_tree(path))


def _assemble(parts: TreeParts) -> DensityTree:
    """Return the tree of parts that are known to be right."""
    return DensityTree.__new__(DensityTree)._adopt(parts)  # noqa: SLF001 - makes the tree


@dataclass(frozen=True)
class Source:
    """Checked points or a finished tree; gives the tree when it is needed, and not before."""

    data: FloatArray | DensityTree
    min_points: int
    metric: Metric
    n_jobs: int
    caller: str

    @property
    def n_points(self) -> int:
        """Number of points."""
        return self.data.n_points if isinstance(self.data, DensityTree) else len(self.data)

    def tree(self) -> DensityTree:
        """Return the tree; fewer points than `min_points` are an error only now."""
        if isinstance(self.data, DensityTree):
            return self.data
        return _assemble(self.build())

    def build(self) -> TreeParts:
        """Build the tree of the points."""
        min_points = check_min_points(self.min_points, self.n_points, self.caller)
        data = np.asarray(self.data)
        if self.metric.is_euclidean:
            points, exponent = euclidean_points(data, self.metric, self.caller)
            spanning = minimum_spanning_tree(points, min_points, self.n_jobs)
            order, joins = leaf_order(spanning.edges, spanning.multiplicity)
            joins, unit = from_squares(joins, exponent, self.metric)
            core, _ = from_squares(spanning.core, exponent, self.metric)
        else:
            rows = distance_rows(data, self.metric, self.caller)
            spanning, unit = spanning_tree_by_rows(rows, min_points), rows.exponent
            order, joins = leaf_order(spanning.edges, spanning.multiplicity)
            core = spanning.core
        line, shift = _expand(spanning, order, joins, core)
        return TreeParts(line, unit + shift, min_points, self.metric)


def check_source(
    X: object,
    min_points: object,
    metric: object,
    metric_params: object,
    n_jobs: object,
    caller: str,
) -> Source:
    """Check everything that does not depend on labels; None means the tree's own or the default."""
    jobs = check_jobs(n_jobs, caller)
    if min_points is not None:
        min_points = check_min_points(min_points, None, caller)
    if isinstance(X, DensityTree):
        _refuse_contradiction("min_points", min_points, X.min_points, caller)
        _refuse_contradiction("metric", metric, X.metric, caller)
        _refuse_contradiction("metric_params", metric_params, X.metric_params, caller)
        return Source(X, X.min_points, X.parts.metric, jobs, caller)
    checked = check_metric(_METRIC if metric is None else metric, metric_params, caller)
    data = check_data(X, checked, caller)
    return Source(data, _MIN_POINTS if min_points is None else min_points, checked, jobs, caller)


def _refuse_contradiction(name: str, given: object, built: object, caller: str) -> None:
    if given is None or _are_same(given, built):
        return
    message = (
        f"{name} of {caller} must be left out or be that of the tree, {shorten(built)}; got "
        f"{shorten(given)}. Build another DensityTree for another {name}."
    )
    raise InvalidInputError(message)


def _are_same(one: object, other: object) -> bool:
    """Whether two settings are equal; those of a metric may be arrays."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_same(one[key], other[key]) for key in one)
    if isinstance(one, str) or callable(one):
        return one == other
    return np.array_equal(np.asarray(one), np.asarray(other))


def _expand(
    spanning: SpanningTree, order: NDArray[np.int32], joins: FloatArray, core: FloatArray
) -> tuple[Line, int]:
    """Put every row into the line, and bring the heights to at most 1.

    Copies of a point stand side by side and join at its core distance. The heights are multiplied
    by a power of two, so that sums of them cannot overflow.
    """
    largest = max(float(joins.max()), float(core.max()))
    shift = int(np.frexp(largest)[1])
    with np.errstate(under="ignore"):
        joins, core = np.ldexp(joins, -shift), np.ldexp(core, -shift)
    n_rows = len(spanning.rows)
    row_core = np.empty(n_rows)
    row_core[spanning.rows] = np.repeat(core, spanning.multiplicity)
    if n_rows == len(order):
        return make_line(spanning.rows[order], joins, row_core), shift
    copies = spanning.multiplicity[order]
    first_leaf = np.cumsum(copies) - copies
    first_row = (np.cumsum(spanning.multiplicity) - spanning.multiplicity)[order]
    places = np.arange(n_rows) - np.repeat(first_leaf - first_row, copies)
    leaf_joins = np.repeat(core[order], copies)
    leaf_joins[first_leaf] = joins
    return make_line(spanning.rows[places], leaf_joins, row_core), shift
