"""Displays: what they draw, that the same scores give the same picture, and what they refuse."""

from __future__ import annotations

import io
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, InvalidInputError, available_indices
from disco_cvi.plots import (
    MARKERS,
    PALETTE,
    box_plot,
    histogram,
    labels_map,
    path_curves,
    pointwise_map,
    score_bars,
    score_curve,
    suggestion_figure,
)
from disco_cvi.plots.style import COLORS, LABEL_PALETTES, THEMES, pointwise_colors
from helpers.suggestions import suggested_for

X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]
TREE = DensityTree(np.array([0.0, 1, 2, 10, 11, 12, 40, 41])[:, None], min_points=2)

DRAWN: dict[str, Callable[..., Any]] = {
    "pointwise_map": lambda **more: pointwise_map(X, [-1.0, 0.0, 0.5, 1.0], **more),
    "labels_map": lambda **more: labels_map(X, [0, 0, 1, -1], **more),
    "score_curve": lambda **more: score_curve(
        [1, 2], {"disco": [[0.1, 0.3], [0.2, 0.4], [0.6, 0.1]], "other": [0.1, None]}, **more
    ),
    "box_plot": lambda **more: box_plot({"Iris": [0.1, 0.2, 0.9], "Seeds": [0.4]}, **more),
    "histogram": lambda **more: histogram({"dbcv": [0.1, 0.2, 0.25, 0.4]}, bins=3, **more),
    "score_bars": lambda **more: score_bars({"Iris": {"disco": 0.5, "dbcv": None}}, **more),
    "path_curves": lambda **more: path_curves(TREE.eps_path(), **more),
    "suggestion_figure": lambda **more: suggestion_figure(suggested_for(TREE), **more),
}


def rgb(color: Any) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return to_rgb(color)


def lightness(color: Any) -> float:
    """CIE lightness, 0 to 100."""
    light = luminance(color)
    return 116 * np.cbrt(light) - 16 if light > 0.008856 else 903.3 * light


def luminance(color: Any) -> float:
    """Relative luminance, 0 to 1."""
    channels = np.array(rgb(color))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


# --- what all of them promise ------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWN)
def test_draws_into_the_given_axes_or_into_a_figure_of_its_own(name: str) -> None:
    from matplotlib.figure import Figure

    given = Figure().add_subplot()
    assert DRAWN[name](ax=given) is given
    assert given.has_data()
    own = DRAWN[name]()
    assert own.has_data()
    assert own.figure is not given.figure


@pytest.mark.parametrize("name", DRAWN)
def test_same_scores_same_bytes(name: str) -> None:
    def saved() -> bytes:
        file = io.BytesIO()
        DRAWN[name]().figure.savefig(file, format="png")
        return file.getvalue()

    assert saved() == saved()


@pytest.mark.parametrize("name", DRAWN)
def test_other_things_than_axes_are_refused(name: str) -> None:
    with pytest.raises(
        TypeError, match=f"ax of {name} must be matplotlib axes or None; got 'here'"
    ):
        DRAWN[name](ax="here")


def test_importing_the_displays_does_not_import_matplotlib() -> None:
    code = "import sys, disco_cvi.plots; print('matplotlib' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["False"]


@pytest.mark.parametrize("name", DRAWN)
def test_pyplot_knows_a_figure_where_it_is_in_use(name: str) -> None:
    from matplotlib import pyplot as plt

    ax = DRAWN[name]()
    assert plt.gcf() is ax.figure
    plt.close(ax.figure)


def test_pyplot_keeps_no_more_figures_than_it_likes() -> None:
    """Warnings are errors here: pyplot gives one for many figures."""
    from matplotlib import pyplot as plt

    plt.close("all")
    mine = plt.figure()
    drawn = [labels_map(X, [0, 0, 1, 1]).figure for _ in range(60)]
    assert len(plt.get_fignums()) == plt.rcParams["figure.max_open_warning"]
    assert plt.gcf() is drawn[-1]
    assert plt.fignum_exists(mine.number)
    plt.close("all")


def test_pyplot_does_not_know_figures_of_other_threads() -> None:
    from matplotlib import pyplot as plt

    before = plt.get_fignums()
    with ThreadPoolExecutor(1) as pool:
        ax = pool.submit(labels_map, X, [0, 0, 1, 1]).result()
    assert ax.has_data()
    assert plt.get_fignums() == before


def test_pyplot_is_not_imported_where_it_is_not_in_use() -> None:
    code = (
        "import sys, disco_cvi.plots as plots; plots.labels_map([[0, 1], [2, 3]], [0, 1]);"
        "print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["True", "False"]


@pytest.mark.parametrize("name", DRAWN)
def test_without_matplotlib_it_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    message = rf"^{name} needs matplotlib.* not installed. Run 'pip install disco-cvi\[plots\]'.$"
    with pytest.raises(ImportError, match=message):
        DRAWN[name]()


# --- colors --------------------------------------------------------------------------------------


def test_every_index_has_its_own_color_and_marker() -> None:
    names = {info.name for info in available_indices()}
    assert set(PALETTE) == set(MARKERS) == names
    assert len({rgb(color) for color in PALETTE.values()}) == len(names)
    assert len(set(MARKERS.values())) == len(names)


@pytest.mark.parametrize("color", [*PALETTE.values(), *COLORS])
def test_colors_are_seen_on_white(color: str) -> None:
    assert lightness(color) < 75


def contrast(color: Any, ground: str) -> float:
    """How much lighter the one is than the other, as WCAG 2.2 defines it."""
    low, high = sorted(luminance(each) for each in (color, ground))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("theme", "ground", "least"), [("light", "#ffffff", 2.5), ("dark", "#0f1419", 4.4)]
)
def test_every_score_is_seen_on_its_ground(theme: str, ground: str, least: float) -> None:
    colors = pointwise_colors(THEMES[theme])
    seen = [contrast(colors(place)[:3], ground) for place in np.linspace(0, 1, 41)]
    assert min(seen) >= least


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_low_scores_are_orange_zero_is_grey_and_high_ones_are_blue(theme: str) -> None:
    colors = pointwise_colors(THEMES[theme])
    for place in (0.0, 0.25):
        red, green, blue = colors(place)[:3]
        assert red > green > blue
    assert np.ptp(colors(0.5)[:3]) < 0.08
    for place in (0.75, 1.0):
        red, green, blue = colors(place)[:3]
        assert blue > green > red


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bad_and_good_scores_differ_in_lightness_too(theme: str) -> None:
    """So that -0.5 and 0.5, and all that lies beyond, differ in print without color."""
    colors = pointwise_colors(THEMES[theme])
    assert abs(lightness(colors(0.0)[:3]) - lightness(colors(1.0)[:3])) > 14
    assert abs(lightness(colors(0.25)[:3]) - lightness(colors(0.75)[:3])) > 4


@pytest.mark.parametrize(
    ("theme", "ground", "least"), [("light", "#ffffff", 2.1), ("dark", "#0f1419", 5.6)]
)
def test_label_colors_are_seen_on_their_ground(theme: str, ground: str, least: float) -> None:
    palette = LABEL_PALETTES[theme]
    assert len({rgb(color) for color in palette}) == 12
    assert min(contrast(color, ground) for color in palette) >= least


# --- maps ----------------------------------------------------------------------------------------


def test_pointwise_map_has_a_fixed_scale() -> None:
    drawn = pointwise_map(X, [0.1, 0.2, 0.3, 0.4]).collections[0]
    assert drawn.get_clim() == (-1.0, 1.0)
    assert np.asarray(drawn.get_array()).tolist() == [0.1, 0.2, 0.3, 0.4]
    assert np.asarray(drawn.get_offsets()).tolist() == X


def test_pointwise_map_without_scale() -> None:
    assert len(pointwise_map(X, np.zeros(4)).figure.axes) == 2
    assert len(pointwise_map(X, np.zeros(4), colorbar=False).figure.axes) == 1


def test_many_points_are_drawn_as_an_image() -> None:
    points = np.random.default_rng(0).normal(size=(1500, 2))
    assert pointwise_map(points, np.zeros(1500)).collections[0].get_rasterized()
    assert not pointwise_map(X, np.zeros(4)).collections[0].get_rasterized()


def test_a_legend_shows_names_as_they_are_without_formulas_and_warnings() -> None:
    ax = labels_map(X, ["$x_1$", "\\$y$", "\u732b", "a\nb"])
    legend = ax.legend()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure: Any = ax.figure
        figure.canvas.draw()
    shown = [text._preprocess_math(text.get_text()) for text in legend.get_texts()]  # type: ignore[attr-defined]
    assert shown == [
        ("$x_1$", False),
        ("\\$y$", False),
        ("'a\\nb'", False),
        ("\N{WHITE SQUARE}", False),
    ]


@pytest.mark.parametrize(
    "draw",
    [
        lambda name: score_bars({name: {name: 0.5}}),
        lambda name: score_curve([0, 1], {name: [0.1, 0.2]}),
        lambda name: box_plot({name: {name: [0.1, 0.2]}}),
        lambda name: histogram({name: [0.1, 0.2, 0.3]}),
    ],
)
def test_letters_that_the_font_lacks_give_no_warning(draw: Callable[[str], Any]) -> None:
    ax = draw("\u732b")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()


def test_labels_map_draws_noise_and_clusters_apart() -> None:
    ax = labels_map(X, ["b", "a", "a", "none"], noise_label="none")
    drawn = {str(part.get_label()): np.asarray(part.get_offsets()) for part in ax.collections}
    assert {name: points.tolist() for name, points in drawn.items()} == {
        "noise": [X[3]],
        "a": [X[1], X[2]],
        "b": [X[0]],
    }


def test_clusters_with_the_same_color_have_another_marker() -> None:
    points = np.random.default_rng(0).normal(size=(30, 2))
    parts: Any = labels_map(points, np.arange(30)).collections
    looks = {(tuple(part.get_facecolor()[0]), len(part.get_paths()[0].vertices)) for part in parts}
    assert len(looks) == 30


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: pointwise_map([[0, 1, 2]], [0.0]), "X of pointwise_map must hold points in the "),
        (lambda: labels_map([[0]], [0]), "2 features; got 1 feature. Pass two columns"),
        (lambda: pointwise_map(X, [0.1]), "one score per point: 4 points, 1 score."),
        (lambda: pointwise_map(X, [0.1, 2, 0, 0]), "between -1 and 1.* got 0 to 2."),
        (lambda: pointwise_map(X, [0.1, None, 0, 0]), "got 0 to 0.1 and NaN."),
        (lambda: labels_map(X, [0]), "one label per point: 4 points, 1 label."),
        (lambda: score_curve([1, 2], {"a": [1]}), r"each of the 2 values of x.* got shape \(1,\)"),
        (lambda: score_curve([1], {"a": [[[1]]]}), r"must have 2 dimensions; got shape"),
        (lambda: score_curve([1], {}), "scores of score_curve must not be empty"),
        (
            lambda: score_curve([1], {"a": [1]}, band=1.5),
            "band of score_.* below 1; got 1.5",
        ),
        (lambda: score_curve([1], {"a": [1]}, legend="left"), "legend of score_curve must be"),
        (lambda: score_curve([1], {"a": [np.inf]}), r"scores\['a'\] of score_curve holds infinity"),
        (lambda: histogram({"a": [None]}), r"values\['a'\] of histogram hold no score."),
        (lambda: histogram({"a": [1.0]}, bins=0), "bins of histogram .*from 1 to 1000; got 0"),
        (lambda: score_bars({"a": {"b": 0.0}}, log=True), "must hold positive values"),
        (lambda: box_plot({}), "groups of box_plot must not be empty"),
    ],
)
def test_values_that_cannot_be_drawn(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: box_plot([1, 2]), "groups of box_plot must map names"),  # type: ignore[arg-type]
        (lambda: score_curve([1], {1: [1]}), "must map names"),  # type: ignore[dict-item]
        (lambda: score_curve([1], {"a": [1]}, band="1"), "band of score_curve must be a finite"),  # type: ignore[arg-type]
        (lambda: histogram({"a": [1.0]}, bins=True), r"bins of histogram must be .*got True"),
        (lambda: histogram({"a": ["x"]}), r"values\['a'\] of histogram must hold numbers"),
    ],
)
def test_types_that_cannot_be_drawn(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        wrong()


# --- curves --------------------------------------------------------------------------------------


def test_a_curve_is_the_mean_of_the_runs_that_have_a_value() -> None:
    ax = score_curve([1, 2, 3], {"lccv": [[1.0, np.nan, 3.0], [3.0, 5.0, np.nan]]}, band=None)
    assert np.asarray(ax.lines[0].get_ydata()).tolist() == [2.0, 5.0, 3.0]
    assert not ax.collections


def test_where_no_run_has_a_value_there_is_a_gap() -> None:
    ax = score_curve([1, 2, 3], {"lccv": [[1.0, None, 3.0], [3.0, None, 1.0]]})
    assert np.isnan(np.asarray(ax.lines[0].get_ydata(), dtype=float)).tolist() == [
        False,
        True,
        False,
    ]


def test_the_band_is_the_bootstrap_interval_of_the_mean() -> None:
    runs = np.random.default_rng(3).normal(0.5, 0.2, size=(400, 2))
    band: Any = score_curve([1, 2], {"disco": runs}, band=0.75).collections[0]
    corners = band.get_paths()[0].vertices
    low, high = (np.array([f(corners[corners[:, 0] == x, 1]) for x in (1, 2)]) for f in (min, max))
    # For many runs it is the normal interval: 1.15 standard errors of the mean to either side.
    expected = 1.15 * runs.std(axis=0) / np.sqrt(len(runs))
    assert (high - low) / 2 == pytest.approx(expected, rel=0.1)
    assert (high + low) / 2 == pytest.approx(runs.mean(axis=0), abs=0.003)


def test_best_means_are_circled() -> None:
    ax = score_curve([1, 2, 4], {"disco": [0.1, 0.7, 0.3], "cvdd": [None] * 3}, mark_best=True)
    circles = [line for line in ax.lines if len(np.asarray(line.get_xdata())) == 1]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in circles] == [(2.0, 0.7)]  # type: ignore[index]


def test_indices_have_their_color_by_name_and_title() -> None:
    names = ["disco", "DISCO", "S_Dbw (r, n)", "Iris", "Seeds"]
    ax = score_curve([1], {name: [0.5] for name in names}, colors={"Seeds": "#123456"})
    colors = [str(line.get_color()) for line in ax.lines]
    disco, s_dbw = PALETTE["disco"], PALETTE["s_dbw"]
    assert colors == [disco, disco, s_dbw, COLORS[0], "#123456"]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][:3] == ["DISCO", "DISCO", names[2]]


def test_no_legend() -> None:
    assert score_curve([1], {"a": [1]}, legend=None).get_legend() is None


# --- distributions and bars ----------------------------------------------------------------------


def test_box_plot_by_series() -> None:
    groups = {"Iris": {"noise": [1.0, 2.0, 6.0], "rest": [0.0]}, "Yeast": {"rest": [3.0, 3.0]}}
    ax = box_plot(groups)
    medians = [line.get_ydata()[0] for line in ax.lines if str(line.get_color()) == "white"]  # type: ignore[index]
    assert medians == [2.0, 0.0, 3.0]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["noise", "rest"]


def test_an_empty_box_is_left_blank() -> None:
    ax = box_plot({"Iris": [1.0, 2.0], "Yeast": [None]})
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["Iris", "Yeast"]
    assert len([line for line in ax.lines if str(line.get_color()) == "white"]) == 1


def test_histogram_has_a_density_and_a_dashed_mean() -> None:
    scores = np.random.default_rng(0).normal(size=500)
    ax = histogram({"dbcv": scores}, bins=20)
    assert len(ax.patches) == 20
    area = sum(bar.get_height() * bar.get_width() for bar in ax.patches)  # type: ignore[attr-defined]
    assert area == pytest.approx(1.0)
    dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert [line.get_xdata()[0] for line in dashed] == [pytest.approx(scores.mean())]  # type: ignore[index]


def test_equal_scores_are_one_line() -> None:
    ax = histogram({"disco": [0.36, 0.36 + 1e-16, 0.36]})
    assert not ax.patches
    assert [line.get_xdata()[0] for line in ax.lines] == [0.36]  # type: ignore[index]


def test_bars_and_dashes_where_there_is_none() -> None:
    ax = score_bars({"Iris": {"disco": 0.5, "dbcv": None}, "Seeds": {"disco": 0.2}})
    heights = [[bar.get_height() for bar in part.patches] for part in ax.containers]  # type: ignore[attr-defined]
    assert heights[0] == [0.5, 0.2]
    assert np.isnan(heights[1]).all()
    assert [text.get_text() for text in ax.texts] == ["\N{EN DASH}"] * 2


def test_bars_on_a_logarithmic_scale() -> None:
    assert score_bars({"Iris": {"disco": 0.01}}, log=True).get_yscale() == "log"
