"""Paths are drawn as they are: lines, marks, shades and words, however many rows there are."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_moons

from disco_cvi import DensityTree, pair_score
from disco_cvi.datasets import three_rings
from disco_cvi.density_tree.paths import EpsPath, SizePath
from disco_cvi.plots import EpsCurveDisplay
from disco_cvi.plots.eps import COLUMNS, Span
from disco_cvi.plots.style import LIGHT
from disco_cvi.selection import suggest
from helpers.messages import says
from helpers.suggestions import suggested_for

X, _ = make_moons(200, noise=0.06, random_state=0)
TREE = DensityTree(X)
LINE = DensityTree(np.array([0.0, 1, 2, 10, 11, 13, 50])[:, None], min_points=2)
# Two groups of three and one point far away: fewer than two clusters on both sides.
PATHS: dict[str, Any] = {"eps": TREE.eps_path(), "size": TREE.size_path(), "line": LINE.eps_path()}


def draw(path: Any) -> Any:
    """Typed by nobody: what a figure holds has too many types."""
    return EpsCurveDisplay.from_path(path).plot().ax_


def draw_suggestion(suggestion: Any) -> Any:
    return EpsCurveDisplay.from_suggestion(suggestion).plot().ax_


def steps_of(path: Any) -> Any:
    return EpsCurveDisplay.from_path(path).steps


def lines(ax: Any, color: str, style: str = "-") -> list[Any]:
    return [
        line
        for line in ax.lines
        if line.get_color() == color and line.get_linestyle() == style and len(line.get_xdata()) > 2
    ]


def texts(ax: Any) -> str:
    return "\n".join(text.get_text() for text in ax.texts)


def spans(ax: Any) -> list[tuple[float, float, Any]]:
    """What is shaded: from, to, color."""
    return [
        (patch.get_x(), patch.get_x() + patch.get_width(), patch.get_facecolor())
        for patch in ax.patches
    ]


def value_on(line: Any, x: float) -> float:
    """The height of a line of steps."""
    places, heights = line.get_xdata(), line.get_ydata()
    return float(heights[np.searchsorted(places, x, side="right") - 1])


def value_of(path: Any, x: float) -> Any:
    """The row of a path for a value of its parameter."""
    if isinstance(path, EpsPath):
        return path[int(np.searchsorted(-path.eps, -x))]
    return path[int(np.searchsorted(path.min_cluster_size, x, side="right")) - 1]


# --- facts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PATHS)
def test_lines_have_the_values_of_the_path(name: str) -> None:
    path = PATHS[name]
    ax = draw(path)
    clusters, noise = ax.figure.axes[1:]
    (score,) = lines(ax, LIGHT.pair)
    (disco,) = lines(ax, LIGHT.disco)
    low, high = ax.get_xlim()
    begin = max(low, float(steps_of(path).starts[0]))
    for x in np.geomspace(begin * 1.001, high * 0.999, 57):
        row = value_of(path, x)
        assert value_on(score, x) == row.score
        assert value_on(clusters.lines[0], x) == row.n_clusters
        expected = row.disco if row.n_clusters > 1 else math.nan
        assert value_on(disco, x) == pytest.approx(expected, abs=0, nan_ok=True)
    assert noise.get_ylim() == (0, 1)
    corners = noise.collections[0].get_paths()[0].vertices
    assert corners[:, 1].max() == pytest.approx(steps_of(path).noise_share.max(), abs=0.1)


@pytest.mark.parametrize("name", PATHS)
def test_the_best_is_marked_and_what_is_almost_as_good_is_shaded(name: str) -> None:
    path = PATHS[name]
    ax = draw(path)
    best: Any = path.best
    (mark,) = (line for line in ax.lines if line.get_marker() == "o")
    value = best.eps if isinstance(path, EpsPath) else best.min_cluster_size
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (value, best.score)
    low, high = path.stretch(0.95)
    end = high if isinstance(path, EpsPath) else high + 1
    for panel in ax.figure.axes:
        blue = [span for span in spans(panel) if span[2][2] > span[2][0]]
        assert [span[:2] for span in blue] == [pytest.approx((low, end))]
    assert "within 5% of" in texts(ax)
    assert f"pair score {best.score:.3f}" in texts(ax)


def test_fewer_than_two_clusters_are_grey_and_named() -> None:
    path = LINE.eps_path()
    ax = draw(path)
    low, high = ax.get_xlim()
    assert path.eps.tolist() == [37, 8, 2, 1, 0]
    for panel in ax.figure.axes:
        grey = [span[:2] for span in spans(panel) if span[2][0] == span[2][2]]
        assert grey == [pytest.approx((low, 1)), pytest.approx((8, high))]
    (dotted,) = lines(ax, LIGHT.disco, ":")
    assert np.isnan(value_on(dotted, 1.5))
    assert value_on(dotted, 8.1) == path[1].disco
    small = EpsCurveDisplay(path).plot(Figure(figsize=(2, 2)).add_subplot()).ax_
    assert "only" not in texts(small)


def test_the_view_leaves_out_what_is_noise_or_one_cluster() -> None:
    far = DensityTree(np.vstack([X, [[1e6, 0]], X[:1] + 1e-9]))
    path = far.eps_path()
    low, high = draw(path).get_xlim()
    assert path.eps[0] > 1e5
    assert high < 10
    assert low < path.best.eps < high
    two = path.eps[path.n_clusters >= 2]
    assert low < two.max() < high


def test_the_view_shows_where_disco_is_greatest_with_one_cluster() -> None:
    path = DensityTree(three_rings().points).eps_path()
    trap = path[int(path.disco.argmax())]
    assert (trap.n_clusters, trap.score) == (1, 0)
    assert trap.disco > path.best.disco
    ax = draw(path)
    low, high = ax.get_xlim()
    assert trap.low < high
    (dotted,) = lines(ax, LIGHT.disco, ":")
    assert value_on(dotted, trap.low * 1.0001) == trap.disco
    assert Span(low, high).share(path.best.eps) > 0.35


def test_names_stand_at_the_lines_and_not_over_each_other() -> None:
    ax = draw_suggestion(suggested_for(TREE, reach=0.02))
    ax.figure.draw_without_rendering()
    names = ("pair score", "DISCO", "data without\nclusters: 0.020")
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() in names]
    assert len(boxes) == 3
    for i, box in enumerate(boxes):
        assert all(not box.overlaps(other) for other in boxes[i + 1 :])


@pytest.mark.parametrize("name", PATHS)
def test_nothing_is_cut_off(name: str) -> None:
    ax = draw(PATHS[name])
    figure = ax.figure
    figure.draw_without_rendering()
    page = figure.bbox
    for text in [*ax.texts, ax.title, ax._left_title]:
        if text.get_text():
            box = text.get_window_extent()
            assert box.x0 >= page.x0 - 1
            assert box.x1 <= page.x1 + 1
            assert box.y1 <= page.y1 + 1


# --- words ---------------------------------------------------------------------------------------


def test_words_of_an_eps_path() -> None:
    ax = draw(LINE.eps_path())
    assert ax.get_title(loc="left") == "DBSCAN tells 2 clusters apart best at eps 5"
    facts = "5 different results. Any eps from 2 to 7.999 scores within 5% of the best."
    assert facts in texts(ax)
    assert "best: 2 clusters, 14% noise\npair score 0.306 at eps 5" in texts(ax)
    assert ax.figure.axes[-1].get_xlabel().startswith("eps of DBSCAN, logarithmic; border")


def test_words_of_a_size_path() -> None:
    ax = draw(TREE.size_path(method="leaf"))
    best = TREE.size_path(method="leaf").best
    words = f"HDBSCAN (leaf) tells {best.n_clusters} clusters apart best at min_cluster_size"
    assert ax.get_title(loc="left").startswith(words)
    assert ax.figure.axes[-1].get_xlabel() == "min_cluster_size of HDBSCAN (leaf), logarithmic"


@pytest.mark.parametrize("kind", ["eps_path", "size_path"])
def test_where_nothing_is_told_apart(kind: str) -> None:
    path = getattr(DensityTree(np.zeros((8, 2))), kind)()
    ax = draw(path)
    assert "tells no two clusters apart at any" in ax.get_title(loc="left")
    assert not [line for line in ax.lines if line.get_marker() == "o"]
    assert "within 5%" not in texts(ax)


def test_a_weak_score_is_called_weak() -> None:
    tree = DensityTree(np.random.default_rng(0).uniform(size=(300, 2)))
    assert tree.eps_path().best.score < 0.1
    assert "Weak: below a pair score of 0.1" in texts(draw(tree.eps_path()))
    assert "Weak" not in texts(draw(TREE.eps_path()))


def test_in_given_axes_the_scores_stand_alone() -> None:
    ax: Any = Figure(figsize=(4, 3)).add_subplot()
    EpsCurveDisplay(LINE.eps_path()).plot(ax)
    assert ax.figure.axes == [ax]
    assert ax.get_title(loc="left") == "2 clusters at eps 5"
    assert ax.get_xlabel() == "eps of DBSCAN"


# --- many rows -----------------------------------------------------------------------------------


def many_rows(n_rows: int) -> EpsPath:
    random = np.random.default_rng(0)
    score = 0.3 + 0.2 * np.sin(np.linspace(0, 9, n_rows)) + random.normal(0, 0.01, n_rows)
    score[n_rows // 3] = 0.9  # seen for one row
    return EpsPath(
        score=score,
        disco=score + 0.05,
        n_clusters=random.integers(0, 5, n_rows),
        noise_share=np.linspace(0, 1, n_rows),
        eps=np.sort(np.exp(random.normal(0, 1, n_rows)))[::-1],
    )


def test_many_rows_are_few_corners_with_the_same_extremes() -> None:
    path = many_rows(300_000)
    ax = draw(path)
    (score,) = lines(ax, LIGHT.pair)
    assert len(score.get_xdata()) <= 8 * COLUMNS + 8
    assert score.get_ydata().max() == 0.9
    steps, view = steps_of(path), Span(*ax.get_xlim())
    assert score.get_ydata().min() == steps.score[steps.rows_in(view)].min()
    assert (np.diff(score.get_xdata()) >= 0).all()
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg")
    assert len(file.getvalue()) < 2_000_000


# --- suggestions ---------------------------------------------------------------------------------


def test_a_suggestion_is_marked_on_its_path() -> None:
    ax = draw_suggestion(suggested_for(TREE, reach=0.05))
    best = TREE.eps_path().best
    (mark,) = (line for line in ax.lines if line.get_marker() == "o")
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (best.eps, best.score)
    assert ax.get_title(loc="left") == f"Suggested: 2 clusters by DBSCAN at eps {best.eps:.4g}"
    (dashed,) = (line for line in ax.lines if line.get_linestyle() == "--")
    assert set(dashed.get_ydata()) == {0.05}
    assert "data without\nclusters: 0.050" in texts(ax)
    words = " ".join(texts(ax).split())
    assert "Second opinion: HDBSCAN(min_cluster_size=5, min_samples=5), 3 clusters; " in words
    assert "adjusted Rand index 0.88." in words


def test_a_suggested_size_that_is_not_the_first_of_its_row() -> None:
    suggestion = suggested_for(TREE, "hdbscan", None)
    path = TREE.size_path(method="leaf")
    assert path.best.high > path.best.low
    suggestion.parameters["min_cluster_size"] = path.best.high
    suggestion.second = None
    ax = draw_suggestion(suggestion)
    (mark,) = (line for line in ax.lines if line.get_marker() == "o")
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (path.best.high, path.best.score)
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]
    assert "Second opinion" not in texts(ax)


def test_data_without_clusters_that_reach_as_much() -> None:
    ax = draw_suggestion(suggested_for(TREE, reach=0.6))
    assert ax.get_title(loc="left").startswith("Perhaps there is nothing to find")
    assert ax.get_ylim()[1] > 0.6


def test_a_suggestion_of_nothing() -> None:
    ax = draw_suggestion(suggested_for(DensityTree(np.zeros((8, 2))), reach=None))
    assert "tells no two clusters apart" in ax.get_title(loc="left")


# --- what it is made of ---------------------------------------------------------------------------


@pytest.mark.parametrize("values", ["score", "disco", "n_clusters", "noise_share"])
def test_curves_are_the_rows_in_view(values: Any) -> None:
    display = EpsCurveDisplay.from_path(PATHS["eps"])
    x, y = display.curve(values)
    view, steps = display.view, display.steps
    assert (x[0], x[-1]) == (view.low, view.high)
    for place in np.geomspace(view.low * 1.001, view.high * 0.999, 50):
        row = int(np.searchsorted(steps.starts, place, side="right")) - 1
        drawn = y[int(np.searchsorted(x, place, side="right")) - 1]
        assert drawn == getattr(steps, values)[row]


def test_labels_are_a_level_and_are_not_needed() -> None:
    labels = TREE.dbscan(0.1)
    display: Any = EpsCurveDisplay.from_predictions(X, labels).plot()
    assert display.of_labels == pair_score(X, labels)
    levels = [line.get_ydata()[0] for line in display.ax_.lines if line.get_linestyle() == "-."]
    assert levels == [display.of_labels]
    assert f"these labels: {display.of_labels:.3f}" in texts(display.ax_)
    for data in (X, TREE):
        display = EpsCurveDisplay.from_predictions(data)
        assert display.of_labels is None
        assert display.best == PATHS["eps"].best
    other = EpsCurveDisplay.from_predictions(X, min_points=10)
    assert other.best == DensityTree(X, min_points=10).eps_path().best


def test_the_eps_of_a_clusterer_is_marked() -> None:
    display: Any = EpsCurveDisplay.from_estimator(DBSCAN(eps=0.15, min_samples=7), X).plot()
    assert display.chosen == 0.15
    assert [line.get_xdata()[0] for line in display.chosen_] == [0.15] * 3
    assert display.best == DensityTree(X, min_points=7).eps_path().best
    assert "chosen: 0.15" in texts(display.axes_[-1])
    display = EpsCurveDisplay(PATHS["eps"], chosen=1e6).plot()
    assert display.chosen_ == []
    assert display.facts[-1] == "The eps that was chosen, 1e+06, is out of view."
    assert EpsCurveDisplay.from_estimator(KMeans(2, n_init=1, random_state=0), X).chosen is None


@pytest.mark.parametrize("path", [TREE.eps_path(), TREE.size_path()], ids=["eps", "size"])
def test_paths_and_suggestions_draw_themselves(path: EpsPath | SizePath) -> None:
    assert path.plot().get_title(loc="left") == draw(path).get_title(loc="left")
    given = Figure().add_subplot()
    assert path.plot(ax=given) is given
    suggestion = suggest(X, n_null=1)
    assert suggestion.plot(ax=given) is given
    assert given.get_title(loc="left").startswith("suggested: 2 clusters at ")


def test_other_things_than_paths_are_refused() -> None:
    message = (
        "path of EpsCurveDisplay.from_path must be an EpsPath or a SizePath; got [1, 2] (list). "
        "DensityTree.eps_path() and DensityTree.size_path() make them."
    )
    with pytest.raises(TypeError, match=says(message)):
        EpsCurveDisplay.from_path([1, 2])  # type: ignore[arg-type]
    message = (
        "suggestion of EpsCurveDisplay.from_suggestion must be a Suggestion; got None. "
        "disco_cvi.suggest(X) makes one."
    )
    with pytest.raises(TypeError, match=says(message)):
        EpsCurveDisplay.from_suggestion(None)
