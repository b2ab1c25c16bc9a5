"""How good an approximate tree is: an audit of some rows against all points.

A product of some random rows with all points tells what the search missed there: core distances
that are too large, and shorter ways, edges that cost less than the height at which their ends meet.
Rows are a sample, so shares have a standard error; what no row of the sample meets is not seen.
None of the figures bounds the error of a score. An exact tree is the only certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._input.metric import Metric
from disco_cvi._neighbors.distances import from_squares
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.neighborhoods import Neighborhoods
from disco_cvi._neighbors.products import Blocks, at_least, block_size, make_blocks, products
from disco_cvi._output.tables import Card, RichDisplay

_N_AUDITED = 500


@dataclass(frozen=True)
class TreeQuality(RichDisplay):
    """How far a tree may be from the exact one, by an audit of random rows; never a bound.

    Attributes
    ----------
    algorithm : str
        "exact" or "approximate". For an exact tree all figures below are 0.
    n_audited : int
        How many random rows were compared with all points.
    wrong_core : float
        Share of them whose core distance is too large.
    wrong_core_error : float
        Standard error of that share.
    core_excess : float
        By how much core distances are too large in the mean, relative to the right ones.
    shorter_ways : float
        Share of rows from which an edge leads to some point below the height where the two meet.
    largest_gap : float
        How far the cheapest such edge lies below that height, relative to the height, at most.

    Examples
    --------
    >>> import numpy as np
    >>> from disco_cvi import DensityTree
    >>> X = np.random.default_rng(0).normal(size=(300, 8))
    >>> print(DensityTree(X).quality)
    exact
    >>> quality = DensityTree(X, algorithm="approximate").quality
    >>> quality.wrong_core, quality.shorter_ways
    (0.0, 0.0)
    >>> print(quality)
    approximate, by 300 random rows: 0.0 % ± 0.0 % of core distances are too large, in the mean by
    0.000 %; 0.0 % of rows see a shorter way, by at most 0.0 % of a height. None of this is a bound.
    """

    algorithm: str
    n_audited: int = 0
    wrong_core: float = 0.0
    wrong_core_error: float = 0.0
    core_excess: float = 0.0
    shorter_ways: float = 0.0
    largest_gap: float = 0.0

    def __str__(self) -> str:
        if self.algorithm == "exact":
            return "exact"
        return (
            f"approximate, by {self.n_audited} random rows: {self.wrong_core:.1%} ± "
            f"{self.wrong_core_error:.1%} of core distances are too large, in the mean by\n"
            f"{self.core_excess:.3%}; {self.shorter_ways:.1%} of rows see a shorter way, by at "
            f"most {self.largest_gap:.1%} of a height. None of this is a bound."
        ).replace("%", " %")

    def _card(self) -> Card:
        return Card("TreeQuality", [str(self).replace("\n", " ")])


@dataclass(frozen=True)
class Audited:
    """What is known of an approximate tree."""

    found: Neighborhoods
    metric: Metric
    min_points: int
    core: FloatArray

    def measure(self, squares: FloatArray) -> FloatArray:
        """Squared distances of the coordinates in units of the metric; heights end there too."""
        values, exponent = from_squares(squares, self.found.exponent, self.metric)
        with np.errstate(over="ignore"):
            return np.minimum(np.ldexp(values, exponent), np.finfo(np.float64).max)


def audit(tree: Audited, meet: Callable[..., FloatArray]) -> TreeQuality:
    """Compare random rows with all points; `meet` gives the heights at which rows meet."""
    found = tree.found
    rows = np.random.default_rng(0).permutation(len(found.rows))[:_N_AUDITED]
    point_of = np.empty(len(found.rows), np.int32)
    point_of[found.rows] = np.repeat(
        np.arange(len(found.multiplicity), dtype=np.int32), found.multiplicity
    )
    blocks = make_blocks(found.coordinates, tree.min_points)
    size = min(len(rows), block_size(len(found.coordinates)))
    excess, gaps = np.zeros(len(rows)), np.zeros(len(rows))
    for begin in range(0, len(rows), size):
        part = slice(begin, begin + size)
        chosen = (rows[part], point_of[rows[part]])
        excess[part], gaps[part] = _audit_block(tree, meet, blocks, *chosen)
    wrong = float((excess > 0).mean())
    return TreeQuality(
        "approximate",
        len(rows),
        wrong,
        float(np.sqrt(wrong * (1.0 - wrong) / len(rows))),
        float(excess.mean()),
        float((gaps > 0).mean()),
        float(gaps.max()),
    )


def _audit_block(
    tree: Audited,
    meet: Callable[..., FloatArray],
    blocks: Blocks,
    rows: NDArray[np.intp],
    chosen: NDArray[np.int32],
) -> tuple[FloatArray, FloatArray]:
    """By how much core distances of rows are too large, and the gaps of shorter ways."""
    found = tree.found
    excess, gaps = np.zeros(len(rows)), np.zeros(len(rows))
    first_rows = found.rows[np.cumsum(found.multiplicity) - found.multiplicity]
    core = tree.core[first_rows]
    lower = np.empty((len(chosen), len(core)))
    _least_squares(blocks, products(blocks, chosen), chosen, lower)
    least = tree.measure(lower.ravel()).reshape(lower.shape)
    for place, (row, i) in enumerate(zip(rows, chosen, strict=True)):
        heights = meet(row, first_rows)
        cheap = np.maximum(np.maximum(core, core[i]), least[place])
        near = np.flatnonzero((least[place] < core[i]) | (cheap < heights)).astype(np.int32)
        squares = np.empty(len(near))
        _squares_from(blocks.points, i, near, squares)
        distances = tree.measure(squares)
        excess[place] = _excess(distances, found.multiplicity[near], core[i], tree.min_points)
        costs = np.maximum(np.maximum(core[near], core[i]), distances)
        is_shorter = (costs < heights[near]) & (near != i)
        if is_shorter.any():
            of = heights[near][is_shorter]
            gaps[place] = float(((of - costs[is_shorter]) / of).max())
    return excess, gaps


def _excess(
    distances: FloatArray, copies: NDArray[np.int32], core: float, min_points: int
) -> float:
    """By how much a core distance is too large, relative to the right one (1 if that is 0)."""
    order = np.argsort(distances)
    place = int(np.searchsorted(np.cumsum(copies[order]), min_points))
    right = core if place == len(order) else float(distances[order[place]])
    if right >= core:
        return 0.0
    return core / right - 1.0 if right > 0 else 1.0


@kernel
def _least_squares(blocks, block, chosen, lower):
    """Squared distances that those of the chosen points to all points are not below."""
    norms = blocks.norms
    for row in range(chosen.shape[0]):
        for j in range(norms.shape[0]):
            bound = at_least(blocks, norms[chosen[row]] + norms[j], block[row, j])
            lower[row, j] = max(bound, 0.0) / blocks.unit / blocks.unit


@kernel
def _squares_from(points, i, others, squares):
    for t in range(others.shape[0]):
        squares[t] = squared_distance(points, i, others[t])
