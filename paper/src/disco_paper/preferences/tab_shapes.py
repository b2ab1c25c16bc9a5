"""Table 2: whether indices prefer clusters of any shape to the round ones of k-means."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.drawing import Column, draw_labelings
from disco_paper.judging import Experiment, Figure, Report, Row, claim, equals_printed
from disco_paper.paper import INDEX_NAMES, INDEX_TITLES, INFOS, join_titles, name_published
from disco_paper.preferences.pairs import (
    Pair,
    find_agreeing,
    pair_cells,
    preference_rows,
    score_rows,
)
from disco_paper.sources import Source, make_labels, make_points, permutation

NAME = "tab-shapes"

_K = {"3-spiral": 3, "complex9": 9}
# Their programs give other values for other orders of the rows.
_MIND_ORDER = ("dbcv", "lccv")


def _pair(name: str) -> Pair:
    data, k_means = spec(name), spec("k-means", k=_K[name], seed=0)
    better = Column(f"{name}_DBSCAN", data, GROUND_TRUTH)
    return Pair(name, better, Column(f"{name}_kMeans", data, k_means), f"colour_{name}")


PAIRS = tuple(map(_pair, _K))


# --- cells ---------------------------------------------------------------------------------------


def cells(scope: Scope) -> list[Cell]:
    """The table; two indices again in other orders of the rows; DBSCAN against the truth."""
    return [
        *pair_cells(PAIRS),
        *(Cell(spec(name), _dbscan(name), spec("ari")) for name in _K),
        *(Cell(spec(name), _dbscan(name), spec("n_noise")) for name in _K),
        *(
            cell
            for pair in PAIRS
            for column in pair.columns
            for name in _MIND_ORDER
            for cell in _orders(column, name, scope)
        ),
        *_other_starts(scope),
    ]


def _dbscan(name: str) -> Spec:
    return spec("dbscan for k", k=_K[name], core_rank=5)


def _orders(column: Column, index: str, scope: Scope) -> list[Cell]:
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


def _k_means_before(source: Source, k: int, seed: int) -> NDArray[np.int64]:
    """K-means on the rows in the order of the file, its labels shuffled with them."""
    labels = _k_means_of_file(source.data.name, k, seed)
    return labels[permutation(int(source.data["shuffle"]), len(labels))]


@cache
def _k_means_of_file(name: str, k: int, seed: int) -> NDArray[np.int64]:
    source = Source(spec(name), *make_points(spec(name)))
    return make_labels(spec("k-means", k=k, seed=seed), source)


LABELINGS = {"k-means before the shuffle": _k_means_before}


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:
    """The table, which labeling it says is better, and what the text says on that."""
    rows = [_on_row_order(row, found, scope) for row in score_rows(NAME, PAIRS, found)]
    rows += preference_rows(NAME, PAIRS, found, {})
    rows += [_dbscan_is_truth(found), *_claims(found)]
    note = (
        "Which labeling is better: the truth (the columns DBSCAN) or k-means. The paper says it by "
        "colors."
    )
    caption = "The four labelings that the table scores."
    return Report(tuple(rows), (Figure("", caption, _draw),), (note,))


def _on_row_order(row: Row, found: Outcomes, scope: Scope) -> Row:
    """Say how far a value moves with the order of the rows, where it does.

    The paper does not tell in which order it had the rows: a printed value among those of other
    orders is within the method.
    """
    name = INDEX_NAMES[row.row]
    if name not in _MIND_ORDER:
        return row
    column = next(c for pair in PAIRS for c in pair.columns if c.title == row.column)
    values = found.numbers(_orders(column, name, scope))
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
    note = "The table scores the true labels; DBSCAN leaves a few points of complex9 to the noise."
    return claim("DBSCAN finds the truth", "equals the ground truth", shown, holds=holds, note=note)


def _claims(found: Outcomes) -> list[Row]:
    """What the text says on preferences, by the paper's programs and by the definitions."""
    by_program = find_agreeing(PAIRS, found, definition=False)
    by_definition = find_agreeing(PAIRS, found, definition=True)
    spirals, complex9 = ({n for n in INDEX_TITLES if _prefers_truth(n, p, found)} for p in PAIRS)
    original_spirals = set(find_agreeing(PAIRS[:1], found, definition=True))
    definition_says = f"By the definitions: {join_titles(by_definition)}."
    return [
        claim(
            "Indices that prefer the truth in both data sets",
            "DISCO, DBCV, DCSI, MMJ-SC, LCCV, VIASCKDE, CVDD",
            join_titles(by_program),
            holds=set(by_program)
            == {"disco", "dbcv", "dcsi", "mmj_sc", "lccv", "viasckde", "cvdd"},
            note=definition_says if set(by_program) != set(by_definition) else "",
        ),
        claim(
            "Silhouette and S_Dbw",
            "prefer k-means",
            join_titles(sorted({"silhouette", "s_dbw"} & (spirals | complex9)), "both prefer it"),
            holds=not {"silhouette", "s_dbw"} & (spirals | complex9),
            note="By its definition S_Dbw prefers the truth on 3-spiral."
            if "s_dbw" in original_spirals
            else "",
        ),
        claim(
            "CDbw",
            "tells the labelings of complex9 apart, but not those of 3-spiral",
            "as the paper says" if "cdbw" in complex9 - spirals else "not so",
            holds="cdbw" in complex9 - spirals,
            note="By its definition it prefers the truth on both."
            if "cdbw" in by_definition
            else "",
        ),
    ]


def _prefers_truth(name: str, pair: Pair, found: Outcomes) -> bool:
    return name in find_agreeing((pair,), found, definition=False)


def _draw() -> Drawing:
    return draw_labelings([column for pair in PAIRS for column in pair.columns])


EXPERIMENT = Experiment(INFOS[NAME], cells, report, labelings=LABELINGS)
