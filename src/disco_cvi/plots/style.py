"""What all pictures share: colors, figures, axes and titles."""

from __future__ import annotations

import math
import sys
import textwrap
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from disco_cvi._output.letters import in_font
from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure


class Theme(NamedTuple):
    """Colors of a picture; each means one thing.

    Attributes
    ----------
    ground, shade, rule, faint, ink : str
        From the background to what stands out most on it.
    noise : str
        Points that are noise.
    good, bad : str
        Scores above and below 0.
    pair, disco : str
        The pair score and DISCO.
    zones : tuple of three str
        Noise that is rightly noise, dense but apart, joined to a cluster.
    ramp : tuple of str
        Scores from -1 to 1, evenly: orange is low, grey 0, blue high.
    labels : tuple of str
        Clusters. Not all readers can tell twelve colors apart: what has one has a name, too.
    """

    ground: str
    shade: str
    rule: str
    faint: str
    ink: str
    noise: str
    good: str
    bad: str
    pair: str
    disco: str
    zones: tuple[str, ...]
    ramp: tuple[str, ...]
    labels: tuple[str, ...]


def _theme(single: str, zones: str, ramp: str, labels: str) -> Theme:
    several = (tuple(colors.split()) for colors in (zones, ramp, labels))
    return Theme(*single.split(), *several)  # type: ignore[arg-type]


THEMES = {
    "light": _theme(
        "#ffffff #f0f0f0 #dddddd #666666 #222222 #8a8a8a #4474b4 #e87500 #5a86c8 #0b3c8c",
        zones="#4474b4 #dd9440 #b34a00",
        ramp="#e87500 #dd9440 #9a928a #4474b4 #08215c",
        labels="#0077bb #ee7733 #009988 #cc3311 #33bbee #aa4499 "
        "#999933 #332288 #d4ac2b #882255 #117733 #e58fae",
    ),
    "dark": _theme(
        "#0f1419 #1c232b #39424c #a3adb8 #e8ecf0 #8d96a0 #6aa9e6 #ff9230 #6aa9e6 #c6e4ff",
        zones="#6aa9e6 #d0a06e #ff7f1f",
        ramp="#ff9230 #d0894e #807b75 #6aa9e6 #c6e4ff",
        labels="#3aa0e8 #ff9550 #1fc0ae #ff6a4d #6fd3ff #d47cc4 "
        "#c4c45a #9a8cf0 #f0cc55 #d9689f #4dbb6d #f4b3ca",
    ),
}
LIGHT = THEMES["light"]
SHAPES = ("o", "s", "^", "D", "v", "P", "X")
# Size of letters in pictures that say more than their axes do.
SMALL = 8.5
TICKS = (-1, -0.5, 0, 0.5, 1)  # of scores
# What a logarithmic axis can show: beyond, the arithmetic of matplotlib leaves the floats.
_SMALLEST, LARGEST = 1e-290, 1e290


def check_theme(theme: object, caller: str) -> Theme:
    """Return the colors of a theme."""
    if not isinstance(theme, str) or theme not in THEMES:
        rule = "be 'light' or 'dark'"
        raise InvalidInputError(argument="theme", caller=caller, rule=rule, got=describe(theme))
    return THEMES[theme]


def score_colors(look: Theme = LIGHT) -> Colormap:
    """The colors of pointwise scores."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("scores", look.ramp)


# --- figures and axes -----------------------------------------------------------------------------


def open_axes(ax: Axes | None, caller: str, size: tuple[float, float]) -> Axes:
    """Return the given axes, or those of a new figure."""
    if ax is None:
        return open_figure(caller, size).add_subplot()
    _need_matplotlib(caller)
    from matplotlib.axes import Axes as AxesClass

    if not isinstance(ax, AxesClass):
        rule = "be matplotlib axes or None"
        raise InvalidTypeError(argument="ax", caller=caller, rule=rule, got=describe(ax))
    return ax


def open_figure(caller: str, size: tuple[float, float]) -> Figure:
    """Return a new figure; pyplot knows it if pyplot is in use, so that `plt.show` finds it."""
    _need_matplotlib(caller)
    from matplotlib.figure import Figure

    look: dict[str, Any] = {"figsize": size, "dpi": 110, "layout": "constrained"}
    # pyplot is not for threads. A notebook shows figures of pyplot, imported or not.
    in_main_thread = threading.current_thread() is threading.main_thread()
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if in_main_thread and ("matplotlib.pyplot" in sys.modules or hasattr(shell, "kernel")):
        from matplotlib import pyplot as plt

        return plt.figure(**look)
    return Figure(**look)


def _need_matplotlib(caller: str) -> None:
    try:
        import matplotlib.axes  # noqa: F401 - is it there?
    except ImportError:
        raise ImportError(
            f"{caller} needs matplotlib, which is not installed. "
            "Run 'pip install disco-cvi[plots]'."
        ) from None


def size_of(ax: Any) -> tuple[float, float]:
    """Return width and height of axes in points, nearly: the layout may still change."""
    box = ax.get_window_extent()
    return box.width * 72 / ax.figure.dpi, box.height * 72 / ax.figure.dpi


def quiet_axes(ax: Any, *, grid: str = "y", look: Theme = LIGHT) -> None:
    """Remove upper and right border and strong ticks; draw faint lines to read by."""
    ax.set_facecolor(look.ground)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(look.faint)
    ax.tick_params(colors=look.ink, which="both", color=look.faint)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_color(look.ink)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(visible=True, axis=grid, color=look.rule, linewidth=0.7)


def put_head(
    ax: Any, title: str, facts: tuple[str, ...], look: Theme, *, width: int = 100, lift: float = 0
) -> None:
    """A statement above the axes, and facts in smaller letters below it; none: a small title.

    Lines break after `width` letters; `lift` points above the axes are left free.
    """
    plain: dict[str, Any] = {"loc": "left", "color": look.ink, "parse_math": False}
    title = in_font(title)
    if not facts:
        ax.set_title(title, fontsize=10, pad=6 + lift, **plain)
        return
    lines = [line for fact in facts for line in textwrap.wrap(in_font(fact), width)]
    head = "\n".join(textwrap.wrap(title, round(0.72 * width)))
    pad = 8 + lift + 1.35 * (SMALL + 0.5) * len(lines)
    ax.set_title(head, fontsize=12, fontweight="bold", pad=pad, **plain)
    drawn = ax.annotate(
        "\n".join(lines),
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 6 + lift),
        textcoords="offset points",
        fontsize=SMALL + 0.5,
        color=look.faint,
        annotation_clip=False,
        parse_math=False,
    )
    drawn.set_in_layout(False)  # the pad of the title keeps this area free


def on_axis(low: float, high: float) -> tuple[float, float]:
    """The ends of a logarithmic axis, as far as it can be drawn; the first below the second."""
    return min(max(low, _SMALLEST), LARGEST / 2), max(min(high, LARGEST), 2 * _SMALLEST)


def show_plain_numbers(axis: Any, low: float, high: float) -> None:
    """Plain numbers along a logarithmic axis, also where it spans less than a decade."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    decades = math.log10(high) - math.log10(low)  # the quotient may be no float
    if decades < 0.7:
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    else:
        digits = (1, 2, 3, 5, 7) if decades < 1.3 else (1, 2, 5) if decades < 3 else (1,)
        axis.set_major_locator(LogLocator(subs=digits, numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}"))
    axis.set_minor_locator(NullLocator())
