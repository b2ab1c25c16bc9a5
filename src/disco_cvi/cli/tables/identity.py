"""Which row of one file is which row of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.words import count, shorten
from disco_cvi.cli.tables.table import Table
from disco_cvi.exceptions import InvalidInputError

_SHOWN = 3


def row_names(table: Table, position: int) -> tuple[str, ...]:
    """Return the names of the rows, which must all be there and differ."""
    names = table.texts(position)
    if "" in names:
        raise InvalidInputError(
            f"{table.source}: {table.describe(position)} holds no id in "
            f"{count(names.count(''), 'row')} (first: {table.place(names.index(''))}). "
            "Every row needs one."
        )
    keys = list(map(_key, names))
    if repeated := [key for key, size in _sizes(keys).items() if size > 1]:
        first = keys.index(repeated[0])
        again = keys.index(repeated[0], first + 1)
        raise InvalidInputError(
            f"{table.source}: {table.describe(position)} holds {count(len(repeated), 'id')} more "
            f"than once (first: {shorten(names[first])}, {table.place(first)} and "
            f"{table.place(again)}). Ids must be unique; choose another column with --id."
        )
    return tuple(names)


def rows_by_name(
    wanted: Sequence[str], wanted_source: str, table: Table, position: int
) -> NDArray[np.intp]:
    """Return the row of a table that each name stands in; it must hold these names and no other."""
    found = {_key(name): row for row, name in enumerate(row_names(table, position))}
    keys = dict.fromkeys(map(_key, wanted))
    if missing := [name for name in wanted if _key(name) not in found]:
        raise InvalidInputError(
            f"{table.source} has no label for {count(len(missing), 'id')} of {wanted_source} "
            f"({_shown(missing)}). Add their rows, with -1 where a point is noise."
        )
    if extra := [key for key in found if key not in keys]:
        raise InvalidInputError(
            f"{table.source} has labels for {count(len(extra), 'id')} that {wanted_source} does "
            f"not have ({_shown(extra)}). Leave those rows out."
        )
    return np.array([found[key] for key in keys], dtype=np.intp)


def refuse_other_order(
    points: Table, labels: Table, label_positions: Sequence[int], without: str | None = None
) -> None:
    """Raise if a column that both tables have names their rows, and in another order.

    Both may be labels of points in a third file, `without` that column.
    """
    for position, name in enumerate(labels.names or ()):
        own = [j for j, other in enumerate(points.names or ()) if other == name]
        if len(own) != 1 or position in label_positions or (labels.names or ()).count(name) > 1:
            continue
        if points.is_nested(own[0]) or labels.is_nested(position):
            continue
        names = list(map(_key, points.texts(own[0])))
        others = list(map(_key, labels.texts(position)))
        places = {key: row for row, key in enumerate(names)}
        if names == others or len(places) < len(names) or len(set(others)) < len(others):
            continue
        moved = [row for row, key in enumerate(others) if places.get(key, row) != row]
        if moved:
            row, handle = moved[0], labels.handle(position)
            remedy = f"Join them with --id {handle}."
            if without is not None:
                remedy = f"Add the column to {without} and join them with --id {handle}."
            raise InvalidInputError(
                f"{points.source} and {labels.source} both have {labels.describe(position)}, in "
                f"another order: {shorten(others[row])} is in {labels.place(row)} of "
                f"{labels.source} and in {points.place(places[others[row]])} of {points.source}. "
                f"{remedy}"
            )


def _sizes(keys: Sequence[str]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    return sizes


def _key(name: str) -> str:
    """Return an id as files of all types write it: a whole number has no fraction."""
    whole, point, fraction = name.partition(".")
    is_whole = point and whole.lstrip("-").isdecimal() and not fraction.strip("0")
    return whole if is_whole else name


def _shown(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > _SHOWN else ""
    return ", ".join(map(shorten, names[:_SHOWN])) + more
