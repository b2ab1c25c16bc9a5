"""Points in the plane, colored by their pointwise score or by their cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.labels import check_labels
from disco_cvi._input.points import check_points
from disco_cvi._output.words import count
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.style import (
    COLORS,
    FAINT,
    NOISE_COLOR,
    RULE,
    SHAPES,
    check_numbers,
    open_axes,
    pointwise_colors,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MANY = 1000  # so many points are drawn as an image, also in files of lines


def pointwise_map(
    X: Any,
    samples: Any,
    *,
    ax: Axes | None = None,
    colorbar: bool = True,
    size: float | None = None,
) -> Axes:
    """Draw points in the plane, colored by their pointwise scores.

    The scale is always -1 to 1, so that maps can be compared: orange is low, grey 0 and dark blue
    high.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        The points.
    samples : array-like of shape (n,)
        Their scores between -1 and 1, for example of `disco_samples`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    colorbar : bool, default True
        Whether to draw the scale beside the map.
    size : float, optional
        Area of a point in square points, by default the smaller the more points there are.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If the points are not in the plane, or there is not one score from -1 to 1 per point.

    Examples
    --------
    >>> from disco_cvi import disco_samples
    >>> from disco_cvi.plots import pointwise_map
    >>> X = [[0, 0], [1, 0], [0, 1], [9, 9], [9, 8], [4, 5]]
    >>> ax = pointwise_map(X, disco_samples(X, [0, 0, 0, 1, 1, -1], min_points=2))
    >>> ax.figure.savefig("scores.png")  # doctest: +SKIP
    """
    points = _check_plane(X, "pointwise_map")
    scores = check_numbers(samples, "samples", "pointwise_map")
    if len(scores) != len(points):
        raise InvalidInputError(
            argument="samples",
            caller="pointwise_map",
            problem=f"must hold one score per point: {count(len(points), 'point')}, "
            f"{count(len(scores), 'score')}",
        )
    if not (np.abs(scores) <= 1.0 + 1e-12).all():
        raise InvalidInputError(
            argument="samples",
            caller="pointwise_map",
            rule="lie between -1 and 1, the scale of its colors",
            got=f"{np.nanmin(scores):g} to {np.nanmax(scores):g}"
            f"{' and NaN' * bool(np.isnan(scores).any())}",
        )
    ax = open_axes(ax, "pointwise_map", (6.0, 4.6))
    drawn = ax.scatter(
        points[:, 0],
        points[:, 1],
        c=scores,
        cmap=pointwise_colors(),
        vmin=-1.0,
        vmax=1.0,
        linewidths=0,
        s=_area(len(points), size),
        rasterized=len(points) > _MANY,
    )
    if colorbar:
        bar = ax.figure.colorbar(drawn, ax=ax, label="pointwise score", ticks=[-1, -0.5, 0, 0.5, 1])
        bar.outline.set_visible(False)
    return _frame(ax)


def labels_map(
    X: Any,
    labels: Any,
    *,
    ax: Axes | None = None,
    noise_label: Any = -1,
    size: float | None = None,
) -> Axes:
    """Draw points in the plane, colored by cluster; noise points are gray crosses.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        The points.
    labels : array-like of shape (n,)
        Their labels. Colors come again after twelve clusters, with another marker.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if None.
    noise_label : int, str, bool or None, default -1
        The label of noise points; None: there are none.
    size : float, optional
        Area of a point in square points, by default the smaller the more points there are.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InvalidInputError
        If the points are not in the plane, or there is not one label per point.

    Examples
    --------
    >>> from disco_cvi.plots import labels_map
    >>> ax = labels_map([[0, 0], [1, 0], [0, 1], [9, 9], [9, 8], [4, 5]], [0, 0, 0, 1, 1, -1])
    >>> len(ax.collections)  # two clusters and the noise
    3
    """
    points = _check_plane(X, "labels_map")
    known = check_labels(labels, len(points), noise_label, "labels_map")
    ax = open_axes(ax, "labels_map", (5.2, 4.6))
    area, many = _area(len(points), size), len(points) > _MANY
    noise = known.codes < 0
    if known.n_noise:
        ax.scatter(
            points[noise, 0],
            points[noise, 1],
            c=NOISE_COLOR,
            marker="x",
            s=area,
            linewidths=0.8,
            label="noise",
            rasterized=many,
        )
    for cluster, name in enumerate(known.names):
        members = known.codes == cluster
        again, color = divmod(cluster, len(COLORS))
        ax.scatter(
            points[members, 0],
            points[members, 1],
            c=COLORS[color],
            linewidths=0,
            s=area,
            marker=SHAPES[again % len(SHAPES)],
            label=str(name),
            rasterized=many,
        )
    return _frame(ax)


def _check_plane(X: object, caller: str) -> FloatArray:
    """Points with two features."""
    points = check_points(X, caller)
    if points.shape[1] != 2:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule="hold points in the plane, with 2 features",
            got=count(points.shape[1], "feature"),
            remedy="Pass two columns, or project X first, for example with PCA(n_components=2).",
        )
    return points


def _area(n_points: int, size: float | None) -> float:
    """The area of a point: large enough to see, small enough for its neighbors."""
    return size if size is not None else float(np.clip(12000.0 / n_points, 3.0, 30.0))


def _frame(ax: Axes) -> Axes:
    """Equal scales, because distances are what the scores are about; no numbers on the borders."""
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_color(RULE)
    ax.title.set_color(FAINT)
    return ax
