"""The features of the indices: every entry of the paper's table that a computation can check."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, cross, spec
from disco_paper.datasets import LabeledPoints, two_rings
from disco_paper.judging import Experiment, Report, Row
from disco_paper.paper import (
    INDEX_INFOS,
    INDEX_NAMES,
    INFOS,
    PAPER_INDICES,
    name_published,
    read_printed,
    read_texts,
)
from disco_paper.preferences import tab_shapes
from disco_paper.preferences.pairs import TRUTH, find_preferred, pair_cells
from disco_paper.published import describe_deviations
from disco_paper.sources import permutation

NAME = "tab-features"
TEXTS = read_texts(NAME)

_EVERY = list(
    dict.fromkeys(index for name in PAPER_INDICES for index in (name_published(name), spec(name)))
)
_KINDS = ("none", "good", "group", "inside")
_DISCS, _RANDOM = spec("separated discs", seed=0, half_distance=8.0), spec("random", k=2, seed=0)
# Relative; sums in another order may differ in the last bits.
_SAME = 1e-9


# --- cells ---------------------------------------------------------------------------------------


def cells(scope: Scope) -> list[Cell]:
    """All indices in both ways: of two shapes, in other orders, with other noise, and at random."""
    return [
        *pair_cells(tab_shapes.PAIRS),
        *cross([*_orders("rings", scope), *_orders("spirals", scope)], [GROUND_TRUTH], _EVERY),
        *cross([_rings(kind) for kind in _KINDS], [GROUND_TRUTH], _EVERY),
        *cross([_DISCS], [GROUND_TRUTH, _RANDOM], _EVERY),
    ]


def _orders(name: str, scope: Scope) -> list[Spec]:
    """The same points in several orders of the rows, that of the file first."""
    runs = range(scope.repetitions(5, 2))
    if name == "rings":
        return [spec("noisy rings", run=run) for run in (-1, *runs)]
    return [spec("3-spiral"), *(spec("3-spiral", shuffle=run) for run in runs)]


def _rings(kind: str) -> Spec:
    return spec("rings and noise", kind=kind)


def _noisy_rings(run: int) -> LabeledPoints:
    rings = two_rings(build=1)
    rows = np.arange(len(rings.points)) if run < 0 else permutation(run, len(rings.points))
    return LabeledPoints(np.ascontiguousarray(_shrink(rings.points)[rows]), rings.good_labels[rows])


def _shrink(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """About the size of standardized data, which one index asks for."""
    return points / 25


def _rings_and_noise(kind: str) -> LabeledPoints:
    """The same two rings, alone or with 60 noise points of one kind.

    Good noise lies scattered around the rings; a dense group of points and points inside the rings'
    lines are no noise, whatever they are called.
    """
    rings = two_rings(build=1)
    points, labels = rings.points, rings.good_labels
    clusters, generator = points[labels >= 0], np.random.RandomState(0)
    angle, radius = 2 * np.pi * generator.random_sample(60), np.sqrt(generator.random_sample(60))
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    noise = {
        "none": points[:0],
        "good": points[labels < 0][:60],
        "group": 35 + 5 * disc,
        "inside": clusters[::3] + 0.5 * disc,
    }[kind]
    made = np.concatenate([clusters, noise])
    names = np.concatenate([labels[labels >= 0], np.full(len(noise), -1)])
    return LabeledPoints(_shrink(made), names)


DATA: dict[str, Callable[..., LabeledPoints]] = {
    "noisy rings": _noisy_rings,
    "rings and noise": _rings_and_noise,
}


# --- report --------------------------------------------------------------------------------------


class _Answer(NamedTuple):
    """What a computation says of one index in both ways, and what there is to add."""

    program: str | None
    definition: str | None
    note: str = ""


def report(found: Outcomes, scope: Scope) -> Report:
    """The table, checked entry by entry, and the index that is missing from it."""
    by_name = {INDEX_NAMES[row["method"]]: row for row in read_printed(NAME)}
    rows = []
    for name in [*by_name, *(name for name in PAPER_INDICES if name not in by_name)]:
        paper = by_name.get(name, {})
        for column, (title, answer) in _COLUMNS.items():
            rows.append(_row(name, title, paper.get(column, ""), answer(name, found, scope)))
    return Report(tuple(rows), notes=(TEXTS["corrections"], TEXTS["tests"]))


# Which of its deviations makes an entry differ from that of the definition, each alone.
_CAUSES = {
    ("s_dbw", "arbitrary shapes"): ("deviations", "own"),
    ("cdbw", "arbitrary shapes"): ("radius", "sums"),
    ("viasckde", "evaluates noise"): ("noise",),
    ("cvdd", "evaluates noise"): ("noise",),
    ("cvdd", "deterministic"): ("noise",),
    ("dbcv", "deterministic"): ("tree",),
}


def _row(name: str, column: str, paper: str, answer: _Answer) -> Row:
    row = Row(INDEX_INFOS[name].title, column, answer.program, paper, note=answer.note)
    if not paper:
        return row.with_note("Missing from the paper's table.")
    if answer.program is None:
        return row.with_note("Not all values were computed.")
    is_same = answer.program == paper
    row = replace(row, verdict="passes" if is_same else "fails")
    if answer.definition in (answer.program, None):
        return row
    causes = _CAUSES.get((name, column))
    program = describe_deviations(name, causes)
    enough = "; each of them is enough" if causes and len(causes) > 1 else ""
    row = row.with_note(f"By the definition: {answer.definition}.")
    return row.with_note(f"The paper's program {program}{enough}.") if program else row


def _shapes(name: str, found: Outcomes, scope: Scope) -> _Answer:  # noqa: ARG001
    def preferred(index: Spec) -> str | None:
        words = [find_preferred(pair, index, found) for pair in tab_shapes.PAIRS]
        return None if None in words else ("no", "for some", "yes")[words.count(TRUTH)]

    by_program = preferred(name_published(name))
    by_table = {"cvnn": "no", "cdbw": "for some"}.get(name) == by_program
    note = "So it is in the paper's own Table 2." if by_table else ""
    return _Answer(by_program, preferred(spec(name)), note)


def _noise(name: str, found: Outcomes, scope: Scope) -> _Answer:  # noqa: ARG001
    def changed(index: Spec) -> str | None:
        if not _computed([_rings(kind) for kind in _KINDS], index, found):
            return None
        none, *others = (found.number(_rings(kind), GROUND_TRUTH, index) for kind in _KINDS)
        good, *bad = others
        prefers_good = None not in others and all((good or 0) > (value or 0) for value in bad)
        if INDEX_INFOS[name].noise == "judged" and prefers_good:
            return "yes"
        return "no" if all(_same([none, other]) for other in others) else "affected"

    notes = {
        "silhouette": "It does not know of noise, which becomes one more cluster.",
        "lccv": "It prefers good noise here, although no noise point has a score of its own.",
    }
    return _Answer(changed(name_published(name)), changed(spec(name)), notes.get(name, ""))


def _bounds(name: str, found: Outcomes, scope: Scope) -> _Answer:  # noqa: ARG001
    low, high = INDEX_INFOS[name].range
    outcomes = [outcome for cell, outcome in found.items() if cell.index.name == name]
    values = [outcome.value for outcome in outcomes if isinstance(outcome.value, float)]
    answer = "yes" if INDEX_INFOS[name].bounded else "no"
    if not values or any(outcome.is_error for outcome in outcomes):
        return _Answer(None, None)
    if min(values) < low - _SAME or max(values) > high + _SAME:
        return _Answer("no", answer, f"Values from {min(values):g} to {max(values):g}.")
    largest = f"Values up to {max(values):.4g} here; never below 0." if answer == "no" else ""
    return _Answer(answer, answer, largest)


def _order(name: str, found: Outcomes, scope: Scope) -> _Answer:
    answers: list[str | None] = []
    notes = []
    for way, index in (("program", name_published(name)), ("definition", spec(name))):
        orders = [*_orders("rings", scope), *_orders("spirals", scope)]
        if not _computed(orders, index, found):
            answers.append(None)
            continue
        changed = []
        for data, why in (("rings", "noisy rings"), ("spirals", "3-spiral, which has ties")):
            values = _values(_orders(data, scope), index, found)
            known = [value for value in values if value is not None]
            if not _same(values):
                changed.append(f"{min(known):.4g} to {max(known):.4g} on {why}")
        answers.append("no" if changed else "yes")
        if changed:
            notes.append(f"By the {way}: {' and '.join(changed)}.")
    return _Answer(answers[0], answers[1], " ".join(notes))


def _direction(name: str, found: Outcomes, scope: Scope) -> _Answer:  # noqa: ARG001
    def better(index: Spec) -> str | None:
        outcomes = [found.get(Cell(_DISCS, labels, index)) for labels in (GROUND_TRUTH, _RANDOM)]
        if any(outcome is None or outcome.is_error for outcome in outcomes):
            return None
        truth, random = (found.number(_DISCS, labels, index) for labels in (GROUND_TRUTH, _RANDOM))
        if truth is None or random is None or truth == random:
            return "neither"
        return "up" if truth > random else "down"

    return _Answer(better(name_published(name)), better(spec(name)))


_COLUMNS: dict[str, tuple[str, Callable[[str, Outcomes, Scope], _Answer]]] = {
    "arbitrary_shapes": ("arbitrary shapes", _shapes),
    "evaluates_noise": ("evaluates noise", _noise),
    "bounded": ("bounded", _bounds),
    "deterministic": ("deterministic", _order),
    "direction": ("direction", _direction),
}


def _values(data: list[Spec], index: Spec, found: Outcomes) -> list[float | None]:
    return [found.number(one, GROUND_TRUTH, index) for one in data]


def _computed(data: list[Spec], index: Spec, found: Outcomes) -> bool:
    """Whether the index of the truth was computed for all data; it may be undefined there."""
    outcomes = [found.get(Cell(one, GROUND_TRUTH, index)) for one in data]
    return all(outcome is not None and not outcome.is_error for outcome in outcomes)


def _same(values: list[float | None]) -> bool:
    """Whether all values are equal but for rounding; undefined equals undefined."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return not known
    return math.isclose(min(known), max(known), rel_tol=_SAME, abs_tol=_SAME)


EXPERIMENT = Experiment(INFOS[NAME], cells, report, data=DATA)
