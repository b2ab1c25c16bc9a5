"""Which of two labelings an index prefers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure as Drawing

from disco_cvi.datasets import three_rings
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, cross, spec
from disco_paper.datasets import LabeledPoints, two_rings
from disco_paper.drawing import Column, draw_labelings
from disco_paper.judging import (
    Experiment,
    Figure,
    Report,
    Row,
    as_number,
    claim,
    equals_printed,
    judge,
)
from disco_paper.paper import (
    INDEX_INFOS,
    INDEX_NAMES,
    INDEX_TITLES,
    INFOS,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    join_titles,
    name_published,
    read_printed,
    read_text,
)
from disco_paper.published import DEVIATIONS, describe_deviations
from disco_paper.sources import (
    FloatArray,
    LabelArray,
    Source,
    make_labels,
    make_points,
    permutation,
)

# === Which of two labelings each index prefers: by the paper's program, and by its definition =====

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


# === Figure 1: rings in noise, their labelings, and the scores under the four panels ==============


_WORSE = spec("worse labels")
_THREE, _TWO = spec("three rings"), spec("two rings", build=2)
RINGS_PAIRS = (
    Pair("three rings", Column("a", _THREE, GROUND_TRUTH), Column("b", _THREE, _WORSE), ""),
    Pair("two rings", Column("c", _TWO, GROUND_TRUTH), Column("d", _TWO, _WORSE), ""),
)
_PANELS = {column.name: column for pair in RINGS_PAIRS for column in pair.columns}
_SHOWN = ("DISCO", "Silhouette", "DBCV")


def rings_cells(scope: Scope) -> list[Cell]:
    """All indices of all panels, and DBCV of two of them in other orders of the rows."""
    return [
        *pair_cells(RINGS_PAIRS),
        *_orders_rings(GROUND_TRUTH, scope),
        *_orders_rings(_WORSE, scope),
    ]


def _orders_rings(labeling: Spec, scope: Scope) -> list[Cell]:
    runs = range(scope.repetitions(10, 10))
    return [Cell(spec("shuffled rings", run=run), labeling, name_published("dbcv")) for run in runs]


def _shuffled_rings(run: int) -> LabeledPoints:
    rings = two_rings()
    order = permutation(run, len(rings.points))
    return LabeledPoints(np.ascontiguousarray(rings.points[order]), rings.good_labels[order])


def _worse(source: Source) -> LabelArray:
    """K-means of the three rings; the two rings with the noise around them."""
    labels = (three_rings() if source.data == _THREE else two_rings()).bad_labels
    run = dict(source.data.options).get("run")
    return labels if run is None else labels[permutation(int(run), len(labels))]


RINGS_DATA = {"shuffled rings": _shuffled_rings}
RINGS_LABELINGS = {_WORSE.name: _worse}


def rings_report(found: Outcomes, scope: Scope) -> Report:
    """The twelve scores, which labeling each index prefers, and the claims on these."""
    rows = [
        _score_row_rings(paper, title, found)
        for paper in read_printed("fig-rings")
        for title in _SHOWN
    ]
    rows += [row for name in PAPER_INDICES for row in _preferences(name, found)]
    rows += _claims_rings(found, scope)
    caption = "Points by cluster; noise is gray."
    note = read_text("fig-rings.note")
    return Report(tuple(rows), (Figure("", caption, lambda: _draw_rings(found)),), (note,))


def _score_row_rings(paper: dict[str, str], title: str, found: Outcomes) -> Row:
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
        for pair in RINGS_PAIRS
        for way, index in (
            ("the paper's program", name_published(name)),
            ("definition", spec(name)),
        )
    ]


def _claims_rings(found: Outcomes, scope: Scope) -> list[Row]:
    by_program = find_agreeing(RINGS_PAIRS, found, definition=False)
    by_definition = find_agreeing(RINGS_PAIRS, found, definition=True)
    first = _preferred_panels(RINGS_PAIRS[0], ("disco", "dbcv", "silhouette"), found)
    second = _preferred_panels(RINGS_PAIRS[1], ("disco", "dbcv"), found)
    return [
        claim(
            "fig-rings.a_or_b",
            _say(("DISCO", "DBCV", "Silhouette"), first),
            holds=first == ["a", "a", "b"],
        ),
        claim(
            "fig-rings.c_or_d",
            _say(("DISCO", "DBCV"), second),
            holds=second == ["c", "d"],
            note=_on_dbcv(found, scope),
        ),
        claim(
            "fig-rings.both",
            join_titles(by_program),
            holds=by_program == ["disco"],
            definitions=join_titles(by_definition),
        ),
    ]


def _on_dbcv(found: Outcomes, scope: Scope) -> str:
    """How far DBCV's preference hangs on the order of the rows, and on the spanning tree."""
    good, bad = (
        [
            found.number(cell.data, cell.labeling, cell.index)
            for cell in _orders_rings(labeling, scope)
        ]
        for labeling in (GROUND_TRUTH, _WORSE)
    )
    pairs = [(g, b) for g, b in zip(good, bad, strict=True) if g is not None and b is not None]
    ours = [found.number(_TWO, labels, spec("dbcv")) for labels in (GROUND_TRUTH, _WORSE)]
    if not pairs or ours[0] is None or ours[1] is None:
        return ""
    values = [b for _, b in pairs]
    return read_text(
        "fig-rings.on_dbcv",
        n_orders=len(pairs),
        low=min(values),
        high=max(values),
        n_good=sum(g > b for g, b in pairs),
        ours=ours,
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


def _draw_rings(found: Outcomes) -> Drawing:
    return draw_labelings(
        list(_PANELS.values()), [_title(name, found) for name in _PANELS], RINGS_LABELINGS
    )


def _title(panel: str, found: Outcomes) -> str:
    column = _PANELS[panel]
    scores = []
    for title in _SHOWN:
        index = name_published(INDEX_NAMES[title])
        value = found.number(column.data, column.labeling, index)
        scores.append(f"{title} {'none' if value is None else f'{value:.2f}'}")
    return f"({panel}) {scores[0]}\n{scores[1]}, {scores[2]}"


RINGS_EXPERIMENT = Experiment(
    INFOS["fig-rings"], rings_cells, rings_report, data=RINGS_DATA, labelings=RINGS_LABELINGS
)


# === Table 2: whether indices prefer clusters of any shape to the round ones of k-means ===========


_K = {"3-spiral": 3, "complex9": 9}
# Their programs give other values for other orders of the rows.
_MIND_ORDER = ("dbcv", "lccv")


def _pair(name: str) -> Pair:
    data, k_means = spec(name), spec("k-means", k=_K[name], seed=0)
    better = Column(f"{name}_DBSCAN", data, GROUND_TRUTH)
    return Pair(name, better, Column(f"{name}_kMeans", data, k_means), f"colour_{name}")


SHAPES_PAIRS = tuple(map(_pair, _K))


# --- cells ---------------------------------------------------------------------------------------


def shapes_cells(scope: Scope) -> list[Cell]:
    """The table; two indices again in other orders of the rows; DBSCAN against the truth."""
    return [
        *pair_cells(SHAPES_PAIRS),
        *(Cell(spec(name), _dbscan(name), spec("ari")) for name in _K),
        *(Cell(spec(name), _dbscan(name), spec("n_noise")) for name in _K),
        *(
            cell
            for pair in SHAPES_PAIRS
            for column in pair.columns
            for name in _MIND_ORDER
            for cell in _orders_shapes(column, name, scope)
        ),
        *_other_starts(scope),
    ]


def _dbscan(name: str) -> Spec:
    return spec("dbscan for k", k=_K[name], core_rank=5)


def _orders_shapes(column: Column, index: str, scope: Scope) -> list[Cell]:
    """The same labels of the same points in other orders of the rows."""
    name, is_truth = column.data.name, column.labeling == GROUND_TRUTH
    labeling = GROUND_TRUTH if is_truth else spec("k-means before the shuffle", k=_K[name], seed=0)
    runs = range(scope.repetitions(10, 2))
    return [Cell(spec(name, shuffle=run), labeling, name_published(index)) for run in runs]


def _other_starts(scope: Scope) -> list[Cell]:
    """LCCV of k-means from other starts: one of its cells is not the paper's."""
    starts = range(scope.repetitions(10, 2))
    k_means = [spec("k-means", k=_K["complex9"], seed=seed) for seed in starts]
    return [Cell(spec("complex9"), labeling, name_published("lccv")) for labeling in k_means]


def _k_means_before(source: Source, k: int, seed: int) -> LabelArray:
    """K-means on the rows in the order of the file, its labels shuffled with them."""
    labels = _k_means_of_file(source.data.name, k, seed)
    return labels[permutation(int(source.data["shuffle"]), len(labels))]


@cache
def _k_means_of_file(name: str, k: int, seed: int) -> LabelArray:
    source = Source(spec(name), *make_points(spec(name)))
    return make_labels(spec("k-means", k=k, seed=seed), source)


SHAPES_LABELINGS = {"k-means before the shuffle": _k_means_before}


# --- report --------------------------------------------------------------------------------------


def shapes_report(found: Outcomes, scope: Scope) -> Report:
    """The table, which labeling it says is better, and what the text says on that."""
    rows = [
        _on_row_order(row, found, scope) for row in score_rows("tab-shapes", SHAPES_PAIRS, found)
    ]
    rows += preference_rows("tab-shapes", SHAPES_PAIRS, found, {})
    rows += [_dbscan_is_truth(found), *_claims_shapes(found)]
    note = read_text("tab-shapes.note")
    caption = "The four labelings that the table scores."
    return Report(tuple(rows), (Figure("", caption, _draw_shapes),), (note,))


def _on_row_order(row: Row, found: Outcomes, scope: Scope) -> Row:
    """Say how far a value moves with the order of the rows, where it does.

    The paper does not tell in which order it had the rows: a printed value among those of other
    orders is within the method.
    """
    name = INDEX_NAMES[row.row]
    if name not in _MIND_ORDER:
        return row
    column = next(c for pair in SHAPES_PAIRS for c in pair.columns if c.title == row.column)
    values = found.numbers(_orders_shapes(column, name, scope))
    if not values:
        return row
    low, high, mean = min(values), max(values), sum(values) / len(values)
    row = row.with_note(
        f"In {len(values)} other orders of the rows: {low:.3f} to {high:.3f}, mean {mean:.3f}."
    )
    if row.verdict != "fails":
        return row
    if name == "lccv":
        row = _on_starts(row, found, scope)
    if low <= float(row.paper) <= high or equals_printed(mean, row.paper):
        row = row.with_note("The paper's order is not known.")
        return replace(row, verdict="within method")
    if len(values) < 10:
        return replace(row, verdict="not judged")
    return row.with_note("The printed value is not among them.")


def _on_starts(row: Row, found: Outcomes, scope: Scope) -> Row:
    values = found.numbers(_other_starts(scope))
    if not values:
        return row
    mean = sum(values) / len(values)
    return row.with_note(f"The mean over {len(values)} starts of k-means is {mean:.3f}.")


def _dbscan_is_truth(found: Outcomes) -> Row:
    agreement = {name: found.number(spec(name), _dbscan(name), spec("ari")) for name in _K}
    noise = {name: found.number(spec(name), _dbscan(name), spec("n_noise")) for name in _K}
    shown = "; ".join(
        f"{name}: ARI {agreement[name]:.4f}, {noise[name]:.0f} noise points"
        for name in _K
        if agreement[name] is not None and noise[name] is not None
    )
    holds = all((value or 0) > 0.999 for value in agreement.values())
    return claim("tab-shapes.dbscan_is_truth", shown, holds=holds)


def _claims_shapes(found: Outcomes) -> list[Row]:
    """What the text says on preferences, by the paper's programs and by the definitions."""
    by_program = find_agreeing(SHAPES_PAIRS, found, definition=False)
    by_definition = find_agreeing(SHAPES_PAIRS, found, definition=True)
    spirals, complex9 = (
        {n for n in INDEX_TITLES if _prefers_truth(n, p, found)} for p in SHAPES_PAIRS
    )
    original_spirals = set(find_agreeing(SHAPES_PAIRS[:1], found, definition=True))
    definition_says = f"By the definitions: {join_titles(by_definition)}."
    return [
        claim(
            "tab-shapes.truth_in_both",
            join_titles(by_program),
            holds=set(by_program)
            == {"disco", "dbcv", "dcsi", "mmj_sc", "lccv", "viasckde", "cvdd"},
            note=definition_says if set(by_program) != set(by_definition) else "",
        ),
        claim(
            "tab-shapes.k_means",
            join_titles(sorted({"silhouette", "s_dbw"} & (spirals | complex9)), "both prefer it"),
            holds=not {"silhouette", "s_dbw"} & (spirals | complex9),
            note="By its definition S_Dbw prefers the truth on 3-spiral."
            if "s_dbw" in original_spirals
            else "",
        ),
        claim(
            "tab-shapes.cdbw",
            "as the paper says" if "cdbw" in complex9 - spirals else "not so",
            holds="cdbw" in complex9 - spirals,
            note="By its definition it prefers the truth on both."
            if "cdbw" in by_definition
            else "",
        ),
    ]


def _prefers_truth(name: str, pair: Pair, found: Outcomes) -> bool:
    return name in find_agreeing((pair,), found, definition=False)


def _draw_shapes() -> Drawing:
    return draw_labelings([column for pair in SHAPES_PAIRS for column in pair.columns])


SHAPES_EXPERIMENT = Experiment(
    INFOS["tab-shapes"], shapes_cells, shapes_report, labelings=SHAPES_LABELINGS
)


# === Table 3: whether indices prefer good noise labels to bad ones ================================


_STRIPE = (-0.8, -0.05)
_CLUTO, _RINGS = spec("cluto-t8-8k"), spec("two rings", build=1)
_FIGURE_RINGS = spec("two rings", build=2)
_CUT, _ABSORBED = spec("cut by a stripe of noise"), spec("noise absorbed")

NOISE_PAIRS = (
    Pair(
        "cluto-t8-8k",
        Column("cluto-t8-8k_optimal", _CLUTO, GROUND_TRUTH),
        Column("cluto-t8-8k_very_bad", _CLUTO, _CUT),
        "colour_cluto",
    ),
    Pair(
        "rings",
        Column("rings_optimal", _RINGS, GROUND_TRUTH),
        Column("rings_suboptimal", _RINGS, _ABSORBED),
        "colour_rings",
    ),
)


# --- cells ---------------------------------------------------------------------------------------


def noise_cells(scope: Scope) -> list[Cell]:  # noqa: ARG001 - a quick run is a full run here
    """The table, deviations one by one where they matter, and the rings of the figure."""
    return [*pair_cells(NOISE_PAIRS), Cell(_FIGURE_RINGS, GROUND_TRUTH, spec("disco"))]


def _cut_by_stripe(source: Source) -> LabelArray:
    """A stripe of the plane becomes noise; what lies left of it is no longer the same cluster."""
    first, labels = source.points[:, 0], source.truth.copy()
    labels[(first > _STRIPE[0]) & (first < _STRIPE[1])] = -1
    labels[(first < _STRIPE[0]) & (labels >= 0)] += 1 + labels.max()
    codes: LabelArray = np.unique(labels, return_inverse=True)[1] - 1
    return codes


def _absorb_noise(source: Source) -> LabelArray:
    """Noise around a ring becomes part of it."""
    return two_rings(build=1 if source.data["build"] == 1 else 2).bad_labels


NOISE_LABELINGS = {_CUT.name: _cut_by_stripe, _ABSORBED.name: _absorb_noise}


# --- report --------------------------------------------------------------------------------------


def noise_report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """The table, which labeling it says is better, and what the text says on that."""
    rows = [_on_disco(row, found) for row in score_rows("tab-noise", NOISE_PAIRS, found)]
    rows += preference_rows("tab-noise", NOISE_PAIRS, found, _REASONS)
    rows += _claims_noise(found)
    notes = ((read_text("tab-noise.note")), (read_text("tab-noise.on_cvdd")))
    return Report(tuple(rows), (Figure("", read_text("tab-noise.caption"), _draw_noise),), notes)


_REASONS = {("s_dbw", "rings"): read_text("tab-noise.on_s_dbw")}


def _on_disco(row: Row, found: Outcomes) -> Row:
    """The one value of DISCO that is not the printed one, and where that comes from."""
    if row.verdict != "fails" or row.row != "DISCO" or row.ours is None:
        return row
    figure = found.number(_FIGURE_RINGS, GROUND_TRUTH, spec("disco"))
    if figure is None:
        return row
    return row.with_note(read_text("tab-noise.on_figure", score=figure))


def _claims_noise(found: Outcomes) -> list[Row]:
    by_program = find_agreeing(NOISE_PAIRS, found, definition=False)
    by_definition = find_agreeing(NOISE_PAIRS, found, definition=True)
    viasckde = name_published("viasckde")
    is_undefined = [_is_undefined(Cell(_RINGS, labels, viasckde), found) for labels in _RING_LABELS]
    return [
        claim(
            "tab-noise.better_in_both",
            join_titles(by_program),
            holds=by_program == ["disco"],
            definitions=join_titles(by_definition),
        ),
        claim(
            "tab-noise.viasckde",
            found.reason(_RINGS, GROUND_TRUTH, viasckde),
            holds=all(is_undefined),
        ),
    ]


_RING_LABELS = (GROUND_TRUTH, _ABSORBED)


def _is_undefined(cell: Cell, found: Outcomes) -> bool:
    """Whether the cell was computed and has no value; an error is something else."""
    outcome = found.get(cell)
    return outcome is not None and outcome.value is None and not outcome.is_error


def _draw_noise() -> Drawing:
    columns = [column for pair in NOISE_PAIRS for column in pair.columns]
    return draw_labelings(columns, labelings=NOISE_LABELINGS)


NOISE_EXPERIMENT = Experiment(
    INFOS["tab-noise"], noise_cells, noise_report, labelings=NOISE_LABELINGS
)


# === The features of the indices: every entry of the paper's table that a computation can check ===


_EVERY = list(
    dict.fromkeys(index for name in PAPER_INDICES for index in (name_published(name), spec(name)))
)
_KINDS = ("none", "good", "group", "inside")
_DISCS, _RANDOM = spec("separated discs", seed=0, half_distance=8.0), spec("random", k=2, seed=0)
# Relative; sums in another order may differ in the last bits.
_SAME = 1e-9


# --- cells ---------------------------------------------------------------------------------------


def features_cells(scope: Scope) -> list[Cell]:
    """All indices in both ways: of two shapes, in other orders, with other noise, and at random."""
    return [
        *pair_cells(SHAPES_PAIRS),
        *cross(
            [*_orders_features("rings", scope), *_orders_features("spirals", scope)],
            [GROUND_TRUTH],
            _EVERY,
        ),
        *cross([_rings(kind) for kind in _KINDS], [GROUND_TRUTH], _EVERY),
        *cross([_DISCS], [GROUND_TRUTH, _RANDOM], _EVERY),
    ]


def _orders_features(name: str, scope: Scope) -> list[Spec]:
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


def _shrink(points: FloatArray) -> FloatArray:
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


FEATURES_DATA: dict[str, Callable[..., LabeledPoints]] = {
    "noisy rings": _noisy_rings,
    "rings and noise": _rings_and_noise,
}


# --- report --------------------------------------------------------------------------------------


class _Answer(NamedTuple):
    """What a computation says of one index in both ways, and what there is to add."""

    program: str | None
    definition: str | None
    note: str = ""


def features_report(found: Outcomes, scope: Scope) -> Report:
    """The table, checked entry by entry, and the index that is missing from it."""
    by_name = {INDEX_NAMES[row["method"]]: row for row in read_printed("tab-features")}
    rows = []
    for name in [*by_name, *(name for name in PAPER_INDICES if name not in by_name)]:
        paper = by_name.get(name, {})
        for column, (title, answer) in _COLUMNS.items():
            rows.append(_row(name, title, paper.get(column, ""), answer(name, found, scope)))
    return Report(
        tuple(rows), notes=(read_text("tab-features.corrections"), read_text("tab-features.tests"))
    )


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
        words = [find_preferred(pair, index, found) for pair in SHAPES_PAIRS]
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
        orders = [*_orders_features("rings", scope), *_orders_features("spirals", scope)]
        if not _computed(orders, index, found):
            answers.append(None)
            continue
        changed = []
        for data, why in (("rings", "noisy rings"), ("spirals", "3-spiral, which has ties")):
            values = _values(_orders_features(data, scope), index, found)
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


FEATURES_EXPERIMENT = Experiment(
    INFOS["tab-features"], features_cells, features_report, data=FEATURES_DATA
)
