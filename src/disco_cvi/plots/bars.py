"""One bar per value, side by side within groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._input.options import check_flag
from disco_cvi._input.plot_arguments import check_colors, check_legend, check_named, check_numbers
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.style import (
    FAINT,
    choose_colors,
    find_title,
    open_axes,
    put_legend,
    quiet_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def score_bars(
    groups: Mapping[str, Mapping[str, Any]],
    *,
    ax: Axes | None = None,
    log: bool = False,
    colors: Mapping[str, str] | None = None,
    legend: str | None = "right",
) -> Axes:
    """Draw one bar per group and name, for example the seconds of each index on each data set.

    Parameters
    ----------
    groups : mapping of str to mapping of str to float
        The values by group and name; names of indices have the color of the index. Where a value
        is missing, NaN or None, a small dash stands.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    log : bool, default False
        Whether the scale is logarithmic; values must then be positive.
    colors : mapping of str to str, optional
        Colors by name.
    legend : {"right", "below", "inside", None}, default "right"
        Where the names stand.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If there is no group, or a value is not positive on a logarithmic scale.

    Examples
    --------
    >>> from disco_cvi.plots import score_bars
    >>> ax = score_bars({"Iris": {"disco": 0.6, "dbcv": None}, "Seeds": {"disco": 0.1}})
    >>> len(ax.containers)  # one set of bars per index
    2
    """
    check_legend(legend, "score_bars")
    for group, values in check_named(groups, "groups", "score_bars").items():
        check_named(values, f"groups[{group!r}]", "score_bars")
    names = list(dict.fromkeys(name for values in groups.values() for name in values))
    table = np.array(
        [
            check_numbers([values.get(name) for name in names], f"groups[{group!r}]", "score_bars")
            for group, values in groups.items()
        ]
    )
    if check_flag(log, "log", "score_bars") and (table <= 0).any():
        rule = "hold positive values where log is True"
        raise InvalidInputError(argument="groups", caller="score_bars", rule=rule)
    ax = open_axes(ax, "score_bars", (max(5.0, 1.8 + 0.12 * table.size), 4.2))
    if log:
        ax.set_yscale("log")
    room = 0.84 / len(names)
    hues = choose_colors(names, check_colors(colors, "score_bars"))
    for slot, (name, heights) in enumerate(zip(names, table.T, strict=True)):
        places = np.arange(len(table)) + (slot - (len(names) - 1) / 2) * room
        # A missing bar of no height still belongs to the set, so that all sets are equally long.
        ax.bar(places, heights, 0.92 * room, color=hues[name], label=find_title(name))
        for place in places[np.isnan(heights)]:
            ax.annotate(
                "\N{EN DASH}",
                (place, 0),
                xycoords=("data", "axes fraction"),
                ha="center",
                va="bottom",
                fontsize="small",
                color=FAINT,
            )
    ax.set_xticks(range(len(table)), [find_title(group) for group in groups])
    quiet_axes(ax)
    put_legend(ax, legend)
    return ax
