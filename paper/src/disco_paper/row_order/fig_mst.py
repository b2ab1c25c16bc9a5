"""Two minimum spanning trees of the same points, equally light, with other leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_cvi import DensityTree
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, spec
from disco_paper.drawing import open_drawing
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INFOS, read_texts
from disco_paper.sources import Case, FloatArray, make_points

Edges = list[tuple[int, int]]

NAME = "fig-mst"
TEXTS = read_texts(NAME)

_DATA = spec("complex8")
# The paper's minPts, the point itself counted or not.
_COUNTED, _NOT_COUNTED = 15, 16
_TITLES = {_COUNTED: "point counted", _NOT_COUNTED: "point not counted"}
_ALGORITHMS = {"kruskal": "Kruskal", "prim": "Prim"}


def cells(scope: Scope) -> list[Cell]:
    """Both trees, for both readings of minPts; nothing to cut in a quick run."""
    del scope
    return [Cell(_DATA, GROUND_TRUTH, _trees(rank)) for rank in _TITLES]


def _trees(core_rank: int) -> Spec:
    return spec("two spanning trees", core_rank=core_rank)


def two_spanning_trees(case: Case, core_rank: int) -> Value:
    """The edges of both trees, their weights, and the leaves that they share."""
    graph = mutual_reachability(case.source.points, core_rank)
    prim = prim_tree(graph)
    trees = {"kruskal": kruskal_tree(graph, heaviest=max(graph[i, j] for i, j in prim))}
    trees["prim"] = prim
    leaves = {name: leaf_rows(edges) for name, edges in trees.items()}
    parts = {
        name: {
            "edges": [list(edge) for edge in edges],
            "weight": float(np.sort([graph[edge] for edge in edges]).sum()),
            "leaves": len(leaves[name]),
        }
        for name, edges in trees.items()
    }
    return {**parts, "shared leaves": len(leaves["kruskal"] & leaves["prim"])}


MEASURES = {"two spanning trees": two_spanning_trees}


def mutual_reachability(points: FloatArray, core_rank: int) -> FloatArray:
    """The largest of a distance and the core distances of its two ends, for all pairs."""
    from scipy.spatial.distance import pdist, squareform

    core = DensityTree(points, min_points=core_rank).core_distances
    distances: FloatArray = squareform(pdist(points))
    return np.maximum(np.maximum.outer(core, core), distances)


def prim_tree(graph: FloatArray) -> Edges:
    """Grow a tree from the first row; of equally near points the first row joins."""
    parents = np.zeros(len(graph), np.intp)
    nearest = graph[0].copy()
    nearest[0] = np.inf
    outside = np.ones(len(graph), bool)
    outside[0] = False
    edges = []
    for _ in range(len(graph) - 1):
        new = int(np.argmin(nearest))
        edges.append((int(parents[new]), new))
        outside[new] = False
        nearest[new] = np.inf
        closer = outside & (graph[new] < nearest)
        nearest[closer] = graph[new, closer]
        parents[closer] = new
    return edges


def kruskal_tree(graph: FloatArray, *, heaviest: float) -> Edges:
    """Join components by the lightest edges; of equally light ones the first rows come first.

    Parameters
    ----------
    graph : ndarray of shape (n, n)
    heaviest : float
        The heaviest edge of some minimum spanning tree: no other such tree needs a heavier one.
    """
    left, right = np.nonzero(np.triu(graph <= heaviest, k=1))
    order = np.argsort(graph[left, right], kind="stable")
    component = list(range(len(graph)))
    edges = []
    for one, other in zip(left[order].tolist(), right[order].tolist(), strict=True):
        roots = _root(component, one), _root(component, other)
        if roots[0] != roots[1]:
            component[max(roots)] = min(roots)
            edges.append((one, other))
    return edges


def _root(component: list[int], row: int) -> int:
    while component[row] != row:
        component[row] = component[component[row]]
        row = component[row]
    return row


def leaf_rows(edges: Edges) -> set[int]:
    """The points with one edge."""
    rows, degrees = np.unique(np.array(edges), return_counts=True)
    return set(rows[degrees == 1].tolist())


def report(found: Outcomes, scope: Scope) -> Report:
    """Weights and leaves of the trees, and the claim that they are equally good and different."""
    del scope
    known = {rank: found.value(_DATA, GROUND_TRUTH, _trees(rank)) for rank in _TITLES}
    rows: list[Row] = []
    figures = []
    for rank, trees in known.items():
        if not isinstance(trees, dict):
            reason = found.reason(_DATA, GROUND_TRUTH, _trees(rank))
            rows.append(Row(f"minPts 15, {_TITLES[rank]}", "weight", None, note=reason))
            continue
        rows += _rows(f"minPts 15, {_TITLES[rank]}", trees)
        if rank == _COUNTED:
            figures.append(Figure("", TEXTS["caption"], partial(_draw, trees)))
    return Report(tuple(rows), tuple(figures), (TEXTS["note"],))


def _rows(title: str, trees: Mapping[str, Any]) -> Iterator[Row]:
    kruskal, prim = trees["kruskal"], trees["prim"]
    for name, algorithm in _ALGORITHMS.items():
        yield Row(title, f"weight, {algorithm}", trees[name]["weight"], table=_TABLE)
        yield Row(title, f"leaves, {algorithm}", trees[name]["leaves"], table=_TABLE)
    yield Row(title, "leaves of both", trees["shared leaves"], table=_TABLE)
    is_equal = abs(kruskal["weight"] - prim["weight"]) <= 1e-9 * prim["weight"]
    is_other = trees["shared leaves"] < max(kruskal["leaves"], prim["leaves"])
    yield claim(
        f"Both trees are equally valid, but their leaves differ ({title})",
        "holds",
        f"weights {kruskal['weight']:.6f} and {prim['weight']:.6f}; leaves {kruskal['leaves']} "
        f"and {prim['leaves']}, {trees['shared leaves']} of them the same",
        holds=is_equal and is_other,
    )


def _draw(trees: Mapping[str, Any]) -> Drawing:
    drawing = open_drawing(width=9.0, height=4.6)
    points = make_points(_DATA).points
    for panel, (name, algorithm) in zip(drawing.subplots(1, 2), _ALGORITHMS.items(), strict=True):
        edges = [(one, other) for one, other in trees[name]["edges"]]
        _draw_tree(panel, points, edges)
        panel.set_title(f"{algorithm}: {trees[name]['leaves']} leaves", fontsize=10)
    return drawing


def _draw_tree(panel: Axes, points: FloatArray, edges: Edges) -> None:
    from matplotlib.collections import LineCollection

    lines = LineCollection(
        points[np.array(edges)], colors="#555555", linewidths=0.5, rasterized=True
    )
    panel.add_collection(lines)
    leaves = points[sorted(leaf_rows(edges))]
    panel.scatter(
        leaves[:, 0],
        leaves[:, 1],
        s=3,
        color="#cc3311",
        linewidths=0,
        zorder=2,
        rasterized=True,
        label="leaf",
    )
    panel.autoscale_view()
    panel.set_aspect("equal")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.legend(loc="upper right", fontsize=8, markerscale=3)


_TABLE = "Two minimum spanning trees of complex8 under mutual reachability"

EXPERIMENT = Experiment(INFOS[NAME], cells, report, measures=MEASURES)
