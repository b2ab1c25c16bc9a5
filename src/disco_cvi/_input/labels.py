"""A user's labels become codes 0 to k-1, with -1 for noise; their names are kept for reports.

Labels are compared as given: the text "-1" is not the number -1, and `True` is not 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.arrays import (
    UNWRITABLE,
    as_array,
    is_missing,
    is_whole_number,
    wrong_type,
    wrong_value,
)
from disco_cvi._output.words import count, describe, shorten, warn_user
from disco_cvi.exceptions import InvalidInputError, NoiseLabelWarning

Name: TypeAlias = int | str | bool

NOISE = -1  # the code of noise, and the default of its label

# Integers that span at most this many values per label are numbered by counting, without a sort.
_SPAN_PER_LABEL = 4
_ALLOWED = "be integers, integral floats, strings or booleans"
# What people and programs call noise, in small letters.
_LIKE_NOISE = frozenset(
    ["-1", "noise", "outlier", "outliers", "unclustered", "unassigned", "none", "nan"]
)


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
    column: Any = labels.codes if isinstance(labels, Labels) else None
    if column is None:
        noise = _check_noise_label(noise_label, caller)
        column = _as_column(labels, argument, caller)
    if len(column) != n_points:
        held = f"{count(n_points, 'point')}, {count(len(column), 'label')}"
        problem = f"must hold one label per point: {held}"
        raise InvalidInputError(argument=argument, caller=caller, problem=problem)
    if isinstance(labels, Labels):
        return labels
    values = _as_one_family(column, argument, caller)
    if not isinstance(values, np.ndarray):
        candidates = sorted(set(values))
        lookup = {name: position for position, name in enumerate(candidates)}
        positions = np.fromiter(map(lookup.__getitem__, values), np.int64, len(values))
        return _number(positions, candidates, noise)
    if values.dtype.kind == "b":
        return _number(values.view(np.uint8), (False, True), noise)
    return _number_integers(values, noise)


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


# --- noise --------------------------------------------------------------------------------------


def _check_noise_label(noise_label: object, caller: str) -> Name | None:
    """Return the noise label as a plain int, str or bool."""
    if noise_label is None:
        return None
    remedy = "Pass None if no point is noise."
    if _family(noise_label) is None:
        rule = "be one label (an integer, a string or a boolean) or None"
        raise wrong_type("noise_label", caller, rule, describe(noise_label), remedy)
    if not _is_whole(noise_label):
        rule = "be a whole number, a string or a boolean, as labels are"
        raise wrong_value("noise_label", caller, rule, shorten(noise_label), remedy)
    return _plain(noise_label)


def noise_like(names: Iterable[Name]) -> Name | None:
    """Return the first cluster whose name sounds like noise, or None.

    >>> noise_like(["left", "right", "Noise"])
    'Noise'
    """
    return next((name for name in names if str(name).lower() in _LIKE_NOISE), None)


def warn_of_noise(labelings: Iterable[tuple[object, Labels]], noise_label: object) -> None:
    """Warn if a cluster sounds like noise, or no labeling of a call has the noise that it names.

    `labelings` are labels as given and as checked; whoever gives checked ones has looked.
    """
    checked = [labels for given, labels in labelings if not isinstance(given, Labels)]
    if noise_label is None or not checked:
        return
    if noise_label != NOISE:
        if not any(labels.n_noise for labels in checked):
            warn_user(
                f"No point has the noise_label {shorten(noise_label)}; the clusters are "
                f"{shorten(list(checked[0].names))}. Pass noise_label=None if there is no noise.",
                NoiseLabelWarning,
            )
        return
    for labels in checked:
        name = noise_like(labels.names)
        if labels.n_noise == 0 and name is not None:
            warn_user(
                f"The cluster {shorten(name)} counts as a cluster. If it is noise, pass "
                f"noise_label={shorten(name)}; if not, noise_label=None.",
                NoiseLabelWarning,
            )
            return


# --- from anything to labels of one family ------------------------------------------------------


def _family(label: object) -> type[Name] | None:
    """Return bool, str or int for what a label may be, None for anything else."""
    if isinstance(label, bool | np.bool_):
        return bool
    if isinstance(label, str | bytes):
        return str
    return int if is_whole_number(label) or isinstance(label, float | np.floating) else None


def _is_whole(label: Any) -> bool:
    return not isinstance(label, float | np.floating) or float(label).is_integer()


def _plain(label: Any) -> Name:
    """Return a label of a known family as int, str or bool."""
    if isinstance(label, bytes):
        return label.decode("utf-8", errors="backslashreplace")
    family = _family(label)
    assert family is not None
    return family(label)


def _as_column(labels: object, argument: str, caller: str) -> NDArray[Any]:
    """Return the labels as a one-dimensional array in which every label keeps its type."""
    dtype: type | None = None
    if isinstance(labels, list | tuple):
        # Left to itself NumPy makes 1 beside "a" text, and large integers floats.
        kinds = set(map(type, labels))
        dtype = float if kinds == {float} else object
        if kinds == {int}:
            with suppress(OverflowError):
                return np.array(labels, dtype=np.int64)
    column = as_array(labels, argument, caller, dtype)
    if column.ndim == 2 and column.shape[1] == 1:
        got = f"one column (shape {column.shape})"
        remedy = "Pass that column alone, for example labels.ravel()."
        raise wrong_value(argument, caller, "be one-dimensional", got, remedy)
    if column.ndim != 1:
        rule = "be one-dimensional, one label per point"
        raise wrong_value(argument, caller, rule, f"shape {column.shape}")
    return column


def _as_one_family(column: NDArray[Any], argument: str, caller: str) -> NDArray[Any] | list[Any]:
    """Return an array of integers or booleans, or a list of str or of integers beyond 64 bits."""
    kind = column.dtype.kind
    if kind in "biu":
        return column
    if kind not in "fOUST":
        raise wrong_type(argument, caller, _ALLOWED, f"an array of {column.dtype}")
    if kind == "f":
        missing = np.flatnonzero(np.isnan(column))
        broken = np.flatnonzero(~(np.isfinite(column) & (column == np.rint(column))))
    else:
        try:
            values: list[Any] = column.tolist()
        except (ValueError, SystemError) as error:  # a file may say of any bytes that they are text
            raise wrong_value(argument, caller, "hold text of Unicode", str(error)) from error
        if set(map(type, values)) == {str}:
            return values
        missing = np.flatnonzero([is_missing(value) for value in values])
    if len(missing):
        verb = "is" if len(missing) == 1 else "are"
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"must be complete; {count(len(missing), 'label')} {verb} missing "
            f"(first: position {missing[0]})",
            remedy="Give every point a label; the label of noise is noise_label.",
        )
    family: type[Name] = int
    if kind != "f":
        family = _common_family(values, argument, caller)
        broken = np.flatnonzero([not _is_whole(value) for value in values])
    if len(broken):
        rule, remedy = "be whole where they are numbers", "Pass cluster labels, not measurements."
        got = f"{column[broken[0]]!s} at position {broken[0]}"
        raise wrong_value(argument, caller, rule, got, remedy)
    if kind == "f" and float(np.abs(column).max()) < 2.0**63:
        return column.astype(np.int64)
    plain: list[Any] = [_plain(value) for value in column.tolist()]
    if family is str:
        return plain
    try:
        return np.array(plain, dtype=bool if family is bool else np.int64)
    except OverflowError:
        if max(map(abs, plain)) >= UNWRITABLE:  # nothing could name such a cluster
            rule, remedy = "be integers that Python can write", "Number the clusters 0, 1, 2."
            raise wrong_value(argument, caller, rule, remedy=remedy) from None
        return plain


def _common_family(values: list[Any], argument: str, caller: str) -> type[Name]:
    """Return the family that all labels belong to."""
    first: dict[type[Name], int] = {}
    for position, value in enumerate(values):
        family = _family(value)
        if family is None:
            got = f"{describe(value)} at position {position}"
            raise wrong_type(argument, caller, _ALLOWED, got)
        first.setdefault(family, position)
    if len(first) > 1:
        places = list(first.values())[:2]
        got = " and ".join(f"{describe(values[place])} at position {place}" for place in places)
        remedy = "Convert all of them to strings or all to integers."
        raise wrong_type(argument, caller, "be of one kind", got, remedy)
    return next(iter(first), str)


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
