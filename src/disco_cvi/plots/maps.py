"""Points in the plane, colored by their pointwise score or by their cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.labels import check_labels
from disco_cvi._input.options import Number, OrNone, check_flag
from disco_cvi._input.plot_arguments import check_numbers
from disco_cvi._input.points import check_points
from disco_cvi._input.row_names import index_of, refuse_other_rows
from disco_cvi._output.letters import in_legend
from disco_cvi._output.words import count, printable
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.plane import Pixels, Plane, of_usual_size
from disco_cvi.plots.style import (
    FAINT,
    RULE,
    SHAPES,
    SMALL,
    THEMES,
    Theme,
    open_axes,
    pointwise_colors,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.image import AxesImage


_SIZE = OrNone(Number(above=0.0))
_MANY = 1000  # so many points are drawn as an image, also in files of lines
# Colors of more pairs of clusters than that are not matched: nobody could tell them apart.
_MOST_PAIRS = 1_000_000
_CROSS = 2.2  # a cross of the same area as a disc is hardly seen as one


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
    area = _area(len(points), _SIZE.check(size, "size", "pointwise_map"))
    check_flag(colorbar, "colorbar", "pointwise_map")
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
            got=_span(scores),
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
        s=area,
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
    size = _SIZE.check(size, "size", "labels_map")
    refuse_other_rows(labels, index_of(X), "labels", "labels_map")
    known = check_labels(labels, len(points), noise_label, "labels_map")
    ax = open_axes(ax, "labels_map", (5.2, 4.6))
    scatter_labels(ax, points, known.codes, known.names, THEMES["light"], size=size)
    return _frame(ax)


def scatter_labels(
    ax: Axes,
    xy: FloatArray,
    codes: NDArray[Any],
    names: Sequence[Any],
    look: Theme,
    *,
    hues: Sequence[int] | None = None,
    size: float | None = None,
) -> list[PathCollection]:
    """Draw points by cluster, noise first, as crosses; return what was drawn.

    Colors come again after twelve clusters, with another marker. `hues` are the places of the
    clusters in the order of colors, by default that of their names.
    """
    drawn = []
    area, many = _area(len(xy), size), len(xy) > _MANY
    noise = codes < 0
    if noise.any():
        drawn.append(
            ax.scatter(
                xy[noise, 0],
                xy[noise, 1],
                c=look.noise,
                marker="x",
                s=_CROSS * area,
                linewidths=min(0.7, 0.4 * area),
                label="noise",
                rasterized=many,
            )
        )
    # Of more clusters than looks, those of one look are drawn together.
    looks = np.arange(len(names)) if hues is None else np.asarray(hues, np.int64)
    looks = looks % (len(look.labels) * len(SHAPES))
    of_points = np.append(looks, -1)[codes]
    for number in dict.fromkeys(looks.tolist()):
        again, color = divmod(number, len(look.labels))
        members = of_points == number
        part = ax.scatter(
            xy[members, 0],
            xy[members, 1],
            c=look.labels[color],
            linewidths=0,
            s=area,
            marker=SHAPES[again],
            label=in_legend(printable(str(names[looks.tolist().index(number)]))),
            rasterized=many,
        )
        drawn.append(part)
    return drawn


def scatter_scores(
    ax: Axes, xy: FloatArray, scores: FloatArray, is_noise: NDArray[np.bool_], look: Theme
) -> list[PathCollection]:
    """Draw points by score, noise as crosses; what is below 0 last, larger; return it all."""
    drawn = []
    area = _area(len(xy), None)
    colors = pointwise_colors(look)
    for is_bad in (False, True):
        for noise, marker in ((True, "x"), (False, "o")):
            rows = np.flatnonzero((is_noise == noise) & ((scores < 0) == is_bad))
            rows = rows[np.argsort(-scores[rows], kind="stable")]
            part = ax.scatter(
                xy[rows, 0],
                xy[rows, 1],
                c=scores[rows],
                cmap=colors,
                vmin=-1.0,
                vmax=1.0,
                marker=marker,
                s=area * (_CROSS if noise else 1.0) * (1.3 if is_bad else 1.0),
                linewidths=0.7 if noise else 0,
                rasterized=len(xy) > _MANY,
            )
            drawn.append(part)
    return drawn


def show_pixels(ax: Axes, colors: NDArray[np.float64], pixels: Pixels, look: Theme) -> AxesImage:
    """Draw pixels in their colors, of shape (rows, columns, 3), paler where points are few."""
    from matplotlib.colors import to_rgb

    many = float(np.quantile(pixels.counts[pixels.counts > 0], 0.995))
    strength = np.clip(0.55 + 0.45 * np.log1p(pixels.counts) / np.log1p(many), 0, 1)
    strength = np.where(pixels.counts > 0, strength, 0.0)[..., None]
    ground = np.array(to_rgb(look.ground))
    image = ground + strength * (colors - ground)
    return ax.imshow(image, origin="lower", extent=pixels.extent, interpolation="nearest")


def label_colors(
    codes: NDArray[Any], look: Theme, hues: Sequence[int] | None = None
) -> NDArray[np.float64]:
    """The color of each code, of shape (..., 3)."""
    from matplotlib.colors import to_rgb

    n_names = int(codes.max(initial=-1)) + 1
    places = range(n_names) if hues is None else hues
    table = [to_rgb(look.labels[place % len(look.labels)]) for place in places]
    colors = np.array([*table, to_rgb(look.noise)])[codes]  # code -1, noise, picks the last
    return np.asarray(colors, np.float64)


def match_hues(codes: NDArray[np.int32], first: NDArray[np.int32]) -> tuple[int, ...]:
    """The color of each cluster: that of a cluster of the first labeling that shares its points.

    The sum of shared points is the greatest that is possible when each color is given once; who
    shares nothing has a color that is left.
    """
    from scipy.optimize import linear_sum_assignment

    n_clusters, n_first = int(codes.max()) + 1, int(first.max()) + 1
    if n_clusters * n_first > _MOST_PAIRS:
        return tuple(range(n_clusters))
    both = (codes >= 0) & (first >= 0)
    shared = np.zeros((n_clusters, n_first))
    np.add.at(shared, (codes[both], first[both]), 1)
    pairs = zip(*linear_sum_assignment(shared, maximize=True), strict=True)
    matched = {int(mine): int(other) for mine, other in pairs if shared[mine, other] > 0}
    taken = set(matched.values())
    spare = iter(hue for hue in range(n_clusters + len(taken)) if hue not in taken)
    return tuple(matched[code] if code in matched else next(spare) for code in range(n_clusters))


def view_of(xy: FloatArray) -> FloatArray:
    """The ends of both axes, with a margin; neither is shorter than three tenths of the other."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    sides = 1.06 * (high - low)
    sides = np.maximum(sides, 0.3 * (float(sides.max()) or 1.0))
    middle = low + (high - low) / 2
    # Ends that are told apart, however far from 0 all points are.
    sides = np.maximum(sides, 1e-9 * np.abs(middle))
    return np.column_stack([middle - sides / 2, middle + sides / 2])


def frame_map(ax: Axes, plane: Plane, look: Theme) -> None:
    """A frame without numbers around all points, and the names of the axes."""
    _frame(ax)
    ax.set_facecolor(look.ground)
    ax.spines[:].set_color(look.rule)
    (left, right), (bottom, top) = view_of(plane.xy).tolist()
    # Not by its data limits: these grow whenever the layout tries another size.
    ax.set_aspect("equal", adjustable="box")
    ax.set_anchor("NW")  # room above would be taken for that of the title
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    across, up = plane.axis_names
    ax.set_xlabel(across, fontsize=SMALL, color=look.faint)
    ax.set_ylabel(up, fontsize=SMALL, color=look.faint)


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
    return of_usual_size(points)


def _span(scores: FloatArray) -> str:
    """The least and the greatest score, and whether some are missing."""
    known = scores[~np.isnan(scores)]
    if len(known) == 0:
        return "NaN"
    return f"{known.min():g} to {known.max():g}{' and NaN' * (len(known) < len(scores))}"


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
