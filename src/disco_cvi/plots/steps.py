"""A path as steps: which part of it is worth looking at, and few enough steps to draw."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi.density_tree.paths import EpsPath, SizePath

# Columns of pixels that a figure has, at most; what differs within one of them is not seen.
COLUMNS = 1000
_MOSTLY_NOISE = 0.95
# What a logarithmic axis can show: beyond, the arithmetic of matplotlib leaves the floats.
_SMALLEST, LARGEST = 1e-290, 1e290


def on_axis(low: float, high: float) -> tuple[float, float]:
    """The ends of a logarithmic axis, as far as it can be drawn; the first below the second."""
    return min(max(low, _SMALLEST), LARGEST / 2), max(min(high, LARGEST), 2 * _SMALLEST)


class Span(NamedTuple):
    """A stretch of the parameter, in rising order."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Its width on a logarithmic scale."""
        return math.log(self.high) - math.log(self.low)  # the quotient may be no float

    @property
    def middle(self) -> float:
        """Its middle on a logarithmic scale."""
        return math.sqrt(self.low) * math.sqrt(self.high)  # the product may be no float

    def share(self, value: float) -> float:
        """Where a value lies: 0 at the low end, 1 at the high end."""
        return (math.log(value) - math.log(self.low)) / self.width

    def clip(self, other: Span) -> Span:
        """The part of another stretch that lies in this one; of no width if none does."""
        low = min(max(other.low, self.low), self.high)
        return Span(low, max(low, min(other.high, self.high)))


@dataclass(frozen=True, eq=False)
class Steps:
    """The rows of a path by rising parameter.

    Attributes
    ----------
    starts : ndarray of shape (rows,)
        Where each row begins; it ends where the next one begins, the last one at `end`.
    end : float
        Infinity for eps.
    score, disco, n_clusters, noise_share : ndarray of shape (rows,)
        As in the path.
    """

    starts: FloatArray
    end: float
    score: FloatArray
    disco: FloatArray
    n_clusters: NDArray[np.int64]
    noise_share: FloatArray

    def find_view(self) -> Span:
        """The part worth looking at: from almost only noise to one cluster, and some more.

        Where DISCO of one cluster beats that of the best score, this is worth seeing as well, but
        not on more than two fifths of the width.
        """
        positive = self.starts[self.starts > 0]
        if len(positive) == 0:
            return Span(0.5, 2.0)
        ends = np.append(self.starts[1:], self.end)
        is_good = (self.n_clusters >= 2) & (self.noise_share <= _MOSTLY_NOISE)
        for chosen in (is_good, self.n_clusters >= 2, np.isfinite(self.score)):
            if chosen.any():
                break
        low = max(float(self.starts[chosen][0]), float(positive[0]) / 2)
        high = float(ends[chosen][-1])
        if math.isinf(high):
            high = max(low, float(positive[-1])) * 2
        low, high = on_axis(low, high)
        high = max(high, min(self._end_of_trap(ends, high), high * (high / low) ** 0.75))
        margin = math.exp(max(0.12 * Span(low, high).width, 0.1))
        if math.isinf(self.end):
            return Span(*on_axis(low / margin, high * margin))
        return Span(0.9 * low, min(high * margin, self.end))

    def _end_of_trap(self, ends: FloatArray, high: float) -> float:
        """Where the row above `high` ends at which DISCO of one cluster is greatest; 0: nowhere."""
        is_meant = (self.n_clusters == 1) & (self.starts >= high)
        row = int(np.where(is_meant, self.disco, -np.inf).argmax())
        is_trap = is_meant[row] and self.disco[row] > self.disco[int(self.score.argmax())]
        return float(ends[row]) if is_trap else 0.0

    def score_at(self, value: float) -> float:
        """The score of the row that a value of the parameter belongs to."""
        return float(self.score[max(int(np.searchsorted(self.starts, value, side="right")) - 1, 0)])

    def rows_in(self, view: Span) -> slice:
        """The rows of which something is in view."""
        first = int(np.searchsorted(self.starts, view.low, side="right")) - 1
        last = int(np.searchsorted(self.starts, view.high, side="left"))
        return slice(max(first, 0), max(last, first + 1, 1))

    def curve(self, values: NDArray[Any], view: Span) -> tuple[FloatArray, FloatArray]:
        """The corners of the line of some values, so few that all of them can be drawn.

        Of all rows that begin in one column of pixels the first, the last and those with the
        smallest and the greatest value remain.
        """
        rows = np.arange(len(self.starts))[self.rows_in(view)]
        starts = np.maximum(self.starts[rows], view.low)
        y = np.asarray(values, dtype=np.float64)[rows]
        if len(rows) > 4 * COLUMNS:
            kept = _thin(np.log(starts / view.low) * (COLUMNS / view.width), y)
            starts, y = starts[kept], y[kept]
        x = np.append(np.repeat(starts, 2)[1:], view.high)
        return x, np.repeat(y, 2)

    def find_runs(self, is_meant: NDArray[np.bool_], view: Span) -> list[Span]:
        """The stretches in view in which rows are meant, if they can be seen."""
        rows = self.rows_in(view)
        last = view.high if rows.stop == len(self.starts) else self.starts[rows.stop]
        bounds = np.clip(np.append(self.starts[rows], last), *view)
        edges = np.flatnonzero(np.diff(is_meant[rows], prepend=False, append=False))
        low, high = bounds[edges.reshape(-1, 2)].T
        is_seen = (np.log(high) - np.log(low)) * COLUMNS > view.width
        return [
            Span(*ends) for ends in zip(low[is_seen].tolist(), high[is_seen].tolist(), strict=True)
        ]


def steps_of(path: EpsPath | SizePath) -> Steps:
    """Return the rows of a path by rising parameter."""
    rows: tuple[Any, ...] = (path.score, path.disco, path.n_clusters, path.noise_share)
    if isinstance(path, SizePath):
        return Steps(path.min_cluster_size.astype(np.float64), path.n_points + 1.0, *rows)
    return Steps(path.eps[::-1], math.inf, *(values[::-1] for values in rows))


def _thin(places: FloatArray, y: FloatArray) -> NDArray[np.int64]:
    """Rows that are seen, of rows at rising places in units of columns."""
    columns = places.astype(np.int64)
    first = np.flatnonzero(np.diff(columns, prepend=-1))
    ends = np.append(first[1:], len(y))
    kept = [first, ends - 1]
    for extreme in (np.fmin, np.fmax):  # these pass over what is no number
        rows = np.flatnonzero(y == np.repeat(extreme.reduceat(y, first), ends - first))
        kept.append(rows[np.flatnonzero(np.diff(columns[rows], prepend=-1))])
    return np.unique(np.concatenate(kept))
