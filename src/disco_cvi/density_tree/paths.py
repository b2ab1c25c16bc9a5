"""What a clustering is worth at every value of its parameter."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_number
from disco_cvi._output.drawing import draw
from disco_cvi._output.tables import Card, CardTable, FieldsDisplay, RichDisplay, data_frame
from disco_cvi._output.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class EpsChoice(FieldsDisplay):
    """One stretch of eps at which DBSCAN gives one and the same clusters.

    Attributes
    ----------
    eps : float
        In the middle of the stretch, where rounding plays no part; `low` where there is none: of
        a stretch without end, or too narrow for another number.
    low, high : float
        The stretch: from `low`, included, to `high`, excluded; infinity if there is no end.
    score : float
        Pair score of the clusters, border points left out.
    disco : float
        DISCO of the same.
    n_clusters : int
        Number of clusters.
    noise_share : float
        Share of the points that are noise or border points.
    """

    eps: float
    low: float
    high: float
    score: float
    disco: float
    n_clusters: int
    noise_share: float


@dataclass(frozen=True)
class SizeChoice(FieldsDisplay):
    """One stretch of min_cluster_size at which HDBSCAN gives one and the same clusters.

    Attributes
    ----------
    min_cluster_size : int
        The smallest of the stretch.
    low, high : int
        The stretch, both ends included.
    score : float
        Pair score of the clusters.
    disco : float
        DISCO of the same.
    n_clusters : int
        Number of clusters.
    noise_share : float
        Share of the points that are noise.
    """

    min_cluster_size: int
    low: int
    high: int
    score: float
    disco: float
    n_clusters: int
    noise_share: float


Choice = TypeVar("Choice", EpsChoice, SizeChoice)
# What share of the best score is almost as good.
_ALMOST = 0.95
# What every path tells of each row.
_NUMBERS = ("score", "disco", "n_clusters", "noise_share")


@dataclass(frozen=True, eq=False, repr=False)
class _Path(RichDisplay, ABC, Generic[Choice]):
    """Scores along a parameter; what rows and stretches are is up to the parameter."""

    score: FloatArray
    disco: FloatArray
    n_clusters: NDArray[np.int64]
    noise_share: FloatArray

    _parameter: ClassVar[str]

    def __post_init__(self) -> None:
        for field in fields(self):
            values = getattr(self, field.name)
            if isinstance(values, np.ndarray):
                values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.score)

    @abstractmethod
    def __getitem__(self, row: int) -> Choice: ...

    def __iter__(self) -> Iterator[Choice]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        best = self.best
        value = getattr(best, self._parameter)
        shown = f"{value:.4g}" if isinstance(value, float) else str(value)
        found = f"{count(best.n_clusters, 'cluster')}, pair score {best.score:.3f}"
        best_value = f"{self._parameter}={shown}"
        return f"{type(self).__name__}({self._shown_size}; best: {best_value}, {found})"

    def _card(self) -> Card:
        table = _choices_table({"best": self.best, "steady": self.steady})
        return Card(type(self).__name__, [self._shown_size], [table])

    @property
    def _shown_size(self) -> str:
        return count(len(self), "row")

    @property
    def best(self) -> Choice:
        """The row with the greatest pair score; of equal ones, fewer clusters, then less noise."""
        return self[self._find_best()]

    @property
    def steady(self) -> Choice:
        """The best row with the number of clusters that holds longest near the best score.

        Of all values around the best one whose scores lie within 5 % of it, some number of clusters
        holds for the widest range. The best row may have another one: a last small cluster, say,
        right before it is joined.
        """
        first, last = self._find_stretch(_ALMOST)
        rows = np.arange(first, last + 1)
        _, which = np.unique(self.n_clusters[rows], return_inverse=True)
        widths = np.bincount(which, self._widths()[rows])
        held = rows[which == widths.argmax()]
        return self[int(held[self.score[held].argmax()])]

    @abstractmethod
    def _widths(self) -> FloatArray:
        """How long each row holds."""

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the path as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library, which must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns eps or min_cluster_size, score, disco, n_clusters, noise_share.
        """
        names = (self._parameter, *_NUMBERS)
        return data_frame({name: getattr(self, name).tolist() for name in names}, backend)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw score, number of clusters and noise along the parameter; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw the score alone; None: a new figure with all three above each other.

        Returns
        -------
        matplotlib.axes.Axes
            The axes with the score; `ax.figure.savefig(path)` saves it.
        """
        axes: Axes = draw("EpsCurveDisplay.from_path", self).plot(ax).ax_
        return axes

    def _read_row(self, row: int) -> dict[str, Any]:
        """What rows of all paths hold, as numbers of Python."""
        return {name: getattr(self, name)[row].item() for name in _NUMBERS}

    def _find_best(self) -> int:
        """The row of the best score; of equal ones the one with fewer clusters, then less noise.

        Nothing but noise comes last, as it is no clustering. Rows that are equal in all this differ
        in the parameter alone, and the first of them is taken.
        """
        score = np.where(self.n_clusters > 0, self.score, -np.inf)
        rows = np.flatnonzero(score == score.max())
        return int(rows[np.lexsort((self.noise_share[rows], self.n_clusters[rows]))[0]])

    def _find_stretch(self, share: object) -> tuple[int, int]:
        """The first and the last row around the best one whose scores are as good as it."""
        limit = check_number(share, "share", "stretch", above=0, most=1)
        best = self._find_best()
        if self.score[best] <= 0:
            return best, best
        worse = np.flatnonzero(self.score < limit * self.score[best])
        before, after = worse[worse < best], worse[worse > best]
        first = int(before[-1]) + 1 if len(before) else 0
        return first, int(after[0]) - 1 if len(after) else len(self) - 1


def _choices_table(choices: dict[str, Any]) -> CardTable:
    """A row for each choice, after the word for it."""
    names = list(vars(next(iter(choices.values()))))
    rows = [
        [word, *(f"{getattr(choice, name):.4g}" for name in names)]
        for word, choice in choices.items()
    ]
    return CardTable([["", *names], *rows], frozenset(range(1, len(names) + 1)))


@dataclass(frozen=True, eq=False, repr=False)
class EpsPath(_Path[EpsChoice]):
    """DBSCAN at every eps: one row for each eps at which its clusters change.

    `DensityTree.eps_path` makes it. The clusters are those of core points; border points count as
    noise, so that every row is exact for all eps of its stretch.

    Attributes
    ----------
    eps : ndarray of shape (rows,)
        The smallest eps of each row, falling: row i holds from ``eps[i]`` up to, but not at,
        ``eps[i - 1]``; the first row for all greater ones.
    score : ndarray of shape (rows,)
        Pair score; see `pair_score`.
    disco : ndarray of shape (rows,)
        DISCO; see `disco_score`.
    n_clusters : ndarray of int of shape (rows,)
        Number of clusters.
    noise_share : ndarray of shape (rows,)
        Share of the points that are no core points.

    Examples
    --------
    >>> from disco_cvi import DensityTree
    >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [13], [50]], min_points=2)
    >>> path = tree.eps_path()
    >>> path
    EpsPath(5 rows; best: eps=5, 2 clusters, pair score 0.306)
    >>> path.eps, path.n_clusters
    (array([37.,  8.,  2.,  1.,  0.]), array([1, 1, 2, 2, 0]))
    >>> path.stretch(0.95)
    (2.0, 8.0)
    """

    eps: FloatArray

    _parameter: ClassVar[str] = "eps"

    def __getitem__(self, row: int) -> EpsChoice:
        low = float(self.eps[row])
        high = float(self.eps[row - 1]) if row % len(self) > 0 else np.inf
        middle = low + (high - low) / 2
        return EpsChoice(
            # Points may be farther apart than any float; eps is one.
            eps=min(middle if middle < high else low, sys.float_info.max),
            low=low,
            high=high,
            **self._read_row(row),
        )

    def _widths(self) -> FloatArray:
        # Beyond the greatest eps nothing changes any more.
        return -np.diff(self.eps, prepend=self.eps[:1])

    def stretch(self, share: float = _ALMOST) -> tuple[float, float]:
        """Return the range of eps around the best one that is almost as good.

        Parameters
        ----------
        share : float, default=0.95
            What share of the best pair score is good enough.

        Returns
        -------
        tuple of float
            From the first, included, to the second, excluded, every eps is good enough; the second
            is infinity where no greater eps is worse.
        """
        first, last = self._find_stretch(share)
        return self[last].low, self[first].high


@dataclass(frozen=True, eq=False, repr=False)
class SizePath(_Path[SizeChoice]):
    """HDBSCAN at every min_cluster_size: one row for each size at which its clusters change.

    `DensityTree.size_path` makes it.

    Attributes
    ----------
    min_cluster_size : ndarray of int of shape (rows,)
        The smallest min_cluster_size of each row, rising: row i holds up to, but not at, that of
        row i + 1; the last row for all greater ones.
    n_points : int
        Number of points, the greatest min_cluster_size that makes sense.
    method : str
        How clusters were chosen, "eom" or "leaf".
    score : ndarray of shape (rows,)
        Pair score; see `pair_score`.
    disco : ndarray of shape (rows,)
        DISCO; see `disco_score`.
    n_clusters : ndarray of int of shape (rows,)
        Number of clusters.
    noise_share : ndarray of shape (rows,)
        Share of the points that are noise.

    Examples
    --------
    >>> from disco_cvi import DensityTree
    >>> X = [[0.0], [1], [2], [10], [11], [13], [14.5], [50]]
    >>> path = DensityTree(X, min_points=2).size_path()
    >>> path
    SizePath(2 rows, 'eom'; best: min_cluster_size=2, 2 clusters, pair score 0.311)
    """

    min_cluster_size: NDArray[np.int64]
    n_points: int
    method: str

    _parameter: ClassVar[str] = "min_cluster_size"

    @property
    def _shown_size(self) -> str:
        return f"{count(len(self), 'row')}, {self.method!r}"

    def __getitem__(self, row: int) -> SizeChoice:
        row = range(len(self))[row]
        is_last = row == len(self) - 1
        return SizeChoice(
            min_cluster_size=int(self.min_cluster_size[row]),
            low=int(self.min_cluster_size[row]),
            high=max(2, self.n_points) if is_last else int(self.min_cluster_size[row + 1]) - 1,
            **self._read_row(row),
        )

    def _widths(self) -> FloatArray:
        ends = np.append(self.min_cluster_size[1:], self.n_points + 1)
        return np.asarray(ends - self.min_cluster_size, np.float64)

    def stretch(self, share: float = _ALMOST) -> tuple[int, int]:
        """Return the range of min_cluster_size around the best one that is almost as good.

        Parameters
        ----------
        share : float, default=0.95
            What share of the best pair score is good enough.

        Returns
        -------
        tuple of int
            From the first to the second, both included, every size is good enough.
        """
        first, last = self._find_stretch(share)
        return self[first].low, self[last].high
