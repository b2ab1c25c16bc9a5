"""Parts of the points: what is known of each before any is moved, and what is wrong with them.

A part is anything that a runner resolves to a two-dimensional array of numbers, one row per point;
the rows of all parts, one part after the other, are the rows of the tree. A part may be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import not_finite_error, rows_not_finite
from disco_cvi._input.metric import Metric
from disco_cvi._input.options import check_min_points
from disco_cvi._input.points import check_places
from disco_cvi._neighbors.distances import zero_row_error
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

# Rows are numbered by 32 bits in every tree.
_MOST_ROWS = np.iinfo(np.int32).max


class BadRows(NamedTuple):
    """Rows of a part that cannot be used: how many, and the first of them; none: -1."""

    number: int
    first: int


class PartFacts(NamedTuple):
    """What is known of a part.

    ``extremes``: in each column, the number that is farthest from 0, and ``extreme_rows``: its row.
    ``sample``: some rows, chosen by chance, as they are. ``zero_row``: the first row of zeros, or
    -1. What only finite numbers have is empty and -1 where there are others.
    """

    rows: int
    width: int
    nan: BadRows
    infinite: BadRows
    not_finite: BadRows
    zero_row: int
    extremes: FloatArray
    extreme_rows: NDArray[np.intp]
    sample: FloatArray

    @property
    def largest(self) -> float:
        """The largest coordinate without its sign."""
        return float(np.abs(self.extremes).max(initial=0.0))

    @property
    def finite(self) -> bool:
        """Whether all numbers are finite."""
        return self.not_finite.number == 0


def describe(part: object, seed: int, sample_size: int, caller: str) -> PartFacts:
    """Look at every number of a part once."""
    array = as_rows(part, caller)
    n_rows, width = array.shape
    nan, infinite = rows_not_finite(array) if array.size else (np.empty(0, np.intp),) * 2
    bad = (_bad_rows(nan), _bad_rows(infinite), _bad_rows(np.union1d(nan, infinite)))
    if array.size == 0 or bad[2].number:
        none = np.empty(0), np.empty(0, np.intp), np.empty((0, width))
        return PartFacts(n_rows, width, *bad, -1, *none)
    rows = np.stack([array.argmin(axis=0), array.argmax(axis=0)])
    ends = array[rows, np.arange(width)].astype(np.float64)
    farther = np.abs(ends).argmax(axis=0)
    extremes = ends[farther, np.arange(width)], rows[farther, np.arange(width)]
    is_zero = ~array.any(axis=1)
    zero_row = int(is_zero.argmax()) if is_zero.any() else -1
    generator = np.random.default_rng(seed)
    chosen = generator.choice(n_rows, min(sample_size, n_rows), replace=False)
    sample = array[chosen].astype(np.float64)
    return PartFacts(n_rows, width, *bad, zero_row, *extremes, sample)


def as_rows(part: object, caller: str) -> NDArray[Any]:
    """Return a part as it is, if it is a two-dimensional array of numbers that fit into doubles."""
    array = np.asarray(part)
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise InvalidTypeError(
            argument="X",
            caller=caller,
            rule="consist of two-dimensional parts of real numbers, one row per point",
            got=f"a part of shape {array.shape} of {array.dtype}",
        )
    return array.astype(np.float64) if array.dtype.itemsize > 8 else array


def check_parts(facts: Sequence[PartFacts], min_points: object, metric: Metric, caller: str) -> int:
    """Return `min_points`, or say what is wrong with the parts or with it."""
    widths = [fact.width for fact in facts if fact.rows]
    if not widths or widths[0] == 0:
        problem = "must hold at least one point and one column"
        raise InvalidInputError(argument="X", caller=caller, problem=problem)
    other = next((width for width in widths if width != widths[0]), None)
    if other is not None:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="have the same columns in all its parts",
            got=f"parts of {widths[0]} and of {other} columns",
        )
    *firsts, n_rows = first_rows(facts)
    numbered = list(zip(firsts, facts, strict=True))
    if n_rows > _MOST_ROWS:
        rule = f"hold at most {_MOST_ROWS:,} rows"
        raise InvalidInputError(argument="X", caller=caller, rule=rule, got=f"{n_rows:,}")
    _refuse_not_finite(numbered, caller)
    if metric.name == "haversine":
        _refuse_no_places(numbered, caller)
    zero = [f + fact.zero_row for f, fact in numbered if fact.zero_row >= 0]
    if metric.name == "cosine" and zero:
        raise zero_row_error(zero[0], caller)
    return check_min_points(min_points, n_rows, caller)


def first_rows(facts: Sequence[PartFacts]) -> list[int]:
    """The number of the first row of every part, and the number of all rows."""
    return [0, *np.cumsum([fact.rows for fact in facts]).tolist()]


def _refuse_not_finite(numbered: list[tuple[int, PartFacts]], caller: str) -> None:
    bad = [(first, fact) for first, fact in numbered if not fact.finite]
    if not bad:
        return
    raise not_finite_error(
        sum(fact.not_finite.number for _, fact in bad),
        bad[0][0] + bad[0][1].not_finite.first,
        caller,
        nan=any(fact.nan.number for _, fact in bad),
        infinity=any(fact.infinite.number for _, fact in bad),
    )


def _refuse_no_places(numbered: list[tuple[int, PartFacts]], caller: str) -> None:
    for first, fact in numbered:
        if fact.rows:
            check_places(fact.extremes[None], caller, fact.extreme_rows + first)


def _bad_rows(rows: NDArray[np.intp]) -> BadRows:
    return BadRows(len(rows), int(rows[0]) if len(rows) else -1)
