"""Scores along a parameter: a line for the mean of the runs, a band for its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array
from disco_cvi._input.options import check_flag, check_number
from disco_cvi._input.plot_arguments import check_colors, check_legend, check_named, check_numbers
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.style import (
    choose_colors,
    choose_markers,
    find_index,
    find_title,
    open_axes,
    put_legend,
    quiet_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_RESAMPLES = 1000
_SEED = 0


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
        The scores by name. Names of indices, or their titles with a remark in parentheses, have
        the color of the index in `PALETTE`. Of several runs the mean is drawn. NaN and None leave a
        gap; a mean is that of the runs which have a value.
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
    check_legend(legend, "score_curve")
    check_flag(mark_best, "mark_best", "score_curve")
    if band is not None:
        check_number(band, "band", "score_curve", above=0, below=1)
    runs = {
        name: _check_runs(values, f"scores[{name!r}]", len(places))
        for name, values in check_named(scores, "scores", "score_curve").items()
    }
    ax = open_axes(ax, "score_curve", (7.2, 4.2))
    hues, markers = choose_colors(runs, check_colors(colors, "score_curve")), choose_markers(runs)
    for name, values in runs.items():
        # DISCO lies above the others, and is drawn stronger.
        order = 3.0 if find_index(name) == "disco" else 2.0
        look = {"color": hues[name], "marker": markers[name], "label": find_title(name)}
        _draw_line(ax, places, _mean(values), look, order=order, mark_best=mark_best)
        if band is not None and len(values) > 1:
            low, high = _interval(values, band)
            shade: dict[str, Any] = {
                "color": hues[name],
                "alpha": 0.18,
                "linewidth": 0,
                "zorder": order - 1,
            }
            ax.fill_between(places, low, high, **shade)
    quiet_axes(ax)
    _count_in_whole_numbers(ax, places)
    put_legend(ax, legend)
    return ax


def _draw_line(
    ax: Axes,
    places: FloatArray,
    mean: FloatArray,
    look: dict[str, Any],
    *,
    order: float,
    mark_best: bool,
) -> None:
    """One line, and the circle around its best place."""
    ax.plot(places, mean, **look, zorder=order, markersize=3.5, linewidth=0.8 + 0.4 * order)
    if not mark_best or np.isnan(mean).all():
        return
    best = int(np.nanargmax(mean))
    ring: dict[str, Any] = {"markerfacecolor": "none", "markersize": 10, "markeredgewidth": 1.8}
    ax.plot(places[best], mean[best], color=look["color"], marker="o", zorder=order + 0.5, **ring)


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
    drawn = np.random.default_rng(_SEED).integers(len(runs), size=(_RESAMPLES, len(runs)))
    means = np.array([_mean(runs[rows]) for rows in drawn])
    ends = np.full((2, runs.shape[1]), np.nan)
    # A resample may hold no run that has a value there; the others tell the interval.
    some = np.isfinite(means).any(axis=0)
    ends[:, some] = np.nanquantile(means[:, some], [(1 - share) / 2, (1 + share) / 2], axis=0)
    return ends[0], ends[1]
