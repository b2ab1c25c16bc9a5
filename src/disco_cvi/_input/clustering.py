"""Points and labels as indices need them, and the work that several indices share."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel
from disco_cvi._input.labels import Labels, check_labels
from disco_cvi._input.options import check_jobs
from disco_cvi._input.points import check_points
from disco_cvi._neighbors.distances import scaled
from disco_cvi._output.words import count
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import UndefinedScoreError

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

FloatArray = NDArray[np.float64]
Kept = TypeVar("Kept")

# Above so many dimensions a k-d tree meets nearly every point; blocks of rows are faster.
_KD_DIMENSIONS = 15
_BLOCK_ENTRIES = 1 << 22
# Rows whose distances are summed side by side, points they are compared with in one go, features
# added in one go: what the innermost loops touch stays in the nearest caches of a processor.
SIDE_BY_SIDE = 128
PORTION = 32
_FEATURES = 64


@dataclass(frozen=True)
class Workspace:
    """Checked points and labels; everything else is computed on first use and kept.

    One workspace serves all indices of an evaluation, so that a tree or a search for neighbors
    that two of them need is made once; `relabeled` serves further labelings of the same points.
    Nothing in it may be written to.
    """

    points: FloatArray
    labels: Labels
    n_jobs: int
    caller: str
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @property
    def n_points(self) -> int:
        """Number of points, noise included."""
        return len(self.points)

    def keep(self, name: Hashable, compute: Callable[[], Kept]) -> Kept:
        """Compute something that depends on the points alone, once for all labelings of them."""
        if name not in self._kept:
            self._kept[name] = compute()
        return cast("Kept", self._kept[name])

    def relabeled(self, labels: Labels) -> Workspace:
        """Another labeling of the same points, with all that is kept."""
        return Workspace(self.points, labels, self.n_jobs, self.caller, self._kept)

    @cached_property
    def members(self) -> tuple[NDArray[np.intp], ...]:
        """The rows of each cluster, ascending."""
        if self.labels.n_clusters == 0:
            return ()
        order = np.argsort(self.labels.codes, kind="stable")[self.labels.n_noise :]
        return tuple(np.split(order, np.cumsum(self.labels.sizes)[:-1]))

    @cached_property
    def without_noise(self) -> Workspace:
        """The workspace of the cluster points alone; itself if there is no noise."""
        if self.labels.n_noise == 0:
            return self
        kept = self.labels.codes >= 0
        labels = Labels(self.labels.codes[kept], self.labels.names, self.labels.sizes)
        return Workspace(np.ascontiguousarray(self.points[kept]), labels, self.n_jobs, self.caller)

    @property
    def kd_tree(self) -> cKDTree:
        """SciPy's k-d tree of all points."""
        return self.keep("k-d tree", lambda: _kd_tree(self.points))

    @property
    def searched_points(self) -> FloatArray:
        """The points, scaled by a power of two if squares of their differences might be lost."""
        return self.keep("searched points", lambda: _safe_points(self.points))[0]

    def density_tree(self, min_points: int) -> DensityTree:
        """The density tree of all points (Euclidean); min_points 1 gives minimax distances."""
        return self.keep(
            ("density tree", min_points),
            lambda: DensityTree(self.points, min_points=min_points, n_jobs=self.n_jobs),
        )

    def need_clusters(self, index: str, least: int = 2) -> None:
        """Raise `UndefinedScoreError` if there are too few clusters for the index."""
        labels = self.labels
        if labels.n_clusters < least:
            message = (
                f"{index} needs {count(least, 'cluster')} or more; these labels hold "
                f"{count(labels.n_clusters, 'cluster')} and {count(labels.n_noise, 'noise point')}."
            )
            raise UndefinedScoreError(message)

    def nearest_others(self, n_neighbors: int) -> tuple[FloatArray, NDArray[np.intp]]:
        """Distances to, and rows of, the nearest other points, nearest first.

        A point is left out of its own neighbors by its row, so a copy of it is one at distance 0;
        of equally near points the smaller row comes first. At most n - 1 columns.
        """
        n_neighbors = min(n_neighbors, self.n_points - 1)
        kept = self._kept.get("nearest others")
        if kept is None or kept[0].shape[1] < n_neighbors:
            kept = self._kept["nearest others"] = _nearest_others(self, n_neighbors)
        return kept[0][:, :n_neighbors], kept[1][:, :n_neighbors]


def open_workspace(
    X: object, labels: object, *, noise_label: object, n_jobs: object, caller: str
) -> Workspace:
    """Check points and labels of a public function."""
    jobs = check_jobs(n_jobs, caller)
    if isinstance(X, DensityTree):
        message = (
            f"X of {caller} must be points, which it needs besides their density tree; "
            "got a DensityTree."
        )
        raise TypeError(message)
    points = check_points(X, caller)
    return Workspace(points, check_labels(labels, len(points), noise_label, caller), jobs, caller)


def canonical_order(points: FloatArray) -> NDArray[np.intp]:
    """An order that depends on the points alone, not on the order of their rows."""
    as_bytes = points.view(np.dtype((np.void, points.itemsize * points.shape[1])))
    return np.argsort(as_bytes.ravel(), kind="stable")


@inline_kernel
def sum_distances(points, begin, stop, rows, squares, portion):
    """Fill `portion` with the sum of the distances from each row to points begin to stop - 1.

    `rows` holds SIDE_BY_SIDE points by feature, and there are at most PORTION points to compare
    them with. Each row is added up in the order of the points, and the compiler may still use
    vectors. `squares` is room to work in.
    """
    dimension = points.shape[1]
    squares[: stop - begin] = 0.0
    for feature in range(0, dimension, _FEATURES):
        for j in range(stop - begin):
            for c in range(feature, min(feature + _FEATURES, dimension)):
                x = points[begin + j, c]
                for i in range(SIDE_BY_SIDE):
                    difference = rows[c, i] - x
                    squares[j, i] += difference * difference
    portion[:] = 0.0
    for j in range(stop - begin):
        for i in range(SIDE_BY_SIDE):
            portion[i] += math.sqrt(squares[j, i])


def squared_distances(one: FloatArray, other: FloatArray) -> FloatArray:
    """All squared Euclidean distances, by differences: no cancellation."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(one, other, "sqeuclidean"))


def row_blocks(n_rows: int, n_columns: int) -> list[slice]:
    """Ranges of rows such that a block of rows by columns stays small (32 MB)."""
    size = max(1, _BLOCK_ENTRIES // max(1, n_columns))
    return [slice(begin, min(begin + size, n_rows)) for begin in range(0, n_rows, size)]


def _nearest_others(work: Workspace, n_neighbors: int) -> tuple[FloatArray, NDArray[np.intp]]:
    n_points, dimension = work.points.shape
    squares = np.empty((n_points, n_neighbors))
    rows = np.empty((n_points, n_neighbors), np.intp)
    waiting = np.arange(n_points)
    # A few more than asked for, so that ties at the last place can be told; where they reach
    # further, ask again for twice as many.
    asked = min(n_points, n_neighbors + 4)
    while len(waiting):
        undecided = []
        for block in row_blocks(len(waiting), n_points if dimension > _KD_DIMENSIONS else asked):
            chosen = waiting[block]
            near_squares, near_rows = _candidates(work, chosen, asked)
            is_all = asked == n_points
            decided = _choose(near_squares, near_rows, chosen, n_neighbors, is_all=is_all)
            squares[chosen], rows[chosen] = decided[0], decided[1]
            undecided.append(chosen[~decided[2]])
        waiting = np.concatenate(undecided)
        asked = min(n_points, 2 * asked)
    _, exponent = work.keep("searched points", lambda: _safe_points(work.points))
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(np.sqrt(squares), -exponent), rows


def _safe_points(points: FloatArray) -> tuple[FloatArray, int]:
    largest = float(np.abs(points).max())
    return scaled(points, 0) if not 1e-100 < largest < 1e100 else (points, 0)


def _kd_tree(points: FloatArray) -> cKDTree:
    from scipy.spatial import cKDTree

    return cKDTree(points)


def _candidates(
    work: Workspace, chosen: NDArray[np.intp], asked: int
) -> tuple[FloatArray, NDArray[np.intp]]:
    """Squared distances by differences to the nearest points (the point itself among them)."""
    points = work.searched_points
    if points.shape[1] > _KD_DIMENSIONS:
        every = squared_distances(points[chosen], points)
        rows = np.argpartition(every, asked - 1, axis=1)[:, :asked]
        return np.take_along_axis(every, rows, axis=1), rows
    tree = work.keep("searched tree", lambda: _kd_tree(points))
    _, rows = tree.query(points[chosen], k=asked, workers=work.n_jobs)
    rows = np.asarray(rows, np.intp).reshape(len(chosen), asked)
    squares = np.zeros(rows.shape)
    for c in range(points.shape[1]):
        difference = points[chosen, c][:, None] - points[:, c][rows]
        squares += difference * difference
    return squares, rows


def _choose(
    squares: FloatArray,
    rows: NDArray[np.intp],
    chosen: NDArray[np.intp],
    wanted: int,
    *,
    is_all: bool,
) -> tuple[Any, Any, NDArray[np.bool_]]:
    """The first of the candidates by distance, then row; and where no tie can reach beyond them."""
    by_row = np.argsort(rows, axis=1)
    rows = np.take_along_axis(rows, by_row, axis=1)
    squares = np.take_along_axis(squares, by_row, axis=1)
    # The point itself goes last.
    squares = np.where(rows == chosen[:, None], np.inf, squares)
    by_distance = np.argsort(squares, axis=1, kind="stable")
    rows = np.take_along_axis(rows, by_distance, axis=1)
    squares = np.take_along_axis(squares, by_distance, axis=1)
    finite = np.where(np.isinf(squares), -np.inf, squares)
    # The search compares distances that it rounds in its own way.
    is_decided = finite.max(axis=1) > squares[:, wanted - 1] * (1 + 1e-12)
    return squares[:, :wanted], rows[:, :wanted], is_decided | is_all
