"""Which of two labelings each index prefers: by the paper's program, and by its definition."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from disco_paper.cells import Cell, Outcomes, Spec, spec
from disco_paper.drawing import Column
from disco_paper.judging import Row, as_number, judge
from disco_paper.paper import (
    INDEX_NAMES,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    name_published,
    read_printed,
)
from disco_paper.published import DEVIATIONS, describe_deviations

PREFERENCES = "Which labeling is better"
# The words for a preference; the other labeling goes by its own name.
TRUTH, NEITHER = "truth", "neither"


@dataclass(frozen=True)
class Pair:
    """Two columns that the paper compares: the first is the truth, and the better labeling.

    Attributes
    ----------
    name : str
        What they are labelings of.
    better, worse : Column
    color_column : str
        The column of the paper's table that holds its color: green if an index prefers the better
        labeling, else orange.
    """

    name: str
    better: Column
    worse: Column
    color_column: str

    @property
    def columns(self) -> tuple[Column, Column]:
        """Both."""
        return self.better, self.worse

    def name_preferred(self, index: str, better: float | None, worse: float | None) -> str:
        """The word for the labeling with the better value of an index.

        Neither is preferred where the values are equal, or where the index is undefined.
        """
        if better is None or worse is None or better == worse:
            return NEITHER
        is_truth = (better > worse) != (index in LOWER_IS_BETTER)
        return TRUTH if is_truth else self.worse.labeling.name


def pair_cells(pairs: tuple[Pair, ...]) -> list[Cell]:
    """Every index of every column, by the paper's programs and by the definitions."""
    return [
        Cell(column.data, column.labeling, index)
        for pair in pairs
        for column in pair.columns
        for name in PAPER_INDICES
        for index in dict.fromkeys([name_published(name), spec(name)])
    ]


def score_rows(experiment: str, pairs: tuple[Pair, ...], found: Outcomes) -> list[Row]:
    """The paper's table, cell by cell."""
    return [
        _score_row(paper, column, found)
        for paper in read_printed(experiment)
        for pair in pairs
        for column in pair.columns
    ]


def preference_rows(
    experiment: str, pairs: tuple[Pair, ...], found: Outcomes, reasons: dict[tuple[str, str], str]
) -> list[Row]:
    """What the colors of the paper's table say, in words: by its programs and by the definitions.

    Parameters
    ----------
    experiment : str
    pairs : tuple of Pair
    found : Outcomes
    reasons : dict
        What else there is to say on a preference, by index and name of the pair.
    """
    rows = []
    for paper in read_printed(experiment):
        for pair in pairs:
            rows += _preference_rows(pair, paper, found, reasons)
    return rows


def _preference_rows(
    pair: Pair, paper: dict[str, str], found: Outcomes, reasons: dict[tuple[str, str], str]
) -> list[Row]:
    name = INDEX_NAMES[paper["cvi"]]
    by_program = find_preferred(pair, name_published(name), found)
    by_definition = find_preferred(pair, spec(name), found)
    is_same = by_program is not None and (by_program == TRUTH) == _is_printed_truth(pair, paper)
    note = _note_on_preference(name, pair, paper, found)
    return [
        Row(
            paper["cvi"],
            f"{pair.name}, the paper's program",
            by_program,
            _printed_preferred(pair, paper),
            "passes" if is_same else "fails",
            note=" ".join(filter(None, [note, reasons.get((name, pair.name), "")])),
            table=PREFERENCES,
        ),
        Row(paper["cvi"], f"{pair.name}, definition", by_definition, table=PREFERENCES),
    ]


def find_preferred(pair: Pair, index: Spec, found: Outcomes) -> str | None:
    """The word for the labeling that an index prefers; None if it was not computed."""
    outcomes = [found.get(Cell(c.data, c.labeling, index)) for c in pair.columns]
    if any(outcome is None or outcome.is_error for outcome in outcomes):
        return None
    name = dict(index.options).get("index", index.name)
    better, worse = (found.number(c.data, c.labeling, index) for c in pair.columns)
    return pair.name_preferred(str(name), better, worse)


def find_agreeing(pairs: tuple[Pair, ...], found: Outcomes, *, definition: bool) -> list[str]:
    """The indices that prefer the better labeling in every pair."""
    chosen = {name: spec(name) if definition else name_published(name) for name in PAPER_INDICES}
    return [
        name
        for name, index in chosen.items()
        if all(find_preferred(pair, index, found) == TRUTH for pair in pairs)
    ]


def _score_row(paper: dict[str, str], column: Column, found: Outcomes) -> Row:
    name = INDEX_NAMES[paper["cvi"]]
    place = (column.data, column.labeling)
    ours = found.number(*place, name_published(name))
    original = found.number(*place, spec(name))
    is_another = original is not None and (
        ours is None or not math.isclose(ours, original, rel_tol=1e-9, abs_tol=1e-12)
    )
    row = judge(
        paper["cvi"],
        column.title,
        ours,
        paper[column.name],
        note=found.reason(*place, name_published(name)),
    )
    if original is None and name != "disco":
        row = row.with_note(f"By its definition: {found.reason(*place, spec(name))}")
    return replace(row, original=original if is_another else None)


def _is_printed_truth(pair: Pair, paper: dict[str, str]) -> bool:
    return paper[pair.color_column] == "green"


def _printed_preferred(pair: Pair, paper: dict[str, str]) -> str:
    """What the paper's color says; where it prints no numbers, that is neither labeling."""
    if _is_printed_truth(pair, paper):
        return TRUTH
    has_numbers = all(paper[column.name] for column in pair.columns)
    return pair.worse.labeling.name if has_numbers else NEITHER


def _note_on_preference(name: str, pair: Pair, paper: dict[str, str], found: Outcomes) -> str:
    by_program = find_preferred(pair, name_published(name), found)
    by_definition = find_preferred(pair, spec(name), found)
    if by_program is None or by_definition is None:
        return "Not all values were computed."
    notes = []
    if (by_program == TRUTH) != _is_printed_truth(pair, paper):
        numbers = (as_number(paper[column.name]) for column in pair.columns)
        notes.append(f"The printed numbers themselves say: {pair.name_preferred(name, *numbers)}.")
    if (by_program == TRUTH) != (by_definition == TRUTH):
        says = "prefers the truth" if by_definition == TRUTH else "does not prefer the truth"
        notes.append(f"By its definition the index {says}.")
        notes.append(_causes(name, pair))
    return " ".join(filter(None, notes))


# Which deviations of a program are enough, each alone, for a preference that is not that of the
# definition: found by computing the index with one of them at a time.
_ENOUGH = {
    ("s_dbw", "3-spiral"): ("deviations", "own"),
    ("cdbw", "3-spiral"): ("radius", "sums"),
    ("s_dbw", "rings"): ("deviations", "members"),
    ("lccv", "rings"): ("neighbors", "density", "order", "cores"),
    ("viasckde", "cluto-t8-8k"): ("logarithms", "noise"),
}


def _causes(name: str, pair: Pair) -> str:
    if (name, pair.name) not in _ENOUGH:
        return f"The program {describe_deviations(name)}." if name in DEVIATIONS else ""
    enough = [DEVIATIONS[name][key] for key in _ENOUGH[name, pair.name]]
    others = [text for text in DEVIATIONS[name].values() if text not in enough]
    rest = f" (not enough alone: it {'; it '.join(others)})" if others else ""
    return f"What the program does and turns that, each alone: it {'; it '.join(enough)}{rest}."
