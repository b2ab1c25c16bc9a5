"""The closest cluster by the dc-distance is not the one that is nearest in the plane."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure as Drawing

from disco_cvi import disco_samples
from disco_cvi.plots import labels_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Value, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import open_drawing
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INFOS
from disco_paper.sources import Case, make_points

NAME = "fig-closest"

_DATA, _DISTANCES = spec("three lines"), spec("distances of the first point")
_STEP = 0.25
_ASSUMED = "The paper draws this without data; the points are ours."


def cells(scope: Scope) -> list[Cell]:  # noqa: ARG001 - a quick run is a full run here
    """Both distances from the point x to both clusters."""
    return [Cell(_DATA, GROUND_TRUTH, _DISTANCES)]


def _three_lines() -> LabeledPoints:
    """The long cluster of x, which is its first point; C1 beside x; C2 behind the other end."""
    lines = (((0.0, 20.0), 0.0), ((-2.0, 2.0), 3.0), ((21.5, 25.5), 0.0))
    clusters = []
    for (left, right), height in lines:
        first = np.arange(left, right + _STEP / 2, _STEP)
        clusters.append(np.column_stack([first, np.full(len(first), height)]))
    labels = np.repeat(np.arange(3, dtype=np.int64), [len(cluster) for cluster in clusters])
    return LabeledPoints(np.concatenate(clusters), labels)


def _distances(case: Case) -> Value:
    points, labels = case.source.points, case.labels
    plain = np.hypot(*(points - points[0]).T)
    dc = case.source.density_tree(5).distance(0, np.arange(len(points)))
    found = {
        f"{name} to C{cluster}": float(distances[labels == cluster].min())
        for name, distances in (("dc", dc), ("plain", plain))
        for cluster in (1, 2)
    }
    return {**found, "score": float(disco_samples(case.source.density_tree(5), labels)[0])}


DATA = {_DATA.name: _three_lines}
MEASURES = {_DISTANCES.name: _distances}


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """Which cluster is the closest, in both ways."""
    value = found.value(_DATA, GROUND_TRUTH, _DISTANCES)
    if not isinstance(value, dict):
        reason = found.reason(_DATA, GROUND_TRUTH, _DISTANCES)
        return Report((Row("x", "distances", None, note=reason),))
    rows = [
        Row(f"{way} distance from x", f"to C{cluster}", value[f"{key} to C{cluster}"])
        for way, key in (("dc", "dc"), ("Euclidean", "plain"))
        for cluster in (1, 2)
    ]
    rows += [Row("DISCO", "of x", value["score"]), *_claims(value)]
    caption = (
        "From x to C1 the widest gap on the way is 3, to C2 it is 1.5: by the dc-distance C2 is "
        "closer, although C1 is nearer in the plane."
    )
    return Report(tuple(rows), (Figure("", caption, _draw),), (_ASSUMED,))


def _claims(value: dict[str, float]) -> list[Row]:
    return [
        claim(
            f"{way} distance",
            f"C{expected} is closer to x",
            f"C1 {value[f'{key} to C1']:g}, C2 {value[f'{key} to C2']:g}",
            holds=(value[f"{key} to C1"] < value[f"{key} to C2"]) == (expected == 1),
            note=_ASSUMED,
        )
        for way, key, expected in (("dc", "dc", 2), ("Euclidean", "plain", 1))
    ]


def _draw() -> Drawing:
    points, labels = make_points(_DATA, DATA)
    drawing = open_drawing(8.0, 2.4)
    ax = labels_map(points, labels, ax=drawing.subplots())
    for begin, stop, text in (((0, 0), (0, 3), "3"), ((20, 0), (21.5, 0), "1.5")):
        ax.annotate("", stop, begin, arrowprops={"arrowstyle": "<->", "color": "#222222"})
        middle = ((begin[0] + stop[0]) / 2, (begin[1] + stop[1]) / 2)
        ax.annotate(text, middle, (4, 4), textcoords="offset points", fontsize=9)
    for text, place in (("x", (0, 0)), ("C1", (2, 3)), ("C2", (25.5, 0))):
        ax.annotate(text, place, (2, -14), textcoords="offset points", fontsize=10)
    return drawing


EXPERIMENT = Experiment(INFOS[NAME], cells, report, data=DATA, measures=MEASURES)
