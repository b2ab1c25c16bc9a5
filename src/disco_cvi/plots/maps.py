"""Maps: points in the plane, colored by their cluster or by their score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.labels import check_labels
from disco_cvi._input.options import Number, OrNone, check_count, check_flag, check_numbers
from disco_cvi._input.points import check_points, index_of, refuse_other_rows
from disco_cvi._output.letters import in_font, in_legend
from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, percent, printable
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.display import ExplanationDisplay, check_explanation
from disco_cvi.plots.plane import Pixels, Plane, find_pixels, of_usual_size, plane_of
from disco_cvi.plots.style import (
    LIGHT,
    SHAPES,
    SMALL,
    TICKS,
    Theme,
    open_axes,
    put_head,
    score_colors,
)
from disco_cvi.results.explanation import explain
from disco_cvi.results.words import score_meaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from disco_cvi.results.explanation import Explanation

# From so many points on, a map is an image of pixels.
MANY_POINTS = 100_000
PIXELS = (560, 480)
_RASTERIZED = 1000  # so many points are an image also in files of lines
_MOST_PIXELS = 10_000  # on a side of an image
_MOST_NAMES = 40  # of clusters in the map, the largest ones
_CROSS = 2.2  # a cross of the same area as a disc is hardly seen as one
_SIZE = OrNone(Number(above=0.0))


# --- two functions --------------------------------------------------------------------------------


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
    caller = "pointwise_map"
    points = _check_plane(X, caller)
    area = _area(len(points), _SIZE.check(size, "size", caller))
    check_flag(colorbar, "colorbar", caller)
    scores = check_numbers(samples, "samples", caller)
    if len(scores) != len(points):
        known, given = count(len(points), "point"), count(len(scores), "score")
        problem = f"must hold one score per point: {known}, {given}"
        raise InvalidInputError(argument="samples", caller=caller, problem=problem)
    if not (np.abs(scores) <= 1.0 + 1e-12).all():
        found = scores[~np.isnan(scores)]
        got = f"{found.min():g} to {found.max():g}" if len(found) else "NaN"
        raise InvalidInputError(
            argument="samples",
            caller=caller,
            rule="lie between -1 and 1, the scale of its colors",
            got=f"{got} and NaN" if 0 < len(found) < len(scores) else got,
        )
    ax = open_axes(ax, caller, (6.0, 4.6))
    drawn = _scatter(ax, points, scores, LIGHT, s=area, linewidths=0)
    if colorbar:
        figure: Any = ax.figure
        bar = figure.colorbar(drawn, ax=ax, label="pointwise score", ticks=TICKS)
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
    scatter_labels(ax, points, known.codes, known.names, LIGHT, size=size)
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
    return of_usual_size(points)


# --- the display ----------------------------------------------------------------------------------


class PointwiseMapDisplay(ExplanationDisplay):
    """A map of all points, by label and by score.

    Clusters have their names; noise points are crosses. Scores have a scale from -1 to 1, orange,
    grey at 0, blue; those below 0 are larger and lie on top. Points of more than two features are
    shown by their principal components or where an embedding says. From 100,000 points on, each
    pixel shows the mean score and the usual label of its points.

    Parameters
    ----------
    plane : Plane
        Where the points are.
    scores : array-like of shape (n,)
        The score of each point.
    codes : array-like of int of shape (n,)
        The number of each point's cluster, -1 for noise.
    names : sequence
        The names of the clusters.
    score : float
        The DISCO score.
    flags : sequence of str, optional
        Why the score rests on little, in words.

    Attributes
    ----------
    plane, scores, codes, names, score, flags
        As given.
    n_points : int
        Number of points.
    is_aggregated : bool
        Whether there are so many points that pixels are drawn.
    ax_, axes_, figure_
        After `plot`: the axes of the scores, those of labels and scores, the figure.
    labels_ : list of artists
        After `plot`: the points by label, noise first, or the image of them.
    scores_ : list of artists
        After `plot`: the points by score, those below 0 last, or the image of them.

    Examples
    --------
    >>> from disco_cvi.plots import PointwiseMapDisplay
    >>> X = [[0, 0], [1, 0], [0, 1], [9, 9], [9, 8], [4, 5]]
    >>> labels = [0, 0, 0, 1, 1, -1]
    >>> display = PointwiseMapDisplay.from_predictions(X, labels, min_points=2)
    >>> display.title
    'The labels follow the density of the data well'
    >>> display.plot().ax_.get_title(loc="left")
    'No point scores below 0'
    """

    axes_: list[Axes]
    labels_: list[Any]
    scores_: list[Any]

    def __init__(
        self, plane: Plane, scores: Any, codes: Any, names: Any, score: float, flags: Any = ()
    ) -> None:
        self.plane = plane
        self.scores: FloatArray = np.asarray(scores, np.float64)
        self.codes: NDArray[np.int64] = np.asarray(codes, np.int64)
        self.names = tuple(names)
        self.score = score
        self.flags: tuple[str, ...] = tuple(flags)

    @classmethod
    def from_explanation(cls, explanation: Explanation, *, embedding: Any = None) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand. It is needed where the points are not known: of a tree,
            or of a matrix of distances.

        Returns
        -------
        PointwiseMapDisplay
            Computed, not drawn yet.
        """
        facts = check_explanation(explanation, cls.__name__)
        points, labels = facts.clustering.points, facts.clustering.labels
        known = None if points.metric.name == "precomputed" else points.given
        plane = plane_of(known, embedding, cls.__name__, labels.n_points)
        flags = [flag.text for flag in facts.flags]
        return cls(plane, facts.points.score, labels.codes, labels.names, facts.score, flags)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, embedding: Any = None, **options: Any
    ) -> Self:
        """Make the display of points and labels.

        Parameters
        ----------
        X : array-like of shape (n, d), or DensityTree
            The points, or their tree: then an embedding is needed.
        labels : array-like of shape (n,)
            One label per point.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand.
        **options : Any
            What `explain` takes besides: min_points, metric, metric_params, noise_label, n_jobs.

        Returns
        -------
        PointwiseMapDisplay
            Computed, not drawn yet.
        """
        return cls.from_explanation(explain(X, labels, **options), embedding=embedding)

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.scores)

    @property
    def is_aggregated(self) -> bool:
        """Whether there are so many points that pixels are drawn."""
        return self.n_points >= MANY_POINTS

    def pixels(self, width: int = PIXELS[0], height: int = PIXELS[1]) -> Pixels:
        """Count the points in an image.

        Parameters
        ----------
        width, height : int
            Number of columns and rows.

        Returns
        -------
        Pixels
            Which can tell the mean of any values, and the usual label, of the points of each pixel.
        """
        width = check_count(width, "width", "pixels", most=_MOST_PIXELS)
        height = check_count(height, "height", "pixels", most=_MOST_PIXELS)
        return find_pixels(self.plane.xy, width, height)

    @property
    def spots(self) -> list[tuple[int, int]]:
        """Of the largest clusters, the number and the row of a point in its middle.

        Names that stand there are of points: the middle of a ring is not in it.
        """
        return spots_of(self.plane.xy, self.codes)

    @property
    def title(self) -> str:
        """What the score says of the labels."""
        if (self.codes < 0).all():
            return "Every point is noise"
        if (self.codes == 0).all():
            return "There is one cluster and no noise"
        if self.flags:
            return "The score of these labels rests on little"
        meaning = score_meaning(self.score)
        return f"{meaning[0].upper()}{meaning[1:]}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What the labels are, what they rest on, and where the points stand."""
        points, clusters = count(self.n_points, "point"), count(len(self.names), "cluster")
        noise = percent(float((self.codes < 0).mean()))
        told = f"DISCO {score_text(self.score)}; {points}, {clusters}, {noise} noise."
        told += " Pixels have the usual label of their points." * self.is_aggregated
        if len(self.names) > _MOST_NAMES:
            told += f" The {_MOST_NAMES} largest are named."
        return tuple(line for line in (told, *self.flags, self.plane.note) if line)

    @property
    def score_title(self) -> str:
        """How many points score below 0."""
        n_bad = int(np.count_nonzero(self.scores < 0))
        if n_bad == 0:
            return "No point scores below 0"
        return f"{percent(n_bad / self.n_points)} of all points score below 0"

    @property
    def score_facts(self) -> tuple[str, ...]:
        """How scores are drawn."""
        if self.is_aggregated:
            pixels = self.pixels()
            shared = f"{pixels.n_shared:,} of {pixels.n_used:,} pixels hold several points."
            return (f"Pixels: mean score of their points, paler where there are few; {shared}",)
        below = "Points below 0 are larger and on top." if (self.scores < 0).any() else ""
        crosses = "Noise as crosses." if (self.codes < 0).any() else ""
        return (" ".join(filter(None, (below, crosses))) or "One dot per point.",)

    def _size(self) -> tuple[float, float]:
        across, up = np.ptp(_view_of(self.plane.xy), axis=1).tolist()
        return 11.4, 0.4 + 5.2 * min(up / across, 0.95) + 0.17 * (len(self.facts) + 1)

    def _fill(self, figure: Figure, look: Theme) -> None:
        figure.set_facecolor(look.ground)
        left, right = figure.subplots(1, 2)
        frame_map(left, self.plane, look)
        if self.is_aggregated:
            self.labels_ = [show_label_pixels(left, self.pixels(), self.codes, look)]
        else:
            self.labels_ = scatter_labels(left, self.plane.xy, self.codes, self.names, look)
        self._name_clusters(left, look)
        put_head(left, self.title, self.facts, look, width=74)
        self._draw(right, look, is_alone=True)
        self.axes_ = [left, right]

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.axes_, self.labels_ = ax, [ax], getattr(self, "labels_", [])
        frame_map(ax, self.plane, look)
        self.scores_ = self._draw_scores(ax, look)
        _draw_scale(ax, look)
        put_head(ax, self.score_title, self.score_facts if is_alone else (), look, width=74)

    def _draw_scores(self, ax: Any, look: Theme) -> list[Any]:
        """Points by score, noise as crosses; what is below 0 last, larger."""
        xy, scores = self.plane.xy, self.scores
        if self.is_aggregated:
            pixels = self.pixels()
            colors = score_colors(look)((pixels.means(scores) + 1) / 2)[..., :3]
            return [_show_pixels(ax, colors, pixels, look)]
        drawn = []
        for is_bad in (False, True):
            area = _area(len(xy), None) * (1.3 if is_bad else 1.0)
            for is_noise in (True, False):
                rows = np.flatnonzero(((self.codes < 0) == is_noise) & ((scores < 0) == is_bad))
                rows = rows[np.argsort(-scores[rows], kind="stable")]
                shape: dict[str, Any] = {"marker": "o", "s": area, "linewidths": 0}
                if is_noise:
                    shape = {"marker": "x", "s": _CROSS * area, "linewidths": 0.7}
                many = len(xy) > _RASTERIZED
                drawn.append(_scatter(ax, xy[rows], scores[rows], look, rasterized=many, **shape))
        return drawn

    def _name_clusters(self, ax: Any, look: Theme) -> None:
        """Names at the clusters, those of larger ones first; none over another."""
        from matplotlib.patheffects import withStroke

        taken = np.empty((0, 2))
        near = np.array([0.035, 0.04]) * np.maximum(np.ptp(self.plane.xy, axis=0), 1e-300)
        for code, row in self.spots:
            place = self.plane.xy[row]
            if (np.abs(taken - place) < near).all(axis=1).any():
                continue
            taken = np.vstack([taken, place])
            ax.text(
                *place.tolist(),
                in_font(printable(str(self.names[code]))),
                ha="center",
                va="center",
                color=look.ink,
                fontweight="bold",
                fontsize=10,
                parse_math=False,
                path_effects=[withStroke(linewidth=3, foreground=look.ground)],
                zorder=5,
            )


def spots_of(xy: FloatArray, codes: NDArray[Any]) -> list[tuple[int, int]]:
    """Of the largest clusters, the number and the row of a point in its middle."""
    sizes = np.bincount(codes[codes >= 0])
    found = []
    for code in np.argsort(-sizes, kind="stable")[:_MOST_NAMES].tolist():
        rows = np.flatnonzero(codes == code)
        away = np.abs(xy[rows] - np.median(xy[rows], axis=0)).sum(axis=1)
        found.append((code, int(rows[away.argmin()])))
    return found


# --- drawing points -------------------------------------------------------------------------------


def scatter_labels(
    ax: Any,
    xy: FloatArray,
    codes: NDArray[Any],
    names: Sequence[Any],
    look: Theme,
    *,
    hues: Sequence[int] | None = None,
    size: float | None = None,
) -> list[Any]:
    """Draw points by cluster, noise first, as crosses; return what was drawn.

    Colors come again after twelve clusters, with another marker. `hues` are the places of the
    clusters in the order of colors, by default that of their names.
    """
    area, many = _area(len(xy), size), len(xy) > _RASTERIZED
    drawn = []
    noise = codes < 0
    if noise.any():
        x, y = xy[noise].T
        thin = {"linewidths": min(0.7, 0.4 * area), "rasterized": many}
        drawn.append(
            ax.scatter(x, y, c=look.noise, marker="x", s=_CROSS * area, label="noise", **thin)
        )
    # Of more clusters than looks, those of one look are drawn together.
    looks = np.arange(len(names)) if hues is None else np.asarray(hues, np.int64)
    looks = looks % (len(look.labels) * len(SHAPES))
    of_points = np.append(looks, -1)[codes]
    for number in dict.fromkeys(looks.tolist()):
        again, color = divmod(number, len(look.labels))
        x, y = xy[of_points == number].T
        name = in_legend(printable(str(names[looks.tolist().index(number)])))
        shape = {"marker": SHAPES[again], "s": area, "linewidths": 0, "rasterized": many}
        drawn.append(ax.scatter(x, y, c=look.labels[color], label=name, **shape))
    return drawn


def show_label_pixels(
    ax: Any,
    pixels: Pixels,
    codes: NDArray[Any],
    look: Theme,
    hues: Sequence[int] | None = None,
) -> Any:
    """Draw pixels in the color of their usual label."""
    from matplotlib.colors import to_rgb

    places = range(int(codes.max(initial=-1)) + 1) if hues is None else hues
    table = [look.labels[place % len(look.labels)] for place in places]
    # Code -1, noise, picks the last color.
    colors = np.array([to_rgb(color) for color in (*table, look.noise)])
    return _show_pixels(ax, colors[pixels.usual(codes)], pixels, look)


def _show_pixels(ax: Any, colors: NDArray[Any], pixels: Pixels, look: Theme) -> Any:
    """Draw pixels in their colors, of shape (rows, columns, 3), paler where points are few."""
    from matplotlib.colors import to_rgb

    counts = pixels.counts[..., None]
    many = float(np.quantile(counts[counts > 0], 0.995))
    strength = np.clip(0.55 + 0.45 * np.log1p(counts) / np.log1p(many), 0, 1) * (counts > 0)
    ground = np.array(to_rgb(look.ground))
    image = ground + strength * (colors - ground)
    return ax.imshow(image, origin="lower", extent=pixels.extent, interpolation="nearest")


def _scatter(ax: Any, xy: FloatArray, scores: FloatArray, look: Theme, **shape: Any) -> Any:
    """Draw points by score, on the scale from -1 to 1."""
    shape.setdefault("rasterized", len(xy) > _RASTERIZED)
    scale = {"c": scores, "cmap": score_colors(look), "vmin": -1.0, "vmax": 1.0}
    return ax.scatter(xy[:, 0], xy[:, 1], **scale, **shape)


def _area(n_points: int, size: float | None) -> float:
    """The area of a point: large enough to see, small enough for its neighbors."""
    return size if size is not None else float(np.clip(12000.0 / n_points, 3.0, 30.0))


def _draw_scale(ax: Any, look: Theme) -> None:
    """The scale of scores beside a map, always from -1 to 1, with a mark at 0."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    scale = ScalarMappable(Normalize(-1, 1), score_colors(look))
    # The map stays where it is, and the scale begins beside its upper edge.
    place = {"shrink": 0.8, "pad": 0.02, "anchor": (0, 1), "panchor": False}
    bar = ax.figure.colorbar(scale, ax=ax, ticks=TICKS, **place)
    bar.outline.set_visible(False)
    bar.ax.axhline(0, color=look.ground, linewidth=1.2)
    bar.ax.tick_params(labelsize=SMALL, length=0, labelcolor=look.faint)


def _view_of(xy: FloatArray) -> FloatArray:
    """The ends of both axes, with a margin; neither is shorter than three tenths of the other."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    sides = 1.06 * (high - low)
    sides = np.maximum(sides, 0.3 * (float(sides.max()) or 1.0))
    middle = low + (high - low) / 2
    # Ends that are told apart, however far from 0 all points are.
    sides = np.maximum(sides, 1e-9 * np.abs(middle))
    return np.column_stack([middle - sides / 2, middle + sides / 2])


def frame_map(ax: Any, plane: Plane, look: Theme, *, has_names: bool = True) -> None:
    """A frame without numbers around all points, and the names of the axes."""
    _frame(ax)
    ax.set_facecolor(look.ground)
    ax.spines[:].set_color(look.rule)
    # Not by its data limits: these grow whenever the layout tries another size.
    ax.set_aspect("equal", adjustable="box")
    ax.set_anchor("NW")  # a gap above would be taken for that of the title
    across, up = _view_of(plane.xy).tolist()
    ax.set(xlim=across, ylim=up)
    if has_names:
        ax.set_xlabel(plane.axis_names[0], fontsize=SMALL, color=look.faint)
        ax.set_ylabel(plane.axis_names[1], fontsize=SMALL, color=look.faint)


def _frame(ax: Axes) -> Axes:
    """Equal scales, because distances are what the scores are about; no numbers on the borders."""
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_color(LIGHT.rule)
    ax.title.set_color(LIGHT.faint)
    return ax
