"""Two minimum spanning trees of one graph."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

from disco_paper import open_experiment, row_order
from disco_paper.cells import Outcomes, Scope
from paper_helpers.run_here import run_here

fig_mst = open_experiment("fig-mst")


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(fig_mst, Scope())


def test_weights_are_known_and_leaves_differ(found: Outcomes, shared: Path) -> None:
    path = shared / "expected" / "reproduced_fig_non_unique_MSTs.csv"
    expected = [float(row["total_weight"]) for row in csv.DictReader(path.read_text().splitlines())]
    for outcome, weight in zip(found.values(), expected, strict=True):
        trees = outcome.value
        assert isinstance(trees, dict)
        for name in ("kruskal", "prim"):
            assert trees[name]["weight"] == pytest.approx(weight, abs=6e-5)
            assert len(trees[name]["edges"]) == 2550
        # How many depends on ties; Prim's stars have far more leaves than Kruskal's chains.
        assert trees["shared leaves"] < trees["kruskal"]["leaves"] + 200 < trees["prim"]["leaves"]


@pytest.mark.parametrize("seed", range(5))
def test_trees_are_minimum_spanning_trees(seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, 6, (40, 2)).astype(float)
    points += np.arange(80).reshape(40, 2) / 100  # no two points at one place
    graph = row_order.mutual_reachability(points, 4)
    weight = minimum_spanning_tree(np.triu(graph, 1)).sum()
    prim = row_order.prim_tree(graph)
    kruskal = row_order.kruskal_tree(graph, heaviest=max(graph[edge] for edge in prim))
    for edges in (prim, kruskal):
        assert len(edges) == 39
        assert set(np.array(edges).ravel()) == set(range(40))
        assert sum(graph[edge] for edge in edges) == pytest.approx(weight)


def test_leaves_have_one_edge() -> None:
    assert row_order.leaf_rows([(0, 1), (1, 2), (1, 3), (3, 4)]) == {0, 2, 4}


def test_the_claim_holds(found: Outcomes, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    report = fig_mst.report(found, Scope())
    assert report.count("passes") == 2
    assert report.count("fails") == 0
    drawing = report.figures[0].draw()
    assert [len(panel.collections) for panel in drawing.axes] == [2, 2]


def test_report_without_cells() -> None:
    report = fig_mst.report(Outcomes({}), Scope())
    assert [row.note for row in report.rows] == ["not part of this run"] * 2
    assert not report.figures
