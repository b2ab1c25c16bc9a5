"""Density trees as npz files, without pickle, or from edges of another program.

Whatever is read is checked before it is used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._input.metric import Metric, check_metric
from disco_cvi._input.options import check_min_points, check_path
from disco_cvi._input.points import METRIC
from disco_cvi._output.files import write_file
from disco_cvi._output.words import shorten
from disco_cvi.density_tree.build import TreeParts, check_edges, tree_from_edges
from disco_cvi.density_tree.leaf_order import heavier_comes_first, make_line
from disco_cvi.exceptions import InvalidInputError

_FORMAT = 1
# A distance is a float, 2**-1074 to 2**1024, or the product of two: squares, and sums in the scale
# of the points. That of copies is 0, and the exponent twice the one by which they were scaled.
_MOST_EXPONENT = 2200
_MOST_OF_COPIES = 2 * (1074 + 512)
_ARRAYS = {"leaves": np.int32, "joins": np.float64, "core": np.float64}
_SCALARS = {
    "format": "i",
    "exponent": "i",
    "min_points": "i",
    "metric": "U",
    "metric_params": "U",
    "algorithm": "U",
}


class TreeFile:
    """A density tree as a file, or from elsewhere; `DensityTree` is one."""

    __slots__ = ()

    parts: TreeParts
    _adopt: Callable[..., Self]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file (npz, no pickle), which is complete or not there at all.

        A metric given as a function is remembered by its name only.

        Parameters
        ----------
        path : str or path-like
            Where to write; an existing file is replaced.

        Raises
        ------
        InvalidInputError, TypeError
            If `path` cannot be a path.
        OSError
            If the file cannot be written.
        """
        write_tree(check_path(path, "path", "save"), self.parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
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
        return cls.__new__(cls)._adopt(read_tree(check_path(path, "path", "load")), None, None)  # noqa: SLF001 - makes it

    @classmethod
    def from_spanning_tree(
        cls,
        first: ArrayLike,
        second: ArrayLike,
        heights: ArrayLike,
        core_distances: ArrayLike,
        *,
        min_points: int,
        metric: str | Callable[..., float] = METRIC,
    ) -> Self:
        """Make a tree from the spanning edges that another program found.

        Edge e joins the points ``first[e]`` and ``second[e]`` at ``heights[e]``, the largest of
        their distance and their two core distances. Whether the edges are the cheapest is not
        asked: the tree is that of the edges given.

        Parameters
        ----------
        first, second : array-like of int of shape (n - 1,)
            The points that each edge joins, as rows from 0 to n - 1. Together the edges connect
            all points.
        heights : array-like of shape (n - 1,)
            Height of each edge, at least the core distances of both its ends.
        core_distances : array-like of shape (n,)
            Core distance of each point.
        min_points : int
            Which nearest point the core distances reach to, the point itself counted as the first:
            the `min_samples` of scikit-learn, one more than that of hdbscan.
        metric : str or callable, default="euclidean"
            The metric that the distances are of; the tree remembers it.

        Returns
        -------
        DensityTree
            The tree; it knows no points, so that it can be scored by what needs a tree only.

        Raises
        ------
        InvalidInputError
            If the edges are not n - 1, do not connect all points, or lie below a core distance.
        TypeError
            If an argument is of the wrong type.

        Examples
        --------
        >>> from disco_cvi import DensityTree, disco_score
        >>> tree = DensityTree.from_spanning_tree(
        ...     [0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 7, 1], [1, 1, 2, 1, 1], min_points=2
        ... )
        >>> round(disco_score(tree, [0, 0, 0, 1, 1]), 3)
        0.8
        """
        caller = "from_spanning_tree"
        spanning = check_edges(first, second, heights, core_distances, caller)
        checked = check_min_points(min_points, len(spanning.core), caller)
        parts = tree_from_edges(spanning, 0, checked, check_metric(metric, None, caller))
        return cls.__new__(cls)._adopt(parts, None, None)  # noqa: SLF001 - makes it


def write_tree(path: str | os.PathLike[str], parts: TreeParts) -> None:
    """Write a tree to a file."""
    metric = parts.metric
    arrays: dict[str, Any] = {
        "format": _FORMAT,
        "leaves": parts.line.leaves,
        "joins": parts.line.joins,
        "core": parts.line.core,
        "exponent": parts.exponent,
        "min_points": parts.min_points,
        "metric": metric.name if isinstance(metric.name, str) else f"function {metric.shown}",
        "metric_params": json.dumps(
            metric.params, default=lambda value: np.asarray(value).tolist()
        ),
        "algorithm": parts.algorithm,
    }
    write_file(path, lambda stream: np.savez(stream, **arrays))


def read_tree(path: Path) -> TreeParts:
    """Read what `write_tree` wrote; every value is checked before it is used."""
    found = _read_arrays(path)
    if int(found["format"]) != _FORMAT:
        _refuse(path, f"its format is {int(found['format'])}, and this version reads {_FORMAT}")
    leaves, joins, core = (np.ascontiguousarray(found[name]) for name in _ARRAYS)
    exponent, min_points = int(found["exponent"]), int(found["min_points"])
    _check_values(leaves, joins, core, min_points, path)
    if abs(exponent) > (_MOST_EXPONENT if joins.max() > 0 else _MOST_OF_COPIES):
        _refuse(path, f"its exponent is {exponent}, and no points are so near or far")
    metric, algorithm = _read_metric(found, path), str(found["algorithm"])
    if algorithm not in ("exact", "approximate"):
        _refuse(path, f"its algorithm is {shorten(algorithm)}")
    line = make_line(leaves, joins, core)
    if not heavier_comes_first(line):
        _refuse(path, "the heavier part of a merge does not come first")
    return TreeParts(line, exponent, min_points, metric, algorithm)


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays that a tree has, each of the right type and shape."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            # Trees are not packed: unpacked, a crafted file could fill the memory.
            if sum(member.file_size for member in archive.zip.infolist()) > path.stat().st_size:
                raise ValueError("arrays are larger than the file")  # noqa: TRY301
            found = {name: archive[name] for name in (*_ARRAYS, *_SCALARS)}
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a damaged archive makes zipfile, zlib or NumPy raise
        _refuse(path, "it is damaged, or a file of another kind", error)
    for name, kind in _SCALARS.items():
        if found[name].shape != () or found[name].dtype.kind != kind:
            _refuse(path, f"{name} is not a single value of the right type")
    n_points = found["leaves"].size
    for name, dtype in _ARRAYS.items():
        if found[name].dtype != dtype or found[name].shape != (n_points,) or n_points == 0:
            _refuse(path, f"{name} is not an array of {np.dtype(dtype)} with one entry per point")
    return found


def _read_metric(found: dict[str, NDArray[Any]], path: Path) -> Metric:
    name = str(found["metric"])
    try:
        params = json.loads(str(found["metric_params"]))
    except (ValueError, RecursionError) as error:
        _refuse(path, "metric_params is not JSON", error)
    if not isinstance(params, dict):
        _refuse(path, "metric_params is not a JSON object")
    if name.startswith("function "):
        return Metric(name, params)
    try:
        return check_metric(name, params, "load")
    except InvalidInputError as error:
        _refuse(path, f"its metric is {shorten(name)} with {shorten(params)}", error)


def _check_values(
    leaves: NDArray[np.int32],
    joins: NDArray[np.float64],
    core: NDArray[np.float64],
    min_points: int,
    path: str | os.PathLike[str],
) -> None:
    """Whether the arrays are a tree: no height may lie below the core distances it joins."""
    n_points = len(leaves)
    if not 1 <= min_points <= n_points:
        _refuse(path, f"min_points is {min_points} for {n_points} points")
    in_range = leaves.min() >= 0 and leaves.max() < n_points
    if not in_range or np.bincount(leaves, minlength=n_points).max() != 1:
        _refuse(path, "leaves does not list every point once")
    for name, values in (("joins", joins), ("core", core)):
        if not (np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1):
            _refuse(path, f"{name} holds a value outside 0 to 1")
    if joins[0] != 0:
        _refuse(path, "joins does not begin with 0")
    in_order = core[leaves]
    if (joins[1:] < np.maximum(in_order[1:], in_order[:-1])).any():
        _refuse(path, "a height lies below a core distance")


def _refuse(
    path: str | os.PathLike[str], reason: str, error: BaseException | None = None
) -> NoReturn:
    message = (
        f"{os.fspath(path)!r} is not a density tree that DensityTree.save wrote: {reason}. "
        "Build the tree again from the points."
    )
    raise InvalidInputError(message) from error
