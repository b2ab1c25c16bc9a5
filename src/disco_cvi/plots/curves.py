"""Scores along a parameter: a line for the mean of the runs, a band for its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array
from disco_cvi._input.options import (
    check_choice,
    check_flag,
    check_named,
    check_number,
    check_numbers,
)
from disco_cvi._output.letters import in_font
from disco_cvi._output.words import shorten
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.registry import available_indices
from disco_cvi.plots.style import LIGHT, SHAPES, open_axes, quiet_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RESAMPLES = 1000
# What fits beside the axes.
_LETTERS, _NAMES_IN_COLUMN = 40, 20
_LEGENDS: dict[str, dict[str, Any]] = {
    "right": {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)},
    "below": {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 5},
    "inside": {"loc": "best"},
}


def score_curve(
    x: Any,
    scores: Mapping[str, Any],
    *,
    ax: Axes | None = None,
    band: float | None = 0.75,
    mark_best: bool = False,
    colors: Mapping[str, str] | None = None,
    legend: str | None = "right",
) -> Axes:
    """Draw scores along a parameter, one line per index (or whatever the names mean).

    Parameters
    ----------
    x : array-like of shape (n,)
        Values of the parameter.
    scores : mapping of str to array-like of shape (n,) or (runs, n)
        The scores by name; names of indices are shown by their titles. Of several runs the mean is
        drawn. NaN and None leave a gap; a mean is that of the runs which have a value.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    band : float or None, default 0.75
        Share of the bootstrap interval of the mean that is drawn around the line where there are
        several runs; None draws no band. The resamples are seeded: same scores, same band.
    mark_best : bool, default False
        Whether to circle the greatest mean of each line.
    colors : mapping of str to str, optional
        Colors by name, for names that are to have another one.
    legend : {"right", "below", "inside", None}, default "right"
        Where the names stand.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If the scores do not fit x, or `band` is not a share.

    Examples
    --------
    >>> from disco_cvi.plots import score_curve
    >>> ax = score_curve([2, 3, 4], {"disco": [0.4, 0.6, 0.5], "dbcv": [[0.2, 0.3, 0.1]]})
    >>> [line.get_label() for line in ax.lines]
    ['DISCO', 'DBCV']
    """
    places = check_numbers(x, "x", "score_curve")
    if legend is not None:
        check_choice(legend, tuple(_LEGENDS), "legend", "score_curve")
    check_flag(mark_best, "mark_best", "score_curve")
    if band is not None:
        check_number(band, "band", "score_curve", above=0, below=1)
    runs = {
        name: _check_runs(values, f"scores[{name!r}]", len(places))
        for name, values in check_named(scores, "scores", "score_curve").items()
    }
    given = _check_colors(colors)
    ax = open_axes(ax, "score_curve", (7.2, 4.2))
    titles = {info.name: info.title for info in available_indices()}
    for number, (name, values) in enumerate(runs.items()):
        color = given.get(name, LIGHT.labels[number % len(LIGHT.labels)])
        look: dict[str, Any] = {"color": color, "marker": SHAPES[number % len(SHAPES)]}
        mean = _mean(values)
        label = titles.get(
            name, in_font(name if len(name) <= _LETTERS else f"{name[:_LETTERS]}...")
        )
        ax.plot(places, mean, **look, label=label, zorder=2, markersize=3.5, linewidth=1.6)
        if mark_best and not np.isnan(mean).all():
            best = int(np.nanargmax(mean))
            ring: dict[str, Any] = {"markerfacecolor": "none", "markersize": 10}
            ring |= {"color": color, "marker": "o", "markeredgewidth": 1.8, "zorder": 2.5}
            ax.plot(places[best], mean[best], **ring)
        if band is not None and len(values) > 1:
            low, high = _interval(values, band)
            ax.fill_between(places, low, high, color=color, alpha=0.18, linewidth=0, zorder=1)
    quiet_axes(ax)
    _count_in_whole_numbers(ax, places)
    if legend is not None:
        box: dict[str, Any] = {"framealpha": 0.85, "edgecolor": "none", "fancybox": False}
        # A legend that is higher or wider than the figure would leave no space for the axes.
        columns = {"ncols": 1 + (len(runs) - 1) // _NAMES_IN_COLUMN} if legend == "right" else {}
        drawn = ax.legend(fontsize="small", **box, **_LEGENDS[legend], **columns)
        drawn.set_in_layout(legend != "inside")
    return ax


def _check_colors(colors: object) -> Mapping[str, str]:
    if colors is None or (isinstance(colors, Mapping) and not colors):
        return {}
    from matplotlib.colors import is_color_like

    given = check_named(colors, "colors", "score_curve")
    for name, color in given.items():
        if not is_color_like(color):
            rule, got = "hold colors that matplotlib knows", f"{shorten(color)} for {shorten(name)}"
            raise InvalidInputError(argument="colors", caller="score_curve", rule=rule, got=got)
    return given


def _count_in_whole_numbers(ax: Axes, places: FloatArray) -> None:
    """No ticks between whole numbers if x has whole numbers alone."""
    from matplotlib.ticker import MaxNLocator

    locator = ax.xaxis.get_major_locator()
    if isinstance(locator, MaxNLocator) and (places == np.rint(places)).all():
        locator.set_params(integer=True)


def _check_runs(values: object, argument: str, n_places: int) -> FloatArray:
    """Scores as an array of runs, of which there may be one."""
    array = as_array(values, argument, "score_curve")
    runs = check_numbers(array[None] if array.ndim == 1 else array, argument, "score_curve", ndim=2)
    if runs.shape[1] != n_places or len(runs) == 0:
        raise InvalidInputError(
            argument=argument,
            caller="score_curve",
            rule=f"hold one score for each of the {n_places} values of x, in one or several runs",
            got=f"shape {array.shape}",
        )
    return runs


def _mean(runs: FloatArray) -> FloatArray:
    """The mean over those runs that have a value; NaN where none has."""
    n_values = np.isfinite(runs).sum(axis=0)
    sums = np.where(np.isfinite(runs), runs, 0.0).sum(axis=0)
    return np.where(n_values > 0, sums / np.maximum(n_values, 1), np.nan)


def _interval(runs: FloatArray, share: float) -> tuple[FloatArray, FloatArray]:
    """The lower and upper ends of the bootstrap interval of the mean."""
    drawn = np.random.default_rng(0).integers(len(runs), size=(_RESAMPLES, len(runs)))
    means = np.array([_mean(runs[rows]) for rows in drawn])
    ends = np.full((2, runs.shape[1]), np.nan)
    # A resample may hold no run that has a value there; the others tell the interval.
    some = np.isfinite(means).any(axis=0)
    ends[:, some] = np.nanquantile(means[:, some], [(1 - share) / 2, (1 + share) / 2], axis=0)
    return ends[0], ends[1]
