"""How scores spread: box plots, and histograms with a density curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_count
from disco_cvi._input.plot_arguments import check_colors, check_legend, check_named, check_numbers
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.style import INK, choose_colors, find_title, open_axes, put_legend, quiet_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BINS = 1000  # each is drawn, and a screen shows no more


def box_plot(
    groups: Mapping[str, Any],
    *,
    ax: Axes | None = None,
    colors: Mapping[str, str] | None = None,
    legend: str | None = "inside",
) -> Axes:
    """Draw how the scores of each group spread.

    A box reaches from the first to the third quartile with a line at the median; whiskers reach to
    the farthest score within one and a half box heights; scores beyond are dots.

    Parameters
    ----------
    groups : mapping of str to array-like, or of str to mappings of str to array-like
        The scores by group, or by group and series: then the boxes of a group stand side by side,
        colored by series. Scores that are NaN or None are left out; an empty box is left blank.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    colors : mapping of str to str, optional
        Colors by series, or by group where there is no series.
    legend : {"right", "below", "inside", None}, default "inside"
        Where the names of the series stand.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If there is no group, or scores are infinite.

    Examples
    --------
    >>> from disco_cvi.plots import box_plot
    >>> scores = {"Iris": {"noise": [0.2, 0.4], "clustered": [-0.3, -0.1, 0.0]}}
    >>> ax = box_plot(scores)
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['Iris']
    """
    check_legend(legend, "box_plot")
    check_named(groups, "groups", "box_plot")
    nested = all(isinstance(values, Mapping) for values in groups.values())
    # Without series every group is its own: one box in each place.
    series = {
        group: dict(values) if nested else {group: values} for group, values in groups.items()
    }
    names = list(dict.fromkeys(name for boxes in series.values() for name in boxes))
    hues = choose_colors(names, check_colors(colors, "box_plot"))
    ax = open_axes(ax, "box_plot", (max(4.0, 1.4 + 0.9 * len(groups)), 4.2))
    for place, (group, boxes) in enumerate(series.items()):
        for name, values in boxes.items():
            scores = check_numbers(values, f"groups[{group!r}]", "box_plot")
            slot = names.index(name) if nested else 0
            where, width = _slot(place, slot, len(names) if nested else 1)
            _draw_box(ax, scores[np.isfinite(scores)], where, width, hues[name])
    if nested:
        for name in names:
            ax.bar(np.nan, np.nan, color=hues[name], alpha=0.75, label=find_title(name))
    ax.set_xticks(range(len(series)), [find_title(group) for group in series])
    ax.set_xlim(-0.6, len(series) - 0.4)
    quiet_axes(ax)
    put_legend(ax, legend)
    return ax


def histogram(
    values: Mapping[str, Any],
    *,
    ax: Axes | None = None,
    bins: int = 60,
    colors: Mapping[str, str] | None = None,
    legend: str | None = "inside",
) -> Axes:
    """Draw how often scores occur, with a density curve and a dashed line at the mean.

    Scores that are all equal are one solid line at their value: they have no density.

    Parameters
    ----------
    values : mapping of str to array-like of shape (n,)
        The scores by name; names of indices have the color of the index. NaN and None are left
        out.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    bins : int, default 60
        Number of intervals for the scores of one name.
    colors : mapping of str to str, optional
        Colors by name.
    legend : {"right", "below", "inside", None}, default "inside"
        Where the names stand.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If a name has no score, or `bins` is not a number from 1 to 1,000.

    Examples
    --------
    >>> from disco_cvi.plots import histogram
    >>> ax = histogram({"complex8": [-0.2, -0.1, -0.15, 0.0], "disco": [0.3, 0.3]}, bins=4)
    >>> len(ax.patches), len(ax.lines)  # four bars; curve, dashed mean and the single line
    (4, 3)
    """
    check_legend(legend, "histogram")
    bins = check_count(bins, "bins", "histogram", most=_MOST_BINS)
    hues = choose_colors(
        check_named(values, "values", "histogram"), check_colors(colors, "histogram")
    )
    ax = open_axes(ax, "histogram")
    for name, given in values.items():
        scores = check_numbers(given, f"values[{name!r}]", "histogram")
        scores = scores[np.isfinite(scores)]
        if not len(scores):
            raise InvalidInputError(
                argument=f"values[{name!r}]", caller="histogram", problem="hold no score"
            )
        # Equal up to rounding, as scores of shuffled rows are.
        if np.ptp(scores) <= 1e-9 * max(1.0, float(np.abs(scores).max())):
            ax.axvline(scores[0], color=hues[name], linewidth=2.2, label=find_title(name))
        else:
            _draw_bars(ax, scores, bins, hues[name], find_title(name))
    quiet_axes(ax)
    ax.set_ylabel("density")
    put_legend(ax, legend)
    return ax


def _slot(place: int, slot: int, n_slots: int) -> tuple[float, float]:
    """Where a box stands, and how wide it is."""
    room = 0.8 / n_slots
    return place + (slot - (n_slots - 1) / 2) * room, 0.85 * min(room, 0.5)


def _draw_box(ax: Axes, scores: FloatArray, where: float, width: float, color: str) -> None:
    """One box with its whiskers and outliers."""
    if not len(scores):
        return
    ax.boxplot(
        [scores],
        positions=[where],
        widths=width,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": color, "edgecolor": INK, "alpha": 0.75},
        medianprops={"color": "white", "linewidth": 1.8},
        flierprops={
            "marker": ".",
            "markersize": 3,
            "alpha": 0.5,
            "markerfacecolor": color,
            "markeredgecolor": "none",
            "rasterized": True,
        },
    )


def _draw_bars(ax: Axes, scores: FloatArray, bins: int, color: str, label: str) -> None:
    """The bars of one name, its density curve, and its mean."""
    from scipy.stats import gaussian_kde

    ax.hist(scores, bins=bins, density=True, color=color, alpha=0.35, label=label)
    low, high = float(scores.min()), float(scores.max())
    margin = 0.1 * (high - low)
    grid = np.linspace(low - margin, high + margin, 400)
    ax.plot(grid, gaussian_kde(scores)(grid), color=color, linewidth=1.8)
    ax.axvline(float(scores.mean()), color=color, linewidth=1.5, linestyle="--")
