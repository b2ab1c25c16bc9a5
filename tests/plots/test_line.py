"""The density line: its columns, its strip of labels, and what it says of clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree, explain
from disco_cvi.plots import DensityLineDisplay
from disco_cvi.plots.line import COLUMNS
from disco_cvi.plots.style import THEMES
from helpers import zoo

X = np.array([0.0, 1, 2, 10, 12, 14, 30, 31])[:, None]
LABELS = [0, 0, 0, 1, 1, 1, -1, -1]


@zoo.examples(150)
@given(zoo.cases(), st.data())
def test_clusters_apart_are_those_whose_distances_say_so(case: zoo.Case, data: Any) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    labels = np.array(
        data.draw(st.lists(st.integers(-1, 3), min_size=tree.n_points, max_size=tree.n_points))
    )
    display = DensityLineDisplay.from_tree(tree, labels)
    distances = tree.distance_matrix()
    for name, is_apart in zip(display.names, display.is_apart, strict=True):
        mine, others = labels == name, (labels != name) & (labels >= 0)
        inner = distances[np.ix_(mine, mine)].max()
        outer = distances[np.ix_(mine, others)].min(initial=np.inf)
        # A point alone has no distance, but also none that is larger than to others.
        assert is_apart == (inner < outer or (mine.sum() == 1 and outer > 0))


def test_the_line_is_that_of_the_tree() -> None:
    tree = DensityTree(X, min_points=2)
    display = DensityLineDisplay.from_predictions(tree, LABELS)
    assert display.steps.tolist() == tree.steps.tolist()
    assert display.codes is not None
    assert display.codes.tolist() == np.array(LABELS)[tree.order].tolist()
    assert display.heights[0] == display.heights[1]
    assert display.noise_bar == 2


def test_noise_above_the_bar_scores_above_0() -> None:
    points, labels = zoo.POINTS["blobs"], zoo.many_labels(60)
    labels = np.where(np.arange(60) % 3 == 0, -1, labels)
    explanation = explain(points, labels, min_points=4)
    bar = DensityLineDisplay.from_explanation(explanation).noise_bar
    assert bar is not None
    core = DensityTree(points, min_points=4).core_distances[labels == -1]
    assert ((core > bar) == (explanation.points.score[labels == -1] > 0)).all()


@pytest.mark.parametrize("n_points", [COLUMNS // 2, COLUMNS, 5 * COLUMNS + 3])
def test_columns_are_largest_steps_and_usual_labels(n_points: int) -> None:
    random = np.random.default_rng(0)
    steps, codes = random.uniform(1, 2, n_points), random.integers(-1, 3, n_points)
    display = DensityLineDisplay(steps, codes, ("a", "b", "c"), 1.5)
    edges, heights, usual = display.columns()
    assert len(heights) == len(usual) == min(n_points, COLUMNS)
    assert (edges[0], edges[-1]) == (0, n_points)
    for low, high, height, code in zip(edges[:-1], edges[1:], heights, usual, strict=True):
        assert height == display.heights[low:high].max()
        counts = np.bincount(codes[low:high] + 1, minlength=4)
        assert code == counts.argmax() - 1
    told = "Each column is the largest step of about 5 points." in display.facts
    assert told == (n_points > COLUMNS)


def test_runs_cover_the_line() -> None:
    display = DensityLineDisplay(np.arange(1.0, 10), [0, 0, 1, 1, 1, -1, -1, 0, 0], "ab", 1.0)
    assert [tuple(run) for run in display.runs(display.columns())] == [
        (0, 2, 0),
        (2, 5, 1),
        (5, 7, -1),
        (7, 9, 0),
    ]


def test_labels_have_names_and_noise_is_hatched() -> None:
    display: Any = DensityLineDisplay.from_predictions(X, LABELS, min_points=2).plot()
    assert {"0", "1", "noise"} <= {text.get_text() for text in display.ax_.texts}
    _, clusters, noise = display.ax_.collections
    assert (clusters.get_hatch(), noise.get_hatch()) == (None, "////")
    assert display.noise_bar_.get_ydata()[0] == 2
    assert display.ax_.get_yscale() == "log"


def test_without_labels_there_is_one_color_and_no_strip() -> None:
    from matplotlib.colors import to_rgba

    tree = DensityTree(X, min_points=2)
    display: Any = DensityLineDisplay.from_tree(tree).plot()
    assert {tuple(color) for color in display.line_.get_facecolor()} == {
        to_rgba(THEMES["light"].good)
    }
    assert len(display.ax_.collections) == 1
    assert display.noise_bar_ is None
    assert display.title == "The widest gap is 8 times the usual step"


@pytest.mark.parametrize(
    ("points", "labels", "title"),
    [
        (X, [0, 1] * 4, "None of the 2 clusters lies closer together than to another"),
        (X, [0, 0, 0, 1, 1, 1, 2, 2], "All 3 clusters lie closer together than to any other"),
        (X, [0, 0, 0, 1, 2, 1, 3, 3], "3 of 4 clusters lie closer together than to any other"),
        (X, [-1] * 8, "All points are noise"),
        (X, [0] * 6 + [-1] * 2, "One cluster holds 75% of the points"),
        (np.ones((5, 1)), None, "Most points are copies of others"),
    ],
)
def test_titles(points: Any, labels: Any, title: str) -> None:
    display = DensityLineDisplay.from_tree(DensityTree(points, min_points=2), labels)
    assert display.title == title
    display.plot().figure_.draw_without_rendering()
