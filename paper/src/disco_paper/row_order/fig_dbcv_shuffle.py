"""How DBCV of the same labels changes with the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.figure import Figure as Drawing

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, cross, spec
from disco_paper.drawing import INDEX_COLORS, draw_histogram, open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row, claim, equals_printed, judge
from disco_paper.paper import INFOS, read_printed, read_texts
from disco_paper.row_order.runs import PUBLISHED, count_bins, mean_of, name_shuffled
from disco_paper.sources import FloatArray

NAME = "fig-dbcv-shuffle"
TEXTS = read_texts(NAME)

_SETS = ("complex8", "complex9")
_PUBLISHED, _AUTHORS = "published DBCV", "DBCV, its authors' tree"
_ORDER_PROOF = ("DISCO", "DBCV, order-proof tree")
_INDICES = {
    _PUBLISHED: PUBLISHED,
    _AUTHORS: spec("dbcv", ties="rows"),
    "DISCO": spec("disco"),
    "DBCV, order-proof tree": spec("dbcv"),
}
# By the names of indices in the palette of all figures.
_COLORS = dict(zip(_INDICES, ("dbcv", "dcsi", "disco", "lccv"), strict=True))
# So near must means be, from so many shuffles on; claims need as many shuffles as in the paper.
_WITHIN, _ENOUGH, _PAPER_RUNS = 0.03, 100, 1000
# Scores of a bell have a skewness and an excess kurtosis near 0.
_BELL = 1.0
_COLUMNS = ("mean", "lowest", "highest", "different")
_TABLE = "Scores over shuffles of the rows"
Scores = Mapping[tuple[str, str], FloatArray]


def cells(scope: Scope) -> list[Cell]:
    """DISCO, and three kinds of DBCV, of the truth in every order of the rows."""
    data = [name_shuffled(spec(name), run) for run in range(_runs(scope)) for name in _SETS]
    return cross(data, [GROUND_TRUTH], _INDICES.values())


def _runs(scope: Scope) -> int:
    return scope.repetitions(_PAPER_RUNS, quick=20)


def report(found: Outcomes, scope: Scope) -> Report:
    """Where the scores lie, the claims about them, and the histograms."""
    n_runs = _runs(scope)
    scores = {
        (name, title): _scores(found, name, index, n_runs)
        for name in _SETS
        for title, index in _INDICES.items()
    }
    rows = [row for name in _SETS for row in _place_rows(name, scores, n_runs)]
    if n_runs >= _PAPER_RUNS and all(map(len, scores.values())):
        rows += _claims(scores)
    figures = []
    if all(map(len, scores.values())):
        figures.append(Figure("", TEXTS["caption"], partial(_draw, scores)))
    return Report(tuple(rows), tuple(figures), (TEXTS["note"], *_note_on_place(scores)))


def _scores(found: Outcomes, name: str, index: Spec, n_runs: int) -> FloatArray:
    data = (name_shuffled(spec(name), run) for run in range(n_runs))
    return np.array(found.numbers(Cell(one, GROUND_TRUTH, index) for one in data))


def _place_rows(name: str, scores: Scores, n_runs: int) -> Iterator[Row]:
    """Mean, lowest, highest and number of different scores, for each index."""
    for title in _INDICES:
        values = scores[name, title]
        found = _summary(values) if len(values) else dict.fromkeys(_COLUMNS)
        paper = _saved_plot(name) if title == _PUBLISHED else {}
        for column, value in found.items():
            row = Row(f"{name}, {title}", column, value, paper.get(column, ""), table=_TABLE)
            if column in paper:
                row = row.with_note(_READ_OFF if column == "mean" else _READ_OFF_EXTREME)
            if column in paper and column == "mean" and n_runs >= _ENOUGH:
                judged = judge(row.row, column, value, row.paper, within=_WITHIN, note=row.note)
                row = replace(judged, table=_TABLE)
            yield row if len(values) else row.with_note("There are no scores.")


def _saved_plot(name: str) -> dict[str, str]:
    """Read off the saved plot: mean, lowest and highest of 1000 scores."""
    (row,) = (row for row in read_printed(NAME) if row["dataset"] == name)
    return row


def _summary(values: FloatArray) -> dict[str, float | None]:
    numbers = mean_of(values), values.min(), values.max()
    return dict(zip(_COLUMNS, [*map(float, numbers), len(np.unique(values))], strict=True))


def _note_on_place(scores: Scores) -> Iterator[str]:
    """Where the order-proof DBCV lies beside the published one."""
    for name in _SETS:
        proof, published = scores[name, _ORDER_PROOF[1]], scores[name, _PUBLISHED]
        if len(proof) and len(published):
            n_above = int((published > proof.max()).sum())
            yield (
                f"On {name}, {n_above} of {len(published)} scores of the published DBCV lie above "
                "the order-proof one."
            )


def _claims(scores: Scores) -> Iterator[Row]:
    one, other = (scores[name, _PUBLISHED] for name in _SETS)
    yield claim(
        "DBCV of complex8",
        "between -0.3 and 0.1",
        f"from {one.min():.3f} to {one.max():.3f}",
        holds=equals_printed(one.min(), "-0.3") and equals_printed(one.max(), "0.1"),
        note="Judged to one digit.",
    )
    shapes = [_shape(values) for values in (one, other)]
    yield claim(
        "Shape of the histograms",
        "Gaussian, around different means",
        "; ".join(
            f"{name}: mean {values.mean():.3f}, skewness {skewness:.2f}, excess kurtosis "
            f"{kurtosis:.2f}"
            for name, values, (skewness, kurtosis) in zip(_SETS, (one, other), shapes, strict=True)
        ),
        holds=max(abs(number) for shape in shapes for number in shape) < _BELL
        and abs(one.mean() - other.mean()) > max(one.std(), other.std()),
        note=f"Judged as skewness and excess kurtosis between -{_BELL:g} and {_BELL:g}, and means "
        "further apart than the larger standard deviation.",
    )
    yield _claim_on_definition(scores)
    for title in _ORDER_PROOF:
        counts = [len(np.unique(scores[name, title])) for name in _SETS]
        yield claim(
            f"Different scores of {title}",
            "a deterministic index has one",
            f"{counts[0]} on complex8, {counts[1]} on complex9",
            holds=counts == [1, 1],
            note="To the last bit.",
        )


def _claim_on_definition(scores: Scores) -> Row:
    """Whether DBCV moves by its definition too, without what the paper's program adds."""
    shown = [
        f"{name}: mean {values.mean():.3f}, spread {values.std():.3f}"
        for name in _SETS
        for values in [scores[name, _AUTHORS]]
    ]
    means = " and ".join(f"{mean_of(scores[name, _PUBLISHED]):.3f}" for name in _SETS)
    return claim(
        "DBCV with Prim's tree, as in the program of its authors",
        "DBCV is inherently non-deterministic",
        "; ".join(shown),
        holds=all(np.ptp(scores[name, _AUTHORS]) > 0 for name in _SETS),
        note=f"The means by the paper's program are {means}. That program hangs "
        "each point, once the tree is grown, on the first row that its edge could as well have led "
        "to, which makes other points inner points.",
    )


def _shape(values: FloatArray) -> tuple[float, float]:
    """Skewness and excess kurtosis."""
    standard = (values - values.mean()) / values.std()
    return float((standard**3).mean()), float((standard**4).mean() - 3.0)


def _draw(scores: Scores) -> Drawing:
    drawing = open_drawing(width=9.0, height=3.4)
    panels = drawing.subplots(1, len(_SETS), sharey=True)
    for panel, name in zip(panels, _SETS, strict=True):
        values = {title: scores[name, title] for title in _INDICES}
        bins = count_bins(values[_PUBLISHED], 60)
        for title, scores_of in values.items():
            draw_histogram(panel, scores_of, bins, INDEX_COLORS[_COLORS[title]], title)
        tidy(panel)
        panel.set_title(name, fontsize=10)
        panel.set_xlabel("score of the true labels")
    panels[0].set_ylabel("density")
    handles, titles = panels[0].get_legend_handles_labels()
    drawing.legend(handles, titles, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return drawing


_READ_OFF = "Read off the saved plot, so only about right."
_READ_OFF_EXTREME = f"{_READ_OFF} Not judged: only means have a stated band."

EXPERIMENT = Experiment(INFOS[NAME], cells, report)
