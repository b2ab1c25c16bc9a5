"""Which of two labelings each index prefers: by the paper's program, and by its definition."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from disco_cvi.experiments.cells.cell import Cell, Found, Spec, spec
from disco_cvi.experiments.judging.drawing import Column
from disco_cvi.experiments.judging.paper_names import (
    ALL_INDICES,
    DEVIATIONS,
    INDEX_NAMES,
    LOWER_IS_BETTER,
    published,
)
from disco_cvi.experiments.judging.printed import printed
from disco_cvi.experiments.judging.rows import Row, as_number, judge
from disco_cvi.experiments.published.single_deviations import DEVIATIONS_OF, partly_published

PREFERENCES = "Which labeling is better"
# Among the indices of an experiment that asks which deviation turned a preference.
INDICES = {"partly published": partly_published}


@dataclass(frozen=True)
class Pair:
    """Two columns that the paper compares: the first is the better labeling.

    Attributes
    ----------
    name : str
        What they are labelings of.
    better, worse : Column
    color : str
        The column of the paper's table that holds its color: green if an index prefers the better
        labeling, else orange.
    """

    name: str
    better: Column
    worse: Column
    color: str

    @property
    def columns(self) -> tuple[Column, Column]:
        """Both."""
        return self.better, self.worse


def pair_cells(pairs: tuple[Pair, ...]) -> list[Cell]:
    """Every index of every column, by the paper's programs and by the definitions."""
    return [
        Cell(column.data, column.labeling, index)
        for pair in pairs
        for column in pair.columns
        for name in ALL_INDICES
        for index in dict.fromkeys([published(name), spec(name)])
    ]


def cause_cells(turned: tuple[tuple[str, Pair], ...]) -> list[Cell]:
    """The index of both columns by its definition, but with one deviation of the program each."""
    return [
        Cell(column.data, column.labeling, _with_deviation(name, deviation))
        for name, pair in turned
        for column in pair.columns
        for deviation in DEVIATIONS_OF[name]
    ]


def _with_deviation(name: str, deviation: str) -> Spec:
    return spec("partly published", index=name, deviations=deviation)


def score_rows(experiment: str, pairs: tuple[Pair, ...], found: Found) -> list[Row]:
    """The paper's table, cell by cell."""
    return [
        _score_row(paper, column, found)
        for paper in printed(experiment)
        for pair in pairs
        for column in pair.columns
    ]


def preference_rows(
    experiment: str, pairs: tuple[Pair, ...], found: Found, reasons: dict[tuple[str, str], str]
) -> list[Row]:
    """The colors of the paper's table, by its programs and by the definitions.

    Parameters
    ----------
    experiment : str
    pairs : tuple of Pair
    found : Found
    reasons : dict
        What else there is to say on a color, by index and name of the pair.
    """
    rows = []
    for paper in printed(experiment):
        name = INDEX_NAMES[paper["cvi"]]
        for pair in pairs:
            ours = color(pair, published(name), found)
            original = color(pair, spec(name), found)
            note = _note_on_color(name, pair, paper, found)
            note = " ".join(filter(None, [note, reasons.get((name, pair.name), "")]))
            by_program = f"{pair.name}, the paper's program"
            row = Row(paper["cvi"], by_program, ours, paper[pair.color], "fails", note=note)
            is_same = ours == paper[pair.color]
            row = replace(row, table=PREFERENCES, verdict="passes" if is_same else "fails")
            rows.append(row)
            by_definition = f"{pair.name}, definition"
            rows.append(Row(paper["cvi"], by_definition, original, table=PREFERENCES))
    return rows


def color(pair: Pair, index: Spec, found: Found) -> str | None:
    """Green if the index prefers the better labeling, else orange; None if it was not computed.

    Where the index is undefined it does not prefer anything: orange, as in the paper.
    """
    better, worse = (found.get(Cell(c.data, c.labeling, index)) for c in pair.columns)
    if better is None or worse is None or better.is_error or worse.is_error:
        return None
    name = dict(index.options).get("index", index.name)
    return _preferred(str(name), _number(better.value), _number(worse.value))


def agreeing(pairs: tuple[Pair, ...], found: Found, *, definition: bool) -> list[str]:
    """The indices that prefer the better labeling in every pair."""
    chosen = {name: spec(name) if definition else published(name) for name in ALL_INDICES}
    return [
        name
        for name, index in chosen.items()
        if all(color(pair, index, found) == "green" for pair in pairs)
    ]


def _number(value: object) -> float:
    return float(value) if isinstance(value, float | int) else math.nan


def _score_row(paper: dict[str, str], column: Column, found: Found) -> Row:
    name = INDEX_NAMES[paper["cvi"]]
    place = (column.data, column.labeling)
    ours = found.number(*place, published(name))
    original = found.number(*place, spec(name))
    is_another = original is not None and (
        ours is None or not math.isclose(ours, original, rel_tol=1e-9, abs_tol=1e-12)
    )
    row = judge(
        paper["cvi"],
        column.title,
        ours,
        paper[column.name],
        note=found.reason(*place, published(name)),
    )
    if original is None and name != "disco":
        row = row.with_note(f"By its definition: {found.reason(*place, spec(name))}")
    return replace(row, original=original if is_another else None)


def _preferred(name: str, better: float, worse: float) -> str:
    """The color of two values; an undefined one (nan) is not preferred, nor anything to it."""
    sign = -1.0 if name in LOWER_IS_BETTER else 1.0
    return "green" if sign * better > sign * worse else "orange"


def _printed_color(name: str, pair: Pair, paper: dict[str, str]) -> str:
    """The color that the paper's own numbers call for."""
    better, worse = (as_number(paper[column.name]) for column in pair.columns)
    return _preferred(name, _number(better), _number(worse))


def _note_on_color(name: str, pair: Pair, paper: dict[str, str], found: Found) -> str:
    by_program = color(pair, published(name), found)
    by_definition = color(pair, spec(name), found)
    if by_program is None or by_definition is None:
        return "Not all values were computed."
    notes = []
    if by_program != paper[pair.color]:
        notes.append(f"The printed numbers themselves say {_printed_color(name, pair, paper)}.")
    if by_program != by_definition:
        causes = _causes(name, pair, by_definition, found)
        verb = "prefers" if by_definition == "green" else "does not prefer"
        notes.append(f"By its definition the index {verb} the better labeling ({by_definition}).")
        notes.append(causes)
    return " ".join(filter(None, notes))


def _causes(name: str, pair: Pair, by_definition: str, found: Found) -> str:
    """Which deviations of the program are enough, each alone, for its other preference."""
    texts, deviations = DEVIATIONS_OF.get(name, {}), DEVIATIONS.get(name, "")
    colors = {text: color(pair, _with_deviation(name, key), found) for key, text in texts.items()}
    if not colors or None in colors.values():
        return f"The program {deviations}." if deviations else ""
    enough = [text for text, alone in colors.items() if alone != by_definition]
    if not enough:
        return f"No single deviation of the program turns that: it {deviations}."
    others = [text for text in colors if text not in enough]
    rest = f" (not enough alone: {'; '.join(others)})" if others else ""
    return f"Deviations of the program that turn it, each alone: {'; '.join(enough)}{rest}."
