"""Figure 1: rings in noise, their labelings, and the scores under the four panels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.datasets import three_rings
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.datasets import LabeledPoints, two_rings
from disco_paper.drawing import Column, draw_labelings
from disco_paper.judging import Experiment, Figure, Report, Row, claim, judge
from disco_paper.paper import (
    INDEX_NAMES,
    INDEX_TITLES,
    INFOS,
    PAPER_INDICES,
    join_titles,
    name_published,
    read_printed,
)
from disco_paper.preferences.pairs import TRUTH, Pair, find_agreeing, find_preferred, pair_cells
from disco_paper.sources import Source, permutation

NAME = "fig-rings"

_WORSE = spec("worse labels")
_THREE, _TWO = spec("three rings"), spec("two rings", build=2)
PAIRS = (
    Pair("three rings", Column("a", _THREE, GROUND_TRUTH), Column("b", _THREE, _WORSE), ""),
    Pair("two rings", Column("c", _TWO, GROUND_TRUTH), Column("d", _TWO, _WORSE), ""),
)
_PANELS = {column.name: column for pair in PAIRS for column in pair.columns}
_SHOWN = ("DISCO", "Silhouette", "DBCV")


def cells(scope: Scope) -> list[Cell]:
    """All indices of all panels, and DBCV of two of them in other orders of the rows."""
    return [*pair_cells(PAIRS), *_orders(GROUND_TRUTH, scope), *_orders(_WORSE, scope)]


def _orders(labeling: Spec, scope: Scope) -> list[Cell]:
    runs = range(scope.repetitions(10, 10))
    return [Cell(spec("shuffled rings", run=run), labeling, name_published("dbcv")) for run in runs]


def _shuffled_rings(run: int) -> LabeledPoints:
    rings = two_rings()
    order = permutation(run, len(rings.points))
    return LabeledPoints(np.ascontiguousarray(rings.points[order]), rings.good_labels[order])


def _worse(source: Source) -> NDArray[np.int64]:
    """K-means of the three rings; the two rings with the noise around them."""
    labels = (three_rings() if source.data == _THREE else two_rings()).bad_labels
    run = dict(source.data.options).get("run")
    return labels if run is None else labels[permutation(int(run), len(labels))]


DATA = {"shuffled rings": _shuffled_rings}
LABELINGS = {_WORSE.name: _worse}


def report(found: Outcomes, scope: Scope) -> Report:
    """The twelve scores, which labeling each index prefers, and the claims on these."""
    rows = [_score_row(paper, title, found) for paper in read_printed(NAME) for title in _SHOWN]
    rows += [row for name in PAPER_INDICES for row in _preferences(name, found)]
    rows += _claims(found, scope)
    caption = "Points by cluster; noise is gray."
    note = (
        "The worse labels are those of k-means on the three rings, and on the two rings those that "
        "give the noise around a ring to it."
    )
    return Report(tuple(rows), (Figure("", caption, lambda: _draw(found)),), (note,))


def _score_row(paper: dict[str, str], title: str, found: Outcomes) -> Row:
    panel, name = _PANELS[paper["panel"]], INDEX_NAMES[title]
    place = (panel.data, panel.labeling)
    ours = found.number(*place, name_published(name))
    row = judge(f"panel {panel.name}", title, ours, paper[title])
    if ours is None:
        return row.with_note(found.reason(*place, name_published(name)))
    original = found.number(*place, spec(name))
    return replace(row, original=original) if name == "dbcv" else row


def _preferences(name: str, found: Outcomes) -> list[Row]:
    title, table = INDEX_TITLES[name], "Which labeling is better"
    return [
        Row(title, f"{pair.name}, {way}", find_preferred(pair, index, found), table=table)
        for pair in PAIRS
        for way, index in (
            ("the paper's program", name_published(name)),
            ("definition", spec(name)),
        )
    ]


def _claims(found: Outcomes, scope: Scope) -> list[Row]:
    by_program = find_agreeing(PAIRS, found, definition=False)
    by_definition = find_agreeing(PAIRS, found, definition=True)
    first = _preferred_panels(PAIRS[0], ("disco", "dbcv", "silhouette"), found)
    second = _preferred_panels(PAIRS[1], ("disco", "dbcv"), found)
    return [
        claim(
            "a against b",
            "DISCO and DBCV prefer a, Silhouette prefers b",
            _say(("DISCO", "DBCV", "Silhouette"), first),
            holds=first == ["a", "a", "b"],
        ),
        claim(
            "c against d",
            "DISCO prefers c, DBCV prefers d",
            _say(("DISCO", "DBCV"), second),
            holds=second == ["c", "d"],
            note=_on_dbcv(found, scope),
        ),
        claim(
            "Indices that prefer a to b and c to d",
            "DISCO alone",
            join_titles(by_program),
            holds=by_program == ["disco"],
            note=f"By the definitions: {join_titles(by_definition)}. The text says this of all "
            "indices, the figure shows three.",
        ),
    ]


def _on_dbcv(found: Outcomes, scope: Scope) -> str:
    """How far DBCV's preference hangs on the order of the rows, and on the spanning tree."""
    good, bad = (
        [found.number(cell.data, cell.labeling, cell.index) for cell in _orders(labeling, scope)]
        for labeling in (GROUND_TRUTH, _WORSE)
    )
    pairs = [(g, b) for g, b in zip(good, bad, strict=True) if g is not None and b is not None]
    ours = [found.number(_TWO, labels, spec("dbcv")) for labels in (GROUND_TRUTH, _WORSE)]
    if not pairs or ours[0] is None or ours[1] is None:
        return ""
    values = [b for _, b in pairs]
    return (
        f"DBCV hangs on the spanning tree: in {len(pairs)} other orders of the rows it gives d "
        f"{min(values):.2f} to {max(values):.2f}, and prefers c in {sum(g > b for g, b in pairs)} "
        f"of them; with a tree that does not depend on the order it gives c {ours[0]:.2f} and "
        f"d {ours[1]:.2f}."
    )


def _preferred_panels(pair: Pair, names: tuple[str, ...], found: Outcomes) -> list[str]:
    """The panel that each index prefers."""
    panels = {TRUTH: pair.better.name, _WORSE.name: pair.worse.name}
    words = (find_preferred(pair, name_published(name), found) for name in names)
    return [panels.get(str(word), "nothing") for word in words]


def _say(titles: tuple[str, ...], panels: list[str]) -> str:
    return ", ".join(
        f"{title} prefers {panel}" for title, panel in zip(titles, panels, strict=True)
    )


def _draw(found: Outcomes) -> Drawing:
    return draw_labelings(
        list(_PANELS.values()), [_title(name, found) for name in _PANELS], LABELINGS
    )


def _title(panel: str, found: Outcomes) -> str:
    column = _PANELS[panel]
    scores = []
    for title in _SHOWN:
        index = name_published(INDEX_NAMES[title])
        value = found.number(column.data, column.labeling, index)
        scores.append(f"{title} {'none' if value is None else f'{value:.2f}'}")
    return f"({panel}) {scores[0]}\n{scores[1]}, {scores[2]}"


EXPERIMENT = Experiment(INFOS[NAME], cells, report, data=DATA, labelings=LABELINGS)
