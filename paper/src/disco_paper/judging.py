"""What experiments declare and report: rows with a verdict each, beside what the paper prints."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Literal

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_paper.cells import Cell, Outcomes, Scope, Value
from disco_paper.paper import ExperimentInfo, read_claim

Verdict = Literal["passes", "within method", "fails", "not judged"]
VERDICTS: tuple[Verdict, ...] = ("passes", "within method", "fails", "not judged")


@dataclass(frozen=True)
class Row:
    """One cell of a table or one claim of a figure, ours beside the paper's.

    Attributes
    ----------
    row, column : str
        Its place in the paper's table.
    ours : JSON value
        What we computed as the paper did (competitors by the paper's own programs); None with a
        note where there is no value.
    paper : str
        What the paper prints, digit by digit; empty if it prints nothing.
    verdict : {"passes", "within method", "fails", "not judged"}
        Equal to the printed digits; as near as a random or partly unknown recipe allows;
        different; or nothing to compare with.
    original : float, optional
        The index by its original definition, where that is another one.
    note : str
        What was assumed, how far off it is and why; what a deviation of a program did.
    table : str
        Title of the table, in experiments with more than one.
    """

    row: str
    column: str
    ours: Value
    paper: str = ""
    verdict: Verdict = "not judged"
    original: float | None = None
    note: str = ""
    table: str = ""

    @property
    def difference(self) -> float | None:
        """Ours minus the printed number; None if either is not a number."""
        printed = as_number(self.paper)
        ours = self.ours
        if printed is None or not isinstance(ours, float | int) or isinstance(ours, bool):
            return None
        return ours - printed

    def with_note(self, note: str) -> Row:
        """The same row with one more sentence."""
        return replace(self, note=" ".join(filter(None, [self.note, note])))


@dataclass(frozen=True)
class Figure:
    """A figure: the end of its file name, what it shows, and the function that draws it."""

    name: str
    caption: str
    draw: Callable[[], Drawing]


@dataclass(frozen=True)
class Report:
    """Everything that an experiment found."""

    rows: tuple[Row, ...]
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """How many rows have the verdict."""
        return sum(row.verdict == verdict for row in self.rows)


def as_number(text: str) -> float | None:
    """The number that a text is, if it is one."""
    try:
        return float(text)
    except ValueError:
        return None


def equals_printed(ours: float, printed: str) -> bool:
    """Whether a number rounds to the printed digits; halves may go either way.

    >>> equals_printed(0.5229, "0.52"), equals_printed(-0.0014, "0.00"), equals_printed(0.51, "0.5")
    (True, True, True)
    """
    decimals = len(printed.partition(".")[2])
    return abs(ours - float(printed)) <= 0.5 * 10.0**-decimals + 1e-9


def judge(
    row: str, column: str, ours: Value, paper: str, *, within: float | None = None, note: str = ""
) -> Row:
    """Compare a number with the paper's.

    Parameters
    ----------
    row, column : str
        The place in the paper's table.
    ours : float or None
    paper : str
        The printed digits; empty where the paper prints a dash, which equals a missing value.
    within : float, optional
        How far the number may be off where the recipe is random or not fully recoverable; the note
        then says what was assumed.
    note : str
        Assumptions and explanations.
    """
    judged = Row(row, column, ours, paper, note=note)
    if ours is None or (isinstance(ours, float) and math.isnan(ours)):
        return replace(judged, ours=None, verdict="fails" if paper else "passes")
    if not paper or not isinstance(ours, int | float):
        return replace(judged, verdict="fails")
    if equals_printed(ours, paper):
        return replace(judged, verdict="passes")
    if within is not None and abs(ours - float(paper)) <= within:
        return replace(judged, verdict="within method")
    return replace(judged, verdict="fails")


def claim(path: str, ours: Value = None, /, *, holds: bool, note: str = "", **facts: object) -> Row:
    """A sentence of the paper, what we see instead of it or with it, and whether it holds.

    Parameters
    ----------
    path : str
        Where `read_claim` finds its words: its `row`, what the `paper` says, and where they are
        sentences, `ours` and a `note`.
    ours : JSON value
        What we see, if the words do not say it.
    holds : bool
    note : str
        What there is to add.
    **facts
        What the blanks of the words stand for.
    """
    words = read_claim(path, facts)
    verdict: Verdict = "passes" if holds else "fails"
    row = Row(words["row"], "claim", words.get("ours", ours), words["paper"], verdict)
    return row.with_note(words.get("note", "")).with_note(note)


def withdraw_unknown(
    claims: list[Row], curves: Iterable[NDArray[np.float64]], found: Outcomes, *, cut: str = ""
) -> list[Row]:
    """Take back claims that cannot be made.

    Parameters
    ----------
    claims : list of Row
    curves : iterable of ndarray
        What they were made from, NaN where there is no value: then no claim is judged.
    found : Outcomes
        Where to look for the reason.
    cut : str
        How the recipe was cut, if it was: then no claim is judged.
    """
    if cut:
        claims = [replace(row, verdict="not judged").with_note(cut) for row in claims]
    if any(np.isnan(curve).any() for curve in curves):
        reason = next((outcome.reason for outcome in found.values() if outcome.reason), "")
        note = " ".join(filter(None, ("Not all scores were computed.", reason, cut)))
        claims = [replace(row, ours=None, verdict="not judged", note=note) for row in claims]
    return claims


Makers = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Experiment:
    """A table or figure of the paper, or a study of our own: what to compute, what it says.

    Attributes
    ----------
    info : ExperimentInfo
        Its row in the catalogue.
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
    cells: Callable[[Scope], list[Cell]]
    report: Callable[[Outcomes, Scope], Report]
    data: Makers = field(default_factory=dict)
    labelings: Makers = field(default_factory=dict)
    measures: Makers = field(default_factory=dict)
    is_alone: bool = False

    @property
    def name(self) -> str:
        """What it is called in `reproduce` and in the store."""
        return self.info.name

    @property
    def module(self) -> str:
        """The chapter that other processes import it from."""
        return self.cells.__module__


def find_experiment(module: str, name: str) -> Experiment:
    """The experiment of a name that a module declares; the first, if none has that name."""
    found = [each for each in vars(import_module(module)).values() if isinstance(each, Experiment)]
    return next((each for each in found if each.name == name), found[0])
