"""Which eps: the path, what is marked on it, and what others can draw of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_moons

from disco_cvi import DensityTree, pair_score
from disco_cvi.plots import EpsCurveDisplay, path_curves
from disco_cvi.plots.steps import steps_of

X, _ = make_moons(200, noise=0.06, random_state=0)
TREE = DensityTree(X)
PATH = TREE.eps_path()


def test_the_best_has_two_clusters_or_more_and_is_best_by_the_pair_score() -> None:
    display = EpsCurveDisplay.from_path(PATH)
    assert display.best == PATH.best
    assert display.best.n_clusters >= 2
    assert display.best.score == PATH.score.max()


def test_it_draws_what_path_curves_draws() -> None:
    display: Any = EpsCurveDisplay.from_path(PATH).plot()
    known: Any = path_curves(PATH)
    assert len(display.axes_) == len(known.figure.axes) == 3
    assert display.ax_ is display.axes_[0]
    for mine, other in zip(display.ax_.lines, known.lines, strict=True):
        np.testing.assert_array_equal(mine.get_xydata(), other.get_xydata())
        assert mine.get_color() == other.get_color()


@pytest.mark.parametrize("values", ["score", "disco", "n_clusters", "noise_share"])
def test_curves_are_the_rows_in_view(values: Any) -> None:
    display = EpsCurveDisplay.from_path(PATH)
    x, y = display.curve(values)
    view, steps = display.view, steps_of(PATH)
    assert (x[0], x[-1]) == (view.low, view.high)
    for place in np.geomspace(view.low * 1.001, view.high * 0.999, 50):
        row = int(np.searchsorted(steps.starts, place, side="right")) - 1
        drawn = y[int(np.searchsorted(x, place, side="right")) - 1]
        assert drawn == getattr(steps, values)[row]


def test_stretches_of_one_cluster_are_grey_and_dotted() -> None:
    display: Any = EpsCurveDisplay.from_path(PATH).plot()
    (one,) = display.stretches(1)[-1:]
    spans = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in display.ax_.patches]
    assert any(low <= one.low * 1.001 and high >= one.high * 0.999 for low, high in spans)
    dotted = [line for line in display.ax_.lines if line.get_linestyle() == ":"]
    assert np.isfinite(dotted[0].get_ydata()).any()


def test_labels_are_a_level() -> None:
    labels = TREE.dbscan(0.1)
    display: Any = EpsCurveDisplay.from_predictions(X, labels).plot()
    assert display.of_labels == pair_score(X, labels)
    levels = [line.get_ydata()[0] for line in display.ax_.lines if line.get_linestyle() == "-."]
    assert levels == [display.of_labels]
    assert f"these labels: {display.of_labels:.3f}" in {t.get_text() for t in display.ax_.texts}


def test_no_labels_are_needed() -> None:
    for data in (X, TREE):
        display = EpsCurveDisplay.from_predictions(data)
        assert display.of_labels is None
        assert display.best == PATH.best
    other = EpsCurveDisplay.from_predictions(X, min_points=10)
    assert other.best == DensityTree(X, min_points=10).eps_path().best


def test_the_eps_of_a_clusterer_is_marked() -> None:
    clusterer = DBSCAN(eps=0.15, min_samples=7)
    display: Any = EpsCurveDisplay.from_estimator(clusterer, X).plot()
    assert display.chosen == 0.15
    assert [line.get_xdata()[0] for line in display.chosen_] == [0.15] * 3
    assert display.best == DensityTree(X, min_points=7).eps_path().best
    assert "chosen: 0.15" in {text.get_text() for text in display.axes_[-1].texts}


def test_an_eps_out_of_view_is_said_to_be_so() -> None:
    display: Any = EpsCurveDisplay(PATH, chosen=1e6).plot()
    assert display.chosen_ == []
    assert display.facts[-1] == "The eps that was chosen, 1e+06, is out of view."


def test_a_clusterer_without_eps_marks_none() -> None:
    clusterer = KMeans(2, n_init=1, random_state=0)
    display = EpsCurveDisplay.from_estimator(clusterer, X)
    assert display.chosen is None
    assert display.of_labels is not None


def test_sizes_are_drawn_alike() -> None:
    display = EpsCurveDisplay.from_path(TREE.size_path()).plot()
    assert display.title.startswith("HDBSCAN (eom) tells")


def test_what_is_no_path() -> None:
    message = "path of EpsCurveDisplay.from_path must be an EpsPath or a SizePath; got"
    with pytest.raises(TypeError, match=message):
        EpsCurveDisplay.from_path(TREE)  # type: ignore[arg-type]
