"""What a run did and found, in a few lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from disco_cvi._output.text_table import text_table
from disco_cvi._output.words import count
from disco_paper.judging.catalogue import OURS
from disco_paper.judging.rows import VERDICTS, Verdict


class Failure(NamedTuple):
    """Something that went wrong.

    Attributes
    ----------
    experiment : str
        Its name.
    what : str
        A cell, or what else could not be made.
    reason : str
        Why, in a sentence.
    """

    experiment: str
    what: str
    reason: str


@dataclass(frozen=True)
class ExperimentSummary:
    """What became of one experiment.

    Attributes
    ----------
    name : str
    n_cells : int
        How many numbers it needed.
    n_computed : int
        How many of them this run computed.
    n_failed : int
        How many of them ended with an error; what is left was stored before.
    verdicts : dict of str to int
        How many rows have each verdict.
    errors : tuple of Failure
        What went wrong; the next run tries again.
    is_ours : bool
        Whether it is a study of our own, which the paper does not have.
    """

    name: str
    n_cells: int
    n_computed: int
    n_failed: int
    verdicts: dict[Verdict, int]
    errors: tuple[Failure, ...] = ()
    is_ours: bool = False


@dataclass(frozen=True)
class Summary:
    """What a run did and found; printing it shows the verdicts.

    Attributes
    ----------
    experiments : tuple of ExperimentSummary
    page : Path
        The page that shows everything.
    """

    experiments: tuple[ExperimentSummary, ...]
    page: Path

    @property
    def n_cells(self) -> int:
        """How many numbers were needed."""
        return sum(experiment.n_cells for experiment in self.experiments)

    @property
    def n_computed(self) -> int:
        """How many of them were computed now."""
        return sum(experiment.n_computed for experiment in self.experiments)

    @property
    def n_failed(self) -> int:
        """How many of them ended with an error."""
        return sum(experiment.n_failed for experiment in self.experiments)

    @property
    def errors(self) -> tuple[Failure, ...]:
        """What went wrong, over all experiments."""
        return tuple(error for experiment in self.experiments for error in experiment.errors)

    def told_errors(self) -> list[str]:
        """What went wrong, those with the same reason in one sentence."""
        by_reason: dict[str, list[Failure]] = {}
        for error in self.errors:
            by_reason.setdefault(error.reason, []).append(error)
        return [_describe_failures(reason, failures) for reason, failures in by_reason.items()]

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How many rows have each verdict, over all experiments."""
        return {
            verdict: sum(experiment.verdicts[verdict] for experiment in self.experiments)
            for verdict in VERDICTS
        }

    def __str__(self) -> str:
        """The verdicts per experiment, and where the numbers came from."""
        rows = [("experiment", *VERDICTS)]
        rows += [
            (experiment.name, *(f"{experiment.verdicts[verdict]}" for verdict in VERDICTS))
            for experiment in self.experiments
        ]
        if len(self.experiments) > 1:
            rows.append(("all", *(f"{self.verdicts[verdict]}" for verdict in VERDICTS)))
        table = text_table(rows, right=frozenset(range(1, len(rows[0]))))
        lines = [*self._own_studies(), self._origin(), f"Everything side by side: {self.page}"]
        return "\n".join([table, "", *lines])

    def _own_studies(self) -> list[str]:
        """A line that says which experiments the paper does not have."""
        names = [experiment.name for experiment in self.experiments if experiment.is_ours]
        return [f"{', '.join(names)}: {OURS[0].lower()}{OURS[1:]}."] if names else []

    def _origin(self) -> str:
        if not self.n_cells:
            return "Nothing had to be computed."
        cells = count(self.n_cells, "cell")
        n_before = self.n_cells - self.n_computed - self.n_failed
        if n_before == self.n_cells:
            return f"{cells}, all stored by earlier runs: nothing was computed again."
        if self.n_computed == self.n_cells:
            return f"{cells} computed."
        parts = [f"{self.n_computed:,} computed now"]
        parts += [f"{self.n_failed:,} with an error"] if self.n_failed else []
        parts += [f"{n_before:,} stored by earlier runs"] if n_before else []
        return f"{cells}: {', '.join(parts)}."


def _describe_failures(reason: str, failures: list[Failure]) -> str:
    names = ", ".join(dict.fromkeys(failure.experiment for failure in failures))
    more = f" and {count(len(failures) - 1, 'other')}" if len(failures) > 1 else ""
    return f"{names}: {failures[0].what}{more}: {reason}"
