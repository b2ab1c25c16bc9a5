"""What a module declares that repeats a table or figure of the paper, or is a study of our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.registry import available_indices
from disco_paper.cells.cell import Cell, Outcomes, Scope
from disco_paper.judging.catalogue import ExperimentInfo
from disco_paper.judging.rows import Report

Makers: TypeAlias = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Experiment:
    """A table or figure of the paper, or a study of our own: what to compute, what it says.

    Attributes
    ----------
    info : ExperimentInfo
        Its row in the catalogue.
    module : str
        Where other processes import it from, as `EXPERIMENT`.
    cells : callable
        From a Scope to the cells to compute.
    report : callable
        From what was found, and a Scope, to a Report.
    data, labelings, measures : mapping of str to callable
        Makers that only this experiment has, by name; they come before those that all have. A
        measure may not have the name of an index.
    is_alone : bool
        Whether nothing else may run meanwhile, because time itself is measured.
    """

    info: ExperimentInfo
    module: str
    cells: Callable[[Scope], list[Cell]]
    report: Callable[[Outcomes, Scope], Report]
    data: Makers = field(default_factory=dict)
    labelings: Makers = field(default_factory=dict)
    measures: Makers = field(default_factory=dict)
    is_alone: bool = False

    def __post_init__(self) -> None:
        taken = {info.name for info in available_indices()} & set(self.measures)
        if taken:
            message = (
                f"measures of the experiment {self.name} must not have names of indices: "
                f"{', '.join(sorted(taken))}."
            )
            raise InvalidInputError(message)

    @property
    def name(self) -> str:
        """What it is called in `reproduce` and in the store."""
        return self.info.name

    @property
    def has_makers(self) -> bool:
        """Whether some of its numbers come from makers of its own."""
        return bool(self.data or self.labelings or self.measures)
