"""Names of rows: the index of a data frame stays with its points, and labels must have the same."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np

from disco_cvi._input.kinds import is_collection
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

RowNames: TypeAlias = Any  # an index of pandas, an array of objects, or None where there are none


def index_of(values: object) -> Any:
    """Return the index of a data frame or a column of pandas, None of everything else."""
    pandas = sys.modules.get("pandas")  # whoever gives such an object has imported it
    if pandas is None or not isinstance(values, pandas.DataFrame | pandas.Series):
        return None
    return values.index


def names_in(index: Any) -> RowNames:
    """Return an index if it names rows; one that only counts them from 0 does not."""
    if index is None or index.name is not None:
        return index
    only_counts = isinstance(index, sys.modules["pandas"].RangeIndex) and (
        index.start == 0 and index.step == 1
    )
    return None if only_counts else index


def check_row_names(names: object, n_points: int, index: Any, caller: str) -> RowNames:
    """Return the names that a user gives to the rows of points: any values, in the order of X."""
    argument = "row_names"
    if not is_collection(names):
        rule = "hold one name per point"
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(names))
    refuse_other_rows(names, index, argument, caller)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(names, pandas.Index):
        found: RowNames = names
    else:
        # Not np.array, which would make a matrix of names that are tuples.
        found = np.fromiter(names, dtype=object)
        found.flags.writeable = False
    if len(found) != n_points:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            problem=f"must hold one name per point: {count(n_points, 'point')}, "
            f"{count(len(found), 'name')}",
        )
    _refuse_unwritable(found, caller)
    return found


def _refuse_unwritable(names: RowNames, caller: str) -> None:
    """Refuse names that nothing could show: what is to be told of a point is told by its name."""
    if names.dtype != object:
        return
    for position, name in enumerate(names):
        try:
            str(name), name == name  # noqa: PLR0124 - frames of pandas compare names
        except Exception as error:  # a long integer, a number that signals, whatever users make
            raise InvalidInputError(
                argument="row_names",
                caller=caller,
                rule="hold names that can be written and compared",
                got=f"a value of {type(name).__name__} at position {position} that cannot",
                remedy="Pass texts or numbers.",
            ) from error


def plain_name(name: object) -> int | float | str | bool | None:
    """Return a name as JSON has it: a number, a truth value or None stays, all else is text."""
    if isinstance(name, np.generic):
        name = name.item()
    try:
        text = str(name)
    except Exception:  # noqa: BLE001 - an index may hold what cannot be written
        return f"<{type(name).__name__}>"
    if isinstance(name, float) and not np.isfinite(name):
        return text
    return name if isinstance(name, int | float | str | bool | None) else text


def refuse_other_rows(values: object, index: Any, argument: str, caller: str) -> None:
    """Raise if a column of pandas names other rows than the points, or the same in another order.

    A column of another length is refused later, for its length.
    """
    own = index_of(values)
    if index is None or own is None or len(own) != len(index) or _are_equal(own, index):
        return
    # Listed, the numbers of an index are Python's, which are shown as people write them.
    own_names, names = list(own), list(index)
    own_keys, keys = (list(map(_key, each)) for each in (own_names, names))
    # Equal numbers of two types have one hash, missing values one text.
    pairs = enumerate(zip(own_keys, keys, strict=True))
    differ = (row for row, (a, b) in pairs if hash(a) != hash(b) and _text(a) != _text(b))
    row = next(differ, 0)
    same = Counter(own_keys) == Counter(keys)
    by_name = f"{argument}.loc[X.index] to join them by name, or " if same else ""
    raise InvalidInputError(
        argument=argument,
        caller=caller,
        problem=f"must have the index of X{' in the same order' if same else ''}; row {row} is "
        f"{shorten(own_names[row])}, in X {shorten(names[row])}",
        remedy=f"Pass {by_name}{argument}.to_numpy() if row belongs to row.",
    )


def _are_equal(own: Any, index: Any) -> bool:
    try:
        return bool(own.equals(index))
    except Exception:  # noqa: BLE001 - names that cannot be compared
        return [_key(name) for name in own] == [_key(name) for name in index]


def _key(name: object) -> Hashable:
    """Return what a name is told by: itself, or its text if it has no hash, as a list."""
    try:
        hash(name)
    except Exception:  # noqa: BLE001 - of a list, of a number that signals
        return _text(name)
    return name


def _text(name: object) -> str:
    try:
        return repr(name)
    except Exception:  # noqa: BLE001 - whatever users make
        return f"<{type(name).__name__}>"
