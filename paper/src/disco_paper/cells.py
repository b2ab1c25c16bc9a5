"""What is computed: a cell is one number, an index of a labeling of data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

Option: TypeAlias = "str | int | float | bool"
# What a cell may hold: whatever JSON holds.
Value: TypeAlias = "float | str | bool | list[Any] | dict[str, Any] | None"


@dataclass(frozen=True, order=True)
class Spec:
    """A name and its options: which data, which labeling, or which index."""

    name: str
    options: tuple[tuple[str, Option], ...] = ()

    def __str__(self) -> str:
        """The name, and the options in parentheses."""
        shown = ", ".join(f"{key}={value}" for key, value in self.options)
        return f"{self.name} ({shown})" if shown else self.name

    def __getitem__(self, option: str) -> Option:
        """The value of an option."""
        return dict(self.options)[option]


def spec(name: str, **options: Option) -> Spec:
    """Name data, a labeling or an index.

    >>> print(spec("dbscan", min_samples=5, eps=0.1))
    dbscan (eps=0.1, min_samples=5)
    """
    return Spec(name, tuple(sorted(options.items())))


GROUND_TRUTH = spec("ground truth")


@dataclass(frozen=True, order=True)
class Cell:
    """One number to compute: an index of a labeling of data.

    Cells of equal `data` share points in one order of rows, so that what does not depend on the
    labels is computed once for all of them; cells of equal `labeling` share the labels.
    """

    data: Spec
    labeling: Spec
    index: Spec

    def __str__(self) -> str:
        """The three parts."""
        return f"{self.data}, {self.labeling}, {self.index}"

    @property
    def parameters(self) -> str:
        """All options as JSON, the same text for the same options."""
        parts = {"data": self.data, "labeling": self.labeling, "index": self.index}
        given = {part: dict(value.options) for part, value in parts.items() if value.options}
        return json.dumps(given, sort_keys=True)


@dataclass(frozen=True)
class Scope:
    """How much of an experiment to run.

    Attributes
    ----------
    quick : bool
        Whether to cut sizes and repetitions, so that everything runs within minutes.
    runs : int, optional
        How many repetitions, where an experiment repeats; None: as many as the paper.
    """

    quick: bool = False
    runs: int | None = None

    def repetitions(self, full: int, quick: int) -> int:
        """How often to repeat: as asked for, or else `quick` or `full` times."""
        return self.runs or (quick if self.quick else full)


@dataclass(frozen=True)
class Outcome:
    """What became of a cell.

    Attributes
    ----------
    value : JSON value
        None where there is none.
    reason : str
        Why there is no value: the index is undefined there, or an error happened.
    is_error : bool
        Whether an error happened, as against an index that is undefined.
    seconds : float
        How long it took.
    """

    value: Value
    reason: str = ""
    is_error: bool = False
    seconds: float = 0.0


class Outcomes(dict[Cell, Outcome]):
    """The outcomes of an experiment's cells."""

    def value(self, data: Spec, labeling: Spec, index: Spec) -> Value:
        """The value of a cell; None if it has none or was not asked for."""
        outcome = self.get(Cell(data, labeling, index))
        return None if outcome is None else outcome.value

    def number(self, data: Spec, labeling: Spec, index: Spec) -> float | None:
        """The value of a cell, if it is a number."""
        value = self.value(data, labeling, index)
        return value if isinstance(value, float | int) and not isinstance(value, bool) else None

    def numbers(self, cells: Iterable[Cell]) -> list[float]:
        """The values of cells that are numbers, in the order of the cells."""
        found = (self.number(cell.data, cell.labeling, cell.index) for cell in cells)
        return [number for number in found if number is not None]

    def reason(self, data: Spec, labeling: Spec, index: Spec) -> str:
        """Why a cell has no value; empty if it has one."""
        outcome = self.get(Cell(data, labeling, index))
        return "not part of this run" if outcome is None else outcome.reason


def cross(data: Iterable[Spec], labelings: Iterable[Spec], indices: Iterable[Spec]) -> list[Cell]:
    """Every index of every labeling of every data."""
    labelings, indices = list(labelings), list(indices)
    return [Cell(d, labeling, i) for d in data for labeling in labelings for i in indices]
