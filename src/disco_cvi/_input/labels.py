"""A user's labels become codes 0 to k-1, with -1 for noise; their names are kept for reports.

Labels are compared as given: the text "-1" is not the number -1, and `True` is not 1.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from disco_cvi._input.arrays import as_array, is_missing
from disco_cvi._input.kinds import is_whole_kind
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["NOISE", "Labels", "Name", "check_labels"]

Name: TypeAlias = int | str | bool

NOISE = -1  # the code of noise, whatever its label

# Integers that span at most this many values per label are numbered by counting, without a sort.
_SPAN_PER_LABEL = 4

_ALLOWED = "be integers, integral floats, strings or booleans"


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """A labeling in the form that kernels trust.

    Attributes
    ----------
    codes : ndarray of int32, shape (n,)
        The cluster of each point, numbered in ascending order of the names; -1 is noise.
    names : tuple
        The clusters' names as plain Python objects: all int, all str or all bool.
    sizes : ndarray of int64, shape (k,)
        Number of points in each cluster, at least 1.
    """

    codes: NDArray[np.int32]
    names: tuple[Name, ...]
    sizes: NDArray[np.int64]

    @property
    def n_points(self) -> int:
        """Number of points, noise included."""
        return len(self.codes)

    @property
    def n_clusters(self) -> int:
        """Number of clusters; the noise is none."""
        return len(self.names)

    @property
    def n_noise(self) -> int:
        """Number of noise points."""
        return len(self.codes) - int(self.sizes.sum())


def check_labels(
    labels: object, n_points: int, noise_label: object, caller: str, *, argument: str = "labels"
) -> Labels:
    """Return the labels as codes, names and sizes of clusters.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Integers, integral floats, strings (bytes are read as UTF-8), booleans, or categoricals of
        these; lists, NumPy arrays, pandas, polars or Arrow columns. Any values, gaps allowed.
        `Labels` have been checked: only their number is.
    n_points : int
        How many labels there must be.
    noise_label : int, float, str, bool or None
        The label of noise points. It matches labels of its own kind only: a number never matches
        text or booleans. `None` means that no point is noise.
    caller : str
        Name of the public function, for messages.
    argument : str, default "labels"
        Name of the argument that holds the labels, for messages.

    Returns
    -------
    Labels
        Codes, names and sizes.

    Raises
    ------
    TypeError
        If the labels mix kinds or hold something else, or `noise_label` is not a single label.
    InvalidInputError
        If labels are missing or fractions, too few or too many, or not one-dimensional.
    """
    if isinstance(labels, Labels):
        _check_length(labels.n_points, n_points, argument, caller)
        return labels
    noise = _check_noise_label(noise_label, caller)
    column = _as_column(labels, argument, caller)
    _check_length(len(column), n_points, argument, caller)
    values = _as_one_family(column, argument, caller)
    if not isinstance(values, np.ndarray):
        _refuse_unwritable(values, argument, caller)
        return _number_list(values, noise)
    if values.dtype.kind == "b":
        return _number(values.view(np.uint8), (False, True), noise)
    return _number_integers(values, noise)


def _check_length(n_labels: int, n_points: int, argument: str, caller: str) -> None:
    if n_labels != n_points:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"must hold one label per point: {count(n_points, 'point')}, "
            f"{count(n_labels, 'label')}",
        )


def group_noise(labels: Labels, *, alone: bool) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return codes and sizes with the noise as further clusters.

    Either every noise point is a cluster of its own, or all of them are one; without noise nothing
    changes.
    """
    if labels.n_noise == 0:
        return labels.codes, labels.sizes
    codes = labels.codes.copy()
    fresh = np.arange(labels.n_noise if alone else 1, dtype=np.int32)
    codes[codes < 0] = labels.n_clusters + fresh
    added = np.ones(labels.n_noise, np.int64) if alone else np.array([labels.n_noise])
    return codes, np.concatenate([labels.sizes, added])


def _check_noise_label(noise_label: object, caller: str) -> Name | None:
    """Return the noise label as a plain int, str or bool."""
    if noise_label is None:
        return None
    if _family(type(noise_label)) is None:
        raise InvalidTypeError(
            argument="noise_label",
            caller=caller,
            rule="be one label (an integer, a string or a boolean) or None",
            got=describe(noise_label),
            remedy="Pass None if no point is noise.",
        )
    if not _is_whole(noise_label):
        raise InvalidInputError(
            argument="noise_label",
            caller=caller,
            rule="be a whole number, a string or a boolean, as labels are",
            got=shorten(noise_label),
            remedy="Pass None if no point is noise.",
        )
    return _plain(noise_label)


# --- kinds of labels ----------------------------------------------------------------------------


def _family(kind: type) -> type[Name] | None:
    """Return bool, str or int for a type that labels may have, None for any other type."""
    if issubclass(kind, bool | np.bool_):
        return bool
    if issubclass(kind, str | bytes):
        return str
    if is_whole_kind(kind) or issubclass(kind, float | np.floating):
        return int
    return None


def _is_whole(label: Any) -> bool:
    return not isinstance(label, float | np.floating) or float(label).is_integer()


def _plain(label: Any) -> Name:
    """Return a label of a known family as int, str or bool."""
    if isinstance(label, bytes):
        return label.decode("utf-8", errors="backslashreplace")
    family = _family(type(label))
    assert family is not None
    return family(label)


# --- from anything to labels of one family ------------------------------------------------------


def _as_column(labels: object, argument: str, caller: str) -> NDArray[Any]:
    """Return the labels as a one-dimensional array in which every label keeps its type."""
    if isinstance(labels, list | tuple):
        column = _array_from_list(labels, argument, caller)
    else:
        column = as_array(labels, argument, caller)
    if column.ndim == 2 and column.shape[1] == 1:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be one-dimensional",
            got=f"one column (shape {column.shape})",
            remedy="Pass that column alone, for example labels.ravel().",
        )
    if column.ndim != 1:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be one-dimensional, one label per point",
            got=f"shape {column.shape}",
        )
    return column


def _array_from_list(
    labels: list[Any] | tuple[Any, ...], argument: str, caller: str
) -> NDArray[Any]:
    """Convert a list; left to itself NumPy makes 1 beside "a" text, and large integers floats."""
    kinds = set(map(type, labels))
    if kinds == {float}:
        return np.array(labels, dtype=np.float64)
    if kinds == {int}:
        with suppress(OverflowError):
            return np.array(labels, dtype=np.int64)
    return as_array(labels, argument, caller, object)


def _as_one_family(column: NDArray[Any], argument: str, caller: str) -> NDArray[Any] | list[Any]:
    """Return an array of integers or booleans, or a list of str or of integers beyond 64 bits."""
    kind = column.dtype.kind
    if kind in "biu":
        return column
    if kind == "f":
        return _whole_numbers(column, argument, caller)
    if kind not in "OUST":
        raise InvalidTypeError(
            argument=argument, caller=caller, rule=_ALLOWED, got=f"an array of {column.dtype}"
        )
    if kind == "U":
        _refuse_no_characters(column, argument, caller)
    values: list[Any] = column.tolist()
    if set(map(type, values)) == {str}:
        return values
    _refuse_missing([i for i, value in enumerate(values) if is_missing(value)], argument, caller)
    family = _common_family(values, argument, caller)
    _refuse_fractions(
        [i for i, value in enumerate(values) if not _is_whole(value)], values, argument, caller
    )
    plain = [_plain(value) for value in values]
    if family is not str:
        with suppress(OverflowError):
            return np.array(plain, dtype=bool if family is bool else np.int64)
    return plain


def _refuse_no_characters(column: NDArray[Any], argument: str, caller: str) -> None:
    """Refuse text that NumPy read from a file without looking: Python cannot write it."""
    if column.dtype.itemsize == 0 or column.size == 0:
        return
    codes = np.ascontiguousarray(column).view(
        np.dtype(np.uint32).newbyteorder(column.dtype.byteorder)
    )
    if int(codes.max()) > sys.maxunicode:
        rule, got = "hold text of Unicode", f"a character of number {int(codes.max()):,}"
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=got)


def _whole_numbers(column: NDArray[Any], argument: str, caller: str) -> NDArray[Any] | list[int]:
    """Convert integral floats to integers."""
    _refuse_missing(np.flatnonzero(np.isnan(column)), argument, caller)
    whole = np.isfinite(column) & (column == np.rint(column))
    _refuse_fractions(np.flatnonzero(~whole), column, argument, caller)
    if float(np.abs(column).max()) < 2.0**63:
        return column.astype(np.int64)
    return [int(value) for value in column]


def _common_family(values: list[Any], argument: str, caller: str) -> type[Name]:
    """Return the family that all labels belong to."""
    first: dict[type[Name], int] = {}
    for position, value in enumerate(values):
        family = _family(type(value))
        if family is None:
            raise InvalidTypeError(
                argument=argument,
                caller=caller,
                rule=_ALLOWED,
                got=f"{describe(value)} at position {position}",
            )
        first.setdefault(family, position)
    if len(first) > 1:
        one, other = list(first.values())[:2]
        raise InvalidTypeError(
            argument=argument,
            caller=caller,
            rule="be of one kind",
            got=f"{describe(values[one])} at position {one} and {describe(values[other])} at "
            f"position {other}",
            remedy="Convert all of them to strings or all to integers.",
        )
    return next(iter(first), str)


def _refuse_missing(
    positions: Sequence[int] | NDArray[np.intp], argument: str, caller: str
) -> None:
    if len(positions):
        verb = "is" if len(positions) == 1 else "are"
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"must be complete; {count(len(positions), 'label')} {verb} missing "
            f"(first: position {positions[0]})",
            remedy="Give every point a label; the label of noise is noise_label.",
        )


def _refuse_fractions(
    positions: Sequence[int] | NDArray[np.intp],
    values: Sequence[Any] | NDArray[Any],
    argument: str,
    caller: str,
) -> None:
    if len(positions):
        first = positions[0]
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be whole where they are numbers",
            got=f"{values[first]!s} at position {first}",
            remedy="Pass cluster labels, not measurements.",
        )


def _refuse_unwritable(values: list[Name], argument: str, caller: str) -> None:
    """Python writes no integers of many thousands of digits, so that nothing could name them."""
    try:
        str(min(values)), str(max(values))
    except ValueError as error:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be integers that Python can write",
            got=f"one of {len(bin(max(values, key=abs))):,} bits",  # type: ignore[arg-type]
            remedy="Number the clusters 0, 1, 2, and so on.",
        ) from error


# --- numbering ----------------------------------------------------------------------------------


def _number_integers(values: NDArray[Any], noise: Name | None) -> Labels:
    low, high = int(values.min()), int(values.max())
    if high - low >= _SPAN_PER_LABEL * len(values):
        distinct, positions = np.unique(values, return_inverse=True)
        return _number(positions, distinct.tolist(), noise)
    # The difference of two values of a signed dtype may not fit it; it always fits 64 bits here.
    wide = np.int64 if values.dtype.kind == "i" else np.uint64
    positions = np.subtract(values, wide(low), dtype=wide).view(np.int64)
    return _number(positions, range(low, high + 1), noise)


def _number_list(values: list[Name], noise: Name | None) -> Labels:
    candidates = sorted(set(values))
    lookup = {name: position for position, name in enumerate(candidates)}
    positions = np.fromiter(map(lookup.__getitem__, values), np.int64, len(values))
    return _number(positions, candidates, noise)


def _number(positions: NDArray[Any], candidates: Sequence[Name], noise: Name | None) -> Labels:
    """Number the candidates that occur and are not noise; they ascend and are of one type."""
    counts = np.bincount(positions, minlength=len(candidates))
    # Types first: True is 1 and False is 0 to Python, but not to a reader of labels.
    if type(noise) is type(candidates[0]) and noise in candidates:
        counts[candidates.index(noise)] = 0
    occurring = np.flatnonzero(counts)
    codes = np.full(len(candidates), NOISE, dtype=np.int32)
    codes[occurring] = np.arange(len(occurring), dtype=np.int32)
    names = tuple(candidates[position] for position in occurring.tolist())
    return Labels(codes[positions], names, counts[occurring].astype(np.int64, copy=False))
