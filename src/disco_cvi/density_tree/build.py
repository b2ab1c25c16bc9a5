"""From spanning edges and core distances to a density tree: the one way, for every builder.

Whoever finds the edges (a search in a k-d tree, blocks of products, rows of distances, another
program) hands over a `SpanningTree`; `broken_rule` says in words what would make it no spanning
tree under mutual reachability.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._input.arrays import as_array
from disco_cvi._input.metric import Metric
from disco_cvi._output.words import describe
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree, root
from disco_cvi.density_tree.leaf_order import (
    LEAVES_PER_RANGE,
    LeafLine,
    find_ends,
    join_points,
)
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


class TreeParts(NamedTuple):
    """What makes a density tree: heights of the line are to be multiplied by 2**exponent."""

    line: LeafLine
    exponent: int
    min_points: int
    metric: Metric
    algorithm: str = "exact"

    def in_units(self, heights: FloatArray) -> FloatArray:
        """Return heights of the line in the units of the metric."""
        with np.errstate(over="ignore", under="ignore"):
            return np.minimum(np.ldexp(heights, self.exponent), np.finfo(np.float64).max)


def tree_from_edges(
    spanning: SpanningTree,
    exponent: int,
    min_points: int,
    metric: Metric,
    n_jobs: int = 1,
    algorithm: str = "exact",
) -> TreeParts:
    """Return the tree of edges and core distances, which are to be multiplied by 2**exponent."""
    line, shift = lay_out(spanning, n_jobs)
    return TreeParts(line, exponent + shift, min_points, metric, algorithm)


def lay_out(spanning: SpanningTree, n_jobs: int = 1) -> tuple[LeafLine, int]:
    """Put every row into a line of leaves, and bring the heights to at most 1.

    Copies of a point stand side by side and join at its core distance. The heights are divided by
    a power of two, so that sums of them cannot overflow; its exponent comes second.
    """
    rows, multiplicity, core, edges = spanning
    largest = max(float(edges.heights.max(initial=0.0)), float(core.max()))
    shift = int(np.frexp(largest)[1])
    with np.errstate(under="ignore"):
        edges = edges._replace(heights=np.ldexp(edges.heights, -shift))
        core = np.ldexp(core, -shift)
    lists = join_points(edges, multiplicity, n_jobs)
    first_row = np.cumsum(multiplicity, dtype=np.int32) - multiplicity
    first_leaf = np.zeros(len(lists.sequence) + 1, np.int32)
    np.cumsum(lists.weights[lists.sequence], out=first_leaf[1:])
    scaled = SpanningTree(rows, multiplicity, core, edges)
    leaves, joins, row_core = np.empty_like(rows), np.empty(len(rows)), np.empty(len(rows))
    line = LeafLine(leaves, joins, np.empty_like(rows), row_core)

    def fill(begin: int, stop: int) -> None:
        # The lists whose first leaf lies in the range.
        first, last = np.searchsorted(first_leaf[:-1], (begin, stop))
        _fill_leaves(lists, scaled, first_row, first_leaf, line, first, last)

    for_ranges(fill, len(rows), LEAVES_PER_RANGE, n_jobs)
    find_ends(joins, line.ends)
    return line, shift


def broken_rule(spanning: SpanningTree) -> str | None:
    """Say what makes edges and core distances no spanning tree, or return None.

    The contract of every builder: each row stands for one point, n - 1 edges connect the n points,
    and no edge is lower than the core distance of either of its ends.
    """
    rows, multiplicity, core, (first, second, heights) = spanning
    n_points = len(core)
    if not np.array_equal(np.sort(rows), np.arange(int(multiplicity.sum()))):
        return "every row must stand for one point"
    if not len(first) == len(second) == len(heights) == n_points - 1:
        lengths = f"{len(first)} and {len(second)} ends, {len(heights)} heights"
        return f"{n_points} points need {n_points - 1} edges; there are {lengths}"
    for name, values in (("core distance", core), ("height", heights)):
        wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
        if len(wrong):
            return f"{name} {wrong[0]} is {values[wrong[0]]}; it must be finite, and 0 or more"
    ends = np.concatenate([first, second])
    wrong = np.flatnonzero((ends < 0) | (ends >= n_points)) % max(1, n_points - 1)
    if len(wrong):
        return f"edge {wrong[0]} leads to a point that is not there"
    low = np.flatnonzero(heights < np.maximum(core[first], core[second]))
    if len(low):
        edge = low[0]
        needed = max(core[first[edge]], core[second[edge]])
        return (
            f"edge {edge}, from {first[edge]} to {second[edge]}, has the height {heights[edge]}, "
            f"below the core distance {needed} of one of its ends; where that is rounding, give "
            "the larger of the two"
        )
    closing = _first_closing_edge(first, second, n_points)
    if closing >= 0:
        return f"edge {closing} joins two points that other edges join; so not all are connected"
    return None


def check_edges(
    first: object, second: object, heights: object, core_distances: object, caller: str
) -> SpanningTree:
    """Return the spanning tree that a user gives as arrays, or say what is wrong with it."""
    core = _check_numbers(core_distances, "core_distances", caller)
    edges = Edges(
        _check_ends(first, "first", caller),
        _check_ends(second, "second", caller),
        _check_numbers(heights, "heights", caller),
    )
    if len(core) == 0:
        rule = "hold a number for each point; there are no points"
        raise InvalidInputError(argument="core_distances", caller=caller, rule=rule)
    rows = np.arange(len(core), dtype=np.int32)
    spanning = SpanningTree(rows, np.ones(len(core), np.int32), core, edges)
    reason = broken_rule(spanning)
    if reason is not None:
        rule = f"be a spanning tree under mutual reachability: {reason}"
        raise InvalidInputError(argument="first, second and heights", caller=caller, rule=rule)
    return spanning


def _check_numbers(values: object, argument: str, caller: str) -> FloatArray:
    """Return numbers, one for each edge or point; what they must be is asked later."""
    array = as_array(values, argument, caller)
    if array.dtype.kind not in "fiu" or array.ndim != 1:
        rule = "be a one-dimensional array of numbers"
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(values))
    return np.array(array, np.float64)


def _check_ends(values: object, argument: str, caller: str) -> NDArray[np.int32]:
    """Return row numbers, also from floats, which programs write into one array with heights.

    A number that is beyond 32 bits stays beyond the number of points.
    """
    array = as_array(values, argument, caller)
    is_whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "f" and bool((array == np.rint(array)).all())
    )
    if not is_whole or array.ndim != 1:
        rule = "be a one-dimensional array of row numbers"
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(values))
    return np.asarray(np.clip(array, -1, np.iinfo(np.int32).max), np.int32)


@kernel
def _fill_leaves(lists, spanning, first_row, first_leaf, line, first, last):
    """Write the rows of the lists that come first to last - 1."""
    for t in range(first, last):
        place = first_leaf[t]
        join = lists.heights[t]
        number = lists.sequence[t]
        for p in range(lists.begins[number], lists.begins[number + 1]):
            i = lists.order[p]
            if p > lists.begins[number]:
                join = lists.joins[p]
            for row in range(first_row[i], first_row[i] + spanning.multiplicity[i]):
                line.leaves[place] = spanning.rows[row]
                line.core[spanning.rows[row]] = spanning.core[i]
                line.joins[place] = join
                join = spanning.core[i]
                place += 1


@kernel
def _first_closing_edge(first, second, n_points):
    """The first edge whose ends are connected by edges before it, or -1."""
    parent = np.arange(n_points).astype(np.int32)
    for edge in range(first.shape[0]):
        a = root(parent, first[edge])
        b = root(parent, second[edge])
        if a == b:
            return edge
        parent[b] = a
    return -1
