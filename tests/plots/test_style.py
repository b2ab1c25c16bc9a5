"""Pictures of all kinds: where they are drawn, what they refuse, and the colors that they share."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from disco_cvi.plots import labels_map, pointwise_map, score_curve
from disco_cvi.plots.style import THEMES, Theme, score_colors

X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]
DRAWN: dict[str, Callable[..., Any]] = {
    "pointwise_map": lambda **more: pointwise_map(X, [-1.0, 0.0, 0.5, 1.0], **more),
    "labels_map": lambda **more: labels_map(X, [0, 0, 1, -1], **more),
    "score_curve": lambda **more: score_curve(
        [1, 2], {"disco": [[0.1, 0.3], [0.2, 0.4], [0.6, 0.1]], "other": [0.1, None]}, **more
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_functions_draw_into_the_given_axes_or_into_a_figure_of_their_own(name: str) -> None:
    from matplotlib import pyplot as plt

    given = Figure().add_subplot()
    assert DRAWN[name](ax=given) is given
    assert given.has_data()
    own = DRAWN[name]()
    assert own.has_data()
    # pyplot knows it, being in use.
    assert plt.gcf() is own.figure is not given.figure
    with pytest.raises(TypeError, match=f"ax of {name} must be matplotlib axes or None; got 'he"):
        DRAWN[name](ax="here")


@pytest.mark.parametrize("name", DRAWN)
def test_same_scores_same_bytes(name: str) -> None:
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        DRAWN[name]().figure.savefig(file, format="png")
    assert files[0].getvalue() == files[1].getvalue()


@pytest.mark.parametrize("name", DRAWN)
def test_without_matplotlib_it_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    message = rf"^{name} needs matplotlib.* not installed. Run 'pip install disco-cvi\[plots\]'.$"
    with pytest.raises(ImportError, match=message):
        DRAWN[name]()


def test_matplotlib_is_imported_to_draw_and_pyplot_is_not() -> None:
    code = (
        "import sys, disco_cvi.plots as plots; print('matplotlib' in sys.modules);"
        "plots.labels_map([[0, 1], [2, 3]], [0, 1]); print('matplotlib.pyplot' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "False"]


def test_pyplot_does_not_know_figures_of_other_threads() -> None:
    from matplotlib import pyplot as plt

    before = plt.get_fignums()
    with ThreadPoolExecutor(1) as pool:
        ax = pool.submit(labels_map, X, [0, 0, 1, 1]).result()
    assert ax.has_data()
    assert plt.get_fignums() == before


# --- colors ---------------------------------------------------------------------------------------


def luminance(color: Any) -> float:
    """Relative luminance, 0 to 1."""
    channels = np.array(to_rgb(color))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(color: Any, ground: str) -> float:
    """How much lighter the one is than the other, as WCAG 2.2 defines it."""
    low, high = sorted(luminance(each) for each in (color, ground))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("look", "least", "least_of_labels"), [(THEMES["light"], 2.5, 2.1), (THEMES["dark"], 4.4, 5.6)]
)
def test_colors_are_seen_on_their_ground(look: Theme, least: float, least_of_labels: float) -> None:
    colors = score_colors(look)
    assert min(contrast(colors(x)[:3], look.ground) for x in np.linspace(0, 1, 41)) >= least
    assert min(contrast(color, look.ground) for color in look.labels) >= least_of_labels
    assert len(set(look.labels)) == 12


@pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)
def test_low_scores_are_orange_zero_is_grey_and_high_ones_are_blue(look: Theme) -> None:
    colors = score_colors(look)
    low = [colors(place)[:3] for place in (0.0, 0.25)] + [to_rgb(zone) for zone in look.zones[1:]]
    high = [colors(place)[:3] for place in (0.75, 1.0)] + [to_rgb(look.zones[0])]
    assert all(red > green > blue for red, green, blue in low)
    assert np.ptp(colors(0.5)[:3]) < 0.08
    assert all(blue > green > red for red, green, blue in high)
    # In print without color they differ, too.
    assert contrast(colors(0.0)[:3], colors(1.0)[:3]) > 1.5  # type: ignore[arg-type]
    assert contrast(colors(0.25)[:3], colors(0.75)[:3]) > 1.1  # type: ignore[arg-type]
