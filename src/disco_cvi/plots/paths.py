"""What a clustering is worth along its parameter: score, number of clusters, noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._output.words import describe
from disco_cvi.density_tree.paths import EpsPath, SizePath
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.indices.pair import WEAK
from disco_cvi.plots.path_words import Path, Story, names_of, tell, tell_suggestion
from disco_cvi.plots.steps import Span, Steps, steps_of
from disco_cvi.plots.style import (
    SMALL,
    THEMES,
    Theme,
    open_axes,
    put_head,
    quiet_axes,
    show_plain_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def path_curves(path: EpsPath | SizePath, *, ax: Axes | None = None) -> Axes:
    """Draw an eps path or a size path: pair score and DISCO, clusters, noise.

    The best value and the range that is almost as good are marked. Where there are fewer than two
    clusters, the background is grey, and DISCO, which asks another question there, is dotted: its
    maximum is no choice.

    Parameters
    ----------
    path : EpsPath or SizePath
        What `DensityTree.eps_path` or `DensityTree.size_path` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw the scores alone; None: a new figure with all three above each other.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the scores.

    Raises
    ------
    TypeError
        If `path` is no path, or `ax` are no axes.

    Examples
    --------
    >>> from disco_cvi import DensityTree
    >>> from disco_cvi.plots import path_curves
    >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [12], [40], [41]], min_points=2)
    >>> ax = path_curves(tree.eps_path())
    >>> ax.get_title(loc="left")
    'DBSCAN tells 3 clusters apart best at eps 4.5'
    """
    if not isinstance(path, EpsPath | SizePath):
        raise InvalidTypeError(
            argument="path",
            caller="path_curves",
            rule="be an EpsPath or a SizePath",
            got=describe(path),
            remedy="DensityTree.eps_path() and DensityTree.size_path() make them.",
        )
    return _draw(path, tell(path), ax, "path_curves")


def suggestion_figure(suggestion: Any, *, ax: Axes | None = None) -> Axes:
    """Draw what was suggested on the path that it was chosen from.

    Parameters
    ----------
    suggestion : Suggestion
        What `disco_cvi.selection.suggest` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw the scores alone; None: a new figure with clusters and noise below them.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the scores.

    Raises
    ------
    TypeError
        If `suggestion` is none, or `ax` are no axes.

    Examples
    --------
    >>> from disco_cvi.plots import suggestion_figure
    >>> from disco_cvi.selection import suggest
    >>> X = [[x + place] for place in (0, 100, 200) for x in range(20)]
    >>> ax = suggestion_figure(suggest(X, n_null=1))
    >>> ax.get_title(loc="left")
    'Suggested: 3 clusters by DBSCAN at eps 42.5'
    """
    if not hasattr(suggestion, "tree") or not hasattr(suggestion, "algorithm"):
        raise InvalidTypeError(
            argument="suggestion",
            caller="suggestion_figure",
            rule="be a Suggestion",
            got=describe(suggestion),
            remedy="disco_cvi.selection.suggest(X) makes one.",
        )
    found = suggestion.parameters
    path: Path
    if suggestion.algorithm == "dbscan":
        path = suggestion.tree.eps_path()
        value: float = found["eps"]
    else:
        path = suggestion.tree.size_path(method=found["cluster_selection_method"])
        value = int(found["min_cluster_size"])
    story = tell_suggestion(suggestion, path, value, steps_of(path).score_at(value))
    return _draw(path, story, ax, "suggestion_figure")


def _draw(path: Path, story: Story, ax: Axes | None, caller: str) -> Axes:
    is_alone = ax is None
    ax = open_axes(ax, caller, (7.6, 5.8))
    draw_path(ax, path, story, THEMES["light"], is_alone=is_alone)
    return ax


def draw_path(ax: Axes, path: Path, story: Story, look: Theme, *, is_alone: bool) -> list[Axes]:
    """Draw a path into axes, with clusters and noise below them if there is nothing else.

    Return all axes that were drawn into.
    """
    steps = steps_of(path)
    view = steps.find_view()
    ax.set_xscale("log")
    ax.set_xlim(view)
    panels = [ax, *_draw_counts(ax, steps, view, look)] if is_alone else [ax]
    good = find_good(path, view)
    _shade(panels, steps, view, good, look)
    _draw_scores(ax, steps, view, story, look)
    _name_grey(ax, steps, view, look)
    if good is not None:
        more = _name_good(ax, view, good, story, look)
        _mark(ax, story, view, more, look)
    _finish(panels, path, look, is_alone=is_alone)
    put_head(ax, story.title if is_alone else story.short_title, story.facts * is_alone, look)
    return panels


def _draw_scores(ax: Axes, steps: Steps, view: Span, story: Story, look: Theme) -> None:
    """The lines, their names, and room above them for the name of the best."""
    ax.axhline(0, color=look.ink, linewidth=0.8, zorder=1.5)
    x, y = steps.curve(steps.score, view)
    ax.plot(x, y, color=look.pair, linewidth=2.2, zorder=3)
    ends = [(float(y[-1]), "pair score", look.pair)]
    shown = [y, np.zeros(1)]
    # Of noise alone DISCO says nothing, of one cluster it says something else.
    for is_meant, line in ((steps.n_clusters > 1, "-"), (steps.n_clusters == 1, ":")):
        x, y = steps.curve(np.where(is_meant, steps.disco, np.nan), view)
        ax.plot(x, y, line, color=look.disco, linewidth=1.0, zorder=2.5)
        shown.append(y[np.isfinite(y)])
    rows = steps.rows_in(view)
    drawn = steps.disco[rows][steps.n_clusters[rows] > 0]
    if len(drawn):
        ends.append((float(drawn[-1]), "DISCO", look.disco))
    levels = {"data without\nclusters": story.null, "these labels": story.of_labels}
    for (name, level), dashes in zip(levels.items(), ("--", "-."), strict=True):
        if level is not None:
            ax.axhline(level, color=look.ink, linewidth=0.9, linestyle=dashes, zorder=2)
            ends.append((level, f"{name}: {level:z.3f}", look.ink))
            shown.append(np.array([level]))
    _make_room(ax, np.concatenate(shown))
    _name_lines(ax, ends)


def _make_room(ax: Axes, y: FloatArray) -> None:
    """Limits that leave room above all lines, which no score reaches."""
    from matplotlib.ticker import MaxNLocator

    low, high = float(y.min()), max(float(y.max()), WEAK)
    share = min(6 * SMALL / _size(ax)[1], 0.5)  # of the height, for a label of three lines
    height = 1.06 * (high - low) / (1 - share)
    ax.set_ylim(high - height * (1 - share), high + height * share)
    ticks = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    ax.set_yticks([tick for tick in ticks if low <= tick <= 1.02 * high])


def _name_lines(ax: Axes, ends: list[tuple[float, str, str]]) -> None:
    """Names to the right of where the lines end, not over each other."""
    low, high = ax.get_ylim()
    line = 1.35 * SMALL * (high - low) / _size(ax)[1]
    floor = -math.inf
    for y, name, color in sorted(ends):
        half = line * (1 + name.count("\n")) / 2
        middle = max(y, floor + half)
        floor = middle + half
        ax.annotate(
            name,
            (1, middle),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            color=color,
            fontsize=SMALL,
            va="center",
            annotation_clip=False,
        )


def _size(ax: Axes) -> tuple[float, float]:
    """Width and height in points, nearly: the layout may still change."""
    box = ax.get_window_extent()
    return box.width * 72 / ax.figure.dpi, box.height * 72 / ax.figure.dpi


def _draw_counts(ax: Axes, steps: Steps, view: Span, look: Theme) -> list[Axes]:
    """Number of clusters and share of noise, in axes of their own below the scores."""
    figure: Any = ax.figure
    grid = figure.add_gridspec(3, 1, height_ratios=[3, 1, 1])
    ax.set_subplotspec(grid[0])
    clusters: Axes = figure.add_subplot(grid[1], sharex=ax)
    x, y = steps.curve(steps.n_clusters, view)
    clusters.plot(x, y, color=look.ink, linewidth=1.2)
    clusters.set_ylabel("clusters")
    _count_roughly(clusters, int(y.max()))
    noise: Axes = figure.add_subplot(grid[2], sharex=ax)
    x, y = steps.curve(steps.noise_share, view)
    noise.fill_between(x, y, color=look.noise, alpha=0.6, linewidth=0)
    noise.set_ylim(0, 1)
    noise.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    noise.set_ylabel("noise")
    return [clusters, noise]


def _count_roughly(ax: Axes, most: int) -> None:
    """A logarithmic scale that has a 0."""
    ax.set_yscale("symlog", linthresh=1, linscale=0.6)
    ax.set_ylim(-0.1, max(most, 2) * 1.25)
    powers = [10**k for k in range(len(str(most)))]
    some = [power * digit for power in powers for digit in (1, 2, 5)]
    ticks = [tick for tick in (some if most <= 50 else powers) if tick <= max(most, 2)]
    ax.set_yticks([0, *ticks], [f"{tick:,}" for tick in (0, *ticks)], fontsize=SMALL - 1)
    ax.minorticks_off()


def _shade(panels: list[Axes], steps: Steps, view: Span, good: Span | None, look: Theme) -> None:
    """Grey where there are fewer than two clusters, blue where the score is almost the best."""
    greys = steps.find_runs(steps.n_clusters < 2, view)
    for ax in panels:
        for run in greys:
            ax.axvspan(*run, color=look.shade, linewidth=0, zorder=0)
        if good is not None:
            ax.axvspan(*good, color=look.pair, alpha=0.15, linewidth=0, zorder=0.5)


def find_good(path: Path, view: Span) -> Span | None:
    """The stretch within 5 % of the best, as far as it is in view."""
    if path.best.score <= 0:
        return None
    low, high = path.stretch(0.95)
    return view.clip(Span(low, high if isinstance(path, EpsPath) else high + 1))


def _name_good(ax: Axes, view: Span, good: Span, story: Story, look: Theme) -> str:
    """Name the shaded stretch below the line if there is room; or else return a line of a label."""
    low, high = max(story.null or 0.0, 0.0), story.score
    bottom, top = ax.get_ylim()
    width, height = _size(ax)
    has_room = good.width * width > 110 * view.width and (high - low) * height > 30 * (top - bottom)
    if not has_room:
        return "\nshaded: within 5% of it"
    middle = good.middle
    _write(ax, middle, (low + high) / 2, "within 5% of the best", look.pair)
    return ""


def _name_grey(ax: Axes, steps: Steps, view: Span, look: Theme) -> None:
    """Say what the widest grey stretches are."""
    low, high = ax.get_ylim()
    for n_clusters, name in ((0, "only\nnoise"), (1, "one\ncluster")):
        runs = steps.find_runs(steps.n_clusters == n_clusters, view)
        widest = max(runs, key=lambda run: run.width, default=None)
        if widest is None or widest.width * _size(ax)[0] < 38 * view.width:
            continue
        middle = widest.middle
        row = int(np.searchsorted(steps.starts, middle, side="right")) - 1
        # Away from DISCO, which may be anywhere there.
        height = (float(steps.disco[row]) - low) / (high - low) if n_clusters else 0.0
        _write(
            ax,
            middle,
            low + (0.16 if height > 0.3 else 0.45) * (high - low),
            name,
            look.faint,
            look.shade,
        )


def _write(ax: Axes, x: float, y: float, text: str, color: str, back: str = "none") -> None:
    """A name in the middle of a stretch."""
    box = {"boxstyle": "square,pad=0.1", "facecolor": back, "edgecolor": "none"}
    look: dict[str, Any] = {"color": color, "fontsize": SMALL, "bbox": box, "zorder": 2.2}
    ax.text(x, y, text, ha="center", va="center", **look)


def _mark(ax: Axes, story: Story, view: Span, more: str, look: Theme) -> None:
    """A dot on the line, and what it is in the room above all lines, as near as can be."""
    # An eps of 0, which copies of points may ask for, has no place on a logarithmic axis.
    x, y = min(max(story.value, view.low), view.high), story.score
    label = story.label + more
    width = _size(ax)[0]
    needed = 5.1 * max(map(len, label.split("\n")))
    place = view.share(x) * width
    left = max(min(place - needed / 2, width - needed), 0.0)
    ax.plot([x], [y], "o", color=look.pair, markersize=7, zorder=4)
    ax.annotate(
        label,
        (x, y),
        xytext=(left / width, 0.97),
        textcoords="axes fraction",
        va="top",
        fontsize=SMALL + 0.5,
        color=look.ink,
        bbox={
            "boxstyle": "square,pad=0.25",
            "facecolor": look.ground,
            "edgecolor": "none",
            "alpha": 0.85,
        },
        arrowprops={
            "arrowstyle": "-",
            "color": look.faint,
            "linewidth": 0.8,
            "relpos": (min((place - left) / needed, 1.0), 0),
            "shrinkB": 4,
        },
        zorder=5,
    )


def _finish(panels: list[Axes], path: Path, look: Theme, *, is_alone: bool) -> None:
    """Scales and names of the axes."""
    last = panels[-1]
    program, parameter = names_of(path)
    for panel in panels:
        quiet_axes(panel, theme=look)
        panel.spines[["left", "bottom"]].set_color(look.rule)
        panel.tick_params(labelbottom=panel is last, length=2)
    show_plain_numbers(last.xaxis, *last.get_xlim())
    panels[0].set_ylabel("score")
    note = ", logarithmic" if is_alone else ""
    if isinstance(path, EpsPath) and is_alone:
        note = f"{note}; border points count as noise"
    last.set_xlabel(f"{parameter} of {program}{note}")
