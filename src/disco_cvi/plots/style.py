"""What all displays share: colors, axes and the checks of what they are given."""

from __future__ import annotations

import math
import sys
import textwrap
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import ref

from disco_cvi._output.letters import in_font
from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.indices.registry import available_indices

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colorbar import Colorbar
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure


# One color per index, the same in every display. So many colors cannot all be told apart by readers
# with color-blindness, so that curves have a marker each as well.
_LOOKS = {
    "disco": ("#0b3c8c", "o"),
    "pair": ("#5a86c8", "$P$"),
    "silhouette": ("#7f7f7f", "s"),
    "s_dbw": ("#e58fae", "v"),
    "dbcv": ("#cc3311", "D"),
    "dcsi": ("#ee7733", "^"),
    "mmj_sc": ("#33a6e0", "P"),
    "lccv": ("#009988", "X"),
    "viasckde": ("#aa4499", "<"),
    "cvdd": ("#7d7a1f", ">"),
    "cdbw": ("#d4ac2b", "p"),
    "cvnn": ("#6b1f45", "h"),
    "davies_bouldin": ("#8c564b", "*"),
    "calinski_harabasz": ("#31a354", "d"),
    "dunn": ("#54278f", "8"),
    "generalized_dunn": ("#9e9ac8", "H"),
}
PALETTE: dict[str, str] = {name: color for name, (color, _) in _LOOKS.items()}
MARKERS: dict[str, str] = {name: marker for name, (_, marker) in _LOOKS.items()}
# For everything that is not an index: data sets, levels of noise, clusters. By themselves these
# cannot be told apart by all readers either: whatever has one has a name, too.
LABEL_PALETTES: dict[str, tuple[str, ...]] = {
    "light": (
        "#0077bb",
        "#ee7733",
        "#009988",
        "#cc3311",
        "#33bbee",
        "#aa4499",
        "#999933",
        "#332288",
        "#d4ac2b",
        "#882255",
        "#117733",
        "#e58fae",
    ),
    "dark": (
        "#3aa0e8",
        "#ff9550",
        "#1fc0ae",
        "#ff6a4d",
        "#6fd3ff",
        "#d47cc4",
        "#c4c45a",
        "#9a8cf0",
        "#f0cc55",
        "#d9689f",
        "#4dbb6d",
        "#f4b3ca",
    ),
}
COLORS = LABEL_PALETTES["light"]
# Scores from -1 to 1, evenly: orange is low, grey 0, blue high.
SCORE_RAMPS: dict[str, tuple[str, ...]] = {
    "light": ("#e87500", "#dd9440", "#9a928a", "#4474b4", "#08215c"),
    "dark": ("#ff9230", "#d0894e", "#807b75", "#6aa9e6", "#c6e4ff"),
}
SHAPES = ("o", "s", "^", "D", "v", "P", "X")
NOISE_COLOR = "#8a8a8a"
# Size of letters in pictures that say more than their axes do.
SMALL = 8.5
INK, FAINT, RULE = "#222222", "#666666", "#dddddd"


class Theme(NamedTuple):
    """Colors of a picture; each means one thing.

    Attributes
    ----------
    ground, shade, rule, faint, ink : str
        From the ground to what stands out most on it.
    noise : str
        Points that are noise.
    good, bad : str
        Scores above and below 0.
    pair, disco : str
        The pair score and DISCO.
    zones : tuple of three str
        Noise that is rightly noise, dense but apart, joined to a cluster.
    ramp : tuple of str
        Scores from -1 to 1, as in `SCORE_RAMPS`.
    labels : tuple of str
        Clusters, as in `LABEL_PALETTES`.
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
    zones: tuple[str, str, str]
    ramp: tuple[str, ...]
    labels: tuple[str, ...]


THEMES = {
    "light": Theme(
        ground="#ffffff",
        shade="#f0f0f0",
        rule=RULE,
        faint=FAINT,
        ink=INK,
        noise=NOISE_COLOR,
        good="#4474b4",
        bad="#e87500",
        pair=PALETTE["pair"],
        disco=PALETTE["disco"],
        zones=("#4474b4", "#dd9440", "#b34a00"),
        ramp=SCORE_RAMPS["light"],
        labels=LABEL_PALETTES["light"],
    ),
    "dark": Theme(
        ground="#0f1419",
        shade="#1c232b",
        rule="#39424c",
        faint="#a3adb8",
        ink="#e8ecf0",
        noise="#8d96a0",
        good="#6aa9e6",
        bad="#ff9230",
        pair="#6aa9e6",
        disco="#c6e4ff",
        zones=("#6aa9e6", "#d0a06e", "#ff7f1f"),
        ramp=SCORE_RAMPS["dark"],
        labels=LABEL_PALETTES["dark"],
    ),
}

_TITLES = {info.name: info.title for info in available_indices()}


def pointwise_colors(look: Theme = THEMES["light"]) -> Colormap:
    """The colors of pointwise scores: orange low, grey 0, blue high."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("pointwise", look.ramp)


def find_index(name: str) -> str | None:
    """The index that a name stands for: its own name or its title, with anything in parentheses.

    >>> find_index("S_Dbw (r, n)"), find_index("s_dbw"), find_index("Iris")
    ('s_dbw', 's_dbw', None)
    """
    stem = name.partition(" (")[0]
    names = {title: index for index, title in _TITLES.items()}
    return names.get(stem, stem if stem in _TITLES else None)


def find_title(name: str) -> str:
    """A name as pictures show it: indices by their titles."""
    return _TITLES.get(name, in_font(name))


def choose_colors(names: Iterable[str], colors: Mapping[str, str] | None) -> dict[str, str]:
    """A color for each name: the given one, that of the index, or the next of those left."""
    spare = iter(COLORS * (1 + len(list(names)) // len(COLORS)))
    chosen = {}
    for name in names:
        index = find_index(name)
        given = (colors or {}).get(name)
        chosen[name] = given or (PALETTE[index] if index else next(spare))
    return chosen


def choose_markers(names: Iterable[str]) -> dict[str, str]:
    """A marker for each name, as `choose_colors`."""
    names = list(names)
    others = [name for name in names if find_index(name) is None]
    spare = {name: SHAPES[i % len(SHAPES)] for i, name in enumerate(others)}
    return {
        name: MARKERS[find_index(name) or ""] if name not in spare else spare[name]
        for name in names
    }


def open_axes(ax: Axes | None, caller: str, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """The given axes, or those of a new figure."""
    return open_figure(caller, size).add_subplot() if ax is None else check_axes(ax, caller)


def check_axes(ax: object, caller: str) -> Axes:
    """Refuse what are no axes."""
    _need_matplotlib(caller)
    from matplotlib.axes import Axes as AxesClass

    if not isinstance(ax, AxesClass):
        raise InvalidTypeError(
            argument="ax", caller=caller, rule="be matplotlib axes or None", got=describe(ax)
        )
    return ax


def open_figure(caller: str, size: tuple[float, float]) -> Figure:
    """A new figure, of which pyplot knows where people use pyplot.

    Then a notebook shows it, `plt.show` and `plt.savefig` find it. Elsewhere it belongs to nobody
    but its owner. Of the figures that pyplot keeps, the oldest ones made here are given up before
    there are so many that it warns; in a notebook it forgets them after each cell by itself.
    """
    _need_matplotlib(caller)
    from matplotlib.figure import Figure

    look: dict[str, Any] = {"figsize": size, "dpi": 110, "layout": "constrained"}
    if not _uses_pyplot():
        return Figure(**look)
    from matplotlib import pyplot as plt

    most = int(plt.rcParams["figure.max_open_warning"])
    while not shows_by_itself() and _KEPT and len(plt.get_fignums()) >= most > 0:
        oldest = _KEPT.popleft()()
        if oldest is not None:
            plt.close(oldest)
    figure = plt.figure(**look)
    _KEPT.append(ref(figure))
    return figure


# Figures that were made for pyplot to keep, the oldest first.
_KEPT: deque[ref[Figure]] = deque()


def shows_by_itself() -> bool:
    """Whether pyplot shows its figures at the end of a notebook's cell."""
    import matplotlib as mpl

    return "inline" in mpl.get_backend().lower()


def _uses_pyplot() -> bool:
    """Whether pyplot is in use: it was imported, or this is a notebook. It is not for threads."""
    if threading.current_thread() is not threading.main_thread():
        return False
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return "matplotlib.pyplot" in sys.modules or hasattr(shell, "kernel")


def _need_matplotlib(caller: str) -> None:
    try:
        import matplotlib.axes  # noqa: F401 - is it there?
    except ImportError:
        raise ImportError(
            f"{caller} needs matplotlib, which is not installed. "
            "Run 'pip install disco-cvi[plots]'."
        ) from None


def quiet_axes(ax: Axes, *, grid: str = "y", theme: Theme = THEMES["light"]) -> None:
    """Take away what only frames: upper and right border, strong ticks; faint lines to read by."""
    ax.set_facecolor(theme.ground)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(theme.faint)
    ax.tick_params(colors=theme.ink, which="both", color=theme.faint)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_color(theme.ink)
    ax.set_axisbelow(True)
    ax.grid(visible=True, axis=cast("Any", grid), color=theme.rule, linewidth=0.7)


def put_head(
    ax: Axes,
    title: str,
    facts: tuple[str, ...],
    look: Theme,
    *,
    width: int = 100,
    lift: float = 0,
) -> None:
    """A statement above the axes, and facts in smaller letters below it; none: a small title.

    Lines break after `width` letters; `lift` points above the axes are left free.
    """
    title = in_font(title)
    if not facts:
        small: dict[str, Any] = {"fontsize": 10, "parse_math": False}
        ax.set_title(title, loc="left", color=look.ink, pad=6 + lift, **small)
        return
    lines = [line for fact in facts for line in textwrap.wrap(in_font(fact), width)]
    head = "\n".join(textwrap.wrap(title, round(0.72 * width)))
    pad = 8 + lift + 1.35 * (SMALL + 0.5) * len(lines)
    large: dict[str, Any] = {"fontsize": 12, "fontweight": "bold", "parse_math": False}
    ax.set_title(head, loc="left", pad=pad, color=look.ink, **large)
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
    drawn.set_in_layout(False)  # the title keeps the room for them


def score_scale(ax: Axes, look: Theme) -> Colorbar:
    """The scale of scores beside a map, always from -1 to 1, with a mark at 0."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    figure: Any = ax.figure
    scale = ScalarMappable(Normalize(-1, 1), pointwise_colors(look))
    # The map stays where it is, and the scale begins beside its upper edge.
    place: dict[str, Any] = {"shrink": 0.8, "pad": 0.02, "anchor": (0, 1), "panchor": False}
    bar: Colorbar = figure.colorbar(scale, ax=ax, ticks=[-1, -0.5, 0, 0.5, 1], **place)
    cast("Any", bar.outline).set_visible(False)
    bar.ax.axhline(0, color=look.ground, linewidth=1.2)
    bar.ax.tick_params(labelsize=SMALL, length=0, labelcolor=look.faint)
    return bar


def show_plain_numbers(axis: Axis, low: float, high: float) -> None:
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


def put_legend(ax: Axes, where: str | None) -> None:
    """A legend to the right of the axes, below them, or inside where there is room."""
    handles, labels = ax.get_legend_handles_labels()
    if where is None or not handles:
        return
    places: dict[str, dict[str, Any]] = {
        "right": {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)},
        "below": {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 5},
        "inside": {"loc": "best"},
    }
    box: dict[str, Any] = {"framealpha": 0.85, "edgecolor": "none", "fancybox": False}
    ax.legend(handles, labels, fontsize="small", **box, **places[where])
