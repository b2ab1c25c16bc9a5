"""Compute cells in this process: data are opened once, labels made once per labeling."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_paper.cells import Cell, Outcome, Spec, Value

if TYPE_CHECKING:
    from disco_paper.judging import Experiment
    from disco_paper.sources import Source


def compute_batch(experiment: Experiment, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome]]:
    """Compute cells one after another; what fails is an outcome too, and the rest goes on.

    Parameters
    ----------
    experiment : Experiment
        Whose own makers of data, labelings and measures are looked at first.
    cells : iterable of Cell
        In any order; those of equal data, and of equal labeling of these, are computed together.

    Yields
    ------
    (Cell, Outcome)
        As soon as it is known.
    """
    from disco_paper.sources import Source, make_points

    for data, group in groupby(group_cells(cells), key=lambda cell: cell.data):
        of_data = list(group)
        try:
            made = make_points(data, experiment.data)
        except Exception as error:  # noqa: BLE001 - one data set must not cost the others
            yield from _for_all(of_data, error, "The data could not be made: ")
        else:
            yield from _compute_labelings(experiment, Source(data, *made), of_data)


def group_cells(cells: Iterable[Cell]) -> list[Cell]:
    """Cells without repetition, those of equal data and of equal labeling side by side."""
    groups: dict[Any, dict[Any, dict[Cell, None]]] = {}
    for cell in cells:
        groups.setdefault(cell.data, {}).setdefault(cell.labeling, {})[cell] = None
    return [cell for of_data in groups.values() for same in of_data.values() for cell in same]


def _compute_labelings(
    experiment: Experiment, source: Source, cells: list[Cell]
) -> Iterator[tuple[Cell, Outcome]]:
    """Compute the cells of one data set, labeling by labeling; of equal labels nothing twice."""
    from disco_paper.sources import Case, make_labels

    known: dict[tuple[bytes, Spec], Outcome] = {}
    for labeling, group in groupby(cells, key=lambda cell: cell.labeling):
        same = list(group)
        try:
            labels = make_labels(labeling, source, experiment.labelings)
            case = Case(source, labels)
        except Exception as error:  # noqa: BLE001 - as above
            yield from _for_all(same, error, "The labels could not be made: ")
        else:
            digest = hashlib.sha256(labels.tobytes()).digest()
            for cell in same:
                asked = (digest, cell.index)
                is_known = asked in known
                if not is_known:
                    known[asked] = _compute(experiment, cell, case)
                yield cell, replace(known[asked], seconds=0.0) if is_known else known[asked]


def _compute(experiment: Experiment, cell: Cell, case: Any) -> Outcome:
    """Compute one cell."""
    from disco_paper.measures import measure

    begin = time.perf_counter()
    try:
        value = make_plain(measure(cell.index, case, experiment.measures))
    except Exception as error:  # noqa: BLE001 - one cell must not cost the others
        return _failure(error)
    seconds = time.perf_counter() - begin
    if isinstance(value, float) and not math.isfinite(value):
        return Outcome(None, f"The value is {value}.", seconds=seconds)
    return Outcome(value, seconds=seconds)


def _for_all(cells: list[Cell], error: Exception, what: str) -> Iterator[tuple[Cell, Outcome]]:
    for cell in cells:
        yield cell, _failure(error, what)


def _failure(error: Exception, what: str = "") -> Outcome:
    """An undefined score is an answer, everything else an error."""
    return Outcome(None, what + describe(error), not isinstance(error, UndefinedScoreError))


def describe(error: Exception) -> str:
    """What an exception says, on one line; its type where that is no sentence of ours."""
    message = " ".join(str(error).split())
    if isinstance(error, UndefinedScoreError | InvalidInputError):
        return message
    return f"{type(error).__name__}: {message}" if message else f"{type(error).__name__}."


def make_plain(value: Any) -> Value:
    """A value as JSON gives it back: Python's own types, and None for what is not finite in lists.

    >>> import numpy as np
    >>> make_plain({"mean": np.float64(0.5), "samples": np.array([1.0, np.nan]), "k": np.int64(3)})
    {'mean': 0.5, 'samples': [1.0, None], 'k': 3}
    """
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    message = f"A cell cannot hold a value of type {type(value).__name__}."
    raise TypeError(message)


def _finite(value: Any) -> Value:
    """The same inside lists and mappings, where nothing can say why a value is missing."""
    value = make_plain(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
