"""A graph of near neighbors that the user has: checked, and its distances computed anew.

Programs that search neighbors give row numbers beside distances, some of them in 32 bits, squared,
or of another metric, in lists that do or do not begin with the row itself. So row numbers alone are
taken. Wrong neighbors are no error: the tree is that of the points that are listed.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel
from disco_cvi._input.arrays import as_array
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi._neighbors.neighbor_graph import Lists, offer
from disco_cvi._neighbors.neighbor_lists import NeighborLists
from disco_cvi._neighbors.random_trees import Distinct
from disco_cvi._output.words import describe
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError

_FORMS = (
    "be an array of row numbers of shape (n, k), a pair of it and the distances, or a sparse matrix"
)


def lists_of_graph(
    graph: object, distinct: Distinct, min_points: int, caller: str
) -> NeighborLists:
    """Return the lists of distinct points, itself first; copies of a point share theirs.

    A list that is shorter than others repeats its last entry, beyond `min_points` rows.
    """
    points, rows, multiplicity = distinct
    numbers = _check_rows(graph, len(rows), caller)
    point_of = np.empty(len(rows), np.int32)
    point_of[rows] = np.repeat(np.arange(len(points), dtype=np.int32), multiplicity)
    shape = (len(points), max(1, min(numbers.shape[1], len(points) - 1)))
    lists = Lists(np.full(shape, -1, np.int32), np.full(shape, np.inf), np.ones(shape, np.uint8))
    _list_points(points, numbers, point_of, lists)
    own = np.arange(len(points), dtype=np.int32)[:, None]
    listed = np.concatenate([own, lists.numbers], axis=1)
    squares = np.concatenate([np.zeros((len(points), 1)), lists.squares], axis=1)
    counts = np.where(listed >= 0, multiplicity[listed], 0).sum(axis=1)
    if counts.min() < min_points:
        first_rows = rows[np.cumsum(multiplicity) - multiplicity]
        row = int(first_rows[counts < min_points].min())
        raise InvalidInputError(
            argument="graph",
            caller=caller,
            rule=f"list at least min_points ({min_points}) rows for each row, itself counted",
            got=f"{counts[point_of[row]]} for row {row}",
            remedy="Search more neighbors; three times min_points and more give a good tree.",
        )
    _repeat_last(listed, squares)
    return NeighborLists(listed, squares)


def _check_rows(graph: object, n_rows: int, caller: str) -> NDArray[np.int64]:
    """Return row numbers of shape (n, k), -1 for nobody."""
    numbers = _rows_of(graph, caller)
    rule = None
    if numbers.ndim != 2 or len(numbers) != n_rows or numbers.shape[1] == 0:
        rule, got = f"have one list for each of the {n_rows} rows", f"the shape {numbers.shape}"
    elif numbers.min() < -1 or numbers.max() >= n_rows:
        wrong = np.argwhere((numbers < -1) | (numbers >= n_rows))[0]
        rule = f"hold row numbers from 0 to {n_rows - 1}, or -1 for nobody"
        got = f"{numbers[tuple(wrong)]} in the list of row {wrong[0]}"
    if rule is not None:
        raise InvalidInputError(argument="graph", caller=caller, rule=rule, got=got)
    return np.ascontiguousarray(numbers, np.int64)


def _rows_of(graph: object, caller: str) -> NDArray[Any]:
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(graph):
        return _rows_of_sparse(sparse.csr_matrix(graph))
    try:
        if isinstance(graph, tuple | list) and len(graph) == 2:
            first = as_array(graph[0], "graph", caller)
            numbers = first if first.ndim == 2 else as_array(graph, "graph", caller)
        else:
            numbers = as_array(graph, "graph", caller)
    except ArgumentError:  # lists that differ in length, objects that cannot be read
        numbers = np.asarray(None)
    if numbers.dtype.kind not in "iu":
        raise InvalidTypeError(argument="graph", caller=caller, rule=_FORMS, got=describe(graph))
    return numbers


def _rows_of_sparse(matrix: Any) -> NDArray[np.int64]:
    lengths = np.diff(matrix.indptr)
    numbers = np.full((len(lengths), max(1, int(lengths.max(initial=0)))), -1, np.int64)
    places = np.arange(len(matrix.indices)) - np.repeat(matrix.indptr[:-1], lengths)
    numbers[np.repeat(np.arange(len(lengths)), lengths), places] = matrix.indices
    return numbers


@kernel
def _list_points(points, numbers, point_of, lists):
    """Put whoever is listed for a row into the list of its point, nearest first."""
    for row in range(numbers.shape[0]):
        i = point_of[row]
        for t in range(numbers.shape[1]):
            if numbers[row, t] >= 0:
                j = point_of[numbers[row, t]]
                if j != i:
                    offer(lists, i, j, squared_distance(points, i, j))


@kernel
def _repeat_last(numbers, squares):
    """Repeat the last entry of lists that are short: beyond it, they know nothing."""
    for i in range(numbers.shape[0]):
        for t in range(1, numbers.shape[1]):
            if numbers[i, t] < 0:
                numbers[i, t] = numbers[i, t - 1]
                squares[i, t] = squares[i, t - 1]
